// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/irq_work.h>
#include <linux/jump_label.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "peek.h"
#include "record.h"
#include "sys/ktr.h"

static_assert(sizeof(struct ktr_entry) == sizeof(struct ktr_entry64));
static_assert(KTR_PARMS == KTR_STREAM_PARMS);

/*
 * A recorder may interrupt another of its context before the kernel has noted
 * that it is in an interrupt.  More than that is an event of our own doing.
 */
#define NESTING_MOST 2

DEFINE_PER_CPU(struct ktr_cpu, ktr_cpus);
struct ktr_pool ktr_pool;

struct static_key_false ktr_class_keys[KTR_CLASSES] = {
	[0 ... KTR_CLASSES - 1] = STATIC_KEY_FALSE_INIT,
};
EXPORT_SYMBOL_GPL(ktr_class_keys);

unsigned int ktr_mask;
EXPORT_SYMBOL_GPL(ktr_mask);

/* Where in struct ktr_cpu's nesting this context counts. */
static __always_inline unsigned int nesting_shift(void)
{
	unsigned int count = preempt_count();

	if (count & NMI_MASK)
		return 24;
	if (count & HARDIRQ_MASK)
		return 16;
	return count & SOFTIRQ_OFFSET ? 8 : 0;
}

/*
 * Whoever interrupts us between the load and the store leaves the count as it
 * was.
 */
static __always_inline bool enter(struct ktr_cpu *cpu, unsigned int shift)
{
	u32 nesting = READ_ONCE(cpu->nesting);

	if (unlikely((nesting >> shift & 0xff) >= NESTING_MOST))
		return false;
	WRITE_ONCE(cpu->nesting, nesting + (1U << shift));
	barrier();
	return true;
}

static __always_inline void leave(struct ktr_cpu *cpu, unsigned int shift)
{
	barrier();
	WRITE_ONCE(cpu->nesting, READ_ONCE(cpu->nesting) - (1U << shift));
}

/*
 * Does whoever takes from the queue record this?  What comes of its work is not its own
 * business.
 */
static __always_inline bool by_taker(const struct ktr_queue *queue, unsigned int shift)
{
	return queue->taker == current && !shift;
}

static __always_inline void call_taker(struct ktr_queue *queue)
{
	if (unlikely(ktr_queue_calls(queue)))
		irq_work_queue(queue->wake);
}

/* A copy of an event that is about to be committed. */
static noinline notrace void to_console(struct ktr_queue *queue, const struct ktr_slot *slot,
					unsigned int shift)
{
	struct ktr_slot *to;

	if (by_taker(queue, shift))
		return;
	to = ktr_queue_begin(queue);
	if (to) {
		ktr_ring_copy(to, slot);
		ktr_ring_commit(to);
	}
	call_taker(queue);
}

/**
 * ktr_tracepoint - record an event
 * @mask: its classes; one of them must be on
 * @file: its place in the source
 * @line: likewise
 * @format: of its message, of the printf(9) kind
 * @arg1: parameters of @format, each a number or pointer
 * @arg2: .
 * @arg3: .
 * @arg4: .
 * @arg5: .
 * @arg6: .
 *
 * @file and @format must stay as they are until the module that has them is
 * unloaded.  What parameters for %s point to is copied.
 *
 * Context: any, NMI included.
 */
notrace void ktr_tracepoint(unsigned int mask, const char *file, int line, const char *format,
			    unsigned long arg1, unsigned long arg2, unsigned long arg3,
			    unsigned long arg4, unsigned long arg5, unsigned long arg6)
{
	struct ktr_queue *alq, *console;
	unsigned int shift;
	struct ktr_slot *slot;
	struct ktr_ring *ring;
	struct ktr_cpu *cpu;
	u32 id, strings;

	if (!(READ_ONCE(ktr_mask) & mask))
		return;
	preempt_disable_notrace();
	cpu = this_cpu_ptr(&ktr_cpus);
	shift = nesting_shift();
	ring = READ_ONCE(cpu->ring);
	if (unlikely(!ring))
		goto out;
	if (unlikely(!enter(cpu, shift))) {
		/* Those outside us keep both where they are. */
		alq = READ_ONCE(cpu->queues[KTR_WAY_ALQ]);
		local_inc(alq ? &alq->failed : &ring->lost);
		goto out;
	}
	/* Again: until we entered, it could have been replaced.  Pairs with ktr_rings_select(). */
	ring = smp_load_acquire(&cpu->ring);
	if (unlikely(!ring))
		goto out_leave;
	alq = READ_ONCE(cpu->queues[KTR_WAY_ALQ]);
	if (unlikely(alq && by_taker(alq, shift)))
		goto out_leave;
	id = ktr_pool_find(&ktr_pool, file, line, format, &strings);
	slot = unlikely(alq) ? ktr_queue_begin(alq) : ktr_ring_begin(ring);
	if (unlikely(!slot))
		goto out_leave;
	slot->entry.timestamp = ktime_get_mono_fast_ns();
	slot->entry.cpu = raw_smp_processor_id();
	slot->entry.line = line;
	slot->entry.file = (unsigned long)file;
	slot->entry.desc = (unsigned long)format;
	slot->entry.thread = (unsigned long)current;
	slot->entry.parms[0] = arg1;
	slot->entry.parms[1] = arg2;
	slot->entry.parms[2] = arg3;
	slot->entry.parms[3] = arg4;
	slot->entry.parms[4] = arg5;
	slot->entry.parms[5] = arg6;
	slot->format = id;
	slot->pid = current->pid;
	if (id && strings)
		strings = ktr_peek_strings(slot->text, sizeof(slot->text), strings,
					   slot->entry.parms);
	slot->strings = id ? strings : 0;
	console = READ_ONCE(cpu->queues[KTR_WAY_CONSOLE]);
	if (unlikely(console))
		to_console(console, slot, shift);
	ktr_ring_commit(slot);
	if (unlikely(alq))
		call_taker(alq);
out_leave:
	leave(cpu, shift);
out:
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(ktr_tracepoint);
