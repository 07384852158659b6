// SPDX-License-Identifier: GPL-2.0
/* Fork, exec and exit: who is traced, and PROCCTOR and PROCDTOR. */
#include <linux/binfmts.h>
#include <linux/cred.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>
#include <trace/events/sched.h>

#include "arch.h"
#include "compat.h"
#include "deferred.h"
#include "emit.h"
#include "exclusive.h"
#include "hooks.h"
#include "probe_return.h"
#include "probes.h"
#include "rules.h"
#include "strings.h"
#include "thread.h"

/*
 * Fork.
 */

/* More threads need more spares: let the forker make them before it returns. */
static void more_spares(struct ktrace_session *s)
{
	struct ktrace_deferred *d;

	if (!ktrace_deferred_low(s))
		return;
	d = ktrace_deferred_take(s);
	if (d)
		ktrace_deferred_arm(d, KTRACE_DEFER_REFILL);
}

/*
 * A spare gives the child its end, and its object, unless another process had
 * that one.  Then it is memory right now, and without memory the next spare.
 * Without a spare there is at its end whatever there is then.
 */
static struct ktrace_proc *child_object(struct ktrace_session *s)
{
	struct ktrace_deferred *d = ktrace_deferred_take(s);
	struct ktrace_proc *child = d ? d->child : NULL;

	if (!child)
		child = ktrace_proc_alloc(GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);
	while (!child && d) {
		ktrace_deferred_drop(d);
		d = ktrace_deferred_take(s);
		child = d ? d->child : NULL;
	}
	if (d)
		d->child = NULL;
	if (child)
		child->leave = d;
	return child;
}

/* The call that makes a task ends in it, too. */
static void forked_locked(struct ktrace_proc *proc, struct ktrace_session *s,
			  struct task_struct *task, u32 points)
{
#ifndef KTRACE_ARCH_FORK_RETURNS
	if (!(task->flags & KTRACE_PF_WORKER))
		ktrace_probe_forked(proc, s, task, points);
#endif
}

/* Under the parent's lock: a CLEAR of it comes before this, or finds the child. */
static void inherit_locked(struct ktrace_proc *proc, struct ktrace_session *s,
			   struct task_struct *task)
{
	struct ktrace_proc *child = child_object(s);

	if (!child) {
		atomic64_inc(&s->lost_memory);
		WRITE_ONCE(proc->dropped, 1);
		return;
	}
	child->sv_flags = proc->sv_flags;
	child->root = proc->root;
	child->tracer = get_cred(proc->tracer);
	ktrace_session_hold_user(s);
	atomic_inc(&s->processes);
	RCU_INIT_POINTER(child->session, s);
	ktrace_hooks_inherit(proc->points);
	/* Nobody can find it before its PROCCTOR is there. */
	ktrace_emit_procctor(child, s, task, child->sv_flags);
	forked_locked(child, s, task, proc->points);
	WRITE_ONCE(child->points, proc->points);
	ktrace_proc_insert(child, task->signal, task_tgid(task));
}

static noinline void fork_traced(struct task_struct *parent, struct task_struct *child)
{
	struct ktrace_session *s;
	struct ktrace_proc *proc;

	ktrace_guard();
	proc = ktrace_proc_find(parent->signal);
	if (!proc) {
		ktrace_exclusive_fork(child);
		goto out;
	}
	spin_lock(&proc->lock);
	s = rcu_dereference_protected(proc->session, lockdep_is_held(&proc->lock));
	if (s) {
		if (child->signal == parent->signal)
			forked_locked(proc, s, child, proc->points);
		else if (proc->points & KTRFAC_INHERIT)
			inherit_locked(proc, s, child);
		if (child->signal == parent->signal || proc->points & KTRFAC_INHERIT)
			atomic_inc(&s->threads);
		more_spares(s);
	}
	ktrace_exclusive_fork(child);
	spin_unlock(&proc->lock);
out:
	ktrace_unguard();
}

/** ktrace_probe_fork - tracepoint sched_process_fork: the child has not run yet */
void ktrace_probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (likely(!ktrace_proc_maybe(parent->signal)) && likely(!ktrace_exclusive_odd(child)))
		return;
	fork_traced(parent, child);
}

