// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of system calls: SYSCALL, STRUCT, GENIO and SYSRET, CAPFAIL of what
 * seccomp refuses, and PROCCTOR around int 0x80.
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
#include "struct_calls.h"
#include "structs.h"
#include "thread.h"

static __always_inline void put_argument(u8 *p, const struct pt_regs *regs, u32 i)
{
	put_unaligned_le64(ktrace_arch_argument(regs, i), p + 8 * i);
}

static __always_inline void put_arguments(u8 *p, const struct pt_regs *regs, u32 narg)
{
	switch (narg) {
	default:
		put_argument(p, regs, 5);
		fallthrough;
	case 5:
		put_argument(p, regs, 4);
		fallthrough;
	case 4:
		put_argument(p, regs, 3);
		fallthrough;
	case 3:
		put_argument(p, regs, 2);
		fallthrough;
	case 2:
		put_argument(p, regs, 1);
		fallthrough;
	case 1:
		put_argument(p, regs, 0);
		fallthrough;
	case 0:
		break;
	}
}

/* The CALL of a native call that we know. */
static __always_inline void emit_native_call(struct ktrace_proc *proc, struct pt_regs *regs,
					     long nr)
{
	u32 narg = ktrace_arch_narg(false, nr);
	struct ktrace_emit e = {};
	u8 *p;

	p = ktrace_emit_begin(&e, proc, KTR_SYSCALL, ktrace_record_syscall_size(narg));
	if (!p)
		return;
	put_arguments(ktrace_record_syscall_head(p, nr, narg), regs, narg);
	ktrace_emit_end(&e);
}

static noinline void emit_call(struct ktrace_proc *proc, struct pt_regs *regs, bool compat, long nr)
{
	u32 narg = ktrace_arch_narg(compat, nr);
	unsigned long args[6];
	struct ktrace_emit e = {};
	u8 *p;

	p = ktrace_emit_begin(&e, proc, KTR_SYSCALL, ktrace_record_syscall_size(narg));
	if (!p)
		return;
	ktrace_arch_arguments(regs, compat, args);
	ktrace_record_syscall(p, nr, narg, args);
	ktrace_emit_end(&e);
}

/*
 * A call in the other ABI than the process's (int 0x80 from 64-bit code of x86) is put
 * between PROCCTORs.
 */
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

/* Only who reads calls needs to know their ABI. */
static __always_inline bool needs_abi(const struct ktrace_proc *proc, u32 points, bool compat)
{
	return unlikely(is_foreign(proc, compat)) && points & KTRACE_CALLS;
}

/* The kernel forgets the number, and may forget the ABI, of exec and sigreturn until the exit. */
#define CODE_COMPAT BIT_ULL(32)

static noinline void remember(struct ktrace_proc *proc, u32 generation, long nr, bool compat)
{
	if (!ktrace_thread_put(current, generation, KTRACE_THREAD_CODE,
			       (u32)nr | (compat ? CODE_COMPAT : 0)))
		ktrace_emit_forgot(proc);
}

/* A call that seccomp refuses ends without having begun. */
static __always_inline bool has_filter(void)
{
	return seccomp_mode(&current->seccomp) != SECCOMP_MODE_DISABLED;
}

/*
 * Does a call take the short way?  A native one that we know, of a native process
 * without seccomp filters, and that does not lose its number.
 */
static __always_inline bool is_plain(const struct ktrace_proc *proc, long nr)
{
	static const bool loses_number[] = {
		[__NR_execve] = true,
		[__NR_execveat] = true,
		[__NR_rt_sigreturn] = true,
#if defined(KTRACE_ARCH_COMPAT) && defined(KTRACE_ARCH_EXEC_KEEPS_NUMBER)
		[KTRACE_COMPAT_NR(execve)] = true,
		[KTRACE_COMPAT_NR(execveat)] = true,
#endif
		[sizeof(ktrace_arch_nargs) - 1] = false,
	};

	return likely(!ktrace_arch_compat_call() && !is_foreign(proc, false) &&
		      ktrace_arch_known(nr) && !loses_number[nr] && !has_filter());
}

static noinline void enter_rare(struct ktrace_proc *proc, u32 points, struct pt_regs *regs, long nr)
{
	u32 generation = READ_ONCE(proc->generation);
	bool compat = ktrace_arch_compat_call();

	if (ktrace_arch_is_exec(compat, nr) || ktrace_arch_is_sigreturn(compat, nr))
		remember(proc, generation, nr, compat);
	if (has_filter())
		ktrace_thread_enter(current, generation);
	if (needs_abi(proc, points, compat)) {
		emit_abi(proc, compat);
		ktrace_thread_mark(current, generation, KTRACE_THREAD_ABI);
	}
	if (points & KTRFAC_SYSCALL)
		emit_call(proc, regs, compat, nr);
	if (points & KTRFAC_STRUCT)
		ktrace_structs_enter(proc, regs, compat, nr);
}

