// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --truss: a line for each call, as strace(1) and truss(1) have them.
 *
 * A call is printed when it has returned.  Before anything else is, all calls
 * that began earlier and go on are: as "name(arguments <unfinished ...>", and
 * when they return as "<... name resumed>".  So lines begin in the order of
 * what they tell of, and end in it too.
 */
#include "truss.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>

#include "decode/cache.h"
#include "decode/out.h"
#include "decode/style.h"
#include "line.h"
#include "options.h"
#include "records.h"
#include "timeline_text.h"
#include "decode/names.h"
#include "track/fork.h"
#include "track/track.h"
#include "truss_call.h"
#include "view.h"

#define MAX_PROCESSES (1 << 14)
#define MAX_THREADS   (1 << 14)

struct truss_process {
	struct cache_entry entry; /* by number */
	struct truss_thread *threads; /* the newest one */
};

struct truss_thread {
	struct cache_entry entry; /* by process and thread */
	struct truss_process *process;
	struct truss_thread *sibling; /* the thread of the process before it */
	struct truss_thread *next_sibling; /* ... and after it */
	int32_t pid;
	int64_t tid;
	bool in_call;
	bool shown; /* its beginning has been printed */
	unsigned int args; /* how many arguments of it */
	struct call call;
	struct line_time began;
	struct truss_details details;
	struct truss_thread *earlier, *later; /* calls that have not been shown */
};

static void release_thread(void *entry)
{
	truss_details_free(&((struct truss_thread *)entry)->details);
}

static struct cache processes = CACHE(struct truss_process, MAX_PROCESSES);
static struct cache threads = CACHE(struct truss_thread, MAX_THREADS, .release = release_thread);
static struct truss_thread *earliest, *latest; /* calls that have not been shown */
static struct truss_thread *open_line; /* whose call the last line, which has not ended, is about */
static bool drop_shown; /* since the last line */
static bool several; /* there has been more than one thread */
static int32_t only_pid;
static int64_t only_tid;

void truss_end_line(void)
{
	if (!open_line)
		return;
	if (open_line->args == 0 || open_line->args == TRUSS_ALL_ARGS)
		out_char(' ');
	out_str("<unfinished ...>\n");
	open_line = NULL;
}

/* "  700: ", "  700.701: " */
static void begin_line(int32_t pid, int64_t tid, const struct line_time *time)
{
	truss_end_line();
	drop_shown = false;
	if (several || !options.alone) {
		style_begin(STYLE_PROCESS);
		out_dec_padded(pid, 5);
		if (tid != pid) {
			out_char('.');
			out_dec(tid);
		}
		out_str(": ");
		style_end();
	}
	line_out_times(time);
}

static void unlink_call(struct truss_thread *thread)
{
	if (thread->shown)
		return;
	if (thread->earlier)
		thread->earlier->later = thread->later;
	else
		earliest = thread->later;
	if (thread->later)
		thread->later->earlier = thread->earlier;
	else
		latest = thread->earlier;
}

static void begin_call(struct truss_thread *thread, const struct event *event)
{
	thread->in_call = true;
	thread->shown = false;
	thread->args = 0;
	thread->call = *event->call;
	line_time_of(event->record, &thread->began);
	truss_details_clear(&thread->details);
	if (options.fds)
		truss_details_add_files(&thread->details, event->call);
	thread->earlier = latest;
	thread->later = NULL;
	if (latest)
		latest->later = thread;
	else
		earliest = thread;
	latest = thread;
}

/* The line of a call as far as it is known; it goes on, or is ended by begin_line(). */
static void show_begin(struct truss_thread *thread, bool all)
{
	unlink_call(thread);
	begin_line(thread->pid, thread->tid, &thread->began);
	call_out_name(thread->call.flags, thread->call.code);
	out_char('(');
	thread->args = truss_out_args(&thread->call, &thread->details, 0, all);
	thread->shown = true;
	open_line = thread;
}

static void show_earlier(const struct truss_thread *thread)
{
	while (earliest && earliest != thread)
		show_begin(earliest, false);
}

/* The end of a call, in the line of its beginning or in one of its own. */
static void finish_line(struct truss_thread *thread, const struct line_time *time)
{
	if (!thread->shown) {
		show_earlier(thread);
		show_begin(thread, true);
	} else {
		if (open_line != thread) {
			show_earlier(NULL);
			begin_line(thread->pid, thread->tid, time);
			out_str("<... ");
			call_out_name(thread->call.flags, thread->call.code);
			out_str(thread->args == TRUSS_ALL_ARGS ? " resumed>" : " resumed> ");
		}
		truss_out_args(&thread->call, &thread->details, thread->args, true);
	}
	out_str(") = ");
	open_line = NULL;
}

static void end_line(struct truss_thread *thread)
{
	truss_out_rest(&thread->details);
	out_char('\n');
	thread->in_call = false;
	truss_details_clear(&thread->details);
}

/* It does not return, or that was not seen. */
static void abandon_call(struct truss_thread *thread, const struct line_time *time)
{
	if (!thread->in_call)
		return;
	finish_line(thread, time);
	out_char('?');
	end_line(thread);
}

static void forget_thread(struct truss_thread *thread)
{
	struct truss_process *process = thread->process;

	abandon_call(thread, &thread->began);
	if (thread->next_sibling)
		thread->next_sibling->sibling = thread->sibling;
	else
		process->threads = thread->sibling;
	if (thread->sibling)
		thread->sibling->next_sibling = thread->next_sibling;
	cache_remove(&threads, thread->pid, thread->tid);
}

static void forget_process(struct truss_process *process)
{
	while (process->threads)
		forget_thread(process->threads);
	cache_remove(&processes, process->entry.key[0], 0);
}

