// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>
#include <asm/barrier.h>

#include "anchor.h"
#include "ktr_format.h"
#include "pool.h"

/* On a page of its own: whole, and at a multiple of 64. */
static struct ktr_anchor *anchor;
/* What its @rings says. */
static struct ktr_extent *list_now;

static void set(struct ktr_extent *extent, void *p, u64 len)
{
	extent->phys = virt_to_phys(p);
	extent->len = len;
}

/** ktr_anchor_init - Context: module init.  Return: 0 or -ENOMEM. */
int ktr_anchor_init(void)
{
	static_assert(sizeof(*anchor) <= PAGE_SIZE);

	anchor = (void *)get_zeroed_page(GFP_KERNEL);
	if (!anchor)
		return -ENOMEM;
	anchor->version = KTR_ANCHOR_VERSION;
	anchor->len = sizeof(*anchor);
	anchor->cpus = num_possible_cpus();
	anchor->slot_len = sizeof(struct ktr_slot);
	strscpy(anchor->release, init_utsname()->release, sizeof(anchor->release));
	anchor->magic[0] = KTR_ANCHOR_MAGIC0;
	anchor->magic[1] = KTR_ANCHOR_MAGIC1;
	return 0;
}

/** ktr_anchor_exit - nobody finds it any more */
void ktr_anchor_exit(void)
{
	if (list_now)
		free_pages_exact(list_now, anchor->rings.len);
	list_now = NULL;
	memzero_explicit(anchor, sizeof(*anchor));
	free_page((unsigned long)anchor);
	anchor = NULL;
}

/** ktr_anchor_begin - what it says is about to change, until ktr_anchor_end() */
void ktr_anchor_begin(void)
{
	WRITE_ONCE(anchor->generation, anchor->generation + 1);
	smp_wmb(); /* Odd before any change: who reads has no barriers, but two looks. */
}

void ktr_anchor_end(void)
{
	anchor->wall = ktime_get_real_ns() - ktime_get_mono_fast_ns();
	smp_wmb(); /* All changes before it is even. */
	WRITE_ONCE(anchor->generation, anchor->generation + 1);
}

void ktr_anchor_mask(u32 mask)
{
	anchor->mask = mask;
}

/**
 * ktr_anchor_pool - says where a pool is
 * @pool: counts what it has used in the anchor from now on
 */
void ktr_anchor_pool(struct ktr_pool *pool)
{
	ktr_anchor_begin();
	set(&anchor->formats, pool->formats, pool->formats_max * sizeof(*pool->formats));
	set(&anchor->strings, pool->text, pool->text_max);
	pool->formats_used = &anchor->formats_used;
	pool->text_used = &anchor->strings_used;
	ktr_anchor_end();
}

/** ktr_anchor_list - room for ktr_anchor_rings()'s list; NULL: none.  Need not be used. */
struct ktr_extent *ktr_anchor_list(u32 extents)
{
	return alloc_pages_exact(extents * sizeof(struct ktr_extent),
				 GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
}

/**
 * ktr_anchor_rings - says where the rings are
 * @list: from ktr_anchor_list(), which it takes over: ring by ring
 * @extents: all of them
 * @each: those of each ring
 * @slots: of each ring
 * @entries: of them, that are asked for
 */
void ktr_anchor_rings(struct ktr_extent *list, u32 extents, u32 each, u32 slots, u32 entries)
{
	struct ktr_extent *old = list_now;
	u64 old_len = anchor->rings.len;

	set(&anchor->rings, list, extents * sizeof(*list));
	anchor->ring_extents = each;
	anchor->slots = slots;
	anchor->entries = entries;
	list_now = list;
	if (old)
		free_pages_exact(old, old_len);
}
