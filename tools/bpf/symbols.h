/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbols: the kernel's functions by address, and the stack that is asked about.
 */
#ifndef KTRACE_BPF_SYMBOLS_H
#define KTRACE_BPF_SYMBOLS_H

#include "shim.h"

/* Reads /proc/kallsyms.  Returns 0 or an errno. */
int symbols_load(void);

/* What stack_trace_save() gives from now on; the caller's array must stay. */
void symbols_stack(const __u64 *frame, u32 n);

#endif /* KTRACE_BPF_SYMBOLS_H */
