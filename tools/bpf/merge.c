// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "merge.h"
#include "records.h"
#include "replay.h"

#define HASH_BITS 12

/**
 * struct lane - what has come of a thread
 * @last: its latest stamp
 * @chunks: memory for its next event
 */
struct lane {
	struct lane *next;
	u32 pid;
	u64 last;
	struct chunk *chunks;
};

struct item {
	u64 stamp;
	u64 sequence;
	struct chunk *chunks;
	struct ktrace_bpf_head *event;
};

static struct lane *lanes[1 << HASH_BITS];
static struct item *heap;
static size_t held, room;
static u64 sequence;

static void *allocate(size_t size)
{
	void *p = malloc(size);

	if (!p)
		abort(); /* half a trace would look like a whole one */
	return p;
}

static struct lane *lane_of(u32 pid)
{
	struct lane **head = &lanes[hash_32(pid, HASH_BITS)], *l;

	for (l = *head; l && l->pid != pid; l = l->next)
		;
	if (!l) {
		l = allocate(sizeof(*l));
		*l = (struct lane){ .next = *head, .pid = pid };
		*head = l;
	}
	return l;
}

static void free_chunks(struct chunk *c)
{
	while (c) {
		struct chunk *next = c->next;

		free(c);
		c = next;
	}
}

static void end_lane(u32 pid)
{
	struct lane **at = &lanes[hash_32(pid, HASH_BITS)], *l;

	for (; (l = *at); at = &l->next) {
		if (l->pid != pid)
			continue;
		*at = l->next;
		free_chunks(l->chunks);
		free(l);
		return;
	}
}

static bool earlier(const struct item *a, const struct item *b)
{
	return a->stamp != b->stamp ? a->stamp < b->stamp : a->sequence < b->sequence;
}

static void push(struct item item)
{
	size_t i = held++;

	if (held > room) {
		room = room ? 2 * room : 1024;
		heap = realloc(heap, room * sizeof(*heap));
		if (!heap)
			abort();
	}
	for (; i && earlier(&item, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = item;
}

static struct item pop(void)
{
	struct item first = heap[0], last = heap[--held];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < held) {
		if (child + 1 < held && earlier(&heap[child + 1], &heap[child]))
			child++;
		if (!earlier(&heap[child], &last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return first;
}

static void add_chunk(const struct ktrace_bpf_chunk *c)
{
	struct lane *l = lane_of(c->pid);
	struct chunk *own = allocate(sizeof(*own) + c->len);

	own->address = c->address;
	own->len = c->len;
	memcpy(own->data, c->data, c->len);
	own->next = l->chunks;
	l->chunks = own;
}

/* What the event is about has happened before what its thread does next. */
static void note(const struct ktrace_bpf_head *h, u64 stamp)
{
	u32 born;

	if (h->type == KTRACE_BPF_FORK) {
		born = ((const struct ktrace_bpf_fork *)(const void *)h)->pid;
		end_lane(born);
		lane_of(born)->last = stamp;
	} else if (h->type == KTRACE_BPF_EXIT) {
		end_lane(h->pid);
	}
}

static void add_event(const struct ktrace_bpf_head *h, size_t size)
{
	struct lane *l = lane_of(h->pid);
	struct item item = {
		.stamp = h->stamp > l->last ? h->stamp : l->last,
		.sequence = sequence++,
		.chunks = l->chunks,
		.event = allocate(size),
	};

	memcpy(item.event, h, size);
	item.event->stamp = item.stamp;
	l->chunks = NULL;
	l->last = item.stamp;
	push(item);
	note(h, item.stamp);
}

void merge_raw(const void *data, size_t size)
{
	const struct ktrace_bpf_chunk *c = data;

	if (c->type == KTRACE_BPF_CHUNK)
		add_chunk(c);
	else
		add_event(data, size);
}

void merge_own(const struct ktrace_bpf_head *head)
{
	struct item item = {
		.stamp = head->stamp,
		.sequence = sequence++,
		.event = allocate(sizeof(*head)),
	};

	*item.event = *head;
	push(item);
}

void merge_release(u64 until, bool (*adopt)(u32 tgid))
{
	while (held && heap[0].stamp <= until) {
		struct item item = pop();

		replay_event(item.event, item.chunks, adopt);
		free_chunks(item.chunks);
		free(item.event);
	}
}

size_t merge_held(void)
{
	return held;
}
