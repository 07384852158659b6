/* SPDX-License-Identifier: GPL-2.0 */
/*
 * queue: one CPU's events on their way to somebody who takes all of them.
 *
 * Unlike a ring it keeps what has not been taken: an event that finds no room
 * is lost, and counted.  Putters are all on the queue's CPU, and nest; one
 * taker is anywhere.
 *
 *  Q1. Entry n is in slot n modulo the number of slots.  Between begin and
 *      commit it is its putter's, then the taker's, until ktr_queue_next().
 *  Q2. A slot's sequence is 2 n + 2 only while entry n waits in it.
 *  Q3. Entries from @tail up to @head are there or being put, never more than
 *      @depth.
 *
 * Barriers: ktr_ring_commit:B (the entry, then its sequence) pairs with
 * ktr_queue_peek:I; ktr_queue_next:J (done with the slot, then the tail) pairs
 * with ktr_queue_begin:K.
 */
#ifndef KTR_QUEUE_H
#define KTR_QUEUE_H

#include "ring.h"

struct irq_work;
struct task_struct;

/**
 * struct ktr_queue - entries
 * @slots: @mask + 1 of them, a power of two, no fewer than @depth
 * @depth: entries that may wait
 * @enough: so many are worth waking the taker
 * @head: number of the next entry.  Changed by putters, on the queue's CPU
 * @failed: those that found no room; likewise
 * @called: the taker has been woken, or is about to be; it takes that back
 * @taker: the thread that takes, known to putters, nothing here
 * @wake: wakes it; likewise
 * @tail: number of the entry that is taken next.  Changed by the taker
 * @reported: of @failed, what the taker has seen; likewise
 */
struct ktr_queue {
	struct ktr_slot *slots;
	u64 mask;
	u64 depth;
	u64 enough;
	local_t head;
	local_t failed;
	bool called;
	struct task_struct *taker;
	struct irq_work *wake;
	u64 tail;
	u64 reported;
};

void ktr_queue_init(struct ktr_queue *queue, struct ktr_slot *slots, u64 nr, u64 depth, u64 enough);
const struct ktr_slot *ktr_queue_peek(const struct ktr_queue *queue);
void ktr_queue_next(struct ktr_queue *queue);
u64 ktr_queue_failed(struct ktr_queue *queue);

/**
 * ktr_queue_begin - a slot to write an entry to
 * @queue: of this CPU
 *
 * All of the slot but the sequence is the caller's until ktr_ring_commit().
 *
 * Context: no preemption.  Return: the slot, or NULL: there is no room; counted.
 */
static __always_inline struct ktr_slot *ktr_queue_begin(struct ktr_queue *queue)
{
	struct ktr_slot *slot;
	s64 waiting;
	u64 nr;

	do {
		nr = local_read(&queue->head);
		/* Below 0 when others came, and were taken, in between. */
		waiting = nr - smp_load_acquire(&queue->tail); /* K */
		if (unlikely(waiting >= (s64)queue->depth)) {
			local_inc(&queue->failed);
			return NULL;
		}
	} while (unlikely(local_cmpxchg(&queue->head, nr, nr + 1) != nr));
	slot = &queue->slots[nr & queue->mask];
	WRITE_ONCE(slot->sequence, 2 * nr + 1);
	return slot;
}

/** ktr_queue_calls - must the caller wake the taker?  Says so once. */
static __always_inline bool ktr_queue_calls(struct ktr_queue *queue)
{
	if (READ_ONCE(queue->called) ||
	    local_read(&queue->head) - READ_ONCE(queue->tail) < queue->enough)
		return false;
	WRITE_ONCE(queue->called, true);
	return true;
}

#endif /* KTR_QUEUE_H */
