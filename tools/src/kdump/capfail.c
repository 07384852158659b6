// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * CAP: FreeBSD's Capsicum, or a Linux process's capabilities.
 */
#include "capfail.h"

#include <sys/ktrace.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "fields.h"
#include "options.h"
#include "records.h"

/* A word of cap_rights_t has its index as one bit, from 57 up. */
#define RIGHTS_INDEX 57
#define RIGHTS_MASK  ((1ULL << RIGHTS_INDEX) - 1)

#define SYS_FCNTL   92
#define SYS_SYSARCH 165

static bool rights_valid(const uint64_t rights[2])
{
	return rights[0] >> RIGHTS_INDEX == 1 && rights[1] >> RIGHTS_INDEX == 2;
}

const char *capfail_next_right(const uint64_t rights[2], unsigned int *at)
{
	static const struct name_table *const tables[] = { &names_cap_rights0, &names_cap_rights1 };
	unsigned int first = 0; /* of the table, among all */
	int i;

	if (!rights_valid(rights))
		return NULL;
	for (i = 0; i < 2; first += tables[i++]->count) {
		while (*at >= first && *at - first < (unsigned int)tables[i]->count) {
			const struct name_value *entry = &tables[i]->values[(*at)++ - first];

			if (rights[i] & RIGHTS_MASK & (uint64_t)entry->value)
				return entry->name;
		}
	}
	return NULL;
}

void capfail_out_rights(const uint64_t rights[2])
{
	unsigned int at = 0;
	const char *name, *before = "";

	if (!rights_valid(rights)) {
		out_str("invalid cap_rights_t");
		return;
	}
	while ((name = capfail_next_right(rights, &at)) != NULL) {
		out_str(before);
		out_str(name);
		before = ",";
	}
}

void capabilities_out(uint64_t mask, char between)
{
	bool second = false;
	int bit;

	for (bit = 0; bit < 64; bit++) {
		const char *name;

		if (!(mask & 1ULL << bit))
			continue;
		if (second)
			out_char(between);
		second = true;
		name = names_find(&names_linux_capabilities, bit);
		if (name)
			out_str(name);
		else
			out_dec(bit);
	}
}

uint64_t capfail_linux_mask(const uint64_t rights[2])
{
	return rights[0] & RIGHTS_MASK;
}

static void out_set(const uint64_t set[2], bool linux_abi)
{
	if (linux_abi)
		capabilities_out(capfail_linux_mask(set), ',');
	else
		capfail_out_rights(set);
}

static void out_named(const struct name_table *table, int value)
{
	const char *name = names_find(table, value);

	if (name)
		out_str(name);
	else
		out_printf(options.decimal ? "<invalid=%d>" : "<invalid=%#x>", value);
}

int capfail_int(const struct ktrace_record_capfail *cap)
{
	uint32_t value = cap->data[0] | cap->data[1] << 8 | cap->data[2] << 16 |
			 (uint32_t)cap->data[3] << 24;

	return (int)value;
}

static void print_syscall(const struct ktrace_record_capfail *cap, bool linux_abi)
{
	out_str("system call not allowed: ");
	call_out_name(cap->svflags, cap->code);
	if (linux_abi)
		return;
	if (cap->code == SYS_SYSARCH) {
		out_str(", op: ");
		out_named(&names_sysarch_op, capfail_int(cap));
	} else if (cap->code == SYS_FCNTL) {
		out_str(", cmd: ");
		out_named(&names_fcntl_cmd, capfail_int(cap));
	}
}

/* Types that only records with data of their own have. */
static void print_new(const struct ktrace_record_capfail *cap, bool linux_abi)
{
	struct fields fields;

	call_out_name(cap->svflags, cap->code);
	switch (cap->type) {
	case CAPFAIL_SIGNAL:
		out_str(": signal delivery not allowed: ");
		names_out_signal(capfail_int(cap), linux_abi);
		break;
	case CAPFAIL_PROTO:
		out_str(": protocol not allowed: ");
		out_named(&names_ipproto, capfail_int(cap));
		break;
	case CAPFAIL_SOCKADDR:
		out_str(": restricted address lookup: ");
		sockaddr_decode(cap->data, cap->data[0], linux_abi, &fields);
		sockaddr_print(&fields);
		break;
	case CAPFAIL_NAMEI:
		out_str(": restricted VFS lookup: ");
		out_text_str(cap->data, cap->size);
		break;
	case CAPFAIL_CPUSET:
		out_str(": restricted cpuset operation");
		break;
	default:
		out_str(": unknown capability failure");
	}
	out_char('\n');
}

bool capfail_is_linux(const struct ktrace_record_capfail *cap, const struct abi *abi)
{
	return abi_is_linux(cap->size ? cap->svflags : abi->flags);
}

void capfail_print(const struct ktrace_record *record, const struct abi *abi)
{
	struct ktrace_record_capfail cap;
	bool linux_abi;

	ktrace_record_get_capfail(record, &cap);
	linux_abi = capfail_is_linux(&cap, abi);
	switch (cap.type) {
	case CAPFAIL_NOTCAPABLE:
		out_str("operation requires ");
		out_set(cap.needed, linux_abi);
		out_str(linux_abi ? ", process holds " : ", descriptor holds ");
		out_set(cap.held, linux_abi);
		break;
	case CAPFAIL_INCREASE:
		out_str("attempt to increase capabilities from ");
		out_set(cap.held, linux_abi);
		out_str(" to ");
		out_set(cap.needed, linux_abi);
		break;
	case CAPFAIL_SYSCALL:
		if (cap.size)
			print_syscall(&cap, linux_abi);
		else
			out_str("disallowed system call");
		break;
	default:
		if (cap.size) {
			print_new(&cap, linux_abi);
			return;
		}
		if (cap.type == CAPFAIL_LOOKUP) {
			out_str("restricted VFS lookup");
			break;
		}
		out_str("unknown capability failure: ");
		out_set(cap.needed, linux_abi);
		out_char(' ');
		out_set(cap.held, linux_abi);
	}
	out_char('\n');
}
