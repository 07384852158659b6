/* SPDX-License-Identifier: GPL-2.0 */
/*
 * records: trace files that are being written, and the records that go there.
 */
#ifndef KTRACE_BPF_RECORDS_H
#define KTRACE_BPF_RECORDS_H

#include "event.h"
#include "session.h"

/**
 * struct records_now - the event that is being replayed
 * @stamp: its time, @cpu: where it was
 * @chunks: what was captured of the thread's memory for it
 */
struct records_now {
	u64 stamp;
	u32 cpu;
	const struct chunk *chunks;
};

/* Memory of a thread. */
struct chunk {
	struct chunk *next;
	u64 address;
	u32 len;
	u8 data[];
};

extern struct records_now records_now;

/*
 * The session of a file: the one that there is, or a new one.  @fd: open for appending;
 * it is the session's if @fd is not there any more afterwards (-1).  NULL: errno says
 * why.
 */
struct ktrace_session *records_session(int *fd, bool v1);

/* Does the session of that number write the file that @fd is open on? */
bool records_is_of(u32 id, int fd);

/* The session of a number in events, or NULL. */
struct ktrace_session *records_by_id(u32 id);

/* A process leaves the session: without any it ends. */
void records_put(struct ktrace_session *s);

/* Writes what is buffered, of all sessions. */
void records_flush(void);

/* Ends sessions that nobody traces to. */
void records_reap(void);

/* Nanoseconds of the clock that stamps are of. */
u64 records_clock(void);

#endif /* KTRACE_BPF_RECORDS_H */
