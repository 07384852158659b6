// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "chart/html_stream.h"

#include <stdlib.h>
#include <string.h>

#include "chart/html_page.h"
#include "decode/out.h"

#define NSEC_PER_SEC INT64_C(1000000000)

#define CHUNK_SIZE (96 << 10) /* from there on an operation begins a new one */
#define CHUNK_MAX  (CHUNK_SIZE + (16 << 10)) /* the longest operation is a string */

/* Strings seen lately: they are written once.  A bucket has the latest one that falls into it. */
#define BUCKETS	     (1 << 16)
#define LONGEST_KEPT 256

struct kept {
	uint64_t number;
	size_t len;
	char *text;
};

static struct kept strings[BUCKETS];
static uint64_t strings_count;

static unsigned char chunk[CHUNK_MAX];
static size_t used;
static int64_t last_time;

static void write_chunk(void)
{
	if (!used)
		return;
	out_str("<script type=\"application/x-ktrace\">");
	out_base64(chunk, used);
	out_str("</script>\n");
	used = 0;
}

static void forget_strings(void)
{
	size_t i;

	for (i = 0; i < BUCKETS; i++)
		free(strings[i].text);
	memset(strings, 0, sizeof(strings));
	strings_count = 0;
}

void html_stream_begin(enum html_kind kind)
{
	forget_strings();
	used = 0;
	last_time = 0;
	out_mem(page_before, strlen(page_before));
	html_op(HTML_KIND);
	html_number(kind);
}

void html_stream_end(uint64_t records, int64_t origin)
{
	int64_t sec = origin / NSEC_PER_SEC - (origin % NSEC_PER_SEC < 0);

	html_op(HTML_END);
	html_number(records);
	html_signed(sec);
	html_number((uint64_t)origin - (uint64_t)sec * NSEC_PER_SEC);
	write_chunk();
	out_str(page_after);
	forget_strings();
}

void html_op(enum html_op op)
{
	if (used >= CHUNK_SIZE)
		write_chunk();
	chunk[used++] = op;
}

void html_number(uint64_t value)
{
	for (; value >= 128; value >>= 7)
		chunk[used++] = value | 128;
	chunk[used++] = value;
}

void html_signed(int64_t value)
{
	html_number(value < 0 ? 2 * -(uint64_t)value - 1 : 2 * (uint64_t)value);
}

void html_time(int64_t time)
{
	html_signed(time - last_time);
	last_time = time;
}

void html_text(const char *text, size_t len)
{
	html_number(len);
	memcpy(chunk + used, text, len);
	used += len;
}

static struct kept *bucket(const char *text, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325ULL;
	size_t i;

	for (i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3ULL;
	return &strings[(hash ^ hash >> 32) % BUCKETS];
}

uint64_t html_string(const char *text, size_t len)
{
	struct kept *kept = NULL;

	if (len == 0)
		return 0;
	if (len <= LONGEST_KEPT) {
		kept = bucket(text, len);
		if (kept->len == len && memcmp(kept->text, text, len) == 0)
			return kept->number;
	}
	html_op(HTML_STRING);
	html_text(text, len);
	strings_count++;
	if (kept) {
		char *copy = realloc(kept->text, len);

		if (!copy)
			die("out of memory");
		memcpy(copy, text, len);
		*kept = (struct kept){ .number = strings_count, .len = len, .text = copy };
	}
	return strings_count;
}
