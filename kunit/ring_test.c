// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_ring: one CPU's ring, by its invariants (R1 to R6 in ring.h).
 * What interrupts between any two of its instructions may do to it is suite
 * ktrace_nesting's.
 */
#include <kunit/test.h>

#include "record.h"
#include "ring.h"
#include "util.h"

#include "ring.c"

#define SIZE 4096

/* Reserve, fill with a pattern, publish; false (R6) without room. */
static bool put(struct ktrace_ring *ring, u32 len, u8 pattern)
{
	struct ktrace_slot slot;
	u8 *p;

	p = kunit_reserve(ring, len, &slot);
	if (!p)
		return false;
	memset(p, pattern, len);
	kunit_publish(ring, &slot);
	return true;
}

/* As @put, a record. */
static bool put_record(struct ktrace_ring *ring, bool v1, u32 payload, u64 id)
{
	struct ktrace_slot slot;
	u8 *p;

	p = kunit_reserve(ring, test_header_size(v1) + payload, &slot);
	if (!p)
		return false;
	test_record_fill(p, v1, payload, ring->cpu, id, id);
	kunit_publish(ring, &slot);
	return true;
}

static void expect_quiet(struct kunit *test, const struct ktrace_ring *ring)
{
	KUNIT_EXPECT_EQ(test, ring->commit, ring->head);
	KUNIT_EXPECT_LE(test, ring->tail, ring->commit);
	KUNIT_EXPECT_LE(test, ring->head, ring->tail + ring->size);
}

/* All of a ring that a reservation might change. */
struct marks {
	u64 head, commit, tail, consumed;
};

static struct marks marks(const struct ktrace_ring *ring)
{
	return (struct marks){ ring->head, ring->commit, ring->tail, ring->consumed };
}

static void empty(struct kunit *test)
{
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 7);
	u8 *data = ring->data;
	u64 wait = U64_MAX;
	u32 i;

	memset(ring, 0xa5, sizeof(*ring));
	ktrace_ring_init(ring, data, SIZE, 7);
	KUNIT_EXPECT_PTR_EQ(test, ring->data, data);
	KUNIT_EXPECT_EQ(test, ring->size, (u32)SIZE);
	KUNIT_EXPECT_EQ(test, ring->cpu, 7U);
	KUNIT_EXPECT_EQ(test, ring->head | ring->commit | ring->tail | ring->consumed, 0ULL);
	KUNIT_EXPECT_EQ(test, ktrace_ring_used(ring), 0U);
	KUNIT_EXPECT_EQ(test, ktrace_ring_committed(ring), 0ULL);
	KUNIT_EXPECT_FALSE(test, ktrace_ring_pending(ring, &wait));
	for (i = 0; i < KTRACE_NR_COUNTS; i++)
		KUNIT_EXPECT_EQ(test, local_read(&ring->count[i]), 0L);
	expect_quiet(test, ring);
}

/* The second mapping is the first: what is written across the end is at the beginning too. */
static void memory(struct kunit *test)
{
	struct ktrace_ring *ring = kunit_ring(test, 4 * PAGE_SIZE, 0);
	u32 i, size = 4 * PAGE_SIZE;

	for (i = 0; i < 2 * size; i++)
		KUNIT_ASSERT_EQ(test, ring->data[i], 0);
	for (i = 0; i < size; i++)
		ring->data[size + i] = i * 7 ^ i >> 8;
	for (i = 0; i < size; i++)
		KUNIT_ASSERT_EQ(test, ring->data[i], (u8)(i * 7 ^ i >> 8));
	KUNIT_EXPECT_PTR_EQ(test, ktrace_ring_at(ring, 0), ring->data);
	KUNIT_EXPECT_PTR_EQ(test, ktrace_ring_at(ring, size - 1), ring->data + size - 1);
	KUNIT_EXPECT_PTR_EQ(test, ktrace_ring_at(ring, size), ring->data);
	KUNIT_EXPECT_PTR_EQ(test, ktrace_ring_at(ring, (3ULL << 32) + 5), ring->data + 5);
}

