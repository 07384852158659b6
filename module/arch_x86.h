/* SPDX-License-Identifier: GPL-2.0 */
/* arch_x86: the part of arch.h that is x86-64's. */
#ifndef KTRACE_ARCH_X86_H
#define KTRACE_ARCH_X86_H

#include <asm/trap_pf.h>
#include <asm/vsyscall.h>

#define ktrace_arch_nargs ktrace_nargs_x86_64

#ifdef CONFIG_IA32_EMULATION
#define KTRACE_ARCH_COMPAT
#define KTRACE_COMPAT_NR(call) __NR_ia32_##call
#endif

#define KTRACE_ARCH_FAULT_TRACE
#define KTRACE_ARCH_FORK_RETURNS

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

static __always_inline enum ktrace_caller ktrace_arch_caller(bool compat)
{
	return compat ? KTRACE_CALLER_I386 : KTRACE_CALLER_X86_64;
}

static __always_inline u32 ktrace_arch_narg(bool compat, long nr)
{
	return compat ? ktrace_narg_i386(nr) : ktrace_narg_x86_64(nr);
}

/* An argument of a call that is not compat; @i is a constant. */
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

static __always_inline bool ktrace_arch_is_socketcall(long nr)
{
	return nr == __NR_ia32_socketcall;
}

/*
 * Did syscall_rollback() take a refused call back?  Then the registers are as
 * before it, and what looks like its result is its number.
 */
static __always_inline bool ktrace_arch_rolled_back(const struct pt_regs *regs, long nr, long ret)
{
	return nr >= 0 && ret == nr;
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

#endif /* KTRACE_ARCH_X86_H */
