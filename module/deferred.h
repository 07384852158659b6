/* SPDX-License-Identifier: GPL-2.0 */
/*
 * deferred: work that a probe leaves to its task, to be done where it may sleep.
 *
 * A deferred work hangs on a file that was made before (anon_inode_getfile).
 * Arming it is fput() of the file's only reference: fput's own task work runs
 * ->release at the task's next return to user mode, or in exit_task_work(),
 * that is before its parent's wait() returns.  fput() works from atomic
 * context, and the file pins the module until ->release has returned.
 */
#ifndef KTRACE_DEFERRED_H
#define KTRACE_DEFERRED_H

#include <linux/list.h>
#include <linux/types.h>

struct file;
struct ktrace_proc;
struct ktrace_ring;
struct ktrace_session;

/**
 * enum ktrace_deferred_what - what ->release does
 * @KTRACE_DEFER_NOTHING: it was never armed: go away
 * @KTRACE_DEFER_HOLD: wait until the writer has caught up
 * @KTRACE_DEFER_REFILL: make new ones for those that were taken
 * @KTRACE_DEFER_DETACH: a process leaves its session, or has debts (proc.h): drain, let go
 */
enum ktrace_deferred_what {
	KTRACE_DEFER_NOTHING,
	KTRACE_DEFER_HOLD,
	KTRACE_DEFER_REFILL,
	KTRACE_DEFER_DETACH,
};

/**
 * struct ktrace_deferred - one piece of work, used once
 * @list: of the session's spares (spare_lock)
 * @file: the only reference to it, until armed
 * @session: a ref
 * @child: a process object for a fork to use; freed if it was not.  NULL: used already
 * @what, @ring, @stamp: set when armed
 */
struct ktrace_deferred {
	struct list_head list;
	struct file *file;
	struct ktrace_session *session;
	struct ktrace_proc *child;
	enum ktrace_deferred_what what;
	struct ktrace_ring *ring;
	u64 stamp;
};

struct ktrace_deferred *ktrace_deferred_take(struct ktrace_session *s);
void ktrace_deferred_arm(struct ktrace_deferred *d, enum ktrace_deferred_what what);
void ktrace_deferred_return(struct ktrace_deferred *d);
void ktrace_deferred_drop(struct ktrace_deferred *d);
int ktrace_deferred_refill(struct ktrace_session *s);
void ktrace_deferred_empty(struct ktrace_session *s);
bool ktrace_deferred_low(struct ktrace_session *s);

#endif /* KTRACE_DEFERRED_H */
