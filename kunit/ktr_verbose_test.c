// SPDX-License-Identifier: GPL-2.0
/* Suite ktr_verbose: what the console gets of the queues. */
#include <linux/kthread.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <kunit/test.h>

#include "ktr/record.h"

static __printf(1, 2) void say(const char *format, ...);

static bool stopping;

#undef pr_notice
#define pr_notice(format, ...) say(format, ##__VA_ARGS__)
#undef kthread_should_stop
#define kthread_should_stop() stopping

#include "ktr/verbose.c"

struct ktr_pool ktr_pool;

int ktr_drain_start(struct ktr_drain *drain, u32 depth, u32 enough)
{
	return 0;
}

void ktr_drain_attach(struct ktr_drain *drain)
{
}

void ktr_drain_stop(struct ktr_drain *drain)
{
}

static u64 lines, told;
/* At that line, the end is asked for. */
static u64 stop_at;

static void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (strcmp(format, "%s\n"))
		told += va_arg(args, u64);
	else if (++lines == stop_at)
		stopping = true;
	va_end(args);
}

static struct ktr_queue *queues[1];

static int init(struct kunit *test)
{
	struct ktr_slot *slots = kunit_kcalloc(test, 1024, sizeof(*slots), GFP_KERNEL);

	queues[0] = kunit_kzalloc(test, sizeof(*queues[0]), GFP_KERNEL);
	if (!slots || !queues[0])
		return -ENOMEM;
	ktr_queue_init(queues[0], slots, 1024, 1000, 1);
	drain.queues = queues;
	lines = 0;
	told = 0;
	stop_at = 0;
	stopping = false;
	return 0;
}

static void put(u32 n)
{
	for (; n; n--) {
		struct ktr_slot *slot = ktr_queue_begin(queues[0]);

		if (slot)
			ktr_ring_commit(slot);
	}
}

/* All that waits, and how many found no room. */
static void all(struct kunit *test)
{
	put(1010);
	pass(&drain);
	KUNIT_EXPECT_EQ(test, lines, 1000);
	KUNIT_EXPECT_EQ(test, told, 10);
	pass(&drain);
	KUNIT_EXPECT_EQ(test, lines, 1000);
	KUNIT_EXPECT_EQ(test, told, 10);
}

/* Who ends it does not wait for a slow console: what is not printed any more is counted. */
static void end(struct kunit *test)
{
	put(1010);
	stop_at = 100;
	pass(&drain);
	KUNIT_EXPECT_EQ(test, lines, 100 + 256);
	KUNIT_EXPECT_EQ(test, lines + told, 1010);
}

static void few_at_the_end(struct kunit *test)
{
	put(200);
	stopping = true;
	pass(&drain);
	KUNIT_EXPECT_EQ(test, lines, 200);
	KUNIT_EXPECT_EQ(test, told, 0);
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(all),
	KUNIT_CASE(end),
	KUNIT_CASE(few_at_the_end),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktr_verbose",
	.init = init,
	.test_cases = cases,
};

kunit_test_suite(suite);
