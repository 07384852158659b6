// SPDX-License-Identifier: GPL-2.0
/*
 * KTR_SYSC: system calls, as schedgraph's pieces of work.  KTR_PTRACE: what is asked of
 * ptrace(2).
 */
#include <linux/compat.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <trace/events/syscalls.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include "events.h"
#include "syscalls.h"

/* Is current in a call of the 32-bit ABI? */
static bool compat_call(void)
{
#ifdef CONFIG_X86_64
	return in_ia32_syscall();
#elif defined(CONFIG_COMPAT)
	return in_compat_syscall();
#else
	return false;
#endif
}

static const char *name_of(long nr)
{
	const char *name = NULL;

#ifdef CONFIG_X86_64
	name = compat_call() ? ktr_syscall_i386(nr) :
			       ktr_syscall_x86_64(nr & ~(unsigned long)__X32_SYSCALL_BIT);
#elif defined(CONFIG_ARM64)
	name = compat_call() ? ktr_syscall_arm(nr) : ktr_syscall_arm64(nr);
#endif
	return name ?: "unknown";
}

static bool is_ptrace(long nr)
{
	return nr == (compat_call() ? 26 : __NR_ptrace); /* i386 and arm agree */
}

static const char *const requests[] = {
	[PTRACE_TRACEME] = "TRACEME",	  [PTRACE_PEEKTEXT] = "PEEKTEXT",
	[PTRACE_PEEKDATA] = "PEEKDATA",	  [PTRACE_PEEKUSR] = "PEEKUSR",
	[PTRACE_POKETEXT] = "POKETEXT",	  [PTRACE_POKEDATA] = "POKEDATA",
	[PTRACE_POKEUSR] = "POKEUSR",	  [PTRACE_CONT] = "CONT",
	[PTRACE_KILL] = "KILL",		  [PTRACE_SINGLESTEP] = "SINGLESTEP",
#ifdef CONFIG_X86
	[PTRACE_GETREGS] = "GETREGS",	  [PTRACE_SETREGS] = "SETREGS",
	[PTRACE_GETFPREGS] = "GETFPREGS", [PTRACE_SETFPREGS] = "SETFPREGS",
#endif
	[PTRACE_ATTACH] = "ATTACH",	  [PTRACE_DETACH] = "DETACH",
	[PTRACE_SYSCALL] = "SYSCALL",
};

/* The newer requests, from 0x4200 on. */
static const char *const new_requests[] = {
	[PTRACE_SETOPTIONS - PTRACE_SETOPTIONS] = "SETOPTIONS",
	[PTRACE_GETEVENTMSG - PTRACE_SETOPTIONS] = "GETEVENTMSG",
	[PTRACE_GETSIGINFO - PTRACE_SETOPTIONS] = "GETSIGINFO",
	[PTRACE_SETSIGINFO - PTRACE_SETOPTIONS] = "SETSIGINFO",
	[PTRACE_GETREGSET - PTRACE_SETOPTIONS] = "GETREGSET",
	[PTRACE_SETREGSET - PTRACE_SETOPTIONS] = "SETREGSET",
	[PTRACE_SEIZE - PTRACE_SETOPTIONS] = "SEIZE",
	[PTRACE_INTERRUPT - PTRACE_SETOPTIONS] = "INTERRUPT",
	[PTRACE_LISTEN - PTRACE_SETOPTIONS] = "LISTEN",
	[PTRACE_PEEKSIGINFO - PTRACE_SETOPTIONS] = "PEEKSIGINFO",
	[PTRACE_GETSIGMASK - PTRACE_SETOPTIONS] = "GETSIGMASK",
	[PTRACE_SETSIGMASK - PTRACE_SETOPTIONS] = "SETSIGMASK",
	[PTRACE_SECCOMP_GET_FILTER - PTRACE_SETOPTIONS] = "SECCOMP_GET_FILTER",
	[PTRACE_SECCOMP_GET_METADATA - PTRACE_SETOPTIONS] = "SECCOMP_GET_METADATA",
	[PTRACE_GET_SYSCALL_INFO - PTRACE_SETOPTIONS] = "GET_SYSCALL_INFO",
};

static const char *request_name(unsigned long request)
{
	const char *name = NULL;

	if (request < ARRAY_SIZE(requests))
		name = requests[request];
	else if (request - PTRACE_SETOPTIONS < ARRAY_SIZE(new_requests))
		name = new_requests[request - PTRACE_SETOPTIONS];
	return name ?: "?";
}

static void probe_enter(void *data, struct pt_regs *regs, long nr)
{
	unsigned long args[6];

	syscall_get_arguments(current, regs, args);
	KTR_START4(KTR_SYSC, "syscall", name_of(nr), (uintptr_t)current, "pid:%d", current->tgid,
		   "arg0:%p", args[0], "arg1:%p", args[1], "arg2:%p", args[2]);
	if (KTR_ENABLED(KTR_PTRACE) && is_ptrace(nr))
		CTR6(KTR_PTRACE, "PTRACE_%s (%#lx): pid %d of pid %ld, addr %#lx, data %#lx",
		     request_name(args[0]), args[0], current->tgid, args[1], args[2], args[3]);
}

static void probe_leave(void *data, struct pt_regs *regs, long ret)
{
	long nr = syscall_get_nr(current, regs);
	int error = IS_ERR_VALUE(ret) ? -ret : 0;

	KTR_STOP4(KTR_SYSC, "syscall", name_of(nr), (uintptr_t)current, "pid:%d", current->tgid,
		  "error:%d", error, "retval0:%#lx", error ? -1UL : ret, "retval1:%#lx", 0UL);
	if (KTR_ENABLED(KTR_PTRACE) && is_ptrace(nr))
		CTR3(KTR_PTRACE, "ptrace: pid %d done, result %ld, error %d", current->tgid,
		     error ? -1L : ret, error);
}

static struct ktr_event events[] = {
	KTR_TRACEPOINT(KTR_SYSC | KTR_PTRACE, sys_enter, probe_enter),
	KTR_TRACEPOINT(KTR_SYSC | KTR_PTRACE, sys_exit, probe_leave),
};

const struct ktr_events ktr_events_syscall = { events, ARRAY_SIZE(events) };
