// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_thread: what is remembered about threads.  The table looks at
 * the addresses of task_structs only, so that any will do.
 */
#include <kunit/test.h>

#include "thread.h"

#include "thread.c"

static struct task_struct *task(unsigned long n)
{
	return (struct task_struct *)(0x10000UL + n * 64);
}

static u32 occupied(void)
{
	u32 i, n = 0;

	for (i = 0; i < sizeof(table) / sizeof(table[0][0]); i++)
		n += !!table[i / WAYS][i % WAYS].task;
	return n;
}

static void flags(struct kunit *test)
{
	s32 code;

	KUNIT_EXPECT_EQ(test, occupied(), 0U);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_test(task(1), KTRACE_THREAD_IN));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_set(task(1), KTRACE_THREAD_IN));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_set(task(1), KTRACE_THREAD_HELD));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_test(task(1), KTRACE_THREAD_IN));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_test(task(1), KTRACE_THREAD_HELD));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_test(task(1), KTRACE_THREAD_CODE));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_test(task(2), KTRACE_THREAD_IN));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_take_code(task(1), 7, &code));
	KUNIT_EXPECT_EQ(test, occupied(), 1U);
	ktrace_thread_clear(task(1), KTRACE_THREAD_IN);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_test(task(1), KTRACE_THREAD_IN));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_test(task(1), KTRACE_THREAD_HELD));
	/* Forgotten entirely, the entry is free. */
	ktrace_thread_clear(task(1), ~0U);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_test(task(1), ~0U));
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
	ktrace_thread_clear(task(1), ~0U);
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
}

/* A call's number is there once, whatever other flags come and go. */
static void code(struct kunit *test)
{
	static const s32 codes[] = { 0, 59, 15, -1, S32_MAX, S32_MIN };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		s32 got = 4711;

		ktrace_thread_set_code(task(1), 7, 1234);
		ktrace_thread_set_code(task(1), 7, codes[i]);
		KUNIT_EXPECT_TRUE(test, ktrace_thread_set(task(1), KTRACE_THREAD_HELD));
		ktrace_thread_clear(task(1), KTRACE_THREAD_IN);
		KUNIT_EXPECT_TRUE(test, ktrace_thread_take_code(task(1), 7, &got));
		KUNIT_EXPECT_EQ(test, got, codes[i]);
		got = 4711;
		KUNIT_EXPECT_FALSE(test, ktrace_thread_take_code(task(1), 7, &got));
		KUNIT_EXPECT_EQ(test, got, 4711);
		KUNIT_EXPECT_TRUE(test, ktrace_thread_test(task(1), KTRACE_THREAD_HELD));
		ktrace_thread_clear(task(1), ~0U);
		KUNIT_EXPECT_EQ(test, occupied(), 0U);
	}
}

/* More threads than there is room for: who was told yes is remembered, who was told no is not. */
static void crowd(struct kunit *test)
{
	enum { N = 3 * WAYS << SET_BITS };
	unsigned long *yes = kunit_kzalloc(test, BITS_TO_LONGS(N) * sizeof(long), GFP_KERNEL);
	u32 i, n = 0, wrong = 0;

	KUNIT_ASSERT_NOT_NULL(test, yes);
	for (i = 0; i < N; i++) {
		ktrace_thread_set_code(task(i), 7, i);
		if (ktrace_thread_test(task(i), KTRACE_THREAD_CODE)) {
			__set_bit(i, yes);
			n++;
		}
	}
	KUNIT_EXPECT_EQ(test, occupied(), n);
	/* The hash spreads them: most of the table is in use. */
	KUNIT_EXPECT_GE(test, n, (u32)(WAYS << SET_BITS) * 3 / 4);
	for (i = 0; i < N; i++) {
		s32 got = -1;

		if (ktrace_thread_test(task(i), KTRACE_THREAD_CODE) != test_bit(i, yes))
			wrong++;
		if (ktrace_thread_take_code(task(i), 7, &got) != test_bit(i, yes))
			wrong++;
		if (got != (test_bit(i, yes) ? (s32)i : -1))
			wrong++;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
}

/* clang-format off */
/* A call that ends without having begun, after others, was refused. */
static void refused(struct kunit *test)
{
	/* The end of what began before the trace. */
	KUNIT_EXPECT_FALSE(test, ktrace_thread_leave(task(1), 7));
	/* A whole call. */
	ktrace_thread_enter(task(1), 7);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_leave(task(1), 7));
	/* Refused, twice; another thread's calls are no matter. */
	KUNIT_EXPECT_TRUE(test, ktrace_thread_leave(task(1), 7));
	ktrace_thread_enter(task(2), 7);
	KUNIT_EXPECT_TRUE(test, ktrace_thread_leave(task(1), 7));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_leave(task(2), 7));
	/* Another trace of the process begins in the middle of a call. */
	KUNIT_EXPECT_FALSE(test, ktrace_thread_leave(task(1), 8));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_leave(task(1), 8));
	/* An enter that is left over from the trace before. */
	ktrace_thread_enter(task(1), 8);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_leave(task(1), 9));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_leave(task(1), 9));
	ktrace_thread_clear(task(1), ~0U);
	ktrace_thread_clear(task(2), ~0U);
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
}

/* What a trace leaves behind is no other's: by generation, and when all is forgotten. */
static void stale(struct kunit *test)
{
	s32 got;

	ktrace_thread_set_code(task(1), 7, 59);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_take_code(task(1), 8, &got));
	KUNIT_EXPECT_EQ(test, occupied(), 0U);

	ktrace_thread_set_code(task(1), 7, 59);
	ktrace_thread_enter(task(2), 7);
	ktrace_thread_set_code(task(3), 7, 15);
	KUNIT_EXPECT_TRUE(test, ktrace_thread_set(task(3), KTRACE_THREAD_HELD));
	ktrace_thread_forget();
	KUNIT_EXPECT_FALSE(test, ktrace_thread_take_code(task(1), 7, &got));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_leave(task(2), 7));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_take_code(task(3), 7, &got));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_test(task(3), KTRACE_THREAD_HELD));
	ktrace_thread_clear(task(2), ~0U);
	ktrace_thread_clear(task(3), ~0U);
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(flags),
	KUNIT_CASE(code),
	KUNIT_CASE(refused),
	KUNIT_CASE(stale),
	KUNIT_CASE(crowd),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_thread",
	.test_cases = cases,
};

kunit_test_suite(suite);
