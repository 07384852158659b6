/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan: which memory the programs capture for a call, from the module's tables.
 */
#ifndef KTRACE_BPF_PLAN_H
#define KTRACE_BPF_PLAN_H

#include "event.h"
#include "shim.h"

/* The plan of a number below KTRACE_BPF_PLANS. */
void plan_of(u32 index, struct ktrace_bpf_plan *plan);

#endif /* KTRACE_BPF_PLAN_H */
