// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "living.h"

#include <sys/ktrace.h>

#include "decode/cache.h"
#include "options.h"

#define MAX_LIVING (1 << 18)
#define MAX_ENDED  1024

static struct cache living = CACHE(struct cache_entry, MAX_LIVING);
/* A record may come late, from another CPU: it does not bring its process back. */
static struct cache ended = CACHE(struct cache_entry, MAX_ENDED);
static bool seen;

static bool is_asked_for(const struct ktrace_record *record)
{
	return !options.pid || record->pid == options.pid || record->tid == options.pid;
}

void living_reset(void)
{
	cache_clear(&living);
	cache_clear(&ended);
	seen = false;
}

void living_track(const struct ktrace_record *record)
{
	if (is_asked_for(record))
		seen = true;
	if (record->type == KTR_PROCDTOR) {
		cache_remove(&living, record->pid, 0);
		cache_get(&ended, record->pid, 0);
		return;
	}
	if (record->type == KTR_PROCCTOR)
		cache_remove(&ended, record->pid, 0);
	if (is_asked_for(record) && !cache_find(&ended, record->pid, 0))
		cache_get(&living, record->pid, 0);
}

bool living_seen(void)
{
	return seen;
}

bool living_left(void)
{
	return living.count > 0;
}

bool living_take(int32_t *pid)
{
	if (!living.oldest)
		return false;
	*pid = living.oldest->key[0];
	cache_remove(&living, *pid, 0);
	return true;
}
