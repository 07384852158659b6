/* SPDX-License-Identifier: GPL-2.0 */
/*
 * merge: the rings of all CPUs, as one sequence in the order of time.
 *
 * The writer's loop:
 *
 *	T = clock; full barrier; wait until no ring is busy with a mark of before
 *	ktrace_merge_begin(m, T)	look at what is committed
 *	while (ktrace_merge_next(m))	records stamped before T, as a few long runs
 *		write m->vec		straight from ring memory
 *		ktrace_merge_consume(m)	give the memory back
 *
 * Invariants:
 *  M1 What leaves is ordered: no record's time is before its predecessor's.
 *  M2 Records of one ring leave in ring order, whatever their stamps say (a
 *     nested producer's may be early): a stamp below its predecessor's is
 *     raised to it.  Equal stamps of different rings leave in CPU order.
 *  M3 A record stamped at or after T stays, and with it all behind it in its
 *     ring.
 *  M4 Every record leaves exactly once; holes never do.
 *
 * Not thread-safe: the writer owns it.
 */
#ifndef KTRACE_MERGE_H
#define KTRACE_MERGE_H

#include <linux/types.h>
#include <linux/uio.h>

#include "record.h"
#include "ring.h"

#define KTRACE_MERGE_VECS 64

/**
 * struct ktrace_cursor - how far a ring is read
 * @ring: which
 * @pos: the next record
 * @end: committed up to here when the pass began
 * @stamp: of the record at @pos, raised as M2 says
 * @records: passed since the last consume
 */
struct ktrace_cursor {
	struct ktrace_ring *ring;
	u64 pos;
	u64 end;
	u64 stamp;
	u64 records;
};

/**
 * struct ktrace_merge - the merge of a session's rings
 * @cursor: one per ring (array of @nr_max, allocated by the caller)
 * @heap: indices of cursors with a record before T, the earliest first (same size)
 * @nr: cursors in use
 * @heap_nr: entries of @heap
 * @v1: header version
 * @wall: nanoseconds from the monotonic to the wall clock
 * @until: T
 * @last: time of the last record that left
 * @names: the name of the last record that left
 * @sec, @sec_start: second of the last record that left, and when it began
 * @vec, @vecs: the runs found by the last ktrace_merge_next()
 * @bytes, @records: in them
 */
struct ktrace_merge {
	struct ktrace_cursor *cursor;
	u16 *heap;
	u32 nr, nr_max;
	u32 heap_nr;
	bool v1;
	s64 wall;
	u64 until;
	u64 last;
	u64 sec, sec_start;
	struct ktrace_names names;
	struct kvec vec[KTRACE_MERGE_VECS];
	u32 vecs;
	size_t bytes;
	u64 records;
};

int ktrace_merge_add(struct ktrace_merge *m, struct ktrace_ring *ring);
void ktrace_merge_begin(struct ktrace_merge *m, u64 until);
bool ktrace_merge_next(struct ktrace_merge *m, size_t limit);
void ktrace_merge_consume(struct ktrace_merge *m);
bool ktrace_merge_left(const struct ktrace_merge *m);
u64 ktrace_merge_whole(const struct ktrace_merge *m, size_t bytes, size_t *whole);
const u8 *ktrace_merge_at(const struct ktrace_merge *m, size_t bytes);

#endif /* KTRACE_MERGE_H */
