/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring: one CPU's newest events.
 *
 * Writers are all on the ring's CPU, and nest: an interrupt or NMI may come
 * between any two instructions of another writer, and is done before that one
 * goes on.  Readers are anywhere, at any time, and wait for nobody.
 *
 *  K1. Event n goes to slot n modulo the number of slots, and nowhere else.
 *  K2. A slot's sequence is 2 n + 1 while event n is being written to it, and
 *      2 n + 2 from when it is whole until the next takes its place.  It never
 *      goes back to an older event.
 *  K3. Only who set a slot's sequence odd writes to it: a nested writer that
 *      comes to a slot which is being written loses its event, and counts it.
 *      So what is being written is never torn by another writer.
 *  K4. A reader has an event if the sequence was 2 n + 2 before and after it
 *      copied the slot.
 *
 * Barriers: ktr_ring_begin:A (odd, then the data) pairs with ktr_ring_read:D
 * (the data, then the sequence again); ktr_ring_commit:B (the data, then even)
 * pairs with ktr_ring_read:C (even, then the data).
 */
#ifndef KTR_RING_H
#define KTR_RING_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/local.h>

#include "ktr_format.h"

/**
 * struct ktr_ring - one CPU's events
 * @slots: @mask + 1 of them, a power of two
 * @head: number of the next event
 * @lost: events that found their slot being written (K3), and other ones that
 *	the ring's owner counts here
 *
 * @head and @lost are changed by writers on the ring's CPU only.
 */
struct ktr_ring {
	struct ktr_slot *slots;
	u64 mask;
	local_t head;
	local_t lost;
};

/** enum ktr_ring_got - what ktr_ring_read() found */
enum ktr_ring_got {
	KTR_RING_GOT, /* the event */
	KTR_RING_ABSENT, /* it is not there yet, or was lost */
	KTR_RING_OVERWRITTEN, /* a newer one is, or is being written */
};

void ktr_ring_init(struct ktr_ring *ring, struct ktr_slot *slots, u64 nr, u64 head);
enum ktr_ring_got ktr_ring_read(const struct ktr_ring *ring, u64 nr, struct ktr_slot *copy);
void ktr_ring_keep(struct ktr_ring *ring, u64 start, const struct ktr_slot *slot);

static inline u64 ktr_ring_head(const struct ktr_ring *ring)
{
	return local_read(&ring->head);
}

static inline u64 ktr_ring_lost(const struct ktr_ring *ring)
{
	return local_read(&ring->lost);
}

/* Makes the slot of event @nr ours; false if it is being written, or has a newer one. */
static __always_inline bool ktr_ring_claim(struct ktr_slot *slot, u64 nr)
{
	u64 old = READ_ONCE(slot->sequence);

	if (unlikely((old & 1) || old > 2 * nr))
		return false;
	if (unlikely(cmpxchg_local(&slot->sequence, old, 2 * nr + 1) != old))
		return false;
	barrier(); /* Nested writers see the sequence in program order. */
	smp_wmb(); /* A */
	return true;
}

/**
 * ktr_ring_begin - a slot to write an event to
 * @ring: of this CPU
 *
 * All of the slot but the sequence is the caller's until ktr_ring_commit().
 *
 * Context: no preemption.  Return: the slot, or NULL: the event is lost, and
 * counted.
 */
static __always_inline struct ktr_slot *ktr_ring_begin(struct ktr_ring *ring)
{
	u64 nr = local_inc_return(&ring->head) - 1;
	struct ktr_slot *slot = &ring->slots[nr & ring->mask];

	if (likely(ktr_ring_claim(slot, nr)))
		return slot;
	local_inc(&ring->lost);
	return NULL;
}

/** ktr_ring_copy - all of an event but the sequence, to a slot that ktr_ring_begin() gave */
static inline void ktr_ring_copy(struct ktr_slot *to, const struct ktr_slot *from)
{
	memcpy((char *)to + sizeof(to->sequence), (const char *)from + sizeof(from->sequence),
	       sizeof(*from) - sizeof(from->sequence));
}

/** ktr_ring_commit - the slot that ktr_ring_begin() gave is written */
static __always_inline void ktr_ring_commit(struct ktr_slot *slot)
{
	smp_store_release(&slot->sequence, slot->sequence + 1); /* B */
}

#endif /* KTR_RING_H */
