/* SPDX-License-Identifier: GPL-2.0 */
/*
 * drain: a thread that takes the events of all CPUs, and their queues.
 *
 * Made, attached, and ended with the control mutex held.  While it is attached,
 * recorders find its queues in their struct ktr_cpu.
 */
#ifndef KTR_DRAIN_H
#define KTR_DRAIN_H

#include <linux/completion.h>
#include <linux/irq_work.h>
#include <linux/wait.h>

#include "queue.h"
#include "record.h"

/**
 * struct ktr_drain - (const once started, but for @woken)
 * @name: of the thread
 * @way: what its queues are for
 * @pass: takes what is there, in the thread; once more after the last event
 * @queues: by CPU, of possible ones
 * @task: the thread; NULL: the drain is not there
 * @started: it runs
 * @wait: where it waits for @woken
 * @wake: sets @woken
 */
struct ktr_drain {
	const char *name;
	enum ktr_way way;
	void (*pass)(struct ktr_drain *drain);
	struct ktr_queue **queues;
	struct task_struct *task;
	struct completion started;
	struct wait_queue_head wait;
	struct irq_work wake;
	bool woken;
};

int ktr_drain_start(struct ktr_drain *drain, u32 depth, u32 enough);
void ktr_drain_attach(struct ktr_drain *drain);
bool ktr_drain_detach(struct ktr_drain *drain);
void ktr_drain_stop(struct ktr_drain *drain);

#endif /* KTR_DRAIN_H */
