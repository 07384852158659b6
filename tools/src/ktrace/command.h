/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KTRACE_COMMAND_H_
#define _KTRACE_COMMAND_H_

#include <limits.h>

/*
 * Finds the file that execvp() would execute for @name.  Returns 0, or the
 * errno that it would fail with.
 */
int command_find(const char *name, char file[PATH_MAX]);

#endif /* _KTRACE_COMMAND_H_ */
