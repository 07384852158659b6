// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --perfetto: lanes as trace events in JSON.  A group is a process there, and
 * a lane a thread of it.
 */
#include <string.h>

#include "chart/trace_events.h"
#include "decode/out.h"
#include "lanes.h"
#include "pictures.h"

static void begin(char phase, const struct lane *lane)
{
	trace_event(phase, (int32_t)lane->group->number, lane->number + INT64_C(1));
}

static void string(const char *key, const char *text)
{
	out_printf("\"%s\":", key);
	trace_string(text, strlen(text));
}

static void metadata(const struct lane *lane, const char *what, const char *name)
{
	begin('M', lane);
	out_printf(",\"name\":\"%s\",\"args\":{", what);
	string("name", name);
	out_str("}}");
}

static void perfetto_lane(const struct lane *lane, int64_t time)
{
	(void)time;
	metadata(lane, "process_name", lane->group->name);
	metadata(lane, "thread_name", lane->name);
	begin('M', lane);
	out_printf(",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%u}}",
		   lane->group->number);
}

static void perfetto_state(const struct lane *lane, const struct lane_state *state, int64_t end,
			   bool goes_on)
{
	begin('X', lane);
	trace_time("ts", state->start);
	trace_time("dur", end - state->start);
	out_str(",\"cat\":\"state\",");
	string("name", state->name);
	out_str(",\"args\":{");
	string("attributes", state->attributes);
	if (goes_on)
		out_str(",\"end\":\"not in this trace\"");
	out_str("}}");
}

static void perfetto_point(const struct lane *lane, int64_t time, const char *name,
			   const char *text)
{
	begin('i', lane);
	trace_time("ts", time);
	out_str(",\"s\":\"t\",\"cat\":\"point\",");
	string("name", name);
	out_str(",\"args\":{");
	string("text", text);
	out_str("}}");
}

static void perfetto_value(const struct lane *lane, int64_t end)
{
	(void)end;
	begin('C', lane);
	trace_time("ts", lane->value_start);
	out_char(',');
	string("name", lane->name);
	out_str(",\"args\":{\"value\":");
	out_dec(lane->value);
	out_str("}}");
}

static const struct lanes_view view = {
	.lane = perfetto_lane,
	.state = perfetto_state,
	.point = perfetto_point,
	.value = perfetto_value,
};

void perfetto_write(const struct stream *stream)
{
	struct note note = { "" };

	trace_begin();
	lanes_show(stream, &view, &note);
	trace_end(lanes_origin(stream), note.text);
	note_warn(&note);
}
