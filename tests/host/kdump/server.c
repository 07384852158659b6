// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Runs kdump or ktrdump many times in a build with sanitizers, each in a child:
 * starting such a program takes far longer than forking one.
 *
 * usage: server STDOUT STDERR
 *
 * Each line on standard input is the arguments of a run, separated by tabs.
 * Its output is then in the two files, and the answer is a line with its status
 * as wait(2) has it. main.c is compiled with -Dmain=tool_main.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGS     256
#define RUN_SECONDS  20
#define OUTPUT_LIMIT (256UL << 20)

int tool_main(int argc, char **argv);

static void redirect(int fd, const char *path, int flags)
{
	int file = open(path, flags, 0600);

	if (file < 0 || dup2(file, fd) < 0)
		_exit(125);
	close(file);
}

static int split(char *line, char **argv)
{
	char *next, *p = line;
	int argc = 0;

	line[strcspn(line, "\n")] = '\0';
	argv[argc++] = (char *)"kdump";
	while (*p && argc < MAX_ARGS - 1 && (next = strsep(&p, "\t")) != NULL) {
		argv[argc++] = next;
		if (!p)
			break;
	}
	argv[argc] = NULL;
	return argc;
}

static void __attribute__((noreturn)) child(char *line, char **files)
{
	const struct rlimit limit = { OUTPUT_LIMIT, OUTPUT_LIMIT };
	char *argv[MAX_ARGS];
	int argc = split(line, argv);

	redirect(0, "/dev/null", O_RDONLY);
	redirect(1, files[0], O_WRONLY | O_CREAT | O_TRUNC);
	redirect(2, files[1], O_WRONLY | O_CREAT | O_TRUNC);
	setrlimit(RLIMIT_FSIZE, &limit);
	alarm(RUN_SECONDS);
	exit(tool_main(argc, argv));
}

int main(int argc, char **argv)
{
	char line[4096];

	if (argc != 3)
		return 2;
	while (fgets(line, sizeof(line), stdin)) {
		int status;
		pid_t pid = fork();

		if (pid == 0)
			child(line, argv + 1);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return 1;
		printf("%d\n", status);
		fflush(stdout);
	}
	return 0;
}
