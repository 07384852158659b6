// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --json: structures and arrays of them.
 */
#include <string.h>

#include "decode/json.h"
#include "json_view.h"

void json_fields(const struct fields *fields)
{
	unsigned int i;

	json_open('{');
	for (i = 0; i < fields->count; i++)
		json_value(fields->field[i].name, &fields->field[i].value);
	json_close('}');
}

static void name_member(const struct ktrace_record_struct *s)
{
	if (s->name)
		json_text("name", s->name, strlen(s->name));
}

/* What cannot be decoded is there as it is. */
static void problem_members(const char *problem, const void *data, size_t len)
{
	json_member_str("problem", problem);
	json_data(data, len);
}

void json_struct(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	struct ktrace_record_struct s;
	struct fields fields;

	ktrace_record_get_struct(record, &s);
	name_member(&s);
	switch (struct_decode(&s, event->abi.flags, &fields)) {
	case STRUCT_DECODED:
		json_key("fields");
		json_fields(&fields);
		if (fields.problem)
			problem_members(fields.problem, s.data, s.len);
		break;
	case STRUCT_UNKNOWN:
		problem_members("unknown structure", s.data, s.len);
		break;
	case STRUCT_INVALID:
		if (s.name)
			problem_members("invalid record", s.data, s.len);
		else
			problem_members("invalid record", record->data, record->len);
		break;
	}
}

void json_struct_array(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	bool linux_abi = abi_is_linux(event->abi.flags);
	struct ktrace_record_struct s;
	struct array array;
	size_t i;

	ktrace_record_get_struct(record, &s);
	name_member(&s);
	if (array_decode(record, &s, &array) == STRUCT_INVALID) {
		problem_members("invalid record", record->data, record->len);
		return;
	}
	json_member_uint("size", s.size);
	if (array.problem) {
		problem_members(array.problem, s.data, s.len);
		return;
	}
	json_key("elements");
	json_open('[');
	for (i = 0; i < array.count; i++) {
		struct fields fields;

		array_element(&array, i, linux_abi, &fields);
		json_fields(&fields);
	}
	json_close(']');
}
