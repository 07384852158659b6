// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_drops: nothing is lost silently.  The probes' way into a ring
 * (emit.c) with a session that has no writer, so that it fills: every attempt
 * is a record, or is counted by its reason, and then the process's next record
 * has KTR_DROP.
 */
#include <kunit/test.h>

#include "deferred.h"
#include "emit.h"
#include "thread.h"
#include "util.h"

/* What emit.c calls that needs a live session: counted here. */
static u32 pending, urgent;

void ktrace_session_wake(struct ktrace_session *s, enum ktrace_wake why)
{
	if (why == KTRACE_WAKE_PENDING)
		pending++;
	else
		urgent++;
}

struct ktrace_deferred *ktrace_deferred_take(struct ktrace_session *s)
{
	return NULL;
}

void ktrace_deferred_arm(struct ktrace_deferred *d, enum ktrace_deferred_what what)
{
}

#include "emit.c"

#define SIZE 4096

struct world {
	struct ktrace_session s;
	struct ktrace_proc proc;
	struct ktrace_ring *ring;
};

/* Of all sessions here, one after the other. */
static struct ktrace_ring *__percpu *the_ring;

static int init_suite(struct kunit_suite *suite)
{
	the_ring = alloc_percpu(struct ktrace_ring *);
	return the_ring ? 0 : -ENOMEM;
}

static void exit_suite(struct kunit_suite *suite)
{
	free_percpu(the_ring);
}

static void set_ring(struct ktrace_ring *ring)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		*per_cpu_ptr(the_ring, cpu) = ring;
}

/* A session whose CPUs have one ring: only one of them is here at a time. */
static struct world *make_world(struct kunit *test, bool v1)
{
	struct world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, w);
	w->ring = kunit_ring(test, SIZE, 5);
	w->s.cpus = nr_cpu_ids;
	w->s.ring = the_ring;
	set_ring(w->ring);
	w->s.v1 = v1;
	w->s.header = ktrace_record_header_size(v1);
	w->s.init_ns = true;
	w->s.size = SIZE;
	w->s.half = SIZE / 2;
	w->s.quarter = SIZE / 4;
	w->s.calm = w->s.quarter;
	w->s.pool = 1048576;
	w->s.share = U32_MAX;
	RCU_INIT_POINTER(w->proc.session, &w->s);
	pending = 0;
	urgent = 0;
	return w;
}

static void limit(struct world *w, u32 pool)
{
	w->s.calm = 0;
	w->s.share = 0;
	w->s.pool = pool;
}

static u64 flying(struct world *w)
{
	return ktrace_session_in_flight(&w->s, SIZE);
}

static long count(const struct world *w, enum ktrace_count what)
{
	return local_read(&w->ring->count[what]);
}

/* One attempt: @payload bytes, of which @keep stay, or (-1) it is given up. */
static bool emit(struct world *w, u32 payload, s32 keep)
{
	struct ktrace_emit e;
	u8 *p;

	ktrace_guard();
	p = ktrace_emit_begin(&e, &w->proc, KTR_USER, payload);
	if (p) {
		memset(p, 0x77, payload);
		if (keep < 0) {
			ktrace_emit_cancel(&e);
		} else {
			if ((u32)keep < payload)
				ktrace_emit_shorten(&e, keep);
			ktrace_emit_end(&e);
		}
	}
	ktrace_unguard();
	return p;
}

/* The first record of the ring: its type with KTR_DROP, or 0; and takes it away. */
static u16 take(struct world *w)
{
	struct walk walk;
	u16 type;

	if (!walk_ring(w->ring, w->s.v1, w->ring->tail, w->ring->commit, &walk))
		return 0;
	type = get_unaligned_le16(walk.p + 4) & ~KTR_VERSIONED;
	ktrace_ring_consume(w->ring, walk.next, 1);
	atomic64_inc(&w->s.written_records);
	return type;
}

/* A record is current's, and of this CPU's ring. */
static void ident(struct kunit *test)
{
	struct world *w = make_world(test, true);
	const u8 *p = w->ring->data;
	char comm[KTRACE_COMM_LEN] = {};
	u64 before = ktime_get_mono_fast_ns();

	strscpy(comm, current->comm, TASK_COMM_LEN);
	KUNIT_ASSERT_TRUE(test, emit(w, 3, 3));
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(p), 3U);
	KUNIT_EXPECT_EQ(test, get_unaligned_le16(p + 4), KTR_USER);
	KUNIT_EXPECT_EQ(test, get_unaligned_le16(p + 6), 0);
	KUNIT_EXPECT_EQ(test, (int)get_unaligned_le32(p + 8), current->tgid);
	KUNIT_EXPECT_EQ(test, strncmp(p + 12, comm, TASK_COMM_LEN), 0);
	KUNIT_EXPECT_GE(test, get_unaligned_le64(p + 32), before);
	KUNIT_EXPECT_LE(test, get_unaligned_le64(p + 32), ktime_get_mono_fast_ns());
	KUNIT_EXPECT_EQ(test, (int)get_unaligned_le64(p + 48), current->pid);
	KUNIT_EXPECT_EQ(test, w->ring->head, 67ULL);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_RECORDED), 1L);
	KUNIT_EXPECT_EQ(test, (long)ktrace_ring_bytes(w->ring), 67L);
}

