// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/json.h"

#include <string.h>

#include "decode/out.h"
#include "decode/utf8.h"

#define REPLACEMENT "\357\277\275" /* U+FFFD */

bool json_comma;

static void begin_value(void)
{
	if (json_comma)
		out_char(',');
	json_comma = true;
}

void json_open(char bracket)
{
	begin_value();
	out_char(bracket);
	json_comma = false;
}

void json_close(char bracket)
{
	out_char(bracket);
	json_comma = true;
}

void json_end_line(void)
{
	out_char('\n');
	json_comma = false;
}

void json_key_part(const char *key, const char *part)
{
	begin_value();
	out_char('"');
	out_str(key);
	out_str(part);
	out_str("\":");
	json_comma = false;
}

void json_int(int64_t value)
{
	begin_value();
	out_dec(value);
}

void json_uint(uint64_t value)
{
	begin_value();
	out_unsigned(value);
}

void json_hex(uint64_t value)
{
	begin_value();
	out_char('"');
	out_pointer(value);
	out_char('"');
}

void json_octal(uint64_t value)
{
	begin_value();
	out_char('"');
	out_octal(value);
	out_char('"');
}

void json_bool(bool value)
{
	begin_value();
	out_str(value ? "true" : "false");
}

void json_null(void)
{
	begin_value();
	out_str("null");
}

static void out_unit(unsigned int unit)
{
	out_str("\\u");
	out_byte(unit >> 8);
	out_byte(unit & 0xff);
}

static void out_escaped(uint32_t c)
{
	static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	const char *p;

	for (p = letters; *p; p += 2) {
		if ((uint32_t)*p == c) {
			out_char('\\');
			out_char(p[1]);
			return;
		}
	}
	if (c > 0xffff) {
		c -= 0x10000;
		out_unit(0xd800 | c >> 10);
		c = 0xdc00 | (c & 0x3ff);
	}
	out_unit(c);
}

bool json_escape(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	bool exact = true;

	while (len) {
		size_t size = out_plain_len(p, len, '"');
		uint32_t c;

		bool plain = size > 0;

		if (!plain)
			size = utf8_decode(p, len, &c);
		if (plain) {
			out_mem(p, size);
		} else if (size == 0) {
			out_str(REPLACEMENT);
			exact = false;
			size = 1;
		} else if (c >= 0x80 && utf8_is_printable(c)) {
			out_mem(p, size);
		} else {
			out_escaped(c);
		}
		p += size;
		len -= size;
	}
	return exact;
}

bool json_string(const void *p, size_t len)
{
	bool exact;

	begin_value();
	out_char('"');
	exact = json_escape(p, len);
	out_char('"');
	return exact;
}

void json_str(const char *s)
{
	json_string(s, strlen(s));
}

void json_base64(const void *p, size_t len)
{
	begin_value();
	out_char('"');
	out_base64(p, len);
	out_char('"');
}

void json_captured(void)
{
	size_t len;
	const char *p = out_captured(&len);

	json_string(p, len);
}

void json_text(const char *key, const void *p, size_t len)
{
	json_key(key);
	if (json_string(p, len))
		return;
	json_key_part(key, "_base64");
	json_base64(p, len);
}

/* Controls that text has: BEL to CR, ESC. */
static bool is_text_char(uint32_t c)
{
	return c >= ' ' ? c != 0x7f : (c >= 0x07 && c <= 0x0d) || c == 0x1b;
}

static bool is_text(const unsigned char *p, size_t len)
{
	size_t i, size;
	uint32_t c;

	for (i = 0; i < len; i += size) {
		size = out_plain_len(p + i, len - i, '\\');
		if (size)
			continue;
		size = utf8_decode(p + i, len - i, &c);
		if (size == 0 || !is_text_char(c))
			return false;
	}
	return true;
}

void json_data(const void *p, size_t len)
{
	bool text = is_text(p, len);

	json_key("data");
	if (text)
		json_string(p, len);
	else
		json_base64(p, len);
	json_member_str("encoding", text ? "utf8" : "base64");
}
