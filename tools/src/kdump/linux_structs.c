// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, structures that only Linux has.
 *
 * Each is a table of its fields, printed as FreeBSD prints an itimerval:
 * NAME { .field = value, .field = value }.  Their layouts are those of 64-bit
 * Linux, whatever the process is (ktrace_format.h).  Here -n means numbers.
 */
#include <string.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "reader/layout.h"
#include "ktrace_numbers.h"
#include "options.h"
#include "records.h"

#define SIGACTION_DFL 0
#define SIGACTION_IGN 1

/* utimensat(2): instead of nanoseconds. */
#define NSEC_UTIME_NOW	0x3fffffff
#define NSEC_UTIME_OMIT 0x3ffffffe

#define UTSNAME_LEN 65

struct field {
	const char *name;
	size_t at;
	void (*print)(const unsigned char *p);
};

static void out_s32(const unsigned char *p)
{
	out_dec((int32_t)get32(p));
}

static void out_u32(const unsigned char *p)
{
	out_dec(get32(p));
}

static void out_s64(const unsigned char *p)
{
	out_dec((int64_t)get64(p));
}

static void out_u64(const unsigned char *p)
{
	out_printf("%llu", (unsigned long long)get64(p));
}

static void out_address(const unsigned char *p)
{
	out_pointer(get64(p));
}

static void out_flags(const struct name_table *table, uint64_t value)
{
	if (options.plain)
		out_hex(value);
	else
		names_out_flags(table, value, true);
}

/* One of several values, or what it is instead. */
static void out_one_of(const struct name_table *table, uint32_t value)
{
	const char *name = options.plain ? NULL : names_find(table, value);

	if (name)
		out_str(name);
	else if (options.plain)
		out_dec(value);
	else
		out_printf(options.decimal ? "<invalid=%u>" : "<invalid=%#x>", value);
}

static void out_nsec(const unsigned char *p)
{
	int64_t nsec = (int64_t)get64(p);

	if (!options.plain && nsec == NSEC_UTIME_NOW)
		out_str("UTIME_NOW");
	else if (!options.plain && nsec == NSEC_UTIME_OMIT)
		out_str("UTIME_OMIT");
	else
		out_dec(nsec);
}

/* Two words: seconds and the fraction. */
static void out_time(const unsigned char *p)
{
	out_char('{');
	out_s64(p);
	out_str(", ");
	out_s64(p + 8);
	out_char('}');
}

static const struct field timespec_fields[] = {
	{ "sec", 0, out_s64 },
	{ "nsec", 8, out_nsec },
	{},
};

static void out_limit(const unsigned char *p)
{
	if (!options.plain && get64(p) == UINT64_MAX)
		out_str("RLIM_INFINITY");
	else
		out_u64(p);
}

static const struct field rlimit_fields[] = {
	{ "cur", 0, out_limit },
	{ "max", 8, out_limit },
	{},
};

static void out_handler(const unsigned char *p)
{
	uint64_t handler = get64(p);

	if (!options.plain && handler == SIGACTION_DFL)
		out_str("SIG_DFL");
	else if (!options.plain && handler == SIGACTION_IGN)
		out_str("SIG_IGN");
	else
		out_pointer(handler);
}

static void out_sa_flags(const unsigned char *p)
{
	out_flags(&names_linux_sa_flags, get64(p));
}

static void out_sa_mask(const unsigned char *p)
{
	if (options.plain)
		out_hex(get64(p));
	else
		linux_sigset_out(get64(p));
}

static const struct field sigaction_fields[] = {
	{ "handler", 0, out_handler },
	{ "flags", 8, out_sa_flags },
	{ "restorer", 16, out_address },
	{ "mask", 24, out_sa_mask },
	{},
};

static void out_modes(const unsigned char *p)
{
	out_flags(&names_linux_adj_modes, get32(p));
}

static void out_status(const unsigned char *p)
{
	out_flags(&names_linux_sta_status, get32(p));
}

static const struct field timex_fields[] = {
	{ "modes", 0, out_modes },   { "offset", 8, out_s64 },	   { "freq", 16, out_s64 },
	{ "maxerror", 24, out_s64 }, { "esterror", 32, out_s64 },  { "status", 40, out_status },
	{ "constant", 48, out_s64 }, { "precision", 56, out_s64 }, { "tolerance", 64, out_s64 },
	{ "time", 72, out_time },    { "tick", 88, out_s64 },	   { "ppsfreq", 96, out_s64 },
	{ "jitter", 104, out_s64 },  { "shift", 112, out_s32 },	   { "stabil", 120, out_s64 },
	{ "jitcnt", 128, out_s64 },  { "calcnt", 136, out_s64 },   { "errcnt", 144, out_s64 },
	{ "stbcnt", 152, out_s64 },  { "tai", 160, out_s32 },	   {},
};

/* Text, to the first NUL. */
static void out_uts(const unsigned char *p)
{
	out_char('"');
	out_text_str(p, UTSNAME_LEN);
	out_char('"');
}

static const struct field utsname_fields[] = {
	{ "sysname", 0, out_uts },
	{ "nodename", UTSNAME_LEN, out_uts },
	{ "release", 2 * UTSNAME_LEN, out_uts },
	{ "version", 3 * UTSNAME_LEN, out_uts },
	{ "machine", 4 * UTSNAME_LEN, out_uts },
	{ "domainname", 5 * UTSNAME_LEN, out_uts },
	{},
};

static const struct field sched_param_fields[] = {
	{ "priority", 0, out_s32 },
	{},
};

