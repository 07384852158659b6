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
 * @ring: of this CPU, entered
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
	u64 end = slot->pos + slot->len;
	u32 hole = slot->len - len;

	if (!hole)
		return true;
	if (cmpxchg(&ring->head, end, slot->pos + len) == end) {
		slot->len = len;
		return true;
	}
	if (len && hole < KTRACE_HEADER_MAX)
		ktrace_record_set_aux(ktrace_ring_at(ring, slot->pos), hole);
	else
		ktrace_record_make_hole(ktrace_ring_at(ring, slot->pos + len), hole);
	slot->len = len;
	return false;
}
