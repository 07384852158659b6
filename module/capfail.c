// SPDX-License-Identifier: GPL-2.0
#include "capfail.h"
#include "emit.h"

/**
 * ktrace_capfail - a CAPFAIL record of current
 * @proc: current's, with KTRFAC_CAPFAIL
 * @refusal: what to tell
 *
 * Context: guarded.
 */
void ktrace_capfail(struct ktrace_proc *proc, const struct ktrace_refusal *refusal)
{
	struct ktrace_session *s = rcu_dereference_raw(proc->session);
	struct ktrace_emit e = {};
	u8 *p;

	if (!s)
		return;
	/* Not _begin(), which would look at the session again: its size is this one's. */
	p = ktrace_emit_reserve(&e, proc, s, current, KTR_CAPFAIL,
				ktrace_record_capfail_size(s->v1), KTRACE_EMIT_PLAIN);
	if (!p)
		return;
	ktrace_record_capfail(p, s->v1, refusal);
	ktrace_emit_end(&e);
}
