// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * failnth OPERATION...: each operation again and again, where the kernel's first, second, third ... allocation (or copy
 * from or to user memory) fails, until none is left that could: /proc/thread-self/fail-nth. Each failure is an error that
 * is allowed, leaves nothing half done, and the same once more without a fault succeeds. Needs trace files a and b.
 *
 * failnth forks=N: see there.
 *
 * Prints, of each operation: its name, faults injected, of these tolerated, and how often which error came.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktrace_ioctl.h"
#include "sys/ktrace.h"

#define POINTS	(KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_NAMEI | KTRFAC_INHERIT)
#define ALL	0xffffff
#define MOST	5000 /* faults of one operation */
#define ERRNOS	134
#define HELPERS 3

static int device, fail_nth;
static pid_t helper[HELPERS]; /* a process group of its own */
static const char *operand; /* what follows the operation's name and = */

static void die(const char *what)
{
	fprintf(stderr, "failnth: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* 0, or minus the errno. */
static int op(const char *path, int ops, int points, pid_t pid)
{
	struct ktrace_ioc_op arg = {
		.path = (uintptr_t)path, .ops = ops, .points = points, .pid = pid
	};

	return ioctl(device, KTRACE_IOC_OP, &arg) < 0 ? -errno : 0;
}

static long traced(const char *path)
{
	struct ktrace_ioc_stats arg = { .fd = open(path, O_RDONLY) };

	if (arg.fd < 0 || ioctl(device, KTRACE_IOC_STATS, &arg))
		die("statistics");
	close(arg.fd);
	return arg.processes;
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), result;

	if (fd < 0)
		return -errno;
	result = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return result;
}

static void start_helpers(void)
{
	for (int i = 0; i < HELPERS; i++) {
		helper[i] = fork();
		if (helper[i] == 0) {
			for (;;)
				pause();
		}
		if (helper[i] < 0 || setpgid(helper[i], helper[0]))
			die("helpers");
	}
}

/*
 * Operations.  begin: what must be there before; act: 0, or minus an errno; done: is what act
 * does in effect? (NULL: it leaves nothing); end: undoes both.
 */

static int nothing(void)
{
	return 0;
}

static void clear(void)
{
	if (op(NULL, KTROP_CLEAR | KTRFLAG_DESCEND, ALL, getpid()))
		die("clear");
}

static int act_set(void)
{
	return op("a", KTROP_SET, POINTS, helper[0]);
}

static int done_set(void)
{
	return traced("a") == 1;
}

static int act_group(void)
{
	return op("a", KTROP_SET,
		  POINTS | KTRFAC_GENIO | KTRFAC_PSIG | KTRFAC_FAULT | KTRFAC_FAULTEND, -helper[0]);
}

static int done_group(void)
{
	return traced("a") == HELPERS;
}

static int act_descend(void)
{
	return op("a", KTROP_SET | KTRFLAG_DESCEND, POINTS, getpid());
}

static int done_descend(void)
{
	return traced("a") == HELPERS + 1;
}

static int act_replace(void)
{
	return op("b", KTROP_SET, POINTS, helper[0]);
}

static int done_replace(void)
{
	return traced("b") == 1 && traced("a") == 0;
}

static int act_clear(void)
{
	return op(NULL, KTROP_CLEAR, ALL, helper[0]);
}

static int done_clear(void)
{
	return traced("a") == 0;
}

static int act_clear_descend(void)
{
	return op(NULL, KTROP_CLEAR | KTRFLAG_DESCEND, ALL, getpid());
}

static int act_clearfile(void)
{
	return op("a", KTROP_CLEARFILE, 0, 0);
}

static int act_flush(void)
{
	int fd = open("a", O_RDONLY), result;

	if (fd < 0)
		return -errno;
	result = ioctl(device, KTRACE_IOC_FLUSH, &fd) < 0 ? -errno : 0;
	close(fd);
	return result;
}

static int act_stats(void)
{
	struct ktrace_ioc_stats arg = { .fd = open("a", O_RDONLY) };
	int result;

	if (arg.fd < 0)
		return -errno;
	result = ioctl(device, KTRACE_IOC_STATS, &arg) < 0 ? -errno : 0;
	close(arg.fd);
	return result;
}

static int set_self(void)
{
	return op("a", KTROP_SET, POINTS | KTRFAC_USER | KTRFAC_GENIO, getpid());
}

static int act_utrace(void)
{
	static char cold[2 << 20];
	static size_t at;
	struct ktrace_ioc_utrace arg = { .len = 2048 };

	/* A page that nobody has touched: the module must copy it aside. */
	at = (at + 4096) % sizeof(cold);
	arg.addr = (uintptr_t)cold + at;
	return ioctl(device, KTRACE_IOC_UTRACE, &arg) < 0 ? -errno : 0;
}

static int act_open(void)
{
	int fd = open(KTRACE_DEVICE, O_RDWR);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* A traced process forks; its child is traced, or it is counted. */
static int act_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return errno == EAGAIN ? -ENOMEM : -errno;
	waitpid(pid, NULL, 0);
	return 0;
}

/* When told, forks so many children at once; says how many there were when they have ended. */
static void forks(int n)
{
	int made = 0;
	char go;

	printf("ready\n");
	fflush(stdout);
	if (read(0, &go, 1) != 1)
		die("forks");
	while (n--) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		made += pid > 0;
		if (made % 20 == 0)
			while (waitpid(-1, NULL, WNOHANG) > 0)
				;
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
	printf("forks %d\n", made);
	fflush(stdout);
	/* As long as it is there its trace can be asked. */
	while (read(0, &go, 1) > 0)
		;
}

static void *thread(void *arg)
{
	return arg;
}

static int act_thread(void)
{
	pthread_t id;
	int err = pthread_create(&id, NULL, thread, NULL);

	if (err)
		return err == EAGAIN ? -ENOMEM : -err;
	pthread_join(id, NULL);
	return 0;
}

static int act_path(void)
{
	int fd = syscall(SYS_openat, AT_FDCWD, "nowhere", O_RDONLY);

	return fd < 0 && errno == ENOENT ? 0 : -errno;
}

/* FILE:VALUE, or FILE:VALUE:WHAT-COMES-AFTERWARDS */
static int set_sysctl(int afterwards)
{
	char path[256], text[64];
	int end = 0;

	if (sscanf(operand, "%200[^:]:%63[^:]%n:%n", path + 10, text, &end, &end) < 2)
		die(operand);
	memcpy(path, "/proc/sys/", 10);
	if (!afterwards)
		return write_text(path, text);
	return operand[end] ? write_text(path, operand + end) : 0;
}

static int act_sysctl(void)
{
	return set_sysctl(0);
}

static void end_sysctl(void)
{
	if (set_sysctl(1))
		die(operand);
}

static int act_read(void)
{
	static char buf[1 << 16];
	int fd = open(operand, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return -errno;
	do
		n = read(fd, buf, sizeof(buf));
	while (n > 0);
	n = n < 0 ? -errno : 0;
	close(fd);
	return (int)n;
}

static int is_loaded(void)
{
	const char *base = strrchr(operand, '/') + 1;
	char path[256];

	snprintf(path, sizeof(path), "/sys/module/%.*s", (int)strcspn(base, "."), base);
	return !access(path, F_OK);
}

static int act_load(void)
{
	int fd = open(operand, O_RDONLY), result;

	if (fd < 0)
		return -errno;
	result = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return result;
}

static void unload(void)
{
	const char *base = strrchr(operand, '/') + 1;
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "."), base);
	if (syscall(SYS_delete_module, name, O_NONBLOCK))
		die("unload");
}

