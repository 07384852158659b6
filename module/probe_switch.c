// SPDX-License-Identifier: GPL-2.0
/*
 * CSW: a thread stops, and resumes.
 *
 * Both happen in the middle of a context switch, with a runqueue lock held: no
 * one is woken here but through an interrupt, and no one can be made to wait.
 * A thread that has never run does not resume, and one that exits does neither.
 */
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include "emit.h"
#include "probes.h"
#include "thread.h"
#include "wchan.h"
#include "wmesg.h"

/* What is remembered of a stop, for the resume: the word, and above it: it was preempted. */
#define STOP_USER BIT_ULL(56)

static void emit(struct ktrace_proc *proc, struct task_struct *task, bool out, u64 stop)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);
	struct ktrace_emit e = {};
	u8 *p;

	if (unlikely(!s))
		return;
	p = ktrace_emit_reserve(&e, proc, s, task, KTR_CSW, sizeof(struct ktrace_csw),
				KTRACE_EMIT_SWITCHING);
	if (!p)
		return;
	ktrace_record_csw(p, out, stop & STOP_USER, stop);
	ktrace_emit_end(&e);
}

static struct ktrace_proc *traced(struct task_struct *task)
{
	struct ktrace_proc *proc;

	/* Who exits has no entry in the table any more, and must get none. */
	if (task->flags & PF_EXITING)
		return NULL;
	proc = ktrace_proc_find(task->signal);
	return proc && READ_ONCE(proc->points) & KTRFAC_CSW ? proc : NULL;
}

static noinline void stop(struct task_struct *prev, bool preempted)
{
	struct ktrace_proc *proc;
	u64 value;

	ktrace_guard();
	proc = traced(prev);
	if (proc) {
		value = preempted ? KTRACE_WMESG_PREEMPT | STOP_USER : ktrace_wchan();
		emit(proc, prev, true, value);
		ktrace_thread_put(prev, READ_ONCE(proc->stop_generation), KTRACE_THREAD_STOP,
				  value);
	}
	ktrace_unguard();
}

static noinline void resume(struct task_struct *next)
{
	struct ktrace_proc *proc;
	u64 value;

	ktrace_guard();
	proc = traced(next);
	if (proc && next->nvcsw + next->nivcsw) {
		if (!ktrace_thread_take(next, READ_ONCE(proc->stop_generation), KTRACE_THREAD_STOP,
					&value))
			value = KTRACE_WMESG_UNKNOWN;
		emit(proc, next, false, value);
	}
	ktrace_unguard();
}

/** ktrace_probe_switch - tracepoint sched_switch: runqueue lock held, interrupts off */
KTRACE_SWITCH_PROBE(ktrace_probe_switch)
{
	if (unlikely(ktrace_proc_maybe(prev->signal)))
		stop(prev, preempt || KTRACE_SWITCH_STATE == TASK_RUNNING);
	if (unlikely(ktrace_proc_maybe(next->signal)))
		resume(next);
}

static inline void check_types(void)
{
	check_trace_callback_type_sched_switch(ktrace_probe_switch);
}
