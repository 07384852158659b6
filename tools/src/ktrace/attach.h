/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What ktrace and ktruss have in common: the device, what is to be traced, and
 * why it cannot be.  Failure is reported, and ends the program.
 */
#ifndef _KTRACE_ATTACH_H_
#define _KTRACE_ATTACH_H_

#include <stdbool.h>

/* attach_parse_id - the number of a process, or (option 'g') of a group */
int attach_parse_id(char option, const char *text);

/*
 * attach_open_device - open /dev/ktrace
 *
 * The descriptor goes when a command is executed: the trace of the command
 * then has no trace of us but the end of our call.
 */
int attach_open_device(void);

/* attach_check - is there such a process (@target is 'p') or group ('g')? */
void attach_check(char target, int id);

/* What was asked of the kernel. */
struct attach_request {
	bool sets; /* else it clears */
	bool command; /* of the caller itself, for a command */
	char target; /* 'p', 'g', or 0 */
	int id; /* of the process or group */
};

/*
 * attach_explain - ktrace() failed with @error: says why, and what to do
 *
 * Returns when there is nothing to explain but the error itself.
 */
void attach_explain(const struct attach_request *rq, int error);

#endif /* _KTRACE_ATTACH_H_ */
