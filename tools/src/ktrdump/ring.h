/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The ring of one CPU, in an image. */
#ifndef _KTRDUMP_RING_H_
#define _KTRDUMP_RING_H_

#include "image.h"
#include "ktr_format.h"

struct ring {
	const struct image *image;
	const struct ktr_anchor *anchor;
	uint32_t cpu;
	struct ktr_extent *extents;
	uint64_t *ends; /* of each, in the ring */
	unsigned char *window; /* slots that were read last */
	uint32_t window_first;
	uint32_t window_count;
	uint64_t unreadable; /* slots that are not in the image */
};

/*
 * ring_open - the ring of @cpu, below @anchor->cpus
 *
 * @image and @anchor have to stay as long as it.  Returns false when there is none.
 */
bool ring_open(struct ring *ring, const struct image *image, const struct ktr_anchor *anchor,
	       uint32_t cpu);

void ring_close(struct ring *ring);

enum slot_state {
	SLOT_EMPTY,
	SLOT_WHOLE, /* it has the event @number of the ring */
	SLOT_TORN, /* it was being written */
};

/* ring_slot - slot @index, below @anchor->slots */
enum slot_state ring_slot(struct ring *ring, uint32_t index, struct ktr_slot *slot,
			  uint64_t *number);

#endif /* _KTRDUMP_RING_H_ */
