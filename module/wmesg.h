/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wmesg: the word of a CSW record, which says what a thread waits for: up to
 * seven characters in a u64, the first in its lowest byte, zero behind them.
 * The highest byte is free.
 */
#ifndef KTRACE_WMESG_H
#define KTRACE_WMESG_H

#include <linux/types.h>

#define KTRACE_WMESG_MOST 7

/* The word of what was preempted, and of what nobody knows. */
#define KTRACE_WMESG_PREEMPT 0x74706d65657270ULL /* "preempt" */
#define KTRACE_WMESG_UNKNOWN ((u64)'-')

u64 ktrace_wmesg(const char *symbol);
bool ktrace_wmesg_scheduler(const char *symbol);

#endif /* KTRACE_WMESG_H */
