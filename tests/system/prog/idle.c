// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * idle [N]: says "ready" when it is about to sleep, and sleeps until it is killed. With N, it makes N getppid calls for
 * each SIGUSR1 and says "done".
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	sigset_t set;
	int signo;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	(void)!write(1, "ready\n", 6);
	for (;;) {
		if (sigwait(&set, &signo))
			return 1;
		for (long i = 0; i < n; i++)
			syscall(SYS_getppid);
		(void)!write(1, "done\n", 5);
	}
}
