// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Headers, and which layout a file has.
 */
#include "reader/layout.h"

#include <sys/ktrace.h>

#include "reader/foreign.h"

/* Offsets of what differs; type, pid and comm are at 4, 8 and 12 in all. */
struct header {
	unsigned char size;
	unsigned char word; /* bytes of seconds, fraction and tid each */
	unsigned char sec;
	unsigned char frac;
	unsigned char tid;
	unsigned char cpu; /* 0: none */
};

static const struct header lp64_v0 = { 56, 8, 32, 40, 48, 0 };
static const struct header lp64_v1 = { 64, 8, 32, 40, 48, 56 };
static const struct header ilp32_v0 = { 44, 4, 32, 36, 40, 0 };
static const struct header ilp32_v1 = { 48, 4, 32, 36, 40, 44 };

static const struct header *find_header(enum ktrace_layout layout, unsigned int type)
{
	if (layout == KTRACE_LAYOUT_LP64)
		return type & KTR_VERSIONED ? &lp64_v1 : &lp64_v0;
	return type & KTR_VERSIONED ? &ilp32_v1 : &ilp32_v0;
}

size_t libktrace_layout_header_size(enum ktrace_layout layout, unsigned int type)
{
	return find_header(layout, type)->size;
}

static int64_t get_word(const unsigned char *p, unsigned int bytes)
{
	return bytes == 8 ? (int64_t)get64(p) : (int32_t)get32(p);
}

void libktrace_layout_header(enum ktrace_layout layout, const unsigned char *p,
			     struct ktrace_record *record)
{
	unsigned int type = get16(p + 4);
	const struct header *h = find_header(layout, type);

	record->layout = layout;
	record->type = type & ~KTR_TYPE;
	record->drop = type & KTR_DROP;
	record->version = type & KTR_VERSIONED ? get16(p + 6) : 0;
	record->pid = (int32_t)get32(p + 8);
	memcpy(record->comm, p + 12, sizeof(record->comm));
	record->comm[sizeof(record->comm) - 1] = '\0';
	record->sec = get_word(p + h->sec, h->word);
	record->frac = get_word(p + h->frac, h->word);
	record->tid = get_word(p + h->tid, h->word);
	record->cpu = h->cpu ? (int32_t)get32(p + h->cpu) : -1;
}

/* Could this be the header of a record?  Stricter than reading is. */
static bool plausible(enum ktrace_layout layout, const unsigned char *p)
{
	struct ktrace_record r;

	libktrace_layout_header(layout, p, &r);
	if (get32(p) > KTRACE_READER_MAX_LEN || r.type == 0 || r.type > 127)
		return false;
	if (get16(p + 4) & KTR_VERSIONED && r.version != KTR_VERSION1)
		return false;
	return r.pid >= 0 && r.sec >= 0 && r.sec < 1LL << 40 && r.frac >= 0 &&
	       r.frac < (r.version ? 1000000000 : 1000000) && r.tid >= -1 && r.tid <= INT32_MAX &&
	       memchr(p + 12, '\0', KTRACE_COMM_LEN);
}

enum chain_end {
	CHAIN_BROKEN, /* something that is no header */
	CHAIN_OPEN, /* the bytes end within a record */
	CHAIN_EXACT, /* the file ends with a record */
};

/* How many records can be followed?  A few are enough to tell. */
static unsigned int follow(enum ktrace_layout layout, const unsigned char *p, size_t len, bool eof,
			   enum chain_end *end)
{
	unsigned int count = 0;

	*end = CHAIN_OPEN;
	while (count < 16) {
		size_t size;

		if (len == 0) {
			*end = eof ? CHAIN_EXACT : CHAIN_OPEN;
			break;
		}
		size = len < 6 ? LAYOUT_HEADER_MAX :
				 libktrace_layout_header_size(layout, get16(p + 4));
		if (len < size)
			break;
		if (!plausible(layout, p)) {
			*end = CHAIN_BROKEN;
			break;
		}
		count++;
		size += get32(p);
		if (len < size)
			break;
		p += size;
		len -= size;
	}
	return count;
}

/* Does it begin with what could be a record?  Then no other file's magic counts. */
static bool begins_well(const unsigned char *p, size_t len)
{
	return (len >= lp64_v1.size && plausible(KTRACE_LAYOUT_LP64, p)) ||
	       (len >= ilp32_v1.size && plausible(KTRACE_LAYOUT_ILP32, p));
}

const char *libktrace_layout_detect(const unsigned char *p, size_t len, bool eof,
				    enum ktrace_layout *layout)
{
	enum chain_end end64, end32;
	unsigned int count64, count32;
	const char *foreign;

	*layout = KTRACE_LAYOUT_LP64;
	foreign = libktrace_foreign_trace(p, len);
	if (!foreign && !begins_well(p, len))
		foreign = libktrace_foreign_file(p, len);
	if (foreign)
		return foreign;

	count64 = follow(KTRACE_LAYOUT_LP64, p, len, eof, &end64);
	count32 = follow(KTRACE_LAYOUT_ILP32, p, len, eof, &end32);
	if (end64 == CHAIN_BROKEN && count64 < count32 && end32 != CHAIN_BROKEN &&
	    (count32 > 1 || end32 == CHAIN_EXACT))
		*layout = KTRACE_LAYOUT_ILP32;
	return NULL;
}