/* Every length from 1 to the whole ring, at ever different places, in one piece. */
static void every_size(struct kunit *test)
{
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 0);
	u32 len;

	kunit_ring_at(ring, (1ULL << 32) - 5000);
	for (len = 1; len <= SIZE; len++) {
		u64 pos = ring->head;
		u8 *p = ring->data + pos % SIZE;

		KUNIT_ASSERT_TRUE_MSG(test, put(ring, len, len), "%u", len);
		KUNIT_ASSERT_EQ(test, ktrace_ring_committed(ring), pos + len);
		KUNIT_ASSERT_EQ(test, ktrace_ring_used(ring), len);
		KUNIT_ASSERT_PTR_EQ(test, ktrace_ring_at(ring, pos), p);
		KUNIT_ASSERT_PTR_EQ(test, memchr_inv(p, (u8)len, len), NULL);
		expect_quiet(test, ring);
		ktrace_ring_consume(ring, pos + len, 1);
		KUNIT_ASSERT_EQ(test, ktrace_ring_used(ring), 0U);
	}
	KUNIT_EXPECT_EQ(test, ring->consumed, (u64)SIZE);
}

/* Records of every payload from 0 on, both headers, through the end of memory many times. */
static void every_payload(struct kunit *test)
{
	int v1;

	for (v1 = 0; v1 < 2; v1++) {
		struct ktrace_ring *ring = kunit_ring(test, SIZE, 3);
		u32 payload;

		for (payload = 0; payload <= SIZE - test_header_size(v1); payload++) {
			u64 pos = ring->head;
			struct walk w;

			KUNIT_ASSERT_TRUE(test, put_record(ring, v1, payload, payload));
			KUNIT_ASSERT_TRUE(test, walk_ring(ring, v1, pos, ring->commit, &w));
			KUNIT_ASSERT_EQ(test, w.next, ring->commit);
			KUNIT_ASSERT_EQ(test, w.next - pos, test_header_size(v1) + payload);
			KUNIT_ASSERT_STREQ(
				test, test_record_wrong(w.p, v1, payload, 3, payload) ?: "right",
				"right");
			ktrace_ring_consume(ring, w.next, 1);
		}
		KUNIT_EXPECT_FALSE(test, put_record(ring, v1, payload, payload));
		KUNIT_EXPECT_EQ(test, ring->consumed, payload);
	}
}

/*
 * Full is full to the byte, at every position; what does not fit changes
 * nothing (R6); a byte that the consumer gives back can be had.
 */
static void full(struct kunit *test)
{
	static const u32 lens[] = { 1, 2, 55, 56, 57, 64, 127, 1000, 2048, 4095, 4096 };
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 0);
	u8 *copy = kunit_kzalloc(test, SIZE, GFP_KERNEL);
	u32 i, j;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		u64 tail = (1ULL << 33) - 2 * SIZE + 11 * i;
		u32 room = SIZE;

		kunit_ring_at(ring, tail);
		while (room >= lens[i]) {
			KUNIT_ASSERT_TRUE(test, put(ring, lens[i], i));
			room -= lens[i];
		}
		if (room)
			KUNIT_ASSERT_TRUE(test, put(ring, room, i));
		KUNIT_EXPECT_EQ(test, ktrace_ring_used(ring), (u32)SIZE);
		memcpy(copy, ring->data, SIZE);
		for (j = 0; j < ARRAY_SIZE(lens); j++) {
			struct ktrace_slot slot = { 1, 2 };
			struct marks before, after;

			before = marks(ring);
			KUNIT_EXPECT_NULL(test, kunit_reserve(ring, lens[j], &slot));
			after = marks(ring);
			KUNIT_EXPECT_EQ(test, memcmp(&before, &after, sizeof(before)), 0);
			KUNIT_EXPECT_EQ(test, slot.pos, 1ULL);
			KUNIT_EXPECT_EQ(test, slot.end, 2ULL);
		}
		KUNIT_EXPECT_EQ(test, memcmp(copy, ring->data, SIZE), 0);
		expect_quiet(test, ring);
		for (j = 1; j <= 100; j += 33) {
			ktrace_ring_consume(ring, ring->tail + j, 0);
			KUNIT_EXPECT_FALSE(test, put(ring, j + 1, 0));
			KUNIT_EXPECT_TRUE(test, put(ring, j, 0));
			KUNIT_EXPECT_FALSE(test, put(ring, 1, 0));
		}
		expect_quiet(test, ring);
	}
}

