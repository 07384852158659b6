// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_nesting: interrupts that produce at every point of a producer.
 *
 * ring.h and ring.c are compiled here once more, with each access to shared
 * memory preceded by step(), where another producer may run to its end, as an
 * interrupt does, and be interrupted in turn.  Every placement of one and of
 * two interrupts is tried.  At each step, on its way to whatever it finds
 * there, a consumer holds the ring to its invariants (R1 to R6 in ring.h), as
 * another CPU would see it that sees all stores in order.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/local.h>
#include <kunit/test.h>

#include "record.h"
#include "util.h"

static void step(void);

#undef READ_ONCE
#define READ_ONCE(x)                               \
	({                                         \
		step();                            \
		*(const volatile typeof(x) *)&(x); \
	})
#undef WRITE_ONCE
#define WRITE_ONCE(x, v)                              \
	do {                                          \
		typeof(x) value_ = (v);               \
		step();                               \
		*(volatile typeof(x) *)&(x) = value_; \
	} while (0)
#undef smp_load_acquire
#define smp_load_acquire(p) READ_ONCE(*(p))
#undef smp_store_release
#define smp_store_release(p, v) WRITE_ONCE(*(p), v)
#undef barrier
#define barrier() step()
#undef smp_mb
#define smp_mb() step()

static __always_inline u64 stepping_cmpxchg(u64 *p, u64 old, u64 new)
{
	u64 seen;

	step();
	seen = *(volatile u64 *)p;
	if (seen == old)
		*(volatile u64 *)p = new;
	step();
	return seen;
}

#undef cmpxchg
#define cmpxchg stepping_cmpxchg
#undef cmpxchg_local
#define cmpxchg_local stepping_cmpxchg
#undef cmpxchg_release
#define cmpxchg_release stepping_cmpxchg

#define ktrace_ring_init	 stepping_ring_init
#define ktrace_ring_trim	 stepping_ring_trim
#define ktrace_ring_publish_rest stepping_ring_publish_rest
#include "ring.h"
#include "ring.c"

#define RING_SIZE   4096
#define MAX_RECORDS 8
#define MAX_IRQS    3
#define MAX_WAITS   64

/* What a producer does: reserve @payload, keep @keep of it (or -1: cancel). */
struct act {
	const char *what;
	u32 payload;
	s32 keep;
};

static const struct act acts[] = {
	{ "whole", 100, 100 },
	{ "shorter by 9", 100, 91 },
	{ "shorter by 200", 300, 100 },
	{ "cancelled", 200, -1 },
	{ "cancelled, without payload", 0, -1 },
	{ "no room", RING_SIZE, RING_SIZE },
};

enum { WHOLE, LITTLE, MUCH, CANCEL, CANCEL_EMPTY, NO_ROOM, NR_ACTS };

/* A producer's record, as the consumer may hold it to it. */
struct made {
	const struct act *act;
	u64 stamp; /* 0: not yet */
	bool none; /* no record will come of it */
	bool filled;
	bool found;
};

static struct {
	struct ktrace_ring *ring;
	bool consume; /* the consumer takes what it finds */

	u32 irqs, next_irq;
	struct {
		u32 at;
		const struct act *act;
	} irq[MAX_IRQS];

	u32 steps;
	bool quiet; /* steps do not count */
	u64 clock;
	struct made made[MAX_RECORDS];
	u32 nr;

	u64 seen; /* commit at the last look */
	/* Consumers that came at different times, and wait (R5). */
	struct {
		u64 until;
		u64 clock;
	} wait[MAX_WAITS];
	u32 waits;
	const char *wrong;
} w;

static void wrong(const char *what)
{
	if (!w.wrong)
		w.wrong = what;
}

/* Everything stamped up to @clock is below commit. */
static void expect_found(u64 clock, const char *what)
{
	u32 i;

	for (i = 0; i < w.nr; i++) {
		const struct made *m = &w.made[i];

		if (m->stamp && m->stamp <= clock && !m->none && !m->found)
			wrong(what);
	}
}

