/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A trace as threads that do something from one time to another: what views
 * that draw it need.  Records become calls, sleeps and marks, each when it has
 * ended.
 *
 * Times are nanoseconds since the first record.  What would be further away
 * than TIMELINE_MAX is not: the time since the record before it is cut out, of
 * it and all that follow, as when the clock is set while a machine starts.  A
 * mark says so.
 *
 * What is remembered is bounded, whatever the file says: of processes and
 * threads that are too many the ones not heard of longest are forgotten, and
 * seen as new ones when they appear again.
 */
#ifndef _KDUMP_TIMELINE_H_
#define _KDUMP_TIMELINE_H_

#include "decode/cache.h"
#include "decode/event.h"
#include "timeline_text.h"

/* Exact in a double, also the difference of two. */
#define TIMELINE_MAX (INT64_C(1) << 52)

struct timeline_process;

struct timeline_thread {
	struct cache_entry entry; /* by process and thread */
	struct timeline_process *process;
	struct timeline_thread *sibling; /* the thread of the process before it */
	struct timeline_thread *next_sibling; /* ... and after it */
	uint32_t number; /* counted from 0 */
	int32_t pid;
	int64_t tid;
	int64_t start; /* its first record */
	char comm[KTRACE_COMM_LEN];
	bool in_call;
	struct call call;
	int64_t call_start;
	bool asleep;
	int64_t sleep_start;
	char wmesg[16]; /* what it sleeps for */
	struct timeline_text args; /* of its call; see timeline_next_arg() */
	struct timeline_text text; /* what the records of its call say, lines */
};

struct timeline_call {
	const struct call *call;
	int64_t start;
	int64_t end;
	const struct event *ret; /* NULL: it has not returned; @end is when that was known */
	const struct timeline_text *args;
	const struct timeline_text *text;
};

enum timeline_mark {
	TIMELINE_SIGNAL,
	TIMELINE_FAULT,
	TIMELINE_USER,
	TIMELINE_CAPABILITY,
	TIMELINE_EXEC,
	TIMELINE_LOST, /* records before it */
	TIMELINE_OTHER,
};

/* A moment of a thread. */
struct timeline_point {
	uint32_t number; /* of the thread */
	int32_t pid;
	int64_t tid;
	int64_t time;
};

/* What a view does about each; texts are valid UTF-8 without control characters but newlines. */
struct timeline_view {
	void (*thread)(
		const struct timeline_thread *thread); /* a new one: before all else about it */
	void (*renamed)(const struct timeline_thread *thread);
	/* The command line of the process. */
	void (*command)(const struct timeline_thread *thread, const char *text, size_t len);
	void (*call)(const struct timeline_thread *thread, const struct timeline_call *call);
	void (*sleep)(const struct timeline_thread *thread, int64_t end);
	void (*mark)(const struct timeline_thread *thread, int64_t time, enum timeline_mark mark,
		     const char *text, size_t len);
	/* Data were read (@rw is 0) or written. */
	void (*data)(const struct timeline_thread *thread, int64_t time, int rw, size_t len);
	/*
	 * From the begin of the call that made a process to the begin of that process's
	 * first thread.
	 */
	void (*fork)(const struct timeline_point *parent, const struct timeline_point *child);
	void (*exit)(const struct timeline_thread *thread, int64_t time);
};

/* timeline_begin - forget all */
void timeline_begin(void);

/* timeline_event - records that are not to be shown have no effect but that of an exit */
void timeline_event(const struct timeline_view *view, const struct event *event);

/* timeline_end - what goes on ends with the trace */
void timeline_end(const struct timeline_view *view);

/* timeline_origin - time 0, in nanoseconds since 1970 */
int64_t timeline_origin(void);

/* timeline_records - how many there were to show */
uint64_t timeline_records(void);

#endif /* _KDUMP_TIMELINE_H_ */
