// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_thread: what is remembered about threads.  The table looks at
 * the addresses of task_structs only, so that any will do.
 */
#include <linux/cred.h>
#include <linux/sched/task.h>
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
	u64 value;

	KUNIT_EXPECT_EQ(test, occupied(), 0U);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_test(task(1), KTRACE_THREAD_IN));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_set(task(1), KTRACE_THREAD_IN));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_set(task(1), KTRACE_THREAD_HELD));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_test(task(1), KTRACE_THREAD_IN));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_test(task(1), KTRACE_THREAD_HELD));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_test(task(1), KTRACE_THREAD_CODE));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_test(task(2), KTRACE_THREAD_IN));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_take(task(1), 7, KTRACE_THREAD_CODE, &value));
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

/* A value is there once, whatever other flags come and go. */
static void value(struct kunit *test)
{
	static const u64 values[] = { 0, 59, 15, -1, S32_MAX, U64_MAX };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		u64 got = 4711;

		ktrace_thread_put(task(1), 7, KTRACE_THREAD_CODE, 1234);
		ktrace_thread_put(task(1), 7, KTRACE_THREAD_CODE, values[i]);
		KUNIT_EXPECT_TRUE(test, ktrace_thread_set(task(1), KTRACE_THREAD_HELD));
		ktrace_thread_clear(task(1), KTRACE_THREAD_IN);
		KUNIT_EXPECT_TRUE(test, ktrace_thread_take(task(1), 7, KTRACE_THREAD_CODE, &got));
		KUNIT_EXPECT_EQ(test, got, values[i]);
		got = 4711;
		KUNIT_EXPECT_FALSE(test, ktrace_thread_take(task(1), 7, KTRACE_THREAD_CODE, &got));
		KUNIT_EXPECT_EQ(test, got, 4711ULL);
		KUNIT_EXPECT_TRUE(test, ktrace_thread_test(task(1), KTRACE_THREAD_HELD));
		ktrace_thread_clear(task(1), ~0U);
		KUNIT_EXPECT_EQ(test, occupied(), 0U);
	}
}

/* Each flag's value is its own, and of one trace. */
static void values(struct kunit *test)
{
	u64 got;
	u32 i;

	for (i = 0; i < KTRACE_THREAD_VALUES; i++)
		ktrace_thread_put(task(1), 7, 1U << i, 100 + i);
	for (i = 0; i < KTRACE_THREAD_VALUES; i++) {
		KUNIT_EXPECT_TRUE(test, ktrace_thread_get(task(1), 7, 1U << i, &got));
		KUNIT_EXPECT_EQ(test, got, 100ULL + i);
		KUNIT_EXPECT_FALSE(test, ktrace_thread_get(task(1), 8, 1U << i, &got));
		KUNIT_EXPECT_FALSE(test, ktrace_thread_get(task(2), 7, 1U << i, &got));
	}
	KUNIT_EXPECT_TRUE(test, ktrace_thread_take(task(1), 7, KTRACE_THREAD_FAULT, &got));
	KUNIT_EXPECT_EQ(test, got, 102ULL);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_get(task(1), 7, KTRACE_THREAD_FAULT, &got));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_get(task(1), 7, KTRACE_THREAD_STOP, &got));
	/* What another trace remembers of calls comes in place of what there was of them. */
	ktrace_thread_mark(task(1), 8, KTRACE_THREAD_SEEN);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_test(task(1), KTRACE_THREAD_CODE));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_unmark(task(1), 8, KTRACE_THREAD_SEEN));
	/* Structures, faults and stops have generations of their own. */
	KUNIT_EXPECT_TRUE(test, ktrace_thread_get(task(1), 7, KTRACE_THREAD_LEN, &got));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_put(task(1), 8, KTRACE_THREAD_LEN, 16));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_get(task(1), 7, KTRACE_THREAD_LEN, &got));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_put(task(1), 9, KTRACE_THREAD_FAULT, 4096));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_get(task(1), 8, KTRACE_THREAD_FAULT, &got));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_get(task(1), 8, KTRACE_THREAD_STOP, &got));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_take(task(1), 9, KTRACE_THREAD_FAULT, &got));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_take(task(1), 7, KTRACE_THREAD_STOP, &got));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_take(task(1), 8, KTRACE_THREAD_LEN, &got));
	KUNIT_EXPECT_EQ(test, got, 16ULL);
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
}

/* A user takes a share of the table, and no more; others, and root, do not notice. */
static void share(struct kunit *test)
{
	enum { N = SHARE_MOST + 100 };
	struct cred *cred = prepare_kernel_cred(&init_task);
	const struct cred *old;
	u32 i, n = 0, m = 0;

	KUNIT_ASSERT_NOT_NULL(test, cred);
	cred->uid = KUIDT_INIT(1000);
	old = override_creds(cred);
	for (i = 0; i < N; i++)
		n += ktrace_thread_put(task(i), 7, KTRACE_THREAD_STOP, i);
	cred->uid = KUIDT_INIT(1001);
	for (i = N; i < N + 100; i++)
		m += ktrace_thread_put(task(i), 7, KTRACE_THREAD_STOP, i);
	revert_creds(old);
	KUNIT_EXPECT_EQ(test, n, (u32)SHARE_MOST);
	KUNIT_EXPECT_EQ(test, m, 100U);
	for (i = 0; i < N + 100; i++)
		ktrace_thread_clear(task(i), ~0U);
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
	for (i = 0; i < ARRAY_SIZE(shares); i++)
		KUNIT_EXPECT_EQ(test, atomic_read(&shares[i]), 0);
	put_cred(cred);
}

