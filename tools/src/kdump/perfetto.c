// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --perfetto: the trace as trace events in JSON, which ui.perfetto.dev,
 * trace_processor and others read.  Times there are microseconds.
 */
#include <string.h>
#include <sys/ktrace.h>

#include "decode/cache.h"
#include "decode/out.h"
#include "ktrace_version.h"
#include "records.h"
#include "timeline.h"
#include "view.h"

#define NSEC_PER_SEC  INT64_C(1000000000)
#define NSEC_PER_USEC 1000

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
static bool second; /* not the first event */

/* Inside of a string: text that is valid UTF-8. */
static void out_escaped(const char *text, size_t len)
{
	size_t i, done = 0;

	for (i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (c >= ' ' && c != '"' && c != '\\')
			continue;
		out_mem(text + done, i - done);
		if (c == '\n')
			out_str("\\n");
		else if (c < ' ')
			out_printf("\\u%04x", c);
		else
			out_printf("\\%c", c);
		done = i + 1;
	}
	out_mem(text + done, len - done);
}

static void out_string(const char *text, size_t len)
{
	out_char('"');
	out_escaped(text, len);
	out_char('"');
}

/* What was captured, as a string. */
static void out_captured_string(void)
{
	size_t len;
	const char *text = out_captured(&len);

	out_string(text, timeline_cut(text, len, TIMELINE_TEXT));
}

/* ... of the trace that is not made printable yet. */
static void out_raw_string(const char *text, size_t max)
{
	out_capture();
	out_text_str(text, max);
	out_captured_string();
}

/* Microseconds, to the nanosecond. */
static void out_time(const char *key, int64_t ns)
{
	uint64_t magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	out_printf(",\"%s\":%s%llu.%03u", key, ns < 0 ? "-" : "",
		   (unsigned long long)(magnitude / NSEC_PER_USEC),
		   (unsigned int)(magnitude % NSEC_PER_USEC));
}

/* The reader of such files has 32 bits for a thread. */
static void begin(char phase, int32_t pid, int64_t tid)
{
	out_str(second ? ",\n" : "\n");
	second = true;
	out_printf("{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u", phase, (uint32_t)pid, (uint32_t)tid);
}

static void begin_metadata(const struct timeline_thread *thread, const char *what, const char *key)
{
	begin('M', thread->pid, thread->tid);
	out_printf(",\"name\":\"%s\",\"args\":{\"%s\":", what, key);
}

static void perfetto_renamed(const struct timeline_thread *thread)
{
	begin_metadata(thread, "thread_name", "name");
	out_raw_string(thread->comm, sizeof(thread->comm));
	out_str("}}");
	if (thread->tid != thread->pid && thread->sibling)
		return;
	begin_metadata(thread, "process_name", "name");
	out_raw_string(thread->comm, sizeof(thread->comm));
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
	out_string(text, len);
	out_str("}}");
}

static void counter(int32_t pid, int64_t time, const char *name, const char *unit, uint64_t value)
{
	begin('C', pid, pid);
	out_time("ts", time);
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
		out_printf("%s\"%s\":", between, name);
		out_string(value, strlen(value));
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
	out_captured_string();
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

		out_string(text, n);
		text += n + 1;
		if (text < end)
			out_char(',');
	}
	out_char(']');
}

static void perfetto_call(const struct timeline_thread *thread, const struct timeline_call *call)
{
	begin('X', thread->pid, thread->tid);
	out_time("ts", call->start);
	out_time("dur", call->end - call->start);
	out_str(",\"cat\":\"syscall\",\"name\":");
	out_capture();
	call_out_name(call->call->flags, call->call->code);
	out_captured_string();
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
	begin('X', thread->pid, thread->tid);
	out_time("ts", thread->sleep_start);
	out_time("dur", end - thread->sleep_start);
	out_str(",\"cat\":\"sleep\",\"name\":\"asleep\",\"args\":{\"for\":");
	out_raw_string(thread->wmesg, sizeof(thread->wmesg));
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
	begin('i', thread->pid, thread->tid);
	out_time("ts", time);
	out_printf(",\"s\":\"t\",\"cat\":\"%s\",\"name\":", names[mark]);
	/* A signal's name is the first word. */
	if (mark == TIMELINE_SIGNAL) {
		const char *space = memchr(text, ' ', len);

		out_string(text, space ? (size_t)(space - text) : len);
	} else {
		out_string(names[mark], strlen(names[mark]));
	}
	out_str(",\"args\":{\"text\":");
	out_string(text, len);
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

	begin('s', parent->pid, parent->tid);
	out_time("ts", parent->time);
	out_str(name);
	out_printf("%llu}", (unsigned long long)++flows);
	begin('f', child->pid, child->tid);
	out_time("ts", child->time < parent->time ? parent->time : child->time);
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
	begin('i', thread->pid, thread->tid);
	out_time("ts", time);
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
	while (sums.oldest)
		cache_remove(&sums, sums.oldest->key[0], 0);
	flows = 0;
	second = false;
	timeline_begin();
	out_str("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
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
	out_str("\n],\"otherData\":{\"producer\":\"kdump " KTRACE_VERSION "\",\"start_ns\":\"");
	out_dec(timeline_origin());
	out_str("\"}}\n");
}

const struct view perfetto_view = {
	.for_programs = true,
	.begin = perfetto_begin,
	.event = perfetto_event,
	.end = perfetto_end,
};
