// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* life MODE: processes and threads that come and go in every way. Prints "NAME NUMBER" lines of who they were. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;

static void die(const char *what)
{
	perror(what);
	exit(98);
}

static int in_child(void *arg)
{
	syscall(SYS_getppid);
	return (int)(intptr_t)arg;
}

static void reap(pid_t pid, const char *name)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, __WALL) != pid)
		die(name);
	printf("%s %d\n", name, pid);
}

static void clones(void)
{
	static const struct {
		const char *name;
		int flags;
	} variants[] = {
		{ "plain", SIGCHLD },
		{ "no-signal", 0 },
		{ "vm", CLONE_VM | SIGCHLD },
		{ "vm-vfork", CLONE_VM | CLONE_VFORK | SIGCHLD },
		{ "files", CLONE_FS | CLONE_FILES | SIGCHLD },
		{ "sighand", CLONE_VM | CLONE_SIGHAND | SIGCHLD },
		{ "newpid", CLONE_NEWPID | SIGCHLD },
	};
	char *stack = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	uint64_t args[11] = { 0 };
	pid_t pid;

	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		pid = clone(in_child, stack + (1 << 20), variants[i].flags, (void *)3);
		if (pid < 0 && errno == EPERM)
			continue;
		reap(pid, variants[i].name);
	}
	args[4] = SIGCHLD;
	pid = syscall(SYS_clone3, args, 64);
	if (pid == 0)
		_exit(in_child((void *)4));
	reap(pid, "clone3");
	pid = fork();
	if (pid == 0)
		_exit(in_child((void *)5));
	reap(pid, "fork");
	pid = vfork();
	if (pid == 0)
		_exit(6);
	reap(pid, "vfork");
	pid = vfork();
	if (pid == 0) {
		execl("/bin/true", "true", NULL);
		_exit(127);
	}
	reap(pid, "vfork-exec");
}

static pthread_barrier_t barrier;

static void *thread(void *arg)
{
	long n = (long)arg;

	pthread_barrier_wait(&barrier);
	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
	return NULL;
}

static void *slow_thread(void *arg)
{
	char path[64], line[256];
	FILE *f;

	/* until the leader is a zombie */
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", getpid(), getpid());
	do {
		f = fopen(path, "r");
		if (!f || !fgets(line, sizeof(line), f))
			die(path);
		fclose(f);
	} while (!strstr(line, ") Z"));
	for (int i = 0; i < 50; i++)
		syscall(SYS_getppid);
	printf("thread %d\n", (int)syscall(SYS_gettid));
	fflush(stdout);
	return NULL;
}

static void threads(int count, long calls)
{
	pthread_t id[1000];

	pthread_barrier_init(&barrier, NULL, count);
	for (int i = 0; i < count; i++) {
		if (pthread_create(&id[i], NULL, thread, (void *)calls))
			die("pthread_create");
	}
	for (int i = 0; i < count; i++)
		pthread_join(id[i], NULL);
}

static void *exec_thread(void *arg)
{
	printf("thread %d\n", (int)syscall(SYS_gettid));
	fflush(stdout);
	execl(self, self, "after-exec", NULL);
	die("execl");
	return NULL;
}

static void *exit_thread(void *arg)
{
	syscall(SYS_exit_group, 5);
	return NULL;
}

static void *wait_forever(void *arg)
{
	for (;;)
		pause();
	return NULL;
}

/* One level of a storm: children that exit, exec or die, all at once. */
static void storm(int count)
{
	pid_t pids[1000];
	int status;

	for (int i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			syscall(SYS_getppid);
			if (i % 4 == 0)
				execl("/bin/true", "true", NULL);
			if (i % 4 == 1)
				kill(getpid(), SIGKILL);
			if (i % 4 == 2 && fork() == 0)
				_exit(0);
			_exit(i % 100);
		}
		if (pids[i] < 0)
			die("fork");
	}
	for (int i = 0; i < count; i++) {
		waitpid(pids[i], &status, 0);
		printf("child %d\n", pids[i]);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	char number[16];
	pthread_t id;

	self = argv[0];
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(mode, "clones")) {
		clones();
	} else if (!strcmp(mode, "threads")) {
		threads(atoi(argv[2]), atol(argv[3]));
	} else if (!strcmp(mode, "vfork-sleep")) {
		/* the child neither execs nor exits: the parent sleeps in a way that few signals end */
		if (vfork() == 0) {
			(void)!write(1, "ready\n", 6);
			for (;;)
				pause();
		}
	} else if (!strcmp(mode, "leader-first")) {
		pthread_create(&id, NULL, slow_thread, NULL);
		pthread_exit(NULL);
	} else if (!strcmp(mode, "exec")) {
		snprintf(number, sizeof(number), "%d", atoi(argv[2]) - 1);
		if (atoi(argv[2]))
			execl(self, self, "exec", number, NULL);
	} else if (!strcmp(mode, "exec-thread")) {
		pthread_create(&id, NULL, wait_forever, NULL);
		pthread_create(&id, NULL, exec_thread, NULL);
		wait_forever(NULL);
	} else if (!strcmp(mode, "after-exec")) {
		syscall(SYS_getppid);
	} else if (!strcmp(mode, "exit-thread")) {
		pthread_create(&id, NULL, wait_forever, NULL);
		pthread_create(&id, NULL, exit_thread, NULL);
		wait_forever(NULL);
	} else if (!strcmp(mode, "storm")) {
		storm(atoi(argv[2]));
	} else if (!strcmp(mode, "forever")) {
		/* a storm without end */
		for (;;) {
			pid_t pid = fork();

			if (pid == 0) {
				execl("/bin/true", "true", NULL);
				_exit(127);
			}
			if (fork() == 0)
				_exit(0);
			while (waitpid(-1, NULL, 0) > 0)
				;
		}
	} else {
		return 97;
	}
	return 0;
}