/* Lengths that no ring has room for, in no state of it. */
static void too_big(struct kunit *test)
{
	static const u32 lens[] = { SIZE + 1, 2 * SIZE, 1U << 31, U32_MAX - SIZE, U32_MAX };
	static const u64 at[] = { 0, SIZE, U32_MAX, 1ULL << 32, (1ULL << 48) - 1 };
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 0);
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(at); i++) {
		kunit_ring_at(ring, at[i]);
		for (j = 0; j < ARRAY_SIZE(lens); j++) {
			KUNIT_EXPECT_FALSE_MSG(test, put(ring, lens[j], 0), "%u", lens[j]);
			KUNIT_EXPECT_EQ(test, ring->head, at[i]);
		}
		KUNIT_EXPECT_TRUE(test, put(ring, 100, 0));
		for (j = 0; j < ARRAY_SIZE(lens); j++)
			KUNIT_EXPECT_FALSE_MSG(test, put(ring, lens[j], 0), "%u", lens[j]);
		KUNIT_EXPECT_EQ(test, ring->head, at[i] + 100);
	}
}

/* R4: nothing shows until the outermost producer publishes: then all of it. */
static void publish(struct kunit *test)
{
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 0);
	struct ktrace_slot slot[5];
	int depth, i;

	for (depth = 1; depth <= 5; depth++) {
		u64 before = ring->commit;

		ktrace_ring_consume(ring, before, 0);
		for (i = 0; i < depth; i++) {
			KUNIT_EXPECT_NOT_NULL(test, kunit_reserve(ring, 100 + i, &slot[i]));
			KUNIT_EXPECT_EQ(test, slot[i].end - slot[i].pos, 100ULL + i);
			KUNIT_EXPECT_EQ(test, slot[i].end, ring->head);
		}
		for (i = depth - 1; i > 0; i--) {
			kunit_publish(ring, &slot[i]);
			KUNIT_EXPECT_EQ(test, ktrace_ring_committed(ring), before);
		}
		kunit_publish(ring, &slot[0]);
		KUNIT_EXPECT_EQ(test, ktrace_ring_committed(ring), ring->head);
		KUNIT_EXPECT_GT(test, ring->head, before + depth * 100 - 1);
		expect_quiet(test, ring);
	}
}

/* What a consumer waits for (R5): all that was reserved when it came, and nothing else. */
static void pending(struct kunit *test)
{
	static const u64 starts[] = { 0, 1ULL << 32, (1ULL << 48) - 100 };
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 0);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		struct ktrace_slot outer, inner, next;
		u64 wait = U64_MAX;

		kunit_ring_at(ring, starts[i]);
		KUNIT_EXPECT_FALSE(test, ktrace_ring_pending(ring, &wait));
		KUNIT_EXPECT_FALSE(test, ktrace_ring_pending(ring, &wait));

		/* An idle ring is not waited for when it is busy later. */
		KUNIT_ASSERT_NOT_NULL(test, kunit_reserve(ring, 100, &outer));
		KUNIT_EXPECT_FALSE(test, ktrace_ring_pending(ring, &wait));
		/* Outer and nested: until both are there. */
		KUNIT_ASSERT_NOT_NULL(test, kunit_reserve(ring, 50, &inner));
		wait = U64_MAX;
		KUNIT_EXPECT_TRUE(test, ktrace_ring_pending(ring, &wait));
		kunit_publish(ring, &inner);
		KUNIT_EXPECT_TRUE(test, ktrace_ring_pending(ring, &wait));
		kunit_publish(ring, &outer);
		/* What has begun meanwhile does not count. */
		KUNIT_ASSERT_NOT_NULL(test, kunit_reserve(ring, 10, &next));
		KUNIT_EXPECT_FALSE(test, ktrace_ring_pending(ring, &wait));
		/* But for who comes now it does, and until it is given back. */
		wait = U64_MAX;
		KUNIT_EXPECT_TRUE(test, ktrace_ring_pending(ring, &wait));
		ktrace_ring_trim(ring, &next, 0);
		KUNIT_EXPECT_FALSE(test, ktrace_ring_pending(ring, &wait));

		/* Given back, and had again by another: that one is shorter, and waited for. */
		KUNIT_ASSERT_NOT_NULL(test, kunit_reserve(ring, 100, &outer));
		wait = U64_MAX;
		KUNIT_EXPECT_TRUE(test, ktrace_ring_pending(ring, &wait));
		ktrace_ring_trim(ring, &outer, 0);
		KUNIT_ASSERT_NOT_NULL(test, kunit_reserve(ring, 20, &next));
		KUNIT_EXPECT_TRUE(test, ktrace_ring_pending(ring, &wait));
		kunit_publish(ring, &next);
		KUNIT_EXPECT_FALSE(test, ktrace_ring_pending(ring, &wait));
	}
}

