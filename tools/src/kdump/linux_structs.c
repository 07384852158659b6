// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, structures that only Linux has.
 *
 * Each is a table of its fields, printed as FreeBSD prints an itimerval:
 * NAME { .field = value, .field = value }.  Their layouts are those of 64-bit
 * Linux, whatever the process is (ktrace_format.h).  Here -n means numbers:
 * plain() has them.
 */
#include <string.h>

#include "decode/abi.h"
#include "decode/name_tables.h"
#include "reader/layout.h"
#include "fields.h"
#include "options.h"

#define SIGACTION_DFL 0
#define SIGACTION_IGN 1

/* utimensat(2): instead of nanoseconds. */
#define NSEC_UTIME_NOW	0x3fffffff
#define NSEC_UTIME_OMIT 0x3ffffffe

#define UTSNAME_LEN 65

#define SCHED_ATTR_FIRST 48

struct field_spec {
	const char *name;
	size_t at;
	struct value (*get)(const unsigned char *p);
};

static struct value plain(struct value value)
{
	value.plain = options.plain;
	return value;
}

static struct value address(const unsigned char *p)
{
	return value_of(VALUE_POINTER, (int64_t)get64(p));
}

static struct value flags(const struct name_table *table, uint64_t bits)
{
	return plain(value_named(VALUE_FLAGS_OPTIONAL, table, (int64_t)bits));
}

static struct value nsec(const unsigned char *p)
{
	struct value value = value_s64(p);

	if (!options.plain && value.number == NSEC_UTIME_NOW)
		value.symbol = "UTIME_NOW";
	else if (!options.plain && value.number == NSEC_UTIME_OMIT)
		value.symbol = "UTIME_OMIT";
	return value;
}

/* Two words: seconds and the fraction. */
static struct value time_pair(const unsigned char *p)
{
	return (struct value){
		.kind = VALUE_TIMEVAL,
		.number = (int64_t)get64(p),
		.fraction = (int64_t)get64(p + 8),
	};
}

static const struct field_spec timespec_fields[] = {
	{ "sec", 0, value_s64 },
	{ "nsec", 8, nsec },
	{},
};

static struct value limit(const unsigned char *p)
{
	struct value value = value_u64(p);

	if (!options.plain && get64(p) == UINT64_MAX)
		value.symbol = "RLIM_INFINITY";
	return value;
}

static const struct field_spec rlimit_fields[] = {
	{ "cur", 0, limit },
	{ "max", 8, limit },
	{},
};

static struct value handler(const unsigned char *p)
{
	struct value value = address(p);

	if (!options.plain && value.number == SIGACTION_DFL)
		value.symbol = "SIG_DFL";
	else if (!options.plain && value.number == SIGACTION_IGN)
		value.symbol = "SIG_IGN";
	return value;
}

static struct value sa_flags(const unsigned char *p)
{
	return flags(&names_linux_sa_flags, get64(p));
}

static struct value sa_mask(const unsigned char *p)
{
	return plain(value_of(VALUE_SIGSET, (int64_t)get64(p)));
}

static const struct field_spec sigaction_fields[] = {
	{ "handler", 0, handler },
	{ "flags", 8, sa_flags },
	{ "restorer", 16, address },
	{ "mask", 24, sa_mask },
	{},
};

static struct value modes(const unsigned char *p)
{
	return flags(&names_linux_adj_modes, get32(p));
}

static struct value status(const unsigned char *p)
{
	return flags(&names_linux_sta_status, get32(p));
}

