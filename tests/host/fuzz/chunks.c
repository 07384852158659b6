// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mutations that know chunks.
 */
#include "chunks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ktr_format.h"

#define MAX_CHUNKS 256
#define MAX_LEN	   4096 /* of a chunk that is changed */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static uint64_t state;

static unsigned int below(unsigned int n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return n ? (state >> 33) % n : 0;
}

/* Where each chunk begins; the last one: where they end. */
struct chunks {
	size_t start[MAX_CHUNKS + 1];
	unsigned int count;
};

static void find_chunks(struct chunks *chunks, const uint8_t *data, size_t size)
{
	size_t at = CHUNKS_CONTROL + sizeof(struct ktr_stream_header);
	struct ktr_chunk chunk;

	chunks->count = 0;
	chunks->start[0] = at;
	while (chunks->count < MAX_CHUNKS && at <= size && size - at >= sizeof(chunk)) {
		memcpy(&chunk, data + at, sizeof(chunk));
		if (chunk.len < sizeof(chunk) || chunk.len % 8 || chunk.len > size - at)
			return;
		at += chunk.len;
		chunks->start[++chunks->count] = at;
	}
}

/* Puts @len bytes at @p in the place of those from @from to @to; returns the new size, or the old one: no room. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t from, size_t to,
		      const uint8_t *p, size_t len)
{
	if (size - (to - from) + len > max_size)
		return size;
	memmove(data + from + len, data + to, size - to);
	memcpy(data + from, p, len);
	return size - (to - from) + len;
}

/* What is behind the chunk's own header is another one, of any length. */
static size_t change(uint8_t *data, size_t size, size_t max_size, size_t from, size_t to)
{
	uint8_t copy[MAX_LEN + 8] = { 0 };
	struct ktr_chunk chunk;
	size_t len = to - from;

	if (len > MAX_LEN)
		return size;
	memcpy(copy, data + from, len);
	memcpy(&chunk, copy, sizeof(chunk));
	len = LLVMFuzzerMutate(copy + sizeof(chunk), len - sizeof(chunk), MAX_LEN - sizeof(chunk));
	memset(copy + sizeof(chunk) + len, 0, -len % 8);
	chunk.len = sizeof(chunk) + (len + 7) / 8 * 8;
	if (below(16) == 0)
		chunk.type = below(5);
	memcpy(copy, &chunk, sizeof(chunk));
	return replace(data, size, max_size, from, to, copy, chunk.len);
}

/* One chunk again, where another one is or was. */
static size_t copy_chunk(uint8_t *data, size_t size, size_t max_size, const struct chunks *chunks,
			 unsigned int from, unsigned int to, bool replaces)
{
	uint8_t copy[MAX_LEN];
	size_t len = chunks->start[from + 1] - chunks->start[from];

	if (len > MAX_LEN)
		return size;
	memcpy(copy, data + chunks->start[from], len);
	return replace(data, size, max_size, chunks->start[to], chunks->start[to + replaces], copy,
		       len);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	struct chunks chunks;
	unsigned int i;

	state = seed;
	find_chunks(&chunks, data, size);
	if (chunks.count == 0 || size > max_size || data[0] & 1U << CHUNKS_CORE_BIT)
		return LLVMFuzzerMutate(data, size, max_size);
	i = below(chunks.count);
	switch (below(8)) {
	case 0:
		return LLVMFuzzerMutate(data, size, max_size);
	case 1:
		data[0] = below(1U << CHUNKS_CORE_BIT);
		return size;
	case 2:
		return replace(data, size, max_size, chunks.start[i], chunks.start[i + 1], data, 0);
	case 3:
		return copy_chunk(data, size, max_size, &chunks, i, below(chunks.count), true);
	case 4:
		return copy_chunk(data, size, max_size, &chunks, i, below(chunks.count), false);
	default:
		return change(data, size, max_size, chunks.start[i], chunks.start[i + 1]);
	}
}
