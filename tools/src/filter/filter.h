/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which records a user wants to see, in the words of the option -e:
 *
 *	openat,close  %file  /^open/	calls: by name, class, regular expression
 *	status=failed  errno=ENOENT	... how they ended
 *	slower=10ms  path=/etc		... how long they took, paths among their records
 *	pid=1  tid=1  comm=make		records of processes, threads, programs
 *	time=1.5..2  time=@1700000000..	... of a time
 *
 * Commas mean "or", a "!" before all of it means all that the rest would not
 * let through; several expressions must all hold.
 *
 * An expression about calls lets through all that a thread records from the
 * CALL to the RET of such a call, and nothing that is outside of calls.  As
 * long as it depends on records that are yet to come, those of the thread are
 * held; then they all go on at once.  What is held is bounded: where it becomes
 * too much the call is shown, and a warning says so.
 */
#ifndef _FILTER_FILTER_H_
#define _FILTER_FILTER_H_

#include "decode/event.h"

/* filter_reset - no expressions, and nothing held */
void filter_reset(void);

/*
 * filter_add - one more expression that must hold
 *
 * Says what is wrong with it, and ends the program.
 */
void filter_add(const char *text);

/*
 * filter_literal - a path or name of a program that was given, and looks like a
 * pattern of the shell; or NULL
 */
const char *filter_literal(void);

/* Where records go: valid for the time of the call only. */
typedef void filter_sink(const struct event *event);

/*
 * filter_event - a record, which has been tracked (event_track())
 *
 * Calls @sink for it, now or with a later record, and for those that need not
 * be held any more: each one once, with event->hidden when it is not wanted.
 */
void filter_event(struct event *event, filter_sink *sink);

/*
 * filter_end - no more records: calls that have not ended are none that failed, took long,
 * and so on
 */
void filter_end(filter_sink *sink);

#endif /* _FILTER_FILTER_H_ */
