// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "record.h"
#include "ring.h"

/**
 * ktrace_ring_init - an empty ring
 * @ring: to set up, not yet visible to anybody
 * @data: @size bytes mapped twice in a row (2 * @size addresses)
 * @size: a power of two
 * @cpu: its producers' CPU
 */
void ktrace_ring_init(struct ktrace_ring *ring, u8 *data, u32 size, u32 cpu)
{
	memset(ring, 0, sizeof(*ring));
	ring->data = data;
	ring->size = size;
	ring->cpu = cpu;
}

/**
 * ktrace_ring_trim - shorten a reservation that was not filled entirely
 * @ring: of this CPU
 * @slot: the reservation; updated
 * @len: bytes to keep from its beginning: 0, or a whole record with its header
 *
 * The bytes go back at once, unless an interrupt produced behind them: then
 * they stay as a hole that the merge skips.  A hole too small for a header of
 * its own is noted in the record before it (record.h: aux).
 *
 * Return: true if the bytes went back, false if a hole was left.
 */
bool ktrace_ring_trim(struct ktrace_ring *ring, struct ktrace_slot *slot, u32 len)
{
	u64 end = slot->pos + len;
	u32 hole = slot->end - end;

	if (!hole)
		return true;
	if (cmpxchg(&ring->head, slot->end, end) == slot->end) {
		slot->end = end;
		return true;
	}
	ktrace_ring_count(ring, KTRACE_HOLES, hole);
	if (len && hole < KTRACE_HEADER_MAX)
		ktrace_record_set_aux(ktrace_ring_at(ring, slot->pos), hole);
	else
		ktrace_record_make_hole(ktrace_ring_at(ring, end), hole);
	return false;
}

/**
 * ktrace_ring_publish_rest - show what interrupts have put behind the outermost producer's
 * @ring: of this CPU
 *
 * All of it is filled: they have ended.  One that comes while commit is at head
 * publishes by itself; if that happens between our two looks, the cmpxchg
 * fails, and what it published is not taken back.
 */
noinline void ktrace_ring_publish_rest(struct ktrace_ring *ring)
{
	for (;;) {
		u64 commit = READ_ONCE(ring->commit), head = READ_ONCE(ring->head);

		if (commit == head)
			return;
		cmpxchg(&ring->commit, commit, head); /* B */
	}
}
