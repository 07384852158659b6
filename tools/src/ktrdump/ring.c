// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "ring.h"

#include <stdlib.h>
#include <string.h>

#include "decode/out.h"

#define WINDOW 256 /* slots */

/* Where in the ring each extent ends; returns how long all of them are. */
static uint64_t add_up(struct ring *ring)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < ring->anchor->ring_extents; i++) {
		if (__builtin_add_overflow(sum, ring->extents[i].len, &sum))
			return 0;
		ring->ends[i] = sum;
	}
	return sum;
}

bool ring_open(struct ring *ring, const struct image *image, const struct ktr_anchor *anchor,
	       uint32_t cpu)
{
	size_t len = anchor->ring_extents * sizeof(struct ktr_extent);
	uint64_t need = (uint64_t)anchor->slots * anchor->slot_len;

	*ring = (struct ring){ .image = image, .anchor = anchor, .cpu = cpu };
	ring->extents = malloc(len);
	ring->ends = calloc(anchor->ring_extents, sizeof(*ring->ends));
	ring->window = malloc((size_t)WINDOW * anchor->slot_len);
	if (!ring->extents || !ring->ends || !ring->window)
		die("out of memory");
	if (image_read(image, anchor->rings.phys + cpu * len, ring->extents, len) &&
	    add_up(ring) >= need && need <= image->total)
		return true;
	ring_close(ring);
	return false;
}

void ring_close(struct ring *ring)
{
	free(ring->extents);
	free(ring->ends);
	free(ring->window);
	*ring = (struct ring){ .image = NULL };
}

/* The extent that has @offset, which is within the ring: any number of others may be empty. */
static uint32_t find_extent(const struct ring *ring, uint64_t offset)
{
	uint32_t low = 0, high = ring->anchor->ring_extents - 1;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ring->ends[middle] <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* @len bytes at @offset of the ring, from one extent to the next. */
static bool read_ring(const struct ring *ring, uint64_t offset, unsigned char *p, size_t len)
{
	while (len) {
		uint32_t i = find_extent(ring, offset);
		uint64_t left = ring->ends[i] - offset;
		size_t n = left < len ? left : len;

		if (!image_read(ring->image, ring->extents[i].phys + (ring->extents[i].len - left),
				p, n))
			return false;
		p += n;
		offset += n;
		len -= n;
	}
	return true;
}

static void read_window(struct ring *ring, uint32_t first)
{
	const size_t slot_len = ring->anchor->slot_len;
	uint32_t count = ring->anchor->slots - first < WINDOW ? ring->anchor->slots - first :
								WINDOW,
		 i;

	ring->window_first = first;
	ring->window_count = count;
	if (read_ring(ring, first * (uint64_t)slot_len, ring->window, count * slot_len))
		return;
	for (i = 0; i < count; i++) {
		if (read_ring(ring, (first + i) * (uint64_t)slot_len, ring->window + i * slot_len,
			      slot_len))
			continue;
		memset(ring->window + i * slot_len, 0, slot_len);
		ring->unreadable++;
	}
}

/* In memory that goes on, a slot may change while it is read: then it is another one now. */
static bool is_still(const struct ring *ring, uint32_t index, const struct ktr_slot *slot)
{
	struct ktr_slot again;

	if (!ring->image->is_live)
		return true;
	return read_ring(ring, index * (uint64_t)ring->anchor->slot_len, (unsigned char *)&again,
			 sizeof(again)) &&
	       memcmp(&again, slot, sizeof(again)) == 0;
}

enum slot_state ring_slot(struct ring *ring, uint32_t index, struct ktr_slot *slot,
			  uint64_t *number)
{
	if (index - ring->window_first >= ring->window_count)
		read_window(ring, index);
	memcpy(slot, ring->window + (size_t)(index - ring->window_first) * ring->anchor->slot_len,
	       sizeof(*slot));
	if (slot->sequence == 0)
		return SLOT_EMPTY;
	if (slot->sequence & 1 || !is_still(ring, index, slot))
		return SLOT_TORN;
	*number = slot->sequence / 2 - 1;
	/* Whatever that is, it is no event. */
	if ((*number & (ring->anchor->slots - 1)) != index || slot->entry.cpu != (int32_t)ring->cpu)
		return SLOT_EMPTY;
	return SLOT_WHOLE;
}
