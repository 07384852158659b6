// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/out.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decode/utf8.h"

#define BUFFER_SIZE   (256 << 10)
#define CAPTURED_SIZE 4096

static char buffer[BUFFER_SIZE];
static char *current = buffer; /* what is written to: the buffer, or what is captured */
static size_t used; /* of current */
static size_t room_size = BUFFER_SIZE; /* of current */
static bool failed;

static struct {
	char *p;
	size_t size;
	size_t main_used; /* of the buffer meanwhile */
} captured;

/* write(2) all; false leaves errno. */
static bool write_all(const char *p, size_t len)
{
	while (len) {
		ssize_t n = write(STDOUT_FILENO, p, len);

		if (n >= 0) {
			p += n;
			len -= n;
		} else if (errno == EAGAIN) {
			struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

			poll(&fd, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

void out_flush(void)
{
	size_t len = used;

	used = 0;
	if (failed || write_all(buffer, len))
		return;
	failed = true;
	if (errno == EPIPE)
		exit(1);
	die("standard output: %s", strerror(errno));
}

static void complain(const char *format, va_list args)
{
	char line[1024];
	int len;

	if (current != buffer)
		out_captured(NULL);
	out_flush();
	len = vsnprintf(line, sizeof(line), format, args);
	if (len >= (int)sizeof(line))
		len = sizeof(line) - 1;
	fprintf(stderr, "kdump: %.*s\n", len, line);
}

void warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain(format, args);
	va_end(args);
}

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain(format, args);
	va_end(args);
	exit(1);
}

static void grow_captured(size_t len)
{
	size_t new_size = captured.size ? captured.size * 2 : CAPTURED_SIZE;
	char *p;

	while (new_size - used < len)
		new_size *= 2;
	p = realloc(captured.p, new_size);
	if (!p)
		die("out of memory");
	captured.p = p;
	captured.size = new_size;
	current = p;
	room_size = new_size;
}

/* @len: up to the size of the buffer */
static char *room(size_t len)
{
	if (room_size - used < len) {
		if (current == buffer)
			out_flush();
		else
			grow_captured(len);
	}
	return current + used;
}

void out_capture(void)
{
	captured.main_used = used;
	used = 0;
	if (!captured.p)
		grow_captured(1);
	current = captured.p;
	room_size = captured.size;
}

const char *out_captured(size_t *len)
{
	if (len)
		*len = used;
	current = buffer;
	room_size = BUFFER_SIZE;
	used = captured.main_used;
	return captured.p;
}

void out_char(char c)
{
	*room(1) = c;
	used++;
}

void out_mem(const void *p, size_t len)
{
	while (len) {
		size_t n = len < BUFFER_SIZE ? len : BUFFER_SIZE;

		memcpy(room(n), p, n);
		used += n;
		p = (const char *)p + n;
		len -= n;
	}
}

void out_str(const char *s)
{
	out_mem(s, strlen(s));
}

void out_dec(int64_t value)
{
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char digits[24], *p = digits + sizeof(digits);

	do {
		*--p = '0' + magnitude % 10;
		magnitude /= 10;
	} while (magnitude);
	if (value < 0)
		*--p = '-';
	out_mem(p, digits + sizeof(digits) - p);
}

static const char hex_digits[] = "0123456789abcdef";

void out_hex(uint64_t value)
{
	char digits[20], *p = digits + sizeof(digits);

	if (value == 0) {
		out_char('0');
		return;
	}
	for (; value; value >>= 4)
		*--p = hex_digits[value & 15];
	*--p = 'x';
	*--p = '0';
	out_mem(p, digits + sizeof(digits) - p);
}

void out_pointer(uint64_t value)
{
	if (value)
		out_hex(value);
	else
		out_str("0x0");
}

void out_byte(unsigned char byte)
{
	char *p = room(2);

	p[0] = hex_digits[byte >> 4];
	p[1] = hex_digits[byte & 15];
	used += 2;
}

void out_printf(const char *format, ...)
{
	char text[512];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	out_mem(text, len < (int)sizeof(text) ? (size_t)len : sizeof(text) - 1);
}

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

/* Returns the number of bytes put out. */
static size_t text(const unsigned char *p, size_t len)
{
	size_t written = 0;

	while (len) {
		size_t n = 0, plain = 0;

		while (plain < len && (n = printable(p + plain, len - plain)) > 0)
			plain += n;
		out_mem(p, plain);
		written += plain;
		p += plain;
		len -= plain;
		if (len) {
			char octal[4] = { '\\', '0' + (*p >> 6), '0' + (*p >> 3 & 7),
					  '0' + (*p & 7) };

			out_mem(octal, sizeof(octal));
			written += sizeof(octal);
			p++;
			len--;
		}
	}
	return written;
}

void out_text(const void *p, size_t len)
{
	text(p, len);
}

void out_text_str(const void *p, size_t len)
{
	text(p, strnlen(p, len));
}

void out_text_padded(const void *p, size_t len, size_t width)
{
	size_t written = text(p, len);

	for (; written < width; written++)
		out_char(' ');
}
