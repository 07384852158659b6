// SPDX-License-Identifier: GPL-2.0
#include <linux/gfp.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "anchor.h"
#include "formats.h"
#include "record.h"

/* Bounded: as one piece of memory each, at a time when memory may be in small pieces. */
#define FORMATS_LEAST 16
#define FORMATS_MOST  65536
#define TEXT_LEAST    SZ_4K
#define TEXT_MOST     SZ_4M

static unsigned int formats = 4096;
module_param(formats, uint, 0444);
MODULE_PARM_DESC(formats, "places in the source whose messages can be kept (4096)");
static unsigned int format_text = SZ_256K;
module_param(format_text, uint, 0444);
MODULE_PARM_DESC(format_text, "bytes for their texts (262144)");

static bool in_core(const void *p, void *mod)
{
	return within_module_core((unsigned long)p, mod);
}

static bool in_init(const void *p, void *mod)
{
	return within_module_init((unsigned long)p, mod);
}

/* A module's code has run for the last time; that of its initialization before the rest. */
static int module_changes(struct notifier_block *block, unsigned long state, void *mod)
{
	if (!smp_load_acquire(&ktr_pool.keys)) /* pairs with ktr_formats_start() */
		return NOTIFY_DONE;
	if (state == MODULE_STATE_LIVE || state == MODULE_STATE_GOING)
		ktr_pool_forget(&ktr_pool, in_init, mod);
	if (state == MODULE_STATE_GOING)
		ktr_pool_forget(&ktr_pool, in_core, mod);
	return NOTIFY_DONE;
}

static struct notifier_block block = { .notifier_call = module_changes };

/** ktr_formats_init - Context: module init.  Return: 0 or -errno. */
int ktr_formats_init(void)
{
	if (formats < FORMATS_LEAST || formats > FORMATS_MOST || format_text < TEXT_LEAST ||
	    format_text > TEXT_MOST) {
		pr_err("ktr: formats is %u to %u, format_text is %u to %u\n", FORMATS_LEAST,
		       FORMATS_MOST, TEXT_LEAST, TEXT_MOST);
		return -EINVAL;
	}
	return register_module_notifier(&block);
}

static void free_pool(struct ktr_pool *pool)
{
	kvfree(pool->keys);
	if (pool->formats)
		free_pages_exact(pool->formats, pool->formats_max * sizeof(*pool->formats));
	if (pool->text)
		free_pages_exact(pool->text, pool->text_max);
}

/**
 * ktr_formats_start - memory for the formats, before anything is recorded
 *
 * Context: process, with the control mutex.
 * Return: 0, also if there is some already; -ENOMEM.
 */
int ktr_formats_start(void)
{
	u32 keys = roundup_pow_of_two(2 * formats);
	struct ktr_pool pool = { .key_mask = keys - 1 };
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN;

	if (ktr_pool.keys)
		return 0;
	pool.formats_max = formats;
	pool.text_max = format_text;
	pool.formats = alloc_pages_exact(formats * sizeof(*pool.formats), gfp);
	pool.text = alloc_pages_exact(format_text, gfp);
	pool.keys = kvcalloc(keys, sizeof(*pool.keys), GFP_KERNEL_ACCOUNT);
	if (!pool.formats || !pool.text || !pool.keys) {
		free_pool(&pool);
		return -ENOMEM;
	}
	ktr_anchor_pool(&pool);
	ktr_pool.key_mask = pool.key_mask;
	ktr_pool.formats = pool.formats;
	ktr_pool.formats_max = pool.formats_max;
	ktr_pool.text = pool.text;
	ktr_pool.text_max = pool.text_max;
	ktr_pool.formats_used = pool.formats_used;
	ktr_pool.text_used = pool.text_used;
	/* Pairs with module_changes(). */
	smp_store_release(&ktr_pool.keys, pool.keys);
	return 0;
}

/** ktr_formats_exit - Context: module exit; nobody records, nobody reads. */
void ktr_formats_exit(void)
{
	unregister_module_notifier(&block);
	free_pool(&ktr_pool);
}
