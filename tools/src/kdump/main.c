// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * kdump(1): prints a trace file.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>
#include <unistd.h>

#include "decode/event.h"
#include "decode/out.h"
#include "device.h"
#include "filter/filter.h"
#include "follow.h"
#include "given.h"
#include "options.h"
#include "progress.h"
#include "track/track.h"
#include "view.h"

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

static bool shown; /* some record that was asked for */

/* Is it one that the user sees?  The text has none of processes. */
static bool is_shown(const struct event *event)
{
	unsigned int type = event->record->type;

	return view_wants(event) &&
	       (options.view != &text_view || (type != KTR_PROCCTOR && type != KTR_PROCDTOR));
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

/* What passed the filters, in the order in which views get it. */
static void show(const struct event *event)
{
	shown = shown || is_shown(event);
	if (options.fds || options.view->tracks)
		track_event(event);
	options.view->event(event);
}

static void dump(struct ktrace_reader *reader)
{
	struct ktrace_record record;
	struct event event;
	uint64_t records = 0;
	int ret;

	shown = false;
	event_reset();
	track_reset(options.view->keeps, options.fds || options.view->needs_files);
	options.view->begin();
	while ((ret = ktrace_reader_next(reader, &record)) > 0) {
		progress_at(&record, records++);
		follow_track(&record);
		event_track(&record, &event);
		filter_event(&event, show);
	}
	filter_end(show);
	progress_end();
	options.view->end();
	if (ret < 0)
		die("%s: %s", options.file, ktrace_reader_error(reader));
	if (records && !shown && given_has(VIEW_TYPES | VIEW_FILTERS | VIEW_PROCESS))
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
	dump(reader);
	ktrace_reader_free(reader);
	out_flush();
	device_warn(fd, options.file);
	return 0;
}
