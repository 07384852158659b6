// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/names.h"

#include <stddef.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "ktrace_numbers.h"

#define SIGRTMIN_FREEBSD 65
#define SIGRTMAX_FREEBSD 126

static const char *find_sorted(const struct name_table *table, int64_t value)
{
	int low = 0, high = table->sorted;

	while (low < high) {
		int middle = (low + high) / 2;

		if (table->values[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < table->sorted && table->values[low].value == value)
		return table->values[low].name;
	return NULL;
}

const char *names_find(const struct name_table *table, int64_t value)
{
	const char *name = find_sorted(table, value);
	int i;

	for (i = table->sorted; !name && i < table->count; i++) {
		const struct name_value *entry = &table->values[i];
		uint64_t compared = entry->mask ? (uint64_t)value & entry->mask : (uint64_t)value;

		if (compared == (uint64_t)entry->value)
			name = entry->name;
	}
	return name;
}

const char *names_next_bit(struct name_bits *bits)
{
	while (bits->next < bits->table->count) {
		const struct name_value *entry = &bits->table->values[bits->next++];
		uint64_t mask = entry->mask ? entry->mask : (uint64_t)entry->value;

		if (mask == 0 || bits->taken & mask ||
		    (bits->value & mask) != (uint64_t)entry->value)
			continue;
		bits->taken |= mask;
		return entry->name;
	}
	return NULL;
}

int names_out_bits(const struct name_table *table, uint64_t value, char between, uint64_t *rest)
{
	struct name_bits bits = { .table = table, .value = value };
	const char *name;
	int printed = 0;

	while ((name = names_next_bit(&bits)) != NULL) {
		if (printed++)
			out_char(between);
		out_str(name);
	}
	if (rest)
		*rest = value & ~bits.taken;
	return printed;
}

/*
 * Tables have a name for no flags at all, or (with masks) fields of which 0 is a value, or
 * neither.
 */
static const char *name_of_none(const struct name_table *table)
{
	int i;

	for (i = 0; i < table->count; i++)
		if (table->values[i].value == 0 && table->values[i].mask == 0)
			return table->values[i].name;
	return NULL;
}

void names_out_set(const struct name_table *table, uint64_t value)
{
	const char *none = value == 0 ? name_of_none(table) : NULL;
	bool known = true;

	out_char('<');
	if (none)
		out_str(none);
	else
		known = names_out_bits(table, value, '|', NULL) != 0;
	out_char('>');
	if (!known)
		out_printf("<invalid>%llu", (unsigned long long)value);
}

void names_out_flags(const struct name_table *table, uint64_t value, bool optional)
{
	out_hex(value);
	if (value != 0 || !optional)
		names_out_set(table, value);
}

void names_out_signal(int signo, bool linux_abi)
{
	const char *name = names_find(&names_signals, signo);

	if (!name && linux_abi)
		name = names_find(&names_linux_signals, signo);
	if (name) {
		out_str(name);
	} else if (signo >= SIGRTMIN_FREEBSD && signo <= SIGRTMAX_FREEBSD) {
		out_str("SIGRT");
		out_dec(signo - SIGRTMIN_FREEBSD);
	} else {
		out_str("SIG ");
		out_dec(signo);
	}
}

int names_errno_number(int error, bool *linux_abi)
{
	int number = 0;

	if (*linux_abi && error > 0) {
		number = ktrace_linux_errno(error);
		if (number == 0)
			number = linux_errno_of_freebsd(error);
	}
	*linux_abi = number != 0;
	return number ? number : error;
}

const char *names_errno_text(int number, bool linux_abi)
{
	return names_find(linux_abi ? &names_linux_errno_texts : &names_errno_texts, number);
}
