/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A way to show a trace.  A view gets every record of the file, also those
 * that tell about processes only (KTR_PROCCTOR, KTR_PROCDTOR): it asks
 * view_wants() which of them the user wants to see.
 */
#ifndef _KDUMP_VIEW_H_
#define _KDUMP_VIEW_H_

#include "decode/event.h"

struct view {
	void (*begin)(void); /* before the first record */
	void (*event)(const struct event *event); /* valid for the time of the call only */
	void (*end)(void); /* after the last one, also when the rest of the file is malformed */
};

/* view_wants - is it of a process (-p) and type (-t) that was asked for? */
bool view_wants(const struct event *event);

/* text.c: lines as FreeBSD's kdump prints them */
extern const struct view text_view;

/* json.c: an object for each record, a line each */
extern const struct view json_view;

#endif /* _KDUMP_VIEW_H_ */
