// SPDX-License-Identifier: GPL-2.0
#include "ring.h"

/**
 * ktr_ring_init - an empty ring
 * @ring: to set up, not yet visible to anybody
 * @slots: its slots, zero
 * @nr: how many, a power of two
 * @head: the number that the first event will have
 */
void ktr_ring_init(struct ktr_ring *ring, struct ktr_slot *slots, u64 nr, u64 head)
{
	ring->slots = slots;
	ring->mask = nr - 1;
	local_set(&ring->head, head);
	local_set(&ring->lost, 0);
}

/**
 * ktr_ring_read - copy an event
 * @ring: of any CPU
 * @nr: the event's number
 * @copy: gets the slot, and is garbage unless KTR_RING_GOT is returned
 *
 * Context: any.
 */
enum ktr_ring_got ktr_ring_read(const struct ktr_ring *ring, u64 nr, struct ktr_slot *copy)
{
	const struct ktr_slot *slot = &ring->slots[nr & ring->mask];
	u64 sequence = smp_load_acquire(&slot->sequence); /* C */

	if (sequence < 2 * nr + 2)
		return KTR_RING_ABSENT;
	if (sequence > 2 * nr + 2)
		return KTR_RING_OVERWRITTEN;
	/* Whether it was being overwritten is seen afterwards. */
	data_race(memcpy(copy, slot, sizeof(*copy)));
	smp_rmb(); /* D */
	if (READ_ONCE(slot->sequence) != sequence)
		return KTR_RING_OVERWRITTEN;
	copy->sequence = sequence;
	return KTR_RING_GOT;
}

/**
 * ktr_ring_keep - take over an event from the ring that this one replaces
 * @ring: of this CPU, maybe being written by others already
 * @start: the number of its first own event
 * @slot: whole, of the other ring, of the newest of which as many may be kept
 *	as this one has slots
 *
 * The event keeps its number, unless it came after @start had been fixed: then
 * it gets a new one.
 *
 * Context: no preemption.
 */
void ktr_ring_keep(struct ktr_ring *ring, u64 start, const struct ktr_slot *slot)
{
	u64 nr = slot->sequence / 2 - 1;
	struct ktr_slot *to;

	if (nr >= start) {
		to = ktr_ring_begin(ring);
		if (!to)
			return;
	} else {
		to = &ring->slots[nr & ring->mask];
		if (!ktr_ring_claim(to, nr))
			return; /* A newer event is there. */
	}
	ktr_ring_copy(to, slot);
	ktr_ring_commit(to);
}
