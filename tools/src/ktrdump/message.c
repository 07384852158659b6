// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "message.h"

#include <string.h>

#include "decode/out.h"

#define MAX_WIDTH  512 /* of a field, and digits */
#define MAX_DIGITS 22 /* 64 bits in octal */

/* One conversion. */
struct spec {
	bool left, plus, space, alternate, zero;
	unsigned int width;
	bool has_precision;
	unsigned int precision;
	unsigned int bits; /* of an integer */
	char conversion;
};

struct state {
	const struct event *event;
	const char *p; /* in the format */
	const char *end;
	unsigned int parm; /* the next one */
};

static bool take_parm(struct state *state, uint64_t *value)
{
	if (state->parm == KTR_STREAM_PARMS)
		return false;
	*value = state->event->fixed.parms[state->parm++];
	return true;
}

static void pad(char c, size_t count)
{
	while (count--)
		out_char(c);
}

/* @len bytes that are safe, in a field. */
static void out_field(const struct spec *spec, const char *text, size_t len)
{
	size_t blanks = spec->width > len ? spec->width - len : 0;

	if (!spec->left)
		pad(' ', blanks);
	out_mem(text, len);
	if (spec->left)
		pad(' ', blanks);
}

/* Returns where the digits that end at @end begin. */
static char *put_digits(char *end, uint64_t value, unsigned int base, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	for (; value; value /= base)
		*--end = digits[value % base];
	return end;
}

/* A number with its sign or prefix, zeros and blanks. */
static void out_number(const struct spec *spec, const char *prefix, const char *digits, size_t len)
{
	size_t zeros = 0, before = strlen(prefix), blanks,
	       least = spec->has_precision ? spec->precision : 1;

	if (len < least)
		zeros = least - len;
	else if (spec->alternate && spec->conversion == 'o' && (len == 0 || digits[0] != '0'))
		zeros = 1;
	if (spec->zero && !spec->left && !spec->has_precision && before + zeros + len < spec->width)
		zeros = spec->width - before - len;
	blanks = before + zeros + len < spec->width ? spec->width - before - zeros - len : 0;
	if (!spec->left)
		pad(' ', blanks);
	out_str(prefix);
	pad('0', zeros);
	out_mem(digits, len);
	if (spec->left)
		pad(' ', blanks);
}

static void out_integer(const struct spec *spec, uint64_t value)
{
	bool is_signed = spec->conversion == 'd' || spec->conversion == 'i', negative;
	unsigned int base = 10, unused = 64 - spec->bits;
	char digits[MAX_DIGITS], *end = digits + sizeof(digits), *p;
	const char *prefix = "";

	value = value << unused >> unused;
	negative = is_signed && value >> (spec->bits - 1);
	if (negative)
		value = -(uint64_t)((int64_t)(value << unused) >> unused);
	if (spec->conversion == 'o')
		base = 8;
	else if (spec->conversion == 'x' || spec->conversion == 'X')
		base = 16;
	p = put_digits(end, value, base, spec->conversion == 'X');
	if (negative)
		prefix = "-";
	else if (is_signed && (spec->plus || spec->space))
		prefix = spec->plus ? "+" : " ";
	else if (base == 16 && spec->alternate && value)
		prefix = spec->conversion == 'X' ? "0X" : "0x";
	out_number(spec, prefix, p, end - p);
}

/* As FreeBSD's ktrdump shows it: NULL is 0x0. */
static void out_address(const struct spec *spec, uint64_t value)
{
	char digits[MAX_DIGITS], *end = digits + sizeof(digits), *p;
	struct spec plain = *spec;

	p = put_digits(end, value, 16, false);
	plain.conversion = 'x';
	out_number(&plain, "0x", p, end - p);
}

/* Escapes make it longer than the field; nothing is lost. */
static void out_string(const struct spec *spec, const struct bytes *string, bool cut)
{
	static const char more[] = "...";
	size_t len = string->len, total;

	if (spec->has_precision && spec->precision <= len) {
		len = spec->precision;
		cut = false;
	}
	total = len + (cut ? strlen(more) : 0);
	if (!spec->left && spec->width > total)
		pad(' ', spec->width - total);
	out_text(string->p, len);
	if (cut)
		out_str(more);
	if (spec->left && spec->width > total)
		pad(' ', spec->width - total);
}

/* A pointer whose string was not recorded. */
static void out_unknown_string(const struct spec *spec, uint64_t value)
{
	static const char null[] = "(null)";

	if (value) {
		out_char('(');
		out_hex(value);
		out_char(')');
	} else {
		out_field(spec, null, strlen(null));
	}
}

static void convert_string(struct state *state, const struct spec *spec, uint64_t value)
{
	unsigned int parm = state->parm - 1;
	const struct bytes *string = &state->event->strings[parm];

	if (string->p)
		out_string(spec, string, state->event->cut[parm]);
	else
		out_unknown_string(spec, value);
}

/* The names in the rest of %b's string, of bits that are set. */
static void out_bit_names(const char *p, const char *end, uint64_t value)
{
	char before = '<';

	while (p < end) {
		unsigned char bit = *p++;
		const char *name = p;

		while (p < end && (unsigned char)*p > ' ')
			p++;
		if (bit == 0 || bit > 32 || !(value >> (bit - 1) & 1))
			continue;
		out_char(before);
		out_text(name, p - name);
		before = ',';
	}
	if (before == ',')
		out_char('>');
}

