// SPDX-License-Identifier: GPL-2.0
/*
 * KTR_MALLOC and KTR_UMA: kmalloc() and the caches below it.  KTR_VM: pages.
 * KTR_PMAP: page tables.  KTR_BUSDMA: memory for devices.
 */
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/swiotlb.h>
#include <linux/uaccess.h>
#include <trace/events/dma_fence.h>
#include <trace/events/kmem.h>
#include <trace/events/oom.h>
#include <trace/events/swiotlb.h>
#include <trace/events/tlb.h>
#include <trace/events/vmscan.h>

#include "../compat.h"
#include "events.h"

/* What a cache is only the allocator knows; where its name is has been found by begin(), 0: not. */
#define CACHE_LOOK_AT 192
static unsigned int cache_name_at;

static const char *cache_name(const struct kmem_cache *cache)
{
	return cache_name_at ? *(const char **)((const char *)cache + cache_name_at) : "?";
}

static void no_merge(void *object)
{
}

/* Looks for its name in a cache of our own. */
static void begin(void)
{
	static const char own_name[] = "ktr_cache_of_this_name";
	struct kmem_cache *cache;
	char name[sizeof(own_name)];
	unsigned int i;

	/* With a constructor, it is not one of others under another name. */
	cache = cache_name_at ? NULL : kmem_cache_create(own_name, 64, 0, 0, no_merge);
	if (!cache)
		return;
	for (i = sizeof(long); i < CACHE_LOOK_AT && !cache_name_at; i += sizeof(long)) {
		const char *at = *(const char **)((const char *)cache + i);

		/* No number, of which kernels may warn. */
		if ((unsigned long)at >= PAGE_OFFSET &&
		    !copy_from_kernel_nofault(name, at, sizeof(name)) &&
		    !memcmp(name, own_name, sizeof(name)))
			cache_name_at = i;
	}
	kmem_cache_destroy(cache);
}

static void allocated(unsigned long caller, const void *ptr, size_t want, size_t have, gfp_t flags)
{
	CTR5(KTR_MALLOC, "malloc: %p size %zu of %zu flags %#x from %p", ptr, want, have,
	     (__force unsigned int)flags, caller);
}

static void probe_kmalloc(void *data, unsigned long caller, const void *ptr, size_t want,
			  size_t have, gfp_t flags, int node)
{
	allocated(caller, ptr, want, have, flags);
}

/* Up to 6.0; on a node of its own, it was another tracepoint. */
static void probe_kmalloc_any(void *data, unsigned long caller, const void *ptr, size_t want,
			      size_t have, gfp_t flags)
{
	allocated(caller, ptr, want, have, flags);
}

static void probe_kfree(void *data, unsigned long caller, const void *ptr)
{
	CTR2(KTR_MALLOC, "free: %p from %p", ptr, caller);
}

static void probe_cache_alloc(void *data, unsigned long caller, const void *ptr,
			      struct kmem_cache *cache, gfp_t flags, int node)
{
	CTR5(KTR_UMA, "uma_zalloc: %p zone %s(%p) flags %#x from %p", ptr, cache_name(cache), cache,
	     (__force unsigned int)flags, caller);
}

static void probe_cache_free(void *data, unsigned long caller, const void *ptr,
			     const struct kmem_cache *cache)
{
	CTR4(KTR_UMA, "uma_zfree: %p zone %s(%p) from %p", ptr, cache_name(cache), cache, caller);
}

/* Up to 5.10: they do not say which cache. */
static void probe_cache_alloc_any(void *data, unsigned long caller, const void *ptr, size_t want,
				  size_t have, gfp_t flags)
{
	CTR5(KTR_UMA, "uma_zalloc: %p size %zu of %zu flags %#x from %p", ptr, want, have,
	     (__force unsigned int)flags, caller);
}

static void probe_cache_free_any(void *data, unsigned long caller, const void *ptr)
{
	CTR2(KTR_UMA, "uma_zfree: %p from %p", ptr, caller);
}

static unsigned long number_of(const struct page *page)
{
	return page ? page_to_pfn(page) : -1UL;
}

static void probe_page_alloc(void *data, struct page *page, unsigned int order, gfp_t flags,
			     int migratetype)
{
	CTR4(KTR_VM, "page alloc: pfn %#lx order %d flags %#x type %d", number_of(page), order,
	     (__force unsigned int)flags, migratetype);
}

static void probe_page_free(void *data, struct page *page, unsigned int order)
{
	CTR2(KTR_VM, "page free: pfn %#lx order %d", number_of(page), order);
}

static void probe_kswapd_wake(void *data, int node, int zone, int order)
{
	CTR3(KTR_VM, "kswapd: node %d wakes, zone %d order %d", node, zone, order);
}

static void probe_kswapd_sleep(void *data, int node)
{
	CTR1(KTR_VM, "kswapd: node %d sleeps", node);
}

static void probe_reclaim(void *data, int order, gfp_t flags)
{
	CTR3(KTR_VM, "reclaim: pid %d begins, order %d flags %#x", current->tgid, order,
	     (__force unsigned int)flags);
}

