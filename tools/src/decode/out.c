// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/out.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_SIZE   (256 << 10)
#define CAPTURED_SIZE OUT_RESERVE_MAX

static char buffer[BUFFER_SIZE];
static bool failed;
static int out_fd = STDOUT_FILENO;
static const char *out_name = "standard output";

const char *out_program = "kdump";

struct out_room out_room = { buffer, buffer + BUFFER_SIZE };

/* What is captured goes to memory of its own, until that is full. */
static struct {
	enum {
		CAPTURE_OFF,
		CAPTURE_ON,
		CAPTURE_FULL, /* the rest goes nowhere */
	} state;
	char *p;
	size_t size;
	size_t max;
	size_t len; /* when it is full */
	struct out_room outside; /* the buffer's meanwhile */
	char nowhere[OUT_RESERVE_MAX];
} captured;

/* write(2) all; false leaves errno. */
static bool write_all(const char *p, size_t len)
{
	while (len) {
		ssize_t n = write(out_fd, p, len);

		if (n >= 0) {
			p += n;
			len -= n;
		} else if (errno == EAGAIN) {
			struct pollfd fd = { .fd = out_fd, .events = POLLOUT };

			poll(&fd, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

static int status_len; /* of what is on the terminal */

void out_status(const char *format, ...)
{
	char line[128];
	va_list args;
	int len, before = status_len;

	va_start(args, format);
	len = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	status_len = len < (int)sizeof(line) ? len : (int)sizeof(line) - 1;
	fprintf(stderr, "\r%s: %-*s", out_program, before, line);
	fflush(stderr);
}

void out_status_end(void)
{
	if (status_len)
		fprintf(stderr, "\r%*s\r",
			(int)strlen(out_program) + (int)strlen(": ") + status_len, "");
	status_len = 0;
}

void out_flush(void)
{
	size_t len = out_room.at - buffer;

	out_room.at = buffer;
	if (failed || write_all(buffer, len))
		return;
	failed = true;
	if (errno == EPIPE) {
		out_status_end();
		exit(1);
	}
	die("%s: %s", out_name, strerror(errno));
}

void out_to(int fd, const char *name)
{
	out_fd = fd;
	out_name = name;
}

static void complain(const char *format, va_list args)
{
	struct out_room inside = out_room;
	char line[1024];
	int len;

	if (captured.state != CAPTURE_OFF)
		out_room = captured.outside;
	out_flush();
	if (captured.state != CAPTURE_OFF) {
		captured.outside = out_room;
		out_room = inside;
	}
	out_status_end();
	len = vsnprintf(line, sizeof(line), format, args);
	if (len >= (int)sizeof(line))
		len = sizeof(line) - 1;
	fprintf(stderr, "%s: %.*s\n", out_program, len, line);
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
	captured.state = CAPTURE_OFF;
	exit(1);
}

static void go_nowhere(void)
{
	out_room.at = captured.nowhere;
	out_room.end = captured.nowhere + sizeof(captured.nowhere);
}

static void grow_captured(void)
{
	size_t used = out_room.at - captured.p, size = captured.size * 2;
	char *p = realloc(captured.p, size);

	if (!p)
		die("out of memory");
	captured.p = p;
	captured.size = size;
	out_room.at = p + used;
	out_room.end = p + size;
}

void out_make_room(size_t len)
{
	if (captured.state == CAPTURE_OFF)
		out_flush();
	if (captured.state == CAPTURE_ON) {
		while ((size_t)(out_room.end - out_room.at) < len && captured.size < captured.max)
			grow_captured();
		if ((size_t)(out_room.end - out_room.at) >= len)
			return;
		captured.state = CAPTURE_FULL;
		captured.len = out_room.at - captured.p;
	}
	if (captured.state == CAPTURE_FULL)
		go_nowhere();
}

void out_mem_slowly(const void *p, size_t len)
{
	while (len) {
		size_t n = len < OUT_RESERVE_MAX ? len : OUT_RESERVE_MAX;

		memcpy(out_reserve(n), p, n);
		out_commit(n);
		p = (const char *)p + n;
		len -= n;
	}
}

void out_capture_some(size_t max)
{
	if (!captured.p) {
		captured.p = malloc(CAPTURED_SIZE);
		if (!captured.p)
			die("out of memory");
		captured.size = CAPTURED_SIZE;
	}
	captured.state = CAPTURE_ON;
	/* The last thing that is put out may not fit, and is as long as a reservation at most. */
	captured.max = max < SIZE_MAX - OUT_RESERVE_MAX ? max + OUT_RESERVE_MAX : SIZE_MAX;
	captured.outside = out_room;
	out_room.at = captured.p;
	out_room.end = captured.p + captured.size;
}

void out_capture(void)
{
	out_capture_some(SIZE_MAX);
}

const char *out_captured(size_t *len)
{
	*len = captured.state == CAPTURE_FULL ? captured.len : (size_t)(out_room.at - captured.p);
	captured.state = CAPTURE_OFF;
	out_room = captured.outside;
	return captured.p;
}

#define DIGITS_MAX 20

#define TEN(d) #d "0" #d "1" #d "2" #d "3" #d "4" #d "5" #d "6" #d "7" #d "8" #d "9"

static const char digit_pairs[] =
	TEN(0) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9);

/* The digits of @value end at @end; returns where they begin. */
static char *put_digits(char *end, uint64_t value)
{
	for (; value >= 10; value /= 100) {
		end -= 2;
		memcpy(end, digit_pairs + value % 100 * 2, 2);
		if (value < 100)
			return end;
	}
	*--end = '0' + value;
	return end;
}

static char *put_signed(char *end, int64_t value)
{
	char *p = put_digits(end, value < 0 ? -(uint64_t)value : (uint64_t)value);

	if (value < 0)
		*--p = '-';
	return p;
}

void out_dec(int64_t value)
{
	char digits[DIGITS_MAX + 1], *end = digits + sizeof(digits);
	char *p = put_signed(end, value);

	out_mem(p, end - p);
}

void out_unsigned(uint64_t value)
{
	char digits[DIGITS_MAX], *end = digits + sizeof(digits);
	char *p = put_digits(end, value);

	out_mem(p, end - p);
}

void out_dec_padded(int64_t value, unsigned int width)
{
	char digits[DIGITS_MAX + 1], *end = digits + sizeof(digits);
	char *p = put_signed(end, value);

	if (width > sizeof(digits))
		width = sizeof(digits);
	while (end - p < (ptrdiff_t)width)
		*--p = ' ';
	out_mem(p, end - p);
}

void out_digits(uint64_t value, unsigned int digits)
{
	char *p = out_reserve(digits);
	unsigned int i;

	for (i = digits; i; value /= 10)
		p[--i] = '0' + value % 10;
	out_commit(digits);
}

const unsigned char out_hex_digits[16] = { "0123456789abcdef" };

void out_hex(uint64_t value)
{
	unsigned int i, digits;
	char *p;

	if (value == 0) {
		out_char('0');
		return;
	}
	digits = (64 - __builtin_clzll(value) + 3) / 4;
	p = out_reserve(2 + digits);
	p[0] = '0';
	p[1] = 'x';
	for (i = digits; i; value >>= 4)
		p[1 + i--] = out_hex_digits[value & 15];
	out_commit(2 + digits);
}

void out_octal(uint64_t value)
{
	char digits[24], *end = digits + sizeof(digits), *p = end;

	for (; value; value >>= 3)
		*--p = '0' + (value & 7);
	*--p = '0';
	out_mem(p, end - p);
}

void out_pointer(uint64_t value)
{
	if (value)
		out_hex(value);
	else
		out_str("0x0");
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
