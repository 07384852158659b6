/* SPDX-License-Identifier: GPL-2.0 */
/*
 * detach: processes that leave their session from an ioctl or a workqueue:
 * many at a time, with one grace period and one drain for all.
 */
#ifndef KTRACE_DETACH_H
#define KTRACE_DETACH_H

#include <linux/types.h>

struct ktrace_deferred;
struct ktrace_proc;
struct ktrace_session;
struct work_struct;

/**
 * struct ktrace_left - what one process leaves behind
 * @session: a user of it, or only a ref
 * @user: which
 * @deferred: to be dropped, or NULL
 */
struct ktrace_left {
	struct ktrace_session *session;
	struct ktrace_deferred *deferred;
	bool user;
};

/** struct ktrace_detach - a batch; zeroed at first */
struct ktrace_detach {
	struct ktrace_left *left;
	unsigned int nr, max;
};

int ktrace_detach_reserve(struct ktrace_detach *batch);
void ktrace_detach_add(struct ktrace_detach *batch, struct ktrace_session *s, bool user,
		       struct ktrace_deferred *deferred);
void ktrace_detach_proc_locked(struct ktrace_detach *batch, struct ktrace_proc *proc);
int ktrace_detach_finish(struct ktrace_detach *batch, bool drain);
void ktrace_detach_failed(struct work_struct *work);

#endif /* KTRACE_DETACH_H */
