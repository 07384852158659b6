// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A /dev/ktr for ktrdump on a machine without the module, preloaded: opening it
 * for the Nth time opens the file $FAKE_KTR.N, the last one for ever.  Without
 * that file open(2) fails with $FAKE_ERRNO.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int open(const char *path, int flags, ...);
int open64(const char *path, int flags, ...);

static int open_device(void)
{
	static int opened;
	const char *name = getenv("FAKE_KTR"), *error = getenv("FAKE_ERRNO");
	char path[4096];

	snprintf(path, sizeof(path), "%s.%d", name ? name : "", opened);
	if (access(path, R_OK) == 0)
		opened++;
	else
		snprintf(path, sizeof(path), "%s.%d", name ? name : "", opened - 1);
	if (access(path, R_OK) == 0)
		return openat(AT_FDCWD, path, O_RDONLY);
	errno = error ? atoi(error) : ENOENT;
	return -1;
}

int open(const char *path, int flags, ...)
{
	return strcmp(path, "/dev/ktr") == 0 ? open_device() : openat(AT_FDCWD, path, flags, 0666);
}

int open64(const char *path, int flags, ...)
{
	return open(path, flags);
}
