// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Records from ktrace.ko: it appends them to a spool, which is read as it grows.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "decode/out.h"
#include "kdump/device.h"
#include "keeper.h"
#include "libktrace/device.h"
#include "source.h"
#include "spool.h"
#include "sys/ktrace.h"

static int device;
static struct spool spool;
static int points;

static void end_traces(void)
{
	libktrace_device_op(device, spool.path, KTROP_CLEARFILE, KTRFAC_MASK | KTRFAC_INHERIT, 0);
}

static void begin(int trace_device, int trace_points)
{
	device = trace_device;
	points = trace_points;
	spool_make(&spool);
	if (!keeper_begin(&spool, end_traces, &device, 1)) {
		int error = errno;

		unlink(spool.path);
		die("cannot begin: %s", strerror(error));
	}
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

static long left(void)
{
	unsigned long long sessions, processes;

	return device_tracing(spool.fd, &sessions, &processes) ? (long)processes : -1;
}

static void end(void)
{
	end_traces();
	/* What others have ended may still be on its way. */
	device_flush(spool.fd);
}

static void close_source(void)
{
	device_warn(spool.fd, "the trace");
	keeper_end();
}

const struct source module_source = {
	.gone = "goes on, but not its trace: it executed a program with more rights than you have (set-user-ID), or another ended the trace",
	.spool = &spool,
	.begin = begin,
	.trace = trace,
	.left = left,
	.end = end,
	.close = close_source,
};
