// SPDX-License-Identifier: GPL-2.0
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/slab.h>

#include "compat_basic.h"
#include "deferred.h"
#include "exclusive.h"
#include "proc.h"
#include "rules.h"
#include "session.h"

#define LOCKS 256

struct hlist_head ktrace_proc_hash[1 << KTRACE_PROC_BITS];
static spinlock_t bucket_locks[LOCKS] = {
	[0 ... LOCKS - 1] = __SPIN_LOCK_UNLOCKED(bucket_locks),
};
static atomic_t hashed = ATOMIC_INIT(0);
static atomic_t generations = ATOMIC_INIT(0);

static spinlock_t *bucket_lock(const struct signal_struct *sig)
{
	return &bucket_locks[hash_ptr(sig, KTRACE_PROC_BITS) % LOCKS];
}

/**
 * ktrace_proc_alloc - a process object, in no hash
 * @gfp: as for kmalloc
 *
 * Return: with one reference; NULL without memory.
 */
struct ktrace_proc *ktrace_proc_alloc(gfp_t gfp)
{
	struct ktrace_proc *proc = kzalloc(sizeof(*proc), gfp);

	if (proc) {
		spin_lock_init(&proc->lock);
		proc->generation = atomic_inc_return(&generations);
		proc->fault_generation = proc->generation;
		proc->stop_generation = proc->generation;
		proc->struct_generation = proc->generation;
		refcount_set(&proc->refs, 1);
	}
	return proc;
}

/**
 * ktrace_proc_renew - points begin to be traced
 * @proc: locked
 * @before: what it was traced for
 * @now: what it will be
 *
 * Of points that go together: when they begin and none of them was there, what is
 * remembered of its threads from an earlier time counts for nothing.
 */
void ktrace_proc_renew(struct ktrace_proc *proc, u32 before, u32 now)
{
	u32 points = ktrace_rules_renewed(before, now), fresh = atomic_inc_return(&generations);

	lockdep_assert_held(&proc->lock);
	if (points & KTRACE_PAIRED)
		WRITE_ONCE(proc->generation, fresh);
	if (points & KTRACE_FAULTS)
		WRITE_ONCE(proc->fault_generation, fresh);
	if (points & KTRFAC_CSW)
		WRITE_ONCE(proc->stop_generation, fresh);
	if (now & ~before & KTRFAC_STRUCT)
		WRITE_ONCE(proc->struct_generation, fresh);
}

/** ktrace_proc_put - drop a reference.  Context: any but NMI. */
void ktrace_proc_put(struct ktrace_proc *proc)
{
	if (!refcount_dec_and_test(&proc->refs))
		return;
	put_cred(proc->tracer);
	put_pid(proc->pid);
	WARN_ON_ONCE(proc->leave || rcu_access_pointer(proc->session));
	kfree_rcu(proc, rcu);
}

/* Under the bucket's lock, which the key says. */
static void insert_locked(struct ktrace_proc *proc, struct signal_struct *sig, struct pid *pid)
{
	lockdep_assert_held(bucket_lock(sig));
	proc->sig = sig;
	proc->pid = get_pid(pid);
	proc->hashed = true;
	atomic_inc(&hashed);
	hlist_add_head_rcu(&proc->node, ktrace_proc_bucket(sig));
}

/**
 * ktrace_proc_insert - let probes find a process
 * @proc: in no hash; its one reference becomes the hash's
 * @sig: its key: not in the hash, since who calls ktrace_proc_pend() has waited until it was born
 * @pid: its struct pid: a reference is taken
 *
 * Context: proc->lock of the parent may be held.
 */
void ktrace_proc_insert(struct ktrace_proc *proc, struct signal_struct *sig, struct pid *pid)
{
	spin_lock(bucket_lock(sig));
	WARN_ON_ONCE(ktrace_proc_find(sig));
	insert_locked(proc, sig, pid);
	spin_unlock(bucket_lock(sig));
}

static void unhash_locked(struct ktrace_proc *proc)
{
	lockdep_assert_held(&proc->lock);
	proc->hashed = false;
	spin_lock(bucket_lock(proc->sig));
	hlist_del_rcu(&proc->node);
	spin_unlock(bucket_lock(proc->sig));
	atomic_dec(&hashed);
}

/**
 * ktrace_proc_get - the proc of a process, for longer than an RCU reader
 * @sig: the process's
 *
 * Context: any.
 * Return: with a reference; NULL if there is none.
 */
struct ktrace_proc *ktrace_proc_get(const struct signal_struct *sig)
{
	struct ktrace_proc *proc;

	rcu_read_lock();
	proc = ktrace_proc_find(sig);
	if (proc && !refcount_inc_not_zero(&proc->refs))
		proc = NULL;
	rcu_read_unlock();
	return proc;
}

/* Insert unless somebody was faster. */
static bool insert_new(struct ktrace_proc *proc, struct task_struct *task)
{
	struct signal_struct *sig = task->signal;
	bool first;

	spin_lock(bucket_lock(sig));
	first = !ktrace_proc_find(sig);
	if (first)
		insert_locked(proc, sig, task_tgid(task));
	spin_unlock(bucket_lock(sig));
	return first;
}

