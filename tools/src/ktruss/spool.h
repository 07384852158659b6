/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The file that the kernel or the recorder appends to, and ktruss reads: its
 * caller's alone, in memory if that can be, and without what has been read.
 */
#ifndef _KTRUSS_SPOOL_H_
#define _KTRUSS_SPOOL_H_

#include <limits.h>
#include <stdint.h>

struct spool {
	int fd; /* to read from */
	uint64_t limit; /* bytes that may wait in it */
	uint64_t freed; /* up to there it is a hole */
	int notify; /* can be read from when it has grown; -1: cannot tell */
	char path[PATH_MAX];
};

/* spool_make - a new one; failure is reported, and ends the program */
void spool_make(struct spool *spool);

/* spool_behind - how many bytes wait to be read; gives back the memory of those that were */
uint64_t spool_behind(struct spool *spool);

/* spool_woken - that it has grown has been seen */
void spool_woken(const struct spool *spool);

/* spool_used - how many bytes of memory or disk it takes; of @fd */
uint64_t spool_used(int fd);

#endif /* _KTRUSS_SPOOL_H_ */
