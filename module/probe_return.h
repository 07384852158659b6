/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe_return: kretprobes that come and go, and the calls that they missed.
 */
#ifndef KTRACE_PROBE_RETURN_H
#define KTRACE_PROBE_RETURN_H

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/types.h>

/**
 * struct ktrace_return - a kretprobe, or a kprobe at the function's entry alone, which costs
 *	half as much
 * @rp: it: symbol, handlers and data size (const)
 * @entry: the handler of the kprobe; NULL: it is a kretprobe
 * @points: KTRFAC_*, whose records it makes (const)
 * @most: calls of traced processes that may be in the function at once, for
 *	each CPU (const)
 * @missed: how many of @rp.nmissed have been counted
 */
struct ktrace_return {
	struct kretprobe rp;
	kprobe_pre_handler_t entry;
	u32 points;
	u32 most;
	atomic_t missed;
};

extern struct ktrace_return ktrace_return_fault;
extern struct ktrace_return ktrace_return_namei;
extern struct ktrace_return ktrace_return_sysctl;
extern struct ktrace_return ktrace_return_capable;

int ktrace_return_register(struct ktrace_return *r);
void ktrace_return_unregister(struct ktrace_return *r);
void ktrace_return_missed(void);
bool ktrace_return_wanted(struct ktrace_return *r);

#endif /* KTRACE_PROBE_RETURN_H */
