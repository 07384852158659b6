// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --summary: the table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/abi.h"
#include "decode/out.h"
#include "options.h"
#include "summary.h"

#define NSEC_PER_SEC  1000000000
#define NSEC_PER_USEC 1000

/* The numbers of a row as text. */
enum column {
	TIME,
	CALLS,
	ERRORS,
	MEAN,
	MIN,
	MAX,
	P99,
	COLUMNS,
};

#define CELL 32

struct cells {
	char text[COLUMNS][CELL];
};

/* Microseconds, to the nearest tenth. */
static void microseconds(char text[CELL], uint64_t ns)
{
	uint64_t tenth = NSEC_PER_USEC / 10, tenths = ns / tenth + (ns % tenth >= tenth / 2);

	snprintf(text, CELL, "%llu.%llu", (unsigned long long)(tenths / 10),
		 (unsigned long long)(tenths % 10));
}

/* More than seconds_text() takes. */
static void seconds(char text[CELL], summary_total ns)
{
	snprintf(text, CELL, "%llu.%06u", (unsigned long long)(ns / NSEC_PER_SEC),
		 (unsigned int)(ns % NSEC_PER_SEC / NSEC_PER_USEC));
}

static uint64_t mean(const struct row *row)
{
	return row->times.count ? (uint64_t)(row->total / row->times.count) : 0;
}

static void make_cells(const struct row *row, struct cells *cells)
{
	int i;

	seconds(cells->text[TIME], row->total);
	snprintf(cells->text[CALLS], CELL, "%llu", (unsigned long long)row->calls);
	snprintf(cells->text[ERRORS], CELL, "%llu", (unsigned long long)row->errors);
	microseconds(cells->text[MEAN], mean(row));
	microseconds(cells->text[MIN], row->times.min);
	microseconds(cells->text[MAX], row->times.max);
	microseconds(cells->text[P99], row->p99);
	for (i = 0; i < COLUMNS && row->times.count == 0; i++)
		if (i != CALLS && i != ERRORS)
			strcpy(cells->text[i], "-");
}

static const struct cells heading = { { "total s", "calls", "errors", "mean us", "min us", "max us",
					"p99 us" } };

static void widen(unsigned int width[COLUMNS], const struct cells *cells)
{
	int i;

	for (i = 0; i < COLUMNS; i++)
		if (strlen(cells->text[i]) > width[i])
			width[i] = strlen(cells->text[i]);
}

static void out_cells(const unsigned int width[COLUMNS], const struct cells *cells)
{
	int i;

	for (i = 0; i < COLUMNS; i++)
		out_printf("%*s  ", (int)width[i], cells->text[i]);
}

/* Of which ABI a call is, if there are calls of several. */
static bool several_abis(struct row *const *rows, size_t count)
{
	size_t i, first = count;

	for (i = 0; i < count; i++) {
		if (rows[i]->others || rows[i]->id)
			continue;
		if (first == count)
			first = i;
		if (abi_table(rows[i]->flags) != abi_table(rows[first]->flags))
			return true;
	}
	return false;
}

static void out_name(const struct row *row, bool abis)
{
	const char *name;

	if (row->others) {
		out_str("(others)");
	} else if (row->id) {
		out_printf("%d ", row->pid);
		out_text_str(row->comm, sizeof(row->comm));
	} else {
		name = abi_syscall_name(row->flags, row->code);
		if (name)
			out_str(name);
		else
			out_printf("[%d]", row->code);
		if (abis)
			out_printf(" %s", abi_letters(row->flags));
	}
}

static int descending(summary_total a, summary_total b)
{
	return (a < b) - (a > b);
}

