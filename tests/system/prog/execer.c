// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * execer FILE: executes what the file says, each in a child of its own, to be traced with -i; prints for each the pid
 * and the status of the child (127: it could not be executed).
 *
 * FILE: for each child u32 how, u32 strings of argv, u32 strings of the environment; then, as u32 and bytes, the path
 * and these strings.
 */
#include "expect.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum how { FORK, VFORK, EXECVEAT, THREAD, NULL_ARGV };

/**
 * struct job - an exec
 */
struct job {
	uint32_t how;
	char *path;
	char **argv;
	char **envp;
};

static uint8_t *at, *last;

static uint32_t get_u32(void)
{
	uint32_t v;

	if (last - at < 4)
		die("FILE is too short");
	memcpy(&v, at, 4);
	at += 4;
	return v;
}

static char *get_string(void)
{
	uint32_t n = get_u32();
	char *s = calloc(n + 1, 1);

	if (!s || (size_t)(last - at) < n)
		die("FILE is too short");
	memcpy(s, at, n);
	at += n;
	return s;
}

static void load(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st))
		die(path);
	at = malloc(st.st_size + 1);
	if (!at || read(fd, at, st.st_size) != st.st_size)
		die(path);
	last = at + st.st_size;
	close(fd);
}

static char **get_vector(uint32_t n)
{
	char **v = calloc(n + 1, sizeof(*v));

	if (!v)
		die("memory");
	for (uint32_t i = 0; i < n; i++)
		v[i] = get_string();
	return v;
}

static void *execute(void *arg)
{
	const struct job *job = arg;

	if (job->how == EXECVEAT) {
		int fd = open(job->path, O_RDONLY | O_CLOEXEC);

		syscall(SYS_execveat, fd, "", job->argv, job->envp, AT_EMPTY_PATH);
	} else {
		syscall(SYS_execve, job->path, job->how == NULL_ARGV ? NULL : job->argv, job->envp);
	}
	_exit(127);
}

static pid_t start(struct job *job)
{
	pid_t pid = job->how == VFORK ? vfork() : fork();
	pthread_t thread;

	if (pid)
		return pid;
	if (job->how == THREAD) {
		/* The new image has the number of the process, whoever executes it. */
		if (pthread_create(&thread, NULL, execute, job))
			_exit(96);
		for (;;)
			pause();
	}
	execute(job);
	return 0;
}

int main(int argc, char **argv)
{
	struct job job;
	uint32_t n_argv, n_envp;
	int status;
	pid_t pid;

	if (argc < 2)
		return 97;
	load(argv[1]);
	while (at < last) {
		job.how = get_u32();
		n_argv = get_u32();
		n_envp = get_u32();
		job.path = get_string();
		job.argv = get_vector(n_argv);
		job.envp = get_vector(n_envp);
		pid = start(&job);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			die("child");
		printf("%d %d\n", pid, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
	}
	return 0;
}
