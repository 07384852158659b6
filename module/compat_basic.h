/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat_basic: the part of compat.h that every architecture has: what the KUnit tests are built
 * with, too.
 */
#ifndef KTRACE_COMPAT_BASIC_H
#define KTRACE_COMPAT_BASIC_H

#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/version.h>

/* x86's, and since 6.1.31 (uaccess: Add speculation barrier to copy_from_user()) everybody's. */
#ifndef barrier_nospec
#define barrier_nospec() ((void)0)
#endif

/* 5.14 (sched: Change task_struct::state) */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
#define KTRACE_TASK_STATE __state
#else
#define KTRACE_TASK_STATE state
#endif

/* Is it a child that fork() has not woken up? */
static inline bool ktrace_task_newborn(const struct task_struct *task)
{
	/* What fork() locked before it did so, is locked when we look behind this. */
	return smp_load_acquire(&task->KTRACE_TASK_STATE) == TASK_NEW;
}

#endif /* KTRACE_COMPAT_BASIC_H */
