// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ktrace(1): starts and ends tracing of processes.
 *
 * What can be found wrong without touching anything is found first; the old
 * trace file goes after that.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach.h"
#include "command.h"
#include "error.h"
#include "ktrace_version.h"
#include "libktrace/device.h"
#include "points.h"
#include "recorder.h"
#include "sys/ktrace.h"
#include "tracefile.h"

#define DEFAULT_FILE "ktrace.out"

enum action {
	ACTION_SET,
	ACTION_CLEAR, /* -c */
	ACTION_CLEAR_ALL, /* -C */
};

struct request {
	enum action action;
	bool append;
	bool bpf;
	bool descend;
	bool inherit;
	bool v1;
	const char *file; /* NULL: not given */
	const char *points; /* NULL: not given */
	char target; /* 'p', 'g', or 0 */
	int id; /* of the process or group */
	char **command; /* NULL: none */
};

static void usage(FILE *to)
{
	fputs("usage: ktrace [-aCcdi] [--bpf] [-f trfile] [-g pgrp | -p pid] [-t trstr]\n"
	      "       ktrace [-adi] [--bpf] [-f trfile] [-t trstr] command [args]\n",
	      to);
}

static void help(void)
{
	usage(stdout);
	fputs("\n"
	      "Records what processes ask of the kernel in a file, which kdump prints.\n"
	      "\n"
	      "  -a         append to the trace file, rather than make it anew\n"
	      "  -C         end all tracing of processes that are yours to trace\n"
	      "  -c         clear the trace points of -t: of -p or -g, or of all in the file\n"
	      "  -d         the descendants of the process, too\n"
	      "  -f trfile  the trace file (" DEFAULT_FILE ")\n"
	      "  -g pgrp    a process group\n"
	      "  -i         children made from now on are traced, too\n"
	      "  -p pid     a process\n"
	      "  -t trstr   what to trace, a letter each (default +):\n"
	      "               c  system calls     n  names of files  i  data read and written\n"
	      "               s  signals          u  utrace(2)       t  structures of calls\n"
	      "               y  sysctls          p  refused rights   w  context switches\n"
	      "               f  page faults      a  arguments        e  environment\n"
	      "               +  all but w, f, a, e\n"
	      "  --bpf      with BPF, without the module: root only (Linux only)\n"
	      "  --v1       nanoseconds and the CPU in each record (Linux only)\n"
	      "  --help     this text\n"
	      "  --version  the version\n",
	      stdout);
}

static void refuse_usage(void) __attribute__((noreturn));

static void refuse_usage(void)
{
	usage(stderr);
	exit(1);
}

static void set_action(struct request *rq, enum action action)
{
	if (rq->action != ACTION_SET && rq->action != action)
		die("-C ends all tracing: it does not go with -c");
	rq->action = action;
}

static void set_target(struct request *rq, char option, const char *text)
{
	if (rq->target && rq->target != option)
		die("-p and -g do not go together");
	if (rq->target)
		die("-%c was given twice: one at a time", option);
	rq->target = option;
	rq->id = attach_parse_id(option, text);
}

