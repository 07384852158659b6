/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Headers as bytes, in each layout, and which layout a file has.
 */
#ifndef _KTRACE_READER_LAYOUT_H_
#define _KTRACE_READER_LAYOUT_H_

#include <string.h>

#include "ktrace_reader.h"

/* No header is longer. */
#define LAYOUT_HEADER_MAX 64

static inline uint16_t get16(const unsigned char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t get32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t get64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* The length of a header that begins with @type. */
size_t libktrace_layout_header_size(enum ktrace_layout layout, unsigned int type);

/*
 * libktrace_layout_header - decode a header
 * @p: libktrace_layout_header_size() bytes
 *
 * Fills all of @record but offset, len and data.
 */
void libktrace_layout_header(enum ktrace_layout layout, const unsigned char *p,
			     struct ktrace_record *record);

/*
 * libktrace_layout_detect - decide from the first bytes of a file
 * @p, @len: the first bytes
 * @eof: there are no more
 *
 * Returns why the file is refused, if it is one of another kind, else NULL and
 * the layout.
 */
const char *libktrace_layout_detect(const unsigned char *p, size_t len, bool eof,
				    enum ktrace_layout *layout);

/*
 * libktrace_layout_check - is the payload as long as its type needs?
 * @why: filled if not
 */
bool libktrace_layout_check(const struct ktrace_record *record, char *why, size_t size);

/* The short name of a record's type, or NULL. */
const char *libktrace_layout_type_name(unsigned int type);

#endif /* _KTRACE_READER_LAYOUT_H_ */
