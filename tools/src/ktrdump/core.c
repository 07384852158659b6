// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include "anchor.h"
#include "decode/out.h"
#include "image.h"
#include "ring.h"

#define STRINGS_MASK ((1U << KTR_STREAM_PARMS) - 1)

/* What looks like an anchor and is none costs as much time as one. */
#define MAX_CANDIDATES 16

#define LONGEST_TEXT	4096 /* of a format; none is shown that is as long */
#define MAX_FORMATS_LEN ((size_t)64 << 20) /* bytes of the stream */

/* What a ring has, before its events are taken. */
struct survey {
	uint64_t end; /* behind the number of its newest event */
	uint64_t time; /* of that */
	uint64_t torn;
};

static struct survey survey_ring(struct ring *ring)
{
	struct survey survey = { .end = 0 };
	struct ktr_slot slot;
	uint64_t number;
	uint32_t i;

	for (i = 0; i < ring->anchor->slots; i++) {
		switch (ring_slot(ring, i, &slot, &number)) {
		case SLOT_WHOLE:
			if (number < survey.end)
				break;
			survey.end = number + 1;
			survey.time = slot.entry.timestamp;
			break;
		case SLOT_TORN:
			survey.torn++;
			break;
		case SLOT_EMPTY:
			break;
		}
	}
	return survey;
}

/* Rings do not overlap: all of them are no more than all memory, or they are none. */
static uint32_t rings_count(const struct image *image, const struct ktr_anchor *anchor)
{
	uint64_t most = image->total / ((uint64_t)anchor->slots * anchor->slot_len);

	return anchor->cpus < most ? anchor->cpus : most;
}

/* When the newest event of all CPUs was; 0: there is none. */
static uint64_t newest(const struct image *image, const struct ktr_anchor *anchor)
{
	uint64_t time = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < rings_count(image, anchor); cpu++) {
		struct survey survey;
		struct ring ring;

		if (!ring_open(&ring, image, anchor, cpu))
			continue;
		survey = survey_ring(&ring);
		ring_close(&ring);
		if (survey.time > time)
			time = survey.time;
	}
	return time;
}

/*
 * Memory may have several: of a module that was unloaded, of a virtual machine,
 * of the kernel that crashed.  The one that recorded last is meant.
 */
static bool find_anchor(const struct image *image, struct ktr_anchor *anchor)
{
	struct ktr_anchor candidate;
	uint64_t phys = 0, best = 0;
	bool found = false;
	unsigned int i;

	for (i = 0; i < MAX_CANDIDATES && anchor_next(image, &phys, &candidate); i++) {
		uint64_t time = newest(image, &candidate);

		if (found && time <= best)
			continue;
		*anchor = candidate;
		best = time;
		found = true;
	}
	return found;
}

static void add_header(struct input *input, const struct ktr_anchor *anchor)
{
	struct ktr_stream_header *header = input_append(input, sizeof(*header));

	memcpy(header->magic, KTR_STREAM_MAGIC, sizeof(header->magic));
	header->version = KTR_STREAM_VERSION;
	header->len = sizeof(*header);
	header->cpus = anchor->cpus;
	header->entries = anchor->entries;
	header->mask = anchor->mask;
	header->source = KTR_SOURCE_CORE;
	header->wall = anchor->wall;
	memcpy(header->release, anchor->release, sizeof(header->release));
}

static size_t text_len(const char *strings, size_t used, uint32_t at)
{
	size_t len = at < used ? strnlen(strings + at, used - at) : 0;

	return len < LONGEST_TEXT ? len : LONGEST_TEXT;
}

static void add_format(struct input *input, uint32_t id, const struct ktr_pool_format *format,
		       const char *strings, size_t used)
{
	size_t file_len = text_len(strings, used, format->file);
	size_t desc_len = text_len(strings, used, format->desc);
	size_t len = (sizeof(struct ktr_chunk_format) + file_len + desc_len + 7) / 8 * 8;
	struct ktr_chunk_format *chunk = input_append(input, len);
	char *text = (char *)(chunk + 1);

	*chunk = (struct ktr_chunk_format){
		.chunk = { .len = len, .type = KTR_CHUNK_FORMAT },
		.id = id,
		.line = format->line,
		.file_len = file_len,
		.desc_len = desc_len,
	};
	if (file_len)
		memcpy(text, strings + format->file, file_len);
	if (desc_len)
		memcpy(text + file_len, strings + format->desc, desc_len);
}