/*
 * Outer and nested producers, and what is left of the outer one's reservation:
 * nothing but its record when nobody came behind it, else a hole that says how
 * large it is, and the nested record untouched.
 */
static void trim(struct kunit *test)
{
	static const u32 payloads[] = { 0, 1, 2, 7, 8, 55, 56, 57, 63, 64, 65, 100, 128, 700 };
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 1);
	u32 i, v1, nested, nth = 0;

	for (v1 = 0; v1 < 2; v1++) {
		for (i = 0; i < ARRAY_SIZE(payloads); i++) {
			u32 header = test_header_size(v1), payload = payloads[i];
			s32 keep; /* -1: cancel */

			for (keep = -1; keep <= (s32)payload; keep++) {
				for (nested = 0; nested < 3; nested++) {
					u64 start = (1ULL << 32) - 3000 + 97 * nth++, pos = start;
					u32 kept = keep < 0 ? 0 : header + keep;
					struct ktrace_slot slot;
					struct walk w;
					u8 *p;

					kunit_ring_at(ring, start);
					p = kunit_reserve(ring, header + payload, &slot);
					KUNIT_ASSERT_NOT_NULL(test, p);
					/* What was never filled looks like nothing at all. */
					memset(p, 0xa5, header + payload);
					if (nested >= 1)
						put_record(ring, v1, 33, 1000);
					if (keep >= 0) {
						test_record_fill(p, v1, payload, 1, 1, 5);
						test_record_fill(p, v1, keep, 1, 1, 5);
					}
					KUNIT_ASSERT_EQ(test, ktrace_ring_trim(ring, &slot, kept),
							!nested || keep == (s32)payload);
					KUNIT_ASSERT_EQ(test, slot.pos, start);
					KUNIT_ASSERT_EQ(test, slot.end - slot.pos,
							nested ? header + payload : kept);
					if (nested >= 2)
						put_record(ring, v1, 1, 1001);
					/* Given back entirely: who comes then is the outermost. */
					if (keep >= 0 || nested == 1)
						KUNIT_ASSERT_EQ(test, ktrace_ring_committed(ring),
								start);
					kunit_publish(ring, &slot);
					expect_quiet(test, ring);

					if (!nested)
						KUNIT_ASSERT_EQ(test, ring->head, start + kept);
					if (keep >= 0) {
						KUNIT_ASSERT_TRUE(
							test,
							walk_ring(ring, v1, pos, ring->commit, &w));
						pos = w.next;
						KUNIT_ASSERT_STREQ_MSG(
							test,
							test_record_wrong(w.p, v1, keep, 1, 1) ?:
								"right",
							"right", "v%u, %u of %u, nested %u", v1,
							keep, payload, nested);
					}
					if (nested >= 1) {
						KUNIT_ASSERT_TRUE(
							test,
							walk_ring(ring, v1, pos, ring->commit, &w));
						pos = w.next;
						KUNIT_ASSERT_STREQ_MSG(
							test,
							test_record_wrong(w.p, v1, 33, 1, 1000) ?:
								"right",
							"right", "v%u, %d of %u, nested %u", v1,
							keep, payload, nested);
					}
					if (nested >= 2) {
						KUNIT_ASSERT_TRUE(
							test,
							walk_ring(ring, v1, pos, ring->commit, &w));
						pos = w.next;
						KUNIT_ASSERT_STREQ(
							test,
							test_record_wrong(w.p, v1, 1, 1, 1001) ?:
								"right",
							"right");
					}
					KUNIT_ASSERT_FALSE(
						test, walk_ring(ring, v1, pos, ring->commit, &w));
				}
			}
		}
	}
}

