// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "decode/out.h"

#define SIZE_AT_FIRST 256

static uint64_t hash_of(const char *text, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325ULL;
	size_t i;

	for (i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3ULL;
	return hash ^ hash >> 32;
}

/* The slot that has the text, or that it would have. */
static struct names_slot *find(const struct names *names, const char *text, size_t len)
{
	size_t i = hash_of(text, len) & (names->size - 1);

	while (names->slots[i].text &&
	       (names->slots[i].len != len || memcmp(names->slots[i].text, text, len) != 0))
		i = (i + 1) & (names->size - 1);
	return &names->slots[i];
}

static void make_larger(struct names *names)
{
	struct names larger = { .size = names->size ? names->size * 2 : SIZE_AT_FIRST };
	size_t i;

	larger.count = names->count;
	larger.slots = calloc(larger.size, sizeof(*larger.slots));
	if (!larger.slots)
		die("out of memory");
	for (i = 0; i < names->size; i++)
		if (names->slots[i].text)
			*find(&larger, names->slots[i].text, names->slots[i].len) = names->slots[i];
	free(names->slots);
	*names = larger;
}

uint32_t names_number(struct names *names, const char *text, size_t len, bool *is_new)
{
	struct names_slot *slot;

	if (names->count >= names->size / 2)
		make_larger(names);
	slot = find(names, text, len);
	if (is_new)
		*is_new = !slot->text;
	if (slot->text)
		return slot->number;
	*slot = (struct names_slot){ .text = malloc(len + 1),
				     .len = len,
				     .number = names->count++ };
	if (!slot->text)
		die("out of memory");
	memcpy(slot->text, text, len);
	return slot->number;
}

void names_free(struct names *names)
{
	size_t i;

	for (i = 0; i < names->size; i++)
		free(names->slots[i].text);
	free(names->slots);
	*names = (struct names){ .slots = NULL };
}
