// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "filter/held.h"

#include <stdlib.h>
#include <string.h>

#include "decode/out.h"

#define MAX_CALLS      (1 << 16)
#define MAX_CALL_BYTES (4UL << 20)
#define MAX_BYTES      (64UL << 20)

struct held_record {
	struct held_record *next;
	struct event event; /* its record is ours */
	struct ktrace_record record; /* its data are ours */
	unsigned char data[];
};

/* A process that has calls here. */
struct process {
	struct cache_entry entry;
	struct held *oldest, *newest;
};

static struct cache processes = CACHE(struct process, MAX_CALLS);
static struct cache calls = CACHE(struct held, MAX_CALLS);
static size_t bytes; /* of all */
static bool warned; /* that it is too much */

struct held *held_find(const struct ktrace_record *record)
{
	return cache_find(&calls, record->pid, record->tid);
}

struct held *held_oldest(void)
{
	return (struct held *)calls.oldest;
}

struct held *held_of_process(const struct ktrace_record *record)
{
	const struct process *process = cache_find(&processes, record->pid, 0);

	return process ? process->oldest : NULL;
}

static void link_process(struct held *held)
{
	struct process *process = cache_get(&processes, held->entry.key[0], 0);

	held->older = process->newest;
	if (held->older)
		held->older->newer = held;
	else
		process->oldest = held;
	process->newest = held;
}

static void unlink_process(struct held *held)
{
	struct process *process = cache_get(&processes, held->entry.key[0], 0);

	if (held->older)
		held->older->newer = held->newer;
	else
		process->oldest = held->newer;
	if (held->newer)
		held->newer->older = held->older;
	else
		process->newest = held->older;
	if (!process->oldest)
		cache_remove(&processes, held->entry.key[0], 0);
}

/* All its records; they are the caller's. */
static struct held_record *take_records(struct held *held)
{
	struct held_record *first = held->first;

	bytes -= held->bytes;
	held->bytes = 0;
	held->first = NULL;
	held->last = NULL;
	return first;
}

void held_decide(struct held *held, enum verdict verdict, bool outside, filter_sink *sink)
{
	struct held_record *record = take_records(held), *next;

	held->verdict = verdict;
	for (; record; record = next) {
		bool wanted = record->event.call ? verdict == VERDICT_YES : outside;

		next = record->next;
		record->event.hidden |= !wanted;
		sink(&record->event);
		free(record);
	}
}

/* Rather too much than too little. */
static void give_up(struct held *held, filter_sink *sink)
{
	if (!warned)
		warn("-e: too much was recorded during a call of process %d: it is shown before its end is known, and so are others like it",
		     held->first->record.pid);
	warned = true;
	held_decide(held, VERDICT_YES, true, sink);
}

/* The oldest ones make room for many. */
static void make_room(filter_sink *sink)
{
	struct cache_entry *entry;

	for (entry = calls.oldest; entry && bytes > MAX_BYTES / 2; entry = entry->newer) {
		struct held *held = (struct held *)entry;

		if (held->first)
			give_up(held, sink);
	}
}

struct held *held_begin(const struct event *event, filter_sink *sink)
{
	struct held *oldest = held_oldest(), *held;

	if (calls.count == calls.max) {
		if (oldest->first)
			give_up(oldest, sink);
		held_end(oldest);
	}
	held = cache_get(&calls, event->record->pid, event->record->tid);
	held->verdict = VERDICT_UNKNOWN;
	held->call = *event->call;
	link_process(held);
	return held;
}

static struct held_record *copy(const struct event *event, const struct call *call)
{
	const struct ktrace_record *record = event->record;
	struct held_record *own = malloc(sizeof(*own) + record->len);

	if (!own)
		die("out of memory");
	own->next = NULL;
	own->record = *record;
	own->record.data = own->data;
	if (record->len)
		memcpy(own->data, record->data, record->len);
	own->event = *event;
	own->event.record = &own->record;
	own->event.call = event->call ? call : NULL;
	return own;
}

void held_add(struct held *held, const struct event *event, filter_sink *sink)
{
	struct held_record *record = copy(event, &held->call);
	size_t size = sizeof(*record) + record->record.len;

	if (held->last)
		held->last->next = record;
	else
		held->first = record;
	held->last = record;
	held->bytes += size;
	bytes += size;
	if (held->bytes > MAX_CALL_BYTES)
		give_up(held, sink);
	else if (bytes > MAX_BYTES)
		make_room(sink);
}

void held_reset(void)
{
	struct held_record *record, *next;
	struct held *held;

	while ((held = held_oldest()) != NULL) {
		for (record = take_records(held); record; record = next) {
			next = record->next;
			free(record);
		}
		held_end(held);
	}
	cache_clear(&calls);
	cache_clear(&processes);
	warned = false;
}

void held_end(struct held *held)
{
	unlink_process(held);
	cache_remove(&calls, held->entry.key[0], held->entry.key[1]);
}
