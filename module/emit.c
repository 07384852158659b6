// SPDX-License-Identifier: GPL-2.0
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>

#include "deferred.h"
#include "emit.h"
#include "thread.h"

/** ktrace_emit_noring - this CPU came online when there was no memory for its ring */
noinline void ktrace_emit_noring(struct ktrace_proc *proc, struct ktrace_session *s)
{
	atomic64_inc(&s->lost_noring);
	WRITE_ONCE(proc->dropped, 1);
}

/** ktrace_emit_forgot - nothing could be remembered of a thread: that costs a record */
noinline void ktrace_emit_forgot(struct ktrace_proc *proc)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);

	if (s)
		atomic64_inc(&s->lost_memory);
	WRITE_ONCE(proc->dropped, 1);
}

static void lose(struct ktrace_proc *proc, struct ktrace_ring *ring, enum ktrace_count why)
{
	ktrace_ring_count(ring, why, 1);
	WRITE_ONCE(proc->dropped, 1);
}

/*
 * Above half, the task waits before it returns to user mode: once, however many records it
 * still makes.
 */
static void hold_back(struct ktrace_session *s, struct ktrace_ring *ring)
{
	struct ktrace_deferred *d;

	/* Behind exit_task_work() a worker that all share would wait in its place. */
	if (!in_task() || current->flags & (PF_KTHREAD | PF_EXITING) ||
	    ktrace_thread_test(current, KTRACE_THREAD_HELD))
		return;
	d = ktrace_deferred_take(s);
	if (!d)
		return;
	ktrace_thread_set(current, KTRACE_THREAD_HELD);
	d->ring = ring;
	ktrace_deferred_arm(d, KTRACE_DEFER_HOLD);
}

/**
 * ktrace_emit_pressure - a ring will hold so much that there is something to do about it
 * @proc: whose record it is
 * @s: the session
 * @ring: of this CPU
 * @used: bytes of it, with the record: more than calm
 * @how: the record
 *
 * Context: guarded; nothing is reserved.
 * Return: is there room for the record?
 */
noinline bool ktrace_emit_pressure(struct ktrace_proc *proc, struct ktrace_session *s,
				   struct ktrace_ring *ring, u64 used, enum ktrace_emit_how how)
{
	u64 flying = ktrace_session_in_flight(s, used) + 1; /* with this one */

	if (ktrace_session_behind(s, used, flying, 4))
		ktrace_session_wake(s, KTRACE_WAKE_URGENT);
	if (how != KTRACE_EMIT_SWITCHING && ktrace_session_behind(s, used, flying, 2) &&
	    !READ_ONCE(s->stalled))
		hold_back(s, ring);
	if (unlikely(used > ring->size))
		lose(proc, ring, KTRACE_LOST_FULL);
	else if (unlikely(flying > s->pool))
		lose(proc, ring, KTRACE_LOST_POOL);
	else
		return true;
	return false;
}

static void give_up(struct ktrace_ring *ring, struct ktrace_slot slot)
{
	ktrace_ring_trim(ring, &slot, 0);
	if (!ktrace_slot_empty(&slot))
		ktrace_ring_publish(ring, &slot);
}

/**
 * ktrace_emit_late - a thread that exits has reserved and stamped a record
 * @proc: its process
 * @ring: of this CPU
 * @pos: the reservation's beginning
 * @end: its end
 *
 * Whoever sees the process alive here has an earlier stamp than its PROCDTOR:
 * pairs with exit_traced() in probe_life.c.
 *
 * Context: guarded.
 * Return: true if the PROCDTOR may be there already: then the record is given up.
 */
noinline bool ktrace_emit_late(struct ktrace_proc *proc, struct ktrace_ring *ring, u64 pos, u64 end)
{
	rmb(); /* orders reading the clock, too */
	if (likely(!READ_ONCE(proc->dead)))
		return false;
	give_up(ring, (struct ktrace_slot){ pos, end });
	return true;
}

