// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "rings.h"
#include "walk.h"

/**
 * struct cursor - where the walk is on a CPU
 * @ring: the CPU's, or NULL
 * @from: its oldest event
 * @to: behind its newest
 * @at: events from here on have been passed
 * @timestamp: of the next event, if there is @any and it is @known
 * @known: it has been looked for
 * @any: there is one
 */
struct cursor {
	const struct ktr_ring *ring;
	u64 from;
	u64 to;
	u64 at;
	u64 timestamp;
	bool known;
	bool any;
};

static DEFINE_PER_CPU(struct cursor, cursors);
static atomic_t walking; /* owns all else here */
static bool backwards;
static struct ktr_slot seen;

/**
 * ktr_walk_begin - start behind the newest event
 * @last: nobody else runs any more, nor does who walks go on
 *
 * Context: any.  Return: false: somebody else walks.
 */
bool ktr_walk_begin(bool last)
{
	int cpu;

	if (atomic_xchg(&walking, 1) && !last)
		return false;
	ktr_rings_pin();
	backwards = true;
	for_each_possible_cpu(cpu) {
		struct cursor *c = per_cpu_ptr(&cursors, cpu);

		c->ring = ktr_rings_of(cpu);
		c->known = false;
		if (!c->ring)
			continue;
		c->to = ktr_ring_head(c->ring);
		c->from = c->to - min(c->to, c->ring->mask + 1);
		c->at = c->to;
	}
	return true;
}

/** ktr_walk_end - after ktr_walk_begin() */
void ktr_walk_end(void)
{
	ktr_rings_unpin();
	atomic_set_release(&walking, 0);
}

/* Comes to the next event that is there. */
static void look(struct cursor *c)
{
	c->known = true;
	c->any = false;
	while (c->ring && !c->any && c->at != (backwards ? c->from : c->to)) {
		c->any = ktr_ring_read(c->ring, c->at - backwards, &seen) == KTR_RING_GOT;
		if (c->any)
			c->timestamp = seen.entry.timestamp;
		else
			c->at += backwards ? -1 : 1;
	}
}

static void turn(bool back)
{
	int cpu;

	if (backwards == back)
		return;
	backwards = back;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(&cursors, cpu)->known = false;
}

static bool step(struct ktr_slot *slot)
{
	struct cursor *best;
	bool got, later;
	int cpu;

	do {
		best = NULL;
		for_each_possible_cpu(cpu) {
			struct cursor *c = per_cpu_ptr(&cursors, cpu);

			if (!c->known)
				look(c);
			if (!c->any)
				continue;
			later = best && c->timestamp > best->timestamp;
			if (!best || later == backwards)
				best = c;
		}
		if (!best)
			return false;
		got = ktr_ring_read(best->ring, best->at - backwards, slot) == KTR_RING_GOT;
		best->at += backwards ? -1 : 1;
		best->known = false;
	} while (!got);
	return true;
}

/**
 * ktr_walk_back - the next older event
 * @slot: gets it
 *
 * Return: false: there is none.
 */
bool ktr_walk_back(struct ktr_slot *slot)
{
	turn(true);
	return step(slot);
}

/**
 * ktr_walk_forward - the next newer event
 * @slot: gets it
 *
 * Return: false: there is none that was there when the walk began.
 */
bool ktr_walk_forward(struct ktr_slot *slot)
{
	turn(false);
	return step(slot);
}
