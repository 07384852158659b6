// SPDX-License-Identifier: GPL-2.0
/*
 * KTR_PROC: processes.  KTR_SIG: signals.  KTR_TRAP: page faults, and exceptions by their
 * signals.
 */
#include <linux/binfmts.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <trace/events/sched.h>
#include <trace/events/signal.h>
#include <trace/events/task.h>

#include "../compat_exceptions.h"
#include "events.h"

static void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	CTR6(KTR_PROC, "fork: thread %p (pid %d, %s) makes %p (pid %d, tid %d)", parent,
	     parent->tgid, parent->comm, child, child->tgid, child->pid);
}

static void probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	CTR4(KTR_PROC, "exec: thread %p (pid %d, %s) runs %s", task, task->tgid, task->comm,
	     bprm->filename);
}

static void record_exit(const struct task_struct *task)
{
	CTR5(KTR_PROC, "exit: thread %p (pid %d, tid %d, %s) status %#x", task, task->tgid,
	     task->pid, task->comm, task->exit_code);
}

static void probe_exit(void *data, struct task_struct *task)
{
	record_exit(task);
}

/* Since 6.16. */
static void probe_exit_group(void *data, struct task_struct *task, bool group_dead)
{
	record_exit(task);
}

static void probe_rename(void *data, struct task_struct *task, const char *name)
{
	CTR4(KTR_PROC, "rename: thread %p (pid %d) from %s to %s", task, task->tgid, task->comm,
	     name);
}

/* Instead of what is known of a signal, a small number may say who sent it. */
static bool special(const struct kernel_siginfo *info)
{
	return (unsigned long)info <= (unsigned long)SEND_SIG_PRIV;
}

static int code_of(const struct kernel_siginfo *info)
{
	if (special(info))
		return info == SEND_SIG_PRIV ? SI_KERNEL : SI_USER;
	return info->si_code;
}

/* Is it what current itself has brought about? */
static bool is_trap(int sig, const struct kernel_siginfo *info, const struct task_struct *task)
{
	if (task != current || special(info) || info->si_code <= 0)
		return false;
	switch (sig) {
	case SIGILL:
	case SIGTRAP:
	case SIGBUS:
	case SIGFPE:
	case SIGSEGV:
		return true;
	default:
		return false;
	}
}

static void probe_generate(void *data, int sig, struct kernel_siginfo *info,
			   struct task_struct *task, int group, int result)
{
	CTR6(KTR_SIG, "signal %d (code %d) for %s %d (%s), result %d", sig, code_of(info),
	     group ? "pid" : "tid", group ? task->tgid : task->pid, task->comm, result);
	if (is_trap(sig, info, task))
		CTR5(KTR_TRAP, "trap: pid %d (%s) gets signal %d (code %d) at %p", task->tgid,
		     task->comm, sig, info->si_code, info->si_addr);
}

static void probe_deliver(void *data, int sig, struct kernel_siginfo *info, struct k_sigaction *ka)
{
	CTR5(KTR_SIG, "signal %d (code %d) delivered to tid %d (%s), handler %p", sig,
	     code_of(info), current->pid, current->comm, ka->sa.sa_handler);
}

#ifdef CONFIG_X86
static void probe_fault_user(void *data, unsigned long address, struct pt_regs *regs,
			     unsigned long code)
{
	CTR5(KTR_TRAP, "page fault (user): pid %d (%s) at %#lx, code %#lx, ip %#lx", current->tgid,
	     current->comm, address, code, regs->ip);
}

static void probe_fault_kernel(void *data, unsigned long address, struct pt_regs *regs,
			       unsigned long code)
{
	CTR5(KTR_TRAP, "page fault (kernel): pid %d (%s) at %#lx, code %#lx, ip %#lx",
	     current->tgid, current->comm, address, code, regs->ip);
}
#endif

static struct ktr_event events[] = {
	KTR_TRACEPOINT(KTR_PROC, sched_process_fork, probe_fork),
	KTR_TRACEPOINT(KTR_PROC, sched_process_exec, probe_exec),
	KTR_TRACEPOINT(KTR_PROC, sched_process_exit, probe_exit),
	KTR_TRACEPOINT(KTR_PROC, sched_process_exit, probe_exit_group),
	KTR_TRACEPOINT(KTR_PROC, task_rename, probe_rename),
	KTR_TRACEPOINT(KTR_SIG | KTR_TRAP, signal_generate, probe_generate),
	KTR_TRACEPOINT(KTR_SIG, signal_deliver, probe_deliver),
#ifdef CONFIG_X86
	KTR_TRACEPOINT(KTR_TRAP, page_fault_user, probe_fault_user),
	KTR_TRACEPOINT(KTR_TRAP, page_fault_kernel, probe_fault_kernel),
#endif
};

const struct ktr_events ktr_events_proc = { events, ARRAY_SIZE(events) };
