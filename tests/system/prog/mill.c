// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mill SEED: until it is killed, processes and threads that come, call, execute, transfer and end, by random numbers. They
 * all stay in its process group. "mill leaf" is what it executes.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;
static unsigned int state;

static unsigned int below(unsigned int n)
{
	state = state * 1103515245 + 12345;
	return (state >> 16) % n;
}

static void calls(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void *thread(void *arg)
{
	calls((int)(long)arg);
	return NULL;
}

static void threads(void)
{
	pthread_t id[4];
	int n = 1 + below(4), i;

	for (i = 0; i < n; i++)
		if (pthread_create(&id[i], NULL, thread, (void *)(long)below(50)))
			break;
	while (i--)
		pthread_join(id[i], NULL);
}

static void transfer(void)
{
	static char buf[8192];
	int fds[2];

	if (pipe(fds))
		return;
	(void)!write(fds[1], buf, 1 + below(sizeof(buf)));
	(void)!read(fds[0], buf, 1 + below(sizeof(buf)));
	close(fds[0]);
	close(fds[1]);
}

static void child(void)
{
	calls(below(20));
	switch (below(6)) {
	case 0:
		kill(getpid(), SIGKILL);
		break;
	case 1:
		threads();
		break;
	case 2:
		execl(self, self, "leaf", NULL);
		break;
	case 3:
		transfer();
		break;
	case 4:
		if (fork() == 0)
			calls(below(20));
		break;
	}
	_exit(0);
}

static void turn(void)
{
	char seed[16];

	switch (below(8)) {
	case 0:
		if (vfork() == 0) {
			execl(self, self, "leaf", NULL);
			_exit(1);
		}
		break;
	case 1:
		threads();
		break;
	case 2:
		transfer();
		break;
	case 3:
		calls(below(200));
		break;
	case 4:
		if (below(8))
			break;
		snprintf(seed, sizeof(seed), "%u", below(1 << 15));
		execl(self, self, seed, NULL);
		break;
	default:
		if (fork() == 0)
			child();
	}
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc != 2)
		return 97;
	if (!strcmp(argv[1], "leaf")) {
		calls(3);
		return 0;
	}
	state = atoi(argv[1]);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (;;)
		turn();
}
