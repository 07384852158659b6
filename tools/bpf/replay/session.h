/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session: a trace file that the recorder writes, as the module's probes see it.
 */
#ifndef KTRACE_SESSION_H
#define KTRACE_SESSION_H

#include "record.h"
#include "shim.h"

/* A record is at most half of the module's usual ring. */
#define KTRACE_REPLAY_HALF (256U << 10)

/**
 * struct ktrace_session - a trace file
 * @next: in the list of all
 * @id: its number in events
 * @fd: the file, to append to
 * @dev: which it is, with @ino
 * @v1: which header its records have
 * @half: bytes that a record may have at most
 * @processes: that trace to it
 * @offset: of wall-clock time from the monotonic clock, in nanoseconds
 * @last: stamp of the last record: none is earlier
 * @names: see ktrace_record_finish()
 * @lost: events of its processes that found no room
 * @error: errno of the write that failed, or 0: then nothing is written any more
 * @used: bytes of @buffer
 * @buffer: what is to be written
 */
struct ktrace_session {
	struct ktrace_session *next;
	u32 id;
	int fd;
	dev_t dev;
	ino_t ino;
	bool v1;
	u32 half;
	u32 processes;
	s64 offset;
	u64 last;
	struct ktrace_names names;
	u64 lost;
	int error;
	u32 used;
	u8 *buffer;
};

#endif /* KTRACE_SESSION_H */
