// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, single structures.
 */
#include <ctype.h>
#include <string.h>

#include "decode/out.h"
#include "reader/layout.h"
#include "fields.h"
#include "records.h"

/* No address is longer. */
#define SOCKADDR_MAX 128

static struct value date(struct ktrace_timespec t)
{
	return (struct value){ .kind = VALUE_DATE, .number = t.sec, .fraction = t.nsec };
}

/* Of a Linux process 0 is not a date: it says that the kernel told none. */
static struct value birthtime(struct ktrace_timespec t, bool linux_abi)
{
	if (linux_abi && t.sec == 0 && t.nsec == 0)
		return value_of(VALUE_NONE, 0);
	return date(t);
}

static enum struct_result stat_decode(const struct ktrace_record_struct *s, bool linux_abi,
				      struct fields *fields)
{
	static const struct fields_style style = { "struct stat {", ", ", "=", " }" };
	struct ktrace_stat st;

	if (!ktrace_record_get_stat(s, &st))
		return STRUCT_INVALID;
	fields->style = &style;
	fields_add(fields, "dev", value_of(VALUE_UINT, st.dev));
	fields_add(fields, "ino", value_of(VALUE_UINT, st.ino));
	fields_add(fields, "mode", value_of(VALUE_MODE, st.mode));
	fields_add(fields, "nlink", value_of(VALUE_UINT, st.nlink));
	fields_add(fields, "uid", value_of(VALUE_UID, st.uid));
	fields_add(fields, "gid", value_of(VALUE_GID, st.gid));
	fields_add(fields, "rdev", value_of(VALUE_UINT, st.rdev));
	fields_add(fields, "atime", date(st.atim));
	fields_add(fields, "mtime", date(st.mtim));
	fields_add(fields, "ctime", date(st.ctim));
	fields_add(fields, "birthtime", birthtime(st.birthtim, linux_abi));
	fields_add(fields, "size", value_of(VALUE_DEC, st.size));
	fields_add(fields, "blksize", value_of(VALUE_UINT, st.blksize));
	fields_add(fields, "blocks", value_of(VALUE_DEC, st.blocks));
	fields_add(fields, "flags", value_of(VALUE_HEX_0X, st.flags));
	return STRUCT_DECODED;
}

static enum struct_result itimerval_decode(const struct ktrace_record_struct *s,
					   struct fields *fields)
{
	static const struct fields_style style = { "itimerval { .", ", .", " = ", " }" };
	struct ktrace_itimerval it;

	if (!ktrace_record_get_itimerval(s, &it))
		return STRUCT_INVALID;
	fields->style = &style;
	fields_add(fields, "interval",
		   (struct value){ .kind = VALUE_TIMEVAL,
				   .number = it.interval_sec,
				   .fraction = it.interval_usec });
	fields_add(fields, "value",
		   (struct value){ .kind = VALUE_TIMEVAL,
				   .number = it.value_sec,
				   .fraction = it.value_usec });
	return STRUCT_DECODED;
}

static enum struct_result sigset_decode(const struct ktrace_record_struct *s, struct fields *fields)
{
	static const struct fields_style style = { "l_sigset_t ", "", NULL, "" };

	if (s->len != 8)
		return STRUCT_INVALID;
	fields->style = &style;
	fields_add(fields, "set", value_of(VALUE_SIGSET, (int64_t)get64(s->data)));
	return STRUCT_DECODED;
}

static bool is_name(const char *name)
{
	for (; *name; name++)
		if (!isalpha((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

enum struct_result struct_decode(const struct ktrace_record_struct *s, uint32_t abi,
				 struct fields *fields)
{
	bool linux_abi = abi_is_linux(abi);
	enum struct_result result;

	fields->problem = NULL;
	fields->count = 0;
	if (!s->name || s->len == 0 || !is_name(s->name))
		return STRUCT_INVALID;
	if (strcmp(s->name, "sockaddr") == 0) {
		if (s->len > SOCKADDR_MAX || s->len < 2 || s->data[0] != s->len)
			return STRUCT_INVALID;
		sockaddr_decode(s->data, s->len, linux_abi, fields);
		return STRUCT_DECODED;
	}
	if (strcmp(s->name, "stat") == 0)
		return stat_decode(s, linux_abi, fields);
	if (strcmp(s->name, "itimerval") == 0)
		return itimerval_decode(s, fields);
	if (strcmp(s->name, "l_sigset_t") == 0)
		return sigset_decode(s, fields);
	result = linux_struct_decode(s, abi, fields);
	return result == STRUCT_UNKNOWN ? freebsd_struct_decode(s, fields) : result;
}

void struct_print(const struct ktrace_record *record, const struct abi *abi)
{
	struct ktrace_record_struct s;
	struct fields fields;

	ktrace_record_get_struct(record, &s);
	switch (struct_decode(&s, abi->flags, &fields)) {
	case STRUCT_DECODED:
		if (strcmp(s.name, "sockaddr") == 0)
			sockaddr_print(&fields);
		else
			fields_print(&fields, 0);
		out_char('\n');
		break;
	case STRUCT_UNKNOWN:
		out_str("unknown structure\n");
		break;
	case STRUCT_INVALID:
		out_str("invalid record\n");
		break;
	}
}
