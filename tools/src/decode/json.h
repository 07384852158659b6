/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * JSON on standard output (out.h), whatever the bytes are that go into it.
 *
 * Commas come by themselves.  The output is ASCII and printable UTF-8: all
 * other characters are escaped, so that a terminal can show it.
 */
#ifndef _DECODE_JSON_H_
#define _DECODE_JSON_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "decode/out.h"

/* Is there one before the next value?  For the functions below. */
extern bool json_comma;

/* @bracket: '{' or '[', '}' or ']' */
void json_open(char bracket);
void json_close(char bracket);

/* json_end_line - after each line's value */
void json_end_line(void);

/* json_key - what the next value is; @key is no text of the file, and short: best a constant */
static inline void json_key(const char *key)
{
	size_t len = strlen(key);
	char *begin = out_reserve(len + 4), *p = begin;

	if (json_comma)
		*p++ = ',';
	*p++ = '"';
	memcpy(p, key, len);
	p += len;
	*p++ = '"';
	*p++ = ':';
	out_commit(p - begin);
	json_comma = false;
}

/* json_key_part - the same; the key is both, one after the other */
void json_key_part(const char *key, const char *part);

void json_int(int64_t value);
void json_uint(uint64_t value);
void json_hex(uint64_t value); /* "0x1", "0x0" */
void json_octal(uint64_t value); /* "0644", "0" */
void json_bool(bool value);
void json_null(void);

/*
 * json_string - each byte that is not of a character becomes U+FFFD; returns false if
 * there are any
 */
bool json_string(const void *p, size_t len);
void json_str(const char *s);

/* json_escape - what json_string() puts between the quotes */
bool json_escape(const void *p, size_t len);

/* json_base64 - bytes as they are, in a string */
void json_base64(const void *p, size_t len);

/* json_captured - what was put out since out_capture() as a string */
void json_captured(void);

/*
 * json_text - a member that is text of the file
 *
 * When that is not UTF-8, a member "@key_base64" has the bytes.
 */
void json_text(const char *key, const void *p, size_t len);

/* json_data - members "data" and "encoding": "utf8" when it can be text, else "base64" */
void json_data(const void *p, size_t len);

/* Members */
static inline void json_member_int(const char *key, int64_t value)
{
	json_key(key);
	json_int(value);
}

static inline void json_member_uint(const char *key, uint64_t value)
{
	json_key(key);
	json_uint(value);
}

static inline void json_member_hex(const char *key, uint64_t value)
{
	json_key(key);
	json_hex(value);
}

static inline void json_member_str(const char *key, const char *value)
{
	json_key(key);
	json_str(value);
}

#endif /* _DECODE_JSON_H_ */
