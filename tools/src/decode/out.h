/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Standard output, or what out_to() names, through a buffer of our own.
 *
 * Text that comes from a trace file goes through out_text() or a function
 * that is built on it: nothing in it reaches the terminal as a command.
 * Failures end the program: with a message, or silently when nobody reads.
 */
#ifndef _DECODE_OUT_H_
#define _DECODE_OUT_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Where the next byte goes, and where the room ends: for the functions below. */
struct out_room {
	char *at;
	char *end;
};

extern struct out_room out_room;

/* The most that can be asked of out_reserve(). */
#define OUT_RESERVE_MAX 4096

/* Make room for @len bytes, up to OUT_RESERVE_MAX. */
void out_make_room(size_t len);
void out_mem_slowly(const void *p, size_t len);

/*
 * out_reserve - room for up to @len bytes
 *
 * Fill it from its beginning, and say by out_commit() how many bytes it were.
 */
static inline char *out_reserve(size_t len)
{
	if ((size_t)(out_room.end - out_room.at) < len)
		out_make_room(len);
	return out_room.at;
}

static inline void out_commit(size_t len)
{
	out_room.at += len;
}

static inline void out_char(char c)
{
	*out_reserve(1) = c;
	out_commit(1);
}

static inline void out_mem(const void *p, size_t len)
{
	if ((size_t)(out_room.end - out_room.at) < len) {
		out_mem_slowly(p, len);
		return;
	}
	memcpy(out_room.at, p, len);
	out_commit(len);
}

static inline void out_str(const char *s)
{
	out_mem(s, strlen(s));
}

void out_dec(int64_t value);
void out_unsigned(uint64_t value);
/* ... with spaces before it, up to @width. */
void out_dec_padded(int64_t value, unsigned int width);
/* ... with zeros before it, @digits in all; a larger number is cut. */
void out_digits(uint64_t value, unsigned int digits);
/* As printf's %#lx: 0 is "0". */
void out_hex(uint64_t value);
/* As %#lo. */
void out_octal(uint64_t value);
/* As %p: 0 is "0x0". */
void out_pointer(uint64_t value);
void out_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

extern const unsigned char out_hex_digits[16];

/* Two hexadecimal digits. */
static inline void out_byte(unsigned char byte)
{
	char *p = out_reserve(2);

	p[0] = out_hex_digits[byte >> 4];
	p[1] = out_hex_digits[byte & 15];
	out_commit(2);
}

/*
 * out_text - bytes that may be anything
 *
 * Printable ASCII and printable UTF-8 as they are; other bytes as \ooo.
 */
void out_text(const void *p, size_t len);

/* ... to the first NUL at most. */
void out_text_str(const void *p, size_t len);

/* ... padded with spaces to @width. */
void out_text_padded(const void *p, size_t len, size_t width);

/* ... in quotes, on one line, with newlines and the like as C has them: "a\n" */
void out_c_string(const void *p, size_t len);

void out_base64(const void *p, size_t len);

/* How many bytes at the beginning are printable ASCII, and neither a backslash nor @stop? */
size_t out_plain_len(const void *text, size_t len, char stop);

/*
 * What is put out between the two is not written, but comes back as text: it
 * is valid until the next out_capture(), and has no NUL at its end.  They do
 * not nest.  out_capture_some(): no more than about @max bytes of it are kept
 * (more, or all that there is).
 */
void out_capture(void);
void out_capture_some(size_t max);
const char *out_captured(size_t *len);

void out_flush(void);

/* out_to - from now on to descriptor @fd, "standard output" before; @name: for messages, and stays */
void out_to(int fd, const char *name);

/*
 * out_status - a line on stderr that stays until the next one, warn(), die() or
 * out_status_end(): that is a terminal
 */
void out_status(const char *format, ...) __attribute__((format(printf, 1, 2)));
void out_status_end(void);

/* Whose messages they are: "kdump", unless main() says otherwise. */
extern const char *out_program;

/* warn - the buffer first, then "kdump: ..." on stderr */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* die - the buffer first, then "kdump: ..." on stderr; status 1 */
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/*
 * out_operand - an argument of the command line as messages show it: one that is empty
 * would not be seen
 */
static inline const char *out_operand(const char *text)
{
	return *text ? text : "''";
}

#endif /* _DECODE_OUT_H_ */
