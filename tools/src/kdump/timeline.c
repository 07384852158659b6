// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "timeline.h"

#include <string.h>
#include <sys/ktrace.h>

#include "decode/out.h"
#include "timeline_text.h"
#include "track/calls.h"
#include "view.h"

#define MAX_PROCESSES (1 << 14)
#define MAX_THREADS   (1 << 14)

#define CLONE_THREAD 0x10000

#define NSEC_PER_SEC 1000000000

/* A child of vfork() may have ended when the call returns. */
#define MAX_ENDED 64

struct timeline_process {
	struct cache_entry entry; /* by number */
	struct timeline_thread *threads; /* the newest one */
	struct timeline_thread *first; /* the oldest one */
	bool has_parent; /* waits for the process's first record, or is known */
	struct timeline_point parent; /* where in it */
};

static void release_thread(void *entry)
{
	struct timeline_thread *thread = entry;

	timeline_text_free(&thread->args);
	timeline_text_free(&thread->text);
}

static struct cache processes = CACHE(struct timeline_process, MAX_PROCESSES);
static struct cache threads = CACHE(struct timeline_thread, MAX_THREADS, .release = release_thread);
static struct timeline_point ended[MAX_ENDED]; /* processes whose parents are not known, latest */
static unsigned int ended_count;
static uint32_t threads_count;
static uint64_t records_count;
static int64_t origin;
static __int128 base; /* what time 0 stands for: the origin and what was cut out */
static __int128 cut; /* nanoseconds that no mark tells of yet */
static bool has_cut;
static int64_t now; /* of the record at hand */

int64_t timeline_origin(void)
{
	return origin;
}

uint64_t timeline_records(void)
{
	return records_count;
}

/* The time of the record at hand; what does not fit since that before it is cut out. */
static int64_t relative(int64_t time)
{
	__int128 t = time - base;

	if (t >= -TIMELINE_MAX && t <= TIMELINE_MAX)
		return (int64_t)t;
	if (!has_cut)
		warn("times are more than 52 days from the first: what does not fit is cut out and marked");
	has_cut = true;
	cut += t - now;
	base += t - now;
	return now;
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
			.args = &thread->args,
			.text = &thread->text,
		};

		view->call(thread, &call);
	}
	thread->in_call = false;
	timeline_text_free(&thread->args);
	timeline_text_free(&thread->text);
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

static struct timeline_point point(const struct timeline_thread *thread, int64_t time)
{
	return (struct timeline_point){
		.number = thread->number,
		.pid = thread->pid,
		.tid = thread->tid,
		.time = time,
	};
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
	if (!process->threads && process->has_parent) {
		struct timeline_point begin = point(thread, now);

		view->fork(&process->parent, &begin);
	}
	if (process->threads)
		process->threads->next_sibling = thread;
	else
		process->first = thread;
	process->threads = thread;
	return thread;
}

static void mark(const struct timeline_view *view, const struct timeline_thread *thread,
		 const struct event *event, enum timeline_mark kind)
{
	size_t len;
	const char *text = timeline_capture_record(event, kind == TIMELINE_OTHER, &len);

	view->mark(thread, now, kind, text, len);
}

/* A mark for each second is enough where a trace goes on for longer than can be shown. */
static void mark_cut(const struct timeline_view *view, const struct timeline_thread *thread)
{
	int64_t seconds = (int64_t)(cut / NSEC_PER_SEC);
	const char *text;
	size_t len;

	if (seconds == 0)
		return;
	out_capture();
	out_printf("the clock went %s %lld seconds, which are cut out here",
		   seconds < 0 ? "back" : "on", (long long)(seconds < 0 ? -seconds : seconds));
	text = out_captured(&len);
	view->mark(thread, now, TIMELINE_OTHER, text, len);
	cut = 0;
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
	text = timeline_capture_record(event, true, &len);
	timeline_add_line(&thread->text, text, len);
}

