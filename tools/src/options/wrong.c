// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "options/wrong.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/out.h"
#include "options/similar.h"

#define FIRST_LONG 256

static void __attribute__((noreturn)) exit_with_usage(const char *usage)
{
	fputs(usage, stderr);
	exit(1);
}

/* Those that begin like @word, which is too short to tell; false: there are none. */
static bool print_candidates(const char *option, const char *word, const struct option *longs)
{
	bool found = false;

	for (; longs->name; longs++) {
		if (strncmp(longs->name, word, strlen(word)) != 0)
			continue;
		if (found)
			fputs(", ", stderr);
		else
			fprintf(stderr, "%s: option '%s' is short for several: ", out_program,
				option);
		fprintf(stderr, "--%s", longs->name);
		found = true;
	}
	if (found)
		fputc('\n', stderr);
	return found;
}

static void print_unknown(const char *option, const struct option *longs)
{
	char *word = strndup(option + 2, strcspn(option + 2, "="));
	struct similar similar = { .wrong = word, .prefix = "--" };

	if (!word)
		die("out of memory");
	if (!print_candidates(option, word, longs)) {
		for (; longs->name; longs++)
			similar_offer(&similar, longs->name);
		fprintf(stderr, "%s: unknown option '%s'%s\n", out_program, option,
			similar_text(&similar));
	}
	free(word);
}

/* The long option of this value. */
static const char *long_name(int value, const struct option *longs)
{
	while (longs->name && longs->val != value)
		longs++;
	return longs->name;
}

/* getopt_long() puts what it does not know into optopt or argv[optind - 1]. */
void wrong_option(int opt, char **argv, const struct option *longs, const char *usage)
{
	out_flush();
	if (optopt >= FIRST_LONG)
		fprintf(stderr, "%s: option '--%s' %s\n", out_program, long_name(optopt, longs),
			opt == ':' ? "needs an argument" : "takes no value");
	else if (opt == ':')
		fprintf(stderr, "%s: option '-%c' needs an argument\n", out_program, optopt);
	else if (optopt > 0)
		fprintf(stderr, "%s: unknown option '-%c'\n", out_program, optopt);
	else
		print_unknown(argv[optind - 1], longs);
	exit_with_usage(usage);
}

void wrong_argument(const char *argument, const char *instead, const char *usage)
{
	fprintf(stderr, "%s: unexpected argument '%s'%s\n", out_program, argument, instead);
	exit_with_usage(usage);
}
