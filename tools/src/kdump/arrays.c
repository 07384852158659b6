// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, arrays of structures.
 */
#include <ctype.h>
#include <string.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "reader/layout.h"
#include "options.h"
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

static void out_ident(const struct kevent_record *e)
{
	switch (e->filter) {
	case FILTER_READ:
	case FILTER_WRITE:
	case FILTER_VNODE:
	case FILTER_PROC:
	case FILTER_TIMER:
	case FILTER_PROCDESC:
	case FILTER_EMPTY:
		out_printf("%llu", (unsigned long long)e->ident);
		break;
	case FILTER_SIGNAL:
		names_out_signal((int)e->ident, false);
		break;
	default:
		out_hex(e->ident);
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

static void out_fflags(const struct kevent_record *e)
{
	const struct name_table *table = NULL;
	uint64_t rest;

	if (e->fflags == 0) {
		out_char('0');
		return;
	}
	switch (e->filter) {
	case FILTER_READ:
	case FILTER_WRITE:
		table = &names_kevent_rdwr;
		break;
	case FILTER_VNODE:
		table = &names_kevent_vnode;
		break;
	case FILTER_PROC:
	case FILTER_PROCDESC:
		table = &names_kevent_proc;
		break;
	case FILTER_TIMER:
		table = &names_kevent_timer;
		break;
	case FILTER_USER:
		out_user_fflags(e->fflags);
		return;
	}
	if (!table) {
		out_hex(e->fflags);
		return;
	}
	if (names_out_bits(table, e->fflags, '|', &rest) && rest)
		out_char('|');
	if (rest)
		out_hex(rest);
}

static void event_print(const struct kevent_record *e)
{
	const char *filter = names_find(&names_kevent_filter, e->filter);

	out_str("{ ident=");
	out_ident(e);
	out_str(", filter=");
	if (filter)
		out_str(filter);
	else
		out_printf(options.decimal ? "<invalid=%d>" : "<invalid=%#x>", e->filter);
	out_str(", flags=");
	names_out_flags(&names_kevent_flags, e->flags, true);
	out_str(", fflags=");
	out_fflags(e);
	out_str(", data=");
	out_hex(e->data);
	out_str(", udata=");
	out_pointer(e->udata);
	out_str(" }");
}

/* FreeBSD 12 and later (64 bytes), and before (32). */
static void kevent_print(const unsigned char *p, bool linux_abi)
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
	event_print(&e);
}

/* 32-bit programs: 56 bytes, with 64 bits of data, or 20. */
static void kevent32_print(const unsigned char *p, bool linux_abi)
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
	event_print(&e);
}

static void kevent32_old_print(const unsigned char *p, bool linux_abi)
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
	event_print(&e);
}

static void pollfd_print(const unsigned char *p, bool linux_abi)
{
	const struct name_table *table =
		linux_abi ? &names_linux_pollfd_events : &names_pollfd_events;

	out_printf("{ fd=%d, events=", (int)get32(p));
	names_out_flags(table, get16(p + 4), true);
	out_str(", revents=");
	names_out_flags(table, get16(p + 6), true);
	out_char('}');
}

static const struct array_type {
	const char *name;
	enum ktrace_layout layout; /* 0: any */
	size_t size;
	void (*print)(const unsigned char *p, bool linux_abi);
} types[] = {
	{ "kevent", KTRACE_LAYOUT_LP64, 64, kevent_print },
	{ "kevent", KTRACE_LAYOUT_ILP32, 56, kevent32_print },
	{ "kevent_freebsd11", KTRACE_LAYOUT_LP64, 32, kevent_print },
	{ "kevent_freebsd11", KTRACE_LAYOUT_ILP32, 20, kevent32_old_print },
	{ "kevent32", 0, 56, kevent32_print },
	{ "kevent32_freebsd11", 0, 20, kevent32_old_print },
	/* FreeBSD 15's names of the same */
	{ "freebsd11_kevent", KTRACE_LAYOUT_LP64, 32, kevent_print },
	{ "freebsd11_kevent", KTRACE_LAYOUT_ILP32, 20, kevent32_old_print },
	{ "freebsd11_kevent32", 0, 20, kevent32_old_print },
	{ "pollfd", 0, 8, pollfd_print },
	{ "l_epoll_event", 0, 12, epoll_event_print },
	{ "l_iovec", 0, 16, iovec_print },
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

/* Whole elements only. */
static void print_elements(const struct ktrace_record_struct *s, const struct array_type *type,
			   bool linux_abi)
{
	size_t i, count = ktrace_record_elements(s);

	for (i = 0; i < count; i++) {
		if (i)
			out_str("\n             ");
		type->print(s->data + i * s->size, linux_abi);
	}
}

void struct_array_print(const struct ktrace_record *record, const struct abi *abi)
{
	const struct array_type *type;
	struct ktrace_record_struct s;

	ktrace_record_get_struct(record, &s);
	if (!s.name || !is_name(s.name)) {
		out_str("invalid record\n");
		return;
	}
	out_str("struct ");
	out_str(s.name);
	out_str("[] = { ");
	type = find_type(s.name, record->layout);
	if (s.len && !type)
		out_str("<unknown structure>");
	else if (s.len && s.size != type->size)
		out_str("<bad size>");
	else if (s.len)
		print_elements(&s, type, abi_is_linux(abi->flags));
	out_str(" }\n");
}
