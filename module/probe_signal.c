// SPDX-License-Identifier: GPL-2.0
/*
 * PSIG: signals that end in a handler, or in a default action that does something.
 * They end page faults, too.
 */
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <trace/events/signal.h>

#include "emit.h"
#include "probes.h"

/* The si_code of a signal that is still queued somewhere in the process. */
static bool queued_code(const struct sigpending *pending, int sig, int *code)
{
	const struct sigqueue *q;

	list_for_each_entry(q, &pending->list, list)
		if (q->info.si_signo == sig) {
			*code = q->info.si_code;
			return true;
		}
	return false;
}

static int code_of(int sig, const struct kernel_siginfo *info)
{
	/* SEND_SIG_NOINFO and SEND_SIG_PRIV are no pointers. */
	if (info == SEND_SIG_NOINFO)
		return SI_USER;
	if (info == SEND_SIG_PRIV)
		return SI_KERNEL;
	return info->si_code;
}

/*
 * A signal that kills the whole process arrives at each of its threads, as a
 * SIGKILL of the kernel's own; so does exit_group() by one of them, or exec.
 * Record the signal that it was, once.
 *
 * Return: its number, or 0.
 */
static int fatal_signal(struct ktrace_proc *proc, int *code)
{
	struct signal_struct *signal = current->signal;
	int sig = signal->group_exit_code & 0x7f;
	struct task_struct *t;

	/* exit_group() and exec; a dump is delivered by itself. */
	if (!(signal->flags & SIGNAL_GROUP_EXIT) || !sig || sig_kernel_coredump(sig))
		return 0;
	if (xchg(&proc->killed, true))
		return 0;
	if (sig == SIGKILL || queued_code(&signal->shared_pending, sig, code))
		return sig;
	for_each_thread(current, t)
		if (queued_code(&t->pending, sig, code))
			break;
	return sig;
}

/* Nobody notices it: it is ignored, or its default action is nothing. */
static bool ignored(int sig, u64 action)
{
	if (action == (unsigned long)SIG_IGN)
		return true;
	return action == (unsigned long)SIG_DFL &&
	       (sig_kernel_ignore(sig) ||
		(current->signal->flags & SIGNAL_UNKILLABLE && !sig_kernel_only(sig)));
}

static void emit_psig(struct ktrace_proc *proc, int sig, u64 action, int code)
{
	const sigset_t *mask = test_restore_sigmask() ? &current->saved_sigmask : &current->blocked;
	struct ktrace_emit e = {};
	u8 *p = ktrace_emit_begin(&e, proc, KTR_PSIG, sizeof(struct ktrace_psig));

	if (!p)
		return;
	ktrace_record_psig(p, sig, action, code, mask->sig[0]);
	ktrace_emit_end(&e);
}

static void emit_signal(struct ktrace_proc *proc, int sig, u64 action, int code)
{
	if (sig == SIGKILL) {
		sig = fatal_signal(proc, &code);
		if (!sig)
			return;
		action = (unsigned long)rcu_dereference_raw(current->sighand)
				 ->action[sig - 1]
				 .sa.sa_handler;
		if (ignored(sig, action))
			return;
	}
	emit_psig(proc, sig, action, code);
}

static noinline void deliver(int sig, struct kernel_siginfo *info, struct k_sigaction *ka)
{
	u64 action = (unsigned long)ka->sa.sa_handler;
	struct ktrace_proc *proc;
	u32 points;
	int code;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (!proc || ignored(sig, action))
		goto out;
	points = READ_ONCE(proc->points);
	code = code_of(sig, info);
	if (points & KTRACE_FAULTS)
		ktrace_fault_signal(proc, sig, info, code);
	if (points & KTRFAC_PSIG)
		emit_signal(proc, sig, action, code);
out:
	ktrace_unguard();
}

/** ktrace_probe_signal - tracepoint signal_deliver: siglock held, interrupts off */
void ktrace_probe_signal(void *data, int sig, struct kernel_siginfo *info, struct k_sigaction *ka)
{
	if (likely(!ktrace_proc_maybe(current->signal)))
		return;
	deliver(sig, info, ka);
}

static inline void check_types(void)
{
	check_trace_callback_type_signal_deliver(ktrace_probe_signal);
}
