// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, structures of FreeBSD's own calls that no other system has, as FreeBSD
 * prints them.  A file tells by their length which of its layouts they have.
 */
#include <string.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "reader/layout.h"
#include "records.h"

/* No set of CPUs has more bytes. */
#define CPUSET_MAX 4096

#define INOTIFY_HEAD	 16
#define INOTIFY_NAME_MAX 256

static uint64_t get_word(const unsigned char *p, unsigned int word)
{
	return word == 8 ? get64(p) : get32(p);
}

static bool caprights_print(const unsigned char *p, size_t len)
{
	uint64_t rights[2];

	if (len != sizeof(rights))
		return false;
	memcpy(rights, p, sizeof(rights));
	out_str("cap_rights_t ");
	cap_rights_out(rights);
	out_char('\n');
	return true;
}

static bool cpuset_print(const unsigned char *p, size_t len)
{
	bool second = false;
	size_t i;

	if (len > CPUSET_MAX)
		return false;
	out_str("cpuset_t [ ");
	for (i = 0; i < len * 8; i++) {
		if (!(p[i / 8] & 1 << i % 8))
			continue;
		if (second)
			out_str(", ");
		second = true;
		out_dec(i);
	}
	out_str(second ? " ]\n" : " empty ]\n");
	return true;
}

static bool inotify_print(const unsigned char *p, size_t len)
{
	if (len < INOTIFY_HEAD || len > INOTIFY_HEAD + INOTIFY_NAME_MAX)
		return false;
	out_printf("inotify { .wd = %d, .mask = %#x, .cookie = %u, .len = %u, .name = ",
		   (int)get32(p), get32(p + 4), get32(p + 8), get32(p + 12));
	out_text_str(p + INOTIFY_HEAD, len - INOTIFY_HEAD);
	out_str(" }\n");
	return true;
}

static bool splice_print(const unsigned char *p, size_t len)
{
	unsigned int word = len == 32 ? 8 : 4;
	const unsigned char *idle = p + word + 8;

	if (len != 32 && len != 20)
		return false;
	out_printf("struct splice { fd=%d, max=", (int)get32(p));
	out_hex(get64(p + word));
	out_printf(", idle=%lld.%06lld }\n",
		   word == 8 ? (long long)get64(idle) : (int32_t)get32(idle),
		   word == 8 ? (long long)get64(idle + 8) : (int32_t)get32(idle + 4));
	return true;
}

static bool thrparam_print(const unsigned char *p, size_t len)
{
	static const struct {
		const char *name;
		bool size; /* else a pointer */
	} words[] = {
		{ "start", false },	 { "arg", false },	   { "stack_base", false },
		{ "stack_size", true },	 { "tls_base", false },	   { "tls_size", true },
		{ "child_tidp", false }, { "parent_tidp", false },
	};
	unsigned int word = len == 104 ? 8 : 4;
	size_t i;

	if (len != 104 && len != 52)
		return false;
	out_str("thr param { ");
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++, p += word) {
		out_str(words[i].name);
		out_char('=');
		if (words[i].size)
			out_hex(get_word(p, word));
		else
			out_pointer(get_word(p, word));
		out_char(' ');
	}
	out_str("flags=");
	names_out_flags(&names_thr_create_flags, get32(p), false);
	out_str(" rtp=");
	out_pointer(get_word(p + word, word));
	out_str(" }\n");
	return true;
}

enum struct_result freebsd_struct_print(const struct ktrace_record_struct *s)
{
	static const struct {
		const char *name;
		bool (*print)(const unsigned char *p, size_t len);
	} types[] = {
		{ "caprights", caprights_print }, { "cpuset_t", cpuset_print },
		{ "inotify", inotify_print },	  { "splice", splice_print },
		{ "thrparam", thrparam_print },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(s->name, types[i].name) == 0)
			return types[i].print(s->data, s->len) ? STRUCT_PRINTED : STRUCT_INVALID;
	return STRUCT_UNKNOWN;
}
