/* SPDX-License-Identifier: GPL-2.0 */
/*
 * exclusive: who is not traced pays nothing (kern.ktrace.exclusive).
 *
 * A task has a flag that sends its system calls past the tracepoints sys_enter
 * and sys_exit.  The kernel sets it for all tasks while anybody uses these
 * tracepoints, and a child gets its parent's.  While we are exclusive only
 * threads of processes whose calls are traced have it; afterwards all have it
 * again, and if we were the only user the kernel takes it away from all.
 *
 * Who changes flags: begin and end, for all tasks, under hooks_lock; whoever
 * changes what a process is traced for, for its threads, with proc->lock held;
 * and a fork, for the child.  A lock of its own (inside
 * proc->lock) makes each look at the process one with the change that follows
 * from it.
 */
#ifndef KTRACE_EXCLUSIVE_H
#define KTRACE_EXCLUSIVE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "compat.h"

struct ktrace_proc;
struct task_struct;

/**
 * enum ktrace_exclusive - who has the flag
 * @KTRACE_EXCLUSIVE_OFF: all, as the kernel does it
 * @KTRACE_EXCLUSIVE_ON: only those who are traced
 * @KTRACE_EXCLUSIVE_ENDING: it is given back, also to each new task
 */
enum ktrace_exclusive {
	KTRACE_EXCLUSIVE_OFF,
	KTRACE_EXCLUSIVE_ON,
	KTRACE_EXCLUSIVE_ENDING,
};

extern enum ktrace_exclusive ktrace_exclusive_now;

void ktrace_exclusive_begin(void);
void ktrace_exclusive_end(void);
void ktrace_exclusive_set_proc(const struct ktrace_proc *proc);
bool ktrace_exclusive_set_task(struct task_struct *task);

/**
 * ktrace_exclusive_follow - what a process is traced for has changed
 * @proc: it
 *
 * Context: proc->lock held.
 */
static inline void ktrace_exclusive_follow(const struct ktrace_proc *proc)
{
	if (unlikely(READ_ONCE(ktrace_exclusive_now)))
		ktrace_exclusive_set_proc(proc);
}

/**
 * ktrace_exclusive_fork - a new task has its parent's flag
 * @child: it
 *
 * Context: guarded; it has not run yet.
 */
static inline void ktrace_exclusive_fork(struct task_struct *child)
{
	if (unlikely(READ_ONCE(ktrace_exclusive_now)))
		ktrace_exclusive_set_task(child);
}

/**
 * ktrace_exclusive_odd - is the flag of an untraced process's child wrong?
 *
 * The process was traced, then, when the child copied it; or it had not got the flag back.
 * Context: any.
 */
static inline bool ktrace_exclusive_odd(struct task_struct *child)
{
	enum ktrace_exclusive now = READ_ONCE(ktrace_exclusive_now);

	return unlikely(now) && ktrace_syscall_flag(child) == (now == KTRACE_EXCLUSIVE_ON);
}

#endif /* KTRACE_EXCLUSIVE_H */
