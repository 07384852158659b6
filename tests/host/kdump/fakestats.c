// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A /dev/ktrace for kdump on a machine without the module, preloaded: it tells
 * the sessions and processes that are in the file of $FAKE_STATS, as two
 * numbers of 64 bits.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ktrace_ioctl.h"

static int device = -1;

static int open_file(const char *path, int flags, int mode)
{
	int fd;

	if (strcmp(path, KTRACE_DEVICE) != 0)
		return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	fd = syscall(SYS_openat, AT_FDCWD, getenv("FAKE_STATS"), O_RDONLY | O_CLOEXEC, 0);
	device = fd;
	return fd;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int ioctl(int fd, unsigned long request, ...)
{
	struct ktrace_ioc_stats *stats;
	uint64_t numbers[2];
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (fd != device || _IOC_TYPE(request) != KTRACE_IOC_MAGIC)
		return syscall(SYS_ioctl, fd, request, arg);
	if (request != KTRACE_IOC_STATS)
		return 0;
	stats = arg;
	if (pread(fd, numbers, sizeof(numbers), 0) != sizeof(numbers)) {
		errno = EIO;
		return -1;
	}
	stats->sessions = numbers[0];
	stats->processes = numbers[1];
	return 0;
}