/* One more consumer comes, unless it would be as the last; and all that wait look again. */
static void look_waits(void)
{
	u32 i, n = w.waits;

	if (!n || w.wait[n - 1].clock != w.clock || w.wait[n - 1].until != w.ring->head) {
		if (n == MAX_WAITS) {
			wrong("MAX_WAITS is too small");
			return;
		}
		w.wait[w.waits].until = U64_MAX;
		w.wait[w.waits++].clock = w.clock;
	}
	for (i = 0, n = 0; i < w.waits; i++) {
		if (ktrace_ring_pending(w.ring, &w.wait[i].until))
			w.wait[n++] = w.wait[i];
		else
			expect_found(w.wait[i].clock,
				     "R5: nothing is pending, and a record is still to come");
	}
	w.waits = n;
}

/* The consumer's look at the ring. */
static void look(void)
{
	struct ktrace_ring *ring = w.ring;
	u64 commit = ring->commit;

	if (ring->tail > commit || commit > ring->head || ring->head > ring->tail + ring->size)
		wrong("R1: tail <= commit <= head <= tail + size");
	if (commit < w.seen)
		wrong("R4: commit went back");
	while (w.seen < commit) {
		struct made *m;
		struct walk walk;

		if (!walk_ring(ring, false, w.seen, commit, &walk)) {
			w.seen = commit;
			break;
		}
		if (walk.next > commit) {
			wrong("R2: a record reaches beyond commit");
			break;
		}
		w.seen = walk.next;
		if (walk.id >= w.nr) {
			wrong("R2: what is below commit is no record");
			break;
		}
		m = &w.made[walk.id];
		if (!m->filled || m->none || m->found)
			wrong("R2, R4: a record that is not whole, cancelled, or there twice");
		else if (test_record_wrong(walk.p, false, m->act->keep, 0, walk.id))
			wrong("R2: a record was damaged");
		m->found = true;
	}
	look_waits();
	if (w.consume)
		ktrace_ring_consume(ring, w.seen, 0);
}

static void produce(const struct act *act)
{
	const bool cancel = act->keep < 0;
	u32 id = w.nr++;
	struct made *m = &w.made[id];
	struct ktrace_slot slot = {};
	u64 head;
	u8 *p;

	m->act = act;
	head = w.ring->head;
	do {
		if (ktrace_ring_aim(w.ring, 56 + act->payload, &slot) > RING_SIZE) {
			/* R6; interrupts gave back what they took, or published nothing. */
			if (w.ring->head < head)
				wrong("R6: a failed reservation changed the ring");
			/*
			 * Nobody has taken more than a part of the ring: what is of a size
			 * to fit does.
			 */
			if (act->payload < RING_SIZE / 4)
				wrong("R6: no room, and there was some");
			m->none = true;
			return;
		}
	} while (!ktrace_ring_take(w.ring, &slot));
	p = ktrace_ring_at(w.ring, slot.pos);
	step();
	m->stamp = ++w.clock;
	step();
	if (!cancel)
		test_record_fill(p, false, act->payload, 0, id, m->stamp);
	else
		memset(p, 0xa5, 56 + act->payload);
	step();
	if (cancel) {
		m->none = true;
		ktrace_ring_trim(w.ring, &slot, 0);
	} else if ((u32)act->keep < act->payload) {
		ktrace_record_set_len(p, act->keep);
		ktrace_ring_trim(w.ring, &slot, 56 + act->keep);
	}
	m->filled = true;
	if (!ktrace_slot_empty(&slot))
		ktrace_ring_publish(w.ring, &slot);
}

static void step(void)
{
	asm volatile("" : : : "memory");
	if (w.quiet)
		return;
	w.quiet = true;
	look();
	w.quiet = false;
	w.steps++;
	while (w.next_irq < w.irqs && w.irq[w.next_irq].at == w.steps)
		produce(w.irq[w.next_irq++].act);
}

