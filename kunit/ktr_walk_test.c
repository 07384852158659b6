// SPDX-License-Identifier: GPL-2.0
/* Suite ktr_walk: who walks through the rings in a crash. */
#include <linux/slab.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "ktr/rings.h"

static struct ktr_ring ring;
static int pinned;

#define ktr_rings_of(cpu) (&ring)
#define ktr_rings_pin()	  (pinned++)
#define ktr_rings_unpin() (pinned--)

#include "ktr/walk.c"

#define SLOTS 8

static struct ktr_slot slots[SLOTS];

static void put(u32 n)
{
	for (; n; n--) {
		struct ktr_slot *slot = ktr_ring_begin(&ring);

		slot->entry.timestamp = 100 + local_read(&ring.head) - 1;
		ktr_ring_commit(slot);
	}
}

static int init(struct kunit *test)
{
	memset(slots, 0, sizeof(slots));
	ktr_ring_init(&ring, slots, SLOTS, 0);
	pinned = 0;
	atomic_set(&walking, 0);
	return 0;
}

/* Back from the newest to the oldest that is there, and forward again. */
static void both_ways(struct kunit *test)
{
	struct ktr_slot slot;
	u64 n;

	put(SLOTS + 3);
	KUNIT_ASSERT_TRUE(test, ktr_walk_begin(false));
	KUNIT_EXPECT_EQ(test, pinned, 1);
	for (n = SLOTS + 2; n >= 3; n--) {
		KUNIT_ASSERT_TRUE(test, ktr_walk_back(&slot));
		KUNIT_EXPECT_EQ(test, slot.entry.timestamp, 100 + n);
	}
	KUNIT_EXPECT_FALSE(test, ktr_walk_back(&slot));
	for (n = 3; n < SLOTS + 3; n++) {
		KUNIT_ASSERT_TRUE(test, ktr_walk_forward(&slot));
		KUNIT_EXPECT_EQ(test, slot.entry.timestamp, 100 + n);
	}
	KUNIT_EXPECT_FALSE(test, ktr_walk_forward(&slot));
	ktr_walk_end();
	KUNIT_EXPECT_EQ(test, pinned, 0);
}

/* One at a time; but a panic finds whoever walked stopped, and does not wait. */
static void panic_after_oops(struct kunit *test)
{
	struct ktr_slot slot;

	put(3);
	KUNIT_ASSERT_TRUE(test, ktr_walk_begin(false));
	KUNIT_EXPECT_TRUE(test, ktr_walk_back(&slot));
	KUNIT_EXPECT_FALSE(test, ktr_walk_begin(false));
	put(1);
	KUNIT_ASSERT_TRUE(test, ktr_walk_begin(true));
	KUNIT_EXPECT_TRUE(test, ktr_walk_back(&slot));
	KUNIT_EXPECT_EQ(test, slot.entry.timestamp, 103);
	ktr_walk_end();
	KUNIT_EXPECT_TRUE(test, ktr_walk_begin(false));
	ktr_walk_end();
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(both_ways),
	KUNIT_CASE(panic_after_oops),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktr_walk",
	.init = init,
	.test_cases = cases,
};

kunit_test_suite(suite);
