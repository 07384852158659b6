// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ktrace() and utrace() against a device of fakedev.c: what they do with
 * descriptors.  Prints a line "ok NAME" or "not ok NAME" for each case; each
 * runs in a process of its own, because the library keeps a descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sys/ktrace.h>

#include "fakedev.h"

#define MAX_FD 4096
#define TOP    1023

#define check(condition)                                                                         \
	do {                                                                                     \
		if (!(condition)) {                                                              \
			printf("%s:%d: failed: %s (errno %d)\n", __FILE__, __LINE__, #condition, \
			       errno);                                                           \
			fflush(stdout);                                                          \
			_exit(1);                                                                \
		}                                                                                \
	} while (0)

static int count_fds(void)
{
	int n = 0;
	int fd;

	for (fd = 0; fd < MAX_FD; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* The number of the only descriptor of the device, or -1. */
static int device_fd(void)
{
	int found = -1;
	int fd;

	for (fd = 0; fd < MAX_FD; fd++) {
		if (fcntl(fd, F_GETFD) < 0 || !fakedev_is(fd))
			continue;
		check(found < 0);
		found = fd;
	}
	return found;
}

static void limit_fds(rlim_t soft)
{
	struct rlimit limit;

	check(!getrlimit(RLIMIT_NOFILE, &limit));
	limit.rlim_cur = soft;
	check(!setrlimit(RLIMIT_NOFILE, &limit));
}

static void wait_ok(pid_t pid)
{
	int status;

	check(waitpid(pid, &status, 0) == pid);
	check(status == 0);
}

static void test_keeps_one(void)
{
	int before = count_fds();
	int i;

	for (i = 0; i < 1000; i++)
		check(!utrace("x", 1));
	check(fakedev_opens() == 1);
	check(count_fds() == before + 1);
	check(device_fd() == TOP);
	check(fcntl(TOP, F_GETFD) & FD_CLOEXEC);
}

static void test_low_limit(void)
{
	limit_fds(64);
	check(!utrace("x", 1));
	check(device_fd() == 63);
}

/* A number near the limit would make the kernel's table as large. */
static void test_high_limit(void)
{
	struct rlimit limit;

	check(!getrlimit(RLIMIT_NOFILE, &limit));
	limit_fds(limit.rlim_max);
	check(!utrace("x", 1));
	check(device_fd() == TOP);
}

static void test_top_taken(void)
{
	check(dup2(1, TOP) == TOP);
	check(dup2(1, TOP - 1) == TOP - 1);
	check(!utrace("x", 1));
	check(device_fd() == TOP - 2);
}

static void test_closed(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		check(!utrace("x", 1));
		check(device_fd() == TOP);
		check(!close(TOP));
	}
	check(!utrace("x", 1));
	check(fakedev_opens() == 11);
}

static void test_lower_limit_later(void)
{
	check(!utrace("x", 1));
	limit_fds(20);
	check(!utrace("x", 1));
	check(fakedev_opens() == 1);
	check(!close(TOP));
	check(!utrace("x", 1));
	check(device_fd() == 19);
}

/* Something else at the number: it stays, and is left alone. */
static void replaced_by(int file)
{
	int before;

	check(!utrace("x", 1));
	check(device_fd() == TOP);
	before = count_fds();
	check(dup2(file, TOP) == TOP);
	check(!utrace("x", 1));
	check(fcntl(TOP, F_GETFD) >= 0 && !fakedev_is(TOP));
	check(device_fd() == TOP - 1);
	check(!utrace("x", 1));
	check(fakedev_opens() == 2);
	check(count_fds() == before + 1);
}

static void test_replaced_by_pipe(void)
{
	int fds[2];
	char c = 0;

	check(!pipe(fds));
	replaced_by(fds[1]);
	check(write(TOP, "p", 1) == 1);
	check(read(fds[0], &c, 1) == 1 && c == 'p');
}

static void test_replaced_by_null(void)
{
	int fd = open("/dev/null", O_RDWR);

	check(fd >= 0);
	replaced_by(fd);
}

static void test_replaced_by_path(void)
{
	int fd = open("/", O_PATH);

	check(fd >= 0);
	replaced_by(fd);
}

static void test_replaced_by_stranger(void)
{
	int fd = open(getenv("FAKE_STRANGER"), O_RDWR);

	check(fd >= 0);
	replaced_by(fd);
}

static void test_errors_pass(void)
{
	static char big[4096];
	int i;

	for (i = 0; i < 3; i++) {
		errno = 0;
		check(utrace(NULL, 1) == -1 && errno == EFAULT);
		errno = 0;
		check(utrace(big, KTR_USER_MAXLEN + 1) == -1 && errno == EINVAL);
		check(!utrace(big, KTR_USER_MAXLEN));
	}
	check(fakedev_opens() == 1);
	check(!setenv("FAKE_ERRNO", "12", 1));
	check(utrace("x", 1) == -1 && errno == ENOMEM);
	check(fakedev_opens() == 1);
	check(device_fd() == TOP);
}

static void test_errno_kept(void)
{
	errno = ERANGE;
	check(!utrace("x", 1));
	check(errno == ERANGE);
	check(!close(TOP));
	check(!utrace("x", 1));
	check(errno == ERANGE);
	check(!utrace("x", 1));
	check(errno == ERANGE);
}

static void test_fork(void)
{
	pid_t pid;

	check(!utrace("x", 1));
	pid = fork();
	check(pid >= 0);
	if (!pid) {
		check(!utrace("x", 1));
		check(fakedev_opens() == 1);
		check(!close(TOP));
		check(!utrace("x", 1));
		check(fakedev_opens() == 2);
		_exit(0);
	}
	wait_ok(pid);
	check(!utrace("x", 1));
	check(fakedev_opens() == 1);
}

/* The child shares memory, but not descriptors. */
static void test_vfork(void)
{
	pid_t pid = vfork();

	if (!pid) {
		if (utrace("x", 1))
			_exit(1);
		_exit(0);
	}
	wait_ok(pid);
	check(device_fd() == -1);
	check(!utrace("x", 1));
	check(device_fd() == TOP);
}

static void test_exec(void)
{
	pid_t pid;

	check(!utrace("x", 1));
	pid = fork();
	check(pid >= 0);
	if (!pid) {
		execl("/proc/self/exe", "lib_test", "no-device-fd", (char *)NULL);
		_exit(1);
	}
	wait_ok(pid);
}

static void fill_fds(int leave)
{
	int last = -1;
	int fd;

	limit_fds(32);
	while ((fd = dup(1)) >= 0)
		last = fd;
	check(errno == EMFILE);
	for (; leave > 0; leave--)
		check(!close(last--));
}

static void test_last_number(void)
{
	int fd;

	fill_fds(1);
	check(!utrace("x", 1));
	check(!utrace("x", 1));
	check(device_fd() == -1);
	fd = dup(1);
	check(fd == 31);
	check(utrace("x", 1) == -1 && errno == EMFILE);
	check(ktrace("f", KTROP_SET, KTRFAC_SYSCALL, 1) == -1 && errno == EMFILE);
}

static void test_last_two_numbers(void)
{
	fill_fds(2);
	check(!utrace("x", 1));
	check(device_fd() == 31);
	check(dup(1) == 30);
	check(!utrace("x", 1));
	check(fakedev_opens() == 1);
}

/* A device of that name that is not the module's. */
static void test_not_the_module(void)
{
	int before = count_fds();

	check(!setenv("FAKE_NOTTY", "1", 1));
	check(utrace("x", 1) == -1 && errno == ENOSYS);
	check(utrace("x", 1) == -1 && errno == ENOSYS);
	check(ktrace("f", KTROP_SET, KTRFAC_SYSCALL, 1) == -1 && errno == ENOSYS);
	check(count_fds() == before);
}

static void test_no_module(void)
{
	int before = count_fds();

	check(!unsetenv("FAKE_DEVICE"));
	errno = 0;
	check(utrace("x", 1) == -1 && errno == ENOSYS);
	errno = 0;
	check(ktrace("f", KTROP_SET, KTRFAC_SYSCALL, 1) == -1 && errno == ENOSYS);
	check(count_fds() == before);
}

/* The module comes after the first call. */
static void test_module_later(void)
{
	char *device = strdup(getenv("FAKE_DEVICE"));

	check(!unsetenv("FAKE_DEVICE"));
	check(utrace("x", 1) == -1 && errno == ENOSYS);
	check(!setenv("FAKE_DEVICE", device, 1));
	check(!utrace("x", 1));
	check(device_fd() == TOP);
	free(device);
}

static void test_ktrace(void)
{
	int before = count_fds();

	errno = ERANGE;
	check(!ktrace("f", KTROP_SET, KTRFAC_SYSCALL, 1));
	check(errno == ERANGE);
	check(!setenv("FAKE_ERRNO", "3", 1));
	check(ktrace(NULL, KTROP_CLEAR, KTRFAC_SYSCALL, -1) == -1 && errno == ESRCH);
	check(fakedev_opens() == 2);
	check(count_fds() == before);
}

static void call_once(void)
{
	check(!utrace("y", 1));
}

/* Another call puts a descriptor at the stale number while this one opens its own. */
static void test_overtaken(void)
{
	int before = count_fds();

	check(!utrace("x", 1));
	check(!close(TOP));
	fakedev_at_next_open(call_once);
	check(!utrace("x", 1));
	check(fakedev_opens() == 3);
	check(device_fd() == TOP);
	check(count_fds() == before + 1);
	check(!utrace("x", 1));
	check(fakedev_opens() == 3);
}

static void test_overtaken_at_first(void)
{
	int before = count_fds();

	fakedev_at_next_open(call_once);
	check(!utrace("x", 1));
	check(device_fd() == TOP);
	check(count_fds() == before + 1);
}

static atomic_bool stop;

static void *call(void *arg)
{
	long i;

	for (i = 0; i < (long)arg && !stop; i++)
		check(!utrace("x", 1));
	return NULL;
}

/* Eight threads at once, at the first use. */
static void test_threads(void)
{
	pthread_t threads[8];
	int before = count_fds();
	int i;

	for (i = 0; i < 8; i++)
		check(!pthread_create(&threads[i], NULL, call, (void *)2000L));
	for (i = 0; i < 8; i++)
		check(!pthread_join(threads[i], NULL));
	check(device_fd() >= 0);
	check(count_fds() == before + 1);
}

/* The program may close the descriptor between its opening and its use, even several times. */
static void *call_unlucky(void *arg)
{
	long i;

	for (i = 0; i < (long)arg && !stop; i++)
		check(!utrace("x", 1) || errno == EBADF || errno == ENOSYS);
	return NULL;
}

/* ... while another one closes and replaces what is up there. */
static void test_threads_against_close(void)
{
	pthread_t threads[4];
	int before = count_fds();
	int null = open("/dev/null", O_RDWR);
	int i, fd;

	for (i = 0; i < 4; i++)
		check(!pthread_create(&threads[i], NULL, call_unlucky, (void *)1000000L));
	for (i = 0; i < 3000; i++) {
		fd = TOP - (i / 2) % 8;
		if (i & 1)
			close(fd);
		else
			dup2(null, fd);
	}
	stop = true;
	for (i = 0; i < 4; i++)
		check(!pthread_join(threads[i], NULL));
	for (i = 0; i < 8; i++)
		if (!fakedev_is(TOP - i))
			close(TOP - i);
	close(null);
	check(!utrace("x", 1));
	check(device_fd() >= 0);
	check(count_fds() == before + 1);
}

static void test_threads_fork(void)
{
	pthread_t threads[2];
	int i;

	for (i = 0; i < 2; i++)
		check(!pthread_create(&threads[i], NULL, call, (void *)1000000L));
	for (i = 0; i < 50; i++) {
		pid_t pid = fork();

		check(pid >= 0);
		if (!pid) {
			check(!utrace("x", 1));
			check(!utrace("y", 1));
			_exit(0);
		}
		wait_ok(pid);
	}
	stop = true;
	for (i = 0; i < 2; i++)
		check(!pthread_join(threads[i], NULL));
}

static void on_alarm(int signo)
{
	(void)signo;
	check(!utrace("s", 1));
}

/* A handler that interrupts utrace() and calls it; each round begins without a descriptor. */
static void test_signals(void)
{
	struct itimerval every = { { 0, 100 }, { 0, 100 } };
	struct sigaction action;
	int before = count_fds();
	int i;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_alarm;
	action.sa_flags = SA_RESTART;
	check(!sigaction(SIGALRM, &action, NULL));
	check(!setitimer(ITIMER_REAL, &every, NULL));
	for (i = 0; i < 3000; i++) {
		check(!utrace("x", 1));
		close(TOP);
	}
	memset(&every, 0, sizeof(every));
	check(!setitimer(ITIMER_REAL, &every, NULL));
	check(count_fds() <= before + 1);
}

static void *cancelled(void *arg)
{
	(void)arg;
	pthread_cancel(pthread_self());
	check(!utrace("x", 1));
	check(!ktrace("f", KTROP_SET, KTRFAC_SYSCALL, 1));
	atomic_store(&stop, true);
	pthread_testcancel();
	return NULL;
}

/* A cancelled thread does not leave a descriptor behind. */
static void test_cancel(void)
{
	pthread_t thread;
	int before = count_fds();
	void *result;

	check(!pthread_create(&thread, NULL, cancelled, NULL));
	check(!pthread_join(thread, &result));
	check(result == PTHREAD_CANCELED);
	check(stop);
	check(count_fds() == before + 1);
}

#define TEST(name)                 \
	{                          \
#name, test_##name \
	}

static const struct test {
	const char *name;
	void (*run)(void);
} tests[] = {
	TEST(keeps_one),
	TEST(low_limit),
	TEST(high_limit),
	TEST(top_taken),
	TEST(closed),
	TEST(lower_limit_later),
	TEST(replaced_by_pipe),
	TEST(replaced_by_null),
	TEST(replaced_by_path),
	TEST(replaced_by_stranger),
	TEST(errors_pass),
	TEST(errno_kept),
	TEST(fork),
	TEST(vfork),
	TEST(exec),
	TEST(last_number),
	TEST(last_two_numbers),
	TEST(not_the_module),
	TEST(no_module),
	TEST(module_later),
	TEST(ktrace),
	TEST(overtaken),
	TEST(overtaken_at_first),
	TEST(threads),
	TEST(threads_against_close),
	TEST(threads_fork),
	TEST(signals),
	TEST(cancel),
};

int main(int argc, char **argv)
{
	const char *prefix = argc > 1 ? argv[1] : "";
	int failed = 0;
	size_t i;

	if (!strcmp(prefix, "no-device-fd"))
		return device_fd() >= 0;
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		int status;
		pid_t pid;

		fflush(stdout);
		pid = fork();
		if (pid < 0)
			return 99;
		if (!pid) {
			alarm(60);
			limit_fds(TOP + 1);
			tests[i].run();
			exit(0);
		}
		if (waitpid(pid, &status, 0) != pid)
			return 99;
		if (status)
			printf("status %#x\n", status);
		printf("%s %s%s\n", status ? "not ok" : "ok", prefix, tests[i].name);
		failed |= status;
	}
	return failed != 0;
}
