/* SPDX-License-Identifier: GPL-2.0 */
/*
 * points: trace points that go together; paired are those of a call, which begins and ends.
 */
#ifndef KTRACE_POINTS_H
#define KTRACE_POINTS_H

#include "sys/ktrace.h"

#define KTRACE_CALLS   (KTRFAC_SYSCALL | KTRFAC_SYSRET)
#define KTRACE_STRUCTS (KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY)
#define KTRACE_PAIRED  (KTRACE_CALLS | KTRACE_STRUCTS | KTRFAC_GENIO | KTRFAC_CAPFAIL)
#define KTRACE_FAULTS  (KTRFAC_FAULT | KTRFAC_FAULTEND)

#endif /* KTRACE_POINTS_H */