/* One producer, with interrupts as w.irq[] says; false if not all of them came. */
static bool play(struct kunit *test, const struct act *outer)
{
	struct ktrace_ring *ring = w.ring;
	u32 i;

	/* Records lie across the end of the memory, and of 32 bits. */
	kunit_ring_at(ring, (1ULL << 32) - 100);
	w.next_irq = 0;
	w.steps = 0;
	w.clock = 0;
	memset(w.made, 0, sizeof(w.made));
	w.nr = 0;
	w.seen = ring->commit;
	w.waits = 0;
	w.wrong = NULL;

	produce(outer);
	step();
	if (w.waits)
		wrong("R5: a consumer still waits");
	if (ring->commit != ring->head)
		wrong("R4: something stayed unpublished");
	expect_found(w.clock, "a record never came");
	if (w.wrong) {
		KUNIT_FAIL(test, "%s; outer: %s", w.wrong, outer->what);
		for (i = 0; i < w.next_irq; i++)
			kunit_info(test, "interrupt at step %u: %s", w.irq[i].at,
				   w.irq[i].act->what);
	}
	return w.next_irq == w.irqs;
}

static bool failed(struct kunit *test)
{
	return READ_ONCE(test->status) == KUNIT_FAILURE;
}

static int init(struct kunit *test)
{
	memset(&w, 0, sizeof(w));
	w.quiet = false;
	w.ring = kunit_ring(test, RING_SIZE, 0);
	return 0;
}

/* Without interrupts: the steps themselves are right. */
static void alone(struct kunit *test)
{
	u32 a;

	for (a = 0; a < NR_ACTS; a++) {
		w.consume = a & 1;
		play(test, &acts[a]);
		KUNIT_EXPECT_GE(test, w.steps, a == NO_ROOM ? 3U : 8U);
	}
}

/* One interrupt, anywhere. */
static void one(struct kunit *test)
{
	u32 a, b, n = 0;

	w.irqs = 1;
	for (w.consume = false;; w.consume = true) {
		for (a = 0; a < NR_ACTS; a++) {
			for (b = 0; b < NR_ACTS; b++) {
				w.irq[0].act = &acts[b];
				for (w.irq[0].at = 1; play(test, &acts[a]); w.irq[0].at++)
					n++;
				if (failed(test))
					return;
			}
		}
		if (w.consume)
			break;
	}
	kunit_info(test, "%u runs", n);
	KUNIT_EXPECT_GE(test, n, 2U * 36 * 8);
}

/* Two: one after the other, or one in the other. */
static void two(struct kunit *test)
{
	u32 a, b, c, n = 0;

	w.irqs = 2;
	for (a = 0; a < NR_ACTS; a++) {
		for (b = 0; b < NR_ACTS; b++) {
			for (c = 0; c < NR_ACTS; c++) {
				w.consume = (a + b + c) & 1;
				w.irq[0].act = &acts[b];
				w.irq[1].act = &acts[c];
				for (w.irq[0].at = 1;; w.irq[0].at++) {
					for (w.irq[1].at = w.irq[0].at + 1; play(test, &acts[a]);
					     w.irq[1].at++)
						n++;
					if (failed(test))
						return;
					/* Not even the first came. */
					if (!w.next_irq)
						break;
				}
			}
		}
	}
	kunit_info(test, "%u runs", n);
	KUNIT_EXPECT_GE(test, n, 216U * 8 * 8);
}

/* Three, at random. */
static void three(struct kunit *test)
{
	struct rnd rnd;
	u32 n, i;

	rnd_init(&rnd, 3);
	w.irqs = 3;
	for (n = 0; n < 40000 && !failed(test); n++) {
		u32 at = 1;

		for (i = 0; i < 3; i++) {
			at += rnd_below(&rnd, 25);
			w.irq[i].at = at;
			w.irq[i].act = &acts[rnd_below(&rnd, NR_ACTS)];
		}
		w.consume = rnd_below(&rnd, 2);
		play(test, &acts[rnd_below(&rnd, NR_ACTS)]);
	}
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(alone),
	KUNIT_CASE(one),
	KUNIT_CASE(two),
	KUNIT_CASE(three),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_nesting",
	.init = init,
	.test_cases = cases,
};

kunit_test_suite(suite);
