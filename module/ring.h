/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring: the records of one CPU on their way to the file.
 *
 * A ring is a circle of bytes that holds records back to back exactly as the
 * file will have them, except for three header fields that the writer fills in
 * (record.h).  Its memory is mapped twice in a row, so that every record is
 * contiguous.
 *
 * Producers are the probes of one CPU, with preemption disabled.  They nest:
 * an interrupt may produce in the middle of another producer, and always ends
 * before it.  The one consumer is the session's writer, on any CPU.
 *
 * Life of a record, all on one CPU:
 *
 *	ktrace_ring_aim()	where is room?
 *	ktrace_ring_take()	take it
 *	stamp = clock
 *	...fill...		no sleep, fault, lock, allocation, printing
 *	[ktrace_ring_trim()]	give back what was not filled
 *	ktrace_ring_publish()	show it, and what interrupts put behind it
 *
 * Invariants (tests cite the numbers):
 *  R1 tail <= commit <= head <= tail + size.
 *  R2 [tail, commit) holds whole records only; nobody writes to it but the
 *     consumer.
 *  R3 head moves by cmpxchg only, so that nested producers never share bytes.
 *  R4 commit moves only past what is filled.  The lowest reservation that is not
 *     published yet begins at commit: it is the outermost producer's, and he
 *     publishes it with all that lies behind it by then.
 *  R5 A record is stamped after its bytes were taken.  Hence: a consumer that
 *     takes T from the clock and then, after a full barrier, reads head will find
 *     every record stamped before T below it, and, as soon as commit is there,
 *     below commit (the late CPU).
 *  R6 What is not taken changes nothing.
 *
 * Barrier pairs:
 *  A  take: cmpxchg of head (full), clock          with consumer: clock, full barrier, head load
 *  B  publish: fill, store-release of commit       with ktrace_ring_committed()
 *  C  consumer: last read, store-release of tail   with aim: load-acquire of tail
 */
#ifndef KTRACE_RING_H
#define KTRACE_RING_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/local.h>

/**
 * enum ktrace_count - what a CPU counts for a session
 * @KTRACE_RECORDED: records committed
 * @KTRACE_HOLES: bytes committed that are of no record
 * @KTRACE_LOST_FULL: lost: no room in the ring, or too big for it
 * @KTRACE_LOST_POOL: lost: request_pool records in flight already
 * @KTRACE_SHORT_DATA: recorded with less data than was moved (not readable)
 */
enum ktrace_count {
	KTRACE_RECORDED,
	KTRACE_HOLES,
	KTRACE_LOST_FULL,
	KTRACE_LOST_POOL,
	KTRACE_SHORT_DATA,
	KTRACE_NR_COUNTS,
};

/**
 * struct ktrace_ring - one CPU's records of one session
 * @data: @size bytes, mapped a second time behind themselves (const)
 * @size: a power of two (const)
 * @cpu: whose (const)
 * @head: bytes ever reserved (producers, cmpxchg)
 * @commit: bytes ever published (outermost producer)
 * @count: see enum ktrace_count (producers; read by anyone)
 * @tail: bytes ever consumed (consumer)
 * @consumed: records ever consumed (consumer)
 */
struct ktrace_ring {
	u8 *data;
	u32 size;
	u32 cpu;

	u64 head ____cacheline_aligned;
	u64 commit;
	local_t count[KTRACE_NR_COUNTS];

	u64 tail ____cacheline_aligned;
	u64 consumed;
};

/** struct ktrace_slot - a reservation: bytes [@pos, @end) of a ring */
struct ktrace_slot {
	u64 pos;
	u64 end;
};

void ktrace_ring_init(struct ktrace_ring *ring, u8 *data, u32 size, u32 cpu);
bool ktrace_ring_trim(struct ktrace_ring *ring, struct ktrace_slot *slot, u32 len);
void ktrace_ring_publish_rest(struct ktrace_ring *ring);

/** ktrace_ring_at - address of a position; valid up to @size bytes behind it */
static __always_inline u8 *ktrace_ring_at(const struct ktrace_ring *ring, u64 pos)
{
	return ring->data + (pos & (ring->size - 1));
}

