// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "timeline.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>

#include "decode/out.h"
#include "line.h"
#include "options.h"
#include "records.h"
#include "view.h"

#define MAX_PROCESSES (1 << 14)
#define MAX_THREADS   (1 << 14)

#define CLONE_THREAD 0x10000

#define DATA_SHOWN 80 /* bytes of what was read or written */

struct timeline_process {
	struct cache_entry entry; /* by number */
	struct timeline_thread *threads; /* the newest one */
	struct timeline_thread *first; /* the oldest one */
	bool has_parent; /* waits for the process's first record, or is known */
	struct timeline_parent parent;
};

static struct cache processes = CACHE(struct timeline_process, MAX_PROCESSES);
static struct cache threads = CACHE(struct timeline_thread, MAX_THREADS);
static uint32_t threads_count;
static uint64_t records_count;
static int64_t origin;
static int64_t now; /* of the record at hand */

int64_t timeline_origin(void)
{
	return origin;
}

uint64_t timeline_records(void)
{
	return records_count;
}

size_t timeline_cut(const char *text, size_t len, size_t max)
{
	if (len <= max)
		return len;
	while (max && ((unsigned char)text[max] & 0xc0) == 0x80)
		max--;
	return max;
}

static int64_t relative(int64_t time)
{
	int64_t t;

	if (__builtin_sub_overflow(time, origin, &t))
		return time < origin ? -TIMELINE_MAX : TIMELINE_MAX;
	if (t > TIMELINE_MAX)
		return TIMELINE_MAX;
	return t < -TIMELINE_MAX ? -TIMELINE_MAX : t;
}

/* When the clock was set back: no time has passed. */
static int64_t not_before(int64_t time, int64_t start)
{
	return time < start ? start : time;
}

/* The call that the thread is in ends, and its text is used up; @ret: see struct timeline_call. */
static void end_call(const struct timeline_view *view, struct timeline_thread *thread,
		     const struct event *ret)
{
	if (thread->in_call) {
		struct timeline_call call = {
			.call = &thread->call,
			.start = thread->call_start,
			.end = not_before(now, thread->call_start),
			.ret = ret,
			.text = thread->text ? thread->text : "",
			.text_len = thread->text_len,
		};

		view->call(thread, &call);
	}
	thread->in_call = false;
	free(thread->text);
	thread->text = NULL;
	thread->text_len = 0;
}

static void end_sleep(const struct timeline_view *view, struct timeline_thread *thread)
{
	if (thread->asleep)
		view->sleep(thread, not_before(now, thread->sleep_start));
	thread->asleep = false;
}

static void forget_thread(const struct timeline_view *view, struct timeline_thread *thread)
{
	struct timeline_process *process = thread->process;

	end_sleep(view, thread);
	end_call(view, thread, NULL);
	if (thread->next_sibling)
		thread->next_sibling->sibling = thread->sibling;
	else
		process->threads = thread->sibling;
	if (thread->sibling)
		thread->sibling->next_sibling = thread->next_sibling;
	else
		process->first = thread->next_sibling;
	cache_remove(&threads, thread->pid, thread->tid);
}

static void forget_process(const struct timeline_view *view, struct timeline_process *process)
{
	while (process->threads)
		forget_thread(view, process->threads);
	cache_remove(&processes, process->entry.key[0], 0);
}

static struct timeline_process *get_process(const struct timeline_view *view, int64_t pid)
{
	struct timeline_process *process = cache_find(&processes, pid, 0);

	if (process)
		return process;
	if (processes.count == processes.max)
		forget_process(view, (struct timeline_process *)processes.oldest);
	return cache_get(&processes, pid, 0);
}

static struct timeline_thread *get_thread(const struct timeline_view *view,
					  const struct ktrace_record *record)
{
	struct timeline_thread *thread = cache_find(&threads, record->pid, record->tid);
	struct timeline_process *process;

	if (thread) {
		cache_find(&processes, record->pid, 0); /* keeps it young */
		if (memcmp(thread->comm, record->comm, sizeof(thread->comm)) != 0) {
			memcpy(thread->comm, record->comm, sizeof(thread->comm));
			view->renamed(thread);
		}
		return thread;
	}
	if (threads.count == threads.max)
		forget_thread(view, (struct timeline_thread *)threads.oldest);
	process = get_process(view, record->pid);
	thread = cache_get(&threads, record->pid, record->tid);
	thread->process = process;
	thread->sibling = process->threads;
	thread->number = threads_count++;
	thread->pid = record->pid;
	thread->tid = record->tid;
	thread->start = now;
	memcpy(thread->comm, record->comm, sizeof(thread->comm));
	view->thread(thread);
	if (!process->threads && process->has_parent)
		view->fork(&process->parent, thread);
	if (process->threads)
		process->threads->next_sibling = thread;
	else
		process->first = thread;
	process->threads = thread;
	return thread;
}

