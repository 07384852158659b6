/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probes: the functions that the kernel's hooks call.
 *
 * Each asks first, in a leaf function, whether the process may be traced at
 * all; everything else is in a function of its own that only then is called.
 * No probe sleeps, whatever the kernel would allow.
 */
#ifndef KTRACE_PROBES_H
#define KTRACE_PROBES_H

#include <linux/types.h>

#include "compat.h"

struct k_sigaction;
struct kernel_siginfo;
struct ktrace_proc;
struct ktrace_session;
struct linux_binprm;
struct pt_regs;
struct task_struct;

void ktrace_probe_sys_enter(void *data, struct pt_regs *regs, long id);
void ktrace_probe_sys_exit(void *data, struct pt_regs *regs, long ret);
void ktrace_probe_killed(void);
void ktrace_probe_forked(struct ktrace_proc *proc, struct ktrace_session *s,
			 struct task_struct *task, u32 points);

void ktrace_probe_fork(void *data, struct task_struct *parent, struct task_struct *child);
void ktrace_probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm);
KTRACE_EXIT_PROBE(ktrace_probe_exit);

void ktrace_probe_signal(void *data, int sig, struct kernel_siginfo *info, struct k_sigaction *ka);

void ktrace_probe_fault(void *data, unsigned long address, struct pt_regs *regs,
			unsigned long error_code);
void ktrace_fault_signal(struct ktrace_proc *proc, int sig, const struct kernel_siginfo *info,
			 int code);

KTRACE_SWITCH_PROBE(ktrace_probe_switch);

int ktrace_probe_namei_prepare(void);

#endif /* KTRACE_PROBES_H */
