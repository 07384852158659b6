// SPDX-License-Identifier: GPL-2.0
/* debug.ktr.*: read by all, written by root, ranges enforced. */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysctl.h>

#include "../compat.h"
#include "control.h"
#include "record.h"
#include "rings.h"
#include "sys/ktr.h"
#include "sysctl.h"

/* The longest text of a setting: 8192 CPUs as hexadecimal words. */
#define TEXT_MAX 4096

/**
 * struct setting - a setting as a text
 * @show: writes it
 * @store: sets it from what was written, without blanks around; NULL: read only.
 *	Returns 0 or -errno.
 *
 * Both are called with the control mutex.
 */
struct setting {
	void (*show)(char *text, size_t size);
	int (*store)(const char *text);
};

static int handle(ktrace_ctl_table *table, int write, void *buffer, size_t *lenp, loff_t *ppos)
{
	const struct setting *setting = table->extra1;
	struct ctl_table line = { .maxlen = TEXT_MAX };
	int err;

	line.data = kzalloc(TEXT_MAX, GFP_KERNEL);
	if (!line.data)
		return -ENOMEM;
	mutex_lock(&ktr_control_mutex);
	if (!write)
		setting->show(line.data, TEXT_MAX);
	err = proc_dostring(&line, write, buffer, lenp, ppos);
	if (write && !err)
		err = setting->store(strim(line.data));
	mutex_unlock(&ktr_control_mutex);
	kfree(line.data);
	return err;
}

static void show_version(char *text, size_t size)
{
	scnprintf(text, size, "%d", KTR_VERSION);
}

static void show_entries(char *text, size_t size)
{
	scnprintf(text, size, "%u", ktr_settings.entries);
}

static int store_entries(const char *text)
{
	unsigned int entries;

	return kstrtouint(text, 0, &entries) ?: ktr_control_set_entries(entries);
}

static void show_mask(char *text, size_t size)
{
	scnprintf(text, size, "0x%x", ktr_mask);
}

static int store_mask(const char *text)
{
	u32 mask;

	return kstrtou32(text, 0, &mask) ?: ktr_control_set_mask(mask);
}

static void show_compile(char *text, size_t size)
{
	scnprintf(text, size, "0x%x", (u32)(KTR_COMPILE));
}

static void show_cpumask(char *text, size_t size)
{
	scnprintf(text, size, "%*pb", cpumask_pr_args(&ktr_settings.cpus));
}

static void show_cpulist(char *text, size_t size)
{
	scnprintf(text, size, "%*pbl", cpumask_pr_args(&ktr_settings.cpus));
}

static int store_cpus(const char *text, bool list)
{
	cpumask_var_t cpus;
	int err;

	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	err = ktr_control_parse_cpus(text, list, cpus) ?: ktr_control_set_cpus(cpus);
	free_cpumask_var(cpus);
	return err;
}

static int store_cpumask(const char *text)
{
	return store_cpus(text, false);
}

static int store_cpulist(const char *text)
{
	return store_cpus(text, true);
}

static void show_clear(char *text, size_t size)
{
	scnprintf(text, size, "0");
}

static int store_clear(const char *text)
{
	bool clear;
	int err = kstrtobool(text, &clear);

	return err || !clear ? err : ktr_control_clear();
}

static void show_lost(char *text, size_t size)
{
	u64 nested = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		nested += ktr_rings_exist() ? ktr_ring_lost(ktr_rings_of(cpu)) : 0;
	scnprintf(text, size, "nested=%llu format=%llu", nested,
		  (u64)atomic64_read(&ktr_pool.refused));
}

static struct setting version = { show_version, NULL };
static struct setting entries = { show_entries, store_entries };
static struct setting mask = { show_mask, store_mask };
static struct setting compile = { show_compile, NULL };
static struct setting cpumask = { show_cpumask, store_cpumask };
static struct setting cpulist = { show_cpulist, store_cpulist };
static struct setting clear = { show_clear, store_clear };
static struct setting lost = { show_lost, NULL };
static int verbose_most = 2;

/* clang-format off */
static struct ctl_table table[] = {
	{
		.procname = "version",
		.mode = 0444,
		.proc_handler = handle,
		.extra1 = &version,
	},
	{
		.procname = "entries",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &entries,
	},
	{
		.procname = "mask",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &mask,
	},
	{
		.procname = "compile",
		.mode = 0444,
		.proc_handler = handle,
		.extra1 = &compile,
	},
	{
		.procname = "cpumask",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &cpumask,
	},
	{
		.procname = "cpulist",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &cpulist,
	},
	{
		.procname = "clear",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &clear,
	},
	{
		.procname = "lost",
		.mode = 0444,
		.proc_handler = handle,
		.extra1 = &lost,
	},
	{
		.procname = "verbose",
		.data = &ktr_settings.verbose,
		.maxlen = sizeof(int),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = &verbose_most,
	},
	KTRACE_SYSCTL_END
};
/* clang-format on */

static struct ctl_table_header *header;

/** ktr_sysctl_init - Context: module init.  Return: 0 or -ENOMEM. */
int ktr_sysctl_init(void)
{
	header = register_sysctl("debug/ktr", table);
	return header ? 0 : -ENOMEM;
}

/** ktr_sysctl_exit - undo ktr_sysctl_init() */
void ktr_sysctl_exit(void)
{
	unregister_sysctl_table(header);
}
