// SPDX-License-Identifier: GPL-2.0
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "access.h"
#include "arch.h"
#include "deferred.h"
#include "detach.h"
#include "emit.h"
#include "exclusive.h"
#include "hooks.h"
#include "ops.h"
#include "proc.h"
#include "rules.h"
#include "session.h"
#include "targets.h"

#define LIFE_POINTS    (KTRFAC_PROCCTOR | KTRFAC_PROCDTOR)
#define DESCEND_ROUNDS 64
#define EXEC_ROUNDS    16

/* "Root": who may set KTRFAC_ROOT. */
static bool caller_is_root(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE);
}

/* The facts about a process that is traced, or not (@proc is NULL). */
static struct ktrace_target_facts facts_of(struct task_struct *task, struct ktrace_proc *proc,
					   bool root)
{
	struct ktrace_target_facts f = {
		.kthread = task->flags & PF_KTHREAD,
		.self = task->signal == current->signal,
		.caller_root = root,
	};

	if (!proc)
		return f;
	lockdep_assert_held(&proc->lock);
	if (proc->hashed && proc->tracer) {
		f.traced = proc->points;
		f.by_root = proc->root;
		f.by_caller = !proc->root && uid_eq(proc->tracer->euid, current_euid()) &&
			      proc->tracer->user_ns == current_user_ns();
	}
	return f;
}

/**
 * struct set - a KTROP_SET at work
 * @points: KTRFAC_* with KTRFAC_INHERIT and the points of life
 * @session: with a user
 * @root: the caller is
 * @batch: sessions that were replaced
 * @done: processes set
 */
struct set {
	u32 points;
	struct ktrace_session *session;
	bool root;
	struct ktrace_detach batch;
	unsigned int done;
};

/*
 * Put the process into the session, with @leave for its end; its lock is held.
 * The order matters: PROCCTOR, session, points.
 */
static void attach_locked(struct set *set, struct ktrace_proc *proc, struct task_struct *task,
			  struct ktrace_deferred *leave)
{
	struct ktrace_session *s = set->session;
	struct ktrace_session *old =
		rcu_dereference_protected(proc->session, lockdep_is_held(&proc->lock));
	u32 points = proc->points | set->points;

	if (proc->tracer)
		put_cred(proc->tracer);
	proc->tracer = get_current_cred();
	proc->root = set->root;
	WRITE_ONCE(proc->sv_flags, ktrace_arch_sv_flags(ktrace_arch_compat_task(task)));
	ktrace_guard();
	ktrace_emit_procctor(proc, s, task, proc->sv_flags);
	ktrace_unguard();
	ktrace_hooks_inherit(points);
	if (proc->points)
		ktrace_hooks_put(proc->points);
	if (old != s) {
		ktrace_session_hold_user(s);
		atomic_inc(&s->processes);
		atomic_add(get_nr_threads(task), &s->threads);
		rcu_assign_pointer(proc->session, s);
		if (old) {
			atomic_dec(&old->processes);
			atomic_sub(get_nr_threads(task), &old->threads);
			ktrace_detach_add(&set->batch, old, true, proc->leave);
		}
		proc->leave = leave;
		/* What its children recorded there, the SET waits for. */
		proc->owed = 0;
		proc->payer = NULL;
	}
	ktrace_proc_renew(proc, proc->points, points);
	smp_store_release(&proc->points, points); /* after the session: proc.h */
	ktrace_exclusive_follow(proc);
}

/* Is what was asked about still what will be traced? */
static bool unchanged_locked(struct ktrace_proc *proc, u32 seq, struct task_struct *thread,
			     const struct mm_struct *mm)
{
	lockdep_assert_held(&proc->lock);
	return proc->exec_seq == seq && (!thread || READ_ONCE(thread->mm) == mm);
}

/*
 * Set a process that is pending.  Return: 0; -EAGAIN: it did an exec, ask again;
 * -ESRCH: it exits; -EPERM; another errno.
 */