/** ktrace_ring_count - add to one of a CPU's counters, from that CPU; any depth */
static __always_inline void ktrace_ring_count(struct ktrace_ring *ring, enum ktrace_count what,
					      long n)
{
	local_add(n, &ring->count[what]);
}

/*
 * The producer's side.  All of it on one CPU, with preemption disabled.
 */

/**
 * ktrace_ring_aim - where a record would go
 * @ring: of this CPU
 * @len: bytes, from 1 on
 * @slot: gets the place, to be taken
 *
 * Return: bytes of the ring that would be used then: at most @ring->size, or the
 * place must not be taken.
 */
static __always_inline u64 ktrace_ring_aim(const struct ktrace_ring *ring, u32 len,
					   struct ktrace_slot *slot)
{
	/* First: an interrupt may move both, and tail must not be one of beyond this head. */
	u64 tail = smp_load_acquire(&ring->tail); /* C */

	slot->pos = READ_ONCE(ring->head);
	slot->end = slot->pos + len;
	return slot->end - tail;
}

/**
 * ktrace_ring_take - take it
 * @ring: as before
 * @slot: what ktrace_ring_aim() said
 *
 * Return: false if an interrupt was faster: aim again.
 */
static __always_inline bool ktrace_ring_take(struct ktrace_ring *ring,
					     const struct ktrace_slot *slot)
{
	return likely(cmpxchg(&ring->head, slot->pos, slot->end) == slot->pos); /* A */
}

/** ktrace_slot_empty - did all of it go back?  Then there is nothing to publish. */
static inline bool ktrace_slot_empty(const struct ktrace_slot *slot)
{
	return slot->pos == slot->end;
}

/**
 * ktrace_ring_publish - show what was filled
 * @ring: of this CPU
 * @slot: filled, or trimmed, and not empty
 *
 * What an interrupt reserved in the middle of this is published here with the
 * rest.  Once commit is at the end of this reservation, an interrupt that
 * reserves there publishes by itself: that is what ktrace_ring_publish_rest() is
 * prepared for.
 */
static __always_inline void ktrace_ring_publish(struct ktrace_ring *ring,
						const struct ktrace_slot *slot)
{
	barrier(); /* only this CPU writes these two: after a barrier it sees them as they are */
	if (unlikely(ring->commit != slot->pos))
		return; /* nested: left to the outermost */
	smp_store_release(&ring->commit, slot->end); /* B */
	barrier();
	if (unlikely(ring->head != slot->end))
		ktrace_ring_publish_rest(ring);
}

/** ktrace_ring_used - bytes not yet consumed, for the producer's thresholds */
static __always_inline u32 ktrace_ring_used(const struct ktrace_ring *ring)
{
	return READ_ONCE(ring->head) - READ_ONCE(ring->tail);
}

/*
 * The consumer's side.  One consumer at a time; any context.
 */

/** ktrace_ring_committed - position up to which the consumer may read */
static inline u64 ktrace_ring_committed(const struct ktrace_ring *ring)
{
	return smp_load_acquire(&ring->commit); /* B */
}

/**
 * ktrace_ring_pending - may a record stamped before now still come?
 * @ring: any
 * @until: in/out: U64_MAX at the first call
 *
 * The caller has read the clock and then passed a full barrier (A).  It calls
 * again until the answer is no: everything that was reserved at the first
 * call is published, or was given back.
 */
static inline bool ktrace_ring_pending(const struct ktrace_ring *ring, u64 *until)
{
	u64 head = READ_ONCE(ring->head);

	/* What was given back is never published. */
	if (head < *until)
		*until = head;
	return ktrace_ring_committed(ring) < *until;
}

/** ktrace_ring_bytes - bytes of all records ever committed, about: for counters */
static inline u64 ktrace_ring_bytes(const struct ktrace_ring *ring)
{
	return READ_ONCE(ring->commit) - local_read(&ring->count[KTRACE_HOLES]);
}

/**
 * ktrace_ring_consume - give bytes back to the producers
 * @ring: any
 * @pos: new tail: a position returned or passed before
 * @records: records consumed by this
 */
static inline void ktrace_ring_consume(struct ktrace_ring *ring, u64 pos, u64 records)
{
	WRITE_ONCE(ring->consumed, ring->consumed + records);
	smp_store_release(&ring->tail, pos); /* C */
}

#endif /* KTRACE_RING_H */
