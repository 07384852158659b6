// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/out.h"
#include "formats.h"
#include "grow.h"

static void fail(struct stream *stream, size_t offset, const char *what)
{
	snprintf(stream->error, sizeof(stream->error), "byte %zu: %s", offset, what);
}

static size_t at_most(size_t len, size_t most)
{
	return len < most ? len : most;
}

/* NULL, or what is wrong. */
static const char *add_format(struct stream *stream, struct formats *formats,
			      const unsigned char *p, size_t len)
{
	struct ktr_chunk_format fixed;
	const char *text = (const char *)p + sizeof(fixed);
	struct format format;

	if (len < sizeof(fixed))
		return "a format that is too short";
	memcpy(&fixed, p, sizeof(fixed));
	if ((size_t)fixed.file_len + fixed.desc_len > len - sizeof(fixed))
		return "a format that is longer than its chunk";
	if (fixed.id == 0)
		return "a format with the number 0";
	format = (struct format){
		.id = fixed.id,
		.line = fixed.line,
		.file = { text, at_most(fixed.file_len, LONGEST_FILE) },
		.file_cut = fixed.file_len > LONGEST_FILE,
		.desc = { text + fixed.file_len, at_most(fixed.desc_len, LONGEST_DESC) },
		.desc_cut = fixed.desc_len > LONGEST_DESC,
	};
	stream->formats = grow(stream->formats, stream->formats_count, sizeof(format));
	stream->formats[stream->formats_count] = format;
	formats_set(formats, format.id, stream->formats_count++);
	return NULL;
}

static const char *add_event(struct stream *stream, struct formats *formats, const unsigned char *p,
			     size_t len)
{
	struct ktr_chunk_event fixed;

	if (len < sizeof(fixed))
		return "an event that is too short";
	memcpy(&fixed, p, sizeof(fixed));
	stream->events = grow(stream->events, stream->events_count, sizeof(*stream->events));
	stream->events[stream->events_count++] = (struct event_ref){
		.time = fixed.timestamp,
		.offset = p - stream->data,
		.format = formats_get(formats, fixed.format),
	};
	return NULL;
}

static const char *add_lost(struct stream *stream, const unsigned char *p, size_t len)
{
	struct ktr_chunk_lost fixed;

	if (len < sizeof(fixed))
		return "a count of lost events that is too short";
	memcpy(&fixed, p, sizeof(fixed));
	if (__builtin_add_overflow(stream->lost, fixed.count, &stream->lost))
		stream->lost = UINT64_MAX;
	return NULL;
}

static const char *add_chunk(struct stream *stream, struct formats *formats, unsigned int type,
			     const unsigned char *p, size_t len)
{
	switch (type) {
	case KTR_CHUNK_FORMAT:
		return add_format(stream, formats, p, len);
	case KTR_CHUNK_EVENT:
		return add_event(stream, formats, p, len);
	case KTR_CHUNK_LOST:
		return add_lost(stream, p, len);
	default: /* of a newer version */
		return NULL;
	}
}

static void add_chunks(struct stream *stream, struct formats *formats)
{
	size_t at = stream->header.len;

	while (at < stream->len) {
		const char *problem;
		struct ktr_chunk chunk;
		size_t left = stream->len - at;

		if (left < sizeof(chunk)) {
			fail(stream, at, "it is cut short");
			return;
		}
		memcpy(&chunk, stream->data + at, sizeof(chunk));
		if (chunk.len < sizeof(chunk) || chunk.len % 8) {
			fail(stream, at, "it is damaged: no chunk has such a length");
			return;
		}
		if (chunk.len > left) {
			fail(stream, at, "it is cut short");
			return;
		}
		problem = add_chunk(stream, formats, chunk.type, stream->data + at, chunk.len);
		if (problem) {
			fail(stream, at, problem);
			return;
		}
		at += chunk.len;
	}
}

static int compare(const void *a, const void *b)
{
	const struct event_ref *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void sort(struct stream *stream)
{
	size_t i;

	for (i = 1; i < stream->events_count; i++) {
		if (stream->events[i].time < stream->events[i - 1].time) {
			qsort(stream->events, stream->events_count, sizeof(*stream->events),
			      compare);
			return;
		}
	}
}

static const char *parse_header(struct stream *stream)
{
	struct ktr_stream_header *header = &stream->header;

	if (stream->len < sizeof(header->magic) ||
	    memcmp(stream->data, KTR_STREAM_MAGIC, sizeof(header->magic)) != 0)
		return stream->len ? "this is not a file of ktr's events" :
				     "this is empty, not a file of ktr's events";
	if (stream->len < sizeof(*header))
		return "it is cut short: not even its header is whole";
	memcpy(header, stream->data, sizeof(*header));
	if (header->version != KTR_STREAM_VERSION)
		return "its format is newer than this ktrdump: use the one that came with ktr.ko";
	if (header->len < sizeof(*header) || header->len % 8)
		return "its header is damaged";
	if (header->len > stream->len)
		return "it is cut short: not even its header is whole";
	header->release[sizeof(header->release) - 1] = '\0';
	return NULL;
}

const char *stream_parse(struct stream *stream, const void *data, size_t len)
{
	struct formats formats = { .slots = NULL };
	const char *problem;

	*stream = (struct stream){ .data = data, .len = len };
	problem = parse_header(stream);
	if (problem)
		return problem;
	add_chunks(stream, &formats);
	formats_free(&formats);
	sort(stream);
	return NULL;
}

void stream_free(struct stream *stream)
{
	free(stream->formats);
	free(stream->events);
	*stream = (struct stream){ .data = NULL };
}

void stream_keep_newest(struct stream *stream, size_t count)
{
	size_t older;

	if (stream->events_count <= count)
		return;
	older = stream->events_count - count;
	memmove(stream->events, stream->events + older, count * sizeof(*stream->events));
	stream->events_count = count;
}

/* One after the other, each with its NUL; those that are not whole are none. */
static void find_strings(struct event *event, const char *p, size_t len)
{
	unsigned int i;
	bool *last = NULL;

	for (i = 0; i < KTR_STREAM_PARMS; i++) {
		size_t n;

		if (!(event->fixed.strings & 1U << i))
			continue;
		n = strnlen(p, len);
		if (n == len)
			break;
		event->strings[i] = (struct bytes){ p, n };
		last = &event->cut[i];
		p += n + 1;
		len -= n + 1;
	}
	if (last)
		*last = event->fixed.strings & KTR_EVENT_CUT;
}

void stream_event(const struct stream *stream, const struct event_ref *ref, struct event *event)
{
	const unsigned char *p = stream->data + ref->offset;

	*event = (struct event){ .format = ref->format == NO_FORMAT ?
						   NULL :
						   &stream->formats[ref->format] };
	memcpy(&event->fixed, p, sizeof(event->fixed));
	find_strings(event, (const char *)p + sizeof(event->fixed),
		     event->fixed.chunk.len - sizeof(event->fixed));
}