/* Producers in producers, each shortened or cancelled after the next one ended. */
static void trim_deep(struct kunit *test)
{
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 2);
	u32 plan;

	/* Per level: whole, shortened by a little, by much, cancelled. */
	for (plan = 0; plan < 4 * 4 * 4 * 4; plan++) {
		struct ktrace_slot slot[4];
		u64 pos;
		u8 *p[4];
		int i;

		kunit_ring_at(ring, 1000 * plan);
		for (i = 0; i < 4; i++) {
			p[i] = kunit_reserve(ring, 56 + 200, &slot[i]);
			KUNIT_ASSERT_NOT_NULL(test, p[i]);
			memset(p[i], 0xa5, 56 + 200);
		}
		for (i = 3; i >= 0; i--) {
			static const s32 keep[4] = { 200, 180, 3, -1 };
			s32 k = keep[plan >> 2 * i & 3];

			if (k >= 0)
				test_record_fill(p[i], false, k, 2, i, 9);
			if (k < 200)
				ktrace_ring_trim(ring, &slot[i], k < 0 ? 0 : 56 + k);
			kunit_publish(ring, &slot[i]);
		}
		expect_quiet(test, ring);
		for (i = 0, pos = ring->tail; i < 4; i++) {
			static const s32 keep[4] = { 200, 180, 3, -1 };
			s32 k = keep[plan >> 2 * i & 3];
			struct walk w;

			if (k < 0)
				continue;
			KUNIT_ASSERT_TRUE(test, walk_ring(ring, false, pos, ring->commit, &w));
			KUNIT_ASSERT_STREQ_MSG(test,
					       test_record_wrong(w.p, false, k, 2, i) ?: "right",
					       "right", "plan %#x, level %d", plan, i);
			pos = w.next;
		}
		/* A chain of producers that all gave up leaves nothing. */
		if (plan == 0xff)
			KUNIT_EXPECT_EQ(test, ring->head, ring->tail);
	}
}

/* Bytes that an outer producer gave back may be had by the next one, and are. */
static void trim_reuse(struct kunit *test)
{
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 0);
	struct ktrace_slot slot;
	u64 pos;
	int i;

	for (i = 0; i < 100; i++) {
		KUNIT_ASSERT_NOT_NULL(test, kunit_reserve(ring, SIZE, &slot));
		KUNIT_ASSERT_TRUE(test, ktrace_ring_trim(ring, &slot, 0));
		KUNIT_ASSERT_TRUE(test, ktrace_slot_empty(&slot));
	}
	KUNIT_EXPECT_EQ(test, ring->head, 0ULL);
	KUNIT_EXPECT_TRUE(test, put_record(ring, false, SIZE - 56, 4));
	pos = ring->head;
	KUNIT_EXPECT_FALSE(test, put(ring, 1, 0));
	KUNIT_EXPECT_EQ(test, ring->head, pos);
}

/* A consumer that falls behind: what it has not taken stays as it is. */
static void reader_lag(struct kunit *test)
{
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 0);
	u32 lag;

	for (lag = 1; lag <= 20; lag++) {
		u64 id = 0, taken = 0, pos, missed = 0;

		kunit_ring_at(ring, (1ULL << 32) - 700 * lag);
		pos = ring->tail;
		while (taken < 300) {
			struct walk w;
			u32 i;

			for (i = 0; i < lag; i++) {
				if (put_record(ring, true, (id * 37) % 400, id))
					id++;
				else
					missed++;
			}
			KUNIT_ASSERT_LE(test, ktrace_ring_used(ring), (u32)SIZE);
			KUNIT_ASSERT_EQ(test, ktrace_ring_used(ring), (u32)(ring->head - pos));
			for (i = 0; i < (lag + 1) / 2; i++) {
				if (!walk_ring(ring, true, pos, ktrace_ring_committed(ring), &w))
					break;
				KUNIT_ASSERT_STREQ(
					test,
					test_record_wrong(w.p, true, (taken * 37) % 400, 0, taken) ?:
						"right",
					"right");
				taken++;
				pos = w.next;
			}
			ktrace_ring_consume(ring, pos, i);
		}
		KUNIT_EXPECT_EQ(test, ring->tail, pos);
		if (lag > 1)
			KUNIT_EXPECT_GT(test, missed, 0ULL);
		KUNIT_EXPECT_LE(test, taken, id);
	}
	/* 20 lags of 300 records and some. */
	KUNIT_EXPECT_GE(test, ring->consumed, 6000ULL);
}

/* A model of the ring: the records that should be in it, in order. */
struct model {
	u64 id[SIZE / 56 + 1];
	u32 payload[SIZE / 56 + 1];
	u32 first, nr;
};