static const struct field_spec timex_fields[] = {
	{ "modes", 0, modes },
	{ "offset", 8, value_s64 },
	{ "freq", 16, value_s64 },
	{ "maxerror", 24, value_s64 },
	{ "esterror", 32, value_s64 },
	{ "status", 40, status },
	{ "constant", 48, value_s64 },
	{ "precision", 56, value_s64 },
	{ "tolerance", 64, value_s64 },
	{ "time", 72, time_pair },
	{ "tick", 88, value_s64 },
	{ "ppsfreq", 96, value_s64 },
	{ "jitter", 104, value_s64 },
	{ "shift", 112, value_s32 },
	{ "stabil", 120, value_s64 },
	{ "jitcnt", 128, value_s64 },
	{ "calcnt", 136, value_s64 },
	{ "errcnt", 144, value_s64 },
	{ "stbcnt", 152, value_s64 },
	{ "tai", 160, value_s32 },
	{},
};

/* Text, to the first NUL. */
static struct value uts(const unsigned char *p)
{
	return value_bytes(VALUE_QUOTED, p, strnlen((const char *)p, UTSNAME_LEN));
}

static const struct field_spec utsname_fields[] = {
	{ "sysname", 0, uts },
	{ "nodename", UTSNAME_LEN, uts },
	{ "release", 2 * UTSNAME_LEN, uts },
	{ "version", 3 * UTSNAME_LEN, uts },
	{ "machine", 4 * UTSNAME_LEN, uts },
	{ "domainname", 5 * UTSNAME_LEN, uts },
	{},
};

static const struct field_spec sched_param_fields[] = {
	{ "priority", 0, value_s32 },
	{},
};

static struct value policy(const unsigned char *p)
{
	return plain(value_named(VALUE_ENUM, &names_linux_sched_policy, get32(p)));
}

static struct value sched_flags(const unsigned char *p)
{
	return flags(&names_linux_sched_flags, get64(p));
}

static const struct field_spec sched_attr_fields[] = {
	{ "size", 0, value_u32 },
	{ "policy", 4, policy },
	{ "flags", 8, sched_flags },
	{ "nice", 16, value_s32 },
	{ "priority", 20, value_u32 },
	{ "runtime", 24, value_u64 },
	{ "deadline", 32, value_u64 },
	{ "period", 40, value_u64 },
	{ "util_min", 48, value_u32 },
	{ "util_max", 52, value_u32 },
	{},
};

static struct value capabilities(uint64_t mask)
{
	return plain(value_of(VALUE_CAPABILITIES, (int64_t)mask));
}

static struct value caps32(const unsigned char *p)
{
	return capabilities(get32(p));
}

/* The upper halves are in a second structure. */
static struct value caps64(const unsigned char *p)
{
	return capabilities(get32(p) | (uint64_t)get32(p + 12) << 32);
}

static const struct field_spec cap_data32_fields[] = {
	{ "effective", 0, caps32 },
	{ "permitted", 4, caps32 },
	{ "inheritable", 8, caps32 },
	{},
};

static const struct field_spec cap_data64_fields[] = {
	{ "effective", 0, caps64 },
	{ "permitted", 4, caps64 },
	{ "inheritable", 8, caps64 },
	{},
};

static struct value clone_flags(const unsigned char *p)
{
	return flags(&names_linux_clone_flags, get64(p));
}

static struct value exit_signal(const unsigned char *p)
{
	struct value value = plain(value_of(VALUE_SIGNAL, (int64_t)get64(p)));

	value.linux_abi = true;
	return value;
}

static const struct field_spec clone_args_fields[] = {
	{ "flags", 0, clone_flags },	    { "pidfd", 8, address },
	{ "child_tid", 16, address },	    { "parent_tid", 24, address },
	{ "exit_signal", 32, exit_signal }, { "stack", 40, address },
	{ "stack_size", 48, value_u64 },    { "tls", 56, address },
	{ "set_tid", 64, address },	    { "set_tid_size", 72, value_u64 },
	{ "cgroup", 80, value_u64 },	    {},
};

static struct value open_flags(const unsigned char *p)
{
	return plain(value_named(VALUE_FLAGS, &names_linux_open_flags, (int64_t)get64(p)));
}

static struct value file_mode(const unsigned char *p)
{
	return value_of(VALUE_OCTAL, (int64_t)get64(p));
}

