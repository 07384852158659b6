// SPDX-License-Identifier: GPL-2.0
/* debug.ktr.*: read by all, written by root, ranges enforced. */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysctl.h>

#include "../compat.h"
#include "alq.h"
#include "control.h"
#include "crash.h"
#include "record.h"
#include "rings.h"
#include "sys/ktr.h"
#include "sysctl.h"
#include "verbose.h"

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

	if (write && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	/* What is longer would be cut. */
	if (write && *lenp >= TEXT_MAX)
		return -EINVAL;
	line.data = kzalloc(TEXT_MAX, GFP_KERNEL);
	if (!line.data)
		return -ENOMEM;
	err = mutex_lock_killable(&ktr_control_mutex);
	if (err)
		goto out;
	if (!write)
		setting->show(line.data, TEXT_MAX);
	err = proc_dostring(&line, write, buffer, lenp, ppos);
	if (write && !err)
		err = setting->store(strim(line.data));
	mutex_unlock(&ktr_control_mutex);
out:
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

static void show_verbose(char *text, size_t size)
{
	scnprintf(text, size, "%u", ktr_verbose_level());
}

static int store_verbose(const char *text)
{
	unsigned int level;

	return kstrtouint(text, 0, &level) ?: ktr_verbose_set(level);
}

static void show_crash(char *text, size_t size)
{
	scnprintf(text, size, "%u", ktr_crash_entries);
}

static int store_crash(const char *text)
{
	unsigned int entries;

	return kstrtouint(text, 0, &entries) ?: ktr_crash_set(entries);
}

static void show_alq_enable(char *text, size_t size)
{
	scnprintf(text, size, "%d", ktr_alq_enabled());
}

static int store_alq_enable(const char *text)
{
	bool on;

	return kstrtobool(text, &on) ?: ktr_alq_enable(on);
}

static void show_alq_file(char *text, size_t size)
{
	scnprintf(text, size, "%s", ktr_alq_settings.file);
}

static void show_alq_max(char *text, size_t size)
{
	scnprintf(text, size, "%llu", ktr_alq_settings.max);
}

static int store_alq_max(const char *text)
{
	u64 max;
	int err = kstrtou64(text, 0, &max);

	if (!err)
		WRITE_ONCE(ktr_alq_settings.max, max);
	return err;
}

static void show_alq_depth(char *text, size_t size)
{
	scnprintf(text, size, "%u", ktr_alq_settings.depth);
}

static int store_alq_depth(const char *text)
{
	unsigned int depth;

	return kstrtouint(text, 0, &depth) ?: ktr_alq_set_depth(depth);
}

static void show_alq_failed(char *text, size_t size)
{
	scnprintf(text, size, "%llu", ktr_alq_failed());
}

static void show_alq_cnt(char *text, size_t size)
{
	scnprintf(text, size, "%llu", ktr_alq_count());
}

static struct setting version = { show_version, NULL };
static struct setting entries = { show_entries, store_entries };
static struct setting mask = { show_mask, store_mask };
static struct setting compile = { show_compile, NULL };
static struct setting cpumask = { show_cpumask, store_cpumask };
static struct setting cpulist = { show_cpulist, store_cpulist };
static struct setting clear = { show_clear, store_clear };
static struct setting lost = { show_lost, NULL };
static struct setting alq_enable = { show_alq_enable, store_alq_enable };
static struct setting alq_file = { show_alq_file, ktr_alq_set_file };
static struct setting alq_max = { show_alq_max, store_alq_max };
static struct setting alq_depth = { show_alq_depth, store_alq_depth };
static struct setting alq_failed = { show_alq_failed, NULL };
static struct setting alq_cnt = { show_alq_cnt, NULL };
static struct setting verbose = { show_verbose, store_verbose };
static struct setting crash = { show_crash, store_crash };

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
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &verbose,
	},
	{
		.procname = "crash",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &crash,
	},
	{
		.procname = "alq_enable",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &alq_enable,
	},
	{
		.procname = "alq_file",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &alq_file,
	},
	{
		.procname = "alq_max",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &alq_max,
	},
	{
		.procname = "alq_depth",
		.mode = 0644,
		.proc_handler = handle,
		.extra1 = &alq_depth,
	},
	{
		.procname = "alq_failed",
		.mode = 0444,
		.proc_handler = handle,
		.extra1 = &alq_failed,
	},
	{
		.procname = "alq_cnt",
		.mode = 0444,
		.proc_handler = handle,
		.extra1 = &alq_cnt,
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
