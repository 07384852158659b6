// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Values of fields, and how text has them.
 */
#include "fields.h"

#include <string.h>

#include "decode/out.h"
#include "reader/layout.h"
#include "capfail.h"
#include "ktrace_numbers.h"
#include "options.h"
#include "owners.h"
#include "words.h"

struct value value_of(enum value_kind kind, int64_t number)
{
	return (struct value){ .kind = kind, .number = number };
}

struct value value_s32(const unsigned char *p)
{
	return value_of(VALUE_DEC, (int32_t)get32(p));
}

struct value value_u32(const unsigned char *p)
{
	return value_of(VALUE_UINT, get32(p));
}

struct value value_s64(const unsigned char *p)
{
	return value_of(VALUE_DEC, (int64_t)get64(p));
}

struct value value_u64(const unsigned char *p)
{
	return value_of(VALUE_UINT, (int64_t)get64(p));
}

struct value value_named(enum value_kind kind, const struct name_table *table, int64_t number)
{
	return (struct value){ .kind = kind, .table = table, .number = number };
}

struct value value_bytes(enum value_kind kind, const unsigned char *p, size_t len)
{
	return (struct value){ .kind = kind, .bytes = p, .len = len };
}

void fields_add(struct fields *fields, const char *name, struct value value)
{
	fields->field[fields->count++] = (struct field){ .name = name, .value = value };
}

const char *value_owner_name(const struct value *value)
{
	return value->kind == VALUE_UID ? owners_user(value->number) : owners_group(value->number);
}

static void out_owner(const struct value *value)
{
	const char *name = value_owner_name(value);

	if (!name) {
		out_dec(value->number);
		return;
	}
	out_char('"');
	out_text_str(name, strlen(name));
	out_char('"');
}

static void out_mode(unsigned int mode)
{
	char text[WORDS_MODE];

	if (options.resolve)
		out_str(words_mode(mode, text));
	else if (mode)
		out_octal(mode);
	else
		out_str("00");
}

static void out_date(int64_t seconds, int64_t nanoseconds)
{
	char text[WORDS_DATE];

	if (options.resolve && words_date(seconds, text))
		out_printf("\"%s\"", text);
	else
		out_dec(seconds);
	if (nanoseconds > 0 && nanoseconds <= 999999999) {
		out_char('.');
		out_digits(nanoseconds, 9);
	} else if (nanoseconds) {
		out_printf(".%09lld", (long long)nanoseconds);
	}
}

static void out_bytes(const struct value *value)
{
	size_t i;

	for (i = 0; i < value->len; i++) {
		if (i)
			out_char(':');
		out_byte(value->bytes[i]);
	}
}

static void out_flags(const struct value *value)
{
	if (value->plain)
		out_hex(value->number);
	else
		names_out_flags(value->table, value->number, value->kind == VALUE_FLAGS_OPTIONAL);
}

/* One of several values, or what it is instead. */
static void out_enum(const struct value *value)
{
	const char *name = value->plain ? NULL : names_find(value->table, value->number);

	if (name)
		out_str(name);
	else if (value->plain)
		out_dec(value->number);
	else if (options.decimal)
		out_printf("<invalid=%lld>", (long long)value->number);
	else
		out_printf("<invalid=%#x>", (unsigned int)value->number);
}

static void out_signal(const struct value *value)
{
	int signo;

	if (value_signal(value, &signo))
		names_out_signal(signo, value->linux_abi);
	else
		out_unsigned(value->number);
}

bool value_signal(const struct value *value, int *signo)
{
	uint64_t number = (uint64_t)value->number;

	*signo = (int)number;
	if (!value->linux_abi)
		return true;
	if (value->plain || number == 0 || number > KTRACE_LINUX_SIGNAL_MAX)
		return false;
	*signo = ktrace_file_signal(*signo);
	return true;
}

