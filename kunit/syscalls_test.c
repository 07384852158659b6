// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_syscalls: how many arguments a call has.
 */
#include <linux/limits.h>
#include <kunit/test.h>

#include "ktrace_format.h"
#include "ktrace_syscalls.h"

static const struct {
	long nr;
	int narg;
} x86_64[] = {
	{ 0, 3 } /* read */, { 1, 3 } /* write */, { 3, 1 } /* close */, { 9, 6 } /* mmap */,
	{ 17, 4 } /* pread64 */, { 24, 0 } /* sched_yield */, { 39, 0 } /* getpid */,
	{ 44, 6 } /* sendto */, { 56, 5 } /* clone */, { 57, 0 } /* fork */, { 59, 3 } /* execve */,
	{ 60, 1 } /* exit */, { 62, 2 } /* kill */, { 72, 3 } /* fcntl */, { 110, 0 } /* getppid */,
	{ 157, 5 } /* prctl */, { 202, 6 } /* futex */, { 231, 1 } /* exit_group */,
	{ 257, 4 } /* openat */, { 262, 4 } /* newfstatat */, { 332, 5 } /* statx */,
	{ 334, 4 } /* rseq */, { 435, 2 } /* clone3 */, { 437, 4 } /* openat2 */,
}, i386[] = {
	{ 1, 1 } /* exit */, { 2, 0 } /* fork */, { 3, 3 } /* read */, { 4, 3 } /* write */,
	{ 5, 3 } /* open */, { 11, 3 } /* execve */, { 20, 0 } /* getpid */, { 37, 2 } /* kill */,
	{ 102, 2 } /* socketcall */, { 117, 6 } /* ipc */, { 180, 5 } /* pread64: two for the offset */,
	{ 192, 6 } /* mmap2 */, { 240, 6 } /* futex */, { 252, 1 } /* exit_group */,
	{ 295, 4 } /* openat */, { 383, 5 } /* statx */,
}, arm64[] = {
	{ 25, 3 } /* fcntl */, { 56, 4 } /* openat */, { 57, 1 } /* close */, { 63, 3 } /* read */,
	{ 64, 3 } /* write */, { 67, 4 } /* pread64 */, { 72, 6 } /* pselect6 */,
	{ 79, 4 } /* newfstatat */, { 93, 1 } /* exit */, { 94, 1 } /* exit_group */,
	{ 98, 6 } /* futex */, { 124, 0 } /* sched_yield */, { 129, 2 } /* kill */,
	{ 139, 0 } /* rt_sigreturn */, { 172, 0 } /* getpid */, { 206, 6 } /* sendto */,
	{ 220, 5 } /* clone */, { 221, 3 } /* execve */, { 222, 6 } /* mmap */,
	{ 281, 5 } /* execveat */, { 291, 5 } /* statx */, { 435, 2 } /* clone3 */,
	{ 462, 3 } /* mseal */, { 244, 6 } /* none */,
}, arm[] = {
	{ 1, 1 } /* exit */, { 2, 0 } /* fork */, { 3, 3 } /* read */, { 5, 3 } /* open */,
	{ 7, 6 } /* none: waitpid of the old ABI */, { 11, 3 } /* execve */,
	{ 102, 6 } /* none: socketcall of the old ABI */, { 119, 0 } /* sigreturn */,
	{ 180, 6 } /* pread64: one is skipped, two for the offset */, { 192, 6 } /* mmap2 */,
	{ 193, 4 } /* truncate64: likewise */, { 240, 6 } /* futex */, { 289, 4 } /* send */,
	{ 322, 4 } /* openat */, { 387, 5 } /* execveat */, { 397, 5 } /* statx */,
};

static void spot(struct kunit *test, int narg, int want, const char *abi, long nr)
{
	KUNIT_EXPECT_EQ_MSG(test, narg, want, "%s %ld", abi, nr);
}

static void spots(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(x86_64); i++)
		spot(test, ktrace_narg_x86_64(x86_64[i].nr), x86_64[i].narg, "x86-64",
		     x86_64[i].nr);
	for (i = 0; i < ARRAY_SIZE(i386); i++)
		spot(test, ktrace_narg_i386(i386[i].nr), i386[i].narg, "i386", i386[i].nr);
	for (i = 0; i < ARRAY_SIZE(arm64); i++)
		spot(test, ktrace_narg_arm64(arm64[i].nr), arm64[i].narg, "arm64", arm64[i].nr);
	for (i = 0; i < ARRAY_SIZE(arm); i++)
		spot(test, ktrace_narg_arm(arm[i].nr), arm[i].narg, "arm", arm[i].nr);
}

/* Any number is an index that was checked: 6 outside the table, 0 to 6 inside. */
static void bounds(struct kunit *test)
{
	static const long outside[] = {
		-1,
		-2,
		LONG_MIN,
		LONG_MAX,
		INT_MAX,
		INT_MIN,
		4096,
		32768,
		65536,
		0x40000000,
#if BITS_PER_LONG == 64
		1L << 32,
		(1L << 32) + 39,
#endif
	};
	static const struct {
		int (*narg)(long nr);
		u32 count;
	} abis[] = {
		{ ktrace_narg_x86_64, ARRAY_SIZE(ktrace_nargs_x86_64) },
		{ ktrace_narg_i386, ARRAY_SIZE(ktrace_nargs_i386) },
		{ ktrace_narg_arm64, ARRAY_SIZE(ktrace_nargs_arm64) },
		{ ktrace_narg_arm, ARRAY_SIZE(ktrace_nargs_arm) },
	};
	long nr;
	u32 a, i;

	for (a = 0; a < ARRAY_SIZE(abis); a++) {
		for (i = 0; i < ARRAY_SIZE(outside); i++)
			KUNIT_EXPECT_EQ_MSG(test, abis[a].narg(outside[i]), 6, "%ld", outside[i]);
		KUNIT_EXPECT_EQ(test, abis[a].narg(abis[a].count), 6);
		for (nr = -600; nr < 600; nr++) {
			KUNIT_EXPECT_LE_MSG(test, abis[a].narg(nr), KTRACE_MAX_ARGS, "%ld", nr);
			KUNIT_EXPECT_GE_MSG(test, abis[a].narg(nr), 0, "%ld", nr);
		}
	}
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(spots),
	KUNIT_CASE(bounds),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_syscalls",
	.test_cases = cases,
};

kunit_test_suite(suite);
