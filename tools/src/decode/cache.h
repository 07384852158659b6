/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A table of what was seen last: when it is full, the entry that was not
 * asked for longest makes room.
 */
#ifndef _DECODE_CACHE_H_
#define _DECODE_CACHE_H_

#include <stddef.h>
#include <stdint.h>

/* Entries begin with this. */
struct cache_entry {
	struct cache_entry *chain;
	struct cache_entry *older;
	struct cache_entry *newer;
	int64_t key[2];
};

struct cache {
	size_t entry_size;
	unsigned int max; /* entries */
	void (*release)(void *entry); /* frees what belongs to an entry that goes; or NULL */
	unsigned int count;
	unsigned int bits; /* the table has 1 << bits buckets */
	struct cache_entry **table;
	struct cache_entry *newest;
	struct cache_entry *oldest;
};

/* Further fields may follow. */
#define CACHE(type, most, ...)                                         \
	{                                                              \
		.entry_size = sizeof(type), .max = most, ##__VA_ARGS__ \
	}

/* cache_find - the entry, or NULL */
void *cache_find(struct cache *cache, int64_t key0, int64_t key1);

/* cache_get - the entry; a new one is zeroed but for its key */
void *cache_get(struct cache *cache, int64_t key0, int64_t key1);

/* cache_remove - the entry, if there is one */
void cache_remove(struct cache *cache, int64_t key0, int64_t key1);

/* cache_clear - all entries, and the memory that they took */
void cache_clear(struct cache *cache);

#endif /* _DECODE_CACHE_H_ */
