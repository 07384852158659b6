// SPDX-License-Identifier: GPL-2.0
#include <linux/build_bug.h>
#include <linux/errno.h>

#include "compat_pure.h"
#include "points.h"
#include "rules.h"
#include "sys/ktrace.h"

#define LIFE_POINTS (KTRFAC_PROCCTOR | KTRFAC_PROCDTOR)

/**
 * ktrace_rules_request - take ktrace(2)'s ops and points apart
 * @ops: KTROP_* | KTRFLAG_*
 * @points: KTRFAC_*
 * @req: gets it
 *
 * That there are points at all is a later question (ktrace_rules_points):
 * FreeBSD looks at the file first.
 *
 * Return: 0, or -EINVAL for an unknown operation or flag.
 */
int ktrace_rules_request(s32 ops, s32 points, struct ktrace_request *req)
{
	if (ops & ~(3 | KTRFLAG_DESCEND | KTRFLAG_LINUX_V1))
		return -EINVAL;
	if (KTROP(ops) != KTROP_SET && KTROP(ops) != KTROP_CLEAR && KTROP(ops) != KTROP_CLEARFILE)
		return -EINVAL;
	req->op = KTROP(ops);
	req->descend = ops & KTRFLAG_DESCEND;
	req->v1 = ops & KTRFLAG_LINUX_V1;
	req->inherit = points & KTRFAC_INHERIT;
	req->points = points & KTRFAC_MASK & ~LIFE_POINTS;
	return 0;
}

/**
 * ktrace_rules_points - is there anything to do?
 * @req: taken apart
 * @points: as given
 *
 * KTRFAC_ROOT and KTRFAC_DROP are the kernel's own and do not count.
 *
 * Return: 0, or -EINVAL.
 */
int ktrace_rules_points(const struct ktrace_request *req, s32 points)
{
	if (req->op == KTROP_CLEARFILE)
		return 0;
	return points & (KTRFAC_MASK | KTRFAC_INHERIT) ? 0 : -EINVAL;
}

/**
 * ktrace_rules_cleared - points left after KTROP_CLEAR
 * @have: points and KTRFAC_INHERIT of a process
 * @req: the clear
 *
 * Return: the new value; 0 when no point is left: KTRFAC_INHERIT alone traces
 * nothing.
 */
u32 ktrace_rules_cleared(u32 have, const struct ktrace_request *req)
{
	u32 left = have & ~req->points;

	if (req->inherit)
		left &= ~KTRFAC_INHERIT;
	return left & KTRFAC_MASK & ~LIFE_POINTS ? left : 0;
}

/**
 * ktrace_rules_renewed - points that begin, of those that go together, when none was there
 * @before: points of a process
 * @now: its points from now on
 */
u32 ktrace_rules_renewed(u32 before, u32 now)
{
	static const u32 together[] = { KTRACE_CALLS, KTRACE_PAIRED, KTRACE_FAULTS, KTRFAC_CSW };
	u32 points = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(together); i++)
		if (!(before & together[i]))
			points |= now & together[i];
	return points;
}

/** ktrace_rules_may_set - may the caller begin or change the trace of a process? */
enum ktrace_verdict ktrace_rules_may_set(const struct ktrace_target_facts *f)
{
	if (f->kthread)
		return KTRACE_NO;
	if (f->by_root && !f->caller_root)
		return KTRACE_NO;
	return f->self ? KTRACE_YES : KTRACE_ASK;
}

/** ktrace_rules_may_clear - may the caller end the trace of a process, or part of it? */
enum ktrace_verdict ktrace_rules_may_clear(const struct ktrace_target_facts *f)
{
	if (f->kthread)
		return KTRACE_NO;
	if (f->by_root && !f->caller_root)
		return KTRACE_NO;
	/*
	 * Root, and who set it, are never asked: the answer may take a lock
	 * that an exec of the process holds, and Yama may say no.
	 */
	if (f->self || (f->traced && (f->caller_root || f->by_caller)))
		return KTRACE_YES;
	return KTRACE_ASK;
}

/** ktrace_rules_exec_goes_on - may the tracer see the new program? */
bool ktrace_rules_exec_goes_on(const struct ktrace_exec_facts *f)
{
	if (f->tracer_root)
		return true;
	return !f->secureexec && f->dumpable && f->same_ids && f->caps_subset;
}
