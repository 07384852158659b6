// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --perfetto: the trace as trace events in JSON, which ui.perfetto.dev,
 * trace_processor and others read.  Times there are microseconds.
 */
#include <string.h>
#include <sys/ktrace.h>

#include "chart/trace_events.h"
#include "decode/cache.h"
#include "decode/out.h"
#include "records.h"
#include "timeline.h"
#include "view.h"

#define NSEC_PER_SEC INT64_C(1000000000)

/* Calls per second are counted over so long. */
#define WINDOW_NS 10000000

#define MAX_PROCESSES (1 << 14)

/* Sums of one process. */
struct sums {
	struct cache_entry entry; /* by number */
	uint64_t bytes[2]; /* read, written */
	uint64_t faults;
	int64_t window; /* its begin */
	unsigned int calls; /* that ended in it */
};

static struct cache sums = CACHE(struct sums, MAX_PROCESSES);
static uint64_t flows;

static void begin_metadata(const struct timeline_thread *thread, const char *what, const char *key)
{
	trace_event('M', thread->pid, thread->tid);
	out_printf(",\"name\":\"%s\",\"args\":{\"%s\":", what, key);
}

static void perfetto_renamed(const struct timeline_thread *thread)
{
	begin_metadata(thread, "thread_name", "name");
	trace_raw(thread->comm, sizeof(thread->comm));
	out_str("}}");
	if (thread->tid != thread->pid && thread->sibling)
		return;
	begin_metadata(thread, "process_name", "name");
	trace_raw(thread->comm, sizeof(thread->comm));
	out_str("}}");
}

static void perfetto_thread(const struct timeline_thread *thread)
{
	perfetto_renamed(thread);
	if (thread->sibling)
		return;
	begin_metadata(thread, "process_sort_index", "sort_index");
	out_printf("%u}}", thread->number);
}

static void perfetto_command(const struct timeline_thread *thread, const char *text, size_t len)
{
	begin_metadata(thread, "process_labels", "labels");
	trace_string(text, len);
	out_str("}}");
}

static void counter(int32_t pid, int64_t time, const char *name, const char *unit, uint64_t value)
{
	trace_event('C', pid, pid);
	trace_time("ts", time);
	out_printf(",\"name\":\"%s\",\"args\":{\"%s\":%llu}}", name, unit,
		   (unsigned long long)value);
}

/* The window in which calls are counted ends. */
static void end_window(int32_t pid, struct sums *sum)
{
	if (sum->calls)
		counter(pid, sum->window, "calls per second", "calls",
			sum->calls * (NSEC_PER_SEC / WINDOW_NS));
	sum->calls = 0;
}

static void count_call(int32_t pid, int64_t time)
{
	struct sums *sum = cache_get(&sums, pid, 0);
	int64_t window = time - time % WINDOW_NS;

	if (window != sum->window) {
		bool counted = sum->calls != 0;

		end_window(pid, sum);
		if (counted && window != sum->window + WINDOW_NS)
			counter(pid, sum->window + WINDOW_NS, "calls per second", "calls", 0);
		sum->window = window;
	}
	sum->calls++;
}

static void out_arguments(const struct timeline_text *args)
{
	const char *name, *value, *between = "";
	size_t at = 0;

	out_str("\"arguments\":{");
	while (timeline_next_arg(args, &at, &name, &value)) {
		out_str(between);
		out_char('"');
		out_str(name);
		out_str("\":");
		trace_string(value, strlen(value));
		between = ",";
	}
	out_char('}');
}

static void out_result(const struct event *ret)
{
	const char *name = ret_error_name(ret);

	out_str(",\"result\":");
	out_capture();
	ret_out_result(ret);
	trace_captured();
	if (name)
		out_printf(",\"error\":\"%s\"", name);
}

/* A string for each line. */
static void out_lines(const char *text, size_t len)
{
	const char *end = text + len;

	out_str(",\"records\":[");
	while (text < end) {
		const char *newline = memchr(text, '\n', end - text);
		size_t n = newline ? (size_t)(newline - text) : (size_t)(end - text);

		trace_string(text, n);
		text += n + 1;
		if (text < end)
			out_char(',');
	}
	out_char(']');
}

static void perfetto_call(const struct timeline_thread *thread, const struct timeline_call *call)
{
	trace_event('X', thread->pid, thread->tid);
	trace_time("ts", call->start);
	trace_time("dur", call->end - call->start);
	out_str(",\"cat\":\"syscall\",\"name\":");
	out_capture();
	call_out_name(call->call->flags, call->call->code);
	trace_captured();
	out_str(",\"args\":{");
	out_arguments(call->args);
	if (call->ret)
		out_result(call->ret);
	else
		out_str(",\"result\":\"none: it did not return in this trace\"");
	if (call->text->len)
		out_lines(call->text->p, call->text->len);
	out_str("}}");
	if (call->ret)
		count_call(thread->pid, call->end);
}

