// SPDX-License-Identifier: GPL-2.0
/* KTR_CALLOUT: timers.  KTR_SCHED: when they run, for schedgraph. */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timer.h>
#include <trace/events/timer.h>

#include "events.h"

#define BOTH (KTR_CALLOUT | KTR_SCHED)

/* What runs the timers of a CPU: a softirq; hrtimers run in the interrupt that may come between. */
static DEFINE_PER_CPU(
	struct wheels {
		char timers[sizeof("callwheel cpu 4294967295")];
		char hrtimers[sizeof("hrtimers cpu 4294967295")];
	},
	wheels);

static void begin(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct wheels *w = per_cpu_ptr(&wheels, cpu);

		snprintf(w->timers, sizeof(w->timers), "callwheel cpu %d", cpu);
		snprintf(w->hrtimers, sizeof(w->hrtimers), "hrtimers cpu %d", cpu);
	}
}

static void running(const char *ident, const void *function, const void *timer, bool direct)
{
	KTR_STATE3(KTR_SCHED, "callout", ident, "running", "func:%p", function, "arg:%p", timer,
		   "direct:%d", direct);
}

static void idle(const char *ident)
{
	KTR_STATE0(KTR_SCHED, "callout", ident, "idle");
}

static void scheduled(const struct timer_list *timer, unsigned long expires)
{
	CTR3(KTR_CALLOUT, "callout %p: scheduled, func %p in %ld ticks", timer, timer->function,
	     expires - jiffies);
}

static void probe_start(void *data, struct timer_list *timer, unsigned long expires,
			unsigned int flags)
{
	scheduled(timer, expires);
}

/* Since 6.9. */
static void probe_start_bucket(void *data, struct timer_list *timer, unsigned long bucket_expiry)
{
	scheduled(timer, timer->expires);
}

static void probe_cancel(void *data, struct timer_list *timer)
{
	CTR1(KTR_CALLOUT, "callout %p: cancelled", timer);
}

static void probe_expire(void *data, struct timer_list *timer, unsigned long base)
{
	CTR2(KTR_CALLOUT, "callout %p: exec func %p", timer, timer->function);
	running(raw_cpu_ptr(&wheels)->timers, timer->function, timer, false);
}

/* The timer may be gone by now. */
static void probe_expired(void *data, struct timer_list *timer)
{
	CTR1(KTR_CALLOUT, "callout %p: finished", timer);
	idle(raw_cpu_ptr(&wheels)->timers);
}

static void hrtimer_scheduled(const struct hrtimer *timer)
{
	CTR3(KTR_CALLOUT, "hrtimer %p: scheduled, func %p at %jd ns", timer,
	     READ_ONCE(timer->function), ktime_to_ns(timer->node.expires));
}

static void probe_hrtimer_start(void *data, struct hrtimer *timer, enum hrtimer_mode mode)
{
	hrtimer_scheduled(timer);
}

/* Since 7.0, and in some stable kernels. */
static void probe_hrtimer_restart(void *data, struct hrtimer *timer, enum hrtimer_mode mode,
				  bool was_armed)
{
	hrtimer_scheduled(timer);
}

static void probe_hrtimer_cancel(void *data, struct hrtimer *timer)
{
	CTR1(KTR_CALLOUT, "hrtimer %p: cancelled", timer);
}

static void probe_hrtimer_expire(void *data, struct hrtimer *timer, ktime_t *now)
{
	const void *function = READ_ONCE(timer->function);

	CTR3(KTR_CALLOUT, "hrtimer %p: exec func %p, now %jd ns", timer, function,
	     ktime_to_ns(*now));
	running(raw_cpu_ptr(&wheels)->hrtimers, function, timer, true);
}

/* 7.x has the time itself. */
static void probe_hrtimer_expire_at(void *data, struct hrtimer *timer, ktime_t now)
{
	probe_hrtimer_expire(data, timer, &now);
}

static void probe_hrtimer_expired(void *data, struct hrtimer *timer)
{
	CTR1(KTR_CALLOUT, "hrtimer %p: finished", timer);
	idle(raw_cpu_ptr(&wheels)->hrtimers);
}

static void probe_itimer_state(void *data, int which, const struct itimerspec64 *const value,
			       unsigned long long expires)
{
	CTR5(KTR_CALLOUT, "itimer %d of pid %d: %jd s %ld ns, expires %ju", which, current->tgid,
	     value->it_value.tv_sec, value->it_value.tv_nsec, expires);
}

static void probe_itimer_expire(void *data, int which, struct pid *pid, unsigned long long now)
{
	CTR3(KTR_CALLOUT, "itimer %d of pid %d: expired, now %ju", which, pid_nr(pid), now);
}

static struct ktr_event events[] = {
	KTR_TRACEPOINT(KTR_CALLOUT, timer_start, probe_start),
	KTR_TRACEPOINT(KTR_CALLOUT, timer_start, probe_start_bucket),
	KTR_TRACEPOINT(KTR_CALLOUT, timer_cancel, probe_cancel),
	KTR_TRACEPOINT(BOTH, timer_expire_entry, probe_expire),
	KTR_TRACEPOINT(BOTH, timer_expire_exit, probe_expired),
	KTR_TRACEPOINT(KTR_CALLOUT, hrtimer_start, probe_hrtimer_start),
	KTR_TRACEPOINT(KTR_CALLOUT, hrtimer_start, probe_hrtimer_restart),
	KTR_TRACEPOINT(KTR_CALLOUT, hrtimer_cancel, probe_hrtimer_cancel),
	KTR_TRACEPOINT(BOTH, hrtimer_expire_entry, probe_hrtimer_expire),
	KTR_TRACEPOINT(BOTH, hrtimer_expire_entry, probe_hrtimer_expire_at),
	KTR_TRACEPOINT(BOTH, hrtimer_expire_exit, probe_hrtimer_expired),
	KTR_TRACEPOINT(KTR_CALLOUT, itimer_state, probe_itimer_state),
	KTR_TRACEPOINT(KTR_CALLOUT, itimer_expire, probe_itimer_expire),
};

const struct ktr_events ktr_events_timer = { events, ARRAY_SIZE(events), begin };