static struct truss_process *get_process(int64_t pid)
{
	struct truss_process *process = cache_find(&processes, pid, 0);

	if (process)
		return process;
	if (processes.count == processes.max)
		forget_process((struct truss_process *)processes.oldest);
	return cache_get(&processes, pid, 0);
}

static struct truss_thread *get_thread(const struct ktrace_record *record)
{
	struct truss_thread *thread = cache_find(&threads, record->pid, record->tid);
	struct truss_process *process;

	if (thread)
		return thread;
	if (threads.count == threads.max)
		forget_thread((struct truss_thread *)threads.oldest);
	process = get_process(record->pid);
	thread = cache_get(&threads, record->pid, record->tid);
	thread->process = process;
	thread->pid = record->pid;
	thread->tid = record->tid;
	thread->sibling = process->threads;
	if (process->threads)
		process->threads->next_sibling = thread;
	process->threads = thread;
	if (threads.count == 1 && !several) {
		only_pid = record->pid;
		only_tid = record->tid;
	}
	several = several || record->pid != only_pid || record->tid != only_tid;
	return thread;
}

/* A line about something that is no call. */
static void begin_mark(const struct event *event)
{
	struct line_time time;

	show_earlier(NULL);
	line_time_of(event->record, &time);
	begin_line(event->record->pid, event->record->tid, &time);
}

static void show_mark(const struct event *event)
{
	size_t len;
	const char *text;

	if (!line_label(event->record->type))
		return;
	begin_mark(event);
	text = timeline_capture_record(event, false, &len);
	out_str("--- ");
	if (event->record->type != KTR_PSIG)
		truss_out_label(event->record->type);
	truss_out_line(text, len);
	out_str(" ---\n");
}

static void take_call(struct truss_thread *thread, const struct event *event)
{
	struct line_time time;

	line_time_of(event->record, &time);
	abandon_call(thread, &time);
	if (!event->call)
		return;
	begin_call(thread, event);
	if (call_never_returns(event->call))
		abandon_call(thread, &time);
}

/* Its CALL came before the trace, or was lost. */
static void return_without_call(const struct event *event)
{
	struct ktrace_record_sysret ret;

	if (fork_is_childs_return(event))
		return;
	ktrace_record_get_sysret(event->record, &ret);
	begin_mark(event);
	out_str("<... ");
	call_out_name(event->abi.call_flags, ret.code);
	out_str(" resumed>) = ");
	truss_out_result(event);
	out_char('\n');
}

/* All other threads have ended. */
static void executed(struct truss_thread *thread)
{
	struct truss_thread *other, *next;

	for (other = thread->process->threads; other; other = next) {
		next = other->sibling;
		if (other != thread)
			forget_thread(other);
	}
}

static void take_return(struct truss_thread *thread, const struct event *event)
{
	struct line_time time;
	bool exec = event->call && call_is_exec(event->call);

	line_time_of(event->record, &time);
	if (!thread->in_call || !event->call) {
		abandon_call(thread, &time);
		return_without_call(event);
		return;
	}
	finish_line(thread, &time);
	truss_out_result(event);
	end_line(thread);
	if (exec)
		executed(thread);
}

static void show_end(const struct event *event)
{
	const struct process_end *end = track_end();

	begin_mark(event);
	if (end->state == PROCESS_EXITED) {
		out_printf("+++ exited with %d", end->status);
	} else if (end->state == PROCESS_KILLED) {
		out_str("+++ killed by ");
		names_out_signal(end->status, abi_is_linux(end->flags));
	} else {
		out_str("+++ ended");
	}
	out_str(" +++\n");
}

static void end_process(const struct event *event)
{
	struct truss_process *process = cache_find(&processes, event->record->pid, 0);
	struct truss_thread *thread;
	struct line_time time;

	if (!process)
		return;
	line_time_of(event->record, &time);
	for (thread = process->threads; thread; thread = thread->sibling)
		abandon_call(thread, &time);
	if (!options.quiet)
		show_end(event);
	forget_process(process);
}

static void truss_begin(void)
{
	styles = options.colour;
	drop_shown = false;
	earliest = NULL;
	latest = NULL;
	open_line = NULL;
	several = false;
	cache_clear(&threads);
	cache_clear(&processes);
	line_reset();
}

static void show_drop(const struct event *event)
{
	if (!event->record->drop || drop_shown)
		return;
	begin_mark(event);
	style_begin(STYLE_ERROR);
	out_str("--- events dropped ---");
	style_end();
	out_char('\n');
	drop_shown = true;
}

static void truss_event(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	struct truss_thread *thread;

	show_drop(event);
	if (record->type == KTR_PROCDTOR) {
		end_process(event);
		return;
	}
	if (record->type == KTR_PROCCTOR || !view_wants(event))
		return;
	thread = get_thread(record);
	if (record->type == KTR_SYSCALL)
		take_call(thread, event);
	else if (record->type == KTR_SYSRET)
		take_return(thread, event);
	else if (thread->in_call && event->call && truss_details_is(record->type))
		truss_details_add(&thread->details, event);
	else
		show_mark(event);
}

void truss_show_calls(void)
{
	show_earlier(NULL);
}

static void truss_end(void)
{
	show_earlier(NULL);
	truss_end_line();
	styles = false;
}

const struct view truss_view = {
	.option = "--truss",
	.uses = VIEW_TIMES | VIEW_NUMBERS | VIEW_VALUES | VIEW_TYPES | VIEW_FILTERS | VIEW_PROCESS |
		VIEW_FOLLOWS,
	.tracks = true,
	.begin = truss_begin,
	.event = truss_event,
	.end = truss_end,
};
