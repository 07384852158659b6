// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Random numbers, and pointers of every kind: good ones, to nowhere, to where a page ends, to what cannot be read. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#define PAGE 4096UL
#define GOOD 64 /* pages */

static uint8_t
	*good; /* GOOD pages, behind them one that is not there, and one that cannot be read */
static uint8_t *cold; /* pages that nobody has touched yet */

/* splitmix64 */
uint64_t rng_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static void *map(size_t pages)
{
	void *p = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);

	if (p == MAP_FAILED) {
		perror("fuzz: mmap");
		exit(99);
	}
	return p;
}

/* memory_init - for the children that run sequences: each has its own copy */
void memory_init(void)
{
	good = map(GOOD + 3);
	memset(good, 'x', GOOD * PAGE);
	munmap(good + GOOD * PAGE, PAGE);
	mprotect(good + (GOOD + 1) * PAGE, PAGE, PROT_NONE);
	cold = map(GOOD);
}

/* memory_good - @len bytes that are there; now and then at the very end of what is */
void *memory_good(uint64_t *rng, size_t len)
{
	if (len >= GOOD * PAGE)
		return good;
	if (one_in(rng, 4))
		return good + GOOD * PAGE - len;
	return good + below(rng, GOOD * PAGE - len);
}

/* memory_pointer - to @len bytes, which perhaps are there */
void *memory_pointer(uint64_t *rng, size_t len)
{
	switch (below(rng, 16)) {
	case 0:
		return NULL;
	case 1:
		return (void *)rng_next(rng);
	case 2:
		return (void *)(0xffffffff80000000 + below(rng, 1 << 24)); /* the kernel's */
	case 3:
		return (void *)(0x7ffffffff000 - below(rng, 64)); /* the end of user space */
	case 4:
		return good + GOOD * PAGE - below(rng, len + 2); /* some of it is there */
	case 5:
		return good + (GOOD + 1) * PAGE + below(rng, PAGE); /* not to be read */
	case 6:
		return cold + below(rng, GOOD) * PAGE - below(rng, 16);
	default:
		return memory_good(rng, len);
	}
}

/* memory_put - writes @from where it can be written */
void memory_put(void *to, const void *from, size_t len)
{
	uint8_t *p = to;

	if ((p >= good && p + len <= good + GOOD * PAGE) ||
	    (p >= cold && p + len <= cold + GOOD * PAGE))
		memcpy(to, from, len);
}

/* memory_word - a number: small, large, or one that something ends at */
uint64_t memory_word(uint64_t *rng)
{
	static const uint64_t edges[] = { 0,	      1,	  2,	     7,		8,
					  127,	      128,	  2047,	     2048,	2049,
					  4095,	      4096,	  4097,	     65535,	65536,
					  131072,     131073,	  1 << 24,   INT32_MAX, 1U << 31,
					  UINT32_MAX, 1ULL << 32, INT64_MAX, UINT64_MAX };

	switch (below(rng, 4)) {
	case 0:
		return edges[below(rng, sizeof(edges) / sizeof(edges[0]))];
	case 1:
		return rng_next(rng);
	default:
		return below(rng, 64);
	}
}

/* memory_path - the name of a file: good for a trace in half of all cases */
const char *memory_path(uint64_t *rng)
{
	static const char *const odd[] = {
		"",
		"/",
		".",
		"folder",
		"fifo",
		"link",
		"nowhere/file",
		"folder/../a",
		"/dev/null",
		"/dev/ktrace",
		"/proc/self/mem",
		"/proc/self/comm",
		"/proc/self/fd/0",
		"/proc/self/exe",
		"/proc/self/fd",
		"unreadable",
		"/proc/self/attr/exec",
		"full/a",
		"/proc/sys/kern/ktrace/genio_size",
		"/sys/kernel/mm/ksm/run",
	};
	static char text[1100];
	char *to;

	if (one_in(rng, 2)) {
		snprintf(text, sizeof(text), "%c", "abcd"[below(rng, 4)]);
	} else if (one_in(rng, 8)) {
		size_t len = 1000 + below(rng, 60);

		memset(text, 'n', len);
		for (size_t i = 200; i < len; i += 200)
			text[i] = '/';
		text[len] = 0;
	} else {
		snprintf(text, sizeof(text), "%s", odd[below(rng, sizeof(odd) / sizeof(odd[0]))]);
	}
	to = memory_good(rng, strlen(text) + 1);
	strcpy(to, text);
	return one_in(rng, 16) ? memory_pointer(rng, strlen(text)) : to;
}
