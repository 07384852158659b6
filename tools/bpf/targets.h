/* SPDX-License-Identifier: GPL-2.0 */
/*
 * targets: processes as /proc shows them.
 */
#ifndef KTRACE_BPF_TARGETS_H
#define KTRACE_BPF_TARGETS_H

#include <stdbool.h>

#include "shim.h"

/**
 * struct target - a process
 * @pid: of it, @parent: of its parent, @group: of its process group
 * @dead: it has ended
 * @kthread: it is one of the kernel
 * @compat: its program is a 32-bit one
 * @comm: its name
 */
struct target {
	int pid;
	int parent;
	int group;
	bool dead;
	bool kthread;
	bool compat;
	char comm[16];
};

/* Looks at a process, or at that of a thread.  Returns 0, or ESRCH. */
int target_look(int pid, struct target *t);

/*
 * Finds the processes that @pid means: itself, below 0 the members of the group -@pid; @descend: with
 * all that descend from them.  Returns how many (*@list is the caller's to free), or minus an errno.
 */
int targets_find(int pid, bool descend, struct target **list);

#endif /* KTRACE_BPF_TARGETS_H */