/* By name; what has none, by number. */
static int compare_names(const struct row *a, const struct row *b)
{
	const char *name_a, *name_b;
	int order;

	if (a->others || b->others)
		return a->others - b->others;
	if (a->id) {
		order = strcmp(a->comm, b->comm);
		return order ? order : (a->id > b->id) - (a->id < b->id);
	}
	name_a = abi_syscall_name(a->flags, a->code);
	name_b = abi_syscall_name(b->flags, b->code);
	if (!name_a || !name_b)
		order = (!name_a) - (!name_b);
	else
		order = strcmp(name_a, name_b);
	if (!order)
		order = (a->code > b->code) - (a->code < b->code);
	return order ? order : (int)abi_table(a->flags) - (int)abi_table(b->flags);
}

static int compare(const void *left, const void *right)
{
	const struct row *a = *(const struct row *const *)left;
	const struct row *b = *(const struct row *const *)right;
	int order = 0;

	switch (options.sort) {
	case SUMMARY_BY_TIME:
		break;
	case SUMMARY_BY_CALLS:
		order = descending(a->calls, b->calls);
		break;
	case SUMMARY_BY_ERRORS:
		order = descending(a->errors, b->errors);
		break;
	case SUMMARY_BY_MEAN:
		order = descending(mean(a), mean(b));
		break;
	case SUMMARY_BY_MAX:
		order = descending(a->times.max, b->times.max);
		break;
	case SUMMARY_BY_P99:
		order = descending(a->p99, b->p99);
		break;
	case SUMMARY_BY_NAME:
		return compare_names(a, b);
	}
	if (!order)
		order = descending(a->total, b->total);
	if (!order)
		order = descending(a->calls, b->calls);
	return order ? order : compare_names(a, b);
}

static void out_table(struct row *const *rows, size_t count, const struct row *total)
{
	struct cells *cells = calloc(count + 1, sizeof(*cells));
	unsigned int width[COLUMNS] = { 0 };
	bool abis = several_abis(rows, count);
	size_t i;

	if (!cells)
		die("out of memory");
	widen(width, &heading);
	for (i = 0; i <= count; i++) {
		make_cells(i < count ? rows[i] : total, &cells[i]);
		widen(width, &cells[i]);
	}
	out_cells(width, &heading);
	out_str(options.view->tracks ? "process\n" : "call\n");
	for (i = 0; i < count; i++) {
		out_cells(width, &cells[i]);
		out_name(rows[i], abis);
		out_char('\n');
	}
	out_cells(width, &cells[count]);
	out_str("total\n");
	free(cells);
}

static void out_note(uint64_t count, const char *one, const char *many)
{
	if (count)
		out_printf("%llu %s\n", (unsigned long long)count, count == 1 ? one : many);
}

void summary_out(struct row **rows, size_t count, const struct row *total,
		 const struct summary_notes *notes)
{
	if (count)
		qsort(rows, count, sizeof(struct row *), compare);
	out_table(rows, count, total);
	out_note(notes->unreturned, "call did not return, and is not counted",
		 "calls did not return, and are not counted");
	out_note(notes->without_call, "call began before the trace: it is counted without a time",
		 "calls began before the trace: they are counted without a time");
	out_note(notes->restarts,
		 "call was interrupted by a signal, and began again or failed with EINTR",
		 "calls were interrupted by signals, and began again or failed with EINTR");
	out_note(notes->clock_back, "call is counted without a time: the clock was set back",
		 "calls are counted without a time: the clock was set back");
	out_note(notes->out_of_range, "call is counted without a time: it is out of range",
		 "calls are counted without a time: it is out of range");
	out_note(notes->drops, "time records were lost", "times records were lost");
}

bool summary_sort_parse(const char *text, enum summary_sort *sort)
{
	static const char *const names[] = {
		[SUMMARY_BY_TIME] = "time",	[SUMMARY_BY_CALLS] = "calls",
		[SUMMARY_BY_ERRORS] = "errors", [SUMMARY_BY_MEAN] = "mean",
		[SUMMARY_BY_MAX] = "max",	[SUMMARY_BY_P99] = "p99",
		[SUMMARY_BY_NAME] = "name",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0) {
			*sort = (enum summary_sort)i;
			return true;
		}
	}
	return false;
}
