/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What a debugger does to the call of a child that stands at its begin or its end. */
#ifndef REGS_H
#define REGS_H

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#ifndef PTRACE_SYSEMU
#define PTRACE_SYSEMU 31
#endif

#if defined(__aarch64__)
static __attribute__((unused)) void set_number(pid_t pid, long nr)
{
	int number = nr;
	struct iovec iov = { &number, sizeof(number) };

	if (ptrace(PTRACE_SETREGSET, pid, 0x404 /* NT_ARM_SYSTEM_CALL */, &iov))
		die("SETREGSET");
}

static __attribute__((unused)) void set_result(pid_t pid, long result)
{
	struct user_regs_struct regs;
	struct iovec iov = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &iov))
		die("GETREGSET");
	regs.regs[0] = result;
	if (ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &iov))
		die("SETREGSET");
}
#else
#if defined(__arm__)
#define RESULT_AT 0
#elif defined(__x86_64__)
#define NUMBER_AT offsetof(struct user, regs.orig_rax)
#define RESULT_AT offsetof(struct user, regs.rax)
#else
#define NUMBER_AT offsetof(struct user, regs.orig_eax)
#define RESULT_AT offsetof(struct user, regs.eax)
#endif

static __attribute__((unused)) void set_number(pid_t pid, long nr)
{
#ifdef NUMBER_AT
	if (ptrace(PTRACE_POKEUSER, pid, NUMBER_AT, nr))
		die("POKEUSER");
#else
	if (ptrace(23 /* PTRACE_SET_SYSCALL */, pid, 0, nr))
		die("SET_SYSCALL");
#endif
}

static __attribute__((unused)) void set_result(pid_t pid, long result)
{
	if (ptrace(PTRACE_POKEUSER, pid, RESULT_AT, result))
		die("POKEUSER");
}
#endif

#endif /* REGS_H */
