// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "formats.h"

#include <stdlib.h>

#include "decode/out.h"
#include "decode/random.h"
#include "stream.h"

#define SIZE_AT_FIRST 1024

/* For multiply-shift hashing: odd, and not known to who writes a file. */
static uint64_t factor;

/* The slot that has @id, or that it would have. */
static struct formats_slot *find(struct formats_slot *slots, size_t size, uint32_t id)
{
	size_t i = (id * factor >> 32) & (size - 1);

	while (slots[i].id && slots[i].id != id)
		i = (i + 1) & (size - 1);
	return &slots[i];
}

static void make_larger(struct formats *formats)
{
	size_t size = formats->size ? formats->size * 2 : SIZE_AT_FIRST, i;
	struct formats_slot *slots = calloc(size, sizeof(*slots));

	if (!slots)
		die("out of memory");
	if (!factor) {
		random_fill(&factor, 1);
		factor |= 1;
	}
	for (i = 0; i < formats->size; i++)
		if (formats->slots[i].id)
			*find(slots, size, formats->slots[i].id) = formats->slots[i];
	free(formats->slots);
	formats->slots = slots;
	formats->size = size;
}

void formats_set(struct formats *formats, uint32_t id, uint32_t index)
{
	struct formats_slot *slot;

	if (formats->used * 2 >= formats->size)
		make_larger(formats);
	slot = find(formats->slots, formats->size, id);
	if (!slot->id)
		formats->used++;
	*slot = (struct formats_slot){ id, index };
}

uint32_t formats_get(const struct formats *formats, uint32_t id)
{
	const struct formats_slot *slot;

	if (id == 0 || !formats->size)
		return NO_FORMAT;
	slot = find(formats->slots, formats->size, id);
	return slot->id ? slot->index : NO_FORMAT;
}

void formats_free(struct formats *formats)
{
	free(formats->slots);
	*formats = (struct formats){ .slots = NULL };
}
