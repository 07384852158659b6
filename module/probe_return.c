// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/workqueue.h>

#include "emit.h"
#include "probe_return.h"
#include "proc.h"
#include "session.h"
#include "thread.h"

#define INSTANCES_LEAST 256U
#define TRIES		50 /* to unhook, a tenth of a second each */

static struct ktrace_return *const all[] = {
	&ktrace_return_fault,
	&ktrace_return_namei,
	&ktrace_return_sysctl,
	&ktrace_return_capable,
};

/* Nobody knows whose they were: all that have the point are told, and their sessions count them. */
static void tell(u32 points, int missed)
{
	struct ktrace_proc *proc;
	unsigned int b;

	rcu_read_lock();
	for (b = 0; b < ARRAY_SIZE(ktrace_proc_hash); b++) {
		hlist_for_each_entry_rcu(proc, &ktrace_proc_hash[b], node) {
			struct ktrace_session *s = rcu_dereference(proc->session);

			if (!s || !(READ_ONCE(proc->points) & points))
				continue;
			WRITE_ONCE(proc->dropped, 1);
			atomic64_add(missed, &s->lost_hook);
		}
	}
	rcu_read_unlock();
}

static void count_missed(struct ktrace_return *r)
{
	int now = r->entry ? READ_ONCE(r->rp.kp.nmissed) : READ_ONCE(r->rp.nmissed);
	int before = atomic_read(&r->missed);

	/* Who is told of a number first counts it. */
	if (unlikely(now > before) && atomic_cmpxchg(&r->missed, before, now) == before)
		tell(r->points, now - before);
}

/**
 * ktrace_return_missed - calls that found no free kretprobe instance
 *
 * Asked when a traced process ends, and for the counters; and for each hook by itself when a
 * traced process calls its function.
 *
 * Context: any.
 */
void ktrace_return_missed(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		count_missed(all[i]);
}

/**
 * ktrace_return_wanted - is a call of current's to be recorded?
 * @r: the kretprobe that met it
 *
 * Not what our own ioctls do in its name.
 *
 * Context: any.
 */
noinline bool ktrace_return_wanted(struct ktrace_return *r)
{
	struct ktrace_proc *proc;
	bool yes;

	ktrace_guard();
	count_missed(r);
	proc = ktrace_proc_find(current->signal);
	yes = proc && READ_ONCE(proc->points) & r->points && !ktrace_thread_is_inside(current);
	ktrace_unguard();
	return yes;
}

/**
 * ktrace_return_register - hook it, again or for the first time
 * @r: not registered now
 *
 * Context: may sleep.
 * Return: 0, or an errno: this kernel has no such function.
 */
int ktrace_return_register(struct ktrace_return *r)
{
	/* What an earlier registration left behind would be refused. */
	r->rp.kp.addr = NULL;
	r->rp.kp.flags = 0;
	atomic_set(&r->missed, 0);
	if (r->entry) {
		r->rp.kp.pre_handler = r->entry;
		return register_kprobe(&r->rp.kp);
	}
	r->rp.maxactive = max(INSTANCES_LEAST, r->most * num_possible_cpus());
	return register_kretprobe(&r->rp);
}

struct unregistering {
	struct work_struct work;
	struct ktrace_return *r;
};

static void unregister(struct work_struct *work)
{
	struct ktrace_return *r = container_of(work, struct unregistering, work)->r;
	kprobe_opcode_t *at = r->rp.kp.addr;
	int i;

	for (i = 0; i < TRIES; i++) {
		if (r->entry)
			unregister_kprobe(&r->rp.kp);
		else
			unregister_kretprobe(&r->rp);
		if (likely(r->rp.kp.addr))
			return;
		/* It is there still: there was no memory to take it away. */
		r->rp.kp.addr = at;
		msleep(100);
	}
	pr_err("ktrace: the kernel does not let go of %s: the module stays\n",
	       r->rp.kp.symbol_name);
	__module_get(THIS_MODULE);
}

/**
 * ktrace_return_unregister - unhook it
 * @r: registered
 *
 * In a worker: the kernel takes a little memory to let go of a kprobe, which who clears
 * may be without, by a limit of its own or because it is being killed.
 *
 * Context: may sleep: a grace period.
 */
void ktrace_return_unregister(struct ktrace_return *r)
{
	struct unregistering u = { .r = r };

	ktrace_return_missed();
	INIT_WORK_ONSTACK(&u.work, unregister);
	queue_work(system_long_wq, &u.work);
	flush_work(&u.work);
	destroy_work_on_stack(&u.work);
}
