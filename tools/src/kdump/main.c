// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * kdump(1): prints a trace file.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decode/out.h"
#include "device.h"
#include "dump.h"
#include "filter/filter.h"
#include "follow.h"
#include "given.h"
#include "options.h"
#include "progress.h"

static int open_file(void)
{
	int fd;

	if (strcmp(options.file, "-") == 0) {
		options.file = "standard input";
		return STDIN_FILENO;
	}
	if (*options.file == '\0')
		die("-f '': a file has a name");
	if (options.until_exit)
		follow_wait_for(options.file);
	fd = open(options.file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		die("%s: %s", options.file, strerror(errno));
	return fd;
}

/* An empty output looks the same as an empty file. */
static void warn_of_none(void)
{
	const char *literal = filter_literal();

	if (literal)
		warn("no record was selected (in \"%s\" the \"*\" and \"?\" stand for themselves: there are no patterns)",
		     literal);
	else
		warn("no record was selected");
}

static bool next(const struct ktrace_record *record, uint64_t number)
{
	progress_at(record, number);
	follow_track(record);
	return true;
}

static void show(struct ktrace_reader *reader)
{
	struct dump dump = dump_run(reader, next);

	progress_end();
	if (dump.failed)
		die("%s: %s", options.file, ktrace_reader_error(reader));
	if (dump.records && !dump.shown && given_has(VIEW_TYPES | VIEW_FILTERS | VIEW_PROCESS))
		warn_of_none();
}

int main(int argc, char **argv)
{
	struct ktrace_reader *reader;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	options_parse(argc, argv);
	fd = open_file();
	if (options.stats) {
		device_stats(fd, options.file);
		out_flush();
		return 0;
	}
	device_flush(fd);
	if (options.follow)
		follow_begin(fd);
	progress_begin(fd);
	reader = ktrace_reader_new(fd, options.follow ? follow_hook : NULL, NULL);
	if (!reader)
		die("out of memory");
	show(reader);
	ktrace_reader_free(reader);
	out_flush();
	device_warn(fd, options.file);
	return 0;
}
