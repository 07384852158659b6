/* SPDX-License-Identifier: GPL-2.0 */
/* targets: the processes that ktrace(2) means. */
#ifndef KTRACE_TARGETS_H
#define KTRACE_TARGETS_H

#include <linux/types.h>

struct task_struct;

/**
 * struct ktrace_targets - processes, each by one of its tasks with a reference
 * @task: @nr of them; @max: room
 */
struct ktrace_targets {
	struct task_struct **task;
	unsigned int nr, max;
};

int ktrace_targets_find(struct ktrace_targets *t, pid_t pid, bool descend);
void ktrace_targets_put(struct ktrace_targets *t);
bool ktrace_targets_descends(struct task_struct *task, const struct ktrace_targets *roots);

#endif /* KTRACE_TARGETS_H */
