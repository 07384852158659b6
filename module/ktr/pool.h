/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pool: the formats of events, as texts that stay.
 *
 * An event names its format by a number.  The first event of a place in the
 * source copies the place's texts into memory that was set aside, whatever the
 * context: no locks, no allocation.  From then on the place is found by its
 * addresses.  When those become invalid because their module goes, they are
 * forgotten; the texts stay, and the same texts are found again by content.
 *
 * A key's @id is 0 (free), KTR_POOL_BUSY (its owner writes the rest), or a
 * format's number: then the rest holds.  It becomes free again only by
 * ktr_pool_forget().  A place may be there twice, when it was met again by
 * somebody who interrupted its first time; each is as good.
 *
 * Barriers: a format's fields are written before @ready, intern:E, and read
 * after it, ktr_pool_format:H.  A key's are written before its id,
 * ktr_pool_add:F, and read after it, ktr_pool_match:G and ktr_pool_forget:G.
 */
#ifndef KTR_POOL_H
#define KTR_POOL_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include "ktr_format.h"

#define KTR_POOL_BUSY	(~0U)
#define KTR_POOL_PROBES 16
/* With their NULs; longer ones are cut. */
#define KTR_POOL_FILE 256
#define KTR_POOL_DESC 1024

struct ktr_pool_key {
	const char *desc;
	const char *file;
	u32 line;
	u32 strings; /* parameters that are strings */
	u32 id;
	u32 pad;
};

/**
 * struct ktr_pool - formats
 * @keys: @key_mask + 1 of them, a power of two, zero at first
 * @formats: @formats_max of them, by number - 1
 * @text: @text_max bytes, what @formats point into
 * @formats_used: number of them, @text_used: bytes; kept where others see them
 * @full: there was no room for another
 * @refused: events whose format found no room
 */
struct ktr_pool {
	struct ktr_pool_key *keys;
	u32 key_mask;
	struct ktr_pool_format *formats;
	u32 formats_max;
	char *text;
	u32 text_max;
	u32 *formats_used;
	u32 *text_used;
	bool full;
	atomic64_t refused;
};

u32 ktr_pool_add(struct ktr_pool *pool, const char *file, u32 line, const char *desc, u32 *strings);
void ktr_pool_forget(struct ktr_pool *pool, bool (*gone)(const void *p, void *arg), void *arg);
const struct ktr_pool_format *ktr_pool_format(const struct ktr_pool *pool, u32 id);

static __always_inline u32 ktr_pool_hash(const struct ktr_pool *pool, u32 line, const char *desc)
{
	return (((unsigned long)desc + line) * 0x9e3779b97f4a7c15ULL >> 32) & pool->key_mask;
}

/* If @key is that of a place: its format's number, else 0. */
static __always_inline u32 ktr_pool_match(const struct ktr_pool_key *key, const char *file,
					  u32 line, const char *desc, u32 *strings)
{
	u32 id = smp_load_acquire(&key->id); /* G */

	if (READ_ONCE(key->desc) != desc || READ_ONCE(key->line) != line ||
	    READ_ONCE(key->file) != file)
		return 0;
	*strings = READ_ONCE(key->strings);
	smp_rmb(); /* It may have been forgotten meanwhile, and be another's. */
	return READ_ONCE(key->id) == id && id != KTR_POOL_BUSY ? id : 0;
}

/**
 * ktr_pool_find - the format of a place in the source
 * @pool: where
 * @file: the place: its file's name
 * @line: likewise
 * @desc: the format
 * @strings: gets bits of the parameters that are strings
 *
 * Context: any.  Return: the format's number, or 0: there is no room; counted.
 */
static __always_inline u32 ktr_pool_find(struct ktr_pool *pool, const char *file, u32 line,
					 const char *desc, u32 *strings)
{
	u32 id = ktr_pool_match(&pool->keys[ktr_pool_hash(pool, line, desc)], file, line, desc,
				strings);

	return likely(id) ? id : ktr_pool_add(pool, file, line, desc, strings);
}

#endif /* KTR_POOL_H */
