// SPDX-License-Identifier: GPL-2.0
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "targets.h"

#define GROUP_ROUNDS 8

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

/* Where @sig is in the hash, or would be.  It is never full. */
static const struct signal_struct **place_of(const struct ktrace_targets *t,
					     const struct signal_struct *sig)
{
	unsigned int i = hash_ptr(sig, 32) & t->mask;

	while (t->sig[i] && t->sig[i] != sig)
		i = (i + 1) & t->mask;
	return &t->sig[i];
}

/**
 * ktrace_targets_has - is a process one of them?
 * @t: from ktrace_targets_below()
 * @sig: the process's
 *
 * Context: any.
 */
bool ktrace_targets_has(const struct ktrace_targets *t, const struct signal_struct *sig)
{
	return *place_of(t, sig);
}

static void drop_all(struct ktrace_targets *t)
{
	while (t->nr) {
		t->nr--;
		if (t->nr < t->max)
			put_task_struct(t->task[t->nr]);
	}
}

/*
 * Add the processes of a group.  False: one left it while we looked at it, and what came behind
 * that was the group that it went to.
 */
static bool add_group(struct ktrace_targets *t, struct pid *group)
{
	struct task_struct *task;

	hlist_for_each_entry_rcu(task, &group->tasks[PIDTYPE_PGID], pid_links[PIDTYPE_PGID]) {
		if (gone(task))
			continue;
		if (task_pgrp(task) != group)
			return false;
		add(t, task);
	}
	return true;
}

static void find_roots(struct ktrace_targets *t, pid_t pid)
{
	struct task_struct *task;
	unsigned int again;
	struct pid *group;

	if (pid > 0) {
		task = pid_task(find_vpid(pid), PIDTYPE_TGID);
		if (task && !gone(task))
			add(t, task);
	} else if (pid < 0 && pid != INT_MIN) {
		group = find_vpid(-pid);
		/* If they do nothing but leave and come, then those that were there. */
		for (again = 0; group && !add_group(t, group) && again < GROUP_ROUNDS; again++)
			drop_all(t);
	}
}

/*
 * The kernel's list has each process behind those that it descends from, also after an exec by
 * another thread, and after it was given to another parent: that is an ancestor.  So one look at
 * each one's parent is enough, however deep they are.
 */
static void find_descendants(struct ktrace_targets *t, const struct ktrace_targets *roots)
{
	struct task_struct *task;
	unsigned int i;

	for (i = 0; i < roots->nr; i++)
		*place_of(t, roots->task[i]->signal) = roots->task[i]->signal;
	for_each_process(task) {
		if (gone(task) ||
		    !(ktrace_targets_has(t, task->signal) ||
		      ktrace_targets_has(t, rcu_dereference(task->real_parent)->signal)))
			continue;
		if (t->nr < t->max)
			*place_of(t, task->signal) = task->signal;
		add(t, task);
	}
}

/* Room for @need processes, with a hash that those and @more leave half empty. */
static int make_room(struct ktrace_targets *t, unsigned int need, unsigned int more, bool hash)
{
	*t = (struct ktrace_targets){ .max = need };
	t->task = kvmalloc_array(need, sizeof(*t->task), GFP_KERNEL_ACCOUNT);
	if (!t->task)
		return -ENOMEM;
	if (!hash)
		return 0;
	t->mask = roundup_pow_of_two(2 * (need + more)) - 1;
	t->sig = kvcalloc(t->mask + 1, sizeof(*t->sig), GFP_KERNEL_ACCOUNT);
	if (!t->sig) {
		ktrace_targets_put(t);
		return -ENOMEM;
	}
	return 0;
}

/* Fill @t, with room for all. */
static int find(struct ktrace_targets *t, pid_t pid, const struct ktrace_targets *roots)
{
	unsigned int need = roots ? roots->nr + 64 : 16;
	int err;

	for (;;) {
		err = make_room(t, need, roots ? roots->nr : 0, roots);
		if (err)
			return err;
		rcu_read_lock();
		if (roots)
			find_descendants(t, roots);
		else
			find_roots(t, pid);
		rcu_read_unlock();
		if (t->nr <= t->max)
			return 0;
		need = t->nr + t->nr / 4;
		ktrace_targets_put(t);
	}
}

/**
 * ktrace_targets_below - processes and all their descendants
 * @t: gets them
 * @roots: the processes
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM.
 */
int ktrace_targets_below(struct ktrace_targets *t, const struct ktrace_targets *roots)
{
	return find(t, 0, roots);
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
	err = ktrace_targets_below(t, &roots);
	ktrace_targets_put(&roots);
	return err;
}

/** ktrace_targets_put - let them go */
void ktrace_targets_put(struct ktrace_targets *t)
{
	drop_all(t);
	kvfree(t->task);
	kvfree(t->sig);
	*t = (struct ktrace_targets){};
}
