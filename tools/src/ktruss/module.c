// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Records from ktrace.ko: it appends them to a spool, which is read as it grows.
 */
#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

#include "decode/out.h"
#include "kdump/device.h"
#include "keeper.h"
#include "ktrace/attach.h"
#include "libktrace/device.h"
#include "source.h"
#include "spool.h"
#include "sys/ktrace.h"

#define MIB (1 << 20)

static int device;
static struct spool spool;
static int notify = -1;
static int points;

static int begin(int trace_points)
{
	points = trace_points;
	device = attach_open_device();
	spool_make(&spool);
	if (!keeper_begin(&spool, device)) {
		int error = errno;

		unlink(spool.path);
		die("cannot begin: %s", strerror(error));
	}
	/* There are few of these for each user: without one we look often. */
	notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (notify >= 0 && inotify_add_watch(notify, spool.path, IN_MODIFY) < 0) {
		close(notify);
		notify = -1;
	}
	return spool.fd;
}

/* The size of a file with holes is what counts for the limit, not what it takes: up to the hard one, meanwhile. */
static int trace(int pid)
{
	struct rlimit before, raised;
	int error = 0;

	getrlimit(RLIMIT_FSIZE, &before);
	raised = before;
	raised.rlim_cur = before.rlim_max;
	setrlimit(RLIMIT_FSIZE, &raised);
	if (libktrace_device_op(device, spool.path, KTROP_SET | KTRFLAG_LINUX_V1, points, pid))
		error = errno;
	setrlimit(RLIMIT_FSIZE, &before);
	return error;
}

static int trace_self(void)
{
	return trace(getpid());
}

static long left(void)
{
	unsigned long long sessions, processes;

	return device_tracing(spool.fd, &sessions, &processes) ? (long)processes : -1;
}

static int wakeup(void)
{
	return notify;
}

static void woken(void)
{
	char events[4096];

	while (read(notify, events, sizeof(events)) > 0)
		;
}

static uint64_t behind(void)
{
	return spool_behind(&spool);
}

static uint64_t limit(void)
{
	return spool.limit;
}

static void end(void)
{
	libktrace_device_op(device, spool.path, KTROP_CLEARFILE, KTRFAC_MASK | KTRFAC_INHERIT, 0);
	/* What others have ended may still be on its way. */
	device_flush(spool.fd);
}

static void close_source(void)
{
	if (keeper_has_ended_it())
		warn("the trace ended early: %llu MiB waited for somebody to take the output",
		     (unsigned long long)(spool.limit / MIB));
	device_warn(spool.fd, "the trace");
	keeper_end();
}

const struct source module_source = {
	.begin = begin,
	.trace_self = trace_self,
	.trace = trace,
	.left = left,
	.wakeup = wakeup,
	.woken = woken,
	.behind = behind,
	.limit = limit,
	.end = end,
	.close = close_source,
};
