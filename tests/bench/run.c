// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * run COMMAND [ARG...]: runs it, and says on stderr what the whole machine spent until it had ended:
 *
 *	status N busy NANOSECONDS elapsed NANOSECONDS
 *
 * busy is the time that CPUs ran any task in, whoever's it was: /proc/schedstat has it to the nanosecond.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(125);
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The seventh number of each CPU's line. */
static long long busy(void)
{
	const struct timespec moment = { .tv_nsec = 1000 };
	unsigned long long sum = 0, n;
	char line[512];
	FILE *f;

	nanosleep(&moment, NULL); /* our own time is counted as we leave the CPU */
	f = fopen("/proc/schedstat", "re");
	if (!f)
		die("/proc/schedstat");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "cpu%*u %*u %*u %*u %*u %*u %*u %llu", &n) == 1)
			sum += n;
	}
	fclose(f);
	return sum;
}

int main(int argc, char **argv)
{
	long long elapsed, spent;
	int status;
	pid_t pid;

	if (argc < 2) {
		fputs("usage: run COMMAND [ARG...]\n", stderr);
		return 125;
	}
	spent = busy();
	elapsed = now();
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		die(argv[1]);
	}
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	elapsed = now() - elapsed;
	spent = busy() - spent;
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	fprintf(stderr, "status %d busy %lld elapsed %lld\n", status, spent, elapsed);
	return status;
}
