// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, structures of FreeBSD's own calls that no other system has, as FreeBSD
 * prints them.  Which of its layouts one has, its length tells.
 */
#include <string.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "reader/layout.h"
#include "fields.h"

/* No set of CPUs has more bytes. */
#define CPUSET_MAX 4096

#define INOTIFY_HEAD	 16
#define INOTIFY_NAME_MAX 256

static uint64_t get_word(const unsigned char *p, unsigned int word)
{
	return word == 8 ? get64(p) : get32(p);
}

static bool caprights_decode(const unsigned char *p, size_t len, struct fields *fields)
{
	static const struct fields_style style = { "cap_rights_t ", "", NULL, "" };

	if (len != 16)
		return false;
	fields->style = &style;
	fields_add(fields, "rights", value_bytes(VALUE_RIGHTS, p, len));
	return true;
}

static bool cpuset_decode(const unsigned char *p, size_t len, struct fields *fields)
{
	static const struct fields_style style = { "cpuset_t ", "", NULL, "" };

	if (len > CPUSET_MAX)
		return false;
	fields->style = &style;
	fields_add(fields, "cpus", value_bytes(VALUE_BITS, p, len));
	return true;
}

static bool inotify_decode(const unsigned char *p, size_t len, struct fields *fields)
{
	static const struct fields_style style = { "inotify { .", ", .", " = ", " }" };
	const char *name = (const char *)p + INOTIFY_HEAD;

	if (len < INOTIFY_HEAD || len > INOTIFY_HEAD + INOTIFY_NAME_MAX)
		return false;
	fields->style = &style;
	fields_add(fields, "wd", value_s32(p));
	fields_add(fields, "mask", value_of(VALUE_HEX, get32(p + 4)));
	fields_add(fields, "cookie", value_u32(p + 8));
	fields_add(fields, "len", value_u32(p + 12));
	fields_add(fields, "name",
		   value_bytes(VALUE_TEXT, p + INOTIFY_HEAD, strnlen(name, len - INOTIFY_HEAD)));
	return true;
}

static void out_idle(const struct value *value)
{
	out_printf("%lld.%06lld", (long long)value->number, (long long)value->fraction);
}

static bool splice_decode(const unsigned char *p, size_t len, struct fields *fields)
{
	static const struct fields_style style = { "struct splice { ", ", ", "=", " }" };
	unsigned int word = len == 32 ? 8 : 4;
	const unsigned char *idle = p + word + 8;

	if (len != 32 && len != 20)
		return false;
	fields->style = &style;
	fields_add(fields, "fd", value_s32(p));
	fields_add(fields, "max", value_of(VALUE_HEX, (int64_t)get64(p + word)));
	fields_add(
		fields, "idle",
		(struct value){
			.kind = VALUE_TIMEVAL,
			.number = word == 8 ? (int64_t)get64(idle) : (int32_t)get32(idle),
			.fraction = word == 8 ? (int64_t)get64(idle + 8) : (int32_t)get32(idle + 4),
			.print = out_idle,
		});
	return true;
}

static bool thrparam_decode(const unsigned char *p, size_t len, struct fields *fields)
{
	static const struct fields_style style = { "thr param { ", " ", "=", " }" };
	static const char *const words[] = {
		"start",    "arg",	"stack_base", "stack_size",
		"tls_base", "tls_size", "child_tidp", "parent_tidp",
	};
	unsigned int word = len == 104 ? 8 : 4;
	size_t i;

	if (len != 104 && len != 52)
		return false;
	fields->style = &style;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++, p += word) {
		bool size = strstr(words[i], "size");

		fields_add(fields, words[i],
			   value_of(size ? VALUE_HEX : VALUE_POINTER, (int64_t)get_word(p, word)));
	}
	fields_add(fields, "flags", value_named(VALUE_FLAGS, &names_thr_create_flags, get32(p)));
	fields_add(fields, "rtp", value_of(VALUE_POINTER, (int64_t)get_word(p + word, word)));
	return true;
}

enum struct_result freebsd_struct_decode(const struct ktrace_record_struct *s,
					 struct fields *fields)
{
	static const struct {
		const char *name;
		bool (*decode)(const unsigned char *p, size_t len, struct fields *fields);
	} types[] = {
		{ "caprights", caprights_decode }, { "cpuset_t", cpuset_decode },
		{ "inotify", inotify_decode },	   { "splice", splice_decode },
		{ "thrparam", thrparam_decode },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(s->name, types[i].name) == 0)
			return types[i].decode(s->data, s->len, fields) ? STRUCT_DECODED :
									  STRUCT_INVALID;
	return STRUCT_UNKNOWN;
}
