/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Text of a trace file, of which nothing can be assumed. */
#ifndef _DECODE_UTF8_H_
#define _DECODE_UTF8_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * utf8_decode - the character that @len (not 0) bytes begin with
 *
 * Returns its length, or 0 when they begin with none: surrogates and forms
 * that are longer than need be are not valid.
 */
size_t utf8_decode(const unsigned char *p, size_t len, uint32_t *c);

/*
 * utf8_is_printable - may a character go to a terminal as it is?
 *
 * Controls may not, nor what is invisible or changes the direction of text,
 * nor line separators and non-characters.
 */
bool utf8_is_printable(uint32_t c);

/*
 * utf8_cut - the length of at most @max bytes of @text, which is valid, with no half
 * character at the end
 */
size_t utf8_cut(const char *text, size_t len, size_t max);

#endif /* _DECODE_UTF8_H_ */
