/* SPDX-License-Identifier: GPL-2.0 */
/*
 * util: what several suites need: random numbers that repeat, rings that go
 * with their test, and records that can be told apart.
 *
 * A test record has an id in its tid, its CPU in its pid, and payload bytes
 * that follow from both.  The walker reads ring memory as record.h documents
 * it, without the code under test.
 */
#ifndef KTRACE_KUNIT_UTIL_H
#define KTRACE_KUNIT_UTIL_H

#include <linux/types.h>
#include <kunit/test.h>

struct ktrace_ring;
struct ktrace_slot;

struct rnd {
	u64 state;
};

void rnd_init(struct rnd *r, u32 salt);
u32 rnd_next(struct rnd *r);
/* Below @n, which is not 0. */
u32 rnd_below(struct rnd *r, u32 n);

/* An empty ring; stops the test without memory. */
struct ktrace_ring *kunit_ring(struct kunit *test, u32 size, u32 cpu);
/* As if @pos bytes had been through it already. */
void kunit_ring_at(struct ktrace_ring *ring, u64 pos);

/* Where to write what was reserved; NULL (R6) without room. */
u8 *kunit_reserve(struct ktrace_ring *ring, u32 len, struct ktrace_slot *slot);
/* Publish what is left of a reservation. */
void kunit_publish(struct ktrace_ring *ring, const struct ktrace_slot *slot);

u32 test_header_size(bool v1);
void test_record_fill(u8 *p, bool v1, u32 payload, u32 cpu, u64 id, u64 stamp);
/* NULL, or what is wrong with the record at @p, in the ring, or where it has left it. */
const char *test_record_wrong(const u8 *p, bool v1, u32 payload, u32 cpu, u64 id);
const char *test_record_wrong_in_file(const u8 *p, bool v1, u32 payload, u32 cpu, u64 id);

/* What lies at a position of a ring. */
struct walk {
	const u8 *p;
	u32 payload;
	u64 id;
	u64 stamp;
	u64 next; /* position behind it and its hole */
};

/* The next record of [@pos, @end), holes passed over; false at the end. */
bool walk_ring(const struct ktrace_ring *ring, bool v1, u64 pos, u64 end, struct walk *w);

#endif /* KTRACE_KUNIT_UTIL_H */
