/* SPDX-License-Identifier: GPL-2.0 */
/* stream: events as ktr_format.h's stream has them. */
#ifndef KTR_STREAM_H
#define KTR_STREAM_H

#include <linux/types.h>

#include "ktr_format.h"
#include "pool.h"

/* The most that one event needs, with its format before it. */
#define KTR_STREAM_EVENT_MAX                                                         \
	(ALIGN(sizeof(struct ktr_chunk_format) + KTR_POOL_FILE + KTR_POOL_DESC, 8) + \
	 sizeof(struct ktr_chunk_event) + KTR_SLOT_TEXT)

/**
 * struct ktr_stream - what has been in a stream already
 * @pool: where its formats are
 * @sent: bits of formats, by number: pool->formats_max + 1 of them
 */
struct ktr_stream {
	const struct ktr_pool *pool;
	unsigned long *sent;
};

u32 ktr_stream_event(struct ktr_stream *stream, const struct ktr_slot *slot, u8 *to);
u32 ktr_stream_lost(s32 cpu, u64 count, u8 *to);

#endif /* KTR_STREAM_H */
