// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ktrace(2): one ioctl on a descriptor of its own.
 */
#include "device.h"
#include "sys/ktrace.h"

__attribute__((visibility("default"))) int ktrace(const char *tracefile, int ops, int trpoints,
						  int pid)
{
	int fd = libktrace_device_open();
	int ret;

	if (fd < 0)
		return -1;
	ret = libktrace_device_op(fd, tracefile, ops, trpoints, pid);
	libktrace_device_close(fd);
	return ret;
}