static void data(const struct timeline_view *view, struct timeline_thread *thread,
		 const struct event *event)
{
	struct ktrace_record_genio io;
	const char *text;
	size_t len;

	ktrace_record_get_genio(event->record, &io);
	view->data(thread, now, io.rw, io.len);
	text = timeline_capture_data(event, &len);
	if (thread->in_call)
		timeline_add_line(&thread->text, text, len);
	else
		view->mark(thread, now, TIMELINE_OTHER, text, len);
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
	timeline_add_args(&thread->args, event->call);
}

/*
 * Does the call return the number of a new process?  Or, clone3, of a thread: no process
 * has that.
 */
static bool is_fork(const struct call *call)
{
	const struct call_rule *rule = call_find_rule(call->flags, call->code);

	if (!rule || !call_makes_process(rule->effect))
		return false;
	return rule->effect != EFFECT_CLONE || !(call->word[0] & CLONE_THREAD);
}

static bool is_exec(const struct call *call)
{
	const struct call_rule *rule = call_find_rule(call->flags, call->code);

	return rule && (rule->effect == EFFECT_EXEC || rule->effect == EFFECT_EXEC_FILE);
}

static void remember_end(const struct timeline_thread *first)
{
	ended[ended_count++ % MAX_ENDED] = point(first, first->start);
}

static const struct timeline_point *find_ended(int32_t pid, int64_t since)
{
	unsigned int i;

	for (i = 0; i < MAX_ENDED && i < ended_count; i++)
		if (ended[i].pid == pid && ended[i].time >= since)
			return &ended[i];
	return NULL;
}

/*
 * The child may have run already, and even ended: then its first record came after the
 * call began.
 */
static void forked(const struct timeline_view *view, const struct timeline_thread *thread,
		   int64_t child)
{
	struct timeline_point parent = point(thread, thread->call_start);
	const struct timeline_point *gone;
	struct timeline_process *process;
	struct timeline_thread *first;

	if (child <= 0 || child > INT32_MAX || child == thread->pid)
		return;
	gone = find_ended(child, parent.time);
	if (gone) {
		view->fork(&parent, gone);
		return;
	}
	process = get_process(view, child);
	first = process->first;
	if (first && (process->has_parent || first->start < parent.time))
		return;
	process->has_parent = true;
	process->parent = parent;
	if (first) {
		struct timeline_point begin = point(first, first->start);

		view->fork(&parent, &begin);
	}
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

static void arguments(const struct timeline_view *view, struct timeline_thread *thread,
		      const struct ktrace_record *record)
{
	size_t len;
	const char *text = timeline_capture_command(record, &len);

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

static void end_process(const struct timeline_view *view, const struct ktrace_record *record)
{
	struct timeline_process *process = cache_find(&processes, record->pid, 0);
	struct timeline_thread *thread;

	if (!process || !process->threads)
		return;
	for (thread = process->threads; thread; thread = thread->sibling) {
		end_sleep(view, thread);
		end_call(view, thread, NULL);
	}
	view->exit(process->first, now);
	if (!process->has_parent)
		remember_end(process->first);
	forget_process(view, process);
}

void timeline_begin(void)
{
	cache_clear(&threads);
	cache_clear(&processes);
	ended_count = 0;
	threads_count = 0;
	records_count = 0;
	origin = 0;
	base = 0;
	cut = 0;
	has_cut = false;
	now = 0;
}

void timeline_event(const struct timeline_view *view, const struct event *event)
{
	const struct ktrace_record *record = event->record;
	struct timeline_thread *thread;

	if (record->type == KTR_PROCDTOR) {
		now = records_count ? relative(event->time) : 0;
		end_process(view, record);
		return;
	}
	if (record->type == KTR_PROCCTOR || !view_wants(event))
		return;
	if (records_count++ == 0) {
		origin = event->time;
		base = origin;
	}
	now = relative(event->time);
	thread = get_thread(view, record);
	mark_cut(view, thread);
	if (record->drop)
		view->mark(thread, now, TIMELINE_LOST, "", 0);
	shown(view, thread, event);
}

void timeline_end(const struct timeline_view *view)
{
	while (processes.oldest)
		forget_process(view, (struct timeline_process *)processes.oldest);
}
