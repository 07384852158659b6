// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What scripts/profile measures:
 *
 *	profile-work RUN KIND N		does KIND N times between the marks of run RUN (see profile-plugin.c), and prints
 *					the CPU time that each took; some times before that
 *	profile-work -r KIND N		the same without marks
 *	profile-work -c RUN COMMAND...	runs a command to its end between them
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WARM 50

static int in, out;
static char data[4096];

static void do_getppid(void)
{
	syscall(SYS_getppid);
}

static void do_rw1(void)
{
	(void)!read(in, data, 1);
	(void)!write(out, data, 1);
}

static void do_rw4k(void)
{
	(void)!read(in, data, sizeof(data));
	(void)!write(out, data, sizeof(data));
}

static void do_stat(void)
{
	struct stat st;

	(void)!stat("/usr/bin/env", &st);
}

static void do_utrace(void)
{
	(void)!utrace(data, 64);
}

/* What the kernel takes for writing a trace file: in pieces of the writer's size. */
static void do_append(void)
{
	static char piece[256 << 10];
	static int file;

	if (!file)
		file = open("appended", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
	(void)!write(file, piece, sizeof(piece));
}

static void do_exec(void)
{
	pid_t pid = fork();

	if (!pid) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static const struct {
	const char *name;
	void (*once)(void);
} kinds[] = {
	{ "getppid", do_getppid }, { "rw1", do_rw1 },	    { "rw4k", do_rw4k },
	{ "stat", do_stat },	   { "utrace", do_utrace }, { "exec", do_exec },
	{ "append", do_append },
};

/* The number of a mark is in its code, so they are written here: a nop and a return. */
static void (*mark[2])(void);

static void make_marks(unsigned int run)
{
	uint8_t code[2][9] = { { 0x0f, 0x1f, 0x84, 0, run, run >> 8, 0x74, 0x6b, 0xc3 },
			       { 0x0f, 0x1f, 0x84, 0, 0, 0, 0x74, 0x6b, 0xc3 } };
	uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	if (page == MAP_FAILED)
		exit(2);
	for (i = 0; i < 2; i++) {
		memcpy(page + 16 * i, code[i], sizeof(code[i]));
		mark[i] = (void (*)(void))(uintptr_t)(page + 16 * i);
	}
}

static uint64_t used(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

static int command(char **argv)
{
	pid_t pid;
	int status;

	mark[0]();
	pid = fork();
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	mark[1]();
	return status != 0;
}

int main(int argc, char **argv)
{
	bool quiet = argc > 1 && !strcmp(argv[1], "-r");
	void (*once)(void) = NULL;
	uint64_t before, after;
	long i, n;

	if (argc > 3 && !strcmp(argv[1], "-c")) {
		make_marks(atoi(argv[2]));
		return command(argv + 3);
	}
	if (argc != 4)
		return 2;
	make_marks(quiet ? 0xffff : atoi(argv[1]));
	n = atol(argv[3]);
	for (i = 0; i < (long)(sizeof(kinds) / sizeof(kinds[0])); i++)
		if (!strcmp(kinds[i].name, argv[2]))
			once = kinds[i].once;
	in = open("/dev/zero", O_RDONLY);
	out = open("/dev/null", O_WRONLY);
	if (!once || in < 0 || out < 0)
		return 2;
	memset(data, 'x', sizeof(data));
	for (i = 0; i < WARM && i < n; i++)
		once();
	if (!quiet)
		mark[0]();
	before = used(CLOCK_PROCESS_CPUTIME_ID);
	for (i = 0; i < n; i++)
		once();
	after = used(CLOCK_PROCESS_CPUTIME_ID);
	if (!quiet)
		mark[1]();
	if (!quiet)
		printf("own %s %s %.1f\n", argv[1], argv[2], (double)(after - before) / n);
	return 0;
}
