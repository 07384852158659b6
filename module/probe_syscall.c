// SPDX-License-Identifier: GPL-2.0
/* Probes of system calls: SYSCALL, STRUCT, GENIO and SYSRET, and PROCCTOR around int 0x80. */
#include <linux/ptrace.h>
#include <linux/seccomp.h>
#include <trace/events/syscalls.h>

#include "arch.h"
#include "emit.h"
#include "genio.h"
#include "probes.h"
#include "structs.h"
#include "thread.h"

#define CALLS	(KTRFAC_SYSCALL | KTRFAC_SYSRET)
#define STRUCTS (KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY)

static void emit_call(struct ktrace_proc *proc, struct pt_regs *regs, bool compat, long nr)
{
	u32 narg = ktrace_arch_narg(compat, nr);
	unsigned long args[6];
	struct ktrace_emit e;
	u32 i;
	u8 *p;

	p = ktrace_emit_begin(&e, proc, KTR_SYSCALL, ktrace_record_syscall_size(narg));
	if (!p)
		return;
	syscall_get_arguments(current, regs, args);
	if (compat)
		for (i = 0; i < ARRAY_SIZE(args); i++)
			args[i] = (u32)args[i];
	ktrace_record_syscall(p, nr, narg, args);
	ktrace_emit_end(&e);
}

/*
 * A call in the other ABI than the process's (int 0x80 from 64-bit code) is
 * put between two PROCCTORs.  @flags: the ABI that follows.
 */
static noinline void emit_abi(struct ktrace_proc *proc, u32 flags)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);

	if (s)
		ktrace_emit_procctor(proc, s, current, flags);
}

/* A call that seccomp refuses ends without having begun. */
static __always_inline bool has_filter(void)
{
	return seccomp_mode(&current->seccomp) != SECCOMP_MODE_DISABLED;
}

static noinline void enter(struct pt_regs *regs, long nr)
{
	struct ktrace_proc *proc;
	bool compat;
	u32 points;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (!proc)
		goto out;
	points = READ_ONCE(proc->points);
	if (!(points & (CALLS | STRUCTS)))
		goto out;
	compat = ktrace_arch_compat_call();
	/* The kernel forgets these numbers until the exit. */
	if (unlikely(ktrace_arch_is_exec(compat, nr) || ktrace_arch_is_sigreturn(compat, nr)))
		ktrace_thread_put(current, proc->generation, KTRACE_THREAD_CODE, nr);
	if (unlikely(has_filter()))
		ktrace_thread_enter(current, proc->generation);
	if (unlikely(ktrace_arch_sv_flags(compat) != READ_ONCE(proc->sv_flags)))
		emit_abi(proc, ktrace_arch_sv_flags(compat));
	if (points & KTRFAC_SYSCALL)
		emit_call(proc, regs, compat, nr);
	if (points & KTRFAC_STRUCT)
		ktrace_structs_enter(proc, regs, compat, nr);
out:
	ktrace_unguard();
}

/** ktrace_probe_sys_enter - tracepoint sys_enter */
void ktrace_probe_sys_enter(void *data, struct pt_regs *regs, long id)
{
	if (likely(!ktrace_proc_maybe(current->signal)))
		return;
	enter(regs, id);
}

static void emit_return(struct ktrace_proc *proc, long nr, s32 error, s64 retval)
{
	struct ktrace_emit e;
	u8 *p = ktrace_emit_begin(&e, proc, KTR_SYSRET, sizeof(struct ktrace_sysret));

	if (!p)
		return;
	ktrace_record_sysret(p, nr, error, retval);
	ktrace_emit_end(&e);
}

/*
 * What a call returns when it does not return: exec and sigreturn.  Their
 * number is the one of the CALL, whatever the kernel has in its place now.
 */
static bool just_returned(u32 generation, long *nr, bool compat, long ret)
{
	bool was_exec = ktrace_arch_is_exec(compat, *nr);
	u64 code;

	if (likely(*nr != -1 && !was_exec))
		return ktrace_arch_is_sigreturn(compat, *nr);
	if (!ktrace_thread_take(current, generation, KTRACE_THREAD_CODE, &code))
		return was_exec && !ret;
	*nr = code;
	return !was_exec || !ret;
}

/* The CALL of a call that was refused, after the fact: it comes just before its RET. */
static noinline void emit_refused(struct ktrace_proc *proc, struct pt_regs *regs, bool compat,
				  long nr)
{
	if (ktrace_arch_sv_flags(compat) != READ_ONCE(proc->sv_flags))
		emit_abi(proc, ktrace_arch_sv_flags(compat));
	emit_call(proc, regs, compat, nr);
}

static noinline void leave(struct pt_regs *regs, long ret)
{
	long nr = syscall_get_nr(current, regs);
	struct ktrace_proc *proc;
	bool compat, just, refused;
	u32 points, abi;
	s64 retval;
	s32 error;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (!proc)
		goto out;
	points = READ_ONCE(proc->points);
	if (!(points & (CALLS | STRUCTS | KTRFAC_GENIO)))
		goto out;
	compat = ktrace_arch_compat_call();
	if (compat)
		ret = ktrace_record_compat(ret);
	just = just_returned(proc->generation, &nr, compat, ret);
	error = just ? KTRACE_EJUSTRETURN : ktrace_record_error(ret, &retval);
	refused = unlikely(has_filter()) && ktrace_thread_leave(current, proc->generation);
	if (unlikely(refused) && points & KTRFAC_SYSCALL)
		emit_refused(proc, regs, compat, nr);
	if (points & STRUCTS && !refused)
		ktrace_structs(proc, regs, compat, nr, ret, points);
	if (points & KTRFAC_GENIO && !error)
		ktrace_genio(proc, regs, compat, nr, retval);
	if (points & KTRFAC_SYSRET)
		emit_return(proc, nr, error, just ? 0 : retval);
	abi = READ_ONCE(proc->sv_flags);
	if (unlikely(ktrace_arch_sv_flags(compat) != abi))
		emit_abi(proc, abi);
out:
	ktrace_unguard();
}

/** ktrace_probe_sys_exit - tracepoint sys_exit */
void ktrace_probe_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	if (likely(!ktrace_proc_maybe(current->signal)))
		return;
	leave(regs, ret);
}

/* The tracepoints' own types. */
static inline void check_types(void)
{
	check_trace_callback_type_sys_enter(ktrace_probe_sys_enter);
	check_trace_callback_type_sys_exit(ktrace_probe_sys_exit);
}
