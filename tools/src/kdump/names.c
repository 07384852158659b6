// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "names.h"

#include <stddef.h>

#include "name_tables.h"
#include "out.h"

#define SIGRTMIN_FREEBSD 65
#define SIGRTMAX_FREEBSD 126

const char *names_find(const struct name_table *table, int64_t value)
{
	int64_t first = table->values[0].value;
	int i;

	/* Most tables count up without a gap. */
	if (value >= first && value - first < table->count &&
	    table->values[value - first].value == value)
		return table->values[value - first].name;
	for (i = 0; i < table->count; i++)
		if (table->values[i].value == value)
			return table->values[i].name;
	return NULL;
}

int names_out_bits(const struct name_table *table, uint64_t value, char between, uint64_t *rest)
{
	int i, printed = 0;

	for (i = 0; i < table->count; i++) {
		uint64_t bits = table->values[i].value;

		if (bits == 0 || (value & bits) != bits)
			continue;
		if (printed++)
			out_char(between);
		out_str(table->values[i].name);
		value &= ~bits;
	}
	if (rest)
		*rest = value;
	return printed;
}

bool names_has_bits(const struct name_table *table, uint64_t value)
{
	int i;

	for (i = 0; i < table->count; i++) {
		uint64_t bits = table->values[i].value;

		if (bits && (value & bits) == bits)
			return true;
	}
	return false;
}

void names_out_flags(const struct name_table *table, uint64_t value, bool optional)
{
	const char *name;
	uint64_t rest;

	out_hex(value);
	if (value == 0 && optional)
		return;
	out_char('<');
	name = value == 0 ? names_find(table, 0) : NULL;
	if (name) {
		out_str(name);
		out_char('>');
		return;
	}
	if (names_out_bits(table, value, '|', &rest))
		out_char('>');
	else
		out_printf("><invalid>%llu", (unsigned long long)value);
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

const char *names_errno_text(int number, bool linux_abi)
{
	return names_find(linux_abi ? &names_linux_errno_texts : &names_errno_texts, number);
}