static int set_pending(struct set *set, struct ktrace_proc *proc, struct task_struct *task)
{
	struct task_struct *thread = NULL;
	const struct mm_struct *mm = NULL;
	struct ktrace_target_facts facts;
	struct ktrace_deferred *leave;
	enum ktrace_verdict verdict;
	int err = 0;
	u32 seq;

	spin_lock(&proc->lock);
	seq = proc->exec_seq;
	facts = facts_of(task, proc, set->root);
	spin_unlock(&proc->lock);
	verdict = ktrace_rules_may_set(&facts);
	if (verdict == KTRACE_NO)
		return -EPERM;
	if (verdict == KTRACE_ASK) {
		err = ktrace_access_ask(task, &thread, &mm);
		if (err)
			return err == -ESRCH && atomic_read(&task->signal->live) ? -EAGAIN : err;
	}
	err = ktrace_detach_reserve(&set->batch);
	if (!err)
		err = ktrace_deferred_refill(set->session);
	if (err)
		goto out;
	leave = ktrace_deferred_take(set->session);

	spin_lock(&proc->lock);
	facts = facts_of(task, proc, set->root);
	if (!proc->hashed) {
		err = -ESRCH;
	} else if (!unchanged_locked(proc, seq, thread, mm)) {
		err = -EAGAIN;
	} else if (ktrace_rules_may_set(&facts) == KTRACE_NO) {
		err = -EPERM;
	} else {
		bool fresh = rcu_access_pointer(proc->session) != set->session;

		attach_locked(set, proc, task, leave);
		if (fresh)
			leave = NULL;
	}
	spin_unlock(&proc->lock);
	ktrace_deferred_drop(leave);
out:
	if (thread)
		put_task_struct(thread);
	return err;
}

/* Return: 0, also for a process that exits; -EPERM; another errno. */
static int set_one(struct set *set, struct task_struct *task)
{
	struct ktrace_proc *proc;
	int err, rounds;

	if (task->flags & PF_KTHREAD)
		return -EPERM;
	err = ktrace_proc_wait_born(task);
	if (err)
		return err;
	for (rounds = 0; rounds < EXEC_ROUNDS; rounds++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		proc = ktrace_proc_pend(task, GFP_KERNEL_ACCOUNT);
		if (IS_ERR(proc))
			return PTR_ERR(proc) == -ESRCH ? 0 : PTR_ERR(proc);
		err = set_pending(set, proc, task);
		ktrace_proc_unpend(proc);
		if (err == -ESRCH)
			return 0;
		if (err != -EAGAIN)
			return err;
		cond_resched();
	}
	return -EPERM; /* it does nothing but exec: nobody could say what would be traced */
}

/* Is there nothing left to do for a process? */
static bool is_set(const struct set *set, struct task_struct *task)
{
	struct ktrace_proc *proc;
	bool yes;

	rcu_read_lock();
	proc = ktrace_proc_find(task->signal);
	yes = proc && rcu_access_pointer(proc->session) == set->session &&
	      (READ_ONCE(proc->points) & set->points) == set->points;
	rcu_read_unlock();
	return yes;
}

/*
 * One round over the processes that are meant.  Return: 0; -EPERM: none could
 * be set (*fresh: none that was not before); another errno ends it all.
 */
static int set_round(struct set *set, const struct ktrace_request *req, pid_t pid, bool again,
		     unsigned int *fresh)
{
	struct ktrace_targets targets;
	unsigned int i;
	int err;

	*fresh = 0;
	err = ktrace_targets_find(&targets, pid, req->descend);
	if (err)
		return err;
	for (i = 0; i < targets.nr; i++) {
		if (again && is_set(set, targets.task[i]))
			continue;
		err = set_one(set, targets.task[i]);
		if (err && err != -EPERM)
			break;
		if (!err) {
			set->done++;
			++*fresh;
		}
		err = 0;
	}
	ktrace_targets_put(&targets);
	return err;
}

/**
 * ktrace_ops_set - KTROP_SET
 * @req: what for
 * @file: the trace file, open for appending, checked
 * @pid: a process, or below zero a process group, as the caller sees it
 *
 * Context: may sleep; drains files that are replaced.
 * Return: 0; -ESRCH, -EPERM, -ENOMEM, -EINTR.
 */
int ktrace_ops_set(const struct ktrace_request *req, struct file *file, pid_t pid)
{
	struct set set = {
		.points = req->points | LIFE_POINTS | (req->inherit ? KTRFAC_INHERIT : 0),
		.root = caller_is_root(),
	};
	unsigned int round, fresh;
	int err;

	set.session = ktrace_session_get(file, req->v1);
	if (IS_ERR(set.session))
		return PTR_ERR(set.session);
	err = ktrace_hooks_get(set.points);
	if (err)
		goto out_session;
	err = set_round(&set, req, pid, false, &fresh);
	/* Children that were born meanwhile, of parents not yet set. */
	for (round = 0; !err && req->descend && fresh && round < DESCEND_ROUNDS; round++)
		err = set_round(&set, req, pid, true, &fresh);
	if (err == -ESRCH && set.done)
		err = 0; /* all of them have exited */
	if (!err && !set.done)
		err = -EPERM;
	/* It failed meanwhile: what was set after its processes were let go must go too. */
	if (READ_ONCE(set.session->dead))
		ktrace_session_failed(set.session);
	if (ktrace_detach_finish(&set.batch, true) && !err)
		err = -EINTR;
	ktrace_hooks_put(set.points);
out_session:
	ktrace_session_put(set.session);
	return err;
}

