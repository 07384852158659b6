// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktr_queue: one CPU's queue, by its invariants (Q1 to Q3 in ktr/queue.h).
 *
 * Wherever a putter or the taker touches what the other may see, step() is
 * called first: there other putters may run to their end, as an interrupt does,
 * and the taker may take, as another CPU would that sees all stores in order.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/local.h>
#include <kunit/test.h>

static void step(void);

#undef READ_ONCE
#define READ_ONCE(x)                               \
	({                                         \
		step();                            \
		*(const volatile typeof(x) *)&(x); \
	})
#undef WRITE_ONCE
#define WRITE_ONCE(x, v)                         \
	do {                                     \
		step();                          \
		*(volatile typeof(x) *)&(x) = v; \
	} while (0)
#undef smp_load_acquire
#define smp_load_acquire(p) READ_ONCE(*(p))
#undef smp_store_release
#define smp_store_release(p, v) WRITE_ONCE(*(p), v)

static __always_inline long stepping_cmpxchg(local_t *l, long old, long new)
{
	long seen;

	step();
	seen = local_read(l);
	if (seen == old)
		local_set(l, new);
	step();
	return seen;
}

#undef local_cmpxchg
#define local_cmpxchg stepping_cmpxchg

#include "ktr/queue.c"

#define SLOTS	  8
#define IRQS_MOST 2

static struct ktr_slot slots[SLOTS];

/* What happens at a step: nothing unless a test says so. */
static struct {
	struct ktr_queue *queue; /* NULL: steps do not count */
	u32 steps;
	struct {
		u32 at; /* step */
		u32 burst; /* entries that it puts */
	} irq[IRQS_MOST];
	u32 next_irq;
	u32 take_at; /* step at which the taker takes all that it finds */
	bool take_after; /* an interrupt the taker takes all */
	bool taking;
	u64 tried; /* entries that were begun; the number of the last one */
	u64 taken, failed;
	u32 bad; /* entries that were not what was put */
	u64 most; /* entries that waited */
} world;

static void put(struct ktr_queue *queue)
{
	u64 id = ++world.tried;
	struct ktr_slot *slot = ktr_queue_begin(queue);

	if (!slot)
		return;
	slot->entry.timestamp = id;
	step();
	memset(slot->text, id, sizeof(slot->text));
	ktr_ring_commit(slot);
}

static void take_all(struct ktr_queue *queue)
{
	const struct ktr_slot *slot;

	world.taking = true;
	while ((slot = ktr_queue_peek(queue))) {
		world.bad += !!memchr_inv(slot->text, slot->entry.timestamp, sizeof(slot->text));
		world.taken++;
		ktr_queue_next(queue);
	}
	world.failed += ktr_queue_failed(queue);
	world.taking = false;
}

static void step(void)
{
	struct ktr_queue *queue = world.queue;
	u32 n;

	if (!queue || world.taking)
		return;
	world.steps++;
	world.most = max_t(u64, world.most, local_read(&queue->head) - queue->tail);
	if (world.steps == world.take_at)
		take_all(queue);
	if (world.next_irq < IRQS_MOST && world.steps == world.irq[world.next_irq].at) {
		for (n = world.irq[world.next_irq++].burst; n; n--)
			put(queue);
		if (world.take_after)
			take_all(queue);
	}
}

static void begin(struct ktr_queue *queue, u64 depth)
{
	memset(slots, 0, sizeof(slots));
	memset(queue, 0, sizeof(*queue));
	memset(&world, 0, sizeof(world));
	ktr_queue_init(queue, slots, SLOTS, depth, 2);
}

