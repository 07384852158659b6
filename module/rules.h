/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rules: who may do what to whom, as functions of plain facts.
 *
 * access.c and ops.c collect the facts; nothing else decides.
 */
#ifndef KTRACE_RULES_H
#define KTRACE_RULES_H

#include <linux/types.h>

/**
 * struct ktrace_request - what ktrace(2) was asked
 * @op: KTROP_*
 * @descend: KTRFLAG_DESCEND
 * @v1: KTRFLAG_LINUX_V1
 * @points: KTRFAC_* inside KTRFAC_MASK, without PROCCTOR and PROCDTOR
 * @inherit: KTRFAC_INHERIT
 */
struct ktrace_request {
	int op;
	bool descend;
	bool v1;
	bool inherit;
	u32 points;
};

int ktrace_rules_request(s32 ops, s32 points, struct ktrace_request *req);
int ktrace_rules_points(const struct ktrace_request *req, s32 points);
u32 ktrace_rules_cleared(u32 have, const struct ktrace_request *req);
u32 ktrace_rules_renewed(u32 before, u32 now);

/**
 * struct ktrace_target_facts - about a process that is to be set or cleared
 * @kthread: a kernel thread
 * @self: the caller's own process
 * @traced: traced now
 * @by_root: traced, and KTRFAC_ROOT
 * @by_caller: traced, and set by the caller's euid of the same user namespace
 * @caller_root: the caller has CAP_SYS_PTRACE in the initial user namespace
 */
struct ktrace_target_facts {
	bool kthread;
	bool self;
	bool traced;
	bool by_root;
	bool by_caller;
	bool caller_root;
};

/** enum ktrace_verdict - @KTRACE_ASK: as the kernel's ptrace check says */
enum ktrace_verdict {
	KTRACE_NO,
	KTRACE_YES,
	KTRACE_ASK,
};

enum ktrace_verdict ktrace_rules_may_set(const struct ktrace_target_facts *f);
enum ktrace_verdict ktrace_rules_may_clear(const struct ktrace_target_facts *f);

/**
 * struct ktrace_exec_facts - about an exec of a traced process
 * @secureexec: bprm->secureexec
 * @dumpable: get_dumpable(mm) is SUID_DUMP_USER
 * @same_ids: all uids and gids of the new credentials are the tracer's euid and egid
 * @caps_subset: their permitted capabilities are among the tracer's
 * @tracer_root: the tracer has CAP_SYS_PTRACE over the mm's user namespace
 */
struct ktrace_exec_facts {
	bool secureexec;
	bool dumpable;
	bool same_ids;
	bool caps_subset;
	bool tracer_root;
};

bool ktrace_rules_exec_goes_on(const struct ktrace_exec_facts *f);

#endif /* KTRACE_RULES_H */