/* A full ring: each loss counts, one record says so, the next does not. */
static void full(struct kunit *test)
{
	struct world *w = make_world(test, false);
	u32 i;

	for (i = 0; i < 32; i++)
		KUNIT_ASSERT_TRUE(test, emit(w, 128 - 56, 128 - 56));
	KUNIT_EXPECT_EQ(test, ktrace_ring_used(w->ring), (u32)SIZE);
	for (i = 1; i <= 3; i++) {
		KUNIT_EXPECT_FALSE(test, emit(w, 0, 0));
		KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_FULL), (long)i);
		KUNIT_EXPECT_TRUE(test, w->proc.dropped);
	}
	KUNIT_EXPECT_FALSE(test, emit(w, SIZE, SIZE));
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_FULL), 4L);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_POOL), 0L);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_RECORDED), 32L);
	KUNIT_EXPECT_EQ(test, (long)ktrace_ring_bytes(w->ring), (long)SIZE);
	for (i = 0; i < 32; i++)
		KUNIT_EXPECT_EQ(test, take(w), KTR_USER);
	KUNIT_EXPECT_TRUE(test, emit(w, 0, 0));
	KUNIT_EXPECT_FALSE(test, w->proc.dropped);
	KUNIT_EXPECT_TRUE(test, emit(w, 0, 0));
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER | KTR_DROP);
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER);
	KUNIT_EXPECT_EQ(test, take(w), 0);
}

/* The pool: so many records in flight, and as many again once some have left. */
static void pool(struct kunit *test)
{
	struct world *w = make_world(test, true);
	u32 i;

	limit(w, 3);
	for (i = 0; i < 3; i++)
		KUNIT_ASSERT_TRUE(test, emit(w, 10, 10));
	KUNIT_EXPECT_FALSE(test, emit(w, 10, 10));
	KUNIT_EXPECT_FALSE(test, emit(w, 10, 10));
	KUNIT_EXPECT_EQ(test, flying(w), 3ULL);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_POOL), 2L);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_FULL), 0L);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_RECORDED), 3L);
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER);
	KUNIT_EXPECT_TRUE(test, emit(w, 10, 10));
	KUNIT_EXPECT_FALSE(test, emit(w, 10, 10));
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER);
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER);
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER | KTR_DROP);
	KUNIT_EXPECT_EQ(test, flying(w), 0ULL);
	/* What finds no room in the ring is not in flight. */
	KUNIT_EXPECT_FALSE(test, emit(w, SIZE, SIZE));
	KUNIT_EXPECT_EQ(test, flying(w), 0ULL);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_FULL), 1L);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_POOL), 3L);
}

/* What a ring holds within its share of the pool is not looked at; beyond it all is. */
static void share(struct kunit *test)
{
	struct world *w = make_world(test, false);

	limit(w, 1);
	w->s.share = 120;
	w->s.calm = 120;
	KUNIT_EXPECT_TRUE(test, emit(w, 0, 0));
	KUNIT_EXPECT_TRUE(test, emit(w, 0, 0));
	KUNIT_EXPECT_EQ(test, urgent, 0U);
	KUNIT_EXPECT_FALSE(test, emit(w, 0, 0));
	KUNIT_EXPECT_EQ(test, urgent, 1U);
	KUNIT_EXPECT_EQ(test, flying(w), 2ULL);
	KUNIT_EXPECT_EQ(test, ktrace_session_in_flight(&w->s, 120), 0ULL);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_POOL), 1L);
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER);
	KUNIT_EXPECT_TRUE(test, emit(w, 0, 0));
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER);
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER | KTR_DROP);
}

/* What was given up is neither recorded nor lost, and takes no room. */
static void cancel(struct kunit *test)
{
	struct world *w = make_world(test, false);

	limit(w, 2);
	KUNIT_EXPECT_TRUE(test, emit(w, 100, -1));
	KUNIT_EXPECT_TRUE(test, emit(w, 0, -1));
	KUNIT_EXPECT_EQ(test, w->ring->head, 0ULL);
	KUNIT_EXPECT_EQ(test, flying(w), 0ULL);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_RECORDED), 0L);
	KUNIT_EXPECT_EQ(test, (long)ktrace_ring_bytes(w->ring), 0L);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_FULL) + count(w, KTRACE_LOST_POOL), 0L);
	KUNIT_EXPECT_FALSE(test, w->proc.dropped);
}

