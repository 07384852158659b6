// SPDX-License-Identifier: GPL-2.0
/* kern.ktrace.*: read by all, written by root, ranges enforced. */
#include <linux/mm.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/sysctl.h>

#include "compat.h"
#include "ktrace_format.h"
#include "ktrace_ioctl.h"
#include "session.h"
#include "settings.h"

struct ktrace_settings ktrace_settings = {
	.genio_size = 4096,
	.request_pool = 1048576,
	.buffer_size = SZ_512K,
};

static unsigned int genio_most = KTRACE_GENIO_MAX;
static unsigned int pool_least = 1, pool_most = 16777216;
static unsigned int one = 1;
static unsigned int buffer_least = SZ_64K, buffer_most = SZ_64M;

/* The machine's totals, as words of the form name=value. */
static int show_stats(ktrace_ctl_table *table, int write, void *buffer, size_t *lenp, loff_t *ppos)
{
	struct ktrace_ioc_stats st = {};
	char text[384]; /* nine words, each at most 13 + 20 bytes */
	struct ctl_table line = { .data = text, .maxlen = sizeof(text) };

	ktrace_session_totals(&st);
	scnprintf(text, sizeof(text),
		  "records=%llu bytes=%llu lost_full=%llu lost_pool=%llu lost_hook=%llu "
		  "lost_memory=%llu lost_write=%llu short_data=%llu held=%llu",
		  st.recorded, st.bytes, st.lost_full, st.lost_pool, st.lost_hook, st.lost_memory,
		  st.lost_write, st.short_data, st.held);
	return proc_dostring(&line, write, buffer, lenp, ppos);
}

static void (*set_exclusive)(bool on);
/* Of two writers, the last one's value and what is done go together. */
static DEFINE_MUTEX(exclusive_lock);

static int write_exclusive(ktrace_ctl_table *table, int write, void *buffer, size_t *lenp,
			   loff_t *ppos)
{
	int err;

	mutex_lock(&exclusive_lock);
	err = proc_douintvec_minmax(table, write, buffer, lenp, ppos);
	if (write && !err)
		set_exclusive(ktrace_settings.exclusive);
	mutex_unlock(&exclusive_lock);
	return err;
}

#define UINT_SETTING(name, field, least, most)                                                    \
	{                                                                                         \
		.procname = name, .data = &ktrace_settings.field, .maxlen = sizeof(unsigned int), \
		.mode = 0644, .proc_handler = proc_douintvec_minmax, .extra1 = least,             \
		.extra2 = most,                                                                   \
	}

static struct ctl_table table[] = {
	UINT_SETTING("genio_size", genio_size, NULL, &genio_most),
	UINT_SETTING("geniosize", genio_size, NULL, &genio_most),
	UINT_SETTING("request_pool", request_pool, &pool_least, &pool_most),
	UINT_SETTING("buffer_size", buffer_size, &buffer_least, &buffer_most),
	UINT_SETTING("filesize_limit_signal", filesize_limit_signal, NULL, &one),
	{
		.procname = "exclusive",
		.data = &ktrace_settings.exclusive,
		.maxlen = sizeof(unsigned int),
		.mode = 0644,
		.proc_handler = write_exclusive,
		.extra2 = SYSCTL_ONE,
	},
	{
		.procname = "max_user_memory",
		.data = &ktrace_settings.max_user_memory,
		.maxlen = sizeof(unsigned long),
		.mode = 0644,
		.proc_handler = proc_doulongvec_minmax,
	},
	{
		.procname = "stats",
		.mode = 0444,
		.proc_handler = show_stats,
	},
	KTRACE_SYSCTL_END
};

static struct ctl_table_header *header;

/**
 * ktrace_settings_init
 * @exclusive: is told when that is set
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int ktrace_settings_init(void (*exclusive)(bool on))
{
	set_exclusive = exclusive;
	ktrace_settings.max_user_memory =
		max(totalram_pages() * (PAGE_SIZE / 32), (unsigned long)SZ_32M);
	header = register_sysctl("kern/ktrace", table);
	return header ? 0 : -ENOMEM;
}

/** ktrace_settings_exit - undo ktrace_settings_init() */
void ktrace_settings_exit(void)
{
	unregister_sysctl_table(header);
}
