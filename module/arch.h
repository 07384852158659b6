/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arch: what differs between x86 and arm64: the ABIs of a process, the
 * numbers of the calls that need care, and what a page fault's code means.
 */
#ifndef KTRACE_ARCH_H
#define KTRACE_ARCH_H

#include <linux/compat.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include "ktrace_format.h"
#include "ktrace_syscalls.h"
#include "layout.h"

/* Calls that the oldest kernels lack; their numbers are the same everywhere. */
#define KTRACE_NR_process_madvise 440 /* 5.10 */
#define KTRACE_NR_epoll_pwait2	  441 /* 5.11 */
#define KTRACE_NR_futex_waitv	  449 /* 5.16 */
#define KTRACE_NR_futex_wait	  455 /* 6.7 */

/*
 * Each architecture has, beside its functions:
 *   ktrace_arch_nargs		arguments of native calls, by number
 *   KTRACE_ARCH_COMPAT		if it has 32-bit calls ...
 *   KTRACE_COMPAT_NR(call)	... their numbers
 *   KTRACE_ARCH_FORK_RETURNS	if the tracepoint sys_exit is there for a new task, too
 *   KTRACE_ARCH_EXEC_KEEPS_NUMBER  if an exec ends with the number of the old image's ABI
 *   KTRACE_ARCH_FAULT_TRACE	if it has a tracepoint of page faults of user mode; if not,
 *				ktrace_arch_fault_refused()
 */
#if defined(CONFIG_X86_64)
#include "arch_x86.h"
#elif defined(CONFIG_ARM64)
#include "arch_arm64.h"
#else
#error "ktrace: this architecture is not supported yet"
#endif

/* The probes take spinlocks and memory with preemption off, which real-time kernels cannot have. */
#ifdef CONFIG_PREEMPT_RT
#error "ktrace: kernels with PREEMPT_RT are not supported"
#endif

/* Is it a number of a native call that ktrace_syscalls.h knows? */
static __always_inline bool ktrace_arch_known(long nr)
{
	return (unsigned long)nr < sizeof(ktrace_arch_nargs);
}

/* The arguments of current's call, of which a 32-bit one has the lower halves. */
static __always_inline void ktrace_arch_arguments(struct pt_regs *regs, bool compat,
						  unsigned long args[6])
{
	int i;

	syscall_get_arguments(current, regs, args);
	for (i = 0; compat && i < 6; i++)
		args[i] = (u32)args[i];
}

static __always_inline bool ktrace_arch_is_exec(bool compat, long nr)
{
#ifdef KTRACE_ARCH_COMPAT
	if (compat)
		return nr == KTRACE_COMPAT_NR(execve) || nr == KTRACE_COMPAT_NR(execveat);
#endif
	return nr == __NR_execve || nr == __NR_execveat;
}

/*
 * May a call that ends as this one be an exec?  x86 puts execve's number in the
 * ABI of the new image in the place of what it was.
 */
static __always_inline bool ktrace_arch_was_exec(bool compat, long nr)
{
#ifdef KTRACE_ARCH_EXEC_KEEPS_NUMBER
	if (ktrace_arch_is_exec(!compat, nr))
		return true;
#endif
	return ktrace_arch_is_exec(compat, nr);
}

static __always_inline bool ktrace_arch_is_sigreturn(bool compat, long nr)
{
#ifdef KTRACE_ARCH_COMPAT
	if (compat)
		return nr == KTRACE_COMPAT_NR(sigreturn) || nr == KTRACE_COMPAT_NR(rt_sigreturn);
#endif
	return nr == __NR_rt_sigreturn;
}

#endif /* KTRACE_ARCH_H */
