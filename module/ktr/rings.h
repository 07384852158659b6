/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rings: the rings of all CPUs, and their memory.
 *
 * There are none until ktr_rings_resize() makes them.  All functions are called
 * with the control mutex held, and may sleep, unless they say otherwise.
 */
#ifndef KTR_RINGS_H
#define KTR_RINGS_H

#include <linux/cpumask.h>
#include <linux/types.h>

#include "ring.h"

#define KTR_RINGS_ENTRIES_MAX 1048576 /* of each CPU */

bool ktr_rings_exist(void);
int ktr_rings_resize(u32 entries, bool keep);
void ktr_rings_select(const struct cpumask *cpus);
void ktr_rings_exit(void);
const struct ktr_ring *ktr_rings_of(int cpu);
bool ktr_rings_wait_quiet(void);
void ktr_rings_pin(void);
void ktr_rings_unpin(void);

#endif /* KTR_RINGS_H */
