// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "filter/callset.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "decode/class_tables.h"

/* A call among those of all ABIs. */
struct candidate {
	enum abi_table table;
	int code;
	const char *name;
};

#define BEFORE_FIRST       \
	{                  \
		.code = -1 \
	}

/* The next one of all; false: there are no more. */
static bool next_call(struct candidate *call)
{
	for (; call->table < ABI_TABLES; call->table++, call->code = -1) {
		int count;
		const char *const *names = abi_table_names(call->table, &count);

		while (++call->code < count && call->code < CALLSET_CODES) {
			call->name = names[call->code];
			if (call->name)
				return true;
		}
	}
	return false;
}

static void add(struct callset *set, const struct candidate *call)
{
	set->bits[call->table][call->code / 64] |= UINT64_C(1) << call->code % 64;
}

bool callset_has(const struct callset *set, uint32_t flags, int code)
{
	enum abi_table table = abi_table(flags);

	return code >= 0 && code < CALLSET_CODES && set->bits[table][code / 64] >> code % 64 & 1;
}

bool callset_add_name(struct callset *set, const char *name)
{
	struct candidate call = BEFORE_FIRST;
	bool found = false;

	while (next_call(&call)) {
		if (strcmp(call.name, name) != 0)
			continue;
		add(set, &call);
		found = true;
	}
	return found;
}

static bool is_in_class(const struct candidate *call, uint8_t bit)
{
	const struct class_table *table = &class_tables[call->table];

	return call->code < table->count && table->masks[call->code] & bit;
}

bool callset_add_class(struct callset *set, const char *name)
{
	const struct class_name *known = class_names;
	struct candidate call = BEFORE_FIRST;

	while (known->name && strcmp(known->name, name) != 0)
		known++;
	if (!known->name)
		return false;
	while (next_call(&call))
		if (is_in_class(&call, known->bit))
			add(set, &call);
	return true;
}

const char *callset_add_regex(struct callset *set, const char *text)
{
	static char problem[128];
	struct candidate call = BEFORE_FIRST;
	regex_t regex;
	int error = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);
	bool found = false;

	if (error) {
		regerror(error, &regex, problem, sizeof(problem));
		return problem;
	}
	while (next_call(&call)) {
		if (regexec(&regex, call.name, 0, NULL, 0) != 0)
			continue;
		add(set, &call);
		found = true;
	}
	regfree(&regex);
	return found ? NULL : "matches the name of no system call";
}

void callset_offer_names(struct similar *similar)
{
	struct candidate call = BEFORE_FIRST;

	while (next_call(&call))
		similar_offer(similar, call.name);
}

const char *callset_classes(void)
{
	static char text[256];
	const struct class_name *known;
	size_t len = 0;

	for (known = class_names; known->name && len < sizeof(text); known++)
		len += snprintf(text + len, sizeof(text) - len, "%s%%%s", len ? ", " : "",
				known->name);
	return text;
}
