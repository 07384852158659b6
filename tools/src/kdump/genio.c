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

static void print_hex(const unsigned char *p, size_t shown)
{
	unsigned int width = hex_width(), i;
	size_t offset;

	for (offset = 0; offset < shown; offset += width) {
		out_printf(INDENT "0x%04zx", offset);
		for (i = 0; i < width; i++) {
			if (i % 2 == 0)
				out_char(' ');
			if (offset + i < shown)
				out_byte(p[offset + i]);
			else
				out_str("  ");
		}
		out_str("  |");
		for (i = 0; i < width && offset + i < shown; i++) {
			unsigned char c = p[offset + i];

			out_char(c >= ' ' && c < 0x7f ? c : '.');
		}
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
	out_printf("fd %d", io.fd);
	if (options.fds)
		fds_out(io.fd);
	out_printf(" %s %zu byte%s\n", io.rw == 0 ? "read" : "wrote", io.len,
		   io.len == 1 ? "" : "s");
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
