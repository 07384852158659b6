// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * user MODE: utrace(2). Compiled twice: by the host, with the ioctl itself; and in the guest, as a user would, with
 * -DLIBRARY -lktrace.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/types.h>
#include <sys/ktrace.h>
#include <unistd.h>

#ifndef LIBRARY
#include <ktrace_ioctl.h>

int utrace(const void *addr, size_t len)
{
	struct ktrace_ioc_utrace arg = { (uintptr_t)addr, len };
	static int fd = -1;

	if (fd < 0)
		fd = open(KTRACE_DEVICE, O_RDWR | O_CLOEXEC);
	return ioctl(fd, KTRACE_IOC_UTRACE, &arg);
}
#endif

#define CHECK(what, want, error)                                                               \
	do {                                                                                   \
		int got_;                                                                      \
		errno = 0;                                                                     \
		got_ = (what);                                                                 \
		if (got_ != (want) || (got_ && errno != (error))) {                            \
			printf("line %d: %s is %d, errno %d\n", __LINE__, #what, got_, errno); \
			exit(1);                                                               \
		}                                                                              \
	} while (0)

static char bytes[4096];

static char *page_before_hole(void)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(p + 4096, 4096);
	memcpy(p + 4096 - 100, bytes, 100);
	return p + 4096;
}

/* Not traced: 0, whatever is asked. */
static void untraced(void)
{
	CHECK(utrace("x", 1), 0, 0);
	CHECK(utrace(bytes, 2049), 0, 0);
	CHECK(utrace((void *)16, 10), 0, 0);
	CHECK(utrace(NULL, 1 << 30), 0, 0);
}

/* Traced: the length before the pointer. */
static void traced(void)
{
	char *hole = page_before_hole();
	static const int sizes[] = { 0, 1, 12, 24, 100, 2047, 2048 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		CHECK(utrace(bytes, sizes[i]), 0, 0);
	CHECK(utrace(bytes, 2049), -1, EINVAL);
	CHECK(utrace((void *)16, 2049), -1, EINVAL);
	CHECK(utrace(NULL, (size_t)-1), -1, EINVAL);
	CHECK(utrace((void *)16, 10), -1, EFAULT);
	CHECK(utrace(NULL, 1), -1, EFAULT);
	CHECK(utrace(hole - 100, 101), -1, EFAULT);
	CHECK(utrace(hole - 100, 100), 0, 0);
	CHECK(utrace(NULL, 0), 0, 0);
}

static void *talk(void *arg)
{
	char text[32];

	for (int i = 0; i < 100; i++)
		CHECK(utrace(text, snprintf(text, sizeof(text), "%d.%d", (int)(intptr_t)arg, i)), 0,
		      0);
	return NULL;
}

#ifdef LIBRARY
static int device_fd(void)
{
	char path[64], to[64];
	ssize_t n;

	for (int fd = 0; fd < 65536; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		n = readlink(path, to, sizeof(to) - 1);
		if (n > 0) {
			to[n] = 0;
			if (!strcmp(to, "/dev/ktrace"))
				return fd;
		}
	}
	return -1;
}

/* Debian 11's libc has no closefrom(). */
static void close_from(unsigned int fd)
{
	if (syscall(__NR_close_range, fd, ~0U, 0))
		exit(1);
}

/* The library's descriptor: out of the way, closed by exec, and somebody else may close it and use its number. */
static void descriptor(void)
{
	struct rlimit limit;
	int fd, other;
	char c;

	CHECK(utrace("one", 3), 0, 0);
	getrlimit(RLIMIT_NOFILE, &limit);
	fd = device_fd();
	if (fd < 0 || fcntl(fd, F_GETFD) != FD_CLOEXEC || (rlim_t)fd + 1 != limit.rlim_cur)
		printf("descriptor %d of %ld, flags %d\n", fd, (long)limit.rlim_cur,
		       fcntl(fd, F_GETFD)),
			exit(1);
	/* the next file does not see it */
	other = open("/dev/null", O_RDONLY);
	if (other != 3)
		printf("the next descriptor is %d\n", other), exit(1);
	close(other);

	close_from(3);
	CHECK(utrace("two", 3), 0, 0);
	/* a file */
	close_from(3);
	other = open("reused", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (dup2(other, fd) != fd)
		exit(1);
	CHECK(utrace("three", 5), 0, 0);
	if (lseek(fd, 0, SEEK_END) != 0 || write(fd, "y", 1) != 1 || pread(other, &c, 1, 0) != 1 ||
	    c != 'y')
		printf("the file that took the number was touched\n"), exit(1);
	/* a terminal, a socket, a pipe: each has ioctls of its own */
	close_from(3);
	if (posix_openpt(O_RDWR) != 3 || dup2(3, fd) != fd)
		exit(1);
	CHECK(utrace("four", 4), 0, 0);
	/* no number is free */
	close_from(3);
	limit.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &limit);
	errno = 0;
	if (utrace("none", 4) != 0 && errno != EMFILE)
		printf("without a free descriptor: errno %d\n", errno), exit(1);
}
#endif

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	pthread_t id[8];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i * 7 + i / 256;
	if (!strcmp(mode, "untraced")) {
		untraced();
	} else if (!strcmp(mode, "traced")) {
		traced();
	} else if (!strcmp(mode, "fork")) {
		CHECK(utrace("parent", 6), 0, 0);
		if (fork() == 0) {
			CHECK(utrace("child", 5), 0, 0);
			exit(0);
		}
		wait(NULL);
		CHECK(utrace("after", 5), 0, 0);
	} else if (!strcmp(mode, "threads")) {
		for (int i = 0; i < 8; i++)
			pthread_create(&id[i], NULL, talk, (void *)(intptr_t)i);
		for (int i = 0; i < 8; i++)
			pthread_join(id[i], NULL);
#ifdef LIBRARY
	} else if (!strcmp(mode, "descriptor")) {
		descriptor();
#endif
	} else {
		return 97;
	}
	return 0;
}
