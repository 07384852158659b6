// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "seconds.h"

#include <stdio.h>

#define NSEC_PER_SEC  1000000000
#define NSEC_PER_USEC 1000

void seconds_text(char text[SECONDS_SIZE], int64_t ns, bool nanoseconds)
{
	uint64_t magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	unsigned long long sec = magnitude / NSEC_PER_SEC, fraction = magnitude % NSEC_PER_SEC;
	const char *sign = ns < 0 ? "-" : "";

	if (nanoseconds)
		snprintf(text, SECONDS_SIZE, "%s%llu.%09llu", sign, sec, fraction);
	else
		snprintf(text, SECONDS_SIZE, "%s%llu.%06llu", sign, sec, fraction / NSEC_PER_USEC);
}
