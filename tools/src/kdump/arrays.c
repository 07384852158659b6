// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, arrays of structures.
 */
#include <ctype.h>
#include <string.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "reader/layout.h"
#include "fields.h"
#include "records.h"

struct kevent_record {
	uint64_t ident;
	int filter;
	unsigned int flags;
	unsigned int fflags;
	uint64_t data;
	uint64_t udata;
};

enum {
	FILTER_READ = -1,
	FILTER_WRITE = -2,
	FILTER_VNODE = -4,
	FILTER_PROC = -5,
	FILTER_SIGNAL = -6,
	FILTER_TIMER = -7,
	FILTER_PROCDESC = -8,
	FILTER_USER = -11,
	FILTER_EMPTY = -13,
};

#define USER_CONTROL 0xc0000000
#define USER_TRIGGER 0x01000000
#define USER_FLAGS   0x00ffffff

static const struct fields_style element_style = { "{ ", ", ", "=", " }" };

static struct value ident(const struct kevent_record *e)
{
	switch (e->filter) {
	case FILTER_READ:
	case FILTER_WRITE:
	case FILTER_VNODE:
	case FILTER_PROC:
	case FILTER_TIMER:
	case FILTER_PROCDESC:
	case FILTER_EMPTY:
		return value_of(VALUE_UINT, (int64_t)e->ident);
	case FILTER_SIGNAL:
		return value_of(VALUE_SIGNAL, (int64_t)e->ident);
	default:
		return value_of(VALUE_HEX, (int64_t)e->ident);
	}
}

static void out_user_fflags(unsigned int fflags)
{
	unsigned int control = fflags & USER_CONTROL;

	if (fflags & USER_TRIGGER) {
		out_str("NOTE_TRIGGER");
		if (fflags == USER_TRIGGER)
			return;
		out_char('|');
	}
	if (control || fflags & USER_TRIGGER) {
		out_str(names_find(&names_kevent_user, control));
		out_char('|');
	}
	out_hex(fflags & USER_FLAGS & ~USER_TRIGGER);
}

static void out_fflags(const struct value *value)
{
	uint64_t rest;

	if (value->number == 0) {
		out_char('0');
	} else if (!value->table) {
		out_hex(value->number);
	} else if (value->table == &names_kevent_user) {
		out_user_fflags(value->number);
	} else {
		if (names_out_bits(value->table, value->number, '|', &rest) && rest)
			out_char('|');
		if (rest)
			out_hex(rest);
	}
}

static const struct name_table *fflags_table(int filter)
{
	switch (filter) {
	case FILTER_READ:
	case FILTER_WRITE:
		return &names_kevent_rdwr;
	case FILTER_VNODE:
		return &names_kevent_vnode;
	case FILTER_PROC:
	case FILTER_PROCDESC:
		return &names_kevent_proc;
	case FILTER_TIMER:
		return &names_kevent_timer;
	case FILTER_USER:
		return &names_kevent_user;
	}
	return NULL;
}

static void add_event(const struct kevent_record *e, struct fields *fields)
{
	struct value fflags = value_named(VALUE_FLAGS, fflags_table(e->filter), e->fflags);

	fflags.print = out_fflags;
	fields_add(fields, "ident", ident(e));
	fields_add(fields, "filter", value_named(VALUE_ENUM, &names_kevent_filter, e->filter));
	fields_add(fields, "flags",
		   value_named(VALUE_FLAGS_OPTIONAL, &names_kevent_flags, e->flags));
	fields_add(fields, "fflags", fflags);
	fields_add(fields, "data", value_of(VALUE_HEX_SIGNED, (int64_t)e->data));
	fields_add(fields, "udata", value_of(VALUE_POINTER, (int64_t)e->udata));
}

/* FreeBSD 12 and later (64 bytes), and before (32). */
static void kevent_decode(const unsigned char *p, bool linux_abi, struct fields *fields)
{
	struct kevent_record e = {
		.ident = get64(p),
		.filter = (int16_t)get16(p + 8),
		.flags = get16(p + 10),
		.fflags = get32(p + 12),
		.data = get64(p + 16),
		.udata = get64(p + 24),
	};

	(void)linux_abi;
	add_event(&e, fields);
}

/* 32-bit programs: 56 bytes, with 64 bits of data, or 20. */
static void kevent32_decode(const unsigned char *p, bool linux_abi, struct fields *fields)
{
	struct kevent_record e = {
		.ident = get32(p),
		.filter = (int16_t)get16(p + 4),
		.flags = get16(p + 6),
		.fflags = get32(p + 8),
		.data = get64(p + 12),
		.udata = get32(p + 20),
	};

	(void)linux_abi;
	add_event(&e, fields);
}

