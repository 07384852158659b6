// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --json: values.
 */
#include <string.h>

#include "capfail.h"
#include "decode/json.h"
#include "decode/name_tables.h"
#include "decode/out.h"
#include "json_view.h"
#include "options.h"
#include "words.h"

void json_named(int64_t value, const char *name)
{
	json_open('{');
	json_member_int("value", value);
	if (name && !options.plain)
		json_member_str("symbol", name);
	json_close('}');
}

void json_signal(int64_t value, int signo, bool linux_abi)
{
	json_open('{');
	json_member_int("value", value);
	if (!options.plain) {
		json_key("symbol");
		out_capture();
		names_out_signal(signo, linux_abi);
		json_captured();
	}
	json_close('}');
}

void json_flags(uint64_t value, struct name_bits bits)
{
	const char *name;
	uint64_t rest;

	json_member_uint("value", value);
	if (options.plain)
		return;
	json_key("flags");
	json_open('[');
	while (bits.table && (name = names_next_bit(&bits)) != NULL)
		json_str(name);
	json_close(']');
	rest = bits.value & ~bits.taken;
	if (rest)
		json_member_uint("rest", rest);
}

void json_capabilities(uint64_t mask)
{
	uint64_t rest = 0;
	int bit;

	json_open('{');
	json_member_uint("value", mask);
	if (options.plain) {
		json_close('}');
		return;
	}
	json_key("flags");
	json_open('[');
	for (bit = 0; bit < 64; bit++) {
		const char *name = names_find(&names_linux_capabilities, bit);

		if (!(mask & 1ULL << bit))
			continue;
		if (name)
			json_str(name);
		else
			rest |= 1ULL << bit;
	}
	json_close(']');
	if (rest)
		json_member_uint("rest", rest);
	json_close('}');
}

void json_rights(const uint64_t rights[2])
{
	unsigned int at = 0;
	const char *name;

	json_open('{');
	json_key("value");
	json_open('[');
	json_hex(rights[0]);
	json_hex(rights[1]);
	json_close(']');
	if (!options.plain) {
		json_key("flags");
		json_open('[');
		while ((name = capfail_next_right(rights, &at)) != NULL)
			json_str(name);
		json_close(']');
	}
	json_close('}');
}

static void rights_value(const struct value *value)
{
	uint64_t rights[2];

	memcpy(rights, value->bytes, sizeof(rights));
	json_rights(rights);
}

/* Numbers of the bits that are set. */
static void bits_value(const struct value *value)
{
	size_t i;

	json_open('[');
	for (i = 0; i < 8 * value->len; i++)
		if (value->bytes[i / 8] & 1 << i % 8)
			json_uint(i);
	json_close(']');
}

static void signal_value(const struct value *value)
{
	int signo;

	if (value_signal(value, &signo))
		json_signal(value->number, signo, value->linux_abi);
	else
		json_named(value->number, NULL);
}

static void sigset_value(uint64_t set)
{
	int signo;

	json_open('{');
	json_member_uint("value", set);
	if (!options.plain) {
		json_key("signals");
		json_open('[');
		while ((signo = value_next_signal(&set)) != 0) {
			out_capture();
			names_out_signal(signo, true);
			json_captured();
		}
		json_close(']');
	}
	json_close('}');
}

static void octal_member(const char *key, uint64_t mode)
{
	if (options.plain)
		return;
	json_key_part(key, "_octal");
	json_octal(mode);
}

static void mode_value(const char *key, uint64_t mode)
{
	char text[WORDS_MODE];

	json_member_uint(key, mode);
	octal_member(key, mode);
	if (options.resolve) {
		json_key_part(key, "_text");
		words_mode(mode, text);
		json_string(text, strcspn(text, " "));
	}
}

static void owner_value(const char *key, const struct value *value)
{
	const char *name = value_owner_name(value);

	json_member_uint(key, (uint32_t)value->number);
	if (!name)
		return;
	json_key_part(key, "_name");
	json_str(name);
}

static void time_value(const struct value *value)
{
	char text[WORDS_DATE];

	json_open('{');
	json_member_int("sec", value->number);
	json_member_int(value->kind == VALUE_DATE ? "nsec" : "usec", value->fraction);
	if (options.resolve && value->kind == VALUE_DATE && words_date(value->number, text))
		json_member_str("text", text);
	json_close('}');
}

/* Sets of flags and values that have names are objects. */
static void object_value(const struct value *value)
{
	struct name_bits bits = { .table = value->table, .value = (uint64_t)value->number };

	switch (value->kind) {
	case VALUE_FLAGS:
	case VALUE_FLAGS_OPTIONAL:
		json_open('{');
		json_flags((uint64_t)value->number, bits);
		json_close('}');
		break;
	case VALUE_ENUM:
		json_named(value->number, names_find(value->table, value->number));
		break;
	case VALUE_NAMED:
		json_named(value->number, value->symbol);
		break;
	case VALUE_SIGNAL:
		signal_value(value);
		break;
	case VALUE_SIGSET:
		sigset_value((uint64_t)value->number);
		break;
	case VALUE_CAPABILITIES:
		json_capabilities((uint64_t)value->number);
		break;
	case VALUE_RIGHTS:
		rights_value(value);
		break;
	case VALUE_BITS:
		bits_value(value);
		break;
	case VALUE_DATE:
	case VALUE_TIMEVAL:
		time_value(value);
		break;
	default:
		json_null();
	}
}

void json_value(const char *key, const struct value *value)
{
	switch (value->kind) {
	case VALUE_DEC:
	case VALUE_HEX_SIGNED:
		json_member_int(key, value->number);
		break;
	case VALUE_UINT:
	case VALUE_HEX:
	case VALUE_HEX_0X:
	case VALUE_HEX_0X4:
		json_member_uint(key, (uint64_t)value->number);
		break;
	case VALUE_POINTER:
		json_member_hex(key, (uint64_t)value->number);
		break;
	case VALUE_OCTAL:
		json_member_uint(key, (uint64_t)value->number);
		octal_member(key, (uint64_t)value->number);
		break;
	case VALUE_MODE:
		mode_value(key, (uint64_t)value->number);
		break;
	case VALUE_UID:
	case VALUE_GID:
		owner_value(key, value);
		break;
	case VALUE_TEXT:
	case VALUE_QUOTED:
		json_text(key, value->bytes, value->len);
		break;
	case VALUE_HWADDR:
		json_key(key);
		out_capture();
		value_print(value);
		json_captured();
		break;
	default:
		json_key(key);
		object_value(value);
		return;
	}
	if (value->symbol) {
		json_key_part(key, "_symbol");
		json_str(value->symbol);
	}
}
