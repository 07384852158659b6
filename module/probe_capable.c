// SPDX-License-Identifier: GPL-2.0
/*
 * CAPFAIL: a capability that was needed and is not there.
 *
 * All ways to ask for one lead to cap_capable(), which knows whether its answer
 * is for the audit: a check that only looks (CAP_OPT_NOAUDIT) refuses nothing.
 * What another security module (AppArmor, SELinux) refuses beyond that it does
 * not see.
 *
 * The credentials must be those that the process acts with: its own, or what
 * the kernel put in their place for a while (access(2) does), or its own behind
 * those.  Checks of somebody else's, such as those of whoever opened a file, say
 * nothing about what this process lacks.
 */
#include <linux/cred.h>
#include <linux/security.h>

#include "arch.h"
#include "capfail.h"
#include "compat.h"
#include "emit.h"
#include "probe_return.h"
#include "thread.h"

/**
 * struct check - a check, until it returns
 * @cred: whose; whoever asked holds it
 * @cap: the capability's number
 */
struct check {
	const struct cred *cred;
	int cap;
};

static bool is_ours(const struct cred *cred)
{
	return cred == current_cred() || cred == current_real_cred();
}

/* Nonzero: the return does not interest us. */
static int capable_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct check *check = (struct check *)ri->data;

	/* An interrupt asks in nobody's name, whoever was interrupted. */
	if (likely(!ktrace_proc_maybe(current->signal)) || !in_task())
		return 1;
	check->cred = (const struct cred *)regs_get_kernel_argument(regs, 0);
	check->cap = regs_get_kernel_argument(regs, 2);
	if (regs_get_kernel_argument(regs, 3) & CAP_OPT_NOAUDIT || !is_ours(check->cred))
		return 1;
	return !ktrace_return_wanted(&ktrace_return_capable);
}

/* The call that current is in.  Exec and sigreturn lose their number on the way. */
static long call_number(const struct ktrace_proc *proc)
{
	u64 code;

	if (current->flags & KTRACE_PF_WORKER)
		return -1;
	if (ktrace_thread_get(current, proc->generation, KTRACE_THREAD_CODE, &code))
		return (s32)code; /* without its ABI */
	return syscall_get_nr(current, task_pt_regs(current));
}

static noinline void failed(const struct check *check)
{
	struct ktrace_refusal refusal = {
		.type = KTRACE_CAPFAIL_NOTCAPABLE,
		.sv_flags = ktrace_arch_sv_flags(ktrace_arch_compat_call()),
		.needed = 1ULL << check->cap,
		.held = ktrace_cap_mask(&check->cred->cap_effective),
	};
	struct ktrace_proc *proc;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (proc && READ_ONCE(proc->points) & KTRFAC_CAPFAIL) {
		refusal.nr = call_number(proc);
		ktrace_capfail(proc, &refusal);
	}
	ktrace_unguard();
}

static int capable_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if ((int)regs_return_value(regs))
		failed((const struct check *)ri->data);
	return 0;
}

struct ktrace_return ktrace_return_capable = {
	.rp.kp.symbol_name = "cap_capable",
	.rp.entry_handler = capable_entry,
	.rp.handler = capable_return,
	.rp.data_size = sizeof(struct check),
	.points = KTRFAC_CAPFAIL,
	.most = 4,
};
