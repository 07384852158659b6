/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* All records of a reader, through the filters, to the view. */
#ifndef _KDUMP_DUMP_H_
#define _KDUMP_DUMP_H_

#include <stdbool.h>
#include <stdint.h>

#include "reader/ktrace_reader.h"

/*
 * dump_next - what the program does with a record before the view gets it; @number counts from 0
 *
 * Returns false when it is not to be shown: it changes what is known of processes and nothing else.
 */
typedef bool dump_next(const struct ktrace_record *record, uint64_t number);

struct dump {
	uint64_t records;
	bool shown; /* some of what was asked for */
	bool failed; /* ktrace_reader_error() says how */
};

/* dump_run - to the end, or to where the file is malformed: what came before it is shown */
struct dump dump_run(struct ktrace_reader *reader, dump_next *next);

#endif /* _KDUMP_DUMP_H_ */
