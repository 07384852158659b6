/* SPDX-License-Identifier: GPL-2.0 */
/* compat: names of the newest kernel on older ones.  HAVE_*: Kbuild has looked for them. */
#ifndef KTR_USER_COMPAT_H
#define KTR_USER_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/timer.h>

/* 5.11 (preempt: Introduce in_hardirq()). */
#ifndef in_hardirq
#define in_hardirq() in_irq()
#endif

/* 5.11 (irq_work: Cleanup): before, they are initialised one field at a time. */
#ifndef IRQ_WORK_INIT_HARD
#define IRQ_WORK_INIT_HARD(function)                                         \
	{                                                                    \
		.flags = ATOMIC_INIT(IRQ_WORK_HARD_IRQ), .func = (function), \
	}
#endif

/* 6.13 (hrtimers: Introduce hrtimer_setup() to replace hrtimer_init()). */
#ifndef HAVE_HRTIMER_SETUP_ON_STACK
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}

static inline void hrtimer_setup_on_stack(struct hrtimer *timer,
					  enum hrtimer_restart (*function)(struct hrtimer *),
					  clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init_on_stack(timer, clock, mode);
	timer->function = function;
}
#endif

/* 6.2 (timers: Rename del_timer_sync() to timer_delete_sync()), backported. */
#ifndef HAVE_TIMER_DELETE_SYNC
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif

/* 6.16 (treewide, timers: Rename destroy_timer_on_stack() ...). */
#ifndef HAVE_TIMER_DESTROY_ON_STACK
#define timer_destroy_on_stack(timer) destroy_timer_on_stack(timer)
#endif

#endif /* KTR_USER_COMPAT_H */
