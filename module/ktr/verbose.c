// SPDX-License-Identifier: GPL-2.0
/*
 * Recorders may hold any lock, the console's and the scheduler's, too: they
 * cannot print.  A thread does.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/security.h>

#include "drain.h"
#include "message.h"
#include "record.h"
#include "verbose.h"

/* Of each CPU: consoles are slow. */
#define VERBOSE_DEPTH 1024
/* Lines that are printed once it is to end: a serial line takes seconds for them. */
#define LINES_AT_LAST 256

static unsigned int level;

/* The queue whose next event is the oldest, or NULL. */
static struct ktr_queue *oldest(struct ktr_drain *drain, const struct ktr_slot **slot)
{
	struct ktr_queue *found = NULL;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct ktr_slot *next = ktr_queue_peek(drain->queues[cpu]);

		if (!next || (found && next->entry.timestamp >= (*slot)->entry.timestamp))
			continue;
		found = drain->queues[cpu];
		*slot = next;
	}
	return found;
}

/* Returns how many were there. */
static u64 drop(struct ktr_queue *queue)
{
	u64 n;

	for (n = 0; ktr_queue_peek(queue); n++)
		ktr_queue_next(queue);
	return n;
}

static void pass(struct ktr_drain *drain)
{
	static char line[KTR_MESSAGE_SIZE];
	u32 at_last = LINES_AT_LAST;
	const struct ktr_slot *slot;
	struct ktr_queue *queue;
	u64 lost = 0;
	int cpu;

	while ((queue = oldest(drain, &slot))) {
		u32 with = READ_ONCE(level) > 1 ? KTR_WITH_PLACE : 0;

		if (kthread_should_stop() && !at_last--) {
			for_each_possible_cpu(cpu)
				lost += drop(drain->queues[cpu]);
			break;
		}
		ktr_message_line(&ktr_pool, slot, with, line, sizeof(line));
		ktr_queue_next(queue);
		pr_notice("%s\n", line);
		cond_resched();
	}
	for_each_possible_cpu(cpu)
		lost += ktr_queue_failed(drain->queues[cpu]);
	if (lost)
		pr_notice("ktr: %llu events were too fast for the console\n", lost);
}

static struct ktr_drain drain = { .name = "ktr_console", .way = KTR_WAY_CONSOLE, .pass = pass };

/** ktr_verbose_level - what ktr_verbose_set() set */
unsigned int ktr_verbose_level(void)
{
	return level;
}

/**
 * ktr_verbose_set - events go to the console, too, from now on
 * @verbose: 0: no; 1: CPU and message; 2: with file and line
 *
 * Return: 0, -EINVAL, -ENOMEM, -EPERM (lockdown): nothing has changed.
 */
int ktr_verbose_set(unsigned int verbose)
{
	int err = 0;

	if (verbose > 2)
		return -EINVAL;
	if (verbose && !level) {
		err = security_locked_down(LOCKDOWN_TRACEFS);
		if (err)
			return err;
		err = ktr_drain_start(&drain, VERBOSE_DEPTH, 1);
		if (err)
			return err;
		ktr_drain_attach(&drain);
	}
	WRITE_ONCE(level, verbose);
	if (!verbose && drain.task)
		ktr_drain_stop(&drain);
	return err;
}
