// SPDX-License-Identifier: GPL-2.0
#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "message.h"

/* No number needs more than 64 binary digits; nobody reads wider columns. */
#define DIGITS_MOST 64
#define WIDTH_MOST  128

/**
 * struct out - text that is being made
 * @to: where
 * @size: its bytes, of which the last is for the NUL
 * @len: what is there
 */
struct out {
	char *to;
	u32 size;
	u32 len;
};

static void put(struct out *out, char c)
{
	if (out->len + 1 < out->size)
		out->to[out->len++] = c;
}

static void put_times(struct out *out, char c, int n)
{
	while (n-- > 0)
		put(out, c);
}

/*
 * Users have a say in strings: what is no printable ASCII becomes \ooo, as the kernel's
 * log has it.
 */
static void put_safe(struct out *out, char c)
{
	u8 byte = c;

	if (byte >= ' ' && byte < 0x7f) {
		put(out, c);
		return;
	}
	put(out, '\\');
	put(out, '0' + (byte >> 6));
	put(out, '0' + (byte >> 3 & 7));
	put(out, '0' + (byte & 7));
}

static void put_text(struct out *out, const char *text)
{
	while (*text)
		put_safe(out, *text++);
}

/** struct conversion - what is between % and the letter, -1: not there */
struct conversion {
	bool left, plus, blank, alternate, zero;
	int width;
	int precision;
	int bits; /* of an integer */
	char letter;
};

/* The digits of a number, from the end of @digits; returns how many. */
static int to_digits(u64 value, unsigned int base, bool upper, char *digits)
{
	const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	int n = 0;

	for (; value; value /= base)
		digits[DIGITS_MOST - ++n] = set[value % base];
	return n;
}

/* A number with a prefix, which may be empty: padded with blanks, prefix, zeros. */
static void put_number(struct out *out, const struct conversion *c, const char *prefix, u64 value,
		       unsigned int base)
{
	char digits[DIGITS_MOST];
	int n = to_digits(value, base, c->letter == 'X', digits);
	int room = c->width - (int)strlen(prefix) - n;
	int zeros = c->precision >= 0 ? c->precision - n : !n;

	if (c->zero && !c->left && c->precision < 0)
		zeros = max(zeros, room);
	zeros = max(zeros, 0);
	if (!c->left)
		put_times(out, ' ', room - zeros);
	while (*prefix)
		put(out, *prefix++);
	put_times(out, '0', zeros);
	for (; n; n--)
		put(out, digits[DIGITS_MOST - n]);
	if (c->left)
		put_times(out, ' ', room - zeros);
}

static void put_signed(struct out *out, const struct conversion *c, s64 value)
{
	const char *sign = c->plus ? "+" : c->blank ? " " : "";

	put_number(out, c, value < 0 ? "-" : sign, value < 0 ? -(u64)value : value, 10);
}

static void put_string(struct out *out, const struct conversion *c, const char *text, u32 most)
{
	int n = strnlen(text, c->precision < 0 ? most : min_t(u32, c->precision, most)), i;

	if (!c->left)
		put_times(out, ' ', c->width - n);
	for (i = 0; i < n; i++)
		put_safe(out, text[i]);
	if (c->left)
		put_times(out, ' ', c->width - n);
}

/* The string that a slot has for a parameter. */
static void put_parm_string(struct out *out, const struct conversion *c,
			    const struct ktr_slot *slot, unsigned int parm)
{
	u32 before, at = 0;

	if (parm >= KTR_STREAM_PARMS || !(slot->strings & 1U << parm)) {
		put_string(out, c, "?", 1);
		return;
	}
	before = hweight32(slot->strings & ((1U << parm) - 1));
	while (before && at < KTR_SLOT_TEXT)
		before -= !slot->text[at++];
	put_string(out, c, slot->text + at, KTR_SLOT_TEXT - at);
}

/* Parameters that are taken one after the other. */
struct parms {
	const struct ktr_slot *slot;
	unsigned int next;
};

static u64 next_parm(struct parms *parms)
{
	unsigned int parm = parms->next++;

	return parm < KTR_STREAM_PARMS ? parms->slot->entry.parms[parm] : 0;
}

static const char *parse_number(const char *p, struct parms *parms, int *number)
{
	if (*p == '*') {
		s32 given = next_parm(parms);

		*number = clamp(given, -WIDTH_MOST, WIDTH_MOST);
		return p + 1;
	}
	*number = 0;
	for (; *p >= '0' && *p <= '9'; p++)
		*number = min(*number * 10 + (*p - '0'), WIDTH_MOST);
	return p;
}

static const char *parse_length(const char *p, int *bits)
{
	*bits = 32;
	if (p[0] == 'h')
		*bits = p[1] == 'h' ? 8 : 16;
	else if (*p && strchr("ljqtz", *p))
		*bits = 64;
	while (*p && strchr("hljqtz", *p))
		p++;
	return p;
}

