// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "seconds.h"

#include <string.h>

#define NSEC_PER_SEC  1000000000
#define NSEC_PER_USEC 1000

/* @digits of them at least; they end at @end.  Returns where they begin. */
static char *put(char *end, uint64_t value, unsigned int digits)
{
	for (; value || digits; value /= 10) {
		*--end = '0' + value % 10;
		if (digits)
			digits--;
	}
	return end;
}

void seconds_text(char text[SECONDS_SIZE], int64_t ns, bool nanoseconds)
{
	uint64_t magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	uint64_t sec = magnitude / NSEC_PER_SEC, fraction = magnitude % NSEC_PER_SEC;
	char *end = text + SECONDS_SIZE, *p = end;

	*--p = '\0';
	if (nanoseconds)
		p = put(p, fraction, 9);
	else
		p = put(p, fraction / NSEC_PER_USEC, 6);
	*--p = '.';
	p = put(p, sec, 1);
	if (ns < 0)
		*--p = '-';
	memmove(text, p, end - p);
}
