// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * floodcount STREAM...: counts events of ktr_user's floods in ktr streams, together:
 *
 *   events CPU task|timer N FIRST LAST   so many different ones, the least and the greatest number
 *   lost CPU N                           that streams say they lack
 *
 * Fails if an event is there twice, is not of the CPU that it says, or is no flood's; if the times of one stream
 * say another order than its numbers; or if a stream is broken.
 */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ktr_format.h"

#define CPUS	8
#define FORMATS 1024
#define NUMBERS (1 << 24)

struct source {
	unsigned char seen[NUMBERS / 8];
	unsigned long count;
	long first, last;
};

static struct source *sources[CPUS][2];
static unsigned long lost[CPUS];

/* Kinds of a stream's formats, by ID; -1: no flood's. */
static signed char kinds[FORMATS];
/* The event that came last, of each source in this stream. */
static struct last {
	__u64 nr;
	__u64 timestamp;
} before[CPUS][2];

static char *slurp(const char *path, size_t *size)
{
	size_t room = 1 << 20;
	char *data = malloc(room);
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		err(1, "%s", path);
	*size = 0;
	while ((n = read(fd, data + *size, room - *size)) > 0) {
		*size += n;
		if (*size == room)
			data = realloc(data, room *= 2);
		if (!data)
			err(1, "%s", path);
	}
	if (n < 0)
		err(1, "%s", path);
	close(fd);
	return data;
}

static void take_format(const char *path, const struct ktr_chunk_format *format)
{
	const char *desc = (const char *)(format + 1) + format->file_len;

	if (format->id >= FORMATS)
		errx(1, "%s: format %u", path, format->id);
	kinds[format->id] = -1;
	if (format->desc_len > 6 && !memcmp(desc, "flood ", 6))
		kinds[format->id] = format->desc_len > 11 && !memcmp(desc + 6, "timer", 5);
}

/* One that was being recorded when its ring was replaced may be out of its place, but not of its time. */
static void check_order(const char *path, struct last *last, const struct ktr_chunk_event *event)
{
	__u64 nr = event->parms[1];

	if (last->timestamp && (nr > last->nr ? event->timestamp < last->timestamp :
						event->timestamp > last->timestamp))
		errx(1, "%s: the times of %llu and %llu of CPU %d are not in order", path,
		     (unsigned long long)last->nr, (unsigned long long)nr, event->cpu);
	last->nr = nr;
	last->timestamp = event->timestamp;
}

static void take_event(const char *path, const struct ktr_chunk_event *event)
{
	int kind = event->format < FORMATS ? kinds[event->format] : -1;
	struct source *source;
	unsigned long nr = event->parms[1];

	if (kind < 0 || event->cpu < 0 || event->cpu >= CPUS ||
	    event->parms[0] != (unsigned int)event->cpu || nr >= NUMBERS)
		errx(1, "%s: not an event: format %u, CPU %d and %llu, number %lu", path,
		     event->format, event->cpu, (unsigned long long)event->parms[0], nr);
	source = sources[event->cpu][kind];
	if (!source) {
		source = sources[event->cpu][kind] = calloc(1, sizeof(*source));
		if (!source)
			err(1, "memory");
		source->first = nr;
		source->last = nr;
	}
	if (source->seen[nr / 8] & 1 << nr % 8)
		errx(1, "%s: CPU %d has %s %lu twice", path, event->cpu, kind ? "timer" : "task",
		     nr);
	check_order(path, &before[event->cpu][kind], event);
	source->seen[nr / 8] |= 1 << nr % 8;
	source->count++;
	if ((long)nr < source->first)
		source->first = nr;
	if ((long)nr > source->last)
		source->last = nr;
}

static void take_stream(const char *path)
{
	const struct ktr_stream_header *header;
	const struct ktr_chunk_lost *gap;
	const struct ktr_chunk *chunk;
	size_t size, at;
	char *data = slurp(path, &size);

	header = (const void *)data;
	if (size < sizeof(*header) || memcmp(header->magic, KTR_STREAM_MAGIC, 8))
		errx(1, "%s: not a stream", path);
	memset(kinds, -1, sizeof(kinds));
	memset(before, 0, sizeof(before));
	for (at = header->len; at < size; at += chunk->len) {
		chunk = (const void *)(data + at);
		if (size - at < sizeof(*chunk) || chunk->len > size - at ||
		    chunk->len < sizeof(*chunk))
			errx(1, "%s: broken at %zu", path, at);
		gap = (const void *)chunk;
		if (chunk->type == KTR_CHUNK_FORMAT)
			take_format(path, (const void *)chunk);
		else if (chunk->type == KTR_CHUNK_EVENT)
			take_event(path, (const void *)chunk);
		else if (chunk->type == KTR_CHUNK_LOST && gap->cpu >= 0 && gap->cpu < CPUS)
			lost[gap->cpu] += gap->count;
		else
			errx(1, "%s: chunk of type %u at %zu", path, chunk->type, at);
	}
	free(data);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		take_stream(argv[i]);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		for (int kind = 0; kind < 2; kind++) {
			struct source *source = sources[cpu][kind];

			if (source)
				printf("events %d %s %lu %ld %ld\n", cpu, kind ? "timer" : "task",
				       source->count, source->first, source->last);
		}
		if (lost[cpu])
			printf("lost %d %lu\n", cpu, lost[cpu]);
	}
	return 0;
}
