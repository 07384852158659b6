// SPDX-License-Identifier: GPL-2.0
#include <linux/gfp.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "ringmem.h"

/* The pages of a mapping that ktrace_ringmem_alloc() made; each counts once. */
static void free_pages_of(struct page **page, unsigned int n)
{
	while (n--)
		__free_page(page[n]);
}

/**
 * ktrace_ringmem_alloc - an empty ring, on its CPU's node
 * @size: bytes: a power of two, at least a page
 * @cpu: its CPU
 *
 * Context: may sleep.  Charged to the caller's memory cgroup.
 * Return: the ring, or NULL without memory.
 */
struct ktrace_ring *ktrace_ringmem_alloc(u32 size, u32 cpu)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_NORETRY;
	unsigned int i, n = size / PAGE_SIZE;
	int node = cpu_to_node(cpu);
	struct ktrace_ring *ring;
	struct page **page;
	u8 *data;

	/* Only a power of two is sure to be aligned to cache lines. */
	ring = kzalloc_node(roundup_pow_of_two(sizeof(*ring)), gfp, node);
	if (!ring)
		return NULL;
	page = kvmalloc_array(2 * n, sizeof(*page), gfp);
	if (!page)
		goto err_ring;
	for (i = 0; i < n; i++) {
		page[i] = alloc_pages_node(node, gfp | __GFP_ZERO, 0);
		if (!page[i])
			goto err_pages;
		page[n + i] = page[i];
	}
	data = vmap(page, 2 * n, VM_MAP, PAGE_KERNEL);
	if (!data)
		goto err_pages;
	kvfree(page);
	ktrace_ring_init(ring, data, size, cpu);
	return ring;

err_pages:
	free_pages_of(page, i);
	kvfree(page);
err_ring:
	kfree(ring);
	return NULL;
}

/**
 * ktrace_ringmem_free - free a ring
 * @ring: that nobody uses any more; may be NULL
 *
 * Context: may sleep.
 */
void ktrace_ringmem_free(struct ktrace_ring *ring)
{
	unsigned int i, n;
	struct page *first;

	if (!ring)
		return;
	n = ring->size / PAGE_SIZE;
	/*
	 * The pages have no list of their own: chain them, by page_private, while
	 * the mapping still tells which they are.
	 */
	first = NULL;
	for (i = 0; i < n; i++) {
		struct page *page = vmalloc_to_page(ring->data + i * PAGE_SIZE);

		set_page_private(page, (unsigned long)first);
		first = page;
	}
	vunmap(ring->data);
	while (first) {
		struct page *page = first;

		first = (struct page *)page_private(page);
		set_page_private(page, 0);
		__free_page(page);
	}
	kfree(ring);
}
