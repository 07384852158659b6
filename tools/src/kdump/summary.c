// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --summary: how many calls there were, and how long they took; a row for each
 * call or for each process.
 */
#include "summary.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>

#include "decode/abi.h"
#include "decode/out.h"
#include "histogram.h"
#include "ktrace_format.h"
#include "options.h"
#include "track/fork.h"
#include "track/track.h"
#include "view.h"

/* Rows: what would be one more counts with the others. */
#define MAX_PROCESSES 16384
#define MAX_UNNAMED   1024 /* calls that have just a number */

enum { CODES = 1 << 16 };

static struct row **rows;
static size_t rows_count, rows_room;
static struct row *others;

static struct row *by_call[ABI_TABLES][CODES];
static unsigned int unnamed;

/* By the process's id. */
static struct row **by_process;
static size_t by_process_room;
static size_t processes;

static struct row total;
static struct summary_notes notes;
static uint64_t begun, returned; /* calls, and results of them */

static struct row *new_row(void)
{
	struct row *row = calloc(1, sizeof(*row)), **more;

	if (rows_count == rows_room) {
		rows_room = rows_room ? rows_room * 2 : 64;
		more = realloc(rows, rows_room * sizeof(struct row *));
		if (!more)
			die("out of memory");
		rows = more;
	}
	if (!row)
		die("out of memory");
	rows[rows_count++] = row;
	return row;
}

static struct row *other_row(void)
{
	if (!others) {
		others = new_row();
		others->others = true;
	}
	return others;
}

static struct row *call_row(uint32_t flags, int code)
{
	struct row **row = &by_call[abi_table(flags)][(uint16_t)code];

	if (*row)
		return *row;
	if (!abi_syscall_name(flags, code) && unnamed++ >= MAX_UNNAMED) {
		*row = other_row();
		return *row;
	}
	*row = new_row();
	(*row)->flags = flags;
	(*row)->code = code;
	return *row;
}

static struct row *process_row(const struct process *process)
{
	struct row *row;

	if (process->id >= by_process_room) {
		size_t room = by_process_room ? by_process_room : 64;

		while (room <= process->id)
			room *= 2;
		by_process = realloc(by_process, room * sizeof(struct row *));
		if (!by_process)
			die("out of memory");
		memset(by_process + by_process_room, 0,
		       (room - by_process_room) * sizeof(struct row *));
		by_process_room = room;
	}
	row = by_process[process->id];
	if (!row && processes == MAX_PROCESSES)
		return other_row();
	if (!row) {
		row = new_row();
		by_process[process->id] = row;
		row->id = process->id;
		row->pid = process->pid;
		processes++;
	}
	memcpy(row->comm, process->comm, sizeof(row->comm));
	return row;
}

static void add(struct row *row, bool error, bool timed, uint64_t ns)
{
	row->calls++;
	row->errors += error;
	if (!timed)
		return;
	row->total += ns;
	histogram_add(&row->times, ns);
}

static void take_return(const struct event *event)
{
	struct ktrace_record_sysret ret;
	struct row *row;
	int64_t ns = 0;
	bool timed = event_duration(event, &ns);

	ktrace_record_get_sysret(event->record, &ret);
	if (fork_is_childs_return(event))
		return;
	returned += !!event->call;
	notes.without_call += !event->call;
	notes.out_of_range += event->call && !timed;
	notes.clock_back += ns < 0;
	notes.restarts += ret.error == KTRACE_ERESTART;
	timed = timed && ns >= 0;
	if (options.view->tracks)
		row = process_row(track_process());
	else
		row = call_row(event->abi.call_flags, ret.code);
	add(row, ret.error > 0, timed, (uint64_t)ns);
	add(&total, ret.error > 0, timed, (uint64_t)ns);
}

static void summary_event(const struct event *event)
{
	notes.drops += event->record->drop;
	if (!view_wants(event))
		return;
	if (event->record->type == KTR_SYSCALL)
		begun++;
	else if (event->record->type == KTR_SYSRET)
		take_return(event);
}

static void summary_begin(void)
{
	size_t i;

	for (i = 0; i < rows_count; i++) {
		histogram_clear(&rows[i]->times);
		free(rows[i]);
	}
	rows_count = 0;
	others = NULL;
	memset(by_call, 0, sizeof(by_call));
	unnamed = 0;
	if (by_process)
		memset(by_process, 0, by_process_room * sizeof(struct row *));
	processes = 0;
	histogram_clear(&total.times);
	memset(&total, 0, sizeof(total));
	memset(&notes, 0, sizeof(notes));
	begun = 0;
	returned = 0;
}

static void summary_end(void)
{
	size_t i;

	for (i = 0; i < rows_count; i++)
		rows[i]->p99 = histogram_quantile(&rows[i]->times, 99);
	total.p99 = histogram_quantile(&total.times, 99);
	notes.unreturned = begun > returned ? begun - returned : 0;
	summary_out(rows, rows_count, &total, &notes);
}

const struct view summary_view = {
	.option = "--summary",
	.uses = VIEW_FILTERS | VIEW_PROCESS | VIEW_FOLLOWS,
	.begin = summary_begin,
	.event = summary_event,
	.end = summary_end,
};

const struct view summary_process_view = {
	.option = "--summary",
	.uses = VIEW_FILTERS | VIEW_PROCESS | VIEW_FOLLOWS,
	.tracks = true,
	.begin = summary_begin,
	.event = summary_event,
	.end = summary_end,
};
