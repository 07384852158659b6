/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arch: what differs between x86 and arm64: the ABIs of a process, the
 * numbers of the calls that need care, and what a page fault's code means.
 */
#ifndef KTRACE_ARCH_H
#define KTRACE_ARCH_H

#include <linux/compat.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#include <asm/syscall.h>
#include <asm/trap_pf.h>
#include <asm/unistd.h>
#include <asm/vsyscall.h>

#include "ktrace_format.h"
#include "ktrace_syscalls.h"

/* Calls that the oldest kernels lack; their numbers are the same everywhere. */
#define KTRACE_NR_process_madvise 440 /* 5.10 */
#define KTRACE_NR_epoll_pwait2	  441 /* 5.11 */
#define KTRACE_NR_futex_waitv	  449 /* 5.16 */
#define KTRACE_NR_futex_wait	  455 /* 6.7 */

#ifdef CONFIG_X86_64

/* Is current in a call of the 32-bit ABI?  (int 0x80 from 64-bit code too.) */
static __always_inline bool ktrace_arch_compat_call(void)
{
	return in_ia32_syscall();
}

/* Is the image of @task, any live task, 32-bit? */
static inline bool ktrace_arch_compat_task(struct task_struct *task)
{
	return test_tsk_thread_flag(task, TIF_ADDR32);
}

static __always_inline u32 ktrace_arch_sv_flags(bool compat)
{
	return compat ? KTRACE_SV_LINUX32_X86 : KTRACE_SV_LINUX64;
}

/* Is it a number of a native call that ktrace_syscalls.h knows? */
static __always_inline bool ktrace_arch_known(long nr)
{
	return (unsigned long)nr < sizeof(ktrace_nargs_x86_64);
}

static __always_inline u32 ktrace_arch_narg(bool compat, long nr)
{
	return compat ? ktrace_narg_i386(nr) : ktrace_narg_x86_64(nr);
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

/* One of them, of a call that is not compat; @i is a constant. */
static __always_inline unsigned long ktrace_arch_argument(const struct pt_regs *regs, u32 i)
{
	switch (i) {
	case 0:
		return regs->di;
	case 1:
		return regs->si;
	case 2:
		return regs->dx;
	case 3:
		return regs->r10;
	case 4:
		return regs->r8;
	default:
		return regs->r9;
	}
}

static __always_inline bool ktrace_arch_is_exec(bool compat, long nr)
{
	return compat ? nr == __NR_ia32_execve || nr == __NR_ia32_execveat :
			nr == __NR_execve || nr == __NR_execveat;
}

static __always_inline bool ktrace_arch_is_sigreturn(bool compat, long nr)
{
	return compat ? nr == __NR_ia32_sigreturn || nr == __NR_ia32_rt_sigreturn :
			nr == __NR_rt_sigreturn;
}

static __always_inline bool ktrace_arch_is_socketcall(long nr)
{
	return nr == __NR_ia32_socketcall;
}

/* What a page fault wanted: KTRACE_VM_*. */
static __always_inline u32 ktrace_arch_fault_access(unsigned long error_code)
{
	if (error_code & X86_PF_WRITE)
		return KTRACE_VM_WRITE;
	return error_code & X86_PF_INSTR ? KTRACE_VM_EXECUTE : KTRACE_VM_READ;
}

/*
 * The vsyscall page: a call into it is a page fault, which the kernel carries
 * out as a system call, or not: as it was booted.
 */
static __always_inline bool ktrace_arch_vsyscall(unsigned long address)
{
	return (address & PAGE_MASK) == (unsigned long)VSYSCALL_ADDR;
}

/*
 * Did syscall_rollback() take a refused call back?  Then the registers are as
 * before it, and what looks like its result is its number.
 */
static __always_inline bool ktrace_arch_rolled_back(long nr, long ret)
{
	return nr >= 0 && ret == nr;
}

#else
#error "ktrace: this architecture is not supported yet"
#endif

#endif /* KTRACE_ARCH_H */
