// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "decode/out.h"
#include "ktrace_version.h"
#include "symbols.h"

struct options options;

static const char usage_text[] =
	"usage: ktrdump [-cflqrtH] [-i ktrfile] [-M core] [-N system] [-o outfile]\n"
	"       ktrdump --schedgraph file | --perfetto file [-i ktrfile | -M core]\n";

static const char help_text[] =
	"\n"
	"Prints the events that ktr has recorded: those of the running kernel, newest\n"
	"first, or those of a file, oldest first.\n"
	"\n"
	"  -i ktrfile  a file that debug.ktr.alq_enable made, \"-\" is standard input\n"
	"  -M core     memory: an ELF core of a kernel, or /proc/kcore\n"
	"  -m core     the same\n"
	"  -N system   the kernel's vmlinux or System.map; not needed\n"
	"  -e system   the same\n"
	"  -o outfile  write into this file\n"
	"  -l          show new events as they come, oldest first, until interrupted\n"
	"\n"
	"  -c          show the CPU\n"
	"  -t          show the time, in nanoseconds since the machine was started\n"
	"  -r          with -t: since the event before in the list\n"
	"  -f          show file and line of the source\n"
	"  -H          show the thread, an address\n"
	"  -q          no heading\n"
	"\n"
	"  --schedgraph file  instead: a page with a timeline of threads and CPUs, for a browser\n"
	"  --perfetto file    instead: the same for ui.perfetto.dev, as JSON\n"
	"  --help      show this\n"
	"  --version   show the version\n";

static void __attribute__((noreturn)) print_and_exit(const char *first, const char *second)
{
	out_str(first);
	out_str(second);
	out_flush();
	exit(0);
}

/* getopt_long() puts what it does not know into optopt or argv[optind - 1]. */
static void __attribute__((noreturn)) bad_option(int opt, char **argv)
{
	const char *what = opt == ':' ? "needs an argument" : "is unknown";

	if (optopt > 0 && optopt < 256)
		fprintf(stderr, "ktrdump: option '-%c' %s\n%s", optopt, what, usage_text);
	else
		fprintf(stderr, "ktrdump: option '%s' %s\n%s", argv[optind - 1], what, usage_text);
	exit(1);
}

static void check_together(const char *system)
{
	bool picture = options.schedgraph || options.perfetto;

	if (options.schedgraph && options.perfetto)
		die("--schedgraph, --perfetto: only one of them at once");
	if (picture && options.output)
		die("-o %s: for text only, the other file has a name already", options.output);
	if (picture && options.follow)
		die("-l: for text only");
	if (options.follow && options.core && !options.file)
		die("-l: only of the running kernel, not with -M");
	if (system)
		symbols_check(system);
	if (options.file && options.core) {
		warn("-M %s is not used: the file of -i has all that it takes", options.core);
		options.core = NULL;
	}
	/* As in FreeBSD's: nothing comes to a file. */
	if (options.file)
		options.follow = false;
}

void options_parse(int argc, char **argv)
{
	enum {
		HELP = 256,
		VERSION,
		SCHEDGRAPH,
		PERFETTO,
	};
	static const struct option longs[] = {
		{ "help", no_argument, NULL, HELP },
		{ "version", no_argument, NULL, VERSION },
		{ "schedgraph", required_argument, NULL, SCHEDGRAPH },
		{ "perfetto", required_argument, NULL, PERFETTO },
		{ NULL, 0, NULL, 0 },
	};
	const char *system = NULL;
	int opt;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, ":cflqrtHe:i:m:M:N:o:", longs, NULL)) != -1) {
		switch (opt) {
		case 'c':
			options.cpu = true;
			break;
		case 'e':
		case 'N':
			system = optarg;
			break;
		case 'f':
			options.place = true;
			break;
		case 'H':
			options.thread = true;
			break;
		case 'i':
			options.file = optarg;
			break;
		case 'l':
			options.follow = true;
			break;
		case 'm':
		case 'M':
			options.core = optarg;
			break;
		case 'o':
			options.output = optarg;
			break;
		case 'q':
			options.quiet = true;
			break;
		case 'r':
			options.relative = true;
			break;
		case 't':
			options.time = true;
			break;
		case SCHEDGRAPH:
			options.schedgraph = optarg;
			break;
		case PERFETTO:
			options.perfetto = optarg;
			break;
		case HELP:
			print_and_exit(usage_text, help_text);
		case VERSION:
			print_and_exit("ktrdump " KTRACE_VERSION, "\n");
		default:
			bad_option(opt, argv);
		}
	}
	if (optind < argc) {
		fprintf(stderr, "ktrdump: unexpected argument '%s'\n%s", argv[optind], usage_text);
		exit(1);
	}
	check_together(system);
}