/*
 * The end of a trace, in a probe.
 *
 * Whoever waits for a process and is not in its trace finds all of its records in
 * the file.  So its end waits for the writer, in exit_task_work(): before
 * exit_notify(), which tells the parent, and which gives its children to
 * another.  That costs two context switches.  Those who are in the trace ask for
 * less (what they see of the file is itself an event of the trace, and kdump
 * flushes): a process whose parent is traced into the same session does not
 * wait, but makes a debt (left_to_parent): the parent's end waits instead, up to
 * @owed, or makes a debt in its turn.
 *
 * D1 A debt is paid before the children that it is of get another parent, who is
 *    perhaps not traced.
 * D2 It is made only while the parent has a single thread, the payer, whose
 *    children these are then; and under the parent's lock, while the payer has not
 *    passed exit_traced() with that lock.  For if nr_threads is 1, all other threads
 *    have been released: had they seen live == 0, or had the payer, the parent would
 *    not be hashed.  And they gave away their children before: what real_parent
 *    says afterwards is the payer.
 * D3 The payer's exit, if others live on, waits for what is owed then.  Nothing is owed
 *    to it later: until it is released, which comes after exit_notify(),
 *    nr_threads is 2.
 * D4 If the payer is the last, it ends the trace, also if another thread saw live == 0
 *    earlier: that one leaves it to the payer, who has yet to come, since live
 *    counted it.
 * D5 The end makes a debt in turn only if there is none left to be paid, or if there
 *    are no children: those of the debt have all been waited for.
 * D6 @owed is not below any stamp of whom it is of, and the process that takes it over
 *    has a later one: so the first that waits, waits for all.
 *
 * CLEAR and SET take over what is owed to the processes that they take out of a
 * session: they drain after a grace period.  So does an exec that ends the trace, on its way
 * to user mode.  tests/models/ktrace_debt.pml has all this.
 */

/**
 * struct leaving - a process that a probe takes off the hash
 * @proc: it; NULL: none does
 * @session: its session, a user of it; or NULL
 * @deferred: what it has for its end; or NULL
 * @owed: as the process's
 * @points: what it was traced for
 */
struct leaving {
	struct ktrace_proc *proc;
	struct ktrace_session *session;
	struct ktrace_deferred *deferred;
	u64 owed;
	u32 points;
};

static void leave_locked(struct ktrace_proc *proc, struct leaving *l)
{
	lockdep_assert_held(&proc->lock);
	l->proc = proc;
	l->deferred = proc->leave;
	proc->leave = NULL;
	l->owed = proc->owed;
	l->session = ktrace_proc_leave(proc, &l->points);
}

static u64 stamp_of(const struct leaving *l)
{
	return max(ktrace_session_clock(), l->owed);
}

/* Is it the parent, with one thread, that waits for the process? */
static bool is_payer(const struct ktrace_proc *proc, const struct task_struct *task,
		     const struct task_struct **payer)
{
	if (READ_ONCE(proc->sig->nr_threads) != 1)
		return false;
	smp_rmb(); /* D2: a thread gives its children away before it is not counted */
	*payer = rcu_dereference_raw(task->real_parent);
	return (*payer)->signal == proc->sig;
}

/* The last thread of a process exits: shall its parent wait for its records?  Then all is done. */
static bool left_to_parent(struct leaving *l, const struct task_struct *task)
{
	struct ktrace_session *s = l->session;
	const struct task_struct *payer;
	struct ktrace_proc *proc;
	bool left;

	/* A debugger waits for it as well. */
	if (task->ptrace || task->group_leader->ptrace)
		return false;
	if (!list_empty(&task->children) && !ktrace_session_drained(s, l->owed)) /* D5 */
		return false;
	proc = ktrace_proc_find(rcu_dereference_raw(task->real_parent)->signal);
	if (!proc)
		return false;
	spin_lock(&proc->lock);
	left = proc->hashed && rcu_access_pointer(proc->session) == s &&
	       is_payer(proc, task, &payer);
	if (left) {
		proc->payer = payer;
		proc->owed = max(proc->owed, stamp_of(l));
		ktrace_deferred_return(l->deferred);
		ktrace_session_drop_user(s);
	}
	spin_unlock(&proc->lock);
	return left;
}

/* What needs sleep is left to the task's way out. */
static void leave_finish(struct leaving *l, const struct task_struct *exiting)
{
	struct ktrace_session *s = l->session;
	struct ktrace_deferred *d = l->deferred;

	if (!l->proc)
		return;
	if (s) {
		ktrace_hooks_put(l->points);
		if (exiting && left_to_parent(l, exiting))
			s = NULL;
	}
	if (s && !d)
		d = ktrace_deferred_take(s);
	if (s && d) {
		d->stamp = stamp_of(l);
		ktrace_deferred_arm(d, KTRACE_DEFER_DETACH);
	} else if (s) {
		ktrace_session_put_later(s);
	}
	ktrace_proc_put(l->proc);
}

/*
 * Exec.
 */

/* What ns_capable() says, of credentials that are not current's. */
static bool has_cap(const struct cred *cred, struct user_namespace *target, int cap)
{
	struct user_namespace *ns = target;

	for (;;) {
		if (ns == cred->user_ns)
			return cap_raised(cred->cap_effective, cap);
		if (ns->level <= cred->user_ns->level)
			return false;
		if (ns->parent == cred->user_ns && uid_eq(ns->owner, cred->euid))
			return true;
		ns = ns->parent;
	}
}

