/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory that a tool takes while it runs: one that ends by exit(3) leaves it to
 * the kernel, and here that is no end.
 */
#ifndef _FUZZ_ALLOCATIONS_H_
#define _FUZZ_ALLOCATIONS_H_

/* allocations_free - what was taken while tool_runs, and not given back */
void allocations_free(void);

#endif /* _FUZZ_ALLOCATIONS_H_ */