/* A record that was to say "dropped" and is given up leaves that to the next. */
static void cancel_drop(struct kunit *test)
{
	struct world *w = make_world(test, false);

	KUNIT_EXPECT_FALSE(test, emit(w, SIZE, SIZE));
	KUNIT_EXPECT_TRUE(test, emit(w, 100, -1));
	KUNIT_EXPECT_TRUE(test, emit(w, 100, 100));
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER | KTR_DROP);
}

/* Shortened records count with what they have. */
static void shorten(struct kunit *test)
{
	struct world *w = make_world(test, false);
	struct walk walk;

	KUNIT_EXPECT_TRUE(test, emit(w, 1000, 10));
	KUNIT_EXPECT_TRUE(test, emit(w, 1000, 0));
	KUNIT_EXPECT_TRUE(test, emit(w, 5, 5));
	KUNIT_EXPECT_EQ(test, w->ring->head, 56ULL + 10 + 56 + 56 + 5);
	KUNIT_EXPECT_EQ(test, (long)ktrace_ring_bytes(w->ring), (long)w->ring->head);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_RECORDED), 3L);
	KUNIT_ASSERT_TRUE(test, walk_ring(w->ring, false, 0, w->ring->commit, &walk));
	KUNIT_EXPECT_EQ(test, walk.payload, 10U);
	KUNIT_ASSERT_TRUE(test, walk_ring(w->ring, false, walk.next, w->ring->commit, &walk));
	KUNIT_EXPECT_EQ(test, walk.payload, 0U);
}

/* Once the process is dead only its PROCDTOR comes; who looks at that is a thread that exits. */
static void dead(struct kunit *test)
{
	struct world *w = make_world(test, false);

	limit(w, 2);
	w->proc.dead = true;
	current->flags |= PF_EXITING;
	KUNIT_EXPECT_FALSE(test, emit(w, 100, 100));
	KUNIT_EXPECT_FALSE(test, emit(w, 0, 0));
	KUNIT_EXPECT_EQ(test, w->ring->head, 0ULL);
	KUNIT_EXPECT_EQ(test, flying(w), 0ULL);
	KUNIT_EXPECT_FALSE(test, w->proc.dropped);
	ktrace_guard();
	ktrace_emit_procdtor(&w->proc, &w->s);
	ktrace_unguard();
	current->flags &= ~PF_EXITING;
	KUNIT_EXPECT_EQ(test, w->ring->commit, 56ULL);
	KUNIT_EXPECT_EQ(test, take(w), KTR_PROCDTOR);
	KUNIT_EXPECT_EQ(test, take(w), 0);
	KUNIT_EXPECT_EQ(test, count(w, KTRACE_RECORDED), 1L);
}

static void procctor(struct kunit *test)
{
	struct world *w = make_world(test, false);

	ktrace_guard();
	ktrace_emit_procctor(&w->proc, &w->s, current, 0x203);
	ktrace_unguard();
	KUNIT_EXPECT_EQ(test, w->ring->commit, 60ULL);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(w->ring->data + 56), 0x203U);
	KUNIT_EXPECT_EQ(test, take(w), KTR_PROCCTOR);
}

/* No session, a dead one, a CPU without a ring: no record; only the last is a loss. */
static void nowhere(struct kunit *test)
{
	struct world *w = make_world(test, false);

	RCU_INIT_POINTER(w->proc.session, NULL);
	KUNIT_EXPECT_FALSE(test, emit(w, 1, 1));
	RCU_INIT_POINTER(w->proc.session, &w->s);
	w->s.dead = true;
	w->s.unusual = true;
	KUNIT_EXPECT_FALSE(test, emit(w, 1, 1));
	KUNIT_EXPECT_FALSE(test, w->proc.dropped);
	w->s.dead = false;
	set_ring(NULL);
	KUNIT_EXPECT_FALSE(test, emit(w, 1, 1));
	KUNIT_EXPECT_EQ(test, atomic64_read(&w->s.lost_noring), 1LL);
	KUNIT_EXPECT_TRUE(test, w->proc.dropped);
	set_ring(w->ring);
	KUNIT_EXPECT_TRUE(test, emit(w, 1, 1));
	KUNIT_EXPECT_EQ(test, take(w), KTR_USER | KTR_DROP);
}

