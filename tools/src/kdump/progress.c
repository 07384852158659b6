// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "progress.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "decode/out.h"
#include "options.h"

#define LEAST_SIZE   (8 << 20)
#define STEP	     (1 << 20) /* bytes, after which to look at the clock */
#define NSEC_PER_SEC INT64_C(1000000000)
#define DELAY	     (NSEC_PER_SEC / 2) /* before the first time */
#define INTERVAL     (NSEC_PER_SEC / 5)

uint64_t progress_next = UINT64_MAX;

static uint64_t size;
static int64_t start; /* nanoseconds */
static int64_t shown; /* the last time */

static int64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

void progress_begin(int fd)
{
	struct stat st;

	progress_next = UINT64_MAX;
	if (options.follow || !isatty(STDERR_FILENO) || isatty(STDOUT_FILENO))
		return;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < LEAST_SIZE)
		return;
	size = st.st_size;
	start = now();
	shown = start + DELAY - INTERVAL;
	progress_next = 0;
}

void progress_show(uint64_t offset, uint64_t records)
{
	int64_t time = now();

	progress_next = offset + STEP;
	if (time - shown < INTERVAL)
		return;
	shown = time;
	if (offset > size)
		size = offset; /* it has grown */
	out_status("%u %%, %llu records, %llu a second",
		   (unsigned int)((double)offset / (double)size * 100), (unsigned long long)records,
		   (unsigned long long)((double)records * NSEC_PER_SEC / (double)(time - start)));
}

void progress_end(void)
{
	progress_next = UINT64_MAX;
	out_status_end();
}
