// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * work NAME TIMES [SIZE]: does something a fixed number of times, so that tracers can be compared. Prints
 *
 *	calls N own NANOSECONDS elapsed NANOSECONDS
 *
 * where N is the number of system calls that the measured loop makes (0: not known), own is the CPU time of all that this program is
 * in it (its threads and children included), and elapsed what a clock on the wall shows. See usage() for the names.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sys/ktrace.h>

#define MOST_THREADS 64
#define MOST_BYTES   65536
#define PROGRAM	     "/bin/true"
#define PATH	     "/etc/passwd"
#define FORK_CALLS \
	3 /* of fork() and wait, and the child's execve(); those of PROGRAM are not counted */

struct work {
	const char *name;
	long (*run)(long times, long size); /* returns how many calls it made */
	const char *what;
};

static char buffer[MOST_BYTES] __attribute__((aligned(4096))); /* costs of copying depend on that */

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(1);
}

static long getppid_work(long times, long size)
{
	(void)size;
	for (long i = 0; i < times; i++)
		syscall(SYS_getppid);
	return times;
}

static long rw_work(long times, long size)
{
	int in = open("/dev/zero", O_RDONLY), out = open("/dev/null", O_WRONLY);

	if (in < 0 || out < 0)
		die("/dev/zero, /dev/null");
	for (long i = 0; i < times; i++) {
		if (read(in, buffer, size) != size || write(out, buffer, size) != size)
			die("read, write");
	}
	return 2 * times + 2;
}

static long stat_work(long times, long size)
{
	char st[256];

	(void)size;
	for (long i = 0; i < times; i++) {
#ifdef SYS_stat
		if (syscall(SYS_stat, PATH, st))
#else
		if (syscall(SYS_newfstatat, AT_FDCWD, PATH, st, 0))
#endif
			die("stat");
	}
	return times;
}

static long fork_work(long times, long size)
{
	int status;
	pid_t pid;

	(void)size;
	for (long i = 0; i < times; i++) {
		pid = fork();
		if (pid < 0)
			die("fork");
		if (pid == 0) {
			execl(PROGRAM, PROGRAM, (char *)NULL);
			_exit(127);
		}
		if (waitpid(pid, &status, 0) != pid || status)
			die(PROGRAM);
	}
	return FORK_CALLS * times;
}

/* All of the project that is beside this program each time, by as many compilers as there are CPUs. */
static long make_work(long times, long size)
{
	char self[256], command[512];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	(void)size;
	self[n > 0 ? n : 0] = 0;
	snprintf(command, sizeof(command),
		 "make -s -j$(nproc) -C $(dirname %s)/project OUT=$(mktemp -d)", self);
	for (long i = 0; i < times; i++) {
		if (system(command))
			die(command);
	}
	return 0;
}

static long utrace_work(long times, long size)
{
	/* The first one opens the device. */
	for (long i = 0; i <= times; i++) {
		if (utrace(buffer, size))
			die("utrace");
	}
	return times + 2;
}

static void *thread(void *arg)
{
	getppid_work(*(long *)arg, 0);
	return NULL;
}

/* size: how many threads. */
static long threads_work(long times, long size)
{
	pthread_t id[MOST_THREADS];

	if (size > MOST_THREADS)
		die("too many threads");
	for (long i = 0; i < size; i++) {
		if (pthread_create(&id[i], NULL, thread, &times))
			die("pthread_create");
	}
	for (long i = 0; i < size; i++)
		pthread_join(id[i], NULL);
	return times * size;
}

/* size: how many processes. */
static long processes_work(long times, long size)
{
	int status;

	for (long i = 0; i < size; i++) {
		if (fork() == 0) {
			getppid_work(times, 0);
			_exit(0);
		}
	}
	while (wait(&status) > 0) {
		if (status)
			die("a child");
	}
	return times * size;
}

static void transfer(int fd, long size, ssize_t (*move)(int fd, void *data, size_t size))
{
	for (long done = 0; done < size;) {
		ssize_t n = move(fd, buffer + done, size - done);

		if (n <= 0)
			die("socket");
		done += n;
	}
}

static ssize_t put(int fd, void *data, size_t size)
{
	return write(fd, data, size);
}

/* A server, and a client that sends it requests and gets answers of the same size. */
static long socket_work(long times, long size)
{
	int ends[2], status;
	pid_t server;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		die("socketpair");
	server = fork();
	for (long i = 0; i < times; i++) {
		if (server)
			transfer(ends[0], size, put);
		transfer(ends[!server], size, read);
		if (!server)
			transfer(ends[1], size, put);
	}
	if (!server)
		_exit(0);
	if (waitpid(server, &status, 0) != server || status)
		die("server");
	return 4 * times;
}

/* So many processes, this one and children of it; after size seconds they end. */
static long idle_work(long times, long size)
{
	for (long i = 1; i < times; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
	}
	puts("ready");
	fflush(stdout);
	alarm(size);
	pause();
	return 0;
}

static const struct work works[] = {
	{ "getppid", getppid_work, "getppid()" },
	{ "rw", rw_work, "read SIZE bytes of /dev/zero, write them to /dev/null" },
	{ "stat", stat_work, "stat() of " PATH },
	{ "fork", fork_work, "fork, exec " PROGRAM ", wait" },
	{ "make", make_work, "make of a small project" },
	{ "utrace", utrace_work, "utrace() of SIZE bytes" },
	{ "threads", threads_work, "getppid() in each of SIZE threads" },
	{ "processes", processes_work, "getppid() in each of SIZE processes" },
	{ "socket", socket_work, "a request of SIZE bytes to a server, and its answer" },
	{ "idle", idle_work, "TIMES processes that sleep for SIZE seconds; says \"ready\"" },
};

static _Noreturn void usage(void)
{
	fputs("usage: work NAME TIMES [SIZE]\n", stderr);
	for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		fprintf(stderr, "  %-10s %s\n", works[i].name, works[i].what);
	exit(2);
}

static long long since(clockid_t clock, long long start)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec - start;
}

/* Of children that have ended; in microseconds. */
static long long children(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL +
	       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

int main(int argc, char **argv)
{
	long long elapsed, own;
	long calls;

	if (argc < 3 || argc > 4 || (argc > 3 && atol(argv[3]) > MOST_BYTES))
		usage();
	memset(buffer, 'x', sizeof(buffer));
	for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++) {
		if (strcmp(works[i].name, argv[1]))
			continue;
		elapsed = since(CLOCK_MONOTONIC, 0);
		own = since(CLOCK_PROCESS_CPUTIME_ID, 0);
		calls = works[i].run(atol(argv[2]), argc > 3 ? atol(argv[3]) : 0);
		own = since(CLOCK_PROCESS_CPUTIME_ID, own);
		elapsed = since(CLOCK_MONOTONIC, elapsed);
		printf("calls %ld own %lld elapsed %lld\n", calls, own + children() * 1000,
		       elapsed);
		return 0;
	}
	usage();
}
