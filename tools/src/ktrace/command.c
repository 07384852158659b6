// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Is there such a command?  Asked before a trace file is replaced for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno;
	if (!S_ISREG(st.st_mode))
		return EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) ? errno : 0;
}

int command_find(const char *name, char file[PATH_MAX])
{
	const char *path = getenv("PATH");
	char standard[PATH_MAX];
	int error = ENOENT;

	if (!*name)
		return ENOENT;
	if (strlen(name) >= PATH_MAX)
		return ENAMETOOLONG;
	if (strchr(name, '/')) {
		strcpy(file, name);
		return check_file(name);
	}
	if (!path) {
		confstr(_CS_PATH, standard, sizeof(standard));
		path = standard;
	}
	for (;;) {
		int len = strcspn(path, ":");
		int n = snprintf(file, PATH_MAX, "%.*s%s%s", len, path, len ? "/" : "", name);

		if (n < PATH_MAX) {
			int e = check_file(file);

			if (!e)
				return 0;
			if (e == EACCES)
				error = EACCES;
		}
		if (!path[len])
			return error;
		path += len + 1;
	}
}
