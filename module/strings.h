/* SPDX-License-Identifier: GPL-2.0 */
/* strings: what a program is executed with: its arguments and its environment. */
#ifndef KTRACE_STRINGS_H
#define KTRACE_STRINGS_H

struct ktrace_proc;

void ktrace_strings(struct ktrace_proc *proc);

#endif /* KTRACE_STRINGS_H */