static void parse(struct request *rq, int argc, char **argv)
{
	enum { OPT_V1 = 256, OPT_BPF, OPT_HELP, OPT_VERSION };
	static const struct option longs[] = {
		{ "v1", no_argument, NULL, OPT_V1 },
		{ "bpf", no_argument, NULL, OPT_BPF },
		{ "help", no_argument, NULL, OPT_HELP },
		{ "version", no_argument, NULL, OPT_VERSION },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	memset(rq, 0, sizeof(*rq));
	/* "+": the command's options are its own. */
	while ((option = getopt_long(argc, argv, "+aCcdf:g:ip:t:", longs, NULL)) != -1) {
		switch (option) {
		case 'a':
			rq->append = true;
			break;
		case 'C':
			set_action(rq, ACTION_CLEAR_ALL);
			break;
		case 'c':
			set_action(rq, ACTION_CLEAR);
			break;
		case 'd':
			rq->descend = true;
			break;
		case 'f':
			rq->file = optarg;
			break;
		case 'g':
		case 'p':
			set_target(rq, option, optarg);
			break;
		case 'i':
			rq->inherit = true;
			break;
		case 't':
			rq->points = optarg;
			break;
		case OPT_V1:
			rq->v1 = true;
			break;
		case OPT_BPF:
			rq->bpf = true;
			break;
		case OPT_HELP:
			help();
			exit(0);
		case OPT_VERSION:
			puts("ktrace " KTRACE_VERSION);
			exit(0);
		default:
			refuse_usage();
		}
	}
	if (optind < argc)
		rq->command = argv + optind;
}

/* What does not go together. */
static void check(const struct request *rq)
{
	const char *clear = rq->action == ACTION_CLEAR ? "-c" : "-C";

	if (rq->action == ACTION_SET) {
		if (rq->command && rq->target)
			die("-%c names what to trace: no command goes with it", rq->target);
		if (!rq->command && !rq->target)
			refuse_usage();
		return;
	}
	if (rq->command)
		die("%s ends tracing: no command goes with it", clear);
	if (rq->v1)
		die("%s ends tracing: --v1 does not go with it", clear);
	if (rq->action == ACTION_CLEAR_ALL && (rq->target || rq->file || rq->points))
		die("-C ends all tracing: -f, -g, -p and -t do not go with it (-c takes them)");
}

static int open_device(struct request *rq)
{
	int fd = recorder_or_device(&rq->bpf, rq->action == ACTION_SET);

	if (fd < 0)
		exit(0); /* no recorder runs: nothing is traced */
	return fd;
}

static int operate(const struct request *rq, int device, const char *file, int ops, int points,
		   int pid)
{
	return rq->bpf ? recorder_op(device, file, ops, points, pid) :
			 libktrace_device_op(device, file, ops, points, pid);
}

/* ktrace() failed with @error: says why, and what to do. */
static void fail(const struct request *rq, const char *file, int error)
{
	struct attach_request attach = { .target = rq->target, .id = rq->id };

	attach.sets = rq->action == ACTION_SET;
	attach.command = rq->command;
	attach_explain(&attach, error);
	if (rq->action == ACTION_CLEAR_ALL || (rq->action == ACTION_CLEAR && rq->target))
		die("tracing not ended: %s", strerror(error));
	die("%s: %s", file, strerror(error));
}

static int points_of(const struct request *rq)
{
	int points = rq->points ? points_parse(rq->points) : points_default();

	return rq->inherit ? points | KTRFAC_INHERIT : points;
}

static int pid_of(const struct request *rq)
{
	switch (rq->target) {
	case 'p':
		return rq->id;
	case 'g':
		return -rq->id;
	}
	return rq->command ? getpid() : 0;
}

/* The recorder cannot make a command wait for the end of its trace: we do, and stay its parent. */
static void run(const struct request *rq, int device, struct tracefile *tf, const char *program,
		int ops, int points)
{
	int error;
	int status = recorder_run(device, tf->name, ops, points, program, rq->command, &error);

	if (error)
		tracefile_undo(tf);
	if (error && status < 0)
		fail(rq, tf->name, error);
	if (error)
		die("exec of '%s' failed: %s", rq->command[0], strerror(error));
	exit(status);
}

static void clear(struct request *rq)
{
	const char *file = rq->file ? rq->file : DEFAULT_FILE;
	int points = points_of(rq);
	int ops = rq->descend ? KTRFLAG_DESCEND : 0;
	int device = open_device(rq);
	int ret;

	if (rq->action == ACTION_CLEAR_ALL)
		ret = operate(rq, device, NULL, KTROP_CLEAR | KTRFLAG_DESCEND,
			      KTRFAC_MASK | KTRFAC_INHERIT, 1);
	else if (rq->target)
		ret = operate(rq, device, NULL, KTROP_CLEAR | ops, points, pid_of(rq));
	else
		ret = operate(rq, device, file, KTROP_CLEARFILE, points, 0);
	if (ret)
		fail(rq, file, errno);
}

static void set(struct request *rq)
{
	const char *file = rq->file ? rq->file : DEFAULT_FILE;
	int points = points_of(rq);
	char program[PATH_MAX];
	int ops = KTROP_SET;
	struct tracefile tf;
	int device;
	int error;

	if (rq->descend)
		ops |= KTRFLAG_DESCEND;
	if (rq->v1)
		ops |= KTRFLAG_LINUX_V1;
	device = open_device(rq);
	if (rq->command) {
		error = command_find(rq->command[0], program);
		if (error)
			die("exec of '%s' failed: %s", rq->command[0], strerror(error));
	} else {
		attach_check(rq->target, rq->id);
	}

	if (rq->append)
		tracefile_append(&tf, file);
	else
		/* What a traced process does to keep the old file would be in the trace. */
		tracefile_create(&tf, file, !rq->command);
	if (rq->bpf && rq->command)
		run(rq, device, &tf, program, ops, points);
	/*
	 * With -d, the kernel is content with any process that may be set, and
	 * we are often one of them: the one that was named must be, too.
	 */
	if ((rq->descend && rq->target == 'p' &&
	     operate(rq, device, file, ops & ~KTRFLAG_DESCEND, points, rq->id)) ||
	    operate(rq, device, file, ops, points, pid_of(rq))) {
		error = errno;
		tracefile_undo(&tf);
		fail(rq, file, error);
	}
	if (!rq->command) {
		tracefile_done(&tf);
		return;
	}

	execv(program, rq->command);
	/* It has changed, or is a script without "#!". */
	execvp(rq->command[0], rq->command);
	error = errno;
	operate(rq, device, NULL, KTROP_CLEAR, KTRFAC_MASK | KTRFAC_INHERIT, getpid());
	tracefile_undo(&tf);
	die("exec of '%s' failed: %s", rq->command[0], strerror(error));
}

int main(int argc, char **argv)
{
	struct request rq;

	parse(&rq, argc, argv);
	check(&rq);
	if (rq.action == ACTION_SET)
		set(&rq);
	else
		clear(&rq);
	return 0;
}
