/* SPDX-License-Identifier: GPL-2.0 */
/* targets: the processes that ktrace(2) means. */
#ifndef KTRACE_TARGETS_H
#define KTRACE_TARGETS_H

#include <linux/types.h>

struct signal_struct;
struct task_struct;

/**
 * struct ktrace_targets - processes, each by one of its tasks with a reference
 * @task: @nr of them; @max: room
 * @sig: a hash of their signal_structs, for ktrace_targets_has(): not to be followed; NULL: none
 * @mask: its places, less one
 */
struct ktrace_targets {
	struct task_struct **task;
	unsigned int nr, max;
	const struct signal_struct **sig;
	unsigned int mask;
};

int ktrace_targets_find(struct ktrace_targets *t, pid_t pid, bool descend);
int ktrace_targets_below(struct ktrace_targets *t, const struct ktrace_targets *roots);
bool ktrace_targets_has(const struct ktrace_targets *t, const struct signal_struct *sig);
void ktrace_targets_put(struct ktrace_targets *t);

#endif /* KTRACE_TARGETS_H */
