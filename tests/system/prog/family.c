// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * family SIBLINGS DEPTH: a process group of siblings, and beside them a chain, each process the child of the one before, in
 * a group of its own. Prints both groups when all are there, and sleeps. What kills both groups ends it all.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void sleep_for_ever(void)
{
	for (;;)
		pause();
}

static pid_t sibling(pid_t group)
{
	pid_t pid = fork();

	if (pid == 0)
		sleep_for_ever();
	if (pid < 0 || setpgid(pid, group)) {
		perror("family");
		exit(1);
	}
	return pid;
}

int main(int argc, char **argv)
{
	int siblings = argc == 3 ? atoi(argv[1]) : 0, depth = argc == 3 ? atoi(argv[2]) : 0,
	    ready[2];
	pid_t group = sibling(0), chain;
	char done;

	if (pipe(ready))
		return 1;
	while (--siblings > 0)
		sibling(group);
	chain = fork();
	if (chain == 0) {
		setpgid(0, 0);
		while (--depth > 0)
			if (fork() > 0)
				sleep_for_ever();
		(void)!write(ready[1], "x", 1);
		sleep_for_ever();
	}
	if (chain < 0 || read(ready[0], &done, 1) != 1)
		return 1;
	printf("%d %d\n", (int)group, (int)chain);
	fflush(stdout);
	sleep_for_ever();
}
