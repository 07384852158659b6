// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * From a file descriptor to records.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ktrace.h>
#include <unistd.h>

#include "reader/layout.h"

#define BUFFER_SIZE (256 << 10)

enum state {
	STATE_BEGIN, /* layout unknown */
	STATE_READING,
	STATE_END,
	STATE_FAILED,
};

struct ktrace_reader {
	int fd;
	ktrace_reader_hook *hook;
	void *arg;
	enum state state;
	enum ktrace_layout layout;
	bool eof; /* the last read(2) returned 0 */
	bool stopped; /* the hook said so */
	uint64_t offset; /* of buf[start] in the file */
	size_t start; /* buf[start..end) has not been handed out */
	size_t end;
	size_t size;
	unsigned char *buf;
	char error[160];
};

struct ktrace_reader *ktrace_reader_new(int fd, ktrace_reader_hook *hook, void *arg)
{
	struct ktrace_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return NULL;
	reader->buf = malloc(BUFFER_SIZE);
	if (!reader->buf) {
		free(reader);
		return NULL;
	}
	reader->size = BUFFER_SIZE;
	reader->fd = fd;
	reader->hook = hook;
	reader->arg = arg;
	return reader;
}

void ktrace_reader_free(struct ktrace_reader *reader)
{
	if (!reader)
		return;
	free(reader->buf);
	free(reader);
}

const char *ktrace_reader_error(const struct ktrace_reader *reader)
{
	return reader->error;
}

static int __attribute__((format(printf, 2, 3)))
fail(struct ktrace_reader *reader, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reader->error, sizeof(reader->error), format, args);
	va_end(args);
	reader->state = STATE_FAILED;
	return -1;
}

static int finish(struct ktrace_reader *reader)
{
	reader->state = STATE_END;
	return 0;
}

static size_t available(const struct ktrace_reader *reader)
{
	return reader->end - reader->start;
}

/* Make room behind the bytes that are there; grow no faster than they come. */
static bool make_room(struct ktrace_reader *reader)
{
	if (reader->start) {
		memmove(reader->buf, reader->buf + reader->start, available(reader));
		reader->end -= reader->start;
		reader->start = 0;
	}
	if (reader->end == reader->size) {
		unsigned char *buf = realloc(reader->buf, reader->size * 2);

		if (!buf)
			return false;
		reader->buf = buf;
		reader->size *= 2;
	}
	return true;
}

/*
 * Have @need bytes, or as many as there are (eof or stopped is set then).
 * Returns -1 on an error.
 */
static int fill_slowly(struct ktrace_reader *reader, size_t need)
{
	while (available(reader) < need) {
		ssize_t n;

		if (reader->start + need > reader->size || reader->end == reader->size)
			if (!make_room(reader))
				return fail(reader, "out of memory");
		if (reader->hook && !reader->hook(reader->arg, KTRACE_READER_READ)) {
			reader->stopped = true;
			return 0;
		}
		n = read(reader->fd, reader->buf + reader->end, reader->size - reader->end);
		if (n > 0) {
			reader->end += n;
		} else if (n == 0) {
			if (!reader->hook || !reader->hook(reader->arg, KTRACE_READER_END)) {
				reader->eof = true;
				return 0;
			}
		} else if (errno != EINTR) {
			return fail(reader, "%s", strerror(errno));
		}
	}
	return 0;
}

static inline int fill(struct ktrace_reader *reader, size_t need)
{
	return available(reader) >= need ? 0 : fill_slowly(reader, need);
}

static int begin(struct ktrace_reader *reader)
{
	const char *foreign;

	if (fill(reader, libktrace_layout_header_size(KTRACE_LAYOUT_LP64, 0)))
		return -1;
	if (available(reader) == 0)
		return finish(reader);
	foreign = libktrace_layout_detect(reader->buf + reader->start, available(reader),
					  reader->eof, &reader->layout);
	if (foreign)
		return fail(reader, "%s", foreign);
	reader->state = STATE_READING;
	return 1;
}

/* The file ends within a record: an error, unless the caller wanted to stop. */
static int cut_off(struct ktrace_reader *reader, const char *what, size_t have, size_t need)
{
	if (reader->stopped)
		return finish(reader);
	return fail(reader,
		    "at byte %llu: the file ends within a record: %zu of %zu bytes of its %s",
		    (unsigned long long)reader->offset, have, need, what);
}

static int malformed(struct ktrace_reader *reader, const char *what)
{
	return fail(reader, "at byte %llu: %s%s", (unsigned long long)reader->offset, what,
		    reader->offset == 0 ? " (not a trace file?)" : "");
}

/* No record has such a header: it is a part of the file that was never written. */
static bool is_zeros(const unsigned char *p, size_t header)
{
	static const unsigned char zeros[LAYOUT_HEADER_MAX];

	return memcmp(p, zeros, header) == 0;
}

int ktrace_reader_next(struct ktrace_reader *reader, struct ktrace_record *record)
{
	const unsigned char *p;
	unsigned int type;
	size_t header;
	uint32_t len;
	char why[96];

	if (reader->state == STATE_END)
		return 0;
	if (reader->state == STATE_FAILED)
		return -1;
	if (reader->state == STATE_BEGIN) {
		int ret = begin(reader);

		if (ret <= 0)
			return ret;
	}

	if (fill(reader, libktrace_layout_header_size(reader->layout, 0)))
		return -1;
	if (available(reader) == 0)
		return finish(reader);
	if (available(reader) < 6)
		return cut_off(reader, "header", available(reader),
			       libktrace_layout_header_size(reader->layout, 0));
	type = get16(reader->buf + reader->start + 4);
	header = libktrace_layout_header_size(reader->layout, type);
	if (fill(reader, header))
		return -1;
	if (available(reader) < header)
		return cut_off(reader, "header", available(reader), header);

	p = reader->buf + reader->start;
	len = get32(p);
	if (len == 0 && is_zeros(p, header))
		return malformed(reader, "zeros, where a record should begin");
	libktrace_layout_header(reader->layout, p, record);
	if (len > KTRACE_READER_MAX_LEN) {
		snprintf(why, sizeof(why), "a record of %d bytes", (int)len);
		return malformed(reader, why);
	}
	if (type & KTR_VERSIONED && record->version != KTR_VERSION1) {
		snprintf(why, sizeof(why), "a header of version %u", record->version);
		return malformed(reader, why);
	}

	if (fill(reader, header + len))
		return -1;
	if (available(reader) < header + len)
		return cut_off(reader, "payload", available(reader) - header, len);

	record->offset = reader->offset;
	record->len = len;
	record->data = reader->buf + reader->start + header;
	if (!libktrace_layout_check(record, why, sizeof(why)))
		return malformed(reader, why);

	reader->start += header + len;
	reader->offset += header + len;
	return 1;
}
