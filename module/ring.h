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
 *	ktrace_ring_enter()	mark the CPU busy
 *	stamp = clock
 *	ktrace_ring_reserve()	take the bytes
 *	...fill...		no sleep, fault, lock, allocation, printing
 *	[ktrace_ring_trim()]	give back what was not filled
 *	ktrace_ring_exit()	publish, clear the mark
 *
 * Invariants (tests cite the numbers):
 *  R1 tail <= commit <= head <= tail + size.
 *  R2 [tail, commit) holds whole records only; nobody writes to it but the
 *     consumer.
 *  R3 head moves by cmpxchg only, so that nested producers never share bytes.
 *  R4 commit moves only when the outermost producer leaves: when it does,
 *     everything below head is filled.
 *  R5 busy is odd from before the stamp of every record that is not yet below
 *     commit.  Hence: a consumer that takes T from the clock and then, after a
 *     full barrier, sees busy even or changed, will find every record stamped
 *     before T below commit (the late CPU).
 *  R6 A reservation that fails changes nothing.
 *
 * Barrier pairs:
 *  A  enter: busy store, full barrier, clock       with consumer: clock, full barrier, busy load
 *  B  exit: fill, store-release of commit          with ktrace_ring_committed()
 *  C  exit: commit, store-release of busy          with ktrace_ring_busy() before _committed()
 *  D  consumer: last read, store-release of tail   with reserve: load-acquire of tail
 *  E  reserve: clock, cmpxchg (full), load of the  with the exit probe: store of dead, full
 *     process's dead flag (by the caller)          barrier, clock of its PROCDTOR
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
 * @KTRACE_BYTES: bytes of them, headers included
 * @KTRACE_LOST_FULL: lost: no room in the ring, or too big for it
 * @KTRACE_LOST_POOL: lost: request_pool records in flight already
 * @KTRACE_SHORT_DATA: recorded with less data than was moved (not readable)
 */
enum ktrace_count {
	KTRACE_RECORDED,
	KTRACE_BYTES,
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
 * @busy: odd while the CPU produces; each change ends an episode (producers)
 * @nest: depth of producers (producers)
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
	u32 busy;
	u32 nest;
	local_t count[KTRACE_NR_COUNTS];

	u64 tail ____cacheline_aligned;
	u64 consumed;
};

/** struct ktrace_slot - a reservation: bytes [@pos, @pos + @len) of a ring */
struct ktrace_slot {
	u64 pos;
	u32 len;
};

void ktrace_ring_init(struct ktrace_ring *ring, u8 *data, u32 size, u32 cpu);
bool ktrace_ring_trim(struct ktrace_ring *ring, struct ktrace_slot *slot, u32 len);

static __always_inline u8 *ktrace_ring_at(const struct ktrace_ring *ring, u64 pos)
{
	return ring->data + (pos & (ring->size - 1));
}

static __always_inline void ktrace_ring_count(struct ktrace_ring *ring, enum ktrace_count what,
					      unsigned long n)
{
	local_add(n, &ring->count[what]);
}

/**
 * ktrace_ring_enter - begin to produce
 * @ring: of this CPU
 *
 * Context: preemption disabled, until ktrace_ring_exit().  May nest.
 */
static __always_inline void ktrace_ring_enter(struct ktrace_ring *ring)
{
	WRITE_ONCE(ring->nest, ring->nest + 1);
	barrier();
	/*
	 * Whoever finds the mark missing sets it, the outermost or one that
	 * interrupted it right here; both store the same value.  Who finds it
	 * may have interrupted the outermost before its barrier.
	 */
	if (!(READ_ONCE(ring->busy) & 1))
		WRITE_ONCE(ring->busy, ring->busy + 1);
	smp_mb(); /* A: pairs with ktrace_ring_busy()'s caller */
}

/**
 * ktrace_ring_reserve - take room for a record
 * @ring: of this CPU, entered
 * @len: bytes, 1 to @ring->size
 * @slot: what was taken
 *
 * Return: where to write @len bytes, or NULL (nothing taken).
 */
static __always_inline u8 *ktrace_ring_reserve(struct ktrace_ring *ring, u32 len,
					       struct ktrace_slot *slot)
{
	u64 head = READ_ONCE(ring->head);

	for (;;) {
		u64 seen;

		/* D: pairs with ktrace_ring_consume() */
		if (unlikely(head + len - smp_load_acquire(&ring->tail) > ring->size))
			return NULL;
		seen = cmpxchg(&ring->head, head, head + len); /* E */
		if (likely(seen == head))
			break;
		head = seen;
	}
	slot->pos = head;
	slot->len = len;
	return ktrace_ring_at(ring, head);
}

/**
 * ktrace_ring_exit - publish what was filled
 * @ring: as entered
 *
 * Only the outermost producer publishes.  An interrupt that produced after it
 * read head, but before its nest count was gone, could not know that: hence
 * the second look.  The mark stays until that found nothing (R5); interrupts
 * from then on are outermost themselves, publish, and clear it.
 */
static __always_inline void ktrace_ring_exit(struct ktrace_ring *ring)
{
	u64 head;

	barrier();
	if (unlikely(ring->nest > 1)) {
		WRITE_ONCE(ring->nest, ring->nest - 1);
		return;
	}
	do {
		WRITE_ONCE(ring->nest, 1);
		barrier();
		head = READ_ONCE(ring->head);
		smp_store_release(&ring->commit, head); /* B */
		barrier();
		WRITE_ONCE(ring->nest, 0);
		barrier();
	} while (unlikely(READ_ONCE(ring->head) != head));
	smp_store_release(&ring->busy, (ring->busy + 1) & ~1U); /* C */
}

/** ktrace_ring_used - bytes not yet consumed, for the producer's thresholds */
static __always_inline u32 ktrace_ring_used(const struct ktrace_ring *ring)
{
	return READ_ONCE(ring->head) - READ_ONCE(ring->tail);
}

/*
 * The consumer's side.  One consumer at a time; any context.
 */

/**
 * ktrace_ring_busy - may a record stamped before now still come?
 * @ring: any
 * @episode: in/out: 0 at the first call
 *
 * The caller has read the clock and then passed a full barrier (A).  It calls
 * again until the answer is no: the producer that it saw has left, or there
 * was none.
 */
static inline bool ktrace_ring_busy(const struct ktrace_ring *ring, u32 *episode)
{
	u32 busy = smp_load_acquire(&ring->busy); /* C */

	if (!(busy & 1) || (*episode && busy != *episode))
		return false;
	*episode = busy;
	return true;
}

/** ktrace_ring_committed - position up to which the consumer may read */
static inline u64 ktrace_ring_committed(const struct ktrace_ring *ring)
{
	return smp_load_acquire(&ring->commit); /* B */
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
	smp_store_release(&ring->tail, pos); /* D */
}

#endif /* KTRACE_RING_H */
