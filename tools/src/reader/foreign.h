/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Files that are not FreeBSD's trace files, by their first bytes.  What comes
 * back says what the file is, and what to do if there is something to do; or
 * NULL.
 */
#ifndef _KTRACE_READER_FOREIGN_H_
#define _KTRACE_READER_FOREIGN_H_

#include <stddef.h>

/*
 * libktrace_foreign_trace - a trace file of another system, which may look like one of
 * ours at first
 */
const char *libktrace_foreign_trace(const unsigned char *p, size_t len);

/*
 * libktrace_foreign_file - any other file; asked only of what does not begin as a trace
 * file does
 */
const char *libktrace_foreign_file(const unsigned char *p, size_t len);

#endif /* _KTRACE_READER_FOREIGN_H_ */
