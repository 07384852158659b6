// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ktruss(1): prints system calls as they are made.
 *
 * What can be found wrong without tracing anything is found first.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>
#include <sys/syscall.h>

#include "command.h"
#include "decode/out.h"
#include "kdump/dump.h"
#include "kdump/living.h"
#include "kdump/truss.h"
#include "ktrace/attach.h"
#include "ktrace/recorder.h"
#include "live.h"
#include "options.h"
#include "source.h"
#include "spool.h"

#define MOST_TOLD 8 /* processes whose traces ended before they did */

static bool executed; /* the command has begun: what its process did before is ours */
static uint64_t skipped;

static void tell_skipped(void)
{
	if (skipped) {
		truss_end_line();
		warn("%llu records were left out: the output is too slow for them",
		     (unsigned long long)skipped);
	}
	skipped = 0;
}

static bool is_exec(const struct ktrace_record *record)
{
	struct ktrace_record_syscall call;

	if (record->type != KTR_SYSCALL)
		return false;
	ktrace_record_get_syscall(record, &call);
	return call.code == SYS_execve;
}

static bool next(const struct ktrace_record *record, uint64_t number)
{
	(void)number;
	living_track(record);
	if (live_skips()) {
		skipped++;
		return false;
	}
	tell_skipped();
	if (record->pid == command_pid() && !executed)
		executed = is_exec(record);
	return executed || record->pid != command_pid();
}

/* The first that cannot be traced ends what has begun with those before it. */
static void trace_targets(const struct source *source)
{
	struct attach_request attach = { .sets = true, .target = 'p' };
	int i, error;

	for (i = 0; i < request.targets; i++) {
		attach.id = request.pids[i];
		error = source->trace(attach.id);
		if (!error)
			continue;
		source->end();
		attach_explain(&attach, error);
		die("-p %d: %s", attach.id, strerror(error));
	}
	for (i = 0; i < request.targets && !request.quiet; i++)
		warn("process %d attached", request.pids[i]);
}

/* Processes that go on; not so their traces. */
static void tell_left(const char *what)
{
	int32_t pid;
	int told = 0;

	while (living_take(&pid) && told < MOST_TOLD) {
		if (kill(pid, 0) && errno == ESRCH)
			continue;
		warn("process %d %s", pid, what);
		told++;
	}
}

static void dump(const struct source *source)
{
	struct ktrace_reader *reader =
		ktrace_reader_new(source->spool->fd, live_hook, (void *)source);
	struct dump dump;

	if (!reader)
		die("out of memory");
	dump = dump_run(reader, next);
	tell_skipped();
	out_flush();
	if (dump.failed)
		warn("what the kernel recorded is malformed: %s", ktrace_reader_error(reader));
	ktrace_reader_free(reader);
	if (dump.failed)
		exit(1);
}

int main(int argc, char **argv)
{
	const struct source *source;
	char program[PATH_MAX];
	int device, i;

	out_program = "ktruss";
	request_parse(argc, argv);
	for (i = 0; i < request.targets; i++)
		attach_check('p', request.pids[i]);
	if (request.command)
		command_check(request.command[0], program);
	device = recorder_or_device(&request.bpf, true);
	source = request.bpf ? &bpf_source : &module_source;
	source->begin(device, request.points);
	live_begin(request.output);
	if (request.command)
		command_start(source, program, request.command);
	else
		trace_targets(source);
	dump(source);
	source->close();
	if (live_signal()) {
		if (!request.quiet)
			tell_left("detached");
		exit_by_signal(live_signal());
	}
	tell_left(source->gone);
	if (!request.command)
		return 0;
	live_wait_for_command();
	if (live_signal())
		exit_by_signal(live_signal());
	command_exit();
}