static bool goes_on(const struct cred *tracer, struct linux_binprm *bprm)
{
	const struct cred *cred = current_cred();
	const struct ktrace_exec_facts facts = {
		.secureexec = bprm->secureexec,
		.dumpable = ktrace_exec_dumpable(),
		.same_ids = uid_eq(cred->uid, tracer->euid) && uid_eq(cred->euid, tracer->euid) &&
			    uid_eq(cred->suid, tracer->euid) && gid_eq(cred->gid, tracer->egid) &&
			    gid_eq(cred->egid, tracer->egid) && gid_eq(cred->sgid, tracer->egid),
		.caps_subset = cred->user_ns == tracer->user_ns &&
			       cap_issubset(cred->cap_permitted, tracer->cap_permitted),
		.tracer_root = has_cap(tracer, ktrace_exec_user_ns(), CAP_SYS_PTRACE),
	};

	return ktrace_rules_exec_goes_on(&facts);
}

static noinline void exec_traced(struct linux_binprm *bprm)
{
	u32 flags = ktrace_arch_sv_flags(ktrace_arch_compat_task(current));
	struct leaving leaving = {};
	struct ktrace_session *s;
	struct ktrace_proc *proc;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (!proc)
		goto out;
	spin_lock(&proc->lock);
	proc->exec_seq++;
	s = rcu_dereference_protected(proc->session, lockdep_is_held(&proc->lock));
	if (proc->hashed && s) {
		if (goes_on(proc->tracer, bprm)) {
			WRITE_ONCE(proc->sv_flags, flags);
			ktrace_emit_procctor(proc, s, current, flags);
			/* If this exec is a call of another ABI: that has been said now. */
			ktrace_thread_unmark(current, proc->generation, KTRACE_THREAD_ABI);
		} else {
			leave_locked(proc, &leaving);
			/* Nobody will ask for this exec's number. */
			ktrace_thread_clear(current, KTRACE_THREAD_CODE);
		}
	}
	spin_unlock(&proc->lock);
	if (!leaving.proc)
		ktrace_strings(proc);
	leave_finish(&leaving, NULL);
out:
	ktrace_unguard();
}

/** ktrace_probe_exec - tracepoint sched_process_exec: the new image is in place */
void ktrace_probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	if (likely(!ktrace_proc_maybe(task->signal)))
		return;
	exec_traced(bprm);
}

/*
 * Exit.
 */

/* D3: the payer exits, and other threads live on. */
static void pay_locked(struct ktrace_proc *proc, struct ktrace_session *s)
{
	struct ktrace_deferred *d;

	lockdep_assert_held(&proc->lock);
	if (ktrace_session_drained(s, proc->owed))
		return;
	d = ktrace_deferred_take(s);
	if (!d)
		return;
	ktrace_session_hold_user(s);
	d->stamp = proc->owed;
	ktrace_deferred_arm(d, KTRACE_DEFER_DETACH);
}

static noinline void exit_traced(struct task_struct *task)
{
	struct leaving leaving = {};
	struct ktrace_session *s;
	struct ktrace_proc *proc;
	bool payer;

	ktrace_guard();
	proc = ktrace_proc_find(task->signal);
	if (!proc)
		goto out;
	spin_lock(&proc->lock);
	s = rcu_dereference_protected(proc->session, lockdep_is_held(&proc->lock));
	payer = proc->payer == task;
	if (payer)
		proc->payer = NULL;
	/* io_uring's are made without a fork that one sees. */
	if (s && !(task->flags & KTRACE_PF_WORKER))
		atomic_dec(&s->threads);
	/* Two threads may both see that they are the last.  A payer has yet to come: D4. */
	if (proc->hashed && !atomic_read(&task->signal->live) && !proc->payer) {
		ktrace_return_missed();
		WRITE_ONCE(proc->dead, true);
		smp_mb(); /* pairs with ktrace_emit_late(): who sees it alive stamped before */
		if (s)
			ktrace_emit_procdtor(proc, s);
		leave_locked(proc, &leaving);
	} else if (s) {
		if (payer)
			pay_locked(proc, s);
		/* Was exit() a call of another ABI?  The process, and its numbers, live on. */
		if (ktrace_thread_unmark(task, proc->generation, KTRACE_THREAD_ABI))
			ktrace_emit_procctor(proc, s, task, proc->sv_flags);
	}
	spin_unlock(&proc->lock);
	leave_finish(&leaving, task);
out:
	ktrace_unguard();
}

/** ktrace_probe_exit - tracepoint sched_process_exit */
KTRACE_EXIT_PROBE(ktrace_probe_exit)
{
	if (unlikely(ktrace_proc_maybe(task->signal))) {
		ktrace_probe_killed();
		exit_traced(task);
	}
	ktrace_thread_clear(task, ~0U);
}

static inline void check_types(void)
{
	check_trace_callback_type_sched_process_fork(ktrace_probe_fork);
	check_trace_callback_type_sched_process_exec(ktrace_probe_exec);
	check_trace_callback_type_sched_process_exit(ktrace_probe_exit);
}
