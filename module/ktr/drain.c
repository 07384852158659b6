// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "drain.h"
#include "rings.h"

/* What is in a queue need not wait longer, whether it is enough or not. */
#define DRAIN_NAP (HZ / 10)

static void wake(struct irq_work *work)
{
	struct ktr_drain *drain = container_of(work, struct ktr_drain, wake);

	WRITE_ONCE(drain->woken, true);
	wake_up(&drain->wait);
}

/*
 * From now on putters may call.  One that looked a moment ago and was told that
 * somebody else had called: its entry waits for the end of the nap at most.
 */
static void rearm(struct ktr_drain *drain)
{
	int cpu;

	WRITE_ONCE(drain->woken, false);
	for_each_possible_cpu(cpu)
		WRITE_ONCE(drain->queues[cpu]->called, false);
	smp_mb(); /* before what the pass looks at */
}

static int drain_main(void *arg)
{
	struct ktr_drain *drain = arg;
	bool last;

	complete(&drain->started);
	do {
		last = kthread_should_stop();
		rearm(drain);
		drain->pass(drain);
		if (!last)
			wait_event_idle_timeout(drain->wait,
						READ_ONCE(drain->woken) || kthread_should_stop(),
						DRAIN_NAP);
	} while (!last);
	return 0;
}

static void free_queues(struct ktr_drain *drain)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct ktr_queue *queue = drain->queues[cpu];

		if (queue)
			vfree(queue->slots);
		kfree(queue);
	}
	kfree(drain->queues);
	drain->queues = NULL;
}

static struct ktr_queue *new_queue(struct ktr_drain *drain, u32 slots, u32 depth, u32 enough,
				   int cpu)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY;
	struct ktr_queue *queue =
		kzalloc_node(sizeof(*queue), GFP_KERNEL_ACCOUNT, cpu_to_node(cpu));
	struct ktr_slot *data;

	if (!queue)
		return NULL;
	data = __vmalloc((unsigned long)slots * sizeof(*data), gfp);
	if (!data) {
		kfree(queue);
		return NULL;
	}
	ktr_queue_init(queue, data, slots, depth, enough);
	queue->wake = &drain->wake;
	return queue;
}

static int new_queues(struct ktr_drain *drain, u32 depth, u32 enough)
{
	u32 slots = roundup_pow_of_two(depth);
	int cpu;

	/* As for rings: a quarter of the memory. */
	if ((u64)slots * sizeof(struct ktr_slot) * num_possible_cpus() >
	    (u64)totalram_pages() * PAGE_SIZE / 4)
		return -ENOMEM;
	drain->queues = kcalloc(nr_cpu_ids, sizeof(*drain->queues), GFP_KERNEL);
	if (!drain->queues)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		drain->queues[cpu] = new_queue(drain, slots, depth, enough, cpu);
		if (!drain->queues[cpu]) {
			free_queues(drain);
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * ktr_drain_start - queues, and a thread that takes from them
 * @drain: with name, way and pass
 * @depth: entries of each queue, 1 to KTR_RINGS_ENTRIES_MAX
 * @enough: so many in a queue wake the thread
 *
 * Context: process, with the control mutex.  Return: 0 or -errno.
 */
int ktr_drain_start(struct ktr_drain *drain, u32 depth, u32 enough)
{
	struct task_struct *task;
	int err, cpu;

	err = new_queues(drain, depth, enough);
	if (err)
		return err;
	init_completion(&drain->started);
	init_waitqueue_head(&drain->wait);
	init_irq_work(&drain->wake, wake);
	task = kthread_create(drain_main, drain, "%s", drain->name);
	if (IS_ERR(task)) {
		free_queues(drain);
		return PTR_ERR(task);
	}
	for_each_possible_cpu(cpu)
		drain->queues[cpu]->taker = task;
	drain->task = task;
	wake_up_process(task);
	/* A thread that is stopped before it runs does not make its last pass. */
	wait_for_completion(&drain->started);
	return 0;
}

/**
 * ktr_drain_attach - events go to its queues from now on
 * @drain: started
 *
 * Context: with the control mutex.
 */
void ktr_drain_attach(struct ktr_drain *drain)
{
	int cpu;

	for_each_possible_cpu(cpu)
		/* Release: who finds the queue finds it set up. */
		smp_store_release(&per_cpu(ktr_cpus, cpu).queues[drain->way], drain->queues[cpu]);
}

/**
 * ktr_drain_detach - no more events come to its queues
 * @drain: attached
 *
 * Those that came are whole when it returns.
 *
 * Context: process; the drain's thread may, too.
 * Return: false: somebody may still write to the queues (ktr_rings_wait_quiet()).
 */
bool ktr_drain_detach(struct ktr_drain *drain)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(ktr_cpus, cpu).queues[drain->way], NULL);
	return ktr_rings_wait_quiet();
}

/**
 * ktr_drain_stop - the end of a drain
 * @drain: started; after all events that came have been taken, it is not there
 *
 * Context: process, with the control mutex.
 */
void ktr_drain_stop(struct ktr_drain *drain)
{
	bool quiet = ktr_drain_detach(drain);

	kthread_stop(drain->task);
	irq_work_sync(&drain->wake);
	if (quiet)
		free_queues(drain);
	else
		pr_warn("ktr: who used the queues of %s is not done: their memory stays\n",
			drain->name);
	drain->queues = NULL;
	drain->task = NULL;
}
