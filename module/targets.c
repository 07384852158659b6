// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "targets.h"

/* Add a process; counts also what finds no room. */
static void add(struct ktrace_targets *t, struct task_struct *task)
{
	if (t->nr < t->max)
		t->task[t->nr] = get_task_struct(task);
	t->nr++;
}

static bool gone(struct task_struct *task)
{
	return !atomic_read(&task->signal->live) && READ_ONCE(task->exit_state);
}

/**
 * ktrace_targets_descends - is a process one of some, or a descendant?
 * @task: of it
 * @roots: the ancestors
 *
 * Context: RCU reader.
 */
bool ktrace_targets_descends(struct task_struct *task, const struct ktrace_targets *roots)
{
	unsigned int i;

	for (; task != &init_task; task = rcu_dereference(task->real_parent))
		for (i = 0; i < roots->nr; i++)
			if (task->signal == roots->task[i]->signal)
				return true;
	return false;
}

static void find_roots(struct ktrace_targets *t, pid_t pid)
{
	struct task_struct *task;
	struct pid *p;

	if (pid > 0) {
		task = pid_task(find_vpid(pid), PIDTYPE_TGID);
		if (task && !gone(task))
			add(t, task);
	} else if (pid < 0 && pid != INT_MIN) {
		p = find_vpid(-pid);
		if (!p)
			return;
		hlist_for_each_entry_rcu(task, &p->tasks[PIDTYPE_PGID], pid_links[PIDTYPE_PGID])
			if (!gone(task))
				add(t, task);
	}
}

static void find_descendants(struct ktrace_targets *t, const struct ktrace_targets *roots)
{
	struct task_struct *task;

	for_each_process(task)
		if (!gone(task) && ktrace_targets_descends(task, roots))
			add(t, task);
}

/* Fill @t, with room for all. */
static int find(struct ktrace_targets *t, pid_t pid, const struct ktrace_targets *roots)
{
	unsigned int need = 16;

	for (;;) {
		t->nr = 0;
		t->max = need;
		t->task = kvmalloc_array(need, sizeof(*t->task), GFP_KERNEL_ACCOUNT);
		if (!t->task)
			return -ENOMEM;
		rcu_read_lock();
		if (roots)
			find_descendants(t, roots);
		else
			find_roots(t, pid);
		rcu_read_unlock();
		if (t->nr <= t->max)
			return 0;
		need = t->nr + t->nr / 4;
		t->nr = t->max;
		ktrace_targets_put(t);
	}
}

/**
 * ktrace_targets_find - the processes that (pid, descend) means right now
 * @t: gets them
 * @pid: as the caller sees it; below zero: the process group -pid
 * @descend: their descendants too
 *
 * Context: may sleep.
 * Return: 0; -ESRCH if there are none, or only zombies; -ENOMEM.
 */
int ktrace_targets_find(struct ktrace_targets *t, pid_t pid, bool descend)
{
	struct ktrace_targets roots;
	int err;

	err = find(&roots, pid, NULL);
	if (err)
		return err;
	if (!roots.nr) {
		ktrace_targets_put(&roots);
		return -ESRCH;
	}
	if (!descend) {
		*t = roots;
		return 0;
	}
	err = find(t, 0, &roots);
	ktrace_targets_put(&roots);
	return err;
}

/** ktrace_targets_put - let them go */
void ktrace_targets_put(struct ktrace_targets *t)
{
	while (t->nr)
		put_task_struct(t->task[--t->nr]);
	kvfree(t->task);
	t->task = NULL;
}
