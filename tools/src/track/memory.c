// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "decode/out.h"

#define MOST	 ((size_t)64 << 20)
#define OVERHEAD 16 /* of malloc(3), about */

struct block {
	size_t size;
	max_align_t data[];
};

static size_t in_use;

void *memory_get(size_t size)
{
	struct block *block;

	size += sizeof(*block);
	if (size > MOST || in_use + size + OVERHEAD > MOST)
		return NULL;
	block = calloc(1, size);
	if (!block)
		die("out of memory");
	block->size = size + OVERHEAD;
	in_use += block->size;
	return block->data;
}

char *memory_copy(const void *p, size_t len)
{
	char *copy = memory_get(len + 1);

	if (copy)
		memcpy(copy, p, len);
	return copy;
}

void memory_put(void *p)
{
	struct block *block;

	if (!p)
		return;
	block = (struct block *)((char *)p - offsetof(struct block, data));
	in_use -= block->size;
	free(block);
}
