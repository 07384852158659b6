/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Events of ktr, as ktr_format.h has them in a stream.
 *
 * The stream stays where it is, as bytes; what is made from it is a list of
 * its events in order of time.  Nothing in a stream is believed: its memory
 * costs no more than a small multiple of its length, whatever it says.
 */
#ifndef _KTRDUMP_STREAM_H_
#define _KTRDUMP_STREAM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ktr_format.h"

/* Bytes without a NUL at their end. */
struct bytes {
	const char *p;
	size_t len;
};

/* No kernel keeps longer ones: each event shows them again. */
#define LONGEST_FILE 256
#define LONGEST_DESC 1024

/* A place in the source that records events. */
struct format {
	uint32_t id;
	uint32_t line;
	struct bytes file;
	struct bytes desc;
	bool file_cut, desc_cut; /* it was longer */
};

/* Where an event is. */
struct event_ref {
	uint64_t time;
	size_t offset;
	uint32_t format; /* index, or NO_FORMAT */
};

#define NO_FORMAT UINT32_MAX

struct stream {
	const unsigned char *data; /* the caller's */
	size_t len;
	struct ktr_stream_header header;
	struct format *formats;
	size_t formats_count;
	struct event_ref *events; /* by time; those of the same time in the stream's order */
	size_t events_count;
	uint64_t lost; /* events that ought to be in it, and are not */
	char error[128]; /* why it ends where it does; "" at its end */
};

struct event {
	struct ktr_chunk_event fixed;
	const struct format *format; /* NULL: not known */
	struct bytes strings[KTR_STREAM_PARMS]; /* p is NULL for a parameter that is none */
	bool cut[KTR_STREAM_PARMS]; /* the string was longer */
};

/*
 * stream_parse - the events of @len bytes at @data
 *
 * @data has to stay as long as the stream.  What is malformed or cut short ends
 * the stream there, and @stream->error says so.  Returns NULL, or what the
 * bytes are when they are no such stream at all.
 */
const char *stream_parse(struct stream *stream, const void *data, size_t len);

/* stream_free - what stream_parse() made */
void stream_free(struct stream *stream);

/* stream_keep_newest - forget all events but the newest @count */
void stream_keep_newest(struct stream *stream, size_t count);

/* stream_event - @ref of @stream as an event, valid as long as the stream */
void stream_event(const struct stream *stream, const struct event_ref *ref, struct event *event);

#endif /* _KTRDUMP_STREAM_H_ */
