// SPDX-License-Identifier: GPL-2.0
#include <linux/bitops.h>
#include <linux/string.h>

#include "../compat_pure.h"
#include "stream.h"

/* A format: its texts are no longer than the pool lets them be. */
static u32 put_format(const struct ktr_pool *pool, const struct ktr_pool_format *format, u32 id,
		      u8 *to)
{
	struct ktr_chunk_format *chunk = (void *)to;
	const char *file = pool->text + format->file, *desc = pool->text + format->desc;
	u32 file_len = strnlen(file, KTR_POOL_FILE), desc_len = strnlen(desc, KTR_POOL_DESC);
	u32 used = sizeof(*chunk) + file_len + desc_len;
	u32 len = ALIGN(used, 8);

	memset(chunk, 0, sizeof(*chunk));
	chunk->chunk.len = len;
	chunk->chunk.type = KTR_CHUNK_FORMAT;
	chunk->id = id;
	chunk->line = format->line;
	chunk->file_len = file_len;
	chunk->desc_len = desc_len;
	memcpy(to + sizeof(*chunk), file, file_len);
	memcpy(to + sizeof(*chunk) + file_len, desc, desc_len);
	memset(to + used, 0, len - used);
	return len;
}

/* Bytes of a slot's strings with their NULs. */
static u32 text_len(const struct ktr_slot *slot)
{
	u32 n = hweight32(slot->strings & ~KTR_EVENT_CUT), len = 0;

	while (n && len < KTR_SLOT_TEXT)
		n -= !slot->text[len++];
	return len;
}

static u32 put_event(const struct ktr_slot *slot, u32 format, u8 *to)
{
	struct ktr_chunk_event *chunk = (void *)to;
	u32 used = text_len(slot);
	u32 len = ALIGN(used, 8);

	memset(chunk, 0, sizeof(*chunk));
	chunk->chunk.len = sizeof(*chunk) + len;
	chunk->chunk.type = KTR_CHUNK_EVENT;
	chunk->format = format;
	chunk->cpu = slot->entry.cpu;
	chunk->timestamp = slot->entry.timestamp;
	chunk->thread = slot->entry.thread;
	memcpy(chunk->parms, slot->entry.parms, sizeof(chunk->parms));
	chunk->strings = slot->strings;
	chunk->pid = slot->pid;
	memcpy(to + sizeof(*chunk), slot->text, used);
	memset(to + sizeof(*chunk) + used, 0, len - used);
	return sizeof(*chunk) + len;
}

/**
 * ktr_stream_event - an event, and its format if it is new to the stream
 * @stream: where it goes to
 * @slot: the event, a copy that nobody changes
 * @to: KTR_STREAM_EVENT_MAX bytes at a multiple of 8
 *
 * Return: bytes written.
 */
u32 ktr_stream_event(struct ktr_stream *stream, const struct ktr_slot *slot, u8 *to)
{
	const struct ktr_pool_format *format = ktr_pool_format(stream->pool, slot->format);
	u32 len = 0;

	if (format && !__test_and_set_bit(slot->format, stream->sent))
		len = put_format(stream->pool, format, slot->format, to);
	return len + put_event(slot, format ? slot->format : 0, to + len);
}

/**
 * ktr_stream_lost - events that are not in the stream
 * @cpu: where, or -1
 * @count: how many
 * @to: sizeof(struct ktr_chunk_lost) bytes
 *
 * Return: bytes written.
 */
u32 ktr_stream_lost(s32 cpu, u64 count, u8 *to)
{
	const struct ktr_chunk_lost chunk = {
		.chunk = { .len = sizeof(chunk), .type = KTR_CHUNK_LOST },
		.cpu = cpu,
		.count = count,
	};

	memcpy(to, &chunk, sizeof(chunk));
	return sizeof(chunk);
}
