// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * csw MODE: threads that stop, in a place that is known. Before it sleeps it says "ready N", the number of the call
 * that it will sleep in. SIGUSR1 wakes it, the end of its input the child of vfork.
 */
#include "expect.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

static void handler(int signo)
{
}

static void ready(long nr)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "ready %ld\n", nr);

	if (write(1, text, n) != n)
		die("stdout");
}

/* Calls that sleep until a signal comes. */
#define SLEEP(name, nr, ...)                        \
	do {                                        \
		if (!strcmp(mode, name)) {          \
			ready(nr);                  \
			syscall(nr, ##__VA_ARGS__); \
			return true;                \
		}                                   \
	} while (0)

static bool sleeps(const char *mode)
{
	long long_time[4] = { 1000, 0, 0, 0 };
	unsigned long none[2] = { 0, 0 };
	struct epoll_event event = { 0 };
	struct pollfd pfd;
	uint32_t word = 7;
	char data[64];
	int ends[2], fd;

	if (pipe(ends))
		die("pipe");
	pfd = (struct pollfd){ ends[0], POLLIN, 0 };
	SLEEP("nanosleep", SYS_nanosleep, long_time, NULL);
	SLEEP("clock_nanosleep", SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, long_time, NULL);
	SLEEP("futex", SYS_futex, &word, FUTEX_WAIT, 7, NULL, NULL, 0);
	SLEEP("read", SYS_read, ends[0], data, 1);
#ifdef SYS_poll
	SLEEP("poll", SYS_poll, &pfd, 1, -1);
	SLEEP("pause", SYS_pause);
#else
	SLEEP("poll", SYS_ppoll, &pfd, 1, NULL, NULL, 8);
	SLEEP("pause", SYS_ppoll, NULL, 0, NULL, NULL, 8);
#endif
	SLEEP("sigsuspend", SYS_rt_sigsuspend, none, 8);
	SLEEP("sigtimedwait", SYS_rt_sigtimedwait, none, NULL, NULL, 8);
	if (!strcmp(mode, "epoll_wait")) {
		fd = epoll_create1(0);
		event.events = EPOLLIN;
		if (fd < 0 || epoll_ctl(fd, EPOLL_CTL_ADD, ends[0], &event))
			die("epoll");
		SLEEP("epoll_wait", SYS_epoll_pwait, fd, &event, 1, -1, NULL, 8);
	}
	if (!strcmp(mode, "write")) {
		fcntl(ends[1], F_SETPIPE_SZ, 4096);
		fcntl(ends[1], F_SETFL, O_NONBLOCK);
		while (write(ends[1], data, sizeof(data)) > 0)
			;
		fcntl(ends[1], F_SETFL, 0);
		SLEEP("write", SYS_write, ends[1], data, sizeof(data));
	}
	if (!strcmp(mode, "wait4")) {
		pid_t pid = fork();

		if (pid == 0) {
			pause();
			_exit(0);
		}
		ready(SYS_wait4);
		syscall(SYS_wait4, pid, NULL, 0, NULL);
		kill(pid, SIGKILL);
		return true;
	}
	if (!strcmp(mode, "flock")) {
		fd = open("lock", O_RDWR | O_CREAT, 0600);
		flock(fd, LOCK_EX);
		fd = open("lock", O_RDWR);
		SLEEP("flock", SYS_flock, fd, LOCK_EX);
	}
	if (!strcmp(mode, "recvfrom") && !socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) {
		ready(-1);
		recv(ends[0], data, 1, 0);
		return true;
	}
	if (!strcmp(mode, "msgrcv")) {
		fd = msgget(IPC_PRIVATE, 0600);
		ready(-1);
		msgrcv(fd, data, 8, 0, 0);
		msgctl(fd, IPC_RMID, NULL);
		return true;
	}
	if (!strcmp(mode, "vfork")) {
		ready(-1);
		if (vfork() == 0) {
			syscall(SYS_read, 0, data, 1);
			_exit(0);
		}
		return true;
	}
	if (!strcmp(mode, "stop")) {
		ready(-1);
		kill(getpid(), SIGSTOP);
		return true;
	}
	return false;
}

/* Computes for so many milliseconds of its own time. */
static void compute(long ms)
{
	struct timespec ts;

	do {
		for (volatile int i = 0; i < 100000; i++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	} while (ts.tv_sec * 1000 + ts.tv_nsec / 1000000 < ms);
}

/* The kernel's own counts of this thread's stops: voluntary and not. They are the arguments of call 702. */
static void tell(void)
{
	struct rusage r;

	getrusage(RUSAGE_THREAD, &r);
	syscall(702, r.ru_nvcsw, r.ru_nivcsw);
}

/* Computes until the kernel has counted so many preemptions more. */
static void preempted(long n)
{
	struct rusage r;
	long first;

	getrusage(RUSAGE_THREAD, &r);
	first = r.ru_nivcsw;
	while (r.ru_nivcsw - first < n) {
		for (volatile int i = 0; i < 100000; i++)
			;
		getrusage(RUSAGE_THREAD, &r);
	}
}

static void naps(void)
{
	struct timespec ts = { 0, 1000000 };

	for (int i = 0; i < 50; i++) {
		nanosleep(&ts, NULL);
		sched_yield();
	}
}

static void mixed(void)
{
	tell();
	naps();
	preempted(5);
	tell();
}

/* Threads that pass a token around: each stops and resumes, all the time. */
static int token_pipe[1024][2];

static void *passer(void *arg)
{
	long me = (long)arg & 0xffff, n = (long)arg >> 16;
	char c;

	while (read(token_pipe[me][0], &c, 1) == 1 && c)
		if (write(token_pipe[(me + 1) % n][1], me + 1 == n ? &(char){ c - 1 } : &c, 1) != 1)
			die("write");
	c = 0;
	if (write(token_pipe[(me + 1) % n][1], &c, 1) != 1)
		die("write");
	return NULL;
}

static void ring(long n, int rounds)
{
	pthread_t thread[1024];
	pthread_attr_t attr;
	struct rlimit many = { 4096, 4096 };

	setrlimit(RLIMIT_NOFILE, &many);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (long i = 0; i < n; i++)
		if (pipe(token_pipe[i]))
			die("pipe");
	for (long i = 0; i < n; i++)
		if (pthread_create(&thread[i], &attr, passer, (void *)(n << 16 | i)))
			die("pthread_create");
	for (int i = 0; i < 4; i++) {
		char c = rounds;

		if (write(token_pipe[i * n / 4][1], &c, 1) != 1)
			die("write");
	}
	for (long i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

/* Naps and page faults, until it is killed. */
static void *restless(void *arg)
{
	struct timespec ts = { 0, 1000000 };
	volatile char *p =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (;;) {
		nanosleep(&ts, NULL);
		for (int i = 0; i < 5; i++) {
			madvise((void *)p, 4096, MADV_DONTNEED);
			*p = 1;
		}
	}
	return NULL;
}

static void endless(void)
{
	pthread_t thread;

	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread, NULL, restless, NULL))
			die("pthread_create");
	restless(NULL);
}

static void storm(int n)
{
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			sched_yield();
			_exit(0);
		}
		if (i % 4 == 3)
			while (waitpid(-1, NULL, 0) > 0)
				;
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	struct sigaction sa = { .sa_handler = handler };

	sigaction(SIGUSR1, &sa, NULL);
	if (!strcmp(mode, "compute"))
		compute(atoi(argv[2]));
	else if (!strcmp(mode, "preempted"))
		preempted(10);
	else if (!strcmp(mode, "naps"))
		naps();
	else if (!strcmp(mode, "mixed"))
		mixed();
	else if (!strcmp(mode, "ring"))
		ring(atoi(argv[2]), atoi(argv[3]));
	else if (!strcmp(mode, "endless"))
		endless();
	else if (!strcmp(mode, "storm"))
		storm(atoi(argv[2]));
	else if (!sleeps(mode))
		return 97;
	return 0;
}
