// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --html: the trace as a page that a browser shows as a timeline, one file.
 */
#include <string.h>
#include <sys/ktrace.h>

#include "chart/html_stream.h"
#include "decode/class_tables.h"
#include "decode/out.h"
#include "decode/utf8.h"
#include "records.h"
#include "timeline.h"
#include "view.h"

#define MAX_NAMES (1 << 16)

/* A call that has a number in the stream. */
struct name {
	struct cache_entry entry; /* by ABI and number */
	bool known;
	uint32_t number;
};

static struct cache names = CACHE(struct name, MAX_NAMES);
static uint32_t names_count;

/* The page's classes: bit n is page_names[n]; kdump's own have other bits. */
static uint64_t classes_of(const struct call *call)
{
	static const char *const page_names[] = { "file",   "desc",   "net", "process",
						  "memory", "signal", "ipc" };
	enum abi_table table = abi_table(call->flags);
	const struct class_name *named;
	uint64_t classes = 0;
	size_t i;

	if (call->code < 0 || call->code >= class_tables[table].count)
		return 0;
	for (named = class_names; named->name; named++)
		for (i = 0; i < sizeof(page_names) / sizeof(page_names[0]); i++)
			if (class_tables[table].masks[call->code] & named->bit &&
			    strcmp(named->name, page_names[i]) == 0)
				classes |= 1 << i;
	return classes;
}

static uint64_t name_of(const struct call *call)
{
	struct name *name = cache_get(&names, call->flags, call->code);
	const char *text;
	size_t len;

	if (name->known)
		return name->number;
	out_capture();
	call_out_name(call->flags, call->code);
	text = out_captured(&len);
	html_op(HTML_CALL_NAME);
	html_number(classes_of(call));
	html_text(text, len);
	name->known = true;
	name->number = names_count++;
	return name->number;
}

static uint64_t captured_string(void)
{
	size_t len;
	const char *text = out_captured(&len);

	return html_string(text, utf8_cut(text, len, TIMELINE_TEXT));
}

/* Text of the trace that is not made printable yet. */
static uint64_t raw_string(const char *text, size_t max)
{
	out_capture();
	out_text_str(text, max);
	return captured_string();
}

static void html_thread(const struct timeline_thread *thread)
{
	uint64_t name = raw_string(thread->comm, sizeof(thread->comm));

	html_op(HTML_THREAD);
	html_signed(thread->pid);
	html_signed(thread->tid);
	html_number(name);
	html_time(thread->start);
}

static void html_renamed(const struct timeline_thread *thread)
{
	uint64_t name = raw_string(thread->comm, sizeof(thread->comm));

	html_op(HTML_RENAME);
	html_number(thread->number);
	html_number(name);
}

static void html_command(const struct timeline_thread *thread, const char *text, size_t len)
{
	uint64_t string = html_string(text, len);

	html_op(HTML_COMMAND);
	html_number(thread->number);
	html_number(string);
}

/* What each of the three kinds of events begins with. */
static void begin(enum html_op op, const struct timeline_thread *thread, int64_t start)
{
	html_op(op);
	html_number(thread->number);
	html_time(start);
}

static uint64_t result_of(const struct event *ret, int *error)
{
	bool linux_abi = abi_is_linux(ret->abi.call_flags);
	const char *name = ret_error_name(ret);
	struct ktrace_record_sysret sysret;

	ktrace_record_get_sysret(ret->record, &sysret);
	*error = sysret.error > 0 ? names_errno_number(sysret.error, &linux_abi) : 0;
	out_capture();
	ret_out_result(ret);
	if (name)
		out_printf(" (%s)", name);
	return captured_string();
}

/* In parentheses, as CALL has them. */
static uint64_t args_string(const struct timeline_text *args)
{
	const char *name, *value;
	char before = '(';
	size_t at = 0;

	out_capture();
	while (timeline_next_arg(args, &at, &name, &value)) {
		out_char(before);
		out_str(value);
		before = ',';
	}
	if (before == ',')
		out_char(')');
	return captured_string();
}

static void html_call(const struct timeline_thread *thread, const struct timeline_call *call)
{
	uint64_t name = name_of(call->call), args = args_string(call->args), result = 0, text;
	int error = 0;

	if (call->ret)
		result = result_of(call->ret, &error);
	text = html_string(call->text->p, call->text->len);
	begin(HTML_CALL, thread, call->start);
	html_number(call->end - call->start);
	html_number(call->ret ? 0 : HTML_UNFINISHED);
	html_number(name);
	html_number(args);
	html_number(result);
	html_number(error);
	html_number(text);
}

static void html_sleep(const struct timeline_thread *thread, int64_t end)
{
	uint64_t string = raw_string(thread->wmesg, sizeof(thread->wmesg));

	begin(HTML_SLEEP, thread, thread->sleep_start);
	html_number(end - thread->sleep_start);
	html_number(0);
	html_number(string);
}

static void html_mark(const struct timeline_thread *thread, int64_t time, enum timeline_mark mark,
		      const char *text, size_t len)
{
	uint64_t string = html_string(text, len);

	begin(HTML_MARK, thread, time);
	html_number(mark);
	html_number(string);
}

/* The calls say it. */
static void html_data(const struct timeline_thread *thread, int64_t time, int rw, size_t len)
{
	(void)thread;
	(void)time;
	(void)rw;
	(void)len;
}

static void html_fork(const struct timeline_point *parent, const struct timeline_point *child)
{
	html_op(HTML_FORK);
	html_number(parent->number);
	html_number(child->number);
}

static void html_exit(const struct timeline_thread *thread, int64_t time)
{
	begin(HTML_EXIT, thread, time);
}

static const struct timeline_view timeline = {
	.thread = html_thread,
	.renamed = html_renamed,
	.command = html_command,
	.call = html_call,
	.sleep = html_sleep,
	.mark = html_mark,
	.data = html_data,
	.fork = html_fork,
	.exit = html_exit,
};

static void html_begin(void)
{
	cache_clear(&names);
	names_count = 0;
	timeline_begin();
	html_stream_begin(HTML_OF_CALLS);
}

static void html_event(const struct event *event)
{
	timeline_event(&timeline, event);
}

static void html_end(void)
{
	timeline_end(&timeline);
	html_stream_end(timeline_records(), timeline_origin());
}

const struct view html_view = {
	.option = "--html",
	.uses = VIEW_ALL & ~(VIEW_LINES | VIEW_TIMES),
	.for_programs = true,
	.begin = html_begin,
	.event = html_event,
	.end = html_end,
};
