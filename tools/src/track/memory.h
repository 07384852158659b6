/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory for what is remembered of a trace.  There is so much of it, whatever
 * the file says, and no more: what is asked for beyond that is just not known.
 */
#ifndef _TRACK_MEMORY_H_
#define _TRACK_MEMORY_H_

#include <stddef.h>

/* memory_get - zeroed; NULL when all of it is in use */
void *memory_get(size_t size);

/* memory_copy - @len bytes and a NUL */
char *memory_copy(const void *p, size_t len);

/* memory_put - give back what either returned; NULL is fine */
void memory_put(void *p);

#endif /* _TRACK_MEMORY_H_ */
