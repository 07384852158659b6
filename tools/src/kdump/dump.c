// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "dump.h"

#include <sys/ktrace.h>

#include "decode/event.h"
#include "filter/filter.h"
#include "options.h"
#include "track/track.h"
#include "view.h"

static bool shown; /* some record that was asked for */

/* Is it one that the user sees? */
static bool is_shown(const struct event *event)
{
	unsigned int type = event->record->type;

	return view_wants(event) &&
	       (!options.view->records_only || (type != KTR_PROCCTOR && type != KTR_PROCDTOR));
}

/* What passed the filters, in the order in which views get it. */
static void show(const struct event *event)
{
	shown = shown || is_shown(event);
	if (options.fds || options.view->tracks)
		track_event(event);
	options.view->event(event);
}

static void show_nothing(const struct event *event)
{
	struct event hidden = *event;

	hidden.hidden = true;
	show(&hidden);
}

struct dump dump_run(struct ktrace_reader *reader, dump_next *next)
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
		bool hides = !next(&record, records++);

		event_track(&record, &event);
		filter_event(&event, hides ? show_nothing : show);
	}
	filter_end(show);
	options.view->end();
	return (struct dump){ .records = records, .shown = shown, .failed = ret < 0 };
}
