// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "compat_pure.h"
#include "wmesg.h"

/**
 * ktrace_wmesg - the first characters of a function's name
 * @symbol: it, maybe with " [module]" behind it, or an address that has no name
 *
 * Return: the word; KTRACE_WMESG_UNKNOWN for what has no name.
 */
u64 ktrace_wmesg(const char *symbol)
{
	u64 wmesg = 0;
	int i;

	if (!strncmp(symbol, "0x", 2))
		return KTRACE_WMESG_UNKNOWN;
	for (i = 0; i < KTRACE_WMESG_MOST && symbol[i] && symbol[i] != ' '; i++)
		wmesg |= (u64)(u8)symbol[i] << (8 * i);
	return wmesg ? wmesg : KTRACE_WMESG_UNKNOWN;
}

/* How the names of functions begin that the kernel keeps in its section .sched.text. */
static const char *const scheduler[] = {
	"__schedule",
	"schedule",
	"preempt_schedule",
	"io_schedule",
	"yield",
	"__cond_resched",
	"__wait_on_bit",
	"out_of_line_wait_on_bit",
	"bit_wait",
	"__wait_for_common",
	"wait_for_completion",
	"__mutex_lock",
	"mutex_lock",
	"__ww_mutex_lock",
	"ww_mutex_lock",
	"__down",
	"down",
	"rwsem_down_",
	"__percpu_down_",
	"percpu_down_",
	"rt_mutex_",
	"__rt_mutex_",
	"usleep_range",
	"do_nanosleep",
	"hrtimer_nanosleep_restart",
	"alarm_timer_nsleep_restart",
	"ldsem_down_",
};

/**
 * ktrace_wmesg_scheduler - is it a function of the scheduler, or of a lock?
 * @symbol: its name
 *
 * For kernels that do not tell where their section .sched.text is.
 */
bool ktrace_wmesg_scheduler(const char *symbol)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scheduler); i++)
		if (!strncmp(symbol, scheduler[i], strlen(scheduler[i])))
			return true;
	return false;
}
