/* SPDX-License-Identifier: GPL-2.0 */
/* structs: the STRUCT and STRUCT_ARRAY records of a call. */
#ifndef KTRACE_STRUCTS_H
#define KTRACE_STRUCTS_H

#include <linux/types.h>

struct ktrace_proc;
struct pt_regs;

void ktrace_structs_enter(struct ktrace_proc *proc, struct pt_regs *regs, bool compat, long nr);
void ktrace_structs(struct ktrace_proc *proc, struct pt_regs *regs, bool compat, long nr, long ret,
		    u32 points);

#endif /* KTRACE_STRUCTS_H */
