// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The view that FreeBSD's kdump has: a line for each record.
 */
#include <sys/ktrace.h>

#include "decode/style.h"
#include "line.h"
#include "options.h"
#include "records.h"
#include "view.h"

static bool drop_shown; /* since the last line */

/* Nothing else that kdump writes is for a terminal. */
static void text_begin(void)
{
	styles = options.colour;
	drop_shown = false;
	line_reset();
}

static void text_event(const struct event *event)
{
	const struct ktrace_record *record = event->record;

	if (record->drop && !drop_shown) {
		line_dropped(record);
		drop_shown = true;
	}
	if (record->type == KTR_PROCCTOR || record->type == KTR_PROCDTOR)
		return;
	if (!view_wants(event))
		return;
	drop_shown = false;
	line_begin(event);
	record_print(event);
}

static void text_end(void)
{
	styles = false;
}

const struct view text_view = {
	.uses = VIEW_ALL,
	.records_only = true,
	.begin = text_begin,
	.event = text_event,
	.end = text_end,
};
