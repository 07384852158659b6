// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/random.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

/* The most that getrandom(2) gives in one piece. */
#define PIECE (256 / sizeof(uint64_t))

/*
 * Early at boot: from the bytes that the kernel gives to each program, one step of a
 * generator after the other.
 */
static void fill_from_start(uint64_t *words, size_t count)
{
	const void *start = (const void *)getauxval(AT_RANDOM);
	uint64_t state = 0;

	if (start)
		memcpy(&state, start, sizeof(state));
	while (count--) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		*words++ = state ^ state >> 29;
	}
}

void random_fill(uint64_t *words, size_t count)
{
	while (count) {
		size_t n = count < PIECE ? count : PIECE;

		if (getrandom(words, n * sizeof(*words), GRND_NONBLOCK) !=
		    (ssize_t)(n * sizeof(*words))) {
			fill_from_start(words, count);
			return;
		}
		words += n;
		count -= n;
	}
}
