/* SPDX-License-Identifier: GPL-2.0 */
/* access: may the caller look into a process?  The kernel's own whole answer. */
#ifndef KTRACE_ACCESS_H
#define KTRACE_ACCESS_H

struct mm_struct;
struct task_struct;

int ktrace_access_init(void);
void ktrace_access_exit(void);
int ktrace_access_ask(struct task_struct *task, struct task_struct **thread,
		      const struct mm_struct **mm);

#endif /* KTRACE_ACCESS_H */
