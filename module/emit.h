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

#include <linux/kasan-checks.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "compat_basic.h"
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
 * @proc: its process; @s: its session; @ring: of this CPU; @slot: in it
 * @record: its header; @len: bytes of payload
 *
 * Where only inline functions get at it, it is in registers.
 */
struct ktrace_emit {
	struct ktrace_proc *proc;
	struct ktrace_session *s;
	struct ktrace_ring *ring;
	struct ktrace_slot slot;
	u8 *record;
	u32 len;
};

/**
 * enum ktrace_emit_how - what is special about a record
 * @KTRACE_EMIT_PLAIN: nothing
 * @KTRACE_EMIT_SWITCHING: made in a context switch, with a runqueue lock held: nothing can
 *	be armed for a task that is about to sleep; whoever of the session makes the next
 *	record waits instead
 * @KTRACE_EMIT_LAST: of a process that is dead: its PROCDTOR
 */
enum ktrace_emit_how {
	KTRACE_EMIT_PLAIN,
	KTRACE_EMIT_SWITCHING,
	KTRACE_EMIT_LAST,
};

void ktrace_emit_forgot(struct ktrace_proc *proc);
void ktrace_emit_noring(struct ktrace_proc *proc, struct ktrace_session *s);
bool ktrace_emit_pressure(struct ktrace_proc *proc, struct ktrace_session *s,
			  struct ktrace_ring *ring, u64 used, enum ktrace_emit_how how);
void ktrace_emit_renumber(struct ktrace_session *s, struct task_struct *task, u8 *record);
void ktrace_emit_take_drop(struct ktrace_proc *proc, u8 *record);
bool ktrace_emit_late(struct ktrace_proc *proc, struct ktrace_ring *ring, u64 pos, u64 end);
void ktrace_emit_wake(struct ktrace_session *s);
u32 ktrace_emit_user(u8 *p, unsigned long addr, u32 n);
bool ktrace_emit_word(unsigned long addr, bool compat, unsigned long *word);
void ktrace_emit_short(struct ktrace_proc *proc);
void ktrace_emit_shorten(struct ktrace_emit *e, u32 len);
void ktrace_emit_cancel(struct ktrace_emit *e);
void ktrace_emit_procctor(struct ktrace_proc *proc, struct ktrace_session *s,
			  struct task_struct *task, u32 sv_flags);
void ktrace_emit_procdtor(struct ktrace_proc *proc, struct ktrace_session *s);

static __always_inline bool ktrace_emit_copy_how(void *to, unsigned long from, u32 n, bool pointers)
{
	const void __user *user = (const void __user *)from;
	unsigned long left;

	if (unlikely(!access_ok(user, n)))
		return false;
	if (pointers)
		barrier_nospec();
	kasan_check_write(to, n);
	pagefault_disable();
	left = raw_copy_from_user(to, user, n);
	pagefault_enable();
	return likely(!left);
}

/**
 * ktrace_emit_copy - memory of current
 * @to: kernel memory, of a ring or on the stack
 * @from: where it is
 * @n: bytes
 *
 * copy_from_user_nofault() without asking what @to is: that takes longer than
 * the copy.
 *
 * Context: guarded, a system call of current; without a fault: false if a byte is not
 * mapped right now.
 */
static __always_inline bool ktrace_emit_copy(void *to, unsigned long from, u32 n)
{
	return ktrace_emit_copy_how(to, from, n, false);
}

/**
 * ktrace_emit_copy_pointers - likewise, of pointers that are followed
 *
 * Another thread may change what they were read from to an address of the kernel's: what the
 * processor reads there before it knows better must not be the address of what it reads next.
 */
static __always_inline bool ktrace_emit_copy_pointers(void *to, unsigned long from, u32 n)
{
	return ktrace_emit_copy_how(to, from, n, true);
}

/*
 * The record itself: emit_begin() without the questions about the process.
 *
 * Nobody sets a process's dead flag while one of its threads is not exiting yet:
 * only who exits has to look at it.
 */
static __always_inline u8 *ktrace_emit_reserve(struct ktrace_emit *e, struct ktrace_proc *proc,
					       struct ktrace_session *s, struct task_struct *task,
					       u16 type, u32 len, enum ktrace_emit_how how)
{
	struct ktrace_ring *ring = raw_cpu_read(*s->ring);
	u64 stamp, used;
	u8 *p;

	BUILD_BUG_ON(sizeof(task->comm) != KTRACE_TASK_COMM);
	if (unlikely(!ring)) {
		ktrace_emit_noring(proc, s);
		return NULL;
	}
	/*
	 * A plain look at these flags is cheapest, and what they were a moment ago is good
	 * enough.
	 */
	if (unlikely(data_race(s->unusual)) && READ_ONCE(s->dead))
		return NULL;
	e->proc = proc;
	e->s = s;
	e->ring = ring;
	e->len = len;
	do {
		used = ktrace_ring_aim(ring, s->header + len, &e->slot);
		if (unlikely(used > s->calm) && !ktrace_emit_pressure(proc, s, ring, used, how))
			return NULL;
	} while (unlikely(!ktrace_ring_take(ring, &e->slot)));
	e->record = ktrace_ring_at(ring, e->slot.pos);
	stamp = ktime_get_mono_fast_ns(); /* A in ring.h */
	if (unlikely(task->flags & PF_EXITING) && how != KTRACE_EMIT_LAST &&
	    ktrace_emit_late(proc, ring, e->slot.pos, e->slot.end))
		return NULL;
	ktrace_record_header(e->record, type, len, task->tgid, task->pid, task->comm, stamp);
	if (unlikely(data_race(proc->dropped))) /* likewise */
		ktrace_emit_take_drop(proc, e->record);
	if (unlikely(data_race(s->unusual))) /* likewise */
		ktrace_emit_renumber(s, task, e->record);
	p = e->record + s->header;
	if (!p)
		__builtin_unreachable(); /* else the caller would have to ask */
	return p;
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
	return ktrace_emit_reserve(e, proc, s, current, type, len, KTRACE_EMIT_PLAIN);
}

/** ktrace_emit_end - the record is filled: count it, show it, and have it written some time */
static __always_inline void ktrace_emit_end(const struct ktrace_emit *e)
{
	ktrace_ring_count(e->ring, KTRACE_RECORDED, 1);
	ktrace_ring_publish(e->ring, &e->slot);
	if (unlikely(data_race(e->s->idle))) /* set before the look that misses this record: R5 */
		ktrace_emit_wake(e->s);
}

#endif /* KTRACE_EMIT_H */