static struct value resolve(const unsigned char *p)
{
	return flags(&names_linux_resolve_flags, get64(p));
}

static const struct field_spec open_how_fields[] = {
	{ "flags", 0, open_flags },
	{ "mode", 8, file_mode },
	{ "resolve", 16, resolve },
	{},
};

#define LINUX_STYLE(name)                        \
	{                                        \
		name " { .", ", .", " = ", " }", \
	}

/* How many bytes it says it has; 0 stands for the first version. */
static size_t sched_attr_size(const unsigned char *p)
{
	uint32_t size = get32(p);

	if (size == 0)
		return SCHED_ATTR_FIRST;
	/* Of what is too small for itself, there is the size. */
	return size < 4 ? 4 : size;
}

static const struct layout {
	const char *name;
	size_t len;
	const struct field_spec *fields;
	struct fields_style style;
} layouts[] = {
	{ "timespec", 16, timespec_fields, LINUX_STYLE("timespec") },
	{ "l_rlimit", 16, rlimit_fields, LINUX_STYLE("l_rlimit") },
	{ "l_sigaction", 32, sigaction_fields, LINUX_STYLE("l_sigaction") },
	{ "l_timex", 208, timex_fields, LINUX_STYLE("l_timex") },
	{ "l_utsname", 6 * UTSNAME_LEN, utsname_fields, LINUX_STYLE("l_utsname") },
	{ "l_sched_param", 4, sched_param_fields, LINUX_STYLE("l_sched_param") },
	{ "l_sched_attr", 56, sched_attr_fields, LINUX_STYLE("l_sched_attr") },
	{ "l_cap_data", 12, cap_data32_fields, LINUX_STYLE("l_cap_data") },
	{ "l_cap_data", 24, cap_data64_fields, LINUX_STYLE("l_cap_data") },
	{ "l_clone_args", 88, clone_args_fields, LINUX_STYLE("l_clone_args") },
	{ "l_open_how", 24, open_how_fields, LINUX_STYLE("l_open_how") },
};

static size_t end_of(const struct layout *layout, const struct field_spec *spec)
{
	return spec[1].name ? spec[1].at : layout->len;
}

static void decode(const struct layout *layout, const unsigned char *p, struct fields *fields)
{
	size_t size = layout->fields == sched_attr_fields ? sched_attr_size(p) : layout->len;
	const struct field_spec *spec;

	fields->style = &layout->style;
	/* What is behind was never there: the record has zeros for it. */
	for (spec = layout->fields; spec->name && end_of(layout, spec) <= size; spec++)
		fields_add(fields, spec->name, spec->get(p + spec->at));
}

enum struct_result linux_struct_decode(const struct ktrace_record_struct *s, uint32_t abi,
				       struct fields *fields)
{
	enum struct_result result = STRUCT_UNKNOWN;
	size_t i;

	/* Only names with l_ say themselves whose they are. */
	if (!abi_is_linux(abi) && strncmp(s->name, "l_", 2) != 0)
		return STRUCT_UNKNOWN;
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (strcmp(layouts[i].name, s->name) != 0)
			continue;
		if (layouts[i].len == s->len) {
			decode(&layouts[i], s->data, fields);
			if (layouts[i].fields == open_how_fields && abi_is_arm(abi))
				fields->field[0].value.table = &names_arm_linux_open_flags;
			return STRUCT_DECODED;
		}
		result = STRUCT_INVALID;
	}
	return result;
}

void epoll_event_decode(const unsigned char *p, bool linux_abi, struct fields *fields)
{
	(void)linux_abi;
	fields_add(fields, "events", flags(&names_linux_epoll_events, get32(p)));
	fields_add(fields, "data", address(p + 4));
}

void iovec_decode(const unsigned char *p, bool linux_abi, struct fields *fields)
{
	(void)linux_abi;
	fields_add(fields, "base", address(p));
	fields_add(fields, "len", value_u64(p + 8));
}
