// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "histogram.h"

#include <stdlib.h>
#include <string.h>

#include "decode/out.h"

/* Parts of an octave: after the highest binary digit, these many follow. */
#define DIGITS 5
#define PARTS  (1U << DIGITS)

/*
 * Octave 0 has the numbers below PARTS; octave n those from PARTS << (n - 1) on, in parts
 * of 1 << (n - 1).
 */
static unsigned int octave_of(uint64_t number)
{
	return number < PARTS ? 0 : 63 - __builtin_clzll(number) - DIGITS + 1;
}

static unsigned int part_of(uint64_t number, unsigned int octave)
{
	return octave ? (number >> (octave - 1)) - PARTS : number;
}

/* The number in the middle of a part. */
static uint64_t middle_of(unsigned int octave, unsigned int part)
{
	if (octave == 0)
		return part;
	return ((uint64_t)(PARTS + part) << (octave - 1)) + ((1ULL << (octave - 1)) - 1) / 2;
}

void histogram_add(struct histogram *histogram, uint64_t number)
{
	unsigned int octave = octave_of(number);
	uint32_t **parts = &histogram->octave[octave];
	uint32_t *part;

	if (!*parts)
		*parts = calloc(PARTS, sizeof(**parts));
	if (!*parts)
		die("out of memory");
	part = &(*parts)[part_of(number, octave)];
	if (*part == UINT32_MAX)
		return;
	(*part)++;
	if (histogram->count == 0 || number < histogram->min)
		histogram->min = number;
	if (number > histogram->max)
		histogram->max = number;
	histogram->count++;
}

uint64_t histogram_quantile(const struct histogram *histogram, unsigned int percent)
{
	/* ceil(count * percent / 100), without the product */
	uint64_t rank =
		histogram->count / 100 * percent + (histogram->count % 100 * percent + 99) / 100;
	uint64_t seen = 0, number = 0;
	unsigned int octave, part;

	if (rank == histogram->count)
		return histogram->max;
	for (octave = 0; octave < HISTOGRAM_OCTAVES && seen < rank; octave++) {
		const uint32_t *parts = histogram->octave[octave];

		for (part = 0; parts && part < PARTS && seen < rank; part++) {
			seen += parts[part];
			number = middle_of(octave, part);
		}
	}
	if (number < histogram->min)
		return histogram->min;
	return number < histogram->max ? number : histogram->max;
}

void histogram_clear(struct histogram *histogram)
{
	unsigned int i;

	for (i = 0; i < HISTOGRAM_OCTAVES; i++)
		free(histogram->octave[i]);
	memset(histogram, 0, sizeof(*histogram));
}
