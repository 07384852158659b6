/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arch: what differs between x86 and arm64: the ABIs of a process, and the
 * numbers of the calls that need care.
 */
#ifndef KTRACE_ARCH_H
#define KTRACE_ARCH_H

#include <linux/compat.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include "ktrace_format.h"
#include "ktrace_syscalls.h"

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

static __always_inline u32 ktrace_arch_narg(bool compat, long nr)
{
	return compat ? ktrace_narg_i386(nr) : ktrace_narg_x86_64(nr);
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
