// SPDX-License-Identifier: GPL-2.0
/*
 * ARGS and ENVS: taken as they lie at the top of the new image's stack, where
 * exec has just written them: the pages are there, and the image has not run.
 */
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/sched.h>

#include "emit.h"
#include "strings.h"

static void emit_strings(struct ktrace_proc *proc, u16 type, unsigned long start, unsigned long end)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);
	struct ktrace_emit e = {};
	u32 want, have;
	u8 *p;

	if (!s)
		return;
	/* A record is at most half a ring. */
	want = min3(end - start, (unsigned long)KTRACE_STRINGS_MAX,
		    (unsigned long)s->half - KTRACE_HEADER_MAX);
	p = ktrace_emit_reserve(&e, proc, s, current, type, want, KTRACE_EMIT_PLAIN);
	if (!p)
		return;
	have = ktrace_emit_user(p, start, want);
	if (unlikely(have < want)) {
		ktrace_ring_count(e.ring, KTRACE_SHORT_DATA, 1);
		ktrace_emit_shorten(&e, have);
	}
	ktrace_emit_end(&e);
}

/**
 * ktrace_strings - the ARGS and ENVS records of current's new image
 * @proc: current's
 *
 * Each has the strings with their NULs; an empty vector is an empty record, as
 * on FreeBSD.  One that is too long is cut: then it ends without a NUL.
 *
 * Context: guarded; in the probe of the exec, after its PROCCTOR.
 */
void ktrace_strings(struct ktrace_proc *proc)
{
	const struct mm_struct *mm = current->mm;
	u32 points = READ_ONCE(proc->points);

	if (points & KTRFAC_ARGS)
		emit_strings(proc, KTR_ARGS, READ_ONCE(mm->arg_start), READ_ONCE(mm->arg_end));
	if (points & KTRFAC_ENVS)
		emit_strings(proc, KTR_ENVS, READ_ONCE(mm->env_start), READ_ONCE(mm->env_end));
}
