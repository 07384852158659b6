/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * How numbers are distributed, in bounded memory.
 *
 * A number is counted with others that begin with the same six binary digits,
 * so that what histogram_quantile() says is off by 1/64 of it at most; numbers
 * below 64, and the largest of all, are exact.
 */
#ifndef _KDUMP_HISTOGRAM_H_
#define _KDUMP_HISTOGRAM_H_

#include <stdint.h>

#define HISTOGRAM_OCTAVES 60

/* All zeros is an empty one. */
struct histogram {
	uint64_t count;
	uint64_t min, max; /* exact; if there are any */
	uint32_t *octave[HISTOGRAM_OCTAVES]; /* by size of the numbers; NULL: there are none */
};

void histogram_add(struct histogram *histogram, uint64_t number);

/*
 * histogram_quantile - the number that @percent of a hundred do not exceed
 *
 * That is the one of rank ceil(count * percent / 100) in ascending order; 0
 * when there are none.
 */
uint64_t histogram_quantile(const struct histogram *histogram, unsigned int percent);

/* histogram_clear - frees what it has, and makes it an empty one */
void histogram_clear(struct histogram *histogram);

#endif /* _KDUMP_HISTOGRAM_H_ */
