// SPDX-License-Identifier: GPL-2.0
#include "queue.h"

/**
 * ktr_queue_init - an empty queue
 * @queue: zero, not yet visible to anybody
 * @slots: its slots, zero
 * @nr: how many, a power of two
 * @depth: entries that may wait, no more than @nr
 * @enough: so many are worth waking the taker
 */
void ktr_queue_init(struct ktr_queue *queue, struct ktr_slot *slots, u64 nr, u64 depth, u64 enough)
{
	queue->slots = slots;
	queue->mask = nr - 1;
	queue->depth = depth;
	queue->enough = enough;
	local_set(&queue->head, 0);
	local_set(&queue->failed, 0);
}

/**
 * ktr_queue_peek - the entry that is next
 * @queue: whose taker the caller is
 *
 * Return: it, unchanged until ktr_queue_next(); NULL: none is there, or it is
 * still being put.
 */
const struct ktr_slot *ktr_queue_peek(const struct ktr_queue *queue)
{
	const struct ktr_slot *slot = &queue->slots[queue->tail & queue->mask];

	return smp_load_acquire(&slot->sequence) == 2 * queue->tail + 2 ? slot : NULL; /* I */
}

/** ktr_queue_next - the caller is done with the entry that ktr_queue_peek() gave */
void ktr_queue_next(struct ktr_queue *queue)
{
	smp_store_release(&queue->tail, queue->tail + 1); /* J */
}

/** ktr_queue_failed - entries that found no room since the taker last asked */
u64 ktr_queue_failed(struct ktr_queue *queue)
{
	u64 failed = (u64)local_read(&queue->failed) - queue->reported;

	queue->reported += failed;
	return failed;
}
