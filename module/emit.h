/* SPDX-License-Identifier: GPL-2.0 */
/*
 * emit: a probe's way to put a record into its session's ring.
 *
 *	ktrace_guard();
 *	proc = ktrace_proc_find(...);
 *	...
 *	p = ktrace_emit_begin(&e, proc, KTR_X, size);
 *	if (p) {
 *		fill p[0..size)		no sleep, fault, lock, allocation, print
 *		ktrace_emit_end(&e);	or _shorten() and _end(), or _cancel()
 *	}
 *	ktrace_unguard();
 *
 * A record that cannot be had is counted, and the process's next one says so
 * (KTR_DROP).
 */
#ifndef KTRACE_EMIT_H
#define KTRACE_EMIT_H

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "proc.h"
#include "record.h"
#include "ring.h"
#include "session.h"

/** ktrace_guard - nothing that the probe finds goes away; the CPU stays */
static __always_inline void ktrace_guard(void)
{
	preempt_disable_notrace();
}

static __always_inline void ktrace_unguard(void)
{
	preempt_enable_notrace();
}

/**
 * struct ktrace_emit - a record being filled
 * @s: its session; @ring: of this CPU; @slot: in it
 * @record: its header; @len: bytes of payload
 * @dropped: the process's flag, if the record took it (KTR_DROP)
 */
struct ktrace_emit {
	struct ktrace_session *s;
	struct ktrace_ring *ring;
	struct ktrace_slot slot;
	u8 *record;
	u32 len;
	u32 *dropped;
};

void ktrace_emit_lost(struct ktrace_proc *proc, struct ktrace_ring *ring, enum ktrace_count why);
void ktrace_emit_forgot(struct ktrace_proc *proc);
void ktrace_emit_noring(struct ktrace_proc *proc, struct ktrace_session *s);
void ktrace_emit_foreign_ident(struct ktrace_session *s, struct task_struct *task,
			       struct ktrace_ident *ident);
void ktrace_emit_pressure(struct ktrace_session *s, struct ktrace_ring *ring);
void ktrace_emit_wake(struct ktrace_session *s);
void ktrace_emit_limited(struct ktrace_session *s);
u32 ktrace_emit_user(u8 *p, unsigned long addr, u32 n);
bool ktrace_emit_word(unsigned long addr, bool compat, unsigned long *word);
void ktrace_emit_short(struct ktrace_proc *proc);
void ktrace_emit_shorten(struct ktrace_emit *e, u32 len);
void ktrace_emit_cancel(struct ktrace_emit *e);
void ktrace_emit_procctor(struct ktrace_proc *proc, struct ktrace_session *s,
			  struct task_struct *task, u32 sv_flags);
void ktrace_emit_procdtor(struct ktrace_proc *proc, struct ktrace_session *s);

static __always_inline void ktrace_emit_ident(struct ktrace_session *s, struct task_struct *task,
					      struct ktrace_ident *ident)
{
	BUILD_BUG_ON(sizeof(task->comm) != KTRACE_TASK_COMM);
	ktrace_record_comm(ident, task->comm);
	if (likely(s->init_ns)) {
		ident->pid = task->tgid;
		ident->tid = task->pid;
	} else {
		ktrace_emit_foreign_ident(s, task, ident);
	}
}

/* The record itself: emit_begin() without the questions about the process. */
static __always_inline u8 *ktrace_emit_reserve(struct ktrace_emit *e, struct ktrace_proc *proc,
					       struct ktrace_session *s, struct task_struct *task,
					       u16 type, u32 len, bool last)
{
	struct ktrace_ident ident;
	struct ktrace_ring *ring;
	u32 size;
	u64 stamp;

	ring = READ_ONCE(s->ring[smp_processor_id()]);
	if (unlikely(READ_ONCE(s->dead)))
		return NULL;
	if (unlikely(!ring)) {
		ktrace_emit_noring(proc, s);
		return NULL;
	}
	size = ktrace_record_header_size(s->v1) + len;
	e->s = s;
	e->ring = ring;
	e->len = len;
	e->dropped = NULL;
	ktrace_ring_enter(ring);
	if (unlikely(s->limited) && atomic_inc_return(&s->in_flight) > s->pool) {
		atomic_dec(&s->in_flight);
		ktrace_emit_lost(proc, ring, KTRACE_LOST_POOL);
		return NULL;
	}
	stamp = ktime_get_mono_fast_ns();
	e->record = ktrace_ring_reserve(ring, size, &e->slot);
	if (unlikely(!e->record)) {
		if (s->limited)
			atomic_dec(&s->in_flight);
		ktrace_emit_lost(proc, ring, KTRACE_LOST_FULL);
		return NULL;
	}
	if (unlikely(READ_ONCE(proc->dead) && !last)) { /* E in ring.h */
		ktrace_emit_cancel(e);
		return NULL;
	}
	if (unlikely(READ_ONCE(proc->dropped)) && xchg(&proc->dropped, 0)) {
		type |= KTR_DROP;
		e->dropped = &proc->dropped;
	}
	ktrace_emit_ident(s, task, &ident);
	return ktrace_record_header(e->record, s->v1, type, len, &ident, stamp, ring->cpu);
}

/**
 * ktrace_emit_begin - reserve a record of current
 * @e: to be passed on
 * @proc: current's process
 * @type: KTR_*
 * @len: bytes of payload
 *
 * Context: guarded, until the record has ended.
 * Return: where the payload goes, or NULL (counted; nothing more to do).
 */
static __always_inline u8 *ktrace_emit_begin(struct ktrace_emit *e, struct ktrace_proc *proc,
					     u16 type, u32 len)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);

	if (unlikely(!s))
		return NULL;
	return ktrace_emit_reserve(e, proc, s, current, type, len, false);
}

/* The record is filled: count it, leave the ring, and have it written some time. */
static __always_inline void ktrace_emit_publish(struct ktrace_emit *e)
{
	struct ktrace_session *s = e->s;
	struct ktrace_ring *ring = e->ring;

	ktrace_ring_count(ring, KTRACE_RECORDED, 1);
	ktrace_ring_count(ring, KTRACE_BYTES, ktrace_record_header_size(s->v1) + e->len);
	ktrace_ring_exit(ring);
	if (unlikely(READ_ONCE(s->idle)))
		ktrace_emit_wake(s);
	if (unlikely(s->limited))
		ktrace_emit_limited(s);
}

/** ktrace_emit_end - the record is filled */
static __always_inline void ktrace_emit_end(struct ktrace_emit *e)
{
	ktrace_emit_publish(e);
	if (unlikely(ktrace_ring_used(e->ring) > e->s->quarter))
		ktrace_emit_pressure(e->s, e->ring);
}

/**
 * ktrace_emit_end_switching - the same, in a context switch
 *
 * Nothing can be armed for a task that is about to sleep, with a runqueue lock
 * held: whoever of the session makes the next record waits instead.
 */
static __always_inline void ktrace_emit_end_switching(struct ktrace_emit *e)
{
	ktrace_emit_publish(e);
	if (unlikely(ktrace_ring_used(e->ring) > e->s->quarter))
		ktrace_session_wake(e->s, KTRACE_WAKE_URGENT);
}

#endif /* KTRACE_EMIT_H */
