// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ktrace.h>
#include <time.h>
#include <unistd.h>

#include "decode/out.h"
#include "filter/filter.h"
#include "given.h"
#include "help.h"
#include "ktrace_version.h"
#include "options/wrong.h"

#define DEFAULT_FILE  "ktrace.out"
#define DEFAULT_WIDTH 80
#define MINIMUM_WIDTH 9

struct options options;

static const struct {
	char letter;
	uint32_t points;
} letters[] = {
	{ 'a', KTRFAC_ARGS },
	{ 'c', KTRFAC_SYSCALL | KTRFAC_SYSRET },
	{ 'e', KTRFAC_ENVS },
	{ 'f', KTRFAC_FAULT | KTRFAC_FAULTEND },
	{ 'i', KTRFAC_GENIO },
	{ 'n', KTRFAC_NAMEI },
	{ 'p', KTRFAC_CAPFAIL },
	{ 's', KTRFAC_PSIG },
	{ 't', KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY },
	{ 'u', KTRFAC_USER },
	{ 'w', KTRFAC_CSW },
	{ 'x', KTRFAC_EXTERR },
	{ 'y', KTRFAC_SYSCTL },
	{ '+', KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_GENIO | KTRFAC_NAMEI | KTRFAC_CAPFAIL |
		       KTRFAC_PSIG | KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY | KTRFAC_USER |
		       KTRFAC_SYSCTL },
};

#define LETTERS (sizeof(letters) / sizeof(letters[0]))

static uint32_t parse_points(const char *text)
{
	uint32_t points = 0;
	const char *p;

	for (p = text; *p; p++) {
		size_t i;

		for (i = 0; i < LETTERS && letters[i].letter != *p; i++)
			;
		if (i == LETTERS)
			die("-t %s: there is no trace point '%c' (one of acefinpstuwxy+)", text,
			    *p);
		points |= letters[i].points;
	}
	if (points == 0)
		die("-t '': no trace points given (some of acefinpstuwxy+)");
	return points;
}

static long parse_number(char option, const char *text, long least)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < least || value > INT_MAX)
		die("-%c %s: not a number from %ld to %d", option, out_operand(text), least,
		    INT_MAX);
	return value;
}

/* Data is as wide as the terminal that stderr is; -n is for programs. */
static unsigned int find_width(void)
{
	struct winsize size;

	if (options.plain || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 ||
	    size.ws_col < MINIMUM_WIDTH)
		return DEFAULT_WIDTH;
	return size.ws_col;
}

/* https://no-color.org */
static bool is_for_colour(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
	       !(term && strcmp(term, "dumb") == 0);
}

static bool parse_colour(const char *when)
{
	if (!when || strcmp(when, "always") == 0)
		return true;
	if (strcmp(when, "never") == 0)
		return false;
	if (strcmp(when, "auto") != 0)
		die("--color=%s: neither auto, always nor never", out_operand(when));
	return is_for_colour();
}

/* It shows no records at all: main.c sees options.stats. */
static const struct view stats_view = {
	.option = "--stats",
};

static void set_view(const struct view *view)
{
	if (options.view != &text_view && options.view != view)
		die("%s: only one of it and %s at once", view->option, options.view->option);
	options.view = view;
}

static void __attribute__((noreturn)) print_and_exit(const char *first, const char *second)
{
	out_str(first);
	out_str(second);
	out_flush();
	exit(0);
}

static const struct view *summary_by(const char *what)
{
	if (!what || strcmp(what, "call") == 0)
		return &summary_view;
	if (strcmp(what, "process") != 0)
		die("--summary=%s: the rows are by \"call\" or by \"process\"", out_operand(what));
	return &summary_process_view;
}

static void choose_sort(const char *text)
{
	if (options.view != &summary_view && options.view != &summary_process_view)
		die("--sort is for --summary only");
	if (!summary_sort_parse(text, &options.sort))
		die("--sort %s: not one of time, calls, errors, mean, max, p99, name",
		    out_operand(text));
}