/*
 * Return: 0 if the caller may; -EPERM; -ESRCH if nobody can tell any more: all its
 * threads exit; another errno.
 */
static int may_clear(struct task_struct *task, const struct ktrace_target_facts *facts)
{
	struct task_struct *thread;
	const struct mm_struct *mm;
	int err, rounds;

	switch (ktrace_rules_may_clear(facts)) {
	case KTRACE_YES:
		return 0;
	case KTRACE_NO:
		return -EPERM;
	case KTRACE_ASK:
		break;
	}
	for (rounds = 0; rounds < EXEC_ROUNDS; rounds++) {
		err = ktrace_access_ask(task, &thread, &mm);
		if (!err)
			put_task_struct(thread);
		if (err != -ESRCH || !atomic_read(&task->signal->live))
			break;
		cond_resched(); /* the thread that was asked about has gone: ask about another */
	}
	return err;
}

/**
 * struct clear - a KTROP_CLEAR or KTROP_CLEARFILE at work
 * @req: what to clear; NULL: everything
 * @root: the caller is
 * @batch: what it detached
 * @may: processes that the caller may set, traced or not
 * @gone: processes that exit, so that nobody can tell
 * @cleared: processes cleared in the last round
 */
struct clear {
	const struct ktrace_request *req;
	bool root;
	struct ktrace_detach batch;
	unsigned int may;
	unsigned int gone;
	unsigned int cleared;
};

/* Clear the points of a process.  Return: 0; -EPERM; -ESRCH: it exits; another errno. */
static int clear_one(struct clear *clear, struct task_struct *task, struct ktrace_proc *proc)
{
	struct ktrace_detach *batch = &clear->batch;
	struct ktrace_target_facts facts;
	struct ktrace_session *s;
	u32 left;
	int err;

	spin_lock(&proc->lock);
	facts = facts_of(task, proc, clear->root);
	spin_unlock(&proc->lock);
	err = may_clear(task, &facts);
	if (!err)
		err = ktrace_detach_reserve(batch);
	if (err)
		return err;
	clear->may++;
	spin_lock(&proc->lock);
	facts = facts_of(task, proc, clear->root);
	s = rcu_dereference_protected(proc->session, lockdep_is_held(&proc->lock));
	if (!proc->hashed || !s)
		goto out;
	if (ktrace_rules_may_clear(&facts) == KTRACE_NO) {
		err = -EPERM;
		goto out;
	}
	clear->cleared++;
	left = clear->req ? ktrace_rules_cleared(proc->points, clear->req) : 0;
	if (!left) {
		atomic_sub(get_nr_threads(task), &s->threads);
		ktrace_detach_proc_locked(batch, proc);
	} else {
		u32 gone = proc->points & ~left;

		ktrace_hooks_inherit(left);
		ktrace_hooks_put(proc->points);
		WRITE_ONCE(proc->points, left);
		ktrace_exclusive_follow(proc);
		if (gone) {
			ktrace_session_ref(s);
			ktrace_detach_add(batch, s, false, NULL);
		}
	}
out:
	spin_unlock(&proc->lock);
	return err;
}

/* Is it an errno that concerns this process only? */
static bool spared(struct clear *clear, int err)
{
	clear->gone += err == -ESRCH;
	return err == -EPERM || err == -ESRCH;
}

/* Exactly these processes. */
static int clear_these(struct clear *clear, const struct ktrace_targets *targets)
{
	unsigned int i;
	int err;

	for (i = 0; i < targets->nr; i++) {
		struct task_struct *task = targets->task[i];
		struct ktrace_proc *proc = ktrace_proc_get(task->signal);

		if (proc) {
			err = clear_one(clear, task, proc);
			ktrace_proc_put(proc);
		} else {
			struct ktrace_target_facts facts = facts_of(task, NULL, clear->root);

			err = may_clear(task, &facts);
			if (!err)
				clear->may++;
		}
		if (err && !spared(clear, err))
			return err;
	}
	return 0;
}

