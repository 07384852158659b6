/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a timeline says in words, bounded whatever the file says: valid UTF-8
 * without control characters but newlines.
 */
#ifndef _KDUMP_TIMELINE_TEXT_H_
#define _KDUMP_TIMELINE_TEXT_H_

#include <stdbool.h>
#include <stddef.h>

#include "decode/event.h"

/* Of one text; what is longer is cut off. */
#define TIMELINE_TEXT 2048

struct timeline_text {
	char *p; /* NULL: none */
	size_t len;
};

/* timeline_text_free - and forget it */
void timeline_text_free(struct timeline_text *text);

/* timeline_add_line - behind those that are there */
void timeline_add_line(struct timeline_text *text, const char *line, size_t len);

/* timeline_add_args - the arguments of a call of the last record, for timeline_next_arg() */
void timeline_add_args(struct timeline_text *text, const struct call *call);

/*
 * timeline_next_arg - an argument at a time
 * @at: 0 for the first one; moved on to the next
 * @name: as in the manual page, or its position
 * @value: as CALL has it
 *
 * Both end with a NUL and are valid as long as the text.  Returns false after the last one.
 */
bool timeline_next_arg(const struct timeline_text *text, size_t *at, const char **name,
		       const char **value);

/* What these give is valid until the next out_capture(). */

/* timeline_capture_record - as a line of text shows it, @label: with the type's */
const char *timeline_capture_record(const struct event *event, bool label, size_t *len);

/* timeline_capture_data - GENIO: how much was moved, and how it begins */
const char *timeline_capture_data(const struct event *event, size_t *len);

/* timeline_capture_command - ARGS: as a shell would be told, but for quotes */
const char *timeline_capture_command(const struct ktrace_record *record, size_t *len);

#endif /* _KDUMP_TIMELINE_TEXT_H_ */