static void none(void)
{
}

struct operation {
	const char *name;
	int (*begin)(void);
	int (*act)(void);
	int (*done)(void);
	void (*end)(void);
};

static const struct operation operations[] = {
	{ "set", nothing, act_set, done_set, clear },
	{ "group", nothing, act_group, done_group, clear },
	{ "descend", nothing, act_descend, done_descend, clear },
	{ "replace", act_set, act_replace, done_replace, clear },
	{ "clear", act_set, act_clear, done_clear, clear },
	{ "clear-descend", act_descend, act_clear_descend, done_clear, clear },
	{ "clearfile", act_group, act_clearfile, done_clear, clear },
	{ "flush", act_set, act_flush, NULL, clear },
	{ "stats", act_set, act_stats, NULL, clear },
	{ "utrace", set_self, act_utrace, NULL, clear },
	{ "open", nothing, act_open, NULL, none },
	{ "fork", set_self, act_fork, NULL, clear },
	{ "thread", set_self, act_thread, NULL, clear },
	{ "path", set_self, act_path, NULL, clear },
	{ "sysctl", nothing, act_sysctl, NULL, end_sysctl },
	{ "read", nothing, act_read, NULL, none },
	{ "load", nothing, act_load, is_loaded, unload },
};

static void arm(int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", n);
	/* What takes the number away may be what the last one hits. */
	if (pwrite(fail_nth, text, strlen(text), 0) < 0 && (n || errno != EFAULT))
		die("fail-nth");
}