static void out_policy(const unsigned char *p)
{
	out_one_of(&names_linux_sched_policy, get32(p));
}

static void out_sched_flags(const unsigned char *p)
{
	out_flags(&names_linux_sched_flags, get64(p));
}

static const struct field sched_attr_fields[] = {
	{ "size", 0, out_u32 },
	{ "policy", 4, out_policy },
	{ "flags", 8, out_sched_flags },
	{ "nice", 16, out_s32 },
	{ "priority", 20, out_u32 },
	{ "runtime", 24, out_u64 },
	{ "deadline", 32, out_u64 },
	{ "period", 40, out_u64 },
	{ "util_min", 48, out_u32 },
	{ "util_max", 52, out_u32 },
	{},
};

static void out_capabilities(uint64_t mask)
{
	out_hex(mask);
	if (mask == 0 || options.plain)
		return;
	out_char('<');
	capabilities_out(mask, '|');
	out_char('>');
}

static void out_caps32(const unsigned char *p)
{
	out_capabilities(get32(p));
}

/* The upper halves are in a second structure. */
static void out_caps64(const unsigned char *p)
{
	out_capabilities(get32(p) | (uint64_t)get32(p + 12) << 32);
}

static const struct field cap_data32_fields[] = {
	{ "effective", 0, out_caps32 },
	{ "permitted", 4, out_caps32 },
	{ "inheritable", 8, out_caps32 },
	{},
};

static const struct field cap_data64_fields[] = {
	{ "effective", 0, out_caps64 },
	{ "permitted", 4, out_caps64 },
	{ "inheritable", 8, out_caps64 },
	{},
};

static void out_clone_flags(const unsigned char *p)
{
	out_flags(&names_linux_clone_flags, get64(p));
}

static void out_exit_signal(const unsigned char *p)
{
	uint64_t signo = get64(p);

	if (options.plain || signo == 0 || signo > KTRACE_LINUX_SIGNAL_MAX)
		out_u64(p);
	else
		names_out_signal(ktrace_file_signal((int)signo), true);
}

static const struct field clone_args_fields[] = {
	{ "flags", 0, out_clone_flags },
	{ "pidfd", 8, out_address },
	{ "child_tid", 16, out_address },
	{ "parent_tid", 24, out_address },
	{ "exit_signal", 32, out_exit_signal },
	{ "stack", 40, out_address },
	{ "stack_size", 48, out_u64 },
	{ "tls", 56, out_address },
	{ "set_tid", 64, out_address },
	{ "set_tid_size", 72, out_u64 },
	{ "cgroup", 80, out_u64 },
	{},
};

static void out_open_flags(const unsigned char *p)
{
	if (options.plain)
		out_hex(get64(p));
	else
		names_out_flags(&names_linux_open_flags, get64(p), false);
}

static void out_file_mode(const unsigned char *p)
{
	out_printf("%#llo", (unsigned long long)get64(p));
}

static void out_resolve(const unsigned char *p)
{
	out_flags(&names_linux_resolve_flags, get64(p));
}

static const struct field open_how_fields[] = {
	{ "flags", 0, out_open_flags },
	{ "mode", 8, out_file_mode },
	{ "resolve", 16, out_resolve },
	{},
};

static const struct layout {
	const char *name;
	size_t len;
	const struct field *fields;
} layouts[] = {
	{ "timespec", 16, timespec_fields },
	{ "l_rlimit", 16, rlimit_fields },
	{ "l_sigaction", 32, sigaction_fields },
	{ "l_timex", 208, timex_fields },
	{ "l_utsname", 6 * UTSNAME_LEN, utsname_fields },
	{ "l_sched_param", 4, sched_param_fields },
	{ "l_sched_attr", 56, sched_attr_fields },
	{ "l_cap_data", 12, cap_data32_fields },
	{ "l_cap_data", 24, cap_data64_fields },
	{ "l_clone_args", 88, clone_args_fields },
	{ "l_open_how", 24, open_how_fields },
};

static void fields_print(const struct layout *layout, const unsigned char *p)
{
	const struct field *field;

	out_str(layout->name);
	out_str(" {");
	for (field = layout->fields; field->name; field++) {
		out_str(field == layout->fields ? " ." : ", .");
		out_str(field->name);
		out_str(" = ");
		field->print(p + field->at);
	}
	out_str(" }\n");
}

enum struct_result linux_struct_print(const struct ktrace_record_struct *s, bool linux_abi)
{
	enum struct_result result = STRUCT_UNKNOWN;
	size_t i;

	/* Only names with l_ say themselves whose they are. */
	if (!linux_abi && strncmp(s->name, "l_", 2) != 0)
		return STRUCT_UNKNOWN;
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (strcmp(layouts[i].name, s->name) != 0)
			continue;
		if (layouts[i].len == s->len) {
			fields_print(&layouts[i], s->data);
			return STRUCT_PRINTED;
		}
		result = STRUCT_INVALID;
	}
	return result;
}

void epoll_event_print(const unsigned char *p, bool linux_abi)
{
	(void)linux_abi;
	out_str("{ events=");
	out_flags(&names_linux_epoll_events, get32(p));
	out_str(", data=");
	out_pointer(get64(p + 4));
	out_str(" }");
}

void iovec_print(const unsigned char *p, bool linux_abi)
{
	(void)linux_abi;
	out_str("{ base=");
	out_pointer(get64(p));
	out_printf(", len=%llu }", (unsigned long long)get64(p + 8));
}