/* A producer, with producers inside, that keeps or trims as the dice say. */
static void produce(struct kunit *test, struct ktrace_ring *ring, struct model *m, struct rnd *rnd,
		    u64 *id, u32 depth)
{
	u32 payload = rnd_below(rnd, 4) ? rnd_below(rnd, 200) : rnd_below(rnd, SIZE);
	u32 used = ring->head - ring->tail, at = 0, i;
	struct ktrace_slot slot;
	s32 keep = payload;
	u8 *p;

	if (depth && !rnd_below(rnd, 3))
		produce(test, ring, m, rnd, id, depth - 1);
	used = ring->head - ring->tail;
	p = kunit_reserve(ring, 56 + payload, &slot);
	KUNIT_EXPECT_EQ(test, !!p, used + 56 + payload <= SIZE);
	if (p) {
		/* Reserved here: the order in the ring, whatever nests behind. */
		u64 mine = (*id)++;

		at = m->first + m->nr++;
		m->id[at] = mine;
		m->payload[at] = payload;
		memset(p, 0xa5, 56 + payload);
		for (i = rnd_below(rnd, 3); depth && i; i--)
			produce(test, ring, m, rnd, id, depth - 1);
		switch (rnd_below(rnd, 4)) {
		case 0:
			keep = -1;
			break;
		case 1:
			keep = rnd_below(rnd, payload + 1);
			break;
		}
		if (keep >= 0)
			test_record_fill(p, false, keep, 0, mine, 0);
		m->payload[at] = keep;
		if (keep < 0 || keep < (s32)payload)
			ktrace_ring_trim(ring, &slot, keep < 0 ? 0 : 56 + keep);
		for (i = rnd_below(rnd, 2); depth && i; i--)
			produce(test, ring, m, rnd, id, depth - 1);
		kunit_publish(ring, &slot);
	}
}

/* Anything goes, for long: the ring is what the model says, always. */
static void random(struct kunit *test)
{
	struct ktrace_ring *ring = kunit_ring(test, SIZE, 0);
	struct model *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	struct rnd rnd;
	u64 id = 0;
	u32 round, failed = 0;

	KUNIT_ASSERT_NOT_NULL(test, m);
	rnd_init(&rnd, 1);
	kunit_ring_at(ring, (1ULL << 32) - 100000);
	for (round = 0; round < 20000 && !failed; round++) {
		u32 i, take;
		struct walk w;
		u64 pos;

		if (rnd_below(&rnd, 3))
			produce(test, ring, m, &rnd, &id, 3);
		if (ring->commit != ring->head || ring->head > ring->tail + SIZE)
			failed++;
		/* Holes of cancelled records are gone, or passed over. */
		pos = ring->tail;
		for (i = 0; i < m->nr; i++) {
			if ((s32)m->payload[i] < 0)
				continue;
			if (!walk_ring(ring, false, pos, ring->commit, &w) ||
			    test_record_wrong(w.p, false, m->payload[i], 0, m->id[i])) {
				failed++;
				break;
			}
			pos = w.next;
		}
		if (!failed && walk_ring(ring, false, pos, ring->commit, &w))
			failed++;
		/* Take some; all, with the holes at the end, if the dice say more. */
		take = rnd_below(&rnd, m->nr + 2);
		pos = ring->tail;
		for (i = 0; i < take && i < m->nr; i++) {
			if ((s32)m->payload[i] < 0)
				continue;
			walk_ring(ring, false, pos, ring->commit, &w);
			pos = w.next;
		}
		if (take >= m->nr)
			pos = ring->commit;
		memmove(m->id, m->id + i, (m->nr - i) * sizeof(m->id[0]));
		memmove(m->payload, m->payload + i, (m->nr - i) * sizeof(m->payload[0]));
		m->nr -= i;
		ktrace_ring_consume(ring, pos, i);
	}
	KUNIT_EXPECT_EQ_MSG(test, failed, 0U, "round %u", round);
	KUNIT_EXPECT_GT(test, ring->head, (1ULL << 32) + 100000);
	KUNIT_EXPECT_GT(test, id, 10000ULL);
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(empty),
	KUNIT_CASE(memory),
	KUNIT_CASE(every_size),
	KUNIT_CASE(every_payload),
	KUNIT_CASE(full),
	KUNIT_CASE(too_big),
	KUNIT_CASE(publish),
	KUNIT_CASE(pending),
	KUNIT_CASE(trim),
	KUNIT_CASE(trim_deep),
	KUNIT_CASE(trim_reuse),
	KUNIT_CASE(reader_lag),
	KUNIT_CASE(random),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_ring",
	.test_cases = cases,
};

kunit_test_suite(suite);