/* More threads than there is room for: who was told yes is remembered, who was told no is not. */
static void crowd(struct kunit *test)
{
	enum { N = 3 * WAYS << SET_BITS };
	unsigned long *yes = kunit_kzalloc(test, BITS_TO_LONGS(N) * sizeof(long), GFP_KERNEL);
	u32 i, n = 0, wrong = 0;

	KUNIT_ASSERT_NOT_NULL(test, yes);
	for (i = 0; i < N; i++) {
		ktrace_thread_put(task(i), 7, KTRACE_THREAD_CODE, i);
		if (ktrace_thread_test(task(i), KTRACE_THREAD_CODE)) {
			__set_bit(i, yes);
			n++;
		}
	}
	KUNIT_EXPECT_EQ(test, occupied(), n);
	/* The hash spreads them: most of the table is in use. */
	KUNIT_EXPECT_GE(test, n, (u32)(WAYS << SET_BITS) * 3 / 4);
	for (i = 0; i < N; i++) {
		u64 got = U64_MAX;

		if (ktrace_thread_test(task(i), KTRACE_THREAD_CODE) != test_bit(i, yes))
			wrong++;
		if (ktrace_thread_take(task(i), 7, KTRACE_THREAD_CODE, &got) != test_bit(i, yes))
			wrong++;
		if (got != (test_bit(i, yes) ? i : U64_MAX))
			wrong++;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
}

/* A mark is there once, and only in the trace that made it. */
static void marks(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, ktrace_thread_unmark(task(1), 7, KTRACE_THREAD_ABI));
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
	ktrace_thread_mark(task(1), 7, KTRACE_THREAD_ABI);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_unmark(task(2), 7, KTRACE_THREAD_ABI));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_unmark(task(1), 7, KTRACE_THREAD_ABI));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_unmark(task(1), 7, KTRACE_THREAD_ABI));
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
	ktrace_thread_mark(task(1), 7, KTRACE_THREAD_ABI);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_unmark(task(1), 8, KTRACE_THREAD_ABI));
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
	ktrace_thread_mark(task(1), 7, KTRACE_THREAD_ABI);
	ktrace_thread_enter(task(1), 8);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_unmark(task(1), 8, KTRACE_THREAD_ABI));
	ktrace_thread_clear(task(1), ~0U);
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
}

/*
 * A thousand threads that all sleep, as many sizes of task_struct as there are kernels:
 * each is remembered.
 */
static void room(struct kunit *test)
{
	static const u32 sizes[] = { 64, 4096, 9472, 9792, 10240, 16384 };
	u32 s, i, full;

	for (s = 0; s < ARRAY_SIZE(sizes); s++) {
		full = 0;
		for (i = 0; i < 1000; i++) {
			struct task_struct *t = task((u64)i * sizes[s] / 64);

			ktrace_thread_put(t, 7, KTRACE_THREAD_STOP, i);
			full += !ktrace_thread_test(t, KTRACE_THREAD_STOP);
		}
		KUNIT_EXPECT_EQ_MSG(test, full, 0U, "%u bytes", sizes[s]);
		for (i = 0; i < 1000; i++)
			ktrace_thread_clear(task((u64)i * sizes[s] / 64), ~0U);
		KUNIT_EXPECT_EQ(test, occupied(), 0U);
	}
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
	u64 got;

	ktrace_thread_put(task(1), 7, KTRACE_THREAD_CODE, 59);
	KUNIT_EXPECT_FALSE(test, ktrace_thread_take(task(1), 8, KTRACE_THREAD_CODE, &got));
	KUNIT_EXPECT_EQ(test, occupied(), 0U);

	ktrace_thread_put(task(1), 7, KTRACE_THREAD_CODE, 59);
	ktrace_thread_enter(task(2), 7);
	ktrace_thread_put(task(3), 7, KTRACE_THREAD_CODE, 15);
	KUNIT_EXPECT_TRUE(test, ktrace_thread_set(task(3), KTRACE_THREAD_HELD));
	ktrace_thread_forget();
	KUNIT_EXPECT_FALSE(test, ktrace_thread_take(task(1), 7, KTRACE_THREAD_CODE, &got));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_leave(task(2), 7));
	KUNIT_EXPECT_FALSE(test, ktrace_thread_take(task(3), 7, KTRACE_THREAD_CODE, &got));
	KUNIT_EXPECT_TRUE(test, ktrace_thread_test(task(3), KTRACE_THREAD_HELD));
	ktrace_thread_clear(task(2), ~0U);
	ktrace_thread_clear(task(3), ~0U);
	KUNIT_EXPECT_EQ(test, occupied(), 0U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(flags),
	KUNIT_CASE(value),
	KUNIT_CASE(values),
	KUNIT_CASE(refused),
	KUNIT_CASE(stale),
	KUNIT_CASE(room),
	KUNIT_CASE(crowd),
	KUNIT_CASE(marks),
	KUNIT_CASE(share),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_thread",
	.test_cases = cases,
};

kunit_test_suite(suite);
