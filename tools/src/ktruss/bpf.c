// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Records from ktrace-bpf, the recorder with BPF: it appends them to a spool, as the module does.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "decode/out.h"
#include "keeper.h"
#include "ktrace/recorder.h"
#include "source.h"
#include "spool.h"
#include "sys/ktrace.h"

static int recorder; /* a connection to it */
static int keepers; /* the keeper's own: each has its answers */
static int file; /* the spool, to append to */
static struct spool spool;
static int points;

static int clear(int connection)
{
	return recorder_try(connection, file, KTROP_CLEARFILE, KTRFAC_MASK | KTRFAC_INHERIT, 0);
}

/* In the keeper. */
static void end_traces(void)
{
	clear(keepers);
}

static void begin(int connection, int trace_points)
{
	int needed[2];

	recorder = connection;
	points = trace_points;
	spool_make(&spool);
	file = open(spool.path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	keepers = recorder_connect();
	needed[0] = keepers;
	needed[1] = file;
	if (file < 0 || keepers < 0 || !keeper_begin(&spool, end_traces, needed, 2)) {
		int error = errno;

		unlink(spool.path);
		die("cannot begin: %s", strerror(error));
	}
	close(keepers);
}

static int trace(int pid)
{
	return recorder_try(recorder, file, KTROP_SET | KTRFLAG_LINUX_V1, points, pid) ? errno : 0;
}

/* Without the recorder nothing is traced. */
static long left(void)
{
	uint32_t processes;
	uint64_t lost;

	return recorder_state(recorder, &processes, &lost) ? 0 : (long)processes;
}

static void end(void)
{
	if (clear(recorder))
		warn("the trace ended early: ktrace-bpf has ended");
}

static void close_source(void)
{
	uint32_t processes;
	uint64_t lost;

	if (!recorder_state(recorder, &processes, &lost))
		recorder_warn("the trace", lost);
	keeper_end();
}

const struct source bpf_source = {
	.gone = "goes on, but not its trace: another ended it, or it could not be written: see dmesg(1)",
	.spool = &spool,
	.begin = begin,
	.trace = trace,
	.left = left,
	.end = end,
	.close = close_source,
};
