/* SPDX-License-Identifier: GPL-2.0 */
/*
 * thread: what must be remembered about a single thread, for a while.
 *
 * A table of fixed size keyed by task_struct, with an entry only while there
 * is something to remember.  Each entry is written by its own task only, in
 * process context with preemption disabled (but for ktrace_thread_forget());
 * taking a free entry is a cmpxchg.
 * When all entries of a set are taken, nothing is remembered: the caller gets
 * what it would get without (documented at each flag).
 */
#ifndef KTRACE_THREAD_H
#define KTRACE_THREAD_H

#include <linux/types.h>

struct task_struct;

/**
 * enum ktrace_thread_flag - what is remembered
 * @KTRACE_THREAD_IN: inside an ioctl of ours: its path lookups are not the
 *	program's.  (Full: they are recorded.)
 * @KTRACE_THREAD_HELD: a hold-back is armed.  (Full: one per record.)
 * @KTRACE_THREAD_CODE: a call that loses its number on the way: exec and
 *	sigreturn; the value is the number.  (Full: RET has the number that the
 *	kernel says.)
 * @KTRACE_THREAD_SEEN: a call of it was seen to begin or end, in the trace of
 *	this generation
 * @KTRACE_THREAD_ENTERED: it is in a call that was seen to begin.  These two are
 *	kept of threads with seccomp filters only.  (Full: a call that was refused
 *	has no CALL.)
 */
enum ktrace_thread_flag {
	KTRACE_THREAD_IN = 1,
	KTRACE_THREAD_HELD = 2,
	KTRACE_THREAD_CODE = 4,
	KTRACE_THREAD_SEEN = 8,
	KTRACE_THREAD_ENTERED = 16,
};

bool ktrace_thread_set(struct task_struct *task, u32 flag);
void ktrace_thread_set_code(struct task_struct *task, u32 generation, s32 code);
bool ktrace_thread_test(const struct task_struct *task, u32 flag);
bool ktrace_thread_take_code(struct task_struct *task, u32 generation, s32 *code);
void ktrace_thread_enter(struct task_struct *task, u32 generation);
bool ktrace_thread_leave(struct task_struct *task, u32 generation);
void ktrace_thread_forget(void);
void ktrace_thread_clear(struct task_struct *task, u32 flags);

#endif /* KTRACE_THREAD_H */
