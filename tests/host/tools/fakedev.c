// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A /dev/ktrace for programs on a machine without the module, preloaded.
 *
 * The library reaches the device through syscall(2) only, so that is what is
 * replaced here.  Descriptors are real: the device is the file of $FAKE_DEVICE
 * (absent: no module), and an ioctl on any other file is the kernel's to
 * answer.  The file of $FAKE_STRANGER stands for a driver that answers EINVAL
 * to all it does not know.
 *
 *	FAKE_LOG	a line is appended for each call
 *	FAKE_ERRNO	what the ioctls for ktrace() and utrace() fail with
 *	FAKE_NOTTY	the device is someone else's
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fakedev.h"
#include "ktrace_ioctl.h"
#include "sys/ktrace.h"

static atomic_int opens;
static void (*at_open)(void);
static long (*next)(long nr, ...);

int fakedev_opens(void)
{
	return opens;
}

void fakedev_at_next_open(void (*call)(void))
{
	at_open = call;
}

__attribute__((constructor)) static void init(void)
{
	next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
}

static bool is_file(int fd, const char *variable)
{
	const char *name = getenv(variable);
	struct stat a, b;

	return name && !fstat(fd, &a) && !stat(name, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool fakedev_is(int fd)
{
	return is_file(fd, "FAKE_DEVICE");
}

static void note(const char *fmt, ...)
{
	const char *name = getenv("FAKE_LOG");
	char line[512];
	va_list ap;
	int fd, n;

	if (!name)
		return;
	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fd = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || write(fd, line, n) != n)
		abort();
	close(fd);
}

static long result(void)
{
	const char *text = getenv("FAKE_ERRNO");

	if (!text)
		return 0;
	errno = atoi(text);
	return -1;
}

/* The operation, and the state of the trace file at that moment. */
static long do_op(const struct ktrace_ioc_op *op)
{
	const char *path = (const char *)(uintptr_t)op->path;
	char state[64] = "none";
	int saved = errno;
	struct stat st;

	if (path && !lstat(path, &st))
		snprintf(state, sizeof(state), "%o,%ld", st.st_mode, (long)st.st_size);
	note("op %s ops=%#x points=%#x pid=%s%d zero=%u file=%s\n", path ? path : "NULL", op->ops,
	     op->points, op->pid == getpid() ? "self:" : "", op->pid == getpid() ? 0 : op->pid,
	     op->zero, state);
	errno = saved;
	return result();
}

static long do_utrace(const struct ktrace_ioc_utrace *arg)
{
	if (getenv("FAKE_ERRNO"))
		return result();
	if (arg->len > KTR_USER_MAXLEN) {
		errno = EINVAL;
		return -1;
	}
	if (arg->len && !arg->addr) {
		errno = EFAULT;
		return -1;
	}
	return 0;
}

static long do_ioctl(int fd, unsigned long request, void *arg)
{
	if (_IOC_TYPE(request) == KTRACE_IOC_MAGIC && is_file(fd, "FAKE_STRANGER")) {
		errno = EINVAL;
		return -1;
	}
	if (_IOC_TYPE(request) != KTRACE_IOC_MAGIC || !fakedev_is(fd) || getenv("FAKE_NOTTY"))
		return next(SYS_ioctl, fd, request, arg);
	switch (request) {
	case KTRACE_IOC_VERSION:
		return KTRACE_ABI_VERSION;
	case KTRACE_IOC_OP:
		return do_op(arg);
	case KTRACE_IOC_UTRACE:
		return do_utrace(arg);
	}
	errno = ENOTTY;
	return -1;
}

long syscall(long nr, ...)
{
	const char *device = getenv("FAKE_DEVICE");
	long a[6];
	va_list ap;
	int i;

	va_start(ap, nr);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_openat && !strcmp((const char *)a[1], KTRACE_DEVICE)) {
		void (*call)(void) = at_open;

		atomic_fetch_add(&opens, 1);
		if (call) {
			at_open = NULL;
			call();
		}
		return next(nr, a[0], device ? device : "/nonexistent", a[2], a[3]);
	}
	if (nr == SYS_ioctl)
		return do_ioctl(a[0], a[1], (void *)a[2]);
	return next(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}
