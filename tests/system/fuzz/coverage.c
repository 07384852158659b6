// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What of the modules a sequence reached, by the kernel's KCOV, if it has that: then both modules, and nothing else, are
 * compiled for it. Without it nothing is ever new.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "fuzz.h"

#define KCOV_INIT_TRACE _IOR('c', 1, unsigned long)
#define KCOV_ENABLE	_IO('c', 100)
#define KCOV_TRACE_PC	0
#define WORDS		(1 << 17)
#define SEEN		(1 << 16)

static int kcov = -1;
static unsigned long *area; /* the number of addresses, and they */
static unsigned long seen[SEEN]; /* a hash of those that were there before */
static size_t seen_nr;

/* coverage_init - as root */
void coverage_init(void)
{
	kcov = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
	if (kcov < 0)
		return;
	if (!ioctl(kcov, KCOV_INIT_TRACE, WORDS))
		area = mmap(NULL, WORDS * sizeof(*area), PROT_READ | PROT_WRITE, MAP_SHARED, kcov,
			    0);
	if (!area || area == MAP_FAILED)
		abort();
}

bool coverage_there(void)
{
	return area;
}

/* coverage_begin - in the process that will run a sequence, until it ends */
void coverage_begin(void)
{
	if (!area)
		return;
	__atomic_store_n(area, 0, __ATOMIC_RELAXED);
	if (ioctl(kcov, KCOV_ENABLE, KCOV_TRACE_PC))
		abort();
}

static bool is_new(unsigned long pc)
{
	size_t i = pc * 0x9e3779b97f4a7c15 >> 48;

	for (; seen[i]; i = (i + 1) % SEEN)
		if (seen[i] == pc)
			return false;
	if (seen_nr == SEEN - 1)
		return false;
	seen[i] = pc;
	seen_nr++;
	return true;
}

/* coverage_new - how many addresses the last sequence was the first to reach */
size_t coverage_new(void)
{
	size_t n, fresh = 0;

	if (!area)
		return 0;
	n = __atomic_load_n(area, __ATOMIC_RELAXED);
	for (size_t i = 1; i <= n && i < WORDS; i++)
		fresh += is_new(area[i]);
	return fresh;
}

size_t coverage_all(void)
{
	return seen_nr;
}
