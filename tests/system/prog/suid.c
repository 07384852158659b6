// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * suid N PLAIN SUID: execs SUID, a set-uid copy of it, which makes calls that are nobody's business, drops its
 * privileges and execs PLAIN again; N times.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char count[16];
	int n;

	if (argc != 4)
		return 99;
	n = atoi(argv[1]);
	if (geteuid() != getuid()) {
		for (int i = 0; i < 5; i++)
			syscall(SYS_getppid);
		snprintf(count, sizeof(count), "%d", n - 1);
		argv[1] = count;
		if (setresuid(getuid(), getuid(), getuid()))
			return 98;
		syscall(SYS_getppid);
		execv(argv[2], argv);
		return 97;
	}
	if (!n)
		return 0;
	execv(argv[3], argv);
	return 96;
}
