// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktr_ring: one CPU's ring, by its invariants (K1 to K4 in ktr/ring.h).
 *
 * Wherever a writer touches what others may see, step() is called first: there
 * other writers may run to their end, as an interrupt does, and a reader may
 * look at every slot, as another CPU would that sees all stores in order.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/local.h>
#include <kunit/test.h>

#include "util.h"

static void step(void);

#undef READ_ONCE
#define READ_ONCE(x)                               \
	({                                         \
		step();                            \
		*(const volatile typeof(x) *)&(x); \
	})
#undef smp_load_acquire
#define smp_load_acquire(p) READ_ONCE(*(p))
#undef smp_store_release
#define smp_store_release(p, v)                         \
	do {                                            \
		typeof(*(p)) value_ = (v);              \
		step();                                 \
		*(volatile typeof(*(p)) *)(p) = value_; \
	} while (0)
#undef barrier
#define barrier() step()

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

#undef cmpxchg_local
#define cmpxchg_local stepping_cmpxchg

#include "ktr/ring.c"

#define SLOTS_MOST 64
#define IRQS_MOST  3

static struct ktr_slot slots[SLOTS_MOST], other_slots[SLOTS_MOST];

/* What happens at a step: nothing unless a test says so. */
static struct {
	struct ktr_ring *ring; /* NULL: steps do not count */
	u32 steps;
	u32 next_irq, irqs;
	struct {
		u32 at; /* step */
		u32 burst; /* events that it writes */
	} irq[IRQS_MOST];
	u64 id; /* of the last event that was begun */
	u32 bad; /* events that the reader found, and are not what was written */
} world;

/* An event that tells whether it is whole. */
static void fill(struct ktr_slot *slot, u64 id)
{
	int i;

	slot->entry.timestamp = id;
	step();
	for (i = 0; i < KTR_STREAM_PARMS; i++)
		slot->entry.parms[i] = id * 7 + i;
	step();
	memset(slot->text, id, sizeof(slot->text));
}

static bool whole(const struct ktr_slot *slot)
{
	u64 id = slot->entry.timestamp;
	int i;

	for (i = 0; i < KTR_STREAM_PARMS; i++)
		if (slot->entry.parms[i] != id * 7 + i)
			return false;
	return !memchr_inv(slot->text, id, sizeof(slot->text));
}

/* Writes an event; returns its id, or 0: lost. */
static u64 put(struct ktr_ring *ring)
{
	u64 id = ++world.id;
	struct ktr_slot *slot = ktr_ring_begin(ring);

	if (!slot)
		return 0;
	fill(slot, id);
	ktr_ring_commit(slot);
	return id;
}

/* As another CPU: whatever it gets must be whole. */
static void look(void)
{
	struct ktr_ring *ring = world.ring;
	u64 head = ktr_ring_head(ring), n;
	struct ktr_slot copy;

	world.ring = NULL;
	for (n = head > ring->mask ? head - ring->mask - 1 : 0; n < head; n++) {
		if (ktr_ring_read(ring, n, &copy) != KTR_RING_GOT)
			continue;
		if (!whole(&copy) || copy.sequence != 2 * n + 2)
			world.bad++;
	}
	world.ring = ring;
}

static void step(void)
{
	u32 i;

	if (!world.ring)
		return;
	look();
	world.steps++;
	if (world.next_irq == world.irqs || world.irq[world.next_irq].at != world.steps)
		return;
	i = world.next_irq++;
	while (world.irq[i].burst--)
		put(world.ring);
}

static void world_reset(struct ktr_ring *ring)
{
	memset(&world, 0, sizeof(world));
	world.ring = ring;
}

static void empty_ring(struct ktr_ring *ring, u64 nr, u64 head)
{
	memset(slots, 0, sizeof(slots));
	ktr_ring_init(ring, slots, nr, head);
}

