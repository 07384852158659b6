/* SPDX-License-Identifier: GPL-2.0 */
/* genio: the data that a call moved. */
#ifndef KTRACE_GENIO_H
#define KTRACE_GENIO_H

#include <linux/types.h>

struct ktrace_proc;
struct pt_regs;

void ktrace_genio(struct ktrace_proc *proc, struct pt_regs *regs, bool compat, long nr, s64 retval);

#endif /* KTRACE_GENIO_H */