static void out_sigset(const struct value *value)
{
	uint64_t rest = (uint64_t)value->number;
	int signo;

	if (value->plain) {
		out_hex(rest);
		return;
	}
	out_str(rest ? "[ " : "[ empty");
	while ((signo = value_next_signal(&rest)) != 0) {
		names_out_signal(signo, true);
		if (rest)
			out_str(", ");
	}
	out_str(" ]");
}

int value_next_signal(uint64_t *set)
{
	int signo;

	if (*set == 0)
		return 0;
	signo = __builtin_ctzll(*set) + 1;
	*set &= *set - 1;
	return ktrace_file_signal(signo);
}

static void out_capabilities(const struct value *value)
{
	out_hex(value->number);
	if (value->number == 0 || value->plain)
		return;
	out_char('<');
	capabilities_out(value->number, '|');
	out_char('>');
}

static void out_bits(const struct value *value)
{
	bool second = false;
	size_t i;

	out_str("[ ");
	for (i = 0; i < value->len * 8; i++) {
		if (!(value->bytes[i / 8] & 1 << i % 8))
			continue;
		if (second)
			out_str(", ");
		second = true;
		out_dec(i);
	}
	out_str(second ? " ]" : " empty ]");
}

static void out_rights(const struct value *value)
{
	uint64_t rights[2];

	memcpy(rights, value->bytes, sizeof(rights));
	capfail_out_rights(rights);
}

void value_print(const struct value *value)
{
	if (value->symbol) {
		out_str(value->symbol);
		return;
	}
	if (value->print) {
		value->print(value);
		return;
	}
	switch (value->kind) {
	case VALUE_NONE:
		out_char('0');
		break;
	case VALUE_DEC:
	case VALUE_NAMED:
		out_dec(value->number);
		break;
	case VALUE_UINT:
		out_unsigned(value->number);
		break;
	case VALUE_HEX:
	case VALUE_HEX_SIGNED:
		out_hex(value->number);
		break;
	case VALUE_HEX_0X:
	case VALUE_POINTER:
		out_pointer(value->number);
		break;
	case VALUE_HEX_0X4:
		out_printf("0x%04x", (unsigned int)value->number);
		break;
	case VALUE_OCTAL:
		out_octal(value->number);
		break;
	case VALUE_MODE:
		out_mode(value->number);
		break;
	case VALUE_UID:
	case VALUE_GID:
		out_owner(value);
		break;
	case VALUE_DATE:
		out_date(value->number, value->fraction);
		break;
	case VALUE_TIMEVAL:
		out_char('{');
		out_dec(value->number);
		out_str(", ");
		out_dec(value->fraction);
		out_char('}');
		break;
	case VALUE_TEXT:
		out_text(value->bytes, value->len);
		break;
	case VALUE_QUOTED:
		out_char('"');
		out_text(value->bytes, value->len);
		out_char('"');
		break;
	case VALUE_HWADDR:
		out_bytes(value);
		break;
	case VALUE_FLAGS:
	case VALUE_FLAGS_OPTIONAL:
		out_flags(value);
		break;
	case VALUE_ENUM:
		out_enum(value);
		break;
	case VALUE_SIGNAL:
		out_signal(value);
		break;
	case VALUE_SIGSET:
		out_sigset(value);
		break;
	case VALUE_CAPABILITIES:
		out_capabilities(value);
		break;
	case VALUE_RIGHTS:
		out_rights(value);
		break;
	case VALUE_BITS:
		out_bits(value);
		break;
	}
}

void fields_print(const struct fields *fields, unsigned int first)
{
	const struct fields_style *style = fields->style;
	unsigned int i;

	out_str(style->begin);
	for (i = first; i < fields->count; i++) {
		if (i > first)
			out_str(style->between);
		if (style->is) {
			out_str(fields->field[i].name);
			out_str(style->is);
		}
		value_print(&fields->field[i].value);
	}
	out_str(style->end);
}