/* Its first parameters are those of the probe, which so leaves the registers as they are. */
static noinline __noclone void enter(void *data, struct pt_regs *regs, long nr, unsigned long index)
{
	struct ktrace_proc *proc;
	u32 points;

	ktrace_syscall_guard();
	proc = ktrace_proc_find_in(current->signal, index);
	if (!proc)
		goto out;
	points = READ_ONCE(proc->points);
	if (!(points & KTRACE_PAIRED))
		goto out;
	if (!is_plain(proc, nr)) {
		enter_rare(proc, points, regs, nr);
		goto out;
	}
	if (points & KTRFAC_SYSCALL)
		emit_native_call(proc, regs, nr);
	if (points & KTRFAC_STRUCT && ktrace_struct_native(nr))
		ktrace_structs_enter(proc, regs, false, nr);
out:
	ktrace_syscall_unguard();
}

/** ktrace_probe_sys_enter - tracepoint sys_enter */
void ktrace_probe_sys_enter(void *data, struct pt_regs *regs, long id)
{
	unsigned long index = ktrace_proc_index(current->signal);

	if (likely(!READ_ONCE(ktrace_proc_hash[index].first)))
		return;
	enter(data, regs, id, index);
}

/**
 * struct outcome - a call that ends
 * @nr: its number, as the CALL has it
 * @compat: its ABI, likewise; of an exec that succeeded, the new image's
 * @refused: it never began
 * @value: what the kernel returned, sign-extended
 * @error: as the file has it
 */
struct outcome {
	long nr;
	bool compat;
	bool refused;
	long value;
	s32 error;
};

static __always_inline void emit_return(struct ktrace_proc *proc, const struct outcome *o)
{
	struct ktrace_emit e = {};
	u8 *p = ktrace_emit_begin(&e, proc, KTR_SYSRET, sizeof(struct ktrace_sysret));

	if (!p)
		return;
	ktrace_record_sysret(p, o->nr, o->error, o->value);
	ktrace_emit_end(&e);
}

/*
 * What a call returns when it does not return: exec and sigreturn.  Their
 * number is the one of the CALL, whatever the kernel has in its place now.
 */
