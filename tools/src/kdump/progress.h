/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * How far is a large file read?  On stderr, when that is a terminal and
 * standard output is none, once it has taken a moment.
 */
#ifndef _KDUMP_PROGRESS_H_
#define _KDUMP_PROGRESS_H_

#include "reader/ktrace_reader.h"

/* progress_begin - the file @fd is read from its beginning */
void progress_begin(int fd);

extern uint64_t progress_next; /* the offset from which on there may be something to show */

void progress_show(uint64_t offset, uint64_t records);

/* progress_at - a record, the @records-th */
static inline void progress_at(const struct ktrace_record *record, uint64_t records)
{
	if (record->offset >= progress_next)
		progress_show(record->offset, records);
}

/* progress_end - nothing is left of it on the terminal */
void progress_end(void);

#endif /* _KDUMP_PROGRESS_H_ */
