// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * records [-t] FILE...: how many records trace files have, each a whole one of a type that there is; with -t their times
 * never go back. For files that are too large for ktparse.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ktrace_format.h"
#include "sys/ktrace.h"

#define TYPES 17

static unsigned char payload[1 << 21];

/* Reads @len bytes; 0: the file is at its end; dies within a record. */
static int get(FILE *f, const char *name, void *to, size_t len, int may_end)
{
	size_t n = fread(to, 1, len, f);

	if (n == len)
		return 1;
	if (ferror(f) || n || !may_end)
		errx(1, "%s: its last record is cut off", name);
	return 0;
}

static unsigned long count(const char *name, int in_time)
{
	struct ktrace_header_v1 h;
	int64_t last = 0, now;
	unsigned long n = 0;
	FILE *f = fopen(name, "r");

	if (!f)
		err(1, "%s", name);
	while (get(f, name, &h, sizeof(struct ktrace_header_v0), 1)) {
		int v1 = h.type & KTR_VERSIONED, type = h.type & ~KTR_TYPE;
		const size_t v0_size = sizeof(struct ktrace_header_v0);

		if (v1)
			get(f, name, (char *)&h + v0_size, sizeof(h) - v0_size, 0);
		if (type < 1 || type > TYPES || h.len < 0 || h.len > (int)sizeof(payload))
			errx(1, "%s: record %lu has type %d, length %d", name, n, type, h.len);
		get(f, name, payload, h.len, 0);
		/* Nanoseconds in one version, microseconds in the other. */
		now = h.sec * 1000000 + (v1 ? h.nsec / 1000 : h.nsec);
		if (in_time && now < last)
			errx(1, "%s: record %lu: time goes back", name, n);
		last = now;
		n++;
	}
	fclose(f);
	return n;
}

int main(int argc, char **argv)
{
	int in_time = argc > 1 && !strcmp(argv[1], "-t");
	unsigned long n = 0;

	for (int i = 1 + in_time; i < argc; i++)
		n += count(argv[i], in_time);
	printf("%lu\n", n);
	return 0;
}
