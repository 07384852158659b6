// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>

#include "anchor.h"
#include "record.h"
#include "rings.h"

/* The least slots of a ring: whole pages of them, and room for a few nested writers. */
#define SLOTS_LEAST 64
/* Pages that come together, as a power of two: what the allocator gives without effort. */
#define ORDER_MOST 3
/* Events that one interrupt takes over from a ring that goes. */
#define BATCH 64
/*
 * Naps of up to a millisecond that somebody who is not done is waited for: he will not be
 * any more, then.
 */
#define PATIENCE 10000

/**
 * struct buffer - a ring and its memory
 * @ring: the ring
 * @pages: of the slots, in their order
 * @nr_pages: how many
 * @order: each run of 1 << @order of them is one allocation
 * @cpu: whose it is or was
 * @next: of those that are left
 */
struct buffer {
	struct ktr_ring ring;
	struct page **pages;
	unsigned int nr_pages;
	unsigned int order;
	int cpu;
	struct buffer *next;
};

/* Of each possible CPU, or NULL where there are none (protected by the control mutex). */
static DEFINE_PER_CPU(struct buffer *, buffers);
/* Those that are nobody's ring any more, but that somebody may still use (likewise). */
static struct buffer *left;
/* CPUs whose events are recorded (likewise). */
static struct cpumask selected;

static void buffer_free(struct buffer *buffer)
{
	unsigned int i;

	if (!buffer)
		return;
	vunmap(buffer->ring.slots);
	for (i = 0; i < buffer->nr_pages; i += 1 << buffer->order)
		if (buffer->pages[i])
			__free_pages(buffer->pages[i], buffer->order);
	kvfree(buffer->pages);
	kfree(buffer);
}

static bool buffer_alloc_pages(struct buffer *buffer, int node)
{
	/* Too much is asked for: an error, and nobody is killed for it. */
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY;
	unsigned int i, j;

	for (i = 0; i < buffer->nr_pages; i += 1 << buffer->order) {
		struct page *page;

		if (fatal_signal_pending(current))
			return false;
		page = alloc_pages_node(node, gfp, buffer->order);
		if (!page)
			return false;
		for (j = 0; j < 1 << buffer->order; j++)
			buffer->pages[i + j] = page + j;
		cond_resched();
	}
	return true;
}

static struct buffer *buffer_new(u32 slots, int cpu)
{
	int node = cpu_to_node(cpu);
	struct buffer *buffer;
	void *data;

	buffer = kzalloc_node(sizeof(*buffer), GFP_KERNEL_ACCOUNT, node);
	if (!buffer)
		return NULL;
	buffer->cpu = cpu;
	buffer->nr_pages = PAGE_ALIGN((unsigned long)slots * sizeof(struct ktr_slot)) >> PAGE_SHIFT;
	buffer->order = min_t(unsigned int, ORDER_MOST, __ffs(buffer->nr_pages));
	buffer->pages = kvcalloc(buffer->nr_pages, sizeof(*buffer->pages), GFP_KERNEL_ACCOUNT);
	if (!buffer->pages)
		goto err;
	if (!buffer_alloc_pages(buffer, node))
		goto err;
	data = vmap(buffer->pages, buffer->nr_pages, VM_MAP, PAGE_KERNEL);
	if (!data)
		goto err;
	ktr_ring_init(&buffer->ring, data, slots, 0);
	return buffer;

err:
	if (!buffer->pages)
		buffer->nr_pages = 0;
	buffer_free(buffer);
	return NULL;
}

/* Calls @function on @cpu, or for it while it is offline; CPUs neither come nor go. */
static void call_on(int cpu, void (*function)(void *arg), void *arg)
{
	if (cpu_online(cpu))
		smp_call_function_single(cpu, function, arg, 1);
	else
		function(arg);
}

/* On a CPU: does whom we interrupt record? */
static void look(void *arg)
{
	*(u32 *)arg = this_cpu_read(ktr_cpus.nesting);
}

static bool quiet(int cpu)
{
	u32 nesting = 0; /* of a CPU that is offline */

	if (cpu_online(cpu))
		smp_call_function_single(cpu, look, &nesting, 1);
	return !nesting;
}

/* Whoever records on a CPU now is done; false: he is not, and patience has ended. */
static bool wait_quiet(int cpu, unsigned int *patience)
{
	for (; !quiet(cpu); --*patience) {
		if (!*patience)
			return false;
		usleep_range(50, 1000);
	}
	return true;
}

/**
 * ktr_rings_wait_quiet - wait until whoever records now has done so
 *
 * Then nobody uses a queue that is not a CPU's any more.
 *
 * Context: process.
 * Return: false: somebody is not done after seconds, and will not be: he must
 * have died of it.  What he was given he may still write to.
 */
