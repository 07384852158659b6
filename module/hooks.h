/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hooks: which of the kernel's hooks are ours at the moment.
 *
 * A hook is registered while a process has one of its points.  When the last one
 * exits, it stays for a second: many short commands in a row must not pay for
 * registering each.  When the last one is cleared, it goes at once.
 */
#ifndef KTRACE_HOOKS_H
#define KTRACE_HOOKS_H

#include <linux/types.h>

int ktrace_hooks_init(void);
void ktrace_hooks_exit(void);

int ktrace_hooks_get(u32 points);
void ktrace_hooks_inherit(u32 points);
void ktrace_hooks_put(u32 points);
void ktrace_hooks_settle(void);
void ktrace_hooks_exclusive(bool on);

#endif /* KTRACE_HOOKS_H */
