// SPDX-License-Identifier: GPL-2.0
#include <linux/bitmap.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "anchor.h"
#include "control.h"
#include "events.h"
#include "formats.h"
#include "rings.h"
#include "sys/ktr.h"
#include "verbose.h"

/* Options of the build: make module KTR_ENTRIES=8192, see ktr(4). */
#ifndef KTR_ENTRIES
#define KTR_ENTRIES 1024
#endif
#ifndef KTR_MASK
#define KTR_MASK 0
#endif
#ifdef KTR_CPUMASK
#define CPUMASK_TEXT __stringify(KTR_CPUMASK)
#else
#define CPUMASK_TEXT NULL
#endif
#ifndef KTR_VERBOSE
#define KTR_VERBOSE 0
#endif

static unsigned int entries = KTR_ENTRIES;
module_param(entries, uint, 0444);
MODULE_PARM_DESC(entries, "debug.ktr.entries at first: events kept of each CPU");
static unsigned int mask = KTR_MASK;
module_param(mask, uint, 0444);
MODULE_PARM_DESC(mask, "debug.ktr.mask at first: classes of events, as in sys/ktr_class.h");
static char *cpumask = CPUMASK_TEXT;
module_param(cpumask, charp, 0444);
MODULE_PARM_DESC(cpumask,
		 "debug.ktr.cpumask at first: CPUs whose events are kept, hexadecimal (all)");
static int verbose = KTR_VERBOSE;
module_param(verbose, int, 0444);
MODULE_PARM_DESC(verbose,
		 "debug.ktr.verbose at first: 1: to the console, too; 2: with file and line");

DEFINE_MUTEX(ktr_control_mutex); /* control.h */
struct ktr_settings ktr_settings;

/* The classes' keys, as the mask has them. */
static void set_keys(u32 mask)
{
	int i;

	for (i = 0; i < KTR_CLASSES; i++) {
		if (mask & 1U << i)
			static_branch_enable(&ktr_class_keys[i]);
		else
			static_branch_disable(&ktr_class_keys[i]);
	}
}

/**
 * ktr_control_set_mask - the classes whose events are recorded from now on
 * @mask: KTR_*
 *
 * The first that are not none bring memory to record them in.
 *
 * Context: process, with the mutex.
 * Return: 0 or -ENOMEM: nothing has changed.
 */
int ktr_control_set_mask(u32 mask)
{
	int err = 0;

	lockdep_assert_held(&ktr_control_mutex);
	if (mask)
		err = ktr_formats_start();
	if (mask && !err && !ktr_rings_exist())
		err = ktr_rings_resize(ktr_settings.entries, false);
	if (err)
		return err;
	WRITE_ONCE(ktr_mask, mask);
	set_keys(mask);
	ktr_anchor_begin();
	ktr_anchor_mask(mask);
	ktr_anchor_end();
	ktr_events_update(mask);
	return 0;
}

/**
 * ktr_control_set_entries - the events that are kept of each CPU
 * @entries: from 1
 *
 * Those that are there stay, as many as have room.
 *
 * Context: process, with the mutex.
 * Return: 0, -EINVAL, or -ENOMEM: nothing has changed.
 */
int ktr_control_set_entries(u32 entries)
{
	int err = 0;

	lockdep_assert_held(&ktr_control_mutex);
	if (!entries || entries > KTR_RINGS_ENTRIES_MAX)
		return -EINVAL;
	if (ktr_rings_exist())
		err = ktr_rings_resize(entries, true);
	if (!err)
		ktr_settings.entries = entries;
	return err;
}

/**
 * ktr_control_set_cpus - the CPUs whose events are recorded from now on
 * @cpus: them; impossible ones do not count
 *
 * Context: process, with the mutex.
 * Return: 0.
 */
int ktr_control_set_cpus(const struct cpumask *cpus)
{
	lockdep_assert_held(&ktr_control_mutex);
	cpumask_and(&ktr_settings.cpus, cpus, cpu_possible_mask);
	ktr_rings_select(&ktr_settings.cpus);
	return 0;
}

/**
 * ktr_control_clear - forget all events
 *
 * Context: process, with the mutex.
 * Return: 0, or -ENOMEM: nothing has changed.
 */
int ktr_control_clear(void)
{
	lockdep_assert_held(&ktr_control_mutex);
	return ktr_rings_exist() ? ktr_rings_resize(ktr_settings.entries, false) : 0;
}

/**
 * ktr_control_parse_cpus - CPUs as text
 * @text: hexadecimal words separated by commas, the first may have 0x
 * @list: instead, @text is a list as "0-3,8"
 * @cpus: gets those of them that the kernel knows
 *
 * Return: 0, -EINVAL, -ERANGE: a number beyond what any kernel has; -ENOMEM.
 */
int ktr_control_parse_cpus(const char *text, bool list, struct cpumask *cpus)
{
	const unsigned int most = 8192; /* CPUs, of any kernel */
	unsigned long *bits = bitmap_zalloc(most, GFP_KERNEL);
	int err;

	if (!bits)
		return -ENOMEM;
	if (!list && text[0] == '0' && (text[1] | 0x20) == 'x')
		text += 2;
	if (list)
		err = bitmap_parselist(text, bits, most);
	else
		err = *text ? bitmap_parse(text, UINT_MAX, bits, most) : -EINVAL;
	if (!err)
		bitmap_copy(cpumask_bits(cpus), bits, nr_cpumask_bits);
	bitmap_free(bits);
	return err == -EOVERFLOW ? -ERANGE : err;
}

static int first_cpus(void)
{
	cpumask_var_t cpus;
	int err;

	if (!cpumask)
		return ktr_control_set_cpus(cpu_possible_mask);
	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	err = ktr_control_parse_cpus(cpumask, false, cpus) ?: ktr_control_set_cpus(cpus);
	free_cpumask_var(cpus);
	return err;
}

/**
 * ktr_control_init - the settings as they are at first
 *
 * Context: module init.
 * Return: 0 or -errno.
 */
int ktr_control_init(void)
{
	int err;

	mutex_lock(&ktr_control_mutex);
	err = first_cpus();
	if (!err)
		err = ktr_control_set_entries(entries);
	if (!err)
		err = ktr_verbose_set(verbose);
	if (!err)
		err = ktr_control_set_mask(mask);
	if (err) {
		ktr_verbose_set(0);
		ktr_rings_exit();
	}
	mutex_unlock(&ktr_control_mutex);
	if (err == -EINVAL || err == -ERANGE)
		pr_err("ktr: a parameter is out of range: see ktr(4)\n");
	return err;
}

/** ktr_control_exit - nothing is recorded any more, and what was is gone.  Context: module exit. */
void ktr_control_exit(void)
{
	mutex_lock(&ktr_control_mutex);
	ktr_control_set_mask(0);
	ktr_verbose_set(0);
	ktr_rings_exit();
	mutex_unlock(&ktr_control_mutex);
}
