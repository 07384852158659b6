// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "anchor.h"

#include <stdlib.h>
#include <string.h>

#include "decode/out.h"

#define ALIGNMENT  64
#define BLOCK_SIZE ((size_t)1 << 20)
#define PAGE_LEN   4096

#define MAX_CPUS     8192
#define MAX_SLOTS    (1U << 26)
#define MAX_SLOT_LEN 4096
#define MAX_EXTENTS  (1U << 16) /* of a ring */
#define MAX_FORMATS  (1U << 20)
#define MAX_STRINGS  (64U << 20)

/* It stands in memory in this form nowhere but in an anchor. */
#define SCRAMBLE UINT64_C(0x5a5a5a5a5a5a5a5a)

static bool has_magic(const unsigned char *p)
{
	static const uint64_t scrambled[2] = { KTR_ANCHOR_MAGIC0 ^ SCRAMBLE,
					       KTR_ANCHOR_MAGIC1 ^ SCRAMBLE };
	uint64_t words[2];

	memcpy(words, p, sizeof(words));
	return (words[0] ^ SCRAMBLE) == scrambled[0] && (words[1] ^ SCRAMBLE) == scrambled[1];
}

static bool is_possible(const struct image *image, const struct ktr_anchor *anchor)
{
	uint64_t rings;

	if (anchor->version != KTR_ANCHOR_VERSION || anchor->len < sizeof(*anchor))
		return false;
	if (anchor->generation & 1)
		return false;
	if (anchor->cpus == 0 || anchor->cpus > MAX_CPUS || anchor->ring_extents == 0 ||
	    anchor->ring_extents > MAX_EXTENTS)
		return false;
	if (anchor->slots == 0 || anchor->slots > MAX_SLOTS || anchor->slots & (anchor->slots - 1))
		return false;
	if (anchor->slot_len < sizeof(struct ktr_slot) || anchor->slot_len > MAX_SLOT_LEN ||
	    anchor->slot_len % 8)
		return false;
	rings = (uint64_t)anchor->cpus * anchor->ring_extents * sizeof(struct ktr_extent);
	if (anchor->rings.len < rings || rings > image->total)
		return false;
	if (anchor->formats_used > MAX_FORMATS || anchor->strings_used > MAX_STRINGS)
		return false;
	return anchor->formats_used <= anchor->formats.len / sizeof(struct ktr_pool_format) &&
	       anchor->strings_used <= anchor->strings.len && anchor->formats.len <= image->total &&
	       anchor->strings.len <= image->total;
}

/* Reads what can be read of a block; the rest is zero. */
static void read_block(const struct image *image, uint64_t phys, unsigned char *block, size_t len)
{
	size_t at;

	if (image_read(image, phys, block, len))
		return;
	memset(block, 0, len);
	for (at = 0; at < len; at += PAGE_LEN) {
		size_t n = len - at < PAGE_LEN ? len - at : PAGE_LEN;

		if (!image_read(image, phys + at, block + at, n))
			memset(block + at, 0, n);
	}
}

/* Where in @len bytes at @phys an anchor is, or @len. */
static size_t scan(const struct image *image, uint64_t phys, unsigned char *block, size_t len,
		   struct ktr_anchor *anchor)
{
	size_t at;

	read_block(image, phys, block, len);
	for (at = -phys % ALIGNMENT; at + 2 * sizeof(uint64_t) <= len; at += ALIGNMENT)
		if (has_magic(block + at) &&
		    image_read(image, phys + at, anchor, sizeof(*anchor)) &&
		    is_possible(image, anchor))
			break;
	return at + 2 * sizeof(uint64_t) <= len ? at : len;
}

bool anchor_next(const struct image *image, uint64_t *phys, struct ktr_anchor *anchor)
{
	unsigned char *block = malloc(BLOCK_SIZE);
	bool found = false;
	size_t i;

	if (!block)
		die("out of memory");
	for (i = 0; i < image->count && !found; i++) {
		const struct image_part *part = &image->parts[i];
		uint64_t end = part->phys + part->len;

		if (*phys < part->phys)
			*phys = part->phys;
		while (*phys < end && !found) {
			size_t len = end - *phys < BLOCK_SIZE ? end - *phys : BLOCK_SIZE, at;

			at = scan(image, *phys, block, len, anchor);
			found = at < len;
			*phys += found ? at + ALIGNMENT : len;
		}
	}
	/*
	 * It had an anchor: whoever looks into this machine's memory next is not to find
	 * it here.
	 */
	explicit_bzero(block, BLOCK_SIZE);
	free(block);
	return found;
}
