/* SPDX-License-Identifier: GPL-2.0 */
/*
 * walk: through the events of all CPUs in the order of their time, from the
 * newest, without a lock or memory: for a machine that has crashed.
 */
#ifndef KTR_WALK_H
#define KTR_WALK_H

#include <linux/types.h>

struct ktr_slot;

bool ktr_walk_begin(bool last);
bool ktr_walk_back(struct ktr_slot *slot);
bool ktr_walk_forward(struct ktr_slot *slot);
void ktr_walk_end(void);

#endif /* KTR_WALK_H */
