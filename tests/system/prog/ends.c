// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ends FILE watch COMMAND...: runs a command that traces its processes into FILE, and waits for all whose parents do not.
 * The moment one has been waited for, its PROCDTOR must be in the file. Prints how many it waited for, and of how many it
 * was not there.
 *
 * ends FILE seize COMMAND...: the same for the process whose number the command prints, which is killed under a debugger.
 *
 * What the command may do:
 *
 * ends - tree SEED	processes that begin and end in every way, decided by chance
 * ends - orphan	a process exits when its child has, without waiting for it; its own parent waits, and lives on
 * ends - ring		the same, and it has a thread of io_uring
 * ends - victim	a child, which prints its number
 * ends - parent FILE	children without end; their numbers go to FILE when they have been waited for
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ktrace_format.h>
#include <sys/ktrace.h>

#define DEPTH 4
#define KEPT  3 /* children of a parent at any time */

static void die(const char *what)
{
	perror(what);
	exit(98);
}

/*
 * Who waits.
 */

static uint8_t ended[1 << 22]; /* by pid: PROCDTORs that were not asked for yet */
static int trace;
static off_t seen;

/* Read what is new in the file: whole records, since that is how it grows. */
static void look(void)
{
	static char buf[1 << 16];
	struct ktrace_header_v0 h;
	ssize_t n;

	while ((n = pread(trace, buf, sizeof(buf), seen)) >= (ssize_t)sizeof(h)) {
		ssize_t at = 0;

		while (at + (ssize_t)sizeof(h) <= n) {
			memcpy(&h, buf + at, sizeof(h));
			if (h.type == KTR_PROCDTOR)
				ended[h.pid]++;
			at += sizeof(h) + h.len;
		}
		seen += at; /* perhaps beyond the buffer: a record's data is not looked at */
	}
}

static int missing(pid_t pid)
{
	look();
	if (!ended[pid])
		return 1;
	ended[pid]--;
	return 0;
}

static pid_t start(char **argv, int out)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (out >= 0)
			dup2(out, 1);
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid;
}

static void watch(char **argv)
{
	int waited = 0, bad = 0, status;
	pid_t pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	start(argv, -1);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		waited++;
		bad += missing(pid);
		if (WIFEXITED(status) && WEXITSTATUS(status) >= 97)
			exit(97);
	}
	printf("%d %d\n", waited, bad);
}

static void seize(char **argv)
{
	int out[2], status;
	pid_t victim;
	FILE *f;

	if (pipe(out))
		die("pipe");
	start(argv, out[1]);
	f = fdopen(out[0], "r");
	if (!f || fscanf(f, "%d", &victim) != 1 || ptrace(PTRACE_SEIZE, victim, 0, 0))
		die("seize");
	kill(victim, SIGKILL);
	if (waitpid(victim, &status, __WALL) != victim)
		die("waitpid");
	printf("1 %d\n", missing(victim));
	while (wait(&status) > 0)
		;
}

/*
 * Who ends.
 */

static unsigned int state;

static unsigned int chance(unsigned int n)
{
	return rand_r(&state) / 7 % n;
}

static void until_one_is_dead(void)
{
	siginfo_t info;

	waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
}

static void orphan(void (*before_exit)(void))
{
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0) {
		if (fork() == 0)
			_exit(0);
		until_one_is_dead();
		before_exit();
		_exit(0);
	}
	waitid(P_PID, pid, &info, WEXITED);
	/* Not the end of this one does it. */
	usleep(20000);
}

static void nothing(void)
{
}

