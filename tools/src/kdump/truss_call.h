/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A call in one line, name(argument, ...) = result, where paths, data and
 * structures stand in the place of the pointers to them.
 */
#ifndef _KDUMP_TRUSS_CALL_H_
#define _KDUMP_TRUSS_CALL_H_

#include <stdbool.h>
#include <stddef.h>

#include "decode/event.h"

/* What records said of a call, in words. */
struct truss_details {
	char *p; /* struct detail, one behind the other */
	size_t len;
	size_t room;
	bool more; /* there was no room */
};

#define TRUSS_ALL_ARGS (ARGS_KNOWN + 1) /* of arguments that were printed: all */

/* truss_details_clear - none; their memory stays */
void truss_details_clear(struct truss_details *details);

/* truss_details_free - and forget the memory */
void truss_details_free(struct truss_details *details);

/* truss_details_is - is such a record part of a call's line, and not a line of its own? */
bool truss_details_is(unsigned int type);

/* truss_details_add - a record of a call; too many of them are left out, which truss_out_rest() says */
void truss_details_add(struct truss_details *details, const struct event *event);

/* truss_details_add_files - --fds: what is behind the descriptors of a call, whose CALL was tracked last */
void truss_details_add_files(struct truss_details *details, const struct call *call);

/*
 * truss_out_args - its arguments, from @from on
 * @all: else only those before one that a record to come may put into words
 *
 * Returns the number of the first one that was left out; the comma before it was not.
 */
unsigned int truss_out_args(const struct call *call, struct truss_details *details,
			    unsigned int from, bool all);

/* truss_out_line - lines as one; their indents go */
void truss_out_line(const char *text, size_t len);

/* truss_out_label - of a type that has one, and a space */
void truss_out_label(unsigned int type);

/* truss_out_result - what a RET says, in a line of its call or of its own */
void truss_out_result(const struct event *event);

/* truss_out_rest - details that stand for no argument, if there are any, and not for what is behind a descriptor */
void truss_out_rest(const struct truss_details *details);

#endif /* _KDUMP_TRUSS_CALL_H_ */
