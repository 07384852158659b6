/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Standard output, through a buffer of our own.
 *
 * Text that comes from a trace file goes through out_text() or a function
 * that is built on it: nothing in it reaches the terminal as a command.
 * Failures end the program: with a message, or silently when nobody reads.
 */
#ifndef _DECODE_OUT_H_
#define _DECODE_OUT_H_

#include <stddef.h>
#include <stdint.h>

void out_char(char c);
void out_str(const char *s);
void out_mem(const void *p, size_t len);
void out_dec(int64_t value);
/* As printf's %#lx: 0 is "0". */
void out_hex(uint64_t value);
/* As %p: 0 is "0x0". */
void out_pointer(uint64_t value);
void out_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Two hexadecimal digits. */
void out_byte(unsigned char byte);

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

/*
 * What is put out between the two is not written, but comes back as text: it
 * is valid until the next out_capture(), and has no NUL at its end.  They do
 * not nest.
 */
void out_capture(void);
const char *out_captured(size_t *len);

void out_flush(void);

/* warn - the buffer first, then "kdump: ..." on stderr */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* die - the buffer first, then "kdump: ..." on stderr; status 1 */
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif /* _DECODE_OUT_H_ */
