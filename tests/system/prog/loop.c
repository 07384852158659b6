// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* loop CALLS [PROCESSES [THREADS]]: that many getppid calls in each thread of each process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long calls;

static void *run(void *arg)
{
	for (long i = 0; i < calls; i++)
		syscall(SYS_getppid);
	return NULL;
}

static void process(int threads)
{
	pthread_t id[64];

	for (int i = 1; i < threads; i++) {
		if (pthread_create(&id[i], NULL, run, NULL))
			exit(1);
	}
	run(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(id[i], NULL);
}

int main(int argc, char **argv)
{
	int processes = argc > 2 ? atoi(argv[2]) : 0;
	int threads = argc > 3 ? atoi(argv[3]) : 1;
	int status, bad = 0;

	calls = argc > 1 ? atol(argv[1]) : 0;
	if (!processes) {
		process(threads);
		return 0;
	}
	for (int i = 0; i < processes; i++) {
		if (fork() == 0) {
			process(threads);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		bad |= status;
	return bad != 0;
}