static void in_order(struct kunit *test)
{
	struct ktr_queue queue;
	u64 i, round, next = 0;

	begin(&queue, 5);
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 7; i++)
			put(&queue);
		for (i = 0; i < 5; i++) {
			const struct ktr_slot *slot = ktr_queue_peek(&queue);

			KUNIT_ASSERT_NOT_NULL(test, slot);
			KUNIT_EXPECT_EQ(test, slot->entry.timestamp, next + i + 1);
			ktr_queue_next(&queue);
		}
		next += 7;
		KUNIT_EXPECT_NULL(test, ktr_queue_peek(&queue));
		KUNIT_EXPECT_EQ(test, ktr_queue_failed(&queue), 2);
		KUNIT_EXPECT_EQ(test, ktr_queue_failed(&queue), 0);
	}
}

/* An entry that is being put hides those behind it, until it is whole. */
static void unfinished(struct kunit *test)
{
	struct ktr_queue queue;
	struct ktr_slot *slot;

	begin(&queue, SLOTS);
	slot = ktr_queue_begin(&queue);
	put(&queue);
	KUNIT_EXPECT_NULL(test, ktr_queue_peek(&queue));
	memset(slot->text, 0, sizeof(slot->text));
	ktr_ring_commit(slot);
	take_all(&queue);
	KUNIT_EXPECT_EQ(test, world.taken, 2);
}

static void calls(struct kunit *test)
{
	struct ktr_queue queue;

	begin(&queue, SLOTS);
	put(&queue);
	KUNIT_EXPECT_FALSE(test, ktr_queue_calls(&queue));
	put(&queue);
	KUNIT_EXPECT_TRUE(test, ktr_queue_calls(&queue));
	put(&queue);
	KUNIT_EXPECT_FALSE(test, ktr_queue_calls(&queue));
	queue.called = false;
	take_all(&queue);
	KUNIT_EXPECT_FALSE(test, ktr_queue_calls(&queue));
}

/* Three putters, the outer of which are interrupted anywhere, and a taker anywhere. */
static void one_nesting(struct kunit *test, u32 first, u32 second, u32 take_at, u32 burst)
{
	struct ktr_queue queue;
	u32 i;

	begin(&queue, 5);
	world.irq[0].at = first;
	world.irq[0].burst = burst;
	world.irq[1].at = second;
	world.irq[1].burst = burst;
	world.take_at = take_at;
	world.queue = &queue;
	for (i = 0; i < 3; i++)
		put(&queue);
	world.queue = NULL;
	take_all(&queue);
	KUNIT_ASSERT_EQ_MSG(test, world.bad, 0, "at %u, %u, %u", first, second, take_at);
	KUNIT_ASSERT_EQ_MSG(test, world.taken + world.failed, world.tried, "at %u, %u, %u", first,
			    second, take_at);
	KUNIT_ASSERT_LE_MSG(test, world.most, 5, "at %u, %u, %u", first, second, take_at);
	KUNIT_ASSERT_EQ(test, queue.tail, local_read(&queue.head));
}

static void nesting(struct kunit *test)
{
	u32 first, second, take_at, burst;

	for (burst = 1; burst <= 7; burst += 2)
		for (first = 1; first < 20; first++)
			for (second = first + 1; second < first + 15; second++)
				for (take_at = 1; take_at < 40; take_at++)
					one_nesting(test, first, second, take_at, burst);
}

/* Others come and are taken while a putter looks for room: there is some, however late it looks. */
static void overtaken(struct kunit *test)
{
	struct ktr_queue queue;
	u32 at, i;

	for (at = 1; at < 10; at++) {
		begin(&queue, 3);
		for (i = 0; i < IRQS_MOST; i++) {
			world.irq[i].at = at + i * 6;
			world.irq[i].burst = 1;
		}
		world.take_after = true;
		world.queue = &queue;
		put(&queue);
		world.queue = NULL;
		take_all(&queue);
		KUNIT_EXPECT_EQ_MSG(test, world.failed, 0, "at %u", at);
		KUNIT_EXPECT_EQ_MSG(test, world.taken, world.tried, "at %u", at);
	}
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(in_order),
	KUNIT_CASE(unfinished),
	KUNIT_CASE(calls),
	KUNIT_CASE(nesting),
	KUNIT_CASE(overtaken),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktr_queue",
	.test_cases = cases,
};

kunit_test_suite(suite);
