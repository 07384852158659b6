// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "decode/out.h"
#include "decode/random.h"

#define SIZE_AT_FIRST 256

/*
 * Names come from the file: with factors that its author cannot know, one for
 * each four bytes, no choice of names puts many into one place (multilinear
 * hashing, which needs the upper bits).
 */
static uint64_t factors[1 + NAMES_LONGEST / sizeof(uint32_t)];

static uint64_t hash_of(const char *text, size_t len)
{
	uint64_t hash = factors[0] * len;
	size_t at;

	for (at = 0; at < len; at += sizeof(uint32_t)) {
		uint32_t word = 0;

		memcpy(&word, text + at, len - at < sizeof(word) ? len - at : sizeof(word));
		hash += factors[1 + at / sizeof(word)] * word;
	}
	return hash >> 32;
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

	if (!factors[0])
		random_fill(factors, sizeof(factors) / sizeof(factors[0]));
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

bool names_has(const struct names *names, const char *text, size_t len)
{
	return names->size && find(names, text, len)->text;
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