/** ktrace_emit_take_drop - the process lost records: this one says so.  Context: guarded. */
noinline void ktrace_emit_take_drop(struct ktrace_proc *proc, u8 *record)
{
	if (xchg(&proc->dropped, 0))
		ktrace_record_set_drop(record);
}

/** ktrace_emit_renumber - numbers as the session's pid namespace sees them */
noinline void ktrace_emit_renumber(struct ktrace_session *s, struct task_struct *task, u8 *record)
{
	if (!s->init_ns)
		ktrace_record_set_ids(record, task_tgid_nr_ns(task, s->pid_ns),
				      task_pid_nr_ns(task, s->pid_ns));
}

/** ktrace_emit_wake - the writer sleeps, and a record is there */
noinline void ktrace_emit_wake(struct ktrace_session *s)
{
	ktrace_session_wake(s, KTRACE_WAKE_PENDING);
}

/**
 * ktrace_emit_user - fill a part of a record with memory of current
 * @p: where it goes
 * @addr: where it is
 * @n: bytes
 *
 * Context: guarded; without a fault: what is not mapped right now ends it.
 * Return: bytes that were filled: up to @n, and less only to the end of a page.
 */
u32 ktrace_emit_user(u8 *p, unsigned long addr, u32 n)
{
	u32 done = 0;

	if (likely(ktrace_emit_copy(p, addr, n)))
		return n;
	/* By pages: a copy that fails says nothing of how far it came. */
	while (done < n) {
		u32 part = min_t(u32, n - done, PAGE_SIZE - offset_in_page(addr));

		if (!ktrace_emit_copy(p + done, addr, part))
			break;
		addr += part;
		done += part;
	}
	return done;
}

/** ktrace_emit_short - a call moved what cannot be read any more: there is no record to shorten */
noinline void ktrace_emit_short(struct ktrace_proc *proc)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);
	struct ktrace_ring *ring = s ? raw_cpu_read(*s->ring) : NULL;

	if (ring)
		ktrace_ring_count(ring, KTRACE_SHORT_DATA, 1);
}

/**
 * ktrace_emit_shorten - less payload than was reserved
 * @e: begun
 * @len: bytes of payload that are filled
 */
void ktrace_emit_shorten(struct ktrace_emit *e, u32 len)
{
	ktrace_record_set_len(e->record, len);
	ktrace_ring_trim(e->ring, &e->slot, ktrace_record_header_size(e->s->v1) + len);
	e->len = len;
}

/** ktrace_emit_cancel - no record after all.  Context: guarded. */
noinline void ktrace_emit_cancel(struct ktrace_emit *e)
{
	if (ktrace_record_dropped(e->record))
		WRITE_ONCE(e->proc->dropped, 1); /* the next one says so instead */
	give_up(e->ring, e->slot);
}

/**
 * ktrace_emit_procctor - KTR_PROCCTOR
 * @proc: the process
 * @s: where to: its session, or the one that it will have
 * @task: of the process
 * @sv_flags: KTRACE_SV_*
 *
 * Context: guarded.
 */
void ktrace_emit_procctor(struct ktrace_proc *proc, struct ktrace_session *s,
			  struct task_struct *task, u32 sv_flags)
{
	struct ktrace_emit e = {};
	u8 *p = ktrace_emit_reserve(&e, proc, s, task, KTR_PROCCTOR, sizeof(struct ktrace_procctor),
				    KTRACE_EMIT_PLAIN);

	if (!p)
		return;
	put_unaligned_le32(sv_flags, p);
	ktrace_emit_end(&e);
}

/** ktrace_emit_procdtor - KTR_PROCDTOR of current's process, which is dead already */
void ktrace_emit_procdtor(struct ktrace_proc *proc, struct ktrace_session *s)
{
	struct ktrace_emit e = {};

	if (ktrace_emit_reserve(&e, proc, s, current, KTR_PROCDTOR, 0, KTRACE_EMIT_LAST))
		ktrace_emit_end(&e);
}
