// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/cache.h"

#include <stdlib.h>
#include <string.h>

#include "decode/out.h"
#include "decode/random.h"

#define FIRST_BITS 6

/*
 * Keys come from the file: with factors that its author cannot know, no choice
 * of keys puts many into one bucket (multiply-shift hashing, which needs odd
 * factors and the upper bits).
 */
static uint64_t factors[2];

static void choose_factors(void)
{
	random_fill(factors, 2);
	factors[0] |= 1;
	factors[1] |= 1;
}

static struct cache_entry **bucket(const struct cache *cache, int64_t key0, int64_t key1)
{
	uint64_t hash = (uint64_t)key0 * factors[0] + (uint64_t)key1 * factors[1];

	return &cache->table[hash >> (64 - cache->bits)];
}

static unsigned int buckets(const struct cache *cache)
{
	return cache->table ? 1U << cache->bits : 0;
}

static void grow(struct cache *cache)
{
	struct cache_entry *entry;

	if (!factors[0])
		choose_factors();
	cache->bits = cache->table ? cache->bits + 1 : FIRST_BITS;
	free(cache->table);
	cache->table = calloc(1U << cache->bits, sizeof(*cache->table));
	if (!cache->table)
		die("out of memory");
	for (entry = cache->newest; entry; entry = entry->older) {
		struct cache_entry **head = bucket(cache, entry->key[0], entry->key[1]);

		entry->chain = *head;
		*head = entry;
	}
}

static void unlink_age(struct cache *cache, struct cache_entry *entry)
{
	if (entry->newer)
		entry->newer->older = entry->older;
	else
		cache->newest = entry->older;
	if (entry->older)
		entry->older->newer = entry->newer;
	else
		cache->oldest = entry->newer;
}

static void link_newest(struct cache *cache, struct cache_entry *entry)
{
	entry->newer = NULL;
	entry->older = cache->newest;
	if (cache->newest)
		cache->newest->newer = entry;
	else
		cache->oldest = entry;
	cache->newest = entry;
}

void *cache_find(struct cache *cache, int64_t key0, int64_t key1)
{
	struct cache_entry *entry = cache->newest;

	/* Records of one thread often come in a row. */
	if (entry && entry->key[0] == key0 && entry->key[1] == key1)
		return entry;
	if (!cache->table)
		return NULL;
	for (entry = *bucket(cache, key0, key1); entry; entry = entry->chain) {
		if (entry->key[0] != key0 || entry->key[1] != key1)
			continue;
		unlink_age(cache, entry);
		link_newest(cache, entry);
		return entry;
	}
	return NULL;
}

static void unlink_entry(struct cache *cache, struct cache_entry *entry)
{
	struct cache_entry **link = bucket(cache, entry->key[0], entry->key[1]);

	while (*link != entry)
		link = &(*link)->chain;
	*link = entry->chain;
	unlink_age(cache, entry);
}

static void release(const struct cache *cache, struct cache_entry *entry)
{
	if (cache->release)
		cache->release(entry);
}

void cache_remove(struct cache *cache, int64_t key0, int64_t key1)
{
	struct cache_entry *entry = cache_find(cache, key0, key1);

	if (!entry)
		return;
	unlink_entry(cache, entry);
	release(cache, entry);
	free(entry);
	cache->count--;
}

/* A zeroed entry: the oldest one when there are as many as there may be. */
static struct cache_entry *new_entry(struct cache *cache)
{
	struct cache_entry *entry = cache->oldest;

	if (cache->count == cache->max) {
		unlink_entry(cache, entry);
		release(cache, entry);
		memset(entry, 0, cache->entry_size);
		return entry;
	}
	if (cache->count >= buckets(cache))
		grow(cache);
	entry = calloc(1, cache->entry_size);
	if (!entry)
		die("out of memory");
	cache->count++;
	return entry;
}

void *cache_get(struct cache *cache, int64_t key0, int64_t key1)
{
	struct cache_entry *entry = cache_find(cache, key0, key1);
	struct cache_entry **head;

	if (entry)
		return entry;
	entry = new_entry(cache);
	entry->key[0] = key0;
	entry->key[1] = key1;
	head = bucket(cache, key0, key1);
	entry->chain = *head;
	*head = entry;
	link_newest(cache, entry);
	return entry;
}

void cache_clear(struct cache *cache)
{
	struct cache_entry *entry, *older;

	for (entry = cache->newest; entry; entry = older) {
		older = entry->older;
		release(cache, entry);
		free(entry);
	}
	free(cache->table);
	cache->table = NULL;
	cache->newest = NULL;
	cache->oldest = NULL;
	cache->count = 0;
}