static struct task_struct *task_of(struct ktrace_proc *proc)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(proc->pid, PIDTYPE_TGID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

/* Has it any of the points that are to go? */
static bool is_cleared(const struct clear *clear, const struct ktrace_proc *proc)
{
	u32 points = READ_ONCE(proc->points);

	return ktrace_rules_cleared(points, clear->req) == points;
}

/* Every traced process of these, whatever else lives. */
static int clear_round(struct clear *clear, const struct ktrace_targets *these)
{
	struct ktrace_proc **list;
	int i, n, err = 0;

	clear->cleared = 0;
	n = ktrace_proc_snapshot(&list);
	if (n < 0)
		return n;
	for (i = 0; i < n; i++) {
		struct task_struct *task = NULL;

		if (!err && !is_cleared(clear, list[i]) && ktrace_targets_has(these, list[i]->sig))
			task = task_of(list[i]);
		if (task) {
			err = clear_one(clear, task, list[i]);
			if (err && spared(clear, err))
				err = 0;
			put_task_struct(task);
		}
		ktrace_proc_put(list[i]);
		cond_resched();
	}
	kvfree(list);
	return err;
}

static int clear_descend(struct clear *clear, const struct ktrace_targets *roots)
{
	struct ktrace_targets below;
	bool self = false;
	unsigned int round;
	int err = 0;

	/* What a traced process forked before it was cleared is found by the next round. */
	for (round = 0; round < DESCEND_ROUNDS; round++) {
		err = ktrace_targets_below(&below, roots);
		if (err)
			break;
		self = ktrace_targets_has(&below, current->signal);
		err = clear_round(clear, &below);
		ktrace_targets_put(&below);
		if (err || !clear->cleared)
			break;
	}
	if (err || clear->may)
		return err;
	/* Nothing was traced: success if there is anything that the caller might have set. */
	if (self) {
		clear->may++;
		return 0;
	}
	return clear_these(clear, roots);
}

/**
 * ktrace_ops_clear - KTROP_CLEAR
 * @req: which points
 * @pid: as for ktrace_ops_set()
 *
 * Context: may sleep; drains.
 * Return: 0; -ESRCH, -EPERM, -ENOMEM, -EINTR.
 */
int ktrace_ops_clear(const struct ktrace_request *req, pid_t pid)
{
	struct clear clear = { .req = req, .root = caller_is_root() };
	struct ktrace_targets targets;
	unsigned int i;
	int err, drained;

	err = ktrace_targets_find(&targets, pid, false);
	if (err)
		return err;
	/* Else the fork probe would begin to trace it when we are done. */
	for (i = 0; !err && i < targets.nr; i++)
		err = ktrace_proc_wait_born(targets.task[i]);
	if (err)
		goto out;
	if (req->descend)
		err = clear_descend(&clear, &targets);
	else
		err = clear_these(&clear, &targets);
out:
	ktrace_targets_put(&targets);
	if (!err && !clear.may)
		err = clear.gone ? -ESRCH : -EPERM;
	drained = ktrace_detach_finish(&clear.batch, true);
	ktrace_hooks_settle();
	return err ?: drained;
}

static bool writes_to(struct ktrace_proc *proc, const struct inode *inode)
{
	struct ktrace_session *s;
	bool yes;

	rcu_read_lock();
	s = rcu_dereference(proc->session);
	yes = s && s->inode == inode;
	rcu_read_unlock();
	return yes;
}

/* Return: 0; -EPERM if one must stay; another errno ends it all. */
static int clearfile_round(struct clear *clear, const struct inode *inode)
{
	struct ktrace_proc **list;
	int i, n, err = 0, result = 0;

	clear->cleared = 0;
	n = ktrace_proc_snapshot(&list);
	if (n < 0)
		return n;
	for (i = 0; i < n; i++) {
		struct task_struct *task = NULL;

		if (!err && writes_to(list[i], inode))
			task = task_of(list[i]);
		if (task) {
			err = clear_one(clear, task, list[i]);
			if (err == -EPERM)
				result = err;
			if (err && spared(clear, err))
				err = 0;
			put_task_struct(task);
		}
		ktrace_proc_put(list[i]);
		cond_resched();
	}
	kvfree(list);
	return err ?: result;
}

/**
 * ktrace_ops_clearfile - KTROP_CLEARFILE
 * @inode: of the trace file
 *
 * Context: may sleep; drains.
 * Return: 0; -EPERM if some process that is traced to it stays so; -ENOMEM, -EINTR.
 */
int ktrace_ops_clearfile(const struct inode *inode)
{
	struct clear clear = { .root = caller_is_root() };
	int err, result = 0, drained;
	unsigned int round;

	for (round = 0; round < DESCEND_ROUNDS; round++) {
		err = clearfile_round(&clear, inode);
		if (err == -EPERM)
			result = err;
		else if (err)
			break;
		if (!clear.cleared)
			break;
	}
	drained = ktrace_detach_finish(&clear.batch, true);
	ktrace_hooks_settle();
	if (err && err != -EPERM)
		return err;
	return result ?: drained;
}
