/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The columns that every line begins with. */
#ifndef _KDUMP_LINE_H_
#define _KDUMP_LINE_H_

#include "decode/event.h"

/* When something was, in the precision of its record. */
struct line_time {
	struct event_time time;
	bool nanoseconds;
};

/* line_time_of - that of a record */
void line_time_of(const struct ktrace_record *record, struct line_time *time);

/* line_out_times - the columns of -T, -E and -R */
void line_out_times(const struct line_time *time);

/* line_begin - process, times, label, ABI */
void line_begin(const struct event *event);

/* line_label - the four characters that stand for a type; NULL: not one of those that are known */
const char *line_label(unsigned int type);

/* line_dropped - records were lost here */
void line_dropped(const struct ktrace_record *record);

/* line_reset - forget the times: the next line is the first */
void line_reset(void);

#endif /* _KDUMP_LINE_H_ */
