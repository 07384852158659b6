/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat: what the module's compat.h has for its probes; here no kernel differs.
 */
#ifndef KTRACE_COMPAT_H
#define KTRACE_COMPAT_H

#include "shim.h"

#define KTRACE_PF_WORKER PF_KTHREAD
#define KTRACE_SWITCH_PROBE(name)                                                               \
	void name(void *data, bool preempt, struct task_struct *prev, struct task_struct *next, \
		  unsigned int prev_state)
#define KTRACE_SWITCH_STATE	prev_state
#define KTRACE_EXIT_PROBE(name) void name(void *data, struct task_struct *task)

#define ktrace_syscall_guard()	 ((void)0)
#define ktrace_syscall_unguard() ((void)0)

bool replay_emulated(void);
#define ktrace_emulated(task) replay_emulated()

static inline u64 ktrace_cap_mask(const kernel_cap_t *caps)
{
	return caps->val;
}

#endif /* KTRACE_COMPAT_H */
