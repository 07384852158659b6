// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "formats.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "decode/out.h"
#include "stream.h"

#define SIZE_AT_FIRST 1024

/* Not to be known by who writes a file: or all of its numbers would fall into one place. */
static uint64_t multiplier(void)
{
	static uint64_t value;
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (!value) {
		value = 0x9e3779b97f4a7c15ULL;
		if (random)
			memcpy(&value, random, sizeof(value));
		value |= 1;
	}
	return value;
}

/* The slot that has @id, or that it would have. */
static struct formats_slot *find(struct formats_slot *slots, size_t size, uint32_t id)
{
	size_t i = (id * multiplier() >> 32) & (size - 1);

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
