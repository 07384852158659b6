/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KTRACE_ERROR_H_
#define _KTRACE_ERROR_H_

/* Prints "ktrace: ..." on stderr, one line. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same, and exits with status 1. */
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif /* _KTRACE_ERROR_H_ */
