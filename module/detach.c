// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "deferred.h"
#include "detach.h"
#include "hooks.h"
#include "proc.h"
#include "session.h"
#include "settings.h"

/**
 * ktrace_detach_reserve - room for one more, before a lock is taken
 * @batch: gets it
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int ktrace_detach_reserve(struct ktrace_detach *batch)
{
	unsigned int max = batch->max ? 2 * batch->max : 16;
	struct ktrace_left *left;

	if (batch->nr < batch->max)
		return 0;
	left = kvmalloc_array(max, sizeof(*left), GFP_KERNEL_ACCOUNT);
	if (!left)
		return -ENOMEM;
	if (batch->nr)
		memcpy(left, batch->left, batch->nr * sizeof(*left));
	kvfree(batch->left);
	batch->left = left;
	batch->max = max;
	return 0;
}

/**
 * ktrace_detach_add - something to be drained and let go
 * @batch: with room reserved
 * @s: the session
 * @user: a user comes with it (else a ref)
 * @deferred: dropped later; may be NULL
 *
 * Context: any.
 */
void ktrace_detach_add(struct ktrace_detach *batch, struct ktrace_session *s, bool user,
		       struct ktrace_deferred *deferred)
{
	struct ktrace_left *l = &batch->left[batch->nr++];

	l->session = s;
	l->user = user;
	l->deferred = deferred;
}

/**
 * ktrace_detach_proc_locked - end the trace of a process
 * @batch: with room reserved
 * @proc: hashed, its lock held
 *
 * The hash's reference is dropped: the caller has one of its own.
 */
void ktrace_detach_proc_locked(struct ktrace_detach *batch, struct ktrace_proc *proc)
{
	struct ktrace_deferred *d = proc->leave;
	struct ktrace_session *s;
	u32 points;

	proc->leave = NULL;
	s = ktrace_proc_leave(proc, &points);
	if (s) {
		ktrace_hooks_put(points);
		ktrace_detach_add(batch, s, true, d);
	}
	ktrace_proc_put(proc);
}

/**
 * ktrace_detach_finish - wait until what was recorded is in the files, let go
 * @batch: emptied and freed
 * @drain: else what is in the rings does not matter
 *
 * Context: may sleep: a grace period, and KTRACE_DRAIN_TIMEOUT if a session is stuck.
 * Return: 0; -EINTR if a fatal signal ended a drain (all is let go even so).
 */
int ktrace_detach_finish(struct ktrace_detach *batch, bool drain)
{
	unsigned long end;
	unsigned int i;
	int err = 0;
	u64 stamp;

	if (batch->nr)
		synchronize_rcu(); /* probes that still saw a point have put their records */
	stamp = ktrace_session_clock();
	end = jiffies + KTRACE_DRAIN_TIMEOUT;
	for (i = 0; drain && i < batch->nr; i++)
		if (ktrace_session_drain(batch->left[i].session, stamp, end, true) == -EINTR)
			err = -EINTR;
	for (i = 0; i < batch->nr; i++) {
		struct ktrace_left *l = &batch->left[i];

		ktrace_deferred_drop(l->deferred);
		if (l->user)
			ktrace_session_put(l->session);
		else
			ktrace_session_unref(l->session);
	}
	kvfree(batch->left);
	memset(batch, 0, sizeof(*batch));
	return err;
}

/* kern.ktrace.filesize_limit_signal: was it this process's record? */
static bool is_over_limit(const struct ktrace_session *s, const struct ktrace_proc *proc)
{
	pid_t pid = READ_ONCE(s->over_limit);

	return pid && READ_ONCE(ktrace_settings.filesize_limit_signal) &&
	       pid_nr_ns(proc->pid, s->pid_ns) == pid;
}

/* Let a process go, if it still is the session's. */
static void detach_one(struct ktrace_detach *batch, struct ktrace_session *s,
		       struct ktrace_proc *proc)
{
	bool over = false;

	spin_lock(&proc->lock);
	if (proc->hashed && rcu_access_pointer(proc->session) == s) {
		over = is_over_limit(s, proc);
		ktrace_detach_proc_locked(batch, proc);
	}
	spin_unlock(&proc->lock);
	if (over) /* what a write of its own would bring */
		kill_pid(proc->pid, SIGXFSZ, 1);
}

/** ktrace_detach_failed - writing failed: let all processes of the session go */
void ktrace_detach_failed(struct work_struct *work)
{
	struct ktrace_session *s = container_of(work, struct ktrace_session, failed);
	struct ktrace_detach batch = {};
	struct ktrace_proc **list;
	int i, n;

	/* A fork may still add one: until there is none. */
	while (atomic_read(&s->processes)) {
		n = ktrace_proc_snapshot(&list);
		for (i = 0; i < n; i++) {
			struct ktrace_proc *proc = list[i];

			if (rcu_access_pointer(proc->session) == s &&
			    !ktrace_detach_reserve(&batch))
				detach_one(&batch, s, proc);
			ktrace_proc_put(proc);
		}
		if (n >= 0)
			kvfree(list);
		else
			msleep(20); /* no memory now: it cannot be left undone */
		ktrace_detach_finish(&batch, false);
		cond_resched();
	}
	ktrace_session_unref(s);
}
