/* SPDX-License-Identifier: GPL-2.0 */
/*
 * emit: how the module's probes make records, when the recorder runs them: the
 * functions of the module's emit.h, on a buffer of the trace file, with the event's
 * time, and with the memory that was captured.
 */
#ifndef KTRACE_EMIT_H
#define KTRACE_EMIT_H

#include "proc.h"
#include "record.h"
#include "session.h"
#include "shim.h"

/* What rings count; here only this. */
enum ktrace_count {
	KTRACE_SHORT_DATA,
	KTRACE_COUNTS,
};

struct ktrace_ring {
	u64 counts[KTRACE_COUNTS];
};

struct ktrace_emit {
	struct ktrace_proc *proc;
	struct ktrace_session *s;
	struct ktrace_ring *ring;
	u8 *record;
	u32 len;
};

enum ktrace_emit_how {
	KTRACE_EMIT_PLAIN,
	KTRACE_EMIT_SWITCHING,
	KTRACE_EMIT_LAST,
};

#define ktrace_guard()	 ((void)0)
#define ktrace_unguard() ((void)0)

static inline void ktrace_ring_count(struct ktrace_ring *ring, enum ktrace_count what, u64 n)
{
	ring->counts[what] += n;
}

/* The module's emit.h says what these do. */
u8 *ktrace_emit_reserve(struct ktrace_emit *e, struct ktrace_proc *proc, struct ktrace_session *s,
			struct task_struct *task, u16 type, u32 len, enum ktrace_emit_how how);
void ktrace_emit_end(const struct ktrace_emit *e);
void ktrace_emit_shorten(struct ktrace_emit *e, u32 len);
void ktrace_emit_cancel(struct ktrace_emit *e);
void ktrace_emit_forgot(struct ktrace_proc *proc);
void ktrace_emit_short(struct ktrace_proc *proc);
void ktrace_emit_procctor(struct ktrace_proc *proc, struct ktrace_session *s,
			  struct task_struct *task, u32 sv_flags);
u32 ktrace_emit_user(u8 *p, unsigned long addr, u32 n);
bool ktrace_emit_word(unsigned long addr, bool compat, unsigned long *word);

static inline bool ktrace_emit_copy(void *to, unsigned long from, u32 n)
{
	return ktrace_emit_user(to, from, n) == n;
}

#define ktrace_emit_copy_pointers ktrace_emit_copy

static inline u8 *ktrace_emit_begin(struct ktrace_emit *e, struct ktrace_proc *proc, u16 type,
				    u32 len)
{
	if (!proc->session)
		return NULL;
	return ktrace_emit_reserve(e, proc, proc->session, current, type, len, KTRACE_EMIT_PLAIN);
}

#endif /* KTRACE_EMIT_H */
