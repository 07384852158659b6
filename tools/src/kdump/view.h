/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A way to show a trace.  A view gets every record of the file once, also
 * those that tell about processes only (KTR_PROCCTOR, KTR_PROCDTOR): it asks
 * view_wants() which of them the user wants to see.
 *
 * Records of a thread come in order, and so do the RETs of all threads.  But
 * when a filter depends on how a call ends, what the thread recorded since the
 * CALL comes just before the RET.  So what follows the state of processes must
 * be fed with what the view gets, and not with what the reader gives: then it
 * is right for the record at hand.
 */
#ifndef _KDUMP_VIEW_H_
#define _KDUMP_VIEW_H_

#include "decode/event.h"

/* Options that change what a view shows: given.c has those of each kind. */
enum view_use {
	VIEW_LINES = 1, /* columns of lines */
	VIEW_TIMES = 256, /* ... that are times */
	VIEW_NUMBERS = 2, /* of system calls */
	VIEW_DECIMAL = 4,
	VIEW_VALUES = 8, /* what is shown of arguments, structures and data */
	VIEW_TYPES = 16, /* of records */
	VIEW_FILTERS = 32,
	VIEW_PROCESS = 64,
	VIEW_FOLLOWS = 128,
	VIEW_ALL = 511,
};

struct view {
	const char *option; /* that asks for it */
	unsigned int uses; /* VIEW_*: all other options are refused */
	bool tracks; /* it asks track/track.h */
	bool needs_files; /* ... about descriptors, or programs that are executed */
	bool keeps; /* ... at the end, of all processes that there were */
	bool records_only; /* it shows nothing of KTR_PROCCTOR and KTR_PROCDTOR */
	bool for_programs; /* no text: nothing for a terminal */
	void (*begin)(void); /* before the first record: nothing is left of another file */
	void (*event)(const struct event *event); /* valid for the time of the call only */
	void (*end)(void); /* after the last one, also when the rest of the file is malformed */
};

/*
 * view_wants - is it of a process (-p) and type (-t) that was asked for, and passed all
 * filters (-e)?
 */
bool view_wants(const struct event *event);

/* text.c: lines as FreeBSD's kdump prints them */
extern const struct view text_view;

/* json.c: an object for each record, a line each */
extern const struct view json_view;

/* truss.c: a line for each call */
extern const struct view truss_view;

/* html.c: a page with a timeline */
extern const struct view html_view;

/* perfetto.c: events for ui.perfetto.dev */
extern const struct view perfetto_view;

/* tree.c: processes, and who began them */
extern const struct view tree_view;

/* summary.c: how many calls there were, and how long they took */
extern const struct view summary_view; /* a row for each call */
extern const struct view summary_process_view; /* ... for each process */

#endif /* _KDUMP_VIEW_H_ */
