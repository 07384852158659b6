// SPDX-License-Identifier: GPL-2.0
/* Suite ktrace_wmesg: the word of a CSW record, from the name of a function. */
#include <kunit/test.h>

#include "wmesg.h"

#include "wmesg.c"

/* The word as bytes, the highest of which must be free. */
static const char *text(u64 wmesg)
{
	static char bytes[9];
	int i;

	for (i = 0; i < 8; i++)
		bytes[i] = wmesg >> (8 * i);
	return bytes;
}

static void words(struct kunit *test)
{
	static const struct {
		const char *symbol, *word;
	} cases[] = {
		{ "futex_wait_queue", "futex_w" },
		{ "do_wait", "do_wait" },
		{ "do_wait.part.0", "do_wait" },
		{ "ep_poll", "ep_poll" },
		{ "pause", "pause" },
		{ "x", "x" },
		{ "go [module]", "go" },
		{ "eight_ch [module]", "eight_c" },
		{ "0xffffffffc0123456", "-" },
		{ "0x", "-" },
		{ "0", "0" },
		{ "", "-" },
		{ " [module]", "-" },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 wmesg = ktrace_wmesg(cases[i].symbol);

		KUNIT_EXPECT_STREQ_MSG(test, text(wmesg), cases[i].word, "%s", cases[i].symbol);
		KUNIT_EXPECT_EQ(test, wmesg >> 56, 0ULL);
	}
	KUNIT_EXPECT_STREQ(test, text(KTRACE_WMESG_PREEMPT), "preempt");
	KUNIT_EXPECT_STREQ(test, text(KTRACE_WMESG_UNKNOWN), "-");
}

/* What is asleep in one of these sleeps elsewhere: in its caller. */
static void scheduler_names(struct kunit *test)
{
	static const char *const yes[] = {
		"__schedule",
		"schedule",
		"schedule_timeout",
		"schedule_hrtimeout_range_clock",
		"schedule_preempt_disabled",
		"io_schedule",
		"io_schedule_timeout",
		"do_nanosleep",
		"__mutex_lock.constprop.0",
		"rwsem_down_write_slowpath",
		"down_read_killable",
		"wait_for_completion_killable",
		"rt_mutex_slowlock_block.constprop.0",
	};
	static const char *const no[] = {
		"__traceiter_sched_switch",
		"ktrace_probe_switch [ktrace]",
		"hrtimer_nanosleep",
		"futex_wait_queue",
		"pipe_read",
		"wait_for_vfork_done",
		"do_wait",
		"sched_yield",
		"mutex",
		"0xffffffffc0123456",
		"",
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(yes); i++)
		KUNIT_EXPECT_TRUE_MSG(test, ktrace_wmesg_scheduler(yes[i]), "%s", yes[i]);
	for (i = 0; i < ARRAY_SIZE(no); i++)
		KUNIT_EXPECT_FALSE_MSG(test, ktrace_wmesg_scheduler(no[i]), "%s", no[i]);
}

static struct kunit_case wmesg_cases[] = { KUNIT_CASE(words), KUNIT_CASE(scheduler_names), {} };

static struct kunit_suite wmesg_suite = {
	.name = "ktrace_wmesg",
	.test_cases = wmesg_cases,
};

kunit_test_suite(wmesg_suite);
