/* SPDX-License-Identifier: GPL-2.0 */
/*
 * anchor: where the recorder is, for whoever reads this machine's memory
 * (ktr_format.h).  Changed with the control mutex held.
 */
#ifndef KTR_ANCHOR_H
#define KTR_ANCHOR_H

#include <linux/types.h>

struct ktr_extent;
struct ktr_pool;

int ktr_anchor_init(void);
void ktr_anchor_exit(void);
void ktr_anchor_begin(void);
void ktr_anchor_end(void);
void ktr_anchor_mask(u32 mask);
void ktr_anchor_pool(struct ktr_pool *pool);
struct ktr_extent *ktr_anchor_list(u32 extents);
void ktr_anchor_rings(struct ktr_extent *list, u32 extents, u32 each, u32 slots, u32 entries);

#endif /* KTR_ANCHOR_H */