/* A number, and a string: its base, then bits, counted from 1, and their names. */
static bool convert_bits(struct state *state, const struct spec *spec, uint64_t value)
{
	struct spec number = *spec;
	const struct bytes *names;
	uint64_t pointer;

	if (!take_parm(state, &pointer))
		return false;
	names = &state->event->strings[state->parm - 1];
	number.conversion = names->p && names->len && names->p[0] == 8 ? 'o' : 'x';
	if (names->p && names->len && names->p[0] == 10)
		number.conversion = 'u';
	out_integer(&number, value);
	if (names->p && names->len)
		out_bit_names(names->p + 1, names->p + names->len,
			      value << (64 - spec->bits) >> (64 - spec->bits));
	return true;
}

static bool convert(struct state *state, const struct spec *spec)
{
	uint64_t value;
	char c;

	if (spec->conversion == '%') {
		out_char('%');
		return true;
	}
	if (!spec->conversion || !strchr("diuxXopscb", spec->conversion) ||
	    !take_parm(state, &value))
		return false;
	switch (spec->conversion) {
	case 'b':
		return convert_bits(state, spec, value);
	case 'c':
		c = value;
		out_string(spec, &(struct bytes){ &c, 1 }, false);
		return true;
	case 'p':
		out_address(spec, value);
		return true;
	case 's':
		convert_string(state, spec, value);
		return true;
	default:
		out_integer(spec, value);
		return true;
	}
}

static char peek(const struct state *state)
{
	return state->p < state->end ? *state->p : '\0';
}

static bool parse_flag(struct spec *spec, char c)
{
	switch (c) {
	case '-':
		spec->left = true;
		return true;
	case '+':
		spec->plus = true;
		return true;
	case ' ':
		spec->space = true;
		return true;
	case '#':
		spec->alternate = true;
		return true;
	case '0':
		spec->zero = true;
		return true;
	default:
		return c == '\''; /* groups of digits: there are none in the C locale */
	}
}

/* Digits or "*"; false: there is no parameter for it. */
static bool parse_count(struct state *state, int64_t *count)
{
	uint64_t parm;

	*count = 0;
	if (peek(state) == '*') {
		state->p++;
		if (!take_parm(state, &parm))
			return false;
		*count = (int32_t)parm;
	}
	for (; peek(state) >= '0' && peek(state) <= '9'; state->p++)
		if (*count < MAX_WIDTH)
			*count = *count * 10 + (*state->p - '0');
	return true;
}

static unsigned int clamp(int64_t count)
{
	return count > MAX_WIDTH ? MAX_WIDTH : count;
}

/* Bits of what h, hh, l, ll, j, q, t, z and L say. */
static unsigned int parse_size(struct state *state)
{
	unsigned int bits = 32;

	for (; peek(state) && strchr("hljqtzL", peek(state)); state->p++) {
		if (*state->p != 'h')
			bits = 64;
		else
			bits = bits == 16 ? 8 : 16;
	}
	return bits;
}

/* Behind the "%"; false: a parameter lacks. */
static bool parse(struct state *state, struct spec *spec)
{
	int64_t count;

	*spec = (struct spec){ .bits = 32 };
	while (parse_flag(spec, peek(state)))
		state->p++;
	if (!parse_count(state, &count))
		return false;
	if (count < 0) {
		spec->left = true;
		count = -count;
	}
	spec->width = clamp(count);
	if (peek(state) == '.') {
		state->p++;
		if (!parse_count(state, &count))
			return false;
		spec->has_precision = count >= 0;
		if (count >= 0)
			spec->precision = clamp(count);
	}
	spec->bits = parse_size(state);
	spec->conversion = peek(state);
	if (state->p < state->end)
		state->p++;
	return true;
}

static void out_format(struct state *state)
{
	while (state->p < state->end) {
		const char *percent = memchr(state->p, '%', state->end - state->p);
		struct spec spec;

		if (!percent)
			percent = state->end;
		out_text(state->p, percent - state->p);
		if (percent == state->end)
			return;
		state->p = percent + 1;
		if (!parse(state, &spec) || !convert(state, &spec)) {
			out_text(percent, state->end - percent);
			return;
		}
	}
}

/* What there is to say without a format. */
static void out_bare(const struct event *event)
{
	unsigned int i;

	if (event->fixed.format)
		out_printf("(format %u is not in the stream)", event->fixed.format);
	else
		out_str("(no room was left for its format)");
	for (i = 0; i < KTR_STREAM_PARMS; i++) {
		out_char(' ');
		if (event->strings[i].p)
			out_text(event->strings[i].p, event->strings[i].len);
		else
			out_pointer(event->fixed.parms[i]);
	}
}

void message_out(const struct event *event)
{
	const struct format *format = event->format;
	struct state state = { .event = event };

	if (!format) {
		out_bare(event);
		return;
	}
	state.p = format->desc.p;
	state.end = state.p + format->desc.len;
	/* A line of its own it has anyway. */
	while (state.end > state.p && state.end[-1] == '\n')
		state.end--;
	out_format(&state);
	if (format->desc_cut)
		out_str("...");
}