bool ktr_rings_wait_quiet(void)
{
	unsigned int patience = PATIENCE;
	bool done = true;
	int cpu;

	cpus_read_lock();
	for_each_possible_cpu(cpu)
		if (!wait_quiet(cpu, &patience))
			done = false;
	cpus_read_unlock();
	return done;
}

/* One CPU's ring is replaced by another. */
struct swap {
	int cpu;
	struct ktr_ring *old;
	struct ktr_ring *new;
	bool keep;
	u64 start; /* of @new: number of its first own event */
	u64 lost; /* that @new has taken over */
	u64 next; /* event of @old to take over */
	u64 end;
};

/* On the CPU itself, so that its writers see one ring or the other. */
static void swap_begin(void *arg)
{
	struct swap *swap = arg;
	struct ktr_cpu *cpu = per_cpu_ptr(&ktr_cpus, swap->cpu);

	if (swap->keep) {
		swap->start = ktr_ring_head(swap->old);
		swap->lost = ktr_ring_lost(swap->old);
		local_set(&swap->new->head, swap->start);
		local_set(&swap->new->lost, swap->lost);
	}
	barrier(); /* An NMI finds it ready. */
	if (cpu->ring)
		WRITE_ONCE(cpu->ring, swap->new);
}

static void swap_keep(void *arg)
{
	struct swap *swap = arg;
	u64 end = min(swap->end, swap->next + BATCH);
	static struct ktr_slot slot; /* (protected by the control mutex) */

	/* Those who were interrupted may have lost some since. */
	local_add(ktr_ring_lost(swap->old) - swap->lost, &swap->new->lost);
	swap->lost = ktr_ring_lost(swap->old);
	for (; swap->next < end; swap->next++)
		if (ktr_ring_read(swap->old, swap->next, &slot) == KTR_RING_GOT)
			ktr_ring_keep(swap->new, swap->start, &slot);
}

/*
 * Puts @new in the place of @old, on a CPU that neither comes nor goes; false:
 * somebody may still write to @old.
 */
static bool replace(int cpu, struct ktr_ring *old, struct ktr_ring *new, bool keep,
		    unsigned int *patience)
{
	struct swap swap = { .cpu = cpu, .old = old, .new = new, .keep = keep };
	bool done;
	u64 most;

	call_on(cpu, swap_begin, &swap);
	done = wait_quiet(cpu, patience);
	if (!keep)
		return done;
	swap.end = ktr_ring_head(old);
	most = min(old->mask, new->mask) + 1;
	swap.next = swap.end > most ? swap.end - most : 0;
	while (swap.next < swap.end) {
		call_on(cpu, swap_keep, &swap);
		cond_resched();
	}
	return done;
}

/* Tells the anchor where the rings are; the list has room for them. */
static void publish(struct ktr_extent *list, u32 slots, u32 entries)
{
	struct ktr_extent *at = list;
	u32 each = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct buffer *buffer = per_cpu(buffers, cpu);
		unsigned int i;

		for (i = 0; i < buffer->nr_pages; i += 1 << buffer->order, at++) {
			at->phys = page_to_phys(buffer->pages[i]);
			at->len = PAGE_SIZE << buffer->order;
		}
		each = buffer->nr_pages >> buffer->order;
	}
	ktr_anchor_rings(list, at - list, each, slots, entries);
}

/* Those who read rings without the control mutex. */
static atomic_t pins;

/**
 * ktr_rings_pin - what ktr_rings_of() gives from now on lasts until ktr_rings_unpin()
 *
 * Context: any.
 */
void ktr_rings_pin(void)
{
	atomic_inc(&pins);
	smp_mb__after_atomic(); /* L: pairs with wait_unpinned() */
}

void ktr_rings_unpin(void)
{
	atomic_dec_return_release(&pins);
}

/* Nobody reads the rings that are not there any more; false: patience has ended. */
static bool wait_unpinned(unsigned int *patience)
{
	smp_mb(); /* They are not there; pairs with ktr_rings_pin:L. */
	for (; atomic_read_acquire(&pins); --*patience) {
		if (!*patience)
			return false;
		usleep_range(50, 1000);
	}
	return true;
}

/* Somebody may still use it, and is not waited for any longer. */
static void leave(struct buffer *buffer)
{
	pr_warn_once("ktr: who used a ring is not done: its memory stays\n");
	buffer->next = left;
	left = buffer;
}

/* Those that were left and that nobody uses any more; CPUs neither come nor go. */
static void free_left(void)
{
	struct buffer **at = &left, *buffer;
	unsigned int patience = 0;

	while ((buffer = *at)) {
		if (wait_quiet(buffer->cpu, &patience) && wait_unpinned(&patience)) {
			*at = buffer->next;
			buffer_free(buffer);
		} else {
			at = &buffer->next;
		}
	}
}

static void free_all(struct buffer **all)
{
	int cpu;

	for_each_possible_cpu(cpu)
		buffer_free(all[cpu]);
	kfree(all);
}

