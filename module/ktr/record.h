/* SPDX-License-Identifier: GPL-2.0 */
/* record: ktr_tracepoint(), and what it looks at. */
#ifndef KTR_RECORD_H
#define KTR_RECORD_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "pool.h"
#include "queue.h"
#include "ring.h"

/** enum ktr_way - where an event may go besides the ring */
enum ktr_way {
	KTR_WAY_ALQ, /* to disk, instead of it */
	KTR_WAY_CONSOLE, /* to the console, as well */
	KTR_WAYS
};

/**
 * struct ktr_cpu - what recorders of a CPU need
 * @ring: where events go; NULL: nowhere.  Set to another ring on this CPU only,
 *	and to NULL from anywhere (protected by the control mutex)
 * @queues: by way, or NULL.  From anywhere (drain.h)
 * @nesting: recorders at work, by context, 8 bits each: task, softirq, hardirq,
 *	NMI.  Changed on this CPU, by each as it comes and goes
 */
struct ktr_cpu {
	struct ktr_ring *ring;
	struct ktr_queue *queues[KTR_WAYS];
	u32 nesting;
};

DECLARE_PER_CPU(struct ktr_cpu, ktr_cpus);

/* Set up before any ring is, gone after all of them. */
extern struct ktr_pool ktr_pool;

#endif /* KTR_RECORD_H */
