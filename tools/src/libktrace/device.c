// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Opening, moving and closing of descriptors of /dev/ktrace.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device.h"
#include "ktrace_ioctl.h"

/*
 * The kernel's descriptor table grows to the highest number, and each fork
 * copies it: where the limit is a million, this is high enough.
 */
#define FD_TOP	 1024
#define FD_TRIES 64

int libktrace_device_open(void)
{
	int fd = syscall(SYS_openat, AT_FDCWD, KTRACE_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENODEV || errno == ENXIO))
		errno = ENOSYS;
	return fd;
}

int libktrace_device_ioctl(int fd, unsigned long request, void *arg)
{
	return syscall(SYS_ioctl, fd, request, arg);
}

int libktrace_device_op(int fd, const char *tracefile, int ops, int trpoints, int pid)
{
	struct ktrace_ioc_op op = {
		.path = (uintptr_t)tracefile,
		.ops = ops,
		.points = trpoints,
		.pid = pid,
	};
	int ret = libktrace_device_ioctl(fd, KTRACE_IOC_OP, &op);

	if (ret < 0 && errno == ENOTTY)
		errno = ENOSYS;
	return ret;
}

void libktrace_device_close(int fd)
{
	int saved = errno;

	syscall(SYS_close, fd);
	errno = saved;
}

int libktrace_device_move(int fd)
{
	struct rlimit limit;
	int top = FD_TOP;
	int n;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return -1;
	if (limit.rlim_cur < FD_TOP)
		top = limit.rlim_cur;
	for (n = top - 1; n > fd && n >= top - FD_TRIES; n--) {
		int moved = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, n);

		if (moved >= 0) {
			libktrace_device_close(fd);
			return moved;
		}
	}
	return -1;
}
