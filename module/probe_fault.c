// SPDX-License-Identifier: GPL-2.0
/*
 * FAULT and FAULTEND: page faults of user mode.
 *
 * A fault is open from its FAULT to its FAULTEND, and the thread table has its
 * address meanwhile.  It ends in one of these ways:
 *  - handle_mm_fault() returns, and it is not to be called again;
 *  - it becomes a signal, and that is delivered;
 *  - another signal interrupted it, and takes the thread elsewhere;
 *  - the thread faults elsewhere: a debugger, or so, took it there.
 * A signal that nobody notices sends the thread back to where it faulted: the
 * same fault goes on, and has one FAULT.
 *
 * Where the kernel has a tracepoint of these faults, that begins them; elsewhere the
 * call of handle_mm_fault() does, and a fault that the kernel refuses without it is
 * known by its signal only: then both records are made there.
 *
 * A call into the vsyscall page may be carried out in the fault, and then is
 * none.  Such a fault is remembered, and has its FAULT only when it becomes a
 * signal.
 */
#include <linux/mm.h>
#include <linux/signal.h>

#include "arch.h"
#include "compat_exceptions.h"
#include "emit.h"
#include "probe_return.h"
#include "probes.h"
#include "thread.h"

/* In the table: an address of the vsyscall page without this bit, which no fault can have. */
#define UNSURE BIT_ULL(63)

static bool is_unsure(u64 value)
{
	return ktrace_arch_vsyscall(value ^ UNSURE);
}

static bool emit_fault(struct ktrace_proc *proc, unsigned long address, u32 access)
{
	struct ktrace_emit e = {};
	u8 *p = ktrace_emit_begin(&e, proc, KTR_FAULT, sizeof(struct ktrace_fault));

	if (!p)
		return false;
	ktrace_record_fault(p, address, access);
	ktrace_emit_end(&e);
	return true;
}

static void emit_faultend(struct ktrace_proc *proc, u32 result)
{
	struct ktrace_emit e = {};
	u8 *p = ktrace_emit_begin(&e, proc, KTR_FAULTEND, sizeof(struct ktrace_faultend));

	if (!p)
		return;
	ktrace_record_faultend(p, result);
	ktrace_emit_end(&e);
}

/* End the fault that is open.  False: none is. */
static bool end_open(struct ktrace_proc *proc, u32 result)
{
	u32 points = READ_ONCE(proc->points);
	u64 open;

	if (!ktrace_thread_take(current, READ_ONCE(proc->fault_generation), KTRACE_THREAD_FAULT,
				&open))
		return false;
	ktrace_thread_clear(current, KTRACE_THREAD_WATCHED);
	if (unlikely(is_unsure(open))) {
		if (result == KTRACE_KERN_RESOURCE_SHORTAGE)
			return true; /* it was a call */
		if (points & KTRFAC_FAULT && !emit_fault(proc, open ^ UNSURE, KTRACE_VM_EXECUTE))
			return true;
	}
	if (points & KTRFAC_FAULTEND)
		emit_faultend(proc, result);
	return true;
}

/*
 * The thread faults elsewhere, and the open fault has not ended.  If nobody
 * waited for its end (no kretprobe instance was free, or kprobes are off) it may
 * have ended in any way: the file does not say how.
 */
static noinline void leave_open(struct ktrace_proc *proc)
{
	u64 open;

	if (ktrace_thread_test(current, KTRACE_THREAD_WATCHED)) {
		end_open(proc, KTRACE_KERN_RESOURCE_SHORTAGE);
		return;
	}
	ktrace_thread_take(current, READ_ONCE(proc->fault_generation), KTRACE_THREAD_FAULT, &open);
	if (!is_unsure(open))
		WRITE_ONCE(proc->dropped, 1);
}

static noinline void begin(u64 address, u32 access)
{
	bool unsure = ktrace_arch_vsyscall(address) && access == KTRACE_VM_EXECUTE;
	struct ktrace_proc *proc;
	u32 points;
	u64 open;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (!proc)
		goto out;
	points = READ_ONCE(proc->points);
	if (!(points & KTRACE_FAULTS))
		goto out;
	if (ktrace_thread_get(current, READ_ONCE(proc->fault_generation), KTRACE_THREAD_FAULT,
			      &open)) {
		if (open == address)
			goto out;
		leave_open(proc);
	}
	ktrace_thread_clear(current, KTRACE_THREAD_WATCHED);
	if (unlikely(unsure))
		address ^= UNSURE;
	else if (points & KTRFAC_FAULT && !emit_fault(proc, address, access))
		goto out; /* what has no beginning in the file has no end there */
	if (!ktrace_thread_put(current, READ_ONCE(proc->fault_generation), KTRACE_THREAD_FAULT,
			       address))
		ktrace_emit_forgot(proc);
out:
	ktrace_unguard();
}

