// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What is in KTR_STRUCT and KTR_STRUCT_ARRAY, and the strings of KTR_ARGS and
 * KTR_ENVS.
 */
#include <sys/ktrace.h>

#include "reader/layout.h"

/* Lengths of FreeBSD's struct stat. */
#define STAT_LEN	  224 /* FreeBSD 12 and later */
#define STAT_LEN_I386	  208
#define STAT_LEN_OLD	  120
#define STAT_LEN_OLD_I386 96

void ktrace_record_get_struct(const struct ktrace_record *record, struct ktrace_record_struct *out)
{
	const unsigned char *p = record->data, *end = record->data + record->len, *nul;

	memset(out, 0, sizeof(*out));
	if (record->type == KTR_STRUCT_ARRAY) {
		if (record->len < record->layout)
			return;
		out->size = record->layout == KTRACE_LAYOUT_LP64 ? get64(p) : get32(p);
		p += record->layout;
	}
	nul = p < end ? memchr(p, '\0', end - p) : NULL;
	if (!nul)
		return;
	out->name = (const char *)p;
	out->data = nul + 1;
	out->len = end - out->data;
}

size_t ktrace_record_elements(const struct ktrace_record_struct *array)
{
	return array->size ? array->len / array->size : 0;
}

static int64_t get_long(const unsigned char *p, unsigned int word)
{
	return word == 8 ? (int64_t)get64(p) : (int32_t)get32(p);
}

/* A struct timespec of two words. */
static struct ktrace_timespec get_time(const unsigned char *p, unsigned int word)
{
	return (struct ktrace_timespec){
		.sec = get_long(p, word),
		.nsec = get_long(p + word, word),
	};
}

static void get_stat_new(const unsigned char *p, bool i386, struct ktrace_stat *out)
{
	out->dev = get64(p);
	out->ino = get64(p + 8);
	out->nlink = get64(p + 16);
	out->mode = get16(p + 24);
	out->uid = get32(p + 28);
	out->gid = get32(p + 32);
	out->rdev = get64(p + 40);
	if (i386) {
		/* Each time has its upper word in front. */
		out->atim = get_time(p + 52, 4);
		out->mtim = get_time(p + 64, 4);
		out->ctim = get_time(p + 76, 4);
		out->birthtim = get_time(p + 88, 4);
		p += 96;
	} else {
		out->atim = get_time(p + 48, 8);
		out->mtim = get_time(p + 64, 8);
		out->ctim = get_time(p + 80, 8);
		out->birthtim = get_time(p + 96, 8);
		p += 112;
	}
	out->size = (int64_t)get64(p);
	out->blocks = (int64_t)get64(p + 8);
	out->blksize = get32(p + 16);
	out->flags = get32(p + 20);
	out->gen = get64(p + 24);
}

static void get_stat_old(const unsigned char *p, bool i386, struct ktrace_stat *out)
{
	unsigned int word = i386 ? 4 : 8;

	out->dev = get32(p);
	out->ino = get32(p + 4);
	out->mode = get16(p + 8);
	out->nlink = get16(p + 10);
	out->uid = get32(p + 12);
	out->gid = get32(p + 16);
	out->rdev = get32(p + 20);
	p += 24;
	out->atim = get_time(p, word);
	out->mtim = get_time(p + 2 * word, word);
	out->ctim = get_time(p + 4 * word, word);
	p += 6 * word;
	out->size = (int64_t)get64(p);
	out->blocks = (int64_t)get64(p + 8);
	out->blksize = get32(p + 16);
	out->flags = get32(p + 20);
	out->gen = get32(p + 24);
	out->birthtim = get_time(p + 32, word);
}

bool ktrace_record_get_stat(const struct ktrace_record_struct *s, struct ktrace_stat *out)
{
	memset(out, 0, sizeof(*out));
	switch (s->len) {
	case STAT_LEN:
	case STAT_LEN_I386:
		get_stat_new(s->data, s->len == STAT_LEN_I386, out);
		return true;
	case STAT_LEN_OLD:
	case STAT_LEN_OLD_I386:
		get_stat_old(s->data, s->len == STAT_LEN_OLD_I386, out);
		/* Every file has a type: this length alone proves little. */
		return out->mode != 0;
	}
	return false;
}

bool ktrace_record_get_itimerval(const struct ktrace_record_struct *s, struct ktrace_itimerval *out)
{
	unsigned int word = s->len == 32 ? 8 : 4;

	if (s->len != 32 && s->len != 16)
		return false;
	out->interval_sec = get_long(s->data, word);
	out->interval_usec = get_long(s->data + word, word);
	out->value_sec = get_long(s->data + 2 * word, word);
	out->value_usec = get_long(s->data + 3 * word, word);
	return true;
}

bool ktrace_record_get_timespec(const struct ktrace_record_struct *s, struct ktrace_timespec *out)
{
	if (s->len != 16)
		return false;
	*out = get_time(s->data, 8);
	return true;
}

const char *ktrace_record_next_string(const struct ktrace_record *record, size_t *at, size_t *len)
{
	const char *string;

	if (*at >= record->len)
		return NULL;
	string = (const char *)record->data + *at;
	*len = strnlen(string, record->len - *at);
	*at += *len + 1;
	return string;
}
