/* SPDX-License-Identifier: GPL-2.0 */
/* arch_arm64: the part of arch.h that is arm64's. */
#ifndef KTRACE_ARCH_ARM64_H
#define KTRACE_ARCH_ARM64_H

#include <linux/signal.h>
#include <asm/esr.h>

#include "arm_syscalls.h"

#define ktrace_arch_nargs ktrace_nargs_arm64

#ifdef CONFIG_COMPAT
#define KTRACE_ARCH_COMPAT
#define KTRACE_COMPAT_NR(call) KTRACE_NR_arm_##call
#endif

#define KTRACE_ARCH_EXEC_KEEPS_NUMBER

/* Is current in a call of the 32-bit ABI?  Those of 32-bit programs are all. */
static __always_inline bool ktrace_arch_compat_call(void)
{
	return is_compat_task();
}

/* Is the image of @task, any live task, 32-bit? */
static inline bool ktrace_arch_compat_task(struct task_struct *task)
{
	return is_compat_thread(task_thread_info(task));
}

static __always_inline u32 ktrace_arch_sv_flags(bool compat)
{
	return compat ? KTRACE_SV_LINUX32_ARM : KTRACE_SV_LINUX64_ARM;
}

static __always_inline enum ktrace_caller ktrace_arch_caller(bool compat)
{
	return compat ? KTRACE_CALLER_ARM : KTRACE_CALLER_ARM64;
}

static __always_inline u32 ktrace_arch_narg(bool compat, long nr)
{
	return compat ? ktrace_narg_arm(nr) : ktrace_narg_arm64(nr);
}

/* An argument of a call that is not compat; @i is a constant. */
static __always_inline unsigned long ktrace_arch_argument(const struct pt_regs *regs, u32 i)
{
	return i ? regs->regs[i] : regs->orig_x0;
}

static __always_inline bool ktrace_arch_is_socketcall(long nr)
{
	return false;
}

/*
 * Did syscall_rollback() take a refused call back?  Then the registers are as
 * before it, and what looks like its result is its first argument.
 */
static __always_inline bool ktrace_arch_rolled_back(const struct pt_regs *regs, long nr, long ret)
{
	return is_compat_task() ? (u32)ret == (u32)regs->orig_x0 : ret == regs->orig_x0;
}

/* There is no page of calls that page faults make. */
static __always_inline bool ktrace_arch_vsyscall(unsigned long address)
{
	return false;
}

/*
 * Is a SIGSEGV about a page fault of current's that the kernel refused at first
 * sight?  Then its address and what it wanted (KTRACE_VM_*).
 */
static inline bool ktrace_arch_fault_refused(const struct kernel_siginfo *info,
					     unsigned long *address, u32 *access)
{
	unsigned long esr = current->thread.fault_code;

	*address = current->thread.fault_address;
	if (untagged_addr((unsigned long)info->si_addr) != *address)
		return false;
	switch (ESR_ELx_EC(esr)) {
	case ESR_ELx_EC_IABT_LOW:
		*access = KTRACE_VM_EXECUTE;
		return true;
	case ESR_ELx_EC_DABT_LOW:
		/* What maintains caches looks like a write. */
		*access =
			esr & ESR_ELx_WNR && !(esr & ESR_ELx_CM) ? KTRACE_VM_WRITE : KTRACE_VM_READ;
		return true;
	}
	return false;
}

#endif /* KTRACE_ARCH_ARM64_H */
