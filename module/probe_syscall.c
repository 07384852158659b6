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

/* A call in the other ABI than the process's (int 0x80 from 64-bit code) is put between PROCCTORs. */
static noinline void emit_abi(struct ktrace_proc *proc, bool compat)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);

	if (s)
		ktrace_emit_procctor(proc, s, current, ktrace_arch_sv_flags(compat));
}

static __always_inline bool is_foreign(const struct ktrace_proc *proc, bool compat)
{
	return ktrace_arch_sv_flags(compat) != READ_ONCE(proc->sv_flags);
}

/* The kernel forgets the number, and may forget the ABI, of exec and sigreturn until the exit. */
#define CODE_COMPAT BIT_ULL(32)

static noinline void remember(u32 generation, long nr, bool compat)
{
	ktrace_thread_put(current, generation, KTRACE_THREAD_CODE,
			  (u32)nr | (compat ? CODE_COMPAT : 0));
}

/* A call that seccomp refuses ends without having begun. */
static __always_inline bool has_filter(void)
{
	return seccomp_mode(&current->seccomp) != SECCOMP_MODE_DISABLED;
}

static noinline void enter(struct pt_regs *regs, long nr)
{
	struct ktrace_proc *proc;
	u32 generation;
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
	generation = READ_ONCE(proc->generation);
	if (unlikely(ktrace_arch_is_exec(compat, nr) || ktrace_arch_is_sigreturn(compat, nr)))
		remember(generation, nr, compat);
	if (unlikely(has_filter()))
		ktrace_thread_enter(current, generation);
	if (unlikely(is_foreign(proc, compat))) {
		emit_abi(proc, compat);
		ktrace_thread_mark(current, generation, KTRACE_THREAD_ABI);
	}
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

/**
 * struct outcome - a call that ends
 * @nr: its number, as the CALL has it
 * @compat: its ABI, likewise; of an exec that succeeded, the new image's
 * @refused: it never began
 * @value: what the kernel returned, sign-extended
 * @error: as the file has it
 * @retval: its result; 0 with an error
 */
struct outcome {
	long nr;
	bool compat;
	bool refused;
	long value;
	s32 error;
	s64 retval;
};

static void emit_return(struct ktrace_proc *proc, const struct outcome *o)
{
	struct ktrace_emit e;
	u8 *p = ktrace_emit_begin(&e, proc, KTR_SYSRET, sizeof(struct ktrace_sysret));

	if (!p)
		return;
	ktrace_record_sysret(p, o->nr, o->error, o->retval);
	ktrace_emit_end(&e);
}

/*
 * What a call returns when it does not return: exec and sigreturn.  Their
 * number is the one of the CALL, whatever the kernel has in its place now.
 */
static bool just_returned(struct outcome *o, u32 generation, long ret)
{
	bool was_exec = ktrace_arch_is_exec(o->compat, o->nr);
	u64 code;

	if (unlikely(o->refused))
		return false;
	if (likely(o->nr != -1 && !was_exec))
		return ktrace_arch_is_sigreturn(o->compat, o->nr) && !ret;
	if (!ktrace_thread_take(current, generation, KTRACE_THREAD_CODE, &code))
		return was_exec && !ret;
	o->nr = (s32)code;
	/* An exec that fails late has the ABI of the image that it failed to become. */
	if (was_exec && ret)
		o->compat = code & CODE_COMPAT;
	return !was_exec || !ret;
}

static void get_outcome(struct outcome *o, u32 generation, struct pt_regs *regs, long ret)
{
	o->nr = syscall_get_nr(current, regs);
	o->compat = ktrace_arch_compat_call();
	o->refused = unlikely(has_filter()) && ktrace_thread_leave(current, generation);
	if (o->compat)
		ret = ktrace_record_compat(ret);
	o->value = ret;
	if (unlikely(just_returned(o, generation, ret))) {
		o->error = KTRACE_EJUSTRETURN;
		o->retval = 0;
	} else {
		o->error = ktrace_record_error(ret, &o->retval);
	}
}

static noinline void leave(struct pt_regs *regs, long ret)
{
	struct ktrace_proc *proc;
	struct outcome o;
	u32 points;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (!proc)
		goto out;
	points = READ_ONCE(proc->points);
	if (!(points & (CALLS | STRUCTS | KTRFAC_GENIO)))
		goto out;
	get_outcome(&o, READ_ONCE(proc->generation), regs, ret);
	/* It began before the trace, or in the parent: nothing has said yet what it is. */
	if (unlikely(is_foreign(proc, o.compat)) &&
	    !ktrace_thread_unmark(current, READ_ONCE(proc->generation), KTRACE_THREAD_ABI))
		emit_abi(proc, o.compat);
	/* The CALL of a call that was refused, after the fact: it comes just before its RET. */
	if (unlikely(o.refused) && points & KTRFAC_SYSCALL)
		emit_call(proc, regs, o.compat, o.nr);
	if (points & STRUCTS && !o.refused)
		ktrace_structs(proc, regs, o.compat, o.nr, o.value, points);
	/* Refused, with another result: somebody made the call in the kernel's place. */
	if (points & KTRFAC_GENIO && !o.error && likely(!o.refused || o.retval))
		ktrace_genio(proc, regs, o.compat, o.nr, o.retval);
	if (points & KTRFAC_SYSRET)
		emit_return(proc, &o);
	if (unlikely(is_foreign(proc, o.compat)))
		emit_abi(proc, !o.compat);
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
