// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "view.h"

#include "options.h"

static bool matches_process(const struct ktrace_record *record)
{
	return !options.pid || record->pid == options.pid || record->tid == options.pid;
}

bool view_wants(const struct event *event)
{
	return !event->hidden && matches_process(event->record) &&
	       options_wants(event->record->type);
}
