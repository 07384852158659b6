// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decode/out.h"
#include "ktrace_ioctl.h"

static int open_device(void)
{
	return open(KTRACE_DEVICE, O_RDWR | O_CLOEXEC);
}

/* Whatever goes wrong: the file can be read all the same. */
void device_flush(int fd)
{
	__s32 file = fd;
	struct stat st;
	int device;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	device = open_device();
	if (device < 0)
		return;
	ioctl(device, KTRACE_IOC_FLUSH, &file);
	close(device);
}

void device_warn(int fd, const char *name)
{
	struct ktrace_ioc_stats stats = { .fd = fd };
	int device = open_device();

	if (device < 0)
		return;
	if (ioctl(device, KTRACE_IOC_STATS, &stats) == 0 && stats.error)
		warn("%s: writing to it failed (%s): the trace ends there, %llu records were lost",
		     name, strerror(stats.error), (unsigned long long)stats.lost_write);
	close(device);
}

bool device_tracing(int fd, unsigned long long *sessions, unsigned long long *processes)
{
	struct ktrace_ioc_stats stats = { .fd = fd };
	int device = open_device();
	bool known;

	if (device < 0)
		return false;
	known = ioctl(device, KTRACE_IOC_STATS, &stats) == 0;
	close(device);
	*sessions = stats.sessions;
	*processes = stats.processes;
	return known;
}

static void line(const char *name, __u64 value)
{
	out_printf("%s %llu\n", name, (unsigned long long)value);
}

void device_stats(int fd, const char *name)
{
	struct ktrace_ioc_stats stats = { .fd = fd };
	int device = open_device();

	if (device < 0) {
		if (errno == ENOENT || errno == ENXIO || errno == ENODEV)
			die("--stats: the kernel module is not loaded: try \"modprobe ktrace\"");
		die("--stats: %s: %s", KTRACE_DEVICE, strerror(errno));
	}
	if (ioctl(device, KTRACE_IOC_STATS, &stats) != 0)
		die("--stats: %s: %s", name, strerror(errno));
	close(device);
	if (stats.sessions == 0 && !stats.error)
		die("--stats: %s: nobody traces to this file now, or not you", name);
	line("sessions", stats.sessions);
	line("processes", stats.processes);
	line("recorded", stats.recorded);
	line("bytes", stats.bytes);
	line("written", stats.written);
	line("lost_full", stats.lost_full);
	line("lost_pool", stats.lost_pool);
	line("lost_hook", stats.lost_hook);
	line("lost_memory", stats.lost_memory);
	line("lost_write", stats.lost_write);
	line("short_data", stats.short_data);
	line("held", stats.held);
	line("error", stats.error);
}
