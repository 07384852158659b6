// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Text that may be anything.
 */
#include <stdbool.h>

#include "decode/out.h"
#include "decode/utf8.h"

/* The length of the printable character at @p, or 0. */
static size_t printable(const unsigned char *p, size_t len)
{
	uint32_t c;
	size_t size;

	if (p[0] < 0x80)
		return p[0] >= ' ' && p[0] < 0x7f;
	size = utf8_decode(p, len, &c);
	return size && utf8_is_printable(c) ? size : 0;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (unsigned char)(byte))

/* Is one of the eight bytes 0? */
static bool has_zero(uint64_t bytes)
{
	return (bytes - EACH(1)) & ~bytes & EACH(0x80);
}

static bool are_plain(uint64_t bytes, char stop)
{
	if (bytes & EACH(0x80))
		return false;
	/* No byte borrows from the next one: they are below 0x80. */
	if ((((bytes | EACH(0x80)) - EACH(' ')) & EACH(0x80)) != EACH(0x80))
		return false;
	return !has_zero(bytes ^ EACH('\\')) && !has_zero(bytes ^ EACH(0x7f)) &&
	       !has_zero(bytes ^ EACH(stop));
}

/* Eight bytes, of @len, 1 to 7, that are there: all of them, some more than once. */
static uint64_t few_bytes(const unsigned char *p, size_t len)
{
	uint32_t first = 0, last = 0;

	if (len == 1)
		return EACH(p[0]);
	if (len < 4) {
		memcpy(&first, p, 2);
		memcpy(&last, p + len - 2, 2);
		first |= last << 16;
		return first | (uint64_t)first << 32;
	}
	memcpy(&first, p, 4);
	memcpy(&last, p + len - 4, 4);
	return first | (uint64_t)last << 32;
}

size_t out_plain_len(const void *text, size_t len, char stop)
{
	const unsigned char *p = text;
	size_t n = 0;
	uint64_t bytes;

	for (; len - n >= sizeof(bytes); n += sizeof(bytes)) {
		memcpy(&bytes, p + n, sizeof(bytes));
		if (!are_plain(bytes, stop))
			break;
	}
	if (n < len && len - n < sizeof(bytes) && are_plain(few_bytes(p + n, len - n), stop))
		return len;
	while (n < len && p[n] >= ' ' && p[n] < 0x7f && p[n] != '\\' && p[n] != stop)
		n++;
	return n;
}

static void out_escaped(unsigned char byte)
{
	char *p = out_reserve(4);

	p[0] = '\\';
	p[1] = '0' + (byte >> 6);
	p[2] = '0' + (byte >> 3 & 7);
	p[3] = '0' + (byte & 7);
	out_commit(4);
}

/* Returns the number of bytes put out. */
static size_t text(const unsigned char *p, size_t len)
{
	size_t written = 0, n;

	for (; len; p += n, len -= n) {
		n = out_plain_len(p, len, '\\');
		if (n == 0)
			n = printable(p, len);
		if (n) {
			out_mem(p, n);
			written += n;
		} else {
			out_escaped(*p);
			written += 4;
			n = 1;
		}
	}
	return written;
}

void out_text(const void *p, size_t len)
{
	text(p, len);
}

/* What C writes after a backslash, or 0. */
static char c_escape(unsigned char byte)
{
	switch (byte) {
	case '\n':
		return 'n';
	case '\r':
		return 'r';
	case '\t':
		return 't';
	case '"':
	case '\\':
		return byte;
	}
	return 0;
}

void out_c_string(const void *p, size_t len)
{
	const unsigned char *at = p, *end = at + len, *begin;

	out_char('"');
	while (at < end) {
		for (begin = at; at < end && !c_escape(*at); at++)
			;
		text(begin, at - begin);
		if (at < end) {
			out_char('\\');
			out_char(c_escape(*at++));
		}
	}
	out_char('"');
}

void out_text_str(const void *p, size_t len)
{
	text(p, strnlen(p, len));
}

void out_text_padded(const void *p, size_t len, size_t width)
{
	static const char spaces[] = "                ";
	size_t written = text(p, len);

	for (; written + sizeof(spaces) - 1 <= width; written += sizeof(spaces) - 1)
		out_str(spaces);
	if (written < width)
		out_mem(spaces, width - written);
}

void out_base64(const void *bytes, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = bytes;

	while (len) {
		size_t n = len < 3 ? len : 3;
		uint32_t group =
			(uint32_t)p[0] << 16 | (n > 1 ? p[1] << 8 : 0) | (n > 2 ? p[2] : 0);
		char text[4] = { digits[group >> 18], digits[group >> 12 & 63],
				 n > 1 ? digits[group >> 6 & 63] : '=',
				 n > 2 ? digits[group & 63] : '=' };

		out_mem(text, sizeof(text));
		p += n;
		len -= n;
	}
}