/* From behind the %; returns what follows the letter, or NULL if there is none. */
static const char *parse(const char *p, struct parms *parms, struct conversion *c)
{
	memset(c, 0, sizeof(*c));
	c->precision = -1;
	for (; *p && strchr("-+ #0", *p); p++) {
		c->left |= *p == '-';
		c->plus |= *p == '+';
		c->blank |= *p == ' ';
		c->alternate |= *p == '#';
		c->zero |= *p == '0';
	}
	p = parse_number(p, parms, &c->width);
	if (c->width < 0) {
		c->left = true;
		c->width = -c->width;
	}
	if (*p == '.')
		p = parse_number(p + 1, parms, &c->precision);
	p = parse_length(p, &c->bits);
	c->letter = *p;
	return *p ? p + 1 : NULL;
}

static u64 unsigned_of(const struct conversion *c, u64 value)
{
	return c->bits == 64 ? value : value & ((1ULL << c->bits) - 1);
}

static s64 signed_of(const struct conversion *c, u64 value)
{
	return (s64)(value << (64 - c->bits)) >> (64 - c->bits);
}

static void convert(struct out *out, const struct conversion *c, struct parms *parms)
{
	const char *prefix = c->letter == 'X' ? "0X" : "0x";
	u64 value;

	if (c->letter == '%') {
		put(out, '%');
		return;
	}
	if (c->letter == 's') {
		put_parm_string(out, c, parms->slot, parms->next++);
		return;
	}
	value = next_parm(parms);
	switch (c->letter) {
	case 'd':
	case 'i':
		put_signed(out, c, signed_of(c, value));
		break;
	case 'u':
		put_number(out, c, "", unsigned_of(c, value), 10);
		break;
	case 'o':
		value = unsigned_of(c, value);
		put_number(out, c, c->alternate && value ? "0" : "", value, 8);
		break;
	case 'c':
		put_safe(out, value);
		break;
	case 'p':
		put_number(out, c, "0x", value, 16);
		break;
	case 'b': /* The names of its bits, or what goes between bytes, are another parameter. */
	case 'D':
		parms->next++;
		fallthrough;
	default:
		value = unsigned_of(c, value);
		put_number(out, c, c->alternate && value ? prefix : "", value, 16);
	}
}

static void put_message(struct out *out, const char *format, const struct ktr_slot *slot)
{
	struct parms parms = { .slot = slot };
	struct conversion c;

	while (format && *format) {
		if (*format != '%') {
			put_safe(out, *format++);
			continue;
		}
		format = parse(format + 1, &parms, &c);
		if (format)
			convert(out, &c, &parms);
	}
}

/**
 * ktr_message - the message of an event
 * @format: as for printf(9): d i u o x X c s p b D, with flags, width, precision
 *	and length; other letters are as x
 * @slot: the event, unchanged meanwhile
 * @to: gets it, printable and with a NUL
 * @size: bytes of @to, not 0
 *
 * Context: any.  Return: its length.
 */
u32 ktr_message(const char *format, const struct ktr_slot *slot, char *to, u32 size)
{
	struct out out = { .to = to, .size = size };

	put_message(&out, format, slot);
	to[out.len] = '\0';
	return out.len;
}

static void put_plain(struct out *out, u64 value, int digits)
{
	const struct conversion c = { .precision = digits };

	put_number(out, &c, "", value, 10);
}

static void put_place(struct out *out, const struct ktr_pool *pool,
		      const struct ktr_pool_format *format)
{
	const char *file = pool->text + format->file;

	while (!strncmp(file, "../", 3))
		file += 3;
	put_text(out, file);
	put(out, '.');
	put_plain(out, format->line, 1);
	put(out, ' ');
}

/**
 * ktr_message_line - an event as a line, without its end
 * @pool: where its format is
 * @slot: the event, unchanged meanwhile
 * @with: KTR_WITH_TIME: seconds since the machine started; KTR_WITH_PLACE: the
 *	name of the source file and the line
 * @to: gets it, printable and with a NUL
 * @size: bytes of @to, not 0
 *
 * Context: any.  Return: its length.
 */
u32 ktr_message_line(const struct ktr_pool *pool, const struct ktr_slot *slot, u32 with, char *to,
		     u32 size)
{
	const struct ktr_pool_format *format = ktr_pool_format(pool, slot->format);
	struct out out = { .to = to, .size = size };
	u64 time = slot->entry.timestamp;

	put_text(&out, "cpu");
	put_plain(&out, slot->entry.cpu, 1);
	put(&out, ' ');
	if (with & KTR_WITH_TIME) {
		put_plain(&out, time / 1000000000, 1);
		put(&out, '.');
		put_plain(&out, time % 1000000000, 9);
		put(&out, ' ');
	}
	if (format && with & KTR_WITH_PLACE)
		put_place(&out, pool, format);
	if (format)
		put_message(&out, pool->text + format->desc, slot);
	else
		put_text(&out, "(its format found no room)");
	to[out.len] = '\0';
	return out.len;
}
