/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What every output must be, whatever the file has in it.  These do not use
 * kdump's own functions: they are to find what is wrong with those.
 *
 * Each returns NULL, or what is wrong, and *@at is where.
 */
#ifndef _FUZZ_CHECK_H_
#define _FUZZ_CHECK_H_

#include <stddef.h>

/* Lines of UTF-8, without a character that a terminal takes for a command or that hides text. */
const char *check_text(const char *p, size_t len, size_t *at);

/* A JSON value (RFC 8259), and white space. */
const char *check_json(const char *p, size_t len, size_t *at);

/* A JSON object on each line. */
const char *check_json_lines(const char *p, size_t len, size_t *at);

#endif /* _FUZZ_CHECK_H_ */
