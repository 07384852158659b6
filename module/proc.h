/* SPDX-License-Identifier: GPL-2.0 */
/*
 * proc: a traced process.
 *
 * Found by its signal_struct, which all its threads share and which outlives an
 * exec by any of them, in a hash that probes read under RCU (preemption off).
 *
 * A proc is made by SET, or by the fork of a traced process, and leaves the hash
 * when CLEAR takes its last point, when exec ends the trace, when its last
 * thread exits, or when its session fails.  From SET's insertion until points are published
 * it is pending: probes pass it by, but exec counts (exec_seq).
 *
 * Stages of death: make dead (off the hash, points 0, under lock), wait (RCU: a
 * probe may still hold it; then drain and put the session, in a sleepable
 * context, unless its parent will: probe_life.c), free (the last ref; kfree_rcu).
 *
 * refs: the hash (one), every SET or CLEAR at work on it.
 */
#ifndef KTRACE_PROC_H
#define KTRACE_PROC_H

#include <linux/hash.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>

#include "points.h"
#include "sys/ktrace.h"

struct ktrace_deferred;
struct ktrace_session;

/**
 * struct ktrace_proc - what a process is traced for
 * @node: bucket lock; readers: RCU
 * @sig: key (const)
 * @generation: differs from that of every other proc, as far as 32 bits go; a new
 *	one when calls begin to be traced, for any KTRACE_PAIRED: what was remembered of
 *	them before counts for nothing (written under @lock; read by probes)
 * @fault_generation: likewise, of page faults
 * @stop_generation: likewise, of context switches
 * @struct_generation: likewise, of structures
 * @points: KTRFAC_* with KTRFAC_INHERIT, 0: nothing (written under @lock; read
 *	by probes).  Published after @session, so that whoever sees a point sees
 *	the session it belongs to
 * @session: where records go (written under @lock; read under RCU); holds a user
 * @sv_flags: ABI of its image (under @lock; read by probes)
 * @dropped: records were lost: the next has KTR_DROP (any probe)
 * @dead: the PROCDTOR is being written: no other record may follow (set once)
 * @killed: the signal that kills it is recorded (set once, by any thread)
 * @root: KTRFAC_ROOT (@lock)
 * @hashed: it is in the hash (@lock)
 * @pending: SETs at work on it (@lock)
 * @exec_seq: counts execs (@lock)
 * @tracer: credentials of who set it last (@lock)
 * @pid: the process's struct pid, a reference (const)
 * @owed: what its children recorded up to this stamp may not be in the file when they
 *	have exited: its own end waits for it (@lock).  See probe_life.c
 * @payer: the thread whose children they were, until it exits (@lock; only compared)
 * @leave: the deferred work that its end will need (@lock; may be NULL)
 */
struct ktrace_proc {
	struct hlist_node node;
	struct signal_struct *sig;
	u32 generation;
	u32 fault_generation;
	u32 stop_generation;
	u32 struct_generation;
	u32 points;
	u32 sv_flags;
	struct ktrace_session __rcu *session;
	u32 dropped;
	bool dead;
	bool killed;

	bool root;
	bool hashed;
	u32 pending;
	u32 exec_seq;
	spinlock_t lock; /* what is marked so above; not in interrupts */
	refcount_t refs;
	const struct cred *tracer;
	struct pid *pid;
	u64 owed;
	const struct task_struct *payer;
	struct ktrace_deferred *leave;
	struct rcu_head rcu;
};

#define KTRACE_PROC_BITS 12

extern struct hlist_head ktrace_proc_hash[1 << KTRACE_PROC_BITS];

static __always_inline unsigned long ktrace_proc_index(const struct signal_struct *sig)
{
	return hash_ptr(sig, KTRACE_PROC_BITS);
}

static __always_inline struct hlist_head *ktrace_proc_bucket(const struct signal_struct *sig)
{
	return &ktrace_proc_hash[ktrace_proc_index(sig)];
}

/**
 * ktrace_proc_maybe - may this process be traced?
 *
 * The first question of every probe, in every process of the machine.  Needs
 * no protection: it follows no pointer.
 */
static __always_inline bool ktrace_proc_maybe(const struct signal_struct *sig)
{
	return unlikely(READ_ONCE(ktrace_proc_bucket(sig)->first));
}

/**
 * ktrace_proc_find_in - the proc of a process
 * @sig: the process's
 * @index: ktrace_proc_index(@sig), for who has it already
 *
 * Context: RCU reader or preemption disabled, for as long as it is used.
 * Return: NULL if there is none.
 */
static __always_inline struct ktrace_proc *ktrace_proc_find_in(const struct signal_struct *sig,
							       unsigned long index)
{
	struct ktrace_proc *proc;

	hlist_for_each_entry_rcu_notrace(proc, &ktrace_proc_hash[index], node)
		if (likely(proc->sig == sig))
			return proc;
	return NULL;
}

/** ktrace_proc_find - likewise */
static __always_inline struct ktrace_proc *ktrace_proc_find(const struct signal_struct *sig)
{
	return ktrace_proc_find_in(sig, ktrace_proc_index(sig));
}

struct ktrace_proc *ktrace_proc_alloc(gfp_t gfp);
struct ktrace_proc *ktrace_proc_get(const struct signal_struct *sig);
void ktrace_proc_renew(struct ktrace_proc *proc, u32 before, u32 now);
void ktrace_proc_put(struct ktrace_proc *proc);
void ktrace_proc_insert(struct ktrace_proc *proc, struct signal_struct *sig, struct pid *pid);
int ktrace_proc_wait_born(struct task_struct *task);
struct ktrace_proc *ktrace_proc_pend(struct task_struct *task, gfp_t gfp);
void ktrace_proc_unpend(struct ktrace_proc *proc);
struct ktrace_session *ktrace_proc_leave(struct ktrace_proc *proc, u32 *points);
int ktrace_proc_snapshot(struct ktrace_proc ***list);

#endif /* KTRACE_PROC_H */
