// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "options.h"

#include <getopt.h>
#include <stdlib.h>

#include "decode/out.h"
#include "ktrace_version.h"
#include "options/wrong.h"
#include "symbols.h"

struct options options;

static const char usage_text[] =
	"usage: ktrdump [-cflqrtH] [-i ktrfile] [-M core] [-N system] [-o outfile]\n"
	"       ktrdump --schedgraph file | --perfetto file [-i ktrfile | -M core]\n"
	"       ktrdump --help\n";

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

/* A file; of two, one would be lost. */
static void set_file(const char **value, const char *option)
{
	if (*value)
		die("%s was given twice: one at a time", option);
	if (!*optarg)
		die("%s '': a file has a name", option);
	*value = optarg;
}

/* What is about lines of text. */
static void check_picture(const char *picture)
{
	const struct {
		char letter;
		bool given;
	} letters[] = {
		{ 'c', options.cpu },	 { 'f', options.place },    { 'l', options.follow },
		{ 'q', options.quiet },	 { 'r', options.relative }, { 't', options.time },
		{ 'H', options.thread },
	};
	size_t i;

	if (options.output)
		die("-o %s: for text only, the other file has a name already", options.output);
	for (i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (letters[i].given)
			die("-%c has no effect with %s: leave it out", letters[i].letter, picture);
}

static void check_together(const char *system)
{
	if (options.schedgraph && options.perfetto)
		die("--schedgraph, --perfetto: only one of them at once");
	if (options.schedgraph || options.perfetto)
		check_picture(options.schedgraph ? "--schedgraph" : "--perfetto");
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
			set_file(&system, "-N");
			break;
		case 'f':
			options.place = true;
			break;
		case 'H':
			options.thread = true;
			break;
		case 'i':
			set_file(&options.file, "-i");
			break;
		case 'l':
			options.follow = true;
			break;
		case 'm':
		case 'M':
			set_file(&options.core, "-M");
			break;
		case 'o':
			set_file(&options.output, "-o");
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
			set_file(&options.schedgraph, "--schedgraph");
			break;
		case PERFETTO:
			set_file(&options.perfetto, "--perfetto");
			break;
		case HELP:
			print_and_exit(usage_text, help_text);
		case VERSION:
			print_and_exit("ktrdump " KTRACE_VERSION, "\n");
		default:
			wrong_option(opt, argv, longs, usage_text);
		}
	}
	if (optind < argc)
		wrong_argument(argv[optind], ": a file of events is given by -i", usage_text);
	check_together(system);
}
