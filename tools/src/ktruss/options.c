// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>
#include <unistd.h>

#include "decode/out.h"
#include "filter/filter.h"
#include "help.h"
#include "kdump/choice.h"
#include "kdump/options.h"
#include "ktrace/attach.h"
#include "ktrace/points.h"
#include "ktrace_version.h"
#include "options/wrong.h"

#define DEFAULT_POINTS "+a"
#define SUMMARY_POINTS "c"
#define PATHS	       "n" /* what filters may ask about */

struct request request;

enum {
	HELP = 256,
	BPF,
	VERSION,
	FAILED,
	OK,
	COLOR,
	DURATION,
	FDS,
	SUMMARY,
	SORT,
};

static const struct option longs[] = {
	{ "help", no_argument, NULL, HELP },
	{ "bpf", no_argument, NULL, BPF },
	{ "version", no_argument, NULL, VERSION },
	{ "failed", no_argument, NULL, FAILED },
	{ "ok", no_argument, NULL, OK },
	{ "color", optional_argument, NULL, COLOR },
	{ "duration", no_argument, NULL, DURATION },
	{ "fds", no_argument, NULL, FDS },
	{ "summary", optional_argument, NULL, SUMMARY },
	{ "sort", required_argument, NULL, SORT },
	{ NULL, 0, NULL, 0 },
};

/* What other options say it depends on. */
struct given {
	const char *points; /* -t */
	const char *colour; /* --color=WHEN */
	const char *sort;
	bool coloured; /* --color */
	bool filtered;
	bool failed;
	bool ok;
	bool follow;
	const char *lines; /* an option that is about lines of calls */
};

static void __attribute__((noreturn)) print_and_exit(const char *first, const char *second)
{
	out_str(first);
	out_str(second);
	out_flush();
	exit(0);
}

static void add_target(const char *text)
{
	if (request.targets == TARGETS_MAX)
		die("-p %s: more than %d processes", text, TARGETS_MAX);
	request.pids[request.targets++] = attach_parse_id('p', text);
}

static void filter(struct given *given, const char *expression)
{
	filter_add(expression);
	given->filtered = true;
}

static void take(int opt, struct given *given)
{
	switch (opt) {
	case 'c':
		options.view = &summary_view;
		break;
	case 'D':
		options.relative = true;
		given->lines = "-D";
		break;
	case 'd':
		options.elapsed = true;
		given->lines = "-d";
		break;
	case 'e':
		filter(given, optarg);
		break;
	case 'f':
		given->follow = true;
		break;
	case 'o':
		request.file = optarg;
		break;
	case 'p':
		add_target(optarg);
		break;
	case 'q':
		request.quiet = true;
		break;
	case 's':
		options.max_data = choice_number('s', optarg, 0);
		given->lines = "-s";
		break;
	case 'T':
		options.absolute = true;
		given->lines = "-T";
		break;
	case 't':
		given->points = optarg;
		break;
	case BPF:
		request.bpf = true;
		break;
	case FAILED:
		filter(given, "status=failed");
		given->failed = true;
		break;
	case OK:
		filter(given, "status=ok");
		given->ok = true;
		break;
	case COLOR:
		given->coloured = true;
		given->colour = optarg;
		given->lines = "--color";
		break;
	case DURATION:
		options.duration = true;
		given->lines = "--duration";
		break;
	case FDS:
		options.fds = true;
		given->lines = "--fds";
		break;
	case SUMMARY:
		options.view = choice_summary(optarg);
		break;
	case SORT:
		given->sort = optarg;
		break;
	case HELP:
		print_and_exit(ktruss_usage, ktruss_help);
	case VERSION:
		print_and_exit("ktruss " KTRACE_VERSION, "\n");
	}
}

static int points_of(const struct given *given)
{
	int points;

	if (given->points)
		points = points_parse(given->points);
	else if (options.view == &truss_view)
		points = points_parse(DEFAULT_POINTS);
	else
		points = points_parse(given->filtered ? SUMMARY_POINTS PATHS : SUMMARY_POINTS);
	return given->follow ? points | KTRFAC_INHERIT : points;
}

static void check(const struct given *given)
{
	if (given->failed && given->ok)
		die("--failed and --ok: no call is both");
	if (given->lines && options.view != &truss_view)
		die("%s has no effect with -c, which prints no calls: leave it out", given->lines);
	if (given->sort)
		choice_sort(given->sort);
	if (request.command && request.targets)
		die("-p names what to trace: no command goes with it");
	if (!request.command && !request.targets) {
		fputs(ktruss_usage, stderr);
		exit(1);
	}
}

/* The text has what the program reads and writes: it is for its owner alone. */
static void open_output(void)
{
	if (!request.file) {
		request.output = STDERR_FILENO;
		out_to(STDERR_FILENO, "standard error");
		return;
	}
	request.output =
		open(request.file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600);
	if (request.output < 0)
		die("-o %s: %s", out_operand(request.file), strerror(errno));
	out_to(request.output, request.file);
}

void request_parse(int argc, char **argv)
{
	struct given given = { .points = NULL };
	int opt;

	options.view = &truss_view;
	options.all_points = true;
	options.max_data = TRUSS_DATA;
	filter_reset();
	opterr = 0;
	/* "+": the command's options are its own. */
	while ((opt = getopt_long(argc, argv, "+:cDde:fo:p:qs:Tt:", longs, NULL)) != -1) {
		if (opt == '?' || opt == ':')
			wrong_option(opt, argv, longs, ktruss_usage);
		take(opt, &given);
	}
	if (optind < argc)
		request.command = argv + optind;
	check(&given);
	request.points = points_of(&given);
	options.quiet = request.quiet;
	options.alone = !given.follow && request.targets <= 1;
	options.width = choice_width();
	open_output();
	options.colour = given.coloured ? choice_colour(given.colour, request.output) :
					  choice_default_colour(request.output);
}
