// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of system calls: SYSCALL, GENIO and SYSRET, CAPFAIL of what seccomp
 * refuses, and PROCCTOR around int 0x80.
 */
#include <linux/ptrace.h>
#include <linux/seccomp.h>
#include <trace/events/syscalls.h>

#include "arch.h"
#include "capfail.h"
#include "compat.h"
#include "emit.h"
#include "genio.h"
#include "probes.h"
#include "thread.h"

#define CALLS (KTRFAC_SYSCALL | KTRFAC_SYSRET)

/* Points that must know whether a call was carried out. */
#define PAIRED (CALLS | KTRFAC_GENIO | KTRFAC_CAPFAIL)

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
	if (!(points & PAIRED))
		goto out;
	compat = ktrace_arch_compat_call();
	/* The kernel forgets these numbers until the exit. */
	if (unlikely(ktrace_arch_is_exec(compat, nr) || ktrace_arch_is_sigreturn(compat, nr)))
		ktrace_thread_put(current, proc->generation, KTRACE_THREAD_CODE, nr);
	if (unlikely(has_filter()))
		ktrace_thread_enter(current, proc->generation);
	if (unlikely(ktrace_arch_sv_flags(compat) != READ_ONCE(proc->sv_flags)) && points & CALLS)
		emit_abi(proc, ktrace_arch_sv_flags(compat));
	if (points & KTRFAC_SYSCALL)
		emit_call(proc, regs, compat, nr);
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

/*
 * A call that was refused, after the fact: its CALL comes with its CAPFAIL just
 * before its RET.  Not every refusal is one of seccomp: a debugger may do the
 * calls, and what is about to be killed is not let through either.
 */
static noinline void emit_refused(struct ktrace_proc *proc, struct pt_regs *regs, bool compat,
				  long nr)
{
	const struct ktrace_refusal refusal = {
		.type = KTRACE_CAPFAIL_SYSCALL,
		.nr = nr,
		.sv_flags = ktrace_arch_sv_flags(compat),
	};
	u32 points = READ_ONCE(proc->points);

	if (refusal.sv_flags != READ_ONCE(proc->sv_flags) && points & CALLS)
		emit_abi(proc, refusal.sv_flags);
	if (points & KTRFAC_SYSCALL)
		emit_call(proc, regs, compat, nr);
	if (points & KTRFAC_CAPFAIL && !ktrace_emulated(current) && !fatal_signal_pending(current))
		ktrace_capfail(proc, &refusal);
}

/*
 * Has seccomp refused this call for good?  Then the task dies in it.  (The kernel
 * has a mode of its own for that, and no name for it outside of seccomp.c.)
 */
static bool is_condemned(void)
{
	return seccomp_mode(&current->seccomp) > SECCOMP_MODE_FILTER;
}

/* The call ends, or its task does.  Did it never begin? */
static bool was_refused(struct ktrace_proc *proc)
{
	if (likely(!has_filter()) || !ktrace_thread_leave(current, proc->generation))
		return false;
	/* This was its last call: ktrace_probe_killed() shall not tell of it again. */
	if (is_condemned())
		ktrace_thread_clear(current, KTRACE_THREAD_SEEN);
	return true;
}

static noinline void leave(struct pt_regs *regs, long ret)
{
	long nr = syscall_get_nr(current, regs);
	bool compat, just, refused;
	struct ktrace_proc *proc;
	u32 points, abi;
	s64 retval;
	s32 error;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (!proc)
		goto out;
	points = READ_ONCE(proc->points);
	if (!(points & PAIRED))
		goto out;
	compat = ktrace_arch_compat_call();
	if (compat)
		ret = ktrace_record_compat(ret);
	refused = was_refused(proc);
	just = refused ? ktrace_arch_rolled_back(nr, ret) :
			 just_returned(proc->generation, &nr, compat, ret);
	error = just ? KTRACE_EJUSTRETURN : ktrace_record_error(ret, &retval);
	if (unlikely(refused))
		emit_refused(proc, regs, compat, nr);
	else if (points & KTRFAC_GENIO && !error)
		ktrace_genio(proc, regs, compat, nr, retval);
	if (points & KTRFAC_SYSRET)
		emit_return(proc, nr, error, just ? 0 : retval);
	abi = READ_ONCE(proc->sv_flags);
	if (unlikely(ktrace_arch_sv_flags(compat) != abi) && points & CALLS)
		emit_abi(proc, abi);
out:
	ktrace_unguard();
}

/**
 * ktrace_probe_killed - current exits, perhaps in a call that seccomp refused
 *
 * Where seccomp kills one thread of several, the call does not end: nobody but
 * its exit can tell of it.
 *
 * Context: of the probe of the exit, before anything of the thread is forgotten.
 */
noinline void ktrace_probe_killed(void)
{
	struct pt_regs *regs = task_pt_regs(current);
	struct ktrace_proc *proc;

	if (likely(!has_filter()) || !is_condemned())
		return;
	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (proc && READ_ONCE(proc->points) & PAIRED && was_refused(proc))
		emit_refused(proc, regs, ktrace_arch_compat_call(), syscall_get_nr(current, regs));
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