static bool just_returned(struct outcome *o, u32 generation)
{
	bool was_exec;
	u64 code;

	if (o->nr != -1 && !ktrace_arch_was_exec(o->compat, o->nr))
		return ktrace_arch_is_sigreturn(o->compat, o->nr) && !o->value;
	if (!ktrace_thread_take(current, generation, KTRACE_THREAD_CODE, &code))
		return ktrace_arch_is_exec(o->compat, o->nr) && !o->value;
	o->nr = (s32)code;
	was_exec = ktrace_arch_is_exec(code & CODE_COMPAT, o->nr);
	/* An exec that fails late has the ABI of the image that it failed to become. */
	if (was_exec && o->value)
		o->compat = code & CODE_COMPAT;
	return !was_exec || !o->value;
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
static bool was_refused(struct ktrace_proc *proc, u32 generation)
{
	int refused;

	if (!has_filter())
		return false;
	refused = ktrace_thread_leave(current, generation);
	if (unlikely(refused < 0))
		ktrace_emit_forgot(proc); /* perhaps: nobody knows */
	if (refused <= 0)
		return false;
	/* This was its last call: ktrace_probe_killed() shall not tell of it again. */
	if (is_condemned())
		ktrace_thread_clear(current, KTRACE_THREAD_SEEN);
	return true;
}

/* Taken back, with SIGSYS in its place: the registers are as before the call. */
static bool was_taken_back(const struct outcome *o, const struct pt_regs *regs)
{
	return ktrace_arch_rolled_back(regs, o->nr, o->value) &&
	       sigismember(&current->pending.signal, SIGSYS);
}

static void get_outcome(struct outcome *o, struct ktrace_proc *proc, u32 generation,
			struct pt_regs *regs, long ret)
{
	bool just;

	o->nr = syscall_get_nr(current, regs);
	o->compat = ktrace_arch_compat_call();
	o->value = o->compat ? ktrace_record_compat(ret) : ret;
	o->refused = was_refused(proc, generation);
	just = o->refused ? was_taken_back(o, regs) : just_returned(o, generation);
	o->error = just ? KTRACE_EJUSTRETURN : ktrace_record_error(o->value);
}

/* The records of a call that ends. */
static __always_inline void emit_outcome(struct ktrace_proc *proc, u32 points, struct pt_regs *regs,
					 const struct outcome *o)
{
	if (points & (KTRACE_STRUCTS | KTRFAC_GENIO)) {
		if (points & KTRACE_STRUCTS && !o->refused &&
		    (o->compat || ktrace_struct_native(o->nr)))
			ktrace_structs(proc, regs, o->compat, o->nr, o->value, points);
		/* Refused, with another result: somebody made the call in the kernel's place. */
		if (points & KTRFAC_GENIO && !o->error && (!o->refused || o->value))
			ktrace_genio(proc, regs, o->compat, o->nr, o->value);
	}
	if (points & KTRFAC_SYSRET)
		emit_return(proc, o);
}

static noinline void leave_rare(struct ktrace_proc *proc, u32 points, struct pt_regs *regs,
				long ret)
{
	u32 generation = READ_ONCE(proc->generation);
	struct outcome o;

	get_outcome(&o, proc, generation, regs, ret);
	/* It began before the trace, or in the parent: nothing has said yet what it is. */
	if (needs_abi(proc, points, o.compat) &&
	    !ktrace_thread_unmark(current, generation, KTRACE_THREAD_ABI))
		emit_abi(proc, o.compat);
	if (o.refused)
		emit_refused(proc, regs, o.compat, o.nr);
	emit_outcome(proc, points, regs, &o);
	if (needs_abi(proc, points, o.compat))
		emit_abi(proc, !o.compat);
}

static noinline __noclone void leave(void *data, struct pt_regs *regs, long ret,
				     unsigned long index)
{
	struct ktrace_proc *proc;
	u32 points;
	long nr;

	ktrace_syscall_guard();
	proc = ktrace_proc_find_in(current->signal, index);
	if (!proc)
		goto out;
	points = READ_ONCE(proc->points);
	if (!(points & KTRACE_PAIRED))
		goto out;
	nr = syscall_get_nr(current, regs);
	if (is_plain(proc, nr)) {
		const struct outcome o = {
			.nr = nr,
			.value = ret,
			.error = likely(ret >= 0) ? 0 : ktrace_record_error(ret),
		};

		emit_outcome(proc, points, regs, &o);
	} else {
		leave_rare(proc, points, regs, ret);
	}
out:
	ktrace_syscall_unguard();
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
	u32 generation;
	bool compat;

	if (likely(!has_filter()) || !is_condemned())
		return;
	compat = ktrace_arch_compat_call();
	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (!proc || !(READ_ONCE(proc->points) & KTRACE_PAIRED))
		goto out;
	generation = READ_ONCE(proc->generation);
	if (!was_refused(proc, generation))
		goto out;
	if (needs_abi(proc, READ_ONCE(proc->points), compat)) {
		emit_abi(proc, compat);
		ktrace_thread_mark(current, generation, KTRACE_THREAD_ABI);
	}
	emit_refused(proc, regs, compat, syscall_get_nr(current, regs));
out:
	ktrace_unguard();
}

#ifndef KTRACE_ARCH_FORK_RETURNS
/**
 * ktrace_probe_forked - a task was made, by a call that is traced
 * @proc: the process that it is of
 * @s: its session
 * @task: it; it has not run yet
 * @points: of the process
 *
 * That call ends in it, too, but the kernel does not say so.
 *
 * Context: guarded; nobody else records for @task.
 */
void ktrace_probe_forked(struct ktrace_proc *proc, struct ktrace_session *s,
			 struct task_struct *task, u32 points)
{
	struct ktrace_emit e = {};
	u8 *p;

	if (points & KTRACE_PAIRED && seccomp_mode(&task->seccomp) != SECCOMP_MODE_DISABLED)
		ktrace_thread_mark(task, READ_ONCE(proc->generation), KTRACE_THREAD_SEEN);
	if (!(points & KTRFAC_SYSRET))
		return;
	p = ktrace_emit_reserve(&e, proc, s, task, KTR_SYSRET, sizeof(struct ktrace_sysret),
				KTRACE_EMIT_PLAIN);
	if (!p)
		return;
	ktrace_record_sysret(p, syscall_get_nr(task, task_pt_regs(task)), 0, 0);
	ktrace_emit_end(&e);
}
#endif

/** ktrace_probe_sys_exit - tracepoint sys_exit */
void ktrace_probe_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	unsigned long index = ktrace_proc_index(current->signal);

	if (likely(!READ_ONCE(ktrace_proc_hash[index].first)))
		return;
	leave(data, regs, ret, index);
}

/* The tracepoints' own types. */
static inline void check_types(void)
{
	check_trace_callback_type_sys_enter(ktrace_probe_sys_enter);
	check_trace_callback_type_sys_exit(ktrace_probe_sys_exit);
}
