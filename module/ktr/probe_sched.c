// SPDX-License-Identifier: GPL-2.0
/*
 * KTR_SCHED and KTR_RUNQ: what schedgraph draws, in the words of FreeBSD's
 * scheduler.  KTR_RUNQ has the run queues alone.
 *
 * The kernel keeps the length of its run queues to itself: they are counted
 * here.  A CPU that idles has none in its queue, which corrects what was
 * miscounted when counting began.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/percpu.h>
#include <linux/sched/rt.h>
#include <linux/sched/signal.h>
#include <trace/events/lock.h>
#include <trace/events/sched.h>

#include "../compat.h"
#include "../wchan.h"
#include "../wmesg.h"
#include "events.h"

#define QUEUES (KTR_SCHED | KTR_RUNQ)

/* A CPU's load: threads that run or want to; changed with its run queue locked. */
struct load {
	atomic_t threads;
	char name[sizeof("CPU 4294967295 load")];
};

static DEFINE_PER_CPU(struct load, loads);

/* Who waits for what kind of lock.  Who is driven out of the table just sleeps. */
#define WAITER_BITS 8

static struct waiter {
	struct task_struct *task;
	const char *lock;
} waiters[1 << WAITER_BITS];

static struct waiter *waiter_of(const struct task_struct *task)
{
	return &waiters[hash_ptr(task, WAITER_BITS)];
}

/* The lock that @task waits for, or NULL. */
static const char *lock_of(const struct task_struct *task)
{
	const struct waiter *w = waiter_of(task);

	return READ_ONCE(w->task) == task ? READ_ONCE(w->lock) : NULL;
}

static void load_change(int cpu, int change)
{
	struct load *load = per_cpu_ptr(&loads, cpu);
	int threads = atomic_add_return(change, &load->threads);

	KTR_COUNTER0(QUEUES, "load", load->name, max(threads, 0));
}

/* A CPU goes on with @next, and knows better. */
static void load_correct(const struct task_struct *next)
{
	struct load *load = this_cpu_ptr(&loads);
	int threads = atomic_read(&load->threads);
	int right = is_idle_task(next) ? 0 : max(threads, 1);

	if (threads != right)
		load_change(smp_processor_id(), right - threads);
}

/* Before the first probe: who is in which queue? */
static void begin(void)
{
	struct task_struct *process, *task;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct load *load = per_cpu_ptr(&loads, cpu);

		snprintf(load->name, sizeof(load->name), "CPU %d load", cpu);
		atomic_set(&load->threads, 0);
	}
	memset(waiters, 0, sizeof(waiters));
	rcu_read_lock();
	for_each_process_thread(process, task)
		if (READ_ONCE(task->on_rq))
			atomic_inc(&per_cpu_ptr(&loads, task_cpu(task))->threads);
	rcu_read_unlock();
}

static const char *state_name(const struct task_struct *task, unsigned int state, const char *lock)
{
	if (!state)
		return "yielding";
	if (state & (__TASK_STOPPED | __TASK_TRACED))
		return "suspended";
	if (lock)
		return "blocked";
	if ((state & TASK_IDLE) == TASK_IDLE && task->flags & PF_KTHREAD)
		return "iwait";
	return "sleep";
}

/* @prev, current, stops: in @state, of which TASK_RUNNING is that it would rather go on. */
static void stop(struct task_struct *prev, unsigned int state)
{
	const char *lock = state ? lock_of(prev) : NULL;
	char word[sizeof(u64) + 1] = "";
	struct ktr_ident ident;
	u64 wmesg;

	ktr_ident(&ident, prev);
	if (is_idle_task(prev)) {
		KTR_STATE1(KTR_SCHED, "thread", ident.text, "idle", "prio:%d", prev->prio);
		return;
	}
	if (state == TASK_DEAD) {
		KTR_STATE1(KTR_SCHED, "thread", ident.text,
			   thread_group_leader(prev) ? "proc exit" : "thread exit", "prio:%d",
			   prev->prio);
		return;
	}
	if (state) {
		wmesg = ktrace_wchan();
		memcpy(word, &wmesg, sizeof(wmesg));
	}
	KTR_STATE3(KTR_SCHED, "thread", ident.text, state_name(prev, state, lock), "prio:%d",
		   prev->prio, "wmesg:\"%s\"", state ? word : NULL, "lockname:\"%s\"", lock);
}

