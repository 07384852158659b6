// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktr_rings: rings that are replaced while somebody who still uses the old
 * ones never gets done: whoever replaces them does, and they stay.
 *
 * There is one CPU. Sleeping takes no time, and is counted.
 */
#include <linux/delay.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "ktr/anchor.h"
#include "ktr/record.h"
#include "ktr/ring.h"

/* Who sleeps more often than this waits for ever. */
#define FOREVER 1000000

static u32 sleeps;
/* At that number of sleeps, all are done. */
static u32 done_at;

static void sleep(void);

#undef usleep_range
#define usleep_range(least, most) sleep()

#include "ktr/rings.c"

DEFINE_PER_CPU(struct ktr_cpu, ktr_cpus);

static void sleep(void)
{
	if (++sleeps < done_at)
		return;
	this_cpu_write(ktr_cpus.nesting, 0);
	atomic_set(&pins, 0);
}

void ktr_anchor_begin(void)
{
}

void ktr_anchor_end(void)
{
}

static struct ktr_extent *anchored;

struct ktr_extent *ktr_anchor_list(u32 extents)
{
	return kcalloc(extents, sizeof(struct ktr_extent), GFP_KERNEL);
}

void ktr_anchor_rings(struct ktr_extent *list, u32 extents, u32 each, u32 slots, u32 entries)
{
	kfree(anchored);
	anchored = list;
}

static void put(u32 n)
{
	for (; n; n--) {
		struct ktr_slot *slot = ktr_ring_begin(this_cpu_read(ktr_cpus.ring));

		if (slot)
			ktr_ring_commit(slot);
	}
}

static int init(struct kunit *test)
{
	sleeps = 0;
	done_at = FOREVER;
	ktr_rings_select(cpu_possible_mask);
	return ktr_rings_resize(64, false);
}

static void exit(struct kunit *test)
{
	this_cpu_write(ktr_cpus.nesting, 0);
	atomic_set(&pins, 0);
	ktr_rings_exit();
	kfree(anchored);
	anchored = NULL;
}

/* Somebody records, and never gets done: the others' events stay, and what he writes to. */
static void stuck(struct kunit *test)
{
	struct ktr_ring *old = this_cpu_read(ktr_cpus.ring);
	struct ktr_slot *slot, copy;
	u64 n;

	put(5);
	slot = ktr_ring_begin(old);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	this_cpu_write(ktr_cpus.nesting, 1);
	KUNIT_EXPECT_EQ(test, ktr_rings_resize(200, true), 0);
	KUNIT_EXPECT_LT(test, sleeps, FOREVER);
	KUNIT_EXPECT_TRUE(test, this_cpu_read(ktr_cpus.ring) != old);
	for (n = 0; n < 5; n++)
		KUNIT_EXPECT_EQ(test, ktr_ring_read(this_cpu_read(ktr_cpus.ring), n, &copy),
				KTR_RING_GOT);
	/* There, or KASAN says so. */
	memset(slot->text, 1, sizeof(slot->text));
	ktr_ring_commit(slot);
}

/* One who gets done late is waited for, and nothing stays. */
static void late(struct kunit *test)
{
	done_at = 20;
	this_cpu_write(ktr_cpus.nesting, 1);
	KUNIT_EXPECT_EQ(test, ktr_rings_resize(200, false), 0);
	KUNIT_EXPECT_EQ(test, sleeps, 20);
}

/* A reader who never gets done. */
static void pinned(struct kunit *test)
{
	const struct ktr_ring *old = ktr_rings_of(0);
	struct ktr_slot copy;

	put(5);
	ktr_rings_pin();
	KUNIT_EXPECT_EQ(test, ktr_rings_resize(200, true), 0);
	KUNIT_EXPECT_LT(test, sleeps, FOREVER);
	KUNIT_EXPECT_EQ(test, ktr_ring_read(old, 4, &copy), KTR_RING_GOT);
	ktr_rings_unpin();
}

/* The end comes, too. */
static void last(struct kunit *test)
{
	this_cpu_write(ktr_cpus.nesting, 1);
	ktr_rings_pin();
	ktr_rings_exit();
	KUNIT_EXPECT_LT(test, sleeps, FOREVER);
	KUNIT_EXPECT_NULL(test, this_cpu_read(ktr_cpus.ring));
	KUNIT_EXPECT_NULL(test, ktr_rings_of(0));
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(stuck),
	KUNIT_CASE(late),
	KUNIT_CASE(pinned),
	KUNIT_CASE(last),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktr_rings",
	.init = init,
	.exit = exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
