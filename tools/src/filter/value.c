// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "filter/value.h"

#include <ctype.h>
#include <string.h>

#define NSEC_PER_SEC INT64_C(1000000000)

/*
 * Decimal digits, perhaps with a fraction, times @unit; what is smaller than
 * 1 is cut off.  Returns where it ends, or NULL.
 */
static const char *decimal(const char *p, int64_t unit, int64_t *value)
{
	int64_t number = 0;

	if (!isdigit((unsigned char)*p))
		return NULL;
	for (; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, *p - '0', &number))
			return NULL;
	if (__builtin_mul_overflow(number, unit, &number))
		return NULL;
	if (*p == '.' && isdigit((unsigned char)p[1])) {
		for (p++; isdigit((unsigned char)*p); p++) {
			unit /= 10;
			if (__builtin_add_overflow(number, (*p - '0') * unit, &number))
				return NULL;
		}
	}
	*value = number;
	return p;
}

bool value_number(const char *text, int64_t *number)
{
	const char *end = decimal(text, 1, number);

	return end && *end == '\0' && !strchr(text, '.');
}

bool value_duration(const char *text, int64_t *ns)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", NSEC_PER_SEC },
		{ "m", 60 * NSEC_PER_SEC },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const char *end = decimal(text, units[i].ns, ns);

		if (end && strcmp(end, units[i].name) == 0)
			return true;
	}
	return false;
}

/* One end of a range, up to @end. */
static bool point(const char *text, const char *end, bool absolute, int64_t *ns)
{
	if (absolute && *text++ != '@')
		return false;
	return decimal(text, NSEC_PER_SEC, ns) == end;
}

bool value_time_range(const char *text, struct time_range *range)
{
	const char *dots = strstr(text, ".."), *to;

	if (!dots)
		return false;
	to = dots + 2;
	*range = (struct time_range){
		.absolute = !!strchr(text, '@'),
		.from = INT64_MIN,
		.to = INT64_MAX,
	};
	if (dots > text && !point(text, dots, range->absolute, &range->from))
		return false;
	if (*to && !point(to, to + strlen(to), range->absolute, &range->to))
		return false;
	return (dots > text || *to) && range->from <= range->to;
}