/* A read that nobody ever answers, in a thread of io_uring. */
static void ring_thread(void)
{
	struct io_uring_params p = { 0 };
	int fd = syscall(__NR_io_uring_setup, 4, &p), ends[2];
	struct io_uring_sqe *sqe;
	static char byte;
	uint32_t *sq;

	if (fd < 0)
		return;
	sq = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	sqe = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
	if (sq == MAP_FAILED || sqe == MAP_FAILED || pipe(ends))
		return;
	sqe->opcode = IORING_OP_READ;
	sqe->flags = IOSQE_ASYNC;
	sqe->fd = ends[0];
	sqe->addr = (uintptr_t)&byte;
	sqe->len = 1;
	sq[p.sq_off.array / 4] = 0;
	__atomic_store_n(&sq[p.sq_off.tail / 4], 1, __ATOMIC_RELEASE);
	syscall(__NR_io_uring_enter, fd, 1, 0, 0, NULL, 0);
}

static void grow(int depth);

static void bear(int depth)
{
	unsigned int fate = chance(1 << 30);
	pid_t pid;

	if (depth == 0)
		return;
	if (chance(5) == 0) {
		pid = vfork();
		if (pid == 0) {
			execl("/bin/true", "true", NULL);
			_exit(96);
		}
		return;
	}
	pid = fork();
	if (pid == 0) {
		state = fate;
		grow(depth - 1);
		_exit(0);
	}
}

static void *thread(void *arg)
{
	unsigned int fate = (uintptr_t)arg;

	/* The C library's fork() is for programs whose threads end by its rules. */
	if (fate & 1 && syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0)
		syscall(SYS_exit_group, 0);
	if (fate & 2)
		until_one_is_dead();
	if (fate & 4)
		usleep(fate >> 8 & 255);
	if (fate & 8)
		syscall(SYS_exit_group, 0);
	return NULL;
}

/* A process: its children, how it waits for them, its threads, and its end. */
static void grow(int depth)
{
	unsigned int children = depth ? chance(4) : 0, i;
	pthread_t id[3];

	if (chance(8) == 0)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (i = 0; i < children; i++)
		bear(depth);
	if (chance(2))
		while (wait(NULL) > 0)
			;
	else if (chance(3) && children)
		until_one_is_dead();
	else if (chance(2))
		usleep(chance(300));
	if (chance(4) == 0)
		for (i = 0; i < 1 + chance(3); i++)
			pthread_create(&id[i % 3], NULL, thread,
				       (void *)(uintptr_t)chance(1 << 16));
	if (chance(8) == 0)
		ring_thread();
	switch (chance(6)) {
	case 0:
		kill(getpid(), SIGKILL);
		break;
	case 1:
		execl("/bin/true", "true", NULL);
		break;
	case 2:
	case 3:
		syscall(SYS_exit, 0); /* this thread only */
	}
}

static void parent(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND), n = 0;
	int32_t pid;

	for (;;) {
		if (n++ < KEPT) {
			if (fork() == 0) {
				usleep(getpid() % 7 * 50);
				_exit(0);
			}
			continue;
		}
		pid = wait(NULL);
		if (write(fd, &pid, sizeof(pid)) != sizeof(pid))
			die(path);
		n -= 2;
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "";

	if (strcmp(argv[1], "-") && (trace = open(argv[1], O_RDONLY | O_CLOEXEC)) < 0)
		die(argv[1]);
	if (!strcmp(mode, "watch")) {
		watch(argv + 3);
	} else if (!strcmp(mode, "seize")) {
		seize(argv + 3);
	} else if (!strcmp(mode, "tree")) {
		state = atoi(argv[3]);
		grow(DEPTH);
	} else if (!strcmp(mode, "orphan")) {
		orphan(nothing);
	} else if (!strcmp(mode, "ring")) {
		orphan(ring_thread);
	} else if (!strcmp(mode, "victim")) {
		pid_t pid = fork();

		if (pid == 0)
			for (;;)
				pause();
		printf("%d\n", pid);
		fflush(stdout);
		wait(NULL);
		usleep(20000);
	} else if (!strcmp(mode, "parent")) {
		parent(argv[3]);
	} else {
		return 97;
	}
	return 0;
}