/* A line for the text of the call; long ones and those too many are cut. */
static void add_line(struct timeline_thread *thread, const char *line, size_t len)
{
	size_t room = TIMELINE_TEXT - thread->text_len;
	char *text;

	if (room < 2)
		return;
	len = timeline_cut(line, len, room - 1);
	text = realloc(thread->text, thread->text_len + len + 1);
	if (!text)
		die("out of memory");
	thread->text = text;
	if (thread->text_len)
		text[thread->text_len++] = '\n';
	memcpy(text + thread->text_len, line, len);
	thread->text_len += len;
}

/* The record as a line of text shows it; valid until the next out_capture(). */
static const char *capture_record(const struct event *event, bool label, size_t *len)
{
	const char *text;

	out_capture_some(TIMELINE_TEXT);
	if (label) {
		out_str(line_label(event->record->type));
		out_char(' ');
	}
	record_print(event);
	text = out_captured(len);
	while (*len && text[*len - 1] == '\n')
		--*len;
	return text;
}

/* The data of one read or write: how much, and how it begins. */
static const char *capture_data(const struct event *event, size_t *len)
{
	struct ktrace_record_genio io;
	size_t most = DATA_SHOWN;

	if (options.max_data && most > (size_t)options.max_data)
		most = options.max_data;
	ktrace_record_get_genio(event->record, &io);
	out_capture_some(TIMELINE_TEXT);
	out_printf("fd %d %s %zu byte%s", io.fd, io.rw == 0 ? "read" : "wrote", io.len,
		   io.len == 1 ? "" : "s");
	if (io.len && !options.no_data) {
		out_str(": \"");
		out_text(io.data, io.len < most ? io.len : most);
		out_str(io.len > most ? "\"..." : "\"");
	}
	return out_captured(len);
}

static void mark(const struct timeline_view *view, const struct timeline_thread *thread,
		 const struct event *event, enum timeline_mark kind)
{
	size_t len;
	const char *text = capture_record(event, kind == TIMELINE_OTHER, &len);

	view->mark(thread, now, kind, text, timeline_cut(text, len, TIMELINE_TEXT));
}

/* What is said about the call that the thread is in, or about nothing. */
static void detail(const struct timeline_view *view, struct timeline_thread *thread,
		   const struct event *event)
{
	const char *text;
	size_t len;

	if (!thread->in_call) {
		mark(view, thread, event,
		     event->record->type == KTR_CAPFAIL ? TIMELINE_CAPABILITY : TIMELINE_OTHER);
		return;
	}
	text = capture_record(event, true, &len);
	add_line(thread, text, len);
}

static void data(const struct timeline_view *view, struct timeline_thread *thread,
		 const struct event *event)
{
	struct ktrace_record_genio io;
	const char *text;
	size_t len;

	ktrace_record_get_genio(event->record, &io);
	view->data(thread, now, io.rw, io.len);
	text = capture_data(event, &len);
	if (thread->in_call)
		add_line(thread, text, len);
	else
		view->mark(thread, now, TIMELINE_OTHER, text,
			   timeline_cut(text, len, TIMELINE_TEXT));
}

static void sleep_or_wake(const struct timeline_view *view, struct timeline_thread *thread,
			  const struct ktrace_record *record)
{
	struct ktrace_record_csw csw;

	ktrace_record_get_csw(record, &csw);
	end_sleep(view, thread);
	if (!csw.out)
		return;
	thread->asleep = true;
	thread->sleep_start = now;
	memset(thread->wmesg, 0, sizeof(thread->wmesg));
	if (csw.has_wmesg && csw.wmesg[0])
		memcpy(thread->wmesg, csw.wmesg, sizeof(csw.wmesg));
	else
		strcpy(thread->wmesg, csw.user ? "user" : "kernel");
}

static void begin_call(const struct timeline_view *view, struct timeline_thread *thread,
		       const struct event *event)
{
	end_call(view, thread, NULL);
	if (!event->call)
		return;
	thread->in_call = true;
	thread->call = *event->call;
	thread->call_start = now;
}