/* Buffers that were those of all CPUs, which nobody writes to. */
static void drop_all(struct buffer **all, unsigned int *patience)
{
	int cpu;

	if (!wait_unpinned(patience)) {
		for_each_possible_cpu(cpu) {
			if (all[cpu])
				leave(all[cpu]);
			all[cpu] = NULL;
		}
	}
	free_all(all);
}

/* New buffers for all CPUs, by CPU. */
static struct buffer **new_all(u32 slots)
{
	struct buffer **all;
	int cpu;

	/* A quarter of the memory: old and new rings are there at once. */
	if ((u64)slots * sizeof(struct ktr_slot) * num_possible_cpus() >
	    (u64)totalram_pages() * PAGE_SIZE / 4)
		return NULL;
	all = kcalloc(nr_cpu_ids, sizeof(*all), GFP_KERNEL);
	if (!all)
		return NULL;
	for_each_possible_cpu(cpu) {
		all[cpu] = buffer_new(slots, cpu);
		if (!all[cpu]) {
			free_all(all);
			return NULL;
		}
	}
	return all;
}

bool ktr_rings_exist(void)
{
	return per_cpu(buffers, cpumask_first(cpu_possible_mask));
}

/** ktr_rings_select - the CPUs whose events are recorded from now on */
void ktr_rings_select(const struct cpumask *cpus)
{
	int cpu;

	cpumask_copy(&selected, cpus);
	for_each_possible_cpu(cpu) {
		struct buffer *buffer = per_cpu(buffers, cpu);
		bool on = buffer && cpumask_test_cpu(cpu, cpus);

		/* Release: who finds the ring finds it set up. */
		smp_store_release(&per_cpu(ktr_cpus, cpu).ring, on ? &buffer->ring : NULL);
	}
}

/**
 * ktr_rings_resize - make rings, or replace those that are there
 * @entries: events that each has at least, 1 to KTR_RINGS_ENTRIES_MAX
 * @keep: the newest events stay, as many as have room, and what was lost;
 *	else, the rings are empty afterwards
 *
 * Recording goes on meanwhile.
 *
 * Seconds are given to somebody who does not get done with an old ring; then
 * its memory stays.
 *
 * Return: 0, or -ENOMEM, -EINTR (killed): nothing has changed.
 */
int ktr_rings_resize(u32 entries, bool keep)
{
	u32 slots = max_t(u32, roundup_pow_of_two(entries), SLOTS_LEAST);
	unsigned int patience = PATIENCE;
	struct buffer **all = new_all(slots);
	struct ktr_extent *list;
	int cpu;

	if (!all)
		return fatal_signal_pending(current) ? -EINTR : -ENOMEM;
	cpu = cpumask_first(cpu_possible_mask);
	list = ktr_anchor_list(num_possible_cpus() * (all[cpu]->nr_pages >> all[cpu]->order));
	if (!list) {
		free_all(all);
		return -ENOMEM;
	}

	ktr_anchor_begin();
	cpus_read_lock();
	free_left();
	for_each_possible_cpu(cpu) {
		struct buffer *old = per_cpu(buffers, cpu), *new = all[cpu];

		/* Release: who finds the ring finds it set up; pairs with ktr_rings_of(). */
		smp_store_release(per_cpu_ptr(&buffers, cpu), new);
		all[cpu] = old;
		if (old && !replace(cpu, &old->ring, &new->ring, keep, &patience)) {
			leave(old);
			all[cpu] = NULL;
		}
	}
	cpus_read_unlock();
	ktr_rings_select(&selected); /* Those that had none. */
	publish(list, slots, entries);
	ktr_anchor_end();
	drop_all(all, &patience);
	return 0;
}

/** ktr_rings_exit - Context: module exit; nobody begins to record, nobody reads. */
void ktr_rings_exit(void)
{
	unsigned int patience = PATIENCE;
	struct buffer *buffer;
	int cpu;

	cpus_read_lock();
	free_left();
	for_each_possible_cpu(cpu) {
		WRITE_ONCE(per_cpu(ktr_cpus, cpu).ring, NULL);
		buffer = per_cpu(buffers, cpu);
		WRITE_ONCE(per_cpu(buffers, cpu), NULL);
		if (!buffer)
			continue;
		if (wait_quiet(cpu, &patience) && wait_unpinned(&patience))
			buffer_free(buffer);
		else
			leave(buffer);
	}
	cpus_read_unlock();
}

/**
 * ktr_rings_of - a CPU's ring, for readers
 * @cpu: a possible one
 *
 * Return: it, or NULL.  It lasts as long as the control mutex is held, or the
 * rings are pinned.
 */
const struct ktr_ring *ktr_rings_of(int cpu)
{
	/* Pairs with ktr_rings_resize(). */
	const struct buffer *buffer = smp_load_acquire(per_cpu_ptr(&buffers, cpu));

	return buffer ? &buffer->ring : NULL;
}