static void perfetto_sleep(const struct timeline_thread *thread, int64_t end)
{
	trace_event('X', thread->pid, thread->tid);
	trace_time("ts", thread->sleep_start);
	trace_time("dur", end - thread->sleep_start);
	out_str(",\"cat\":\"sleep\",\"name\":\"asleep\",\"args\":{\"for\":");
	trace_raw(thread->wmesg, sizeof(thread->wmesg));
	out_str("}}");
}

static void perfetto_mark(const struct timeline_thread *thread, int64_t time,
			  enum timeline_mark mark, const char *text, size_t len)
{
	static const char *const names[] = {
		[TIMELINE_SIGNAL] = "signal", [TIMELINE_FAULT] = "page fault",
		[TIMELINE_USER] = "utrace",   [TIMELINE_CAPABILITY] = "capability",
		[TIMELINE_EXEC] = "exec",     [TIMELINE_LOST] = "records lost",
		[TIMELINE_OTHER] = "record",
	};

	if (mark == TIMELINE_FAULT) {
		struct sums *sum = cache_get(&sums, thread->pid, 0);

		counter(thread->pid, time, "page faults", "faults", ++sum->faults);
	}
	trace_event('i', thread->pid, thread->tid);
	trace_time("ts", time);
	out_printf(",\"s\":\"t\",\"cat\":\"%s\",\"name\":", names[mark]);
	/* A signal's name is the first word. */
	if (mark == TIMELINE_SIGNAL) {
		const char *space = memchr(text, ' ', len);

		trace_string(text, space ? (size_t)(space - text) : len);
	} else {
		trace_string(names[mark], strlen(names[mark]));
	}
	out_str(",\"args\":{\"text\":");
	trace_string(text, len);
	out_str("}}");
}

static void perfetto_data(const struct timeline_thread *thread, int64_t time, int rw, size_t len)
{
	struct sums *sum = cache_get(&sums, thread->pid, 0);

	if (len == 0)
		return;
	rw = rw != 0;
	sum->bytes[rw] += len;
	counter(thread->pid, time, rw ? "bytes written" : "bytes read", "bytes", sum->bytes[rw]);
}

/* An arrow from the call to what the child does first. */
static void perfetto_fork(const struct timeline_point *parent, const struct timeline_point *child)
{
	static const char name[] = ",\"cat\":\"process\",\"name\":\"fork\",\"id\":";

	flows++;
	trace_event('s', parent->pid, parent->tid);
	trace_time("ts", parent->time);
	out_str(name);
	out_printf("%llu}", (unsigned long long)flows);
	trace_event('f', child->pid, child->tid);
	trace_time("ts", child->time < parent->time ? parent->time : child->time);
	out_str(name);
	out_printf("%llu}", (unsigned long long)flows);
}

static void perfetto_exit(const struct timeline_thread *thread, int64_t time)
{
	struct sums *sum = cache_find(&sums, thread->pid, 0);

	if (sum) {
		end_window(thread->pid, sum);
		cache_remove(&sums, thread->pid, 0);
	}
	trace_event('i', thread->pid, thread->tid);
	trace_time("ts", time);
	out_str(",\"s\":\"p\",\"cat\":\"process\",\"name\":\"exit\"}");
}

static const struct timeline_view timeline = {
	.thread = perfetto_thread,
	.renamed = perfetto_renamed,
	.command = perfetto_command,
	.call = perfetto_call,
	.sleep = perfetto_sleep,
	.mark = perfetto_mark,
	.data = perfetto_data,
	.fork = perfetto_fork,
	.exit = perfetto_exit,
};

static void perfetto_begin(void)
{
	cache_clear(&sums);
	flows = 0;
	timeline_begin();
	trace_begin();
}

static void perfetto_event(const struct event *event)
{
	timeline_event(&timeline, event);
}

static void perfetto_end(void)
{
	timeline_end(&timeline);
	while (sums.oldest) {
		end_window(sums.oldest->key[0], (struct sums *)sums.oldest);
		cache_remove(&sums, sums.oldest->key[0], 0);
	}
	trace_end(timeline_origin(), "");
}

const struct view perfetto_view = {
	.option = "--perfetto",
	.uses = VIEW_ALL & ~(VIEW_LINES | VIEW_TIMES),
	.for_programs = true,
	.begin = perfetto_begin,
	.event = perfetto_event,
	.end = perfetto_end,
};