/* SIGSEGV and SIGBUS of a fault have codes of their own, between 0 and SI_KERNEL. */
static u32 result_of(int sig, int code)
{
	if (code <= 0 || code >= SI_KERNEL || (sig != SIGSEGV && sig != SIGBUS))
		return KTRACE_KERN_RESOURCE_SHORTAGE;
	if (code == (sig == SIGSEGV ? SEGV_MAPERR : BUS_ADRERR))
		return KTRACE_KERN_INVALID_ADDRESS;
	return KTRACE_KERN_PROTECTION_FAILURE;
}

#ifdef KTRACE_ARCH_FAULT_TRACE
/** ktrace_probe_fault - tracepoint page_fault_user: interrupts off */
void ktrace_probe_fault(void *data, unsigned long address, struct pt_regs *regs,
			unsigned long error_code)
{
	if (likely(!ktrace_proc_maybe(current->signal)))
		return;
	begin(address, ktrace_arch_fault_access(error_code));
}

static inline void check_types(void)
{
	check_trace_callback_type_page_fault_user(ktrace_probe_fault);
}

/* It has begun already. */
static void begin_here(unsigned long address, unsigned long flags)
{
}

static void refused(struct ktrace_proc *proc, int sig, const struct kernel_siginfo *info, int code)
{
}
#else
static void begin_here(unsigned long address, unsigned long flags)
{
	if (flags & FAULT_FLAG_WRITE)
		begin(address, KTRACE_VM_WRITE);
	else
		begin(address, flags & FAULT_FLAG_INSTRUCTION ? KTRACE_VM_EXECUTE : KTRACE_VM_READ);
}

/* A fault that handle_mm_fault() never saw: both its records. */
static void refused(struct ktrace_proc *proc, int sig, const struct kernel_siginfo *info, int code)
{
	u32 points = READ_ONCE(proc->points), access;
	unsigned long address;

	if (sig != SIGSEGV || (code != SEGV_MAPERR && code != SEGV_ACCERR) ||
	    !ktrace_arch_fault_refused(info, &address, &access))
		return;
	if (points & KTRFAC_FAULT && !emit_fault(proc, address, access))
		return;
	if (points & KTRFAC_FAULTEND)
		emit_faultend(proc, result_of(sig, code));
}
#endif

static noinline bool is_open(void)
{
	struct ktrace_proc *proc;
	bool open = false;
	u64 address;

	ktrace_guard();
	ktrace_return_missed();
	proc = ktrace_proc_find(current->signal);
	if (proc)
		open = ktrace_thread_get(current, READ_ONCE(proc->fault_generation),
					 KTRACE_THREAD_FAULT, &address);
	if (open)
		ktrace_thread_set(current, KTRACE_THREAD_WATCHED);
	ktrace_unguard();
	return open;
}

/* Nonzero: the return does not interest us: nobody traces this, or the kernel itself faults. */
static int fault_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	unsigned long flags = regs_get_kernel_argument(regs, 2);

	if (likely(!ktrace_proc_maybe(current->signal)))
		return 1;
	if (!(flags & FAULT_FLAG_USER))
		return 1;
	begin_here(regs_get_kernel_argument(regs, 1), flags);
	return !is_open();
}

static void end(u32 result)
{
	struct ktrace_proc *proc;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (proc)
		end_open(proc, result);
	ktrace_unguard();
}

static int fault_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	vm_fault_t fault = (__force vm_fault_t)regs_return_value(regs);

	if (fault & VM_FAULT_RETRY)
		return 0; /* it is called again, or a signal comes first */
	if (fault & VM_FAULT_OOM)
		end(KTRACE_KERN_RESOURCE_SHORTAGE);
	else if (!(fault & VM_FAULT_ERROR))
		end(KTRACE_KERN_SUCCESS);
	return 0; /* other errors are signals */
}

/* Whoever waits for a page of a slow disk, or of userfaultfd, waits in there. */
struct ktrace_return ktrace_return_fault = {
	.rp.kp.symbol_name = "handle_mm_fault",
	.rp.entry_handler = fault_entry,
	.rp.handler = fault_return,
	.points = KTRACE_FAULTS,
	.most = 64,
};

/**
 * ktrace_fault_signal - current takes a signal that is not ignored
 * @proc: its process
 * @sig: the signal
 * @info: what is known of it, if @code is not SI_USER or SI_KERNEL
 * @code: its si_code
 *
 * An open fault ends here: it is what the signal is about, or the signal
 * interrupted it.  Then the instruction may fault again, later, anew.
 *
 * Context: guarded; siglock held, interrupts off.
 */
void ktrace_fault_signal(struct ktrace_proc *proc, int sig, const struct kernel_siginfo *info,
			 int code)
{
	if (!end_open(proc, result_of(sig, code)))
		refused(proc, sig, info, code);
}
