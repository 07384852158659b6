/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KDUMP_SUMMARY_H_
#define _KDUMP_SUMMARY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "histogram.h"
#include "ktrace_format.h"

/* --sort: the order of rows; all but names have the largest first. */
enum summary_sort {
	SUMMARY_BY_TIME,
	SUMMARY_BY_CALLS,
	SUMMARY_BY_ERRORS,
	SUMMARY_BY_MEAN,
	SUMMARY_BY_MAX,
	SUMMARY_BY_P99,
	SUMMARY_BY_NAME,
};

/* summary_sort_parse - by its name on the command line; false: there is none such */
bool summary_sort_parse(const char *text, enum summary_sort *sort);

/* Nanoseconds: of so many calls as there may be, however long each was. */
typedef unsigned __int128 summary_total;

/* A call, or a process. */
struct row {
	uint32_t flags; /* a call: of a process that made it */
	int code;
	uint64_t id; /* a process; 0: it is a call */
	int32_t pid;
	bool others; /* all that have no row */
	char comm[KTRACE_COMM_LEN];
	uint64_t calls, errors;
	uint64_t p99;
	summary_total total;
	struct histogram times;
};

/* What the rows do not show. */
struct summary_notes {
	uint64_t unreturned; /* calls that have no end */
	uint64_t without_call; /* ends of which there is no begin */
	uint64_t restarts;
	uint64_t clock_back;
	uint64_t out_of_range; /* times that do not fit */
	uint64_t drops;
};

/* summary_out - the table; puts @rows in order */
void summary_out(struct row **rows, size_t count, const struct row *total,
		 const struct summary_notes *notes);

#endif /* _KDUMP_SUMMARY_H_ */