static void wrap(struct kunit *test)
{
	static const u64 heads[] = { 0, 5, (1ULL << 32) - 3, 1ULL << 40 };
	struct ktr_slot copy;
	struct ktr_ring ring;
	u64 n;
	int i;

	for (i = 0; i < ARRAY_SIZE(heads); i++) {
		empty_ring(&ring, 8, heads[i]);
		world_reset(NULL);
		KUNIT_EXPECT_EQ(test, (int)ktr_ring_read(&ring, heads[i], &copy),
				(int)KTR_RING_ABSENT);
		for (n = 0; n < 20; n++)
			KUNIT_EXPECT_EQ(test, put(&ring), n + 1);
		KUNIT_EXPECT_EQ(test, ktr_ring_head(&ring), heads[i] + 20);
		KUNIT_EXPECT_EQ(test, ktr_ring_lost(&ring), 0ULL);
		for (n = 0; n < 20; n++) {
			int want = n < 12 ? KTR_RING_OVERWRITTEN : KTR_RING_GOT;

			KUNIT_EXPECT_EQ(test, (int)ktr_ring_read(&ring, heads[i] + n, &copy), want);
			if (n >= 12) {
				KUNIT_EXPECT_EQ(test, copy.entry.timestamp, n + 1);
				KUNIT_EXPECT_TRUE(test, whole(&copy));
			}
		}
		KUNIT_EXPECT_EQ(test, (int)ktr_ring_read(&ring, heads[i] + 20, &copy),
				(int)KTR_RING_ABSENT);
	}
}

/* An event that is being written is not there yet, and its predecessor is not any more. */
static void unfinished(struct kunit *test)
{
	struct ktr_slot copy, *slot;
	struct ktr_ring ring;
	int i;

	empty_ring(&ring, 4, 0);
	world_reset(NULL);
	for (i = 0; i < 4; i++)
		put(&ring);
	slot = ktr_ring_begin(&ring);
	KUNIT_ASSERT_PTR_EQ(test, slot, &slots[0]);
	KUNIT_EXPECT_EQ(test, (int)ktr_ring_read(&ring, 4, &copy), (int)KTR_RING_ABSENT);
	KUNIT_EXPECT_EQ(test, (int)ktr_ring_read(&ring, 0, &copy), (int)KTR_RING_OVERWRITTEN);
	/* Nested ones go around, and lose the one that would come here (K3). */
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ(test, !put(&ring), i == 3);
	KUNIT_EXPECT_EQ(test, ktr_ring_lost(&ring), 1ULL);
	fill(slot, 99);
	ktr_ring_commit(slot);
	KUNIT_EXPECT_EQ(test, (int)ktr_ring_read(&ring, 4, &copy), (int)KTR_RING_GOT);
	KUNIT_EXPECT_EQ(test, copy.entry.timestamp, 99ULL);
	KUNIT_EXPECT_EQ(test, (int)ktr_ring_read(&ring, 8, &copy), (int)KTR_RING_ABSENT);
	KUNIT_EXPECT_EQ(test, (int)ktr_ring_read(&ring, 9, &copy), (int)KTR_RING_GOT);
}

/* Events that are in the ring, whole, once each. */
static u32 there(struct ktr_ring *ring)
{
	u64 head = ktr_ring_head(ring), n;
	struct ktr_slot copy;
	u32 found = 0;

	for (n = head > ring->mask ? head - ring->mask - 1 : 0; n < head; n++)
		found += ktr_ring_read(ring, n, &copy) == KTR_RING_GOT && whole(&copy);
	return found;
}

/* One writer, and at each of its steps an interrupt that writes up to thrice around the ring. */
static void nested(struct kunit *test)
{
	u32 nr, burst, at, runs = 0;
	struct ktr_ring ring;

	for (nr = 1; nr <= 4; nr *= 2) {
		for (burst = 1; burst <= 3 * nr; burst++) {
			for (at = 1;; at++) {
				u32 lost, reached;

				empty_ring(&ring, nr, 0);
				world_reset(&ring);
				world.irqs = 1;
				world.irq[0].at = at;
				world.irq[0].burst = burst;
				put(&ring);
				reached = world.next_irq;
				world.ring = NULL;
				if (!reached)
					break;
				runs++;
				lost = ktr_ring_lost(&ring);
				KUNIT_EXPECT_EQ_MSG(test, world.bad, 0U, "%u slots, %u at %u", nr,
						    burst, at);
				KUNIT_EXPECT_EQ(test, ktr_ring_head(&ring), burst + 1ULL);
				/* All are there, or were overwritten, or counted. */
				KUNIT_EXPECT_GE_MSG(test, there(&ring) + lost, min(nr, burst + 1),
						    "%u slots, %u at %u", nr, burst, at);
				KUNIT_EXPECT_LE(test, lost, burst / nr + 1);
			}
		}
	}
	KUNIT_EXPECT_GT(test, runs, 100U);
}

