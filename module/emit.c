// SPDX-License-Identifier: GPL-2.0
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/uaccess.h>

#include "deferred.h"
#include "emit.h"
#include "thread.h"

/** ktrace_emit_lost - a reservation failed: count, flag, leave the ring */
noinline void ktrace_emit_lost(struct ktrace_proc *proc, struct ktrace_ring *ring,
			       enum ktrace_count why)
{
	ktrace_ring_count(ring, why, 1);
	WRITE_ONCE(proc->dropped, 1);
	ktrace_ring_exit(ring);
}

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

/** ktrace_emit_foreign_ident - numbers as a pid namespace that is not the first sees them */
noinline void ktrace_emit_foreign_ident(struct ktrace_session *s, struct task_struct *task,
					struct ktrace_ident *ident)
{
	ident->pid = task_tgid_nr_ns(task, s->pid_ns);
	ident->tid = task_pid_nr_ns(task, s->pid_ns);
}

/** ktrace_emit_wake - the writer sleeps, and a record is there */
noinline void ktrace_emit_wake(struct ktrace_session *s)
{
	ktrace_session_wake(s, KTRACE_WAKE_PENDING);
}

/** ktrace_emit_limited - half of a small request_pool is in flight: do not wait for more */
noinline void ktrace_emit_limited(struct ktrace_session *s)
{
	if (atomic_read(&s->in_flight) > s->pool / 2)
		ktrace_session_wake(s, KTRACE_WAKE_URGENT);
}

/**
 * ktrace_emit_pressure - a ring is more than a quarter full
 * @s: the session
 * @ring: of this CPU
 *
 * Above half, the task will wait before it returns to user mode: once, however
 * many records it still makes on its way.
 *
 * Context: guarded, the record has ended.
 */
noinline void ktrace_emit_pressure(struct ktrace_session *s, struct ktrace_ring *ring)
{
	struct ktrace_deferred *d;

	ktrace_session_wake(s, KTRACE_WAKE_URGENT);
	if (ktrace_ring_used(ring) <= s->half || READ_ONCE(s->stalled))
		return;
	if (!in_task() || current->flags & PF_KTHREAD ||
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

	/* By pages: a copy that fails says nothing of how far it came. */
	while (done < n) {
		u32 part = min_t(u32, n - done, PAGE_SIZE - offset_in_page(addr));

		if (copy_from_user_nofault(p + done, (const void __user *)addr, part))
			break;
		addr += part;
		done += part;
	}
	return done;
}

/**
 * ktrace_emit_word - a word of current's memory, of the caller's size
 * @addr: where it is
 * @compat: it has 32 bits
 * @word: gets it
 *
 * Context: guarded; without a fault.
 * Return: false if it cannot be read.
 */
bool ktrace_emit_word(unsigned long addr, bool compat, unsigned long *word)
{
	u32 half;

	if (!compat)
		return !copy_from_user_nofault(word, (const void __user *)addr, sizeof(*word));
	if (copy_from_user_nofault(&half, (const void __user *)addr, sizeof(half)))
		return false;
	*word = half;
	return true;
}

/** ktrace_emit_short - a call moved what cannot be read any more: there is no record to shorten */
noinline void ktrace_emit_short(struct ktrace_proc *proc)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);
	struct ktrace_ring *ring = s ? READ_ONCE(s->ring[smp_processor_id()]) : NULL;

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

/** ktrace_emit_cancel - no record after all; leaves the ring */
noinline void ktrace_emit_cancel(struct ktrace_emit *e)
{
	ktrace_ring_trim(e->ring, &e->slot, 0);
	if (e->dropped)
		WRITE_ONCE(*e->dropped, 1); /* the next one says so instead */
	if (e->s->limited)
		atomic_dec(&e->s->in_flight);
	ktrace_ring_exit(e->ring);
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
	struct ktrace_emit e;
	u8 *p = ktrace_emit_reserve(&e, proc, s, task, KTR_PROCCTOR, sizeof(struct ktrace_procctor),
				    false);

	if (!p)
		return;
	put_unaligned_le32(sv_flags, p);
	ktrace_emit_end(&e);
}

/** ktrace_emit_procdtor - KTR_PROCDTOR of current's process, which is dead already */
void ktrace_emit_procdtor(struct ktrace_proc *proc, struct ktrace_session *s)
{
	struct ktrace_emit e;

	if (ktrace_emit_reserve(&e, proc, s, current, KTR_PROCDTOR, 0, true))
		ktrace_emit_end(&e);
}
