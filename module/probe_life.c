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
 * A spare gives the child its object, and later its end.  Without a spare:
 * memory right now, and at its end whatever there is then.
 */
static struct ktrace_proc *child_object(struct ktrace_session *s)
{
	struct ktrace_deferred *d = ktrace_deferred_take(s);
	struct ktrace_proc *child;

	if (!d)
		return ktrace_proc_alloc(GFP_ATOMIC | __GFP_NOWARN);
	child = d->child;
	d->child = NULL;
	child->leave = d;
	return child;
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
		if (child->signal != parent->signal && proc->points & KTRFAC_INHERIT)
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
 */

/**
 * struct leaving - a process that a probe takes off the hash
 * @proc: it; NULL: none does
 * @session: its session, a user of it; or NULL
 * @deferred: what it has for its end; or NULL
 * @points: what it was traced for
 */
struct leaving {
	struct ktrace_proc *proc;
	struct ktrace_session *session;
	struct ktrace_deferred *deferred;
	u32 points;
};

static void leave_locked(struct ktrace_proc *proc, struct leaving *l)
{
	lockdep_assert_held(&proc->lock);
	l->proc = proc;
	l->deferred = proc->leave;
	proc->leave = NULL;
	l->session = ktrace_proc_leave(proc, &l->points);
}

/* What needs sleep is left to the task's way out. */
static void leave_finish(struct leaving *l)
{
	struct ktrace_session *s = l->session;
	struct ktrace_deferred *d = l->deferred;

	if (!l->proc)
		return;
	if (s)
		ktrace_hooks_put(l->points);
	if (s && !d)
		d = ktrace_deferred_take(s);
	if (s && d) {
		d->stamp = ktrace_session_clock();
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
	leave_finish(&leaving);
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

static noinline void exit_traced(struct task_struct *task)
{
	struct leaving leaving = {};
	struct ktrace_session *s;
	struct ktrace_proc *proc;

	ktrace_guard();
	proc = ktrace_proc_find(task->signal);
	if (!proc)
		goto out;
	spin_lock(&proc->lock);
	s = rcu_dereference_protected(proc->session, lockdep_is_held(&proc->lock));
	/* io_uring's are made without a fork that one sees. */
	if (s && !(task->flags & KTRACE_PF_WORKER))
		atomic_dec(&s->threads);
	/* Two threads may both see that they are the last. */
	if (proc->hashed && !atomic_read(&task->signal->live)) {
		ktrace_return_missed();
		WRITE_ONCE(proc->dead, true);
		smp_mb(); /* pairs with ktrace_emit_late(): who sees it alive has an earlier stamp */
		if (s)
			ktrace_emit_procdtor(proc, s);
		leave_locked(proc, &leaving);
	} else if (s && ktrace_thread_unmark(task, proc->generation, KTRACE_THREAD_ABI)) {
		/* exit() was a call of another ABI.  The process, and its numbers, live on. */
		ktrace_emit_procctor(proc, s, task, proc->sv_flags);
	}
	spin_unlock(&proc->lock);
	leave_finish(&leaving);
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
