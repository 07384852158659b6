/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Calls of threads, and their records, until it is known whether they are wanted. */
#ifndef _FILTER_HELD_H_
#define _FILTER_HELD_H_

#include "decode/cache.h"
#include "decode/event.h"
#include "filter/expr.h"
#include "filter/filter.h"

struct held_record;

/* A call that could not be judged at its CALL record. */
struct held {
	struct cache_entry entry;
	struct held *older, *newer; /* of the process */
	enum verdict verdict; /* once it is not VERDICT_UNKNOWN nothing is held any more */
	struct outcome outcome;
	struct call call; /* what the records' events point to */
	struct held_record *first, *last; /* in order */
	size_t bytes; /* of memory */
};

/* held_find - that of the record's thread, or NULL */
struct held *held_find(const struct ktrace_record *record);

/* held_begin - a new one for the thread of a CALL, which has none; nothing is held yet */
struct held *held_begin(const struct event *event, filter_sink *sink);

/*
 * held_add - keep a copy of a record of the thread
 *
 * When that is too much, the records of this call or of others go to @sink, as
 * wanted, and that is said on stderr.
 */
void held_add(struct held *held, const struct event *event, filter_sink *sink);

/*
 * held_decide - @verdict is known: all that is held goes to @sink; @outside: records
 * outside of calls are wanted
 */
void held_decide(struct held *held, enum verdict verdict, bool outside, filter_sink *sink);

/* held_end - its RET has come, or never will */
void held_end(struct held *held);

/* held_reset - forget all, and what is held */
void held_reset(void);

/* held_of_process - the oldest one of the record's process, or NULL */
struct held *held_of_process(const struct ktrace_record *record);

/* held_oldest - one of all that there are, or NULL */
struct held *held_oldest(void);

#endif /* _FILTER_HELD_H_ */
