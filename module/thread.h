/* SPDX-License-Identifier: GPL-2.0 */
/*
 * thread: what must be remembered about a single thread, for a while.
 *
 * A table of fixed size keyed by task_struct, with an entry only while there
 * is something to remember.  Each entry is written by its own task only, with
 * preemption disabled (but for ktrace_thread_forget(), and by the CPU that is
 * about to switch to it: then it does not run); taking a free entry is a
 * cmpxchg.
 * When all entries of its two sets are taken, nothing is remembered: the caller gets
 * what it would get without (documented at each flag).
 */
#ifndef KTRACE_THREAD_H
#define KTRACE_THREAD_H

#include <linux/atomic.h>
#include <linux/types.h>

struct task_struct;

/**
 * enum ktrace_thread_flag - what is remembered
 *
 * Plain flags:
 * @KTRACE_THREAD_IN: inside an ioctl of ours: its path lookups are not the
 *	program's.  (Full: they are recorded.)
 * @KTRACE_THREAD_HELD: a hold-back is armed.  (Full: one per record.)
 *
 * Flags of a call, in the trace of one generation:
 * @KTRACE_THREAD_SEEN: a call of it was seen to begin or end, since there was a
 *	filter
 * @KTRACE_THREAD_ENTERED: it is in a call that was seen to begin.  These two are
 *	kept of threads with seccomp filters only.  (Full: a call that was refused
 *	has no CALL.)
 * @KTRACE_THREAD_ABI: it is in a call of another ABI than its process's, and the
 *	file says so.  (Full: the file says so twice, and when the thread ends in
 *	that call it never takes that back.)
 *
 * With a value each, in the trace of one generation:
 * @KTRACE_THREAD_CODE: number and ABI of a call that loses them on the way: exec
 *	and sigreturn.  (Full: RET has the number that the kernel says.)
 * @KTRACE_THREAD_LEN: the size of the address buffer that its call was given.
 *	(Full: an address that was cut looks whole.)
 * @KTRACE_THREAD_FAULT: the address of a page fault that has no FAULTEND yet.
 *	(Full: it gets none.)
 * @KTRACE_THREAD_STOP: what the CSW record of its stop said.  (Full: that of its
 *	resume does not say it.)
 *
 * @KTRACE_THREAD_WATCHED: the end of that page fault is waited for
 */
enum ktrace_thread_flag {
	KTRACE_THREAD_CODE = 1 << 0,
	KTRACE_THREAD_LEN = 1 << 1,
	KTRACE_THREAD_FAULT = 1 << 2,
	KTRACE_THREAD_STOP = 1 << 3,
#define KTRACE_THREAD_VALUES 4 /* flags with a value: the lowest */
	KTRACE_THREAD_IN = 1 << 4,
	KTRACE_THREAD_HELD = 1 << 5,
	KTRACE_THREAD_SEEN = 1 << 6,
	KTRACE_THREAD_ENTERED = 1 << 7,
	KTRACE_THREAD_ABI = 1 << 8,
	KTRACE_THREAD_WATCHED = 1 << 9,
};

extern atomic_t ktrace_thread_inside; /* threads with KTRACE_THREAD_IN */

bool ktrace_thread_set(struct task_struct *task, u32 flag);
bool ktrace_thread_put(struct task_struct *task, u32 generation, u32 flag, u64 value);
bool ktrace_thread_get(const struct task_struct *task, u32 generation, u32 flag, u64 *value);
bool ktrace_thread_take(struct task_struct *task, u32 generation, u32 flag, u64 *value);
bool ktrace_thread_test(const struct task_struct *task, u32 flag);
void ktrace_thread_mark(struct task_struct *task, u32 generation, u32 flag);
bool ktrace_thread_unmark(struct task_struct *task, u32 generation, u32 flag);
void ktrace_thread_enter(struct task_struct *task, u32 generation);
int ktrace_thread_leave(struct task_struct *task, u32 generation);
void ktrace_thread_forget(void);
void ktrace_thread_clear(struct task_struct *task, u32 flags);

/** ktrace_thread_is_inside - is current inside an ioctl of ours? */
static __always_inline bool ktrace_thread_is_inside(const struct task_struct *task)
{
	return unlikely(atomic_read(&ktrace_thread_inside)) &&
	       ktrace_thread_test(task, KTRACE_THREAD_IN);
}

#endif /* KTRACE_THREAD_H */
