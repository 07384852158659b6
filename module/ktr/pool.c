// SPDX-License-Identifier: GPL-2.0
#include <linux/minmax.h>
#include <linux/string.h>

#include "format.h"
#include "pool.h"

/* How many formats before it a new one is compared with, for its file's name. */
#define FILES_BACK 16

/* Takes @n of something of which @max are there; returns the first, or @max. */
static u32 take(u32 *used, u32 n, u32 max)
{
	u32 old, now = READ_ONCE(*used);

	do {
		old = now;
		if (n > max - old)
			return max;
		now = cmpxchg(used, old, old + n);
	} while (now != old);
	return old;
}

/* Does the pool's text at @at say @text, as far as that is kept? */
static bool says(const struct ktr_pool *pool, u32 at, const char *text, u32 size)
{
	return !strncmp(pool->text + at, text, size - 1);
}

/* A text's copy; returns where it is, or text_max. */
static u32 keep(struct ktr_pool *pool, const char *text, u32 size)
{
	u32 len = strnlen(text, size - 1);
	u32 at = take(pool->text_used, len + 1, pool->text_max);

	if (at != pool->text_max) {
		memcpy(pool->text + at, text, len);
		pool->text[at + len] = '\0';
	}
	return at;
}

/* The file's name: one of a few that came before has the same, as a rule. */
static u32 keep_file(struct ktr_pool *pool, const char *file, u32 formats)
{
	u32 i;

	for (i = 0; i < min_t(u32, formats, FILES_BACK); i++) {
		const struct ktr_pool_format *f = ktr_pool_format(pool, formats - i);

		if (f && says(pool, f->file, file, KTR_POOL_FILE))
			return f->file;
	}
	return keep(pool, file, KTR_POOL_FILE);
}

/* The number of a format with these texts, which are kept if need be; 0: no room. */
static u32 intern(struct ktr_pool *pool, const char *file, u32 line, const char *desc)
{
	u32 used = READ_ONCE(*pool->formats_used);
	struct ktr_pool_format *format;
	u32 id, nr;

	for (id = 1; id <= used; id++) {
		const struct ktr_pool_format *f = ktr_pool_format(pool, id);

		if (f && f->line == line && says(pool, f->desc, desc, KTR_POOL_DESC) &&
		    says(pool, f->file, file, KTR_POOL_FILE))
			return id;
	}
	nr = take(pool->formats_used, 1, pool->formats_max);
	if (nr == pool->formats_max)
		return 0;
	format = &pool->formats[nr];
	format->line = line;
	format->file = keep_file(pool, file, nr);
	format->desc = keep(pool, desc, KTR_POOL_DESC);
	if (format->file == pool->text_max || format->desc == pool->text_max)
		return 0;
	smp_store_release(&format->ready, 1); /* E */
	return nr + 1;
}

static u32 refuse(struct ktr_pool *pool)
{
	atomic64_inc(&pool->refused);
	return 0;
}

/**
 * ktr_pool_add - the format of a place in the source, which may not be there yet
 * @pool: where
 * @file: the place: its file's name
 * @line: likewise
 * @desc: the format
 * @strings: gets bits of the parameters that are strings
 *
 * What ktr_pool_find() does not find at first glance.
 *
 * Context: any.  Return: the format's number, or 0: there is no room; counted.
 */
u32 ktr_pool_add(struct ktr_pool *pool, const char *file, u32 line, const char *desc, u32 *strings)
{
	u32 at = ktr_pool_hash(pool, line, desc);
	struct ktr_pool_key *key;
	u32 i, id;

	for (i = 0; i < KTR_POOL_PROBES; i++) {
		key = &pool->keys[(at + i) & pool->key_mask];
		id = ktr_pool_match(key, file, line, desc, strings);
		if (id)
			return id;
		if (READ_ONCE(key->id) || READ_ONCE(pool->full))
			continue;
		if (!cmpxchg(&key->id, 0, KTR_POOL_BUSY))
			break;
	}
	if (i == KTR_POOL_PROBES)
		return refuse(pool);

	id = intern(pool, file, line, desc);
	if (id) {
		*strings = ktr_format_strings(desc);
		WRITE_ONCE(key->desc, desc);
		WRITE_ONCE(key->file, file);
		WRITE_ONCE(key->line, line);
		WRITE_ONCE(key->strings, *strings);
	} else {
		WRITE_ONCE(pool->full, true);
	}
	smp_store_release(&key->id, id); /* F */
	return id ?: refuse(pool);
}

/**
 * ktr_pool_forget - addresses become invalid
 * @pool: where; its texts stay
 * @gone: whether an address of a format or file name is one of them
 * @arg: for @gone
 *
 * Nobody records events with those addresses any more.
 *
 * Context: any; several at a time.
 */
void ktr_pool_forget(struct ktr_pool *pool, bool (*gone)(const void *p, void *arg), void *arg)
{
	u32 i;

	for (i = 0; i <= pool->key_mask; i++) {
		struct ktr_pool_key *key = &pool->keys[i];
		u32 id = smp_load_acquire(&key->id); /* G */

		if (!id || id == KTR_POOL_BUSY)
			continue;
		if (gone(key->desc, arg) || gone(key->file, arg))
			cmpxchg(&key->id, id, 0);
	}
}

/** ktr_pool_format - a format by its number; NULL: it is not there (yet) */
const struct ktr_pool_format *ktr_pool_format(const struct ktr_pool *pool, u32 id)
{
	const struct ktr_pool_format *format;

	if (!id || id > pool->formats_max)
		return NULL;
	format = &pool->formats[id - 1];
	return smp_load_acquire(&format->ready) ? format : NULL; /* H */
}
