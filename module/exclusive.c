// SPDX-License-Identifier: GPL-2.0
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>

#include "compat.h"
#include "exclusive.h"
#include "proc.h"

#define PASSES 8

/*
 * Do only those who are traced have the flag?  (written under hooks_lock; read by whoever
 * changes flags)
 */
bool ktrace_exclusive_on;
/* A task's flag, together with the look at its process (inside proc->lock; any context). */
static DEFINE_RAW_SPINLOCK(flags_lock);

static bool is_traced(const struct task_struct *task)
{
	const struct ktrace_proc *proc = ktrace_proc_find(task->signal);

	return proc && READ_ONCE(proc->points) & KTRACE_PAIRED;
}

/* Return: did that change anything? */
static bool give(struct task_struct *task, bool flag)
{
	if (ktrace_syscall_flag(task) == flag)
		return false;
	ktrace_set_syscall_flag(task, flag);
	return true;
}

/**
 * ktrace_exclusive_set_task - a task gets the flag if its process is traced
 * @task: it
 *
 * Context: RCU reader or preemption disabled.
 * Return: did that change anything?
 */
bool ktrace_exclusive_set_task(struct task_struct *task)
{
	unsigned long irqs;
	bool changed;

	raw_spin_lock_irqsave(&flags_lock, irqs);
	changed = give(task, is_traced(task));
	raw_spin_unlock_irqrestore(&flags_lock, irqs);
	return changed;
}

/** ktrace_exclusive_set_proc - likewise all threads of a process.  Context: proc->lock held. */
void ktrace_exclusive_set_proc(const struct ktrace_proc *proc)
{
	struct task_struct *leader, *thread;

	rcu_read_lock();
	leader = pid_task(proc->pid, PIDTYPE_TGID);
	if (leader)
		for_each_thread(leader, thread)
			ktrace_exclusive_set_task(thread);
	rcu_read_unlock();
}

/*
 * A task that is being made has copied the flag of its parent with interrupts
 * off, after it got into the list: who was missed by one pass is found by the
 * next, one grace period later.
 */
static void for_all(bool (*change)(struct task_struct *task))
{
	struct task_struct *process, *thread;
	bool changed = true;
	int i;

	for (i = 0; changed && i < PASSES; i++) {
		changed = false;
		rcu_read_lock();
		for_each_process_thread(process, thread)
			changed |= change(thread);
		rcu_read_unlock();
		synchronize_rcu();
	}
}

static bool give_back(struct task_struct *task)
{
	return give(task, true);
}

/** ktrace_exclusive_begin - Context: hooks_lock held, the hooks are registered; may sleep. */
void ktrace_exclusive_begin(void)
{
	if (ktrace_exclusive_on)
		return;
	WRITE_ONCE(ktrace_exclusive_on, true);
	for_all(ktrace_exclusive_set_task);
}

/**
 * ktrace_exclusive_end - all tasks have the flag again
 *
 * Context: hooks_lock held, the hooks are still registered; may sleep.
 */
void ktrace_exclusive_end(void)
{
	if (!ktrace_exclusive_on)
		return;
	WRITE_ONCE(ktrace_exclusive_on, false);
	synchronize_rcu(); /* nobody takes a flag away any more */
	for_all(give_back);
}
