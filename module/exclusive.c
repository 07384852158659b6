// SPDX-License-Identifier: GPL-2.0
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>

#include "compat.h"
#include "exclusive.h"
#include "proc.h"

/* Far more than it takes: see for_all(). */
#define PASSES 64

/* (written under hooks_lock; read by whoever changes flags) */
enum ktrace_exclusive ktrace_exclusive_now;
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
 * ktrace_exclusive_set_task - a task gets the flag if its process is traced, or all get it
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
	changed = give(task,
		       READ_ONCE(ktrace_exclusive_now) != KTRACE_EXCLUSIVE_ON || is_traced(task));
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
 * next, one grace period later.  The probe of the fork sees to what it is to have, so
 * that nobody hands on what is wrong, however fast they come: the second pass finds
 * nothing, as a rule.
 */
static void for_all(void)
{
	struct task_struct *process, *thread;
	bool changed = true;
	int i;

	for (i = 0; changed && i < PASSES; i++) {
		changed = false;
		rcu_read_lock();
		for_each_process_thread(process, thread)
			changed |= ktrace_exclusive_set_task(thread);
		rcu_read_unlock();
		synchronize_rcu();
	}
}

/** ktrace_exclusive_begin - Context: hooks_lock held, the hooks are registered; may sleep. */
void ktrace_exclusive_begin(void)
{
	if (ktrace_exclusive_now)
		return;
	WRITE_ONCE(ktrace_exclusive_now, KTRACE_EXCLUSIVE_ON);
	synchronize_rcu(); /* each fork sees to its child */
	for_all();
}

/**
 * ktrace_exclusive_end - all tasks have the flag again
 *
 * Context: hooks_lock held, the hooks are still registered; may sleep.
 */
void ktrace_exclusive_end(void)
{
	if (!ktrace_exclusive_now)
		return;
	WRITE_ONCE(ktrace_exclusive_now, KTRACE_EXCLUSIVE_ENDING);
	synchronize_rcu(); /* nobody takes a flag away any more, each fork gives it to its child */
	for_all();
	WRITE_ONCE(ktrace_exclusive_now, KTRACE_EXCLUSIVE_OFF);
}