static void kevent32_old_decode(const unsigned char *p, bool linux_abi, struct fields *fields)
{
	struct kevent_record e = {
		.ident = get32(p),
		.filter = (int16_t)get16(p + 4),
		.flags = get16(p + 6),
		.fflags = get32(p + 8),
		.data = (uint64_t)(int32_t)get32(p + 12),
		.udata = get32(p + 16),
	};

	(void)linux_abi;
	add_event(&e, fields);
}

static void pollfd_decode(const unsigned char *p, bool linux_abi, struct fields *fields)
{
	static const struct fields_style style = { "{ ", ", ", "=", "}" };
	const struct name_table *table =
		linux_abi ? &names_linux_pollfd_events : &names_pollfd_events;

	fields->style = &style;
	fields_add(fields, "fd", value_s32(p));
	fields_add(fields, "events", value_named(VALUE_FLAGS_OPTIONAL, table, get16(p + 4)));
	fields_add(fields, "revents", value_named(VALUE_FLAGS_OPTIONAL, table, get16(p + 6)));
}

static const struct array_type {
	const char *name;
	enum ktrace_layout layout; /* 0: any */
	size_t size;
	void (*decode)(const unsigned char *p, bool linux_abi, struct fields *fields);
} types[] = {
	{ "kevent", KTRACE_LAYOUT_LP64, 64, kevent_decode },
	{ "kevent", KTRACE_LAYOUT_ILP32, 56, kevent32_decode },
	{ "kevent_freebsd11", KTRACE_LAYOUT_LP64, 32, kevent_decode },
	{ "kevent_freebsd11", KTRACE_LAYOUT_ILP32, 20, kevent32_old_decode },
	{ "kevent32", 0, 56, kevent32_decode },
	{ "kevent32_freebsd11", 0, 20, kevent32_old_decode },
	/* FreeBSD 15's names of the same */
	{ "freebsd11_kevent", KTRACE_LAYOUT_LP64, 32, kevent_decode },
	{ "freebsd11_kevent", KTRACE_LAYOUT_ILP32, 20, kevent32_old_decode },
	{ "freebsd11_kevent32", 0, 20, kevent32_old_decode },
	{ "pollfd", 0, 8, pollfd_decode },
	{ "l_epoll_event", 0, 12, epoll_event_decode },
	{ "l_iovec", 0, 16, iovec_decode },
};

static const struct array_type *find_type(const char *name, enum ktrace_layout layout)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, name) == 0 &&
		    (!types[i].layout || types[i].layout == layout))
			return &types[i];
	return NULL;
}

static bool is_name(const char *name)
{
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

enum struct_result array_decode(const struct ktrace_record *record,
				const struct ktrace_record_struct *s, struct array *array)
{
	const struct array_type *type;

	*array = (struct array){ .size = s->size, .data = s->data };
	if (!s->name || !is_name(s->name))
		return STRUCT_INVALID;
	type = find_type(s->name, record->layout);
	if (s->len == 0)
		return STRUCT_DECODED;
	if (!type) {
		array->problem = "unknown structure";
	} else if (s->size != type->size) {
		array->problem = "bad size";
	} else {
		array->count = ktrace_record_elements(s);
		array->decode = type->decode;
	}
	return STRUCT_DECODED;
}

void array_element(const struct array *array, size_t i, bool linux_abi, struct fields *fields)
{
	fields->style = &element_style;
	fields->problem = NULL;
	fields->count = 0;
	array->decode(array->data + i * array->size, linux_abi, fields);
}

void struct_array_print(const struct ktrace_record *record, const struct abi *abi)
{
	bool linux_abi = abi_is_linux(abi->flags);
	struct ktrace_record_struct s;
	struct array array;
	size_t i;

	ktrace_record_get_struct(record, &s);
	if (array_decode(record, &s, &array) == STRUCT_INVALID) {
		out_str("invalid record\n");
		return;
	}
	out_str("struct ");
	out_str(s.name);
	out_str("[] = { ");
	if (array.problem)
		out_printf("<%s>", array.problem);
	for (i = 0; i < array.count; i++) {
		struct fields fields;

		if (i)
			out_str("\n             ");
		array_element(&array, i, linux_abi, &fields);
		fields_print(&fields, 0);
	}
	out_str(" }\n");
}
