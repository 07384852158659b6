// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "decode/out.h"
#include "filter/filter.h"
#include "choice.h"
#include "given.h"
#include "help.h"
#include "ktrace_version.h"
#include "options/wrong.h"

#define DEFAULT_FILE "ktrace.out"

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
		TRUSS,
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
		{ "truss", no_argument, NULL, TRUSS },
		{ "tree", no_argument, NULL, TREE },
		{ NULL, 0, NULL, 0 },
	};
	const char *sort = NULL;
	int opt, index;

	options.view = &text_view;
	options.file = DEFAULT_FILE;
	options.all_points = true;
	options.colour = choice_default_colour(STDOUT_FILENO);
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
			options.max_data = choice_number('m', optarg, 0);
			break;
		case 'n':
			options.plain = true;
			break;
		case 'p':
			options.pid = choice_number('p', optarg, 1);
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
			options.points = choice_points(optarg);
			options.all_points = false;
			break;
		case FAILED:
			filter_add("status=failed");
			break;
		case OK:
			filter_add("status=ok");
			break;
		case COLOR:
			options.colour = choice_colour(optarg, STDOUT_FILENO);
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
			set_view(choice_summary(optarg));
			break;
		case SORT:
			sort = optarg;
			break;
		case TRUSS:
			set_view(&truss_view);
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
		choice_sort(sort);
	/* On one line there is no room for more. */
	if (options.view == &truss_view && !given_option("m"))
		options.max_data = TRUSS_DATA;
	options.width = choice_width();
	/* Timelines have room for it. */
	if (options.view == &html_view || options.view == &perfetto_view)
		options.fds = true;
	if (options.resolve)
		tzset(); /* localtime_r(3) need not do it */
}