/* Interrupts that are interrupted, at every pair of steps. */
static void nested_twice(struct kunit *test)
{
	struct ktr_ring ring;
	u32 first, second, runs = 0;

	for (first = 1; first < 60; first++) {
		for (second = first + 1; second < first + 60; second++) {
			empty_ring(&ring, 2, 0);
			world_reset(&ring);
			world.irqs = 2;
			world.irq[0].at = first;
			world.irq[0].burst = 3;
			world.irq[1].at = second;
			world.irq[1].burst = 2;
			put(&ring);
			world.ring = NULL;
			runs += world.next_irq == 2;
			if (world.bad ||
			    there(&ring) + ktr_ring_lost(&ring) < min(2ULL, ktr_ring_head(&ring)))
				KUNIT_FAIL(test, "at %u and %u: %u bad, %u there, %llu lost", first,
					   second, world.bad, there(&ring), ktr_ring_lost(&ring));
		}
	}
	KUNIT_EXPECT_GT(test, runs, 100U);
}

/*
 * Takes a ring's newest events over to another, as rings.c does, while that is written to
 * already.
 */
static void resize_one(struct kunit *test, u32 from, u32 to, u32 old, u32 new)
{
	u64 n, most = min(from, to), head;
	struct ktr_ring a, b;
	struct ktr_slot copy;

	empty_ring(&a, from, 0);
	world_reset(NULL);
	for (n = 0; n < old; n++)
		put(&a);
	memset(other_slots, 0, sizeof(other_slots));
	ktr_ring_init(&b, other_slots, to, old);
	for (n = 0; n < new; n++)
		put(&b);
	for (n = old > most ? old - most : 0; n < old; n++)
		if (ktr_ring_read(&a, n, &copy) == KTR_RING_GOT)
			ktr_ring_keep(&b, old, &copy);

	/* The newest are there, without a gap, those of before by their numbers. */
	head = ktr_ring_head(&b);
	KUNIT_EXPECT_EQ(test, head, (u64)old + new);
	KUNIT_EXPECT_EQ(test, ktr_ring_lost(&b), 0ULL);
	for (n = 0; n < head; n++) {
		bool want = n + to >= head && (n >= old || n + most >= old);
		bool got = ktr_ring_read(&b, n, &copy) == KTR_RING_GOT;

		if (got != want || (got && copy.entry.timestamp != n + 1))
			KUNIT_FAIL(test, "%u to %u slots, %u and %u events: event %llu", from, to,
				   old, new, n);
	}
}

static void resize(struct kunit *test)
{
	u32 from, to, old, new;

	for (from = 1; from <= 16; from *= 2)
		for (to = 1; to <= 16; to *= 2)
			for (old = 0; old <= 20; old++)
				for (new = 0; new <= 20; new ++)
					resize_one(test, from, to, old, new);
}

/* An event that comes to the old ring after the new one's start was fixed gets a new number. */
static void resize_late(struct kunit *test)
{
	struct ktr_slot copy;
	struct ktr_ring a, b;

	world_reset(NULL);
	empty_ring(&a, 4, 0);
	put(&a);
	put(&a);
	memset(other_slots, 0, sizeof(other_slots));
	ktr_ring_init(&b, other_slots, 4, 1);
	world.id = 10;
	put(&b);
	KUNIT_ASSERT_EQ(test, (int)ktr_ring_read(&a, 1, &copy), (int)KTR_RING_GOT);
	ktr_ring_keep(&b, 1, &copy);
	KUNIT_EXPECT_EQ(test, ktr_ring_head(&b), 3ULL);
	KUNIT_ASSERT_EQ(test, (int)ktr_ring_read(&b, 1, &copy), (int)KTR_RING_GOT);
	KUNIT_EXPECT_EQ(test, copy.entry.timestamp, 11ULL);
	KUNIT_ASSERT_EQ(test, (int)ktr_ring_read(&b, 2, &copy), (int)KTR_RING_GOT);
	KUNIT_EXPECT_EQ(test, copy.entry.timestamp, 2ULL);
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(wrap),
	KUNIT_CASE(unfinished),
	KUNIT_CASE(nested),
	KUNIT_CASE(nested_twice),
	KUNIT_CASE(resize),
	KUNIT_CASE(resize_late),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktr_ring",
	.test_cases = cases,
};

kunit_test_suite(suite);
