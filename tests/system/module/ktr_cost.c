// SPDX-License-Identifier: GPL-2.0
/*
 * ktr_cost: what recording an event costs, beside trace_printk() and an event
 * of ftrace.
 *
 * Reading /sys/module/ktr_cost/parameters/ns measures: a line with a name and
 * picoseconds for each.  In a guest whose clock counts instructions these are
 * thousandths of instructions.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include <sys/ktr.h>

#define CREATE_TRACE_POINTS
#include "ktr_cost_trace.h"

#define TIMES 2000

static u64 empty;

/* Of one STATEMENT, that has i. */
#define MEASURE(STATEMENT)                       \
	({                                       \
		unsigned long i_, flags_;        \
		u64 took_;                       \
		local_irq_save(flags_);          \
		took_ = ktime_get_ns();          \
		for (i_ = 0; i_ < TIMES; i_++) { \
			unsigned long i = i_;    \
			STATEMENT;               \
			barrier();               \
			(void)i;                 \
		}                                \
		took_ = ktime_get_ns() - took_;  \
		local_irq_restore(flags_);       \
		(took_ * 1000 / TIMES) - empty;  \
	})

static int measure(char *buffer, const struct kernel_param *param)
{
	const char *comm = current->comm;
	int len = 0, round;

	/* The first round has what happens once. */
	for (round = 0; round < 2; round++) {
		empty = 0;
		empty = MEASURE(barrier());
		len = scnprintf(buffer, PAGE_SIZE, "ctr0 %lld\n",
				MEASURE(CTR0(KTR_SUBSYS, "event")));
		len += scnprintf(buffer + len, PAGE_SIZE - len, "ctr2 %lld\n",
				 MEASURE(CTR2(KTR_SUBSYS, "event %lu of %lu", i, TIMES)));
		len += scnprintf(buffer + len, PAGE_SIZE - len, "ctr6 %lld\n",
				 MEASURE(CTR6(KTR_SUBSYS, "event %lu of %lu %d %d %d %d", i, TIMES,
					      1, 2, 3, 4)));
		len += scnprintf(buffer + len, PAGE_SIZE - len, "ctr2_string %lld\n",
				 MEASURE(CTR2(KTR_SUBSYS, "event %s of %lu", comm, TIMES)));
		len += scnprintf(buffer + len, PAGE_SIZE - len, "trace_event %lld\n",
				 MEASURE(trace_ktr_cost(i, TIMES)));
		len += scnprintf(buffer + len, PAGE_SIZE - len, "trace_event_string %lld\n",
				 MEASURE(trace_ktr_cost_string(comm, TIMES)));
		len += scnprintf(buffer + len, PAGE_SIZE - len, "trace_printk %lld\n",
				 MEASURE(trace_printk("event %lu of %d\n", i, TIMES)));
		len += scnprintf(buffer + len, PAGE_SIZE - len, "trace_printk_string %lld\n",
				 MEASURE(trace_printk("event %s of %d\n", comm, TIMES)));
	}
	return len;
}

static const struct kernel_param_ops ops = { .get = measure };
module_param_cb(ns, &ops, NULL, 0400);

MODULE_DESCRIPTION("Cost of ktr(9)");
MODULE_LICENSE("GPL");