static void add_formats(struct input *input, const struct image *image,
			const struct ktr_anchor *anchor)
{
	size_t count = anchor->formats_used, i;
	struct ktr_pool_format *formats = calloc(count + 1, sizeof(*formats));
	char *strings = calloc(anchor->strings_used + 1, 1);

	if (!formats || !strings)
		die("out of memory");
	if (!image_read(image, anchor->formats.phys, formats, count * sizeof(*formats)) ||
	    !image_read(image, anchor->strings.phys, strings, anchor->strings_used)) {
		warn("%s: the events' formats are not in it", image->path);
		count = 0;
	}
	/* Texts need not be apart: together they may be longer than all memory. */
	for (i = 0; i < count && input->len < MAX_FORMATS_LEN; i++)
		if (formats[i].ready == 1)
			add_format(input, i + 1, &formats[i], strings, anchor->strings_used);
	if (i < count)
		warn("%s: the formats from %zu on are too much, and left out", image->path, i + 1);
	free(formats);
	free(strings);
}

static void add_event(struct input *input, const struct ktr_slot *slot)
{
	size_t text = slot->strings & STRINGS_MASK ? sizeof(slot->text) : 0;
	struct ktr_chunk_event *chunk = input_append(input, sizeof(*chunk) + text);

	*chunk = (struct ktr_chunk_event){
		.chunk = { .len = sizeof(*chunk) + text, .type = KTR_CHUNK_EVENT },
		.format = slot->format,
		.cpu = slot->entry.cpu,
		.timestamp = slot->entry.timestamp,
		.thread = slot->entry.thread,
		.strings = slot->strings,
		.pid = slot->pid,
	};
	memcpy(chunk->parms, slot->entry.parms, sizeof(chunk->parms));
	memcpy(chunk + 1, slot->text, text);
}

static void add_lost(struct input *input, uint32_t cpu, uint64_t count)
{
	struct ktr_chunk_lost *chunk = input_append(input, sizeof(*chunk));

	*chunk = (struct ktr_chunk_lost){
		.chunk = { .len = sizeof(*chunk), .type = KTR_CHUNK_LOST },
		.cpu = cpu,
		.count = count,
	};
}

/* A ring has more slots than debug.ktr.entries: only so many are shown. */
static void add_ring(struct input *input, struct ring *ring)
{
	struct survey survey = survey_ring(ring);
	uint64_t first =
		survey.end > ring->anchor->entries ? survey.end - ring->anchor->entries : 0;
	uint64_t unreadable = ring->unreadable, number;
	struct ktr_slot slot;
	uint32_t i;

	for (i = 0; i < ring->anchor->slots; i++)
		if (ring_slot(ring, i, &slot, &number) == SLOT_WHOLE && number >= first)
			add_event(input, &slot);
	if (survey.torn)
		add_lost(input, ring->cpu, survey.torn);
	if (unreadable)
		warn("%s: %llu slots of CPU %u's ring are not in it", ring->image->path,
		     (unsigned long long)unreadable, ring->cpu);
}

void core_read(struct input *input, const char *path)
{
	struct ktr_anchor anchor;
	struct image image;
	struct ring ring;
	uint32_t cpu;

	*input = (struct input){ .data = NULL };
	image_open(&image, path);
	if (!find_anchor(&image, &anchor))
		die("%s: ktr is not in this memory: ktr.ko was not loaded, or kernel memory was left out of the core",
		    path);
	add_header(input, &anchor);
	add_formats(input, &image, &anchor);
	for (cpu = 0; cpu < rings_count(&image, &anchor); cpu++) {
		if (!ring_open(&ring, &image, &anchor, cpu))
			continue;
		add_ring(input, &ring);
		ring_close(&ring);
	}
	image_close(&image);
}