static void probe_reclaimed(void *data, unsigned long pages)
{
	CTR2(KTR_VM, "reclaim: pid %d ends, %lu pages", current->tgid, pages);
}

/* 7.x says for which memory cgroup, too. */
static void probe_reclaim_of(void *data, gfp_t flags, int order, struct mem_cgroup *memcg)
{
	probe_reclaim(data, order, flags);
}

static void probe_reclaimed_of(void *data, unsigned long pages, struct mem_cgroup *memcg)
{
	probe_reclaimed(data, pages);
}

static void probe_victim(void *data, struct task_struct *task, uid_t uid)
{
	CTR3(KTR_VM, "out of memory: kills pid %d (%s) of uid %d", task->tgid, task->comm, uid);
}

/* Up to 6.8. */
static void probe_victim_pid(void *data, int pid)
{
	CTR1(KTR_VM, "out of memory: kills pid %d", pid);
}

/* Other architectures have it, and tell nobody by it. */
#ifdef CONFIG_X86
static const char *const reasons[] = {
	[TLB_FLUSH_ON_TASK_SWITCH] = "task switch", [TLB_REMOTE_SHOOTDOWN] = "remote shootdown",
	[TLB_LOCAL_SHOOTDOWN] = "local shootdown",  [TLB_LOCAL_MM_SHOOTDOWN] = "local mm shootdown",
	[TLB_REMOTE_SEND_IPI] = "remote ipi send",
};

static void probe_tlb_flush(void *data, int reason, unsigned long pages)
{
	const char *why = reason >= 0 && reason < (int)ARRAY_SIZE(reasons) ? reasons[reason] : "?";

	CTR2(KTR_PMAP, "tlb flush: %s, pages %ld", why, pages);
}
#endif

static void probe_bounced(void *data, struct device *device, dma_addr_t address,
			  size_t size KTRACE_SWIOTLB_FORCE)
{
	CTR3(KTR_BUSDMA, "swiotlb: %s bounces %#jx size %zu", dev_name(device), address, size);
}

static void fence(const struct dma_fence *f, const char *what)
{
	CTR4(KTR_BUSDMA, "dma fence %p: %s, context %ju seqno %ju", f, what, f->context, f->seqno);
}

static void probe_fence_init(void *data, struct dma_fence *f)
{
	fence(f, "made");
}

static void probe_fence_signaled(void *data, struct dma_fence *f)
{
	fence(f, "signaled");
}

static void probe_fence_wait(void *data, struct dma_fence *f)
{
	fence(f, "waited for");
}

static struct ktr_event events[] = {
	KTR_TRACEPOINT(KTR_MALLOC, kmalloc, probe_kmalloc),
	KTR_TRACEPOINT(KTR_MALLOC, kmalloc, probe_kmalloc_any),
	KTR_TRACEPOINT(KTR_MALLOC, kfree, probe_kfree),
	KTR_TRACEPOINT(KTR_UMA, kmem_cache_alloc, probe_cache_alloc),
	KTR_TRACEPOINT(KTR_UMA, kmem_cache_alloc, probe_cache_alloc_any),
	KTR_TRACEPOINT(KTR_UMA, kmem_cache_free, probe_cache_free),
	KTR_TRACEPOINT(KTR_UMA, kmem_cache_free, probe_cache_free_any),
	KTR_TRACEPOINT(KTR_VM, mm_page_alloc, probe_page_alloc),
	KTR_TRACEPOINT(KTR_VM, mm_page_free, probe_page_free),
	KTR_TRACEPOINT(KTR_VM, mm_vmscan_kswapd_wake, probe_kswapd_wake),
	KTR_TRACEPOINT(KTR_VM, mm_vmscan_kswapd_sleep, probe_kswapd_sleep),
	KTR_TRACEPOINT(KTR_VM, mm_vmscan_direct_reclaim_begin, probe_reclaim),
	KTR_TRACEPOINT(KTR_VM, mm_vmscan_direct_reclaim_begin, probe_reclaim_of),
	KTR_TRACEPOINT(KTR_VM, mm_vmscan_direct_reclaim_end, probe_reclaimed),
	KTR_TRACEPOINT(KTR_VM, mm_vmscan_direct_reclaim_end, probe_reclaimed_of),
	KTR_TRACEPOINT(KTR_VM, mark_victim, probe_victim),
	KTR_TRACEPOINT(KTR_VM, mark_victim, probe_victim_pid),
#ifdef CONFIG_X86
	KTR_TRACEPOINT(KTR_PMAP, tlb_flush, probe_tlb_flush),
#endif
	KTR_TRACEPOINT(KTR_BUSDMA, swiotlb_bounced, probe_bounced),
	KTR_TRACEPOINT(KTR_BUSDMA, dma_fence_init, probe_fence_init),
	KTR_TRACEPOINT(KTR_BUSDMA, dma_fence_signaled, probe_fence_signaled),
	KTR_TRACEPOINT(KTR_BUSDMA, dma_fence_wait_start, probe_fence_wait),
};

const struct ktr_events ktr_events_mem = { events, ARRAY_SIZE(events), begin };