/* The writer is woken when it sleeps, and hurried when a ring is past a quarter. */
static void wake(struct kunit *test)
{
	struct world *w = make_world(test, false);

	KUNIT_EXPECT_TRUE(test, emit(w, 200, 200));
	KUNIT_EXPECT_EQ(test, pending + urgent, 0U);
	w->s.idle = true;
	KUNIT_EXPECT_TRUE(test, emit(w, 200, 200));
	KUNIT_EXPECT_EQ(test, pending, 1U);
	KUNIT_EXPECT_EQ(test, urgent, 0U);
	w->s.idle = false;
	KUNIT_EXPECT_TRUE(test, emit(w, SIZE / 4 - 2 * 256 - 56, SIZE / 4 - 2 * 256 - 56));
	KUNIT_EXPECT_EQ(test, ktrace_ring_used(w->ring), SIZE / 4U);
	KUNIT_EXPECT_EQ(test, urgent, 0U);
	KUNIT_EXPECT_TRUE(test, emit(w, 0, 0));
	KUNIT_EXPECT_EQ(test, pending, 1U);
	KUNIT_EXPECT_EQ(test, urgent, 1U);
}

/*
 * Anything goes: what was tried is what was recorded, lost and given up; what
 * was recorded comes out; and a record says "dropped" if, and only if,
 * something was lost since the one before.
 */
static void random(struct kunit *test)
{
	struct rnd rnd;
	u32 i;

	rnd_init(&rnd, 4);
	for (i = 0; i < 4; i++) {
		struct world *w = make_world(test, i & 1);
		u64 tried = 0, lost = 0, given_up = 0, taken = 0, bytes = 0, wrong = 0;
		/* Per record in the ring: does it say so? */
		u8 *says = kunit_kzalloc(test, SIZE, GFP_KERNEL);
		u32 first = 0, last = 0;
		bool dropped = false;

		KUNIT_ASSERT_NOT_NULL(test, says);
		if (i & 2)
			limit(w, 20);
		while (tried < 20000) {
			u32 n = rnd_below(&rnd, 30);

			while (n--) {
				u32 payload = rnd_below(&rnd, 300);
				s32 keep = rnd_below(&rnd, 3) ?
						   (s32)payload :
						   (s32)rnd_below(&rnd, payload + 2) - 1;

				tried++;
				if (!emit(w, payload, keep)) {
					lost++;
					dropped = true;
				} else if (keep < 0) {
					given_up++;
				} else {
					says[last++ % SIZE] = dropped;
					dropped = false;
					bytes += test_header_size(w->s.v1) + keep;
				}
			}
			n = rnd_below(&rnd, 30);
			while (n-- && first != last) {
				u16 want = says[first++ % SIZE] ? KTR_USER | KTR_DROP : KTR_USER;

				if (take(w) != want)
					wrong++;
				taken++;
			}
		}
		for (; first != last; first++, taken++)
			if (take(w) != (says[first % SIZE] ? KTR_USER | KTR_DROP : KTR_USER))
				wrong++;
		KUNIT_EXPECT_EQ(test, wrong, 0ULL);
		KUNIT_EXPECT_EQ(test, take(w), 0);
		KUNIT_EXPECT_EQ(test, (u64)count(w, KTRACE_RECORDED), taken);
		KUNIT_EXPECT_EQ(test, w->ring->consumed, taken);
		KUNIT_EXPECT_EQ(test, ktrace_ring_bytes(w->ring), bytes);
		KUNIT_EXPECT_EQ(
			test, (u64)(count(w, KTRACE_LOST_FULL) + count(w, KTRACE_LOST_POOL)), lost);
		KUNIT_EXPECT_EQ(test, tried, taken + lost + given_up);
		KUNIT_EXPECT_GT(test, lost, 100ULL);
		KUNIT_EXPECT_EQ(test, flying(w), 0ULL);
		if (w->s.share)
			KUNIT_EXPECT_EQ(test, count(w, KTRACE_LOST_POOL), 0L);
		else
			KUNIT_EXPECT_GT(test, count(w, KTRACE_LOST_POOL), 0L);
	}
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(ident),
	KUNIT_CASE(full),
	KUNIT_CASE(pool),
	KUNIT_CASE(share),
	KUNIT_CASE(cancel),
	KUNIT_CASE(cancel_drop),
	KUNIT_CASE(shorten),
	KUNIT_CASE(dead),
	KUNIT_CASE(procctor),
	KUNIT_CASE(nowhere),
	KUNIT_CASE(wake),
	KUNIT_CASE(random),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_drops",
	.suite_init = init_suite,
	.suite_exit = exit_suite,
	.test_cases = cases,
};

kunit_test_suite(suite);