static bool is_one_of(const char *name, const char *const names[], size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Does the call return the number of a new process?  Or, clone3, of a thread: no process has that. */
static bool is_fork(const struct call *call)
{
	static const char *const names[] = { "fork", "vfork", "clone3", "rfork" };
	const char *name = abi_syscall_name(call->flags, call->code);

	if (!name)
		return false;
	if (strcmp(name, "clone") == 0)
		return !(call->word[0] & CLONE_THREAD);
	return is_one_of(name, names, sizeof(names) / sizeof(names[0]));
}

static bool is_exec(const struct call *call)
{
	static const char *const names[] = { "execve", "execveat", "fexecve" };
	const char *name = abi_syscall_name(call->flags, call->code);

	return name && is_one_of(name, names, sizeof(names) / sizeof(names[0]));
}

/* The child may have run already: then its first record came after the call began. */
static void forked(const struct timeline_view *view, const struct timeline_thread *thread,
		   int64_t child)
{
	struct timeline_process *process;
	struct timeline_thread *first;

	if (child <= 0 || child == thread->pid)
		return;
	process = get_process(view, child);
	first = process->first;
	if (first && (process->has_parent || first->start < thread->call_start))
		return;
	process->has_parent = true;
	process->parent = (struct timeline_parent){
		.number = thread->number,
		.pid = thread->pid,
		.tid = thread->tid,
		.time = thread->call_start,
	};
	if (first)
		view->fork(&process->parent, first);
}

/* All other threads of the process have ended. */
static void executed(const struct timeline_view *view, struct timeline_thread *thread)
{
	struct timeline_thread *other, *next;

	for (other = thread->process->threads; other; other = next) {
		next = other->sibling;
		if (other != thread)
			forget_thread(view, other);
	}
}

static void end_of_call(const struct timeline_view *view, struct timeline_thread *thread,
			const struct event *event)
{
	struct ktrace_record_sysret ret;

	ktrace_record_get_sysret(event->record, &ret);
	if (!thread->in_call || !event->call) {
		/* Its CALL came before the trace, or was lost; or a child returns from its fork. */
		end_call(view, thread, NULL);
		return;
	}
	end_call(view, thread, event);
	if (ret.error == 0 && is_fork(&thread->call))
		forked(view, thread, ret.retval);
	if ((ret.error == 0 || ret.error == KTRACE_EJUSTRETURN) && is_exec(&thread->call))
		executed(view, thread);
}

/* As a shell would be told, but for quotes. */
static void arguments(const struct timeline_view *view, struct timeline_thread *thread,
		      const struct ktrace_record *record)
{
	const char *string, *text;
	size_t at = 0, len, total = 0;

	out_capture_some(TIMELINE_TEXT);
	while (total < TIMELINE_TEXT && (string = ktrace_record_next_string(record, &at, &len))) {
		if (total)
			out_char(' ');
		len = len < TIMELINE_TEXT ? len : TIMELINE_TEXT;
		out_text(string, len);
		total += len + 1;
	}
	text = out_captured(&len);
	len = timeline_cut(text, len, TIMELINE_TEXT);
	view->command(thread, text, len);
	view->mark(thread, now, TIMELINE_EXEC, text, len);
}

static void shown(const struct timeline_view *view, struct timeline_thread *thread,
		  const struct event *event)
{
	switch (event->record->type) {
	case KTR_SYSCALL:
		begin_call(view, thread, event);
		break;
	case KTR_SYSRET:
		end_of_call(view, thread, event);
		break;
	case KTR_CSW:
		sleep_or_wake(view, thread, event->record);
		break;
	case KTR_GENIO:
		data(view, thread, event);
		break;
	case KTR_PSIG:
		mark(view, thread, event, TIMELINE_SIGNAL);
		break;
	case KTR_FAULT:
		mark(view, thread, event, TIMELINE_FAULT);
		break;
	case KTR_USER:
		mark(view, thread, event, TIMELINE_USER);
		break;
	case KTR_ARGS:
		arguments(view, thread, event->record);
		break;
	case KTR_NAMEI:
	case KTR_SYSCTL:
	case KTR_STRUCT:
	case KTR_STRUCT_ARRAY:
	case KTR_CAPFAIL:
	case KTR_EXTERR:
		detail(view, thread, event);
		break;
	}
}

static void ended(const struct timeline_view *view, const struct ktrace_record *record)
{
	struct timeline_process *process = cache_find(&processes, record->pid, 0);
	struct timeline_thread *thread;

	if (!process || !process->threads)
		return;
	for (thread = process->threads; thread; thread = thread->sibling) {
		end_sleep(view, thread);
		end_call(view, thread, NULL);
	}
	view->exit(process->threads, now);
	forget_process(view, process);
}

void timeline_begin(void)
{
	while (threads.oldest) {
		struct timeline_thread *thread = (struct timeline_thread *)threads.oldest;

		free(thread->text);
		cache_remove(&threads, thread->pid, thread->tid);
	}
	while (processes.oldest)
		cache_remove(&processes, processes.oldest->key[0], 0);
	threads_count = 0;
	records_count = 0;
	origin = 0;
	now = 0;
}

void timeline_event(const struct timeline_view *view, const struct event *event)
{
	const struct ktrace_record *record = event->record;
	struct timeline_thread *thread;

	if (record->type == KTR_PROCDTOR) {
		now = records_count ? relative(event->time) : 0;
		ended(view, record);
		return;
	}
	if (record->type == KTR_PROCCTOR || !view_wants(event))
		return;
	if (records_count++ == 0)
		origin = event->time;
	now = relative(event->time);
	thread = get_thread(view, record);
	if (record->drop)
		view->mark(thread, now, TIMELINE_LOST, "", 0);
	shown(view, thread, event);
}

void timeline_end(const struct timeline_view *view)
{
	while (processes.oldest)
		forget_process(view, (struct timeline_process *)processes.oldest);
}