/* A run queue is locked, interrupts are off. */
static KTRACE_SWITCH_PROBE(probe_switch)
{
	unsigned int state = preempt ? TASK_RUNNING : KTRACE_SWITCH_STATE;
	struct ktr_ident ident;

	/* Who has a signal does not sleep after all. */
	if (state && signal_pending_state(state, prev))
		state = TASK_RUNNING;
	if (KTR_ENABLED(KTR_SCHED))
		stop(prev, state);
	if (state && !is_idle_task(prev))
		load_change(smp_processor_id(), -1);
	load_correct(next);
	if (KTR_ENABLED(KTR_SCHED))
		KTR_STATE1(KTR_SCHED, "thread", ktr_ident(&ident, next), "running", "prio:%d",
			   next->prio);
}

static void runq_add(const struct task_struct *task)
{
	struct ktr_ident ident, by;

	KTR_STATE2(QUEUES, "thread", ktr_ident(&ident, task), "runq add", "prio:%d", task->prio,
		   KTR_ATTR_LINKED, ktr_ident(&by, current));
}

static void wokeup(const struct task_struct *task)
{
	struct ktr_ident ident, by;

	KTR_POINT1(KTR_SCHED, "thread", ktr_ident(&by, current), "wokeup", KTR_ATTR_LINKED,
		   ktr_ident(&ident, task));
}

/* Somebody is woken.  Who still runs, on the way to sleep, never left its queue. */
static void probe_wakeup(void *data, struct task_struct *task)
{
	if (!ktrace_task_on_cpu(task)) {
		runq_add(task);
		load_change(task_cpu(task), 1);
	}
	wokeup(task);
}

static void probe_wakeup_new(void *data, struct task_struct *task)
{
	runq_add(task);
	load_change(task_cpu(task), 1);
	wokeup(task);
}

/* From one queue to another; who is in none is about to be woken. */
static void probe_migrate(void *data, struct task_struct *task, int to)
{
	struct ktr_ident ident;

	if (!READ_ONCE(task->on_rq) || ktrace_task_on_cpu(task))
		return;
	KTR_STATE1(QUEUES, "thread", ktr_ident(&ident, task), "runq rem", "prio:%d", task->prio);
	load_change(task_cpu(task), -1);
	runq_add(task);
	load_change(to, 1);
}

/* A thread lends its priority to who has a lock that it wants, or gets it back (@lender NULL). */
static void probe_setprio(void *data, struct task_struct *task, struct task_struct *lender)
{
	int prio = lender ? min(task->normal_prio, lender->prio) : task->normal_prio;
	struct ktr_ident ident, by;

	ktr_ident(&ident, task);
	ktr_ident(&by, current);
	KTR_POINT3(KTR_SCHED, "thread", ident.text, "prio", "prio:%d", task->prio, "new prio:%d",
		   prio, KTR_ATTR_LINKED, by.text);
	if (task != current && prio < task->prio)
		KTR_POINT3(KTR_SCHED, "thread", by.text, "lend prio", "prio:%d", task->prio,
			   "new prio:%d", prio, KTR_ATTR_LINKED, ident.text);
}

#ifdef LCB_F_SPIN
static void probe_contention_begin(void *data, void *lock, unsigned int flags)
{
	struct waiter *w = waiter_of(current);

	/* Who spins does not sleep, and may be an interrupt. */
	if (flags & LCB_F_SPIN)
		return;
	WRITE_ONCE(w->lock, ktr_lock_kind(flags));
	WRITE_ONCE(w->task, current);
}

static void probe_contention_end(void *data, void *lock, int ret)
{
	struct waiter *w = waiter_of(current);

	if (in_task() && READ_ONCE(w->task) == current)
		WRITE_ONCE(w->task, NULL);
}
#endif

static struct ktr_event events[] = {
#ifdef LCB_F_SPIN
	KTR_TRACEPOINT(KTR_SCHED, contention_begin, probe_contention_begin),
	KTR_TRACEPOINT(KTR_SCHED, contention_end, probe_contention_end),
#endif
	KTR_TRACEPOINT(QUEUES, sched_switch, probe_switch),
	KTR_TRACEPOINT(QUEUES, sched_wakeup, probe_wakeup),
	KTR_TRACEPOINT(QUEUES, sched_wakeup_new, probe_wakeup_new),
	KTR_TRACEPOINT(QUEUES, sched_migrate_task, probe_migrate),
	KTR_TRACEPOINT(KTR_SCHED, sched_pi_setprio, probe_setprio),
};

const struct ktr_events ktr_events_sched = { events, ARRAY_SIZE(events), begin };