/**
 * ktrace_proc_wait_born - wait until the fork probe has seen a process
 * @task: its first thread; the caller holds a reference to it
 *
 * The child of a traced process can be found before the probe inserts it.  Once it is seen as
 * born, the probe has had the bucket's lock: who takes that finds what it inserted.
 *
 * Context: may sleep.
 * Return: 0; -EINTR: a fatal signal.
 */
int ktrace_proc_wait_born(struct task_struct *task)
{
	while (ktrace_task_newborn(task))
		if (schedule_timeout_killable(1) || fatal_signal_pending(current))
			return -EINTR;
	return 0;
}

/**
 * ktrace_proc_pend - find a process, or insert it as pending
 * @task: any thread of it, which is born; the caller holds a reference to it
 * @gfp: may sleep
 *
 * Context: may sleep.  The exit probe is registered: whoever is alive after
 * the insertion will pass it.
 * Return: with a reference, and pending: ktrace_proc_unpend() undoes both;
 * -ESRCH when the last thread has gone; -ENOMEM.
 */
struct ktrace_proc *ktrace_proc_pend(struct task_struct *task, gfp_t gfp)
{
	struct ktrace_proc *proc, *fresh = NULL;

	for (;;) {
		proc = ktrace_proc_get(task->signal);
		if (proc) {
			spin_lock(&proc->lock);
			if (proc->hashed)
				break;
			spin_unlock(&proc->lock);
			ktrace_proc_put(proc); /* on its way out: look again */
			cond_resched();
			continue;
		}
		if (!fresh) {
			fresh = ktrace_proc_alloc(gfp);
			if (!fresh)
				return ERR_PTR(-ENOMEM);
		}
		/*
		 * The hash's reference and ours, and pending, before anybody can find it: another
		 * SET that does so, and gives up, must leave it.
		 */
		refcount_set(&fresh->refs, 2);
		fresh->pending = 1;
		if (insert_new(fresh, task)) {
			proc = fresh;
			fresh = NULL;
			goto pending;
		}
		refcount_set(&fresh->refs, 1);
		fresh->pending = 0;
	}
	proc->pending++;
	spin_unlock(&proc->lock);
pending:
	if (fresh)
		ktrace_proc_put(fresh);
	/* Pairs with do_exit(): live goes to 0 before the exit probe looks. */
	smp_mb();
	if (!atomic_read(&task->signal->live)) {
		ktrace_proc_unpend(proc);
		return ERR_PTR(-ESRCH);
	}
	return proc;
}

/** ktrace_proc_unpend - the SET is done; a process that it left untraced goes */
void ktrace_proc_unpend(struct ktrace_proc *proc)
{
	bool gone = false;

	spin_lock(&proc->lock);
	if (!--proc->pending && !proc->points && proc->hashed) {
		unhash_locked(proc);
		gone = true;
	}
	spin_unlock(&proc->lock);
	if (gone)
		ktrace_proc_put(proc);
	ktrace_proc_put(proc);
}

/**
 * ktrace_proc_leave - a process is traced no longer
 * @proc: its lock held
 * @points: gets what it was traced for
 *
 * Takes it out of the hash.  The hash's reference goes to the caller, and so does the
 * process's hold on the session (a user).
 *
 * Return: the session; NULL if it had none (then there are no points either).
 */
struct ktrace_session *ktrace_proc_leave(struct ktrace_proc *proc, u32 *points)
{
	struct ktrace_session *s;

	lockdep_assert_held(&proc->lock);
	*points = proc->points;
	s = rcu_dereference_protected(proc->session, lockdep_is_held(&proc->lock));
	WRITE_ONCE(proc->points, 0);
	RCU_INIT_POINTER(proc->session, NULL);
	unhash_locked(proc);
	ktrace_exclusive_follow(proc);
	if (s)
		atomic_dec(&s->processes);
	return s;
}

/**
 * ktrace_proc_snapshot - all processes in the hash
 * @list: gets an array, to be freed with kvfree(), each with a reference
 *
 * Context: may sleep.
 * Return: how many, or -ENOMEM.
 */
int ktrace_proc_snapshot(struct ktrace_proc ***list)
{
	unsigned int max, n, b;
	struct ktrace_proc *proc;

	for (;;) {
		max = atomic_read(&hashed) + 64;
		*list = kvmalloc_array(max, sizeof(**list), GFP_KERNEL_ACCOUNT);
		if (!*list)
			return -ENOMEM;
		n = 0;
		for (b = 0; b < ARRAY_SIZE(ktrace_proc_hash); b++) {
			rcu_read_lock();
			hlist_for_each_entry_rcu(proc, &ktrace_proc_hash[b], node) {
				if (n < max && refcount_inc_not_zero(&proc->refs))
					(*list)[n++] = proc;
			}
			rcu_read_unlock();
		}
		if (n < max)
			return n;
		while (n--)
			ktrace_proc_put((*list)[n]);
		kvfree(*list);
	}
}
