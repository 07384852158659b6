/* SPDX-License-Identifier: GPL-2.0 */
/* snapshot: the newest events of all CPUs, as a stream. */
#ifndef KTR_SNAPSHOT_H
#define KTR_SNAPSHOT_H

#include <linux/types.h>

struct ktr_snapshot;
struct ktr_stream_header;

struct ktr_snapshot *ktr_snapshot_new(void);
void ktr_snapshot_free(struct ktr_snapshot *snapshot);
void ktr_snapshot_header(struct ktr_stream_header *header, u32 source);
const u8 *ktr_snapshot_next(struct ktr_snapshot *snapshot, u32 *len);

#endif /* KTR_SNAPSHOT_H */