/*
 * What is left of the number that was written: 0 when the fault was injected.  The last one may
 * be found by the reading of that, which then fails.
 */
static int left(void)
{
	char text[16] = "";

	if (pread(fail_nth, text, sizeof(text) - 1, 0) <= 0) {
		if (errno != EFAULT)
			die("fail-nth");
		return 1;
	}
	arm(0);
	return atoi(text);
}

static int allowed(int err)
{
	return err == ENOMEM || err == EFAULT || err == ENFILE;
}

static void run(const struct operation *o, const char *text)
{
	unsigned int errors[ERRNOS] = { 0 }, tolerated = 0;
	int n, result, rest;

	for (n = 1; n < MOST; n++) {
		if (o->begin())
			die("begin");
		arm(n);
		result = o->act();
		rest = left();
		if (result && !allowed(-result)) {
			fprintf(stderr, "failnth: %s: fault %d: %s\n", text, n, strerror(-result));
			exit(1);
		}
		if (rest && result) {
			fprintf(stderr, "failnth: %s: %s without a fault\n", text,
				strerror(-result));
			exit(1);
		}
		if (o->done && result == 0 && !o->done()) {
			fprintf(stderr, "failnth: %s: fault %d: success, and it is not done\n",
				text, n);
			exit(1);
		}
		tolerated += rest == 0 && result == 0;
		errors[-result]++;
		/* One process is set, or is not; of several, some may be. */
		if (result && (o->done == done_set || o->done == done_replace) && o->done()) {
			fprintf(stderr, "failnth: %s: fault %d: %s, and it is done\n", text, n,
				strerror(-result));
			exit(1);
		}
		if (result && (o->act() || (o->done && !o->done()))) {
			fprintf(stderr, "failnth: %s: fault %d: the next try fails: %s\n", text, n,
				strerror(errno));
			exit(1);
		}
		o->end();
		if (rest)
			break;
	}
	printf("%s %d %u", text, n - 1, tolerated);
	for (int i = 1; i < ERRNOS; i++)
		if (errors[i])
			printf(" %s:%u", strerrorname_np(i), errors[i]);
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	device = open(KTRACE_DEVICE, O_RDWR | O_CLOEXEC);
	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (fail_nth < 0)
		die("/proc/thread-self/fail-nth");
	if (argc == 2 && !strncmp(argv[1], "forks=", 6)) {
		forks(atoi(argv[1] + 6));
		return 0;
	}
	start_helpers();
	for (int i = 1; i < argc; i++) {
		size_t len = strcspn(argv[i], "="), nr = sizeof(operations) / sizeof(operations[0]),
		       k;

		operand = argv[i] + len + 1;
		for (k = 0; k < nr; k++)
			if (strlen(operations[k].name) == len &&
			    !strncmp(operations[k].name, argv[i], len))
				break;
		if (k == nr)
			die(argv[i]);
		/* An open device holds the module. */
		if (operations[k].act == act_load) {
			close(device);
			device = -1;
		}
		run(&operations[k], argv[i]);
	}
	for (int i = 0; i < HELPERS; i++) {
		kill(helper[i], SIGKILL);
		waitpid(helper[i], NULL, 0);
	}
	return 0;
}
