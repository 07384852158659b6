// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * GIO: data as text or as hexadecimal dump, to the width of the terminal.
 */
#include <string.h>

#include "decode/out.h"
#include "decode/style.h"
#include "fds.h"
#include "options.h"
#include "records.h"

#define INDENT	    "       "
#define TEXT_COLUMN 8 /* after the indent and the quote; and a tab's width */

static bool is_text(const unsigned char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = p[i];

		if ((c < ' ' && c != '\0' && c != '\t' && c != '\n' && c != '\r') || c >= 0x7f)
			return false;
	}
	return true;
}

/* One byte as C would have it; @next tells how far a \0 must go. */
static const char *escape(unsigned char c, bool octal_next)
{
	switch (c) {
	case '\0':
		return octal_next ? "\\000" : "\\0";
	case '\r':
		return "\\r";
	case '\\':
		return "\\\\";
	}
	return NULL;
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * @shown bytes of @len.  A line of the data begins in column 8, by a tab after
 * the first, and is broken by a backslash where the terminal ends.
 */
static void print_text(const unsigned char *p, size_t len, size_t shown)
{
	unsigned int last = options.width - 2, column = TEXT_COLUMN;
	bool new_line = false;
	size_t i;

	out_str(INDENT);
	style_begin(STYLE_TEXT);
	out_char('"');
	for (i = 0; i < shown; i++) {
		const char *escaped;
		unsigned int width;
		size_t plain;

		if (new_line) {
			out_char('\t');
			style_begin(STYLE_TEXT);
			column = TEXT_COLUMN;
			new_line = false;
		}
		if (p[i] == '\n') {
			style_end();
			out_char('\n');
			new_line = true;
			continue;
		}
		plain = column < last ?
				out_plain_len(p + i, min_size(shown - i, last - column), '\\') :
				0;
		if (plain) {
			out_mem(p + i, plain);
			column += plain;
			i += plain - 1;
			continue;
		}
		escaped = escape(p[i], i + 1 < len && p[i + 1] >= '0' && p[i + 1] <= '7');
		if (p[i] == '\t')
			width = 8 - column % 8;
		else
			width = escaped ? strlen(escaped) : 1;
		if (column + width > last) {
			out_char('\\');
			style_end();
			out_str("\n\t");
			style_begin(STYLE_TEXT);
			column = TEXT_COLUMN;
		}
		column += width;
		if (escaped)
			out_str(escaped);
		else
			out_char(p[i]);
	}
	if (new_line) {
		out_str(INDENT);
		style_begin(STYLE_TEXT);
	}
	out_char('"');
	style_end();
	out_char('\n');
}

/* "       0x0000" and two spaces and bars take 18 columns, two bytes 7. */
static unsigned int hex_width(void)
{
	unsigned int width = 2;

	while (36 + 7 * (width + 2) < 2 * options.width)
		width += 2;
	return width;
}

/* Four digits, or as many as it takes. */
static void out_offset(size_t offset)
{
	out_str(INDENT "0x");
	if (offset > 0xffff) {
		out_printf("%zx", offset);
		return;
	}
	out_byte(offset >> 8);
	out_byte(offset);
}

static void put_byte(char *text, unsigned char byte)
{
	text[0] = out_hex_digits[byte >> 4];
	text[1] = out_hex_digits[byte & 15];
}

/* Two and two, and spaces for what is missing to @width, which is even. */
static void out_bytes(const unsigned char *p, unsigned int count, unsigned int width)
{
	unsigned int i;

	for (i = 0; i + 1 < count; i += 2) {
		char *text = out_reserve(5);

		text[0] = ' ';
		put_byte(text + 1, p[i]);
		put_byte(text + 3, p[i + 1]);
		out_commit(5);
	}
	if (i < count) {
		out_char(' ');
		out_byte(p[i]);
		out_str("  ");
		i += 2;
	}
	for (; i < width; i += 2)
		out_str("     ");
}

static void out_ascii(const unsigned char *p, unsigned int count)
{
	while (count) {
		unsigned int i, n = min_size(count, OUT_RESERVE_MAX);
		char *text = out_reserve(n);

		for (i = 0; i < n; i++)
			text[i] = p[i] >= ' ' && p[i] < 0x7f ? p[i] : '.';
		out_commit(n);
		p += n;
		count -= n;
	}
}

static void print_hex(const unsigned char *p, size_t shown)
{
	unsigned int width = hex_width();
	size_t offset;

	for (offset = 0; offset < shown; offset += width) {
		unsigned int count = min_size(width, shown - offset);

		out_offset(offset);
		out_bytes(p + offset, count, width);
		out_str("  |");
		out_ascii(p + offset, count);
		out_str("|\n");
	}
	if (shown % width)
		out_char('\n');
}

void genio_print(const struct ktrace_record *record)
{
	struct ktrace_record_genio io;
	size_t shown;

	ktrace_record_get_genio(record, &io);
	out_str("fd ");
	out_dec(io.fd);
	if (options.fds)
		fds_out(io.fd);
	out_str(io.rw == 0 ? " read " : " wrote ");
	out_dec(io.len);
	out_str(io.len == 1 ? " byte\n" : " bytes\n");
	if (options.no_data)
		return;
	shown = io.len;
	if (options.max_data && shown > (size_t)options.max_data)
		shown = options.max_data;
	if (is_text(io.data, shown))
		print_text(io.data, io.len, shown);
	else
		print_hex(io.data, shown);
}
