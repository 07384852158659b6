// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * newborn: until it is killed, children that can be found for long before fork() is done with them. They share its memory
 * (CLONE_VM): so that they take over its oom_score_adj, fork() waits for a mutex that three threads take in turn.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *adjust(void *arg)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY);

	while (fd >= 0)
		if (pwrite(fd, "0", 1, 0) != 1)
			break;
	perror("newborn: oom_score_adj");
	return NULL;
}

static int child(void *arg)
{
	syscall(SYS_getppid);
	syscall(SYS_exit_group, 0);
	return 0;
}

int main(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	pthread_t id;
	pid_t pid;
	int i;

	for (i = 0; i < 3; i++)
		if (pthread_create(&id, NULL, adjust, NULL))
			return 1;
	puts("ready");
	fflush(stdout);
	do
		pid = clone(child, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	while (pid > 0 && waitpid(pid, NULL, 0) == pid);
	perror("newborn: clone");
	return 1;
}