void options_parse(int argc, char **argv)
{
	enum {
		HELP = 256,
		VERSION,
		STATS,
		UNTIL_EXIT,
		FAILED,
		OK,
		COLOR,
		DURATION,
		FDS,
		HTML,
		JSON,
		PERFETTO,
		SUMMARY,
		SORT,
		TREE,
	};
	static const struct option longs[] = {
		{ "help", no_argument, NULL, HELP },
		{ "version", no_argument, NULL, VERSION },
		{ "stats", no_argument, NULL, STATS },
		{ "until-exit", no_argument, NULL, UNTIL_EXIT },
		{ "duration", no_argument, NULL, DURATION },
		{ "fds", no_argument, NULL, FDS },
		{ "html", no_argument, NULL, HTML },
		{ "json", no_argument, NULL, JSON },
		{ "perfetto", no_argument, NULL, PERFETTO },
		{ "failed", no_argument, NULL, FAILED },
		{ "ok", no_argument, NULL, OK },
		{ "color", optional_argument, NULL, COLOR },
		{ "summary", optional_argument, NULL, SUMMARY },
		{ "sort", required_argument, NULL, SORT },
		{ "tree", no_argument, NULL, TREE },
		{ NULL, 0, NULL, 0 },
	};
	const char *sort = NULL;
	int opt, index;

	options.view = &text_view;
	options.file = DEFAULT_FILE;
	options.all_points = true;
	options.colour = is_for_colour();
	filter_reset();
	given_reset();
	opterr = 0;
	while ((opt = getopt_long(argc, argv, ":AcdEe:f:Hlm:np:RrSsTt:", longs, &index)) != -1) {
		given_add(opt, opt >= HELP ? longs[index].name : NULL);
		switch (opt) {
		case 'A':
			options.abi = true;
			break;
		case 'c':
			options.cpu = true;
			break;
		case 'd':
			options.decimal = true;
			break;
		case 'E':
			options.elapsed = true;
			break;
		case 'e':
			filter_add(optarg);
			break;
		case 'f':
			options.file = optarg;
			break;
		case 'H':
			options.tid = true;
			break;
		case 'l':
			options.follow = true;
			break;
		case 'm':
			options.max_data = parse_number('m', optarg, 0);
			break;
		case 'n':
			options.plain = true;
			break;
		case 'p':
			options.pid = parse_number('p', optarg, 1);
			break;
		case 'R':
			options.relative = true;
			break;
		case 'r':
			options.resolve = true;
			break;
		case 'S':
			options.numbers = true;
			break;
		case 's':
			options.no_data = true;
			break;
		case 'T':
			options.absolute = true;
			break;
		case 't':
			options.points = parse_points(optarg);
			options.all_points = false;
			break;
		case FAILED:
			filter_add("status=failed");
			break;
		case OK:
			filter_add("status=ok");
			break;
		case COLOR:
			options.colour = parse_colour(optarg);
			break;
		case HELP:
			print_and_exit(help_usage, help_options);
		case VERSION:
			print_and_exit("kdump " KTRACE_VERSION, "\n");
		case UNTIL_EXIT:
			options.follow = true;
			options.until_exit = true;
			break;
		case STATS:
			options.stats = true;
			set_view(&stats_view);
			break;
		case DURATION:
			options.duration = true;
			break;
		case FDS:
			options.fds = true;
			break;
		case HTML:
			set_view(&html_view);
			break;
		case PERFETTO:
			set_view(&perfetto_view);
			break;
		case SUMMARY:
			set_view(summary_by(optarg));
			break;
		case SORT:
			sort = optarg;
			break;
		case TREE:
			set_view(&tree_view);
			break;
		case JSON:
			set_view(&json_view);
			break;
		default:
			wrong_option(opt, argv, longs, help_usage);
		}
	}
	if (optind < argc)
		wrong_argument(argv[optind], "", help_usage);
	if (given_option("failed") && given_option("ok"))
		die("--failed and --ok: no call is both");
	given_check(options.view);
	if (options.view->for_programs && isatty(STDOUT_FILENO))
		die("this is nothing for a terminal: redirect it into a file, kdump ... > file");
	if (sort)
		choose_sort(sort);
	options.width = find_width();
	/* Timelines have room for it. */
	if (options.view == &html_view || options.view == &perfetto_view)
		options.fds = true;
	if (options.resolve)
		tzset(); /* localtime_r(3) need not do it */
}

bool options_wants(unsigned int type)
{
	return options.all_points || (type < 32 && options.points & (1U << type));
}
