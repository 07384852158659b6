// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/out.h"
#include "decode/utf8.h"
#include "graph.h"
#include "grow.h"
#include "message.h"
#include "names.h"
#include "note.h"

#define MAX_GROUPS   1000
#define MAX_LANES    65536
#define MAX_STARTED  256 /* of a lane */
#define MAX_STARTS   65536 /* of all lanes */
#define MAX_KEPT     ((size_t)32 << 20) /* bytes of attributes of what goes on */
#define LONGEST_NAME 256
#define LONGEST_TEXT 2048

#define OTHERS "others" /* the group and the lane of what is too much */

/* Groups that come first, in this order. */
static const char *const first_groups[] = { "CPUs", "load", "thread" };

#define FIRST_GROUPS (sizeof(first_groups) / sizeof(first_groups[0]))

struct lanes {
	const struct lanes_view *view;
	struct names group_names;
	struct lane_group **groups; /* by number in group_names */
	struct names lane_names; /* of group and lane */
	struct lane **lanes;
	struct names tids; /* of threads */
	struct lane **by_tid; /* the latest one of each */
	uint64_t origin;
	int64_t now;
	size_t starts; /* that go on */
	size_t kept; /* bytes of attributes */
	struct {
		uint64_t groups, lanes; /* events that are in others */
		uint64_t starts; /* left out */
		uint64_t attributes; /* states that are without them */
	} beyond; /* what there was too much of */
};

static char *copy(const char *text, size_t len, size_t longest)
{
	char *p = strndup(text, utf8_cut(text, len, longest));

	if (!p)
		die("out of memory");
	return p;
}

static struct lane_group *get_group(struct lanes *lanes, const char *name, size_t len)
{
	bool is_new;
	uint32_t n;

	len = utf8_cut(name, len, LONGEST_NAME);
	if (lanes->group_names.count >= MAX_GROUPS && !names_has(&lanes->group_names, name, len)) {
		lanes->beyond.groups++;
		name = OTHERS;
		len = strlen(name);
	}
	n = names_number(&lanes->group_names, name, len, &is_new);
	if (is_new) {
		struct lane_group *group = malloc(sizeof(*group));

		if (!group)
			die("out of memory");
		*group = (struct lane_group){ n + 1, copy(name, len, LONGEST_NAME) };
		lanes->groups = grow(lanes->groups, n, sizeof(struct lane_group *));
		lanes->groups[n] = group;
	}
	return lanes->groups[n];
}

/* What has a number in lane_names; returns its length. */
static size_t lane_key(char key[NAMES_LONGEST], const struct lane_group *group, const char *name,
		       size_t len)
{
	size_t group_len = snprintf(key, 16, "%" PRIu32 " ", group->number);

	memcpy(key + group_len, name, len);
	return group_len + len;
}

static struct lane *get_lane(struct lanes *lanes, const struct lane_group *group, const char *name,
			     size_t len)
{
	char key[NAMES_LONGEST];
	struct lane *lane;
	size_t key_len;
	bool is_new;
	uint32_t n;

	len = utf8_cut(name, len, LONGEST_NAME);
	key_len = lane_key(key, group, name, len);
	if (lanes->lane_names.count >= MAX_LANES && !names_has(&lanes->lane_names, key, key_len)) {
		lanes->beyond.lanes++;
		name = OTHERS;
		len = strlen(name);
		key_len = lane_key(key, group, name, len);
	}
	n = names_number(&lanes->lane_names, key, key_len, &is_new);
	if (!is_new)
		return lanes->lanes[n];
	lane = calloc(1, sizeof(*lane));
	if (!lane)
		die("out of memory");
	*lane = (struct lane){ .number = n, .group = group, .name = copy(name, len, LONGEST_NAME) };
	lanes->lanes = grow(lanes->lanes, n, sizeof(struct lane *));
	lanes->lanes[n] = lane;
	lanes->view->lane(lane, lanes->now);
	return lane;
}

static enum lane_class class_of(const char *name)
{
	static const struct {
		const char *part; /* of a state's name; the first one that fits */
		enum lane_class class;
	} classes[] = {
		{ "idle", LANE_IDLE },	      { "running", LANE_RUNNING },
		{ "runq", LANE_RUNNABLE },    { "yield", LANE_RUNNABLE },
		{ "preempt", LANE_RUNNABLE }, { "sleep", LANE_ASLEEP },
		{ "wait", LANE_ASLEEP },      { "suspend", LANE_ASLEEP },
		{ "swap", LANE_ASLEEP },      { "stop", LANE_ASLEEP },
		{ "block", LANE_BLOCKED },    { "contest", LANE_BLOCKED },
		{ "spin", LANE_BLOCKED },
	};
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strstr(name, classes[i].part))
			return classes[i].class;
	return LANE_OTHER;
}

static struct lane_state new_state(struct lanes *lanes, const struct bytes *name,
				   const struct bytes *attributes)
{
	size_t len = utf8_cut(attributes->p, attributes->len, LONGEST_TEXT);

	if (len > MAX_KEPT - lanes->kept) {
		lanes->beyond.attributes++;
		len = 0;
	}
	lanes->kept += len;
	return (struct lane_state){
		.is_on = true,
		.start = lanes->now,
		.class = LANE_OTHER,
		.name = copy(name->p, name->len, LONGEST_NAME),
		.attributes = copy(attributes->p, len, LONGEST_TEXT),
	};
}

static void free_state(struct lanes *lanes, struct lane_state *state)
{
	lanes->kept -= strlen(state->attributes);
	free(state->name);
	free(state->attributes);
	*state = (struct lane_state){ .is_on = false };
}

static void end_state(struct lanes *lanes, struct lane *lane, bool goes_on)
{
	if (!lane->state.is_on)
		return;
	lanes->view->state(lane, &lane->state, lanes->now, goes_on);
	free_state(lanes, &lane->state);
}

static void begin_state(struct lanes *lanes, struct lane *lane, const struct bytes *name,
			const struct bytes *attributes)
{
	end_state(lanes, lane, false);
	lane->state = new_state(lanes, name, attributes);
	lane->state.class = class_of(lane->state.name);
}

static struct lane *cpu_lane(struct lanes *lanes, int32_t cpu)
{
	char name[32];
	int len = snprintf(name, sizeof(name), "CPU %" PRId32, cpu);

	return get_lane(lanes, lanes->groups[0], name, len);
}

/* The lane of the CPU where a thread's state has changed. */
static void follow_thread(struct lanes *lanes, const struct lane *thread, int32_t cpu)
{
	static const struct bytes none = { "", 0 };
	const struct bytes name = { thread->name, strlen(thread->name) };
	struct lane *lane = cpu_lane(lanes, cpu);

	if (thread->state.is_on && thread->state.class == LANE_RUNNING) {
		begin_state(lanes, lane, &name, &none);
		lane->state.class = LANE_CPU;
	} else if (lane->state.is_on && strcmp(lane->state.name, thread->name) == 0) {
		end_state(lanes, lane, false);
	}
}

static void point(struct lanes *lanes, struct lane *lane, const struct bytes *name,
		  const struct bytes *text)
{
	char *name_copy = copy(name->p, name->len, LONGEST_NAME);
	char *text_copy = copy(text->p, text->len, LONGEST_TEXT);

	lanes->view->point(lane, lanes->now, name_copy, text_copy);
	free(name_copy);
	free(text_copy);
}

static bool ends_with(const struct bytes *text, const char *end)
{
	size_t len = strlen(end);

	return text->len >= len && memcmp(text->p + text->len - len, end, len) == 0;
}

/* The number behind "sh tid ", or NULL; each CPU has an idle thread 0. */
static const char *find_tid(const char *name)
{
	static const char before[] = " tid";
	const char *space = strrchr(name, ' ');
	size_t len = strlen(before);

	if (!space || space < name + len || memcmp(space - len, before, len) != 0)
		return NULL;
	return strcmp(space + 1, "0") == 0 ? NULL : space + 1;
}

/* A thread with another name, as after exec, has another lane: it has left the one before. */
static void leave_former_lane(struct lanes *lanes, struct lane *lane, int32_t cpu)
{
	const char *tid = find_tid(lane->name);
	struct lane *former, *on_cpu;
	bool is_new;
	uint32_t n;

	if (!tid)
		return;
	n = names_number(&lanes->tids, tid, strlen(tid), &is_new);
	if (is_new)
		lanes->by_tid = grow(lanes->by_tid, n, sizeof(struct lane *));
	former = is_new ? lane : lanes->by_tid[n];
	lanes->by_tid[n] = lane;
	if (former == lane)
		return;
	end_state(lanes, former, false);
	on_cpu = cpu_lane(lanes, cpu);
	if (on_cpu->state.is_on && strcmp(on_cpu->state.name, former->name) == 0)
		end_state(lanes, on_cpu, false);
}

static void state(struct lanes *lanes, struct lane *lane, const struct graph_text *text,
		  int32_t cpu)
{
	bool is_thread = strcmp(lane->group->name, "thread") == 0;

	if (is_thread)
		leave_former_lane(lanes, lane, cpu);
	/* Nothing is in that state: it is the end. */
	if (ends_with(&text->value, "exit")) {
		end_state(lanes, lane, false);
		point(lanes, lane, &text->value, &text->attributes);
	} else {
		begin_state(lanes, lane, &text->value, &text->attributes);
	}
	if (is_thread)
		follow_thread(lanes, lane, cpu);
}

static void end_value(struct lanes *lanes, struct lane *lane)
{
	if (lane->has_value)
		lanes->view->value(lane, lanes->now);
	lane->has_value = false;
}

static void value(struct lanes *lanes, struct lane *lane, const struct graph_text *text)
{
	char *digits = copy(text->value.p, text->value.len, LONGEST_NAME);

	end_value(lanes, lane);
	lane->value = strtoll(digits, NULL, 0);
	lane->value_start = lanes->now;
	lane->has_value = true;
	free(digits);
}

static void start(struct lanes *lanes, struct lane *lane, const struct graph_text *text)
{
	/* Somebody does not stop. */
	if (lane->started_count == MAX_STARTED || lanes->starts == MAX_STARTS) {
		lanes->beyond.starts++;
		return;
	}
	lane->started = grow(lane->started, lane->started_count, sizeof(*lane->started));
	lane->started[lane->started_count++] = new_state(lanes, &text->value, &text->attributes);
	lanes->starts++;
}

static void stop(struct lanes *lanes, struct lane *lane, const struct graph_text *text)
{
	size_t i = lane->started_count;

	while (i--) {
		struct lane_state *one = &lane->started[i];

		if (strlen(one->name) != text->value.len ||
		    memcmp(one->name, text->value.p, text->value.len) != 0)
			continue;
		lanes->view->state(lane, one, lanes->now, false);
		free_state(lanes, one);
		*one = lane->started[--lane->started_count];
		lanes->starts--;
		return;
	}
}

static void graph_event(struct lanes *lanes, const struct graph_text *text, int32_t cpu)
{
	struct lane *lane = get_lane(lanes, get_group(lanes, text->group.p, text->group.len),
				     text->id.p, text->id.len);

	switch (text->type) {
	case GRAPH_STATE:
		state(lanes, lane, text, cpu);
		break;
	case GRAPH_COUNTER:
		value(lanes, lane, text);
		break;
	case GRAPH_POINT:
		point(lanes, lane, &text->value, &text->attributes);
		break;
	case GRAPH_START:
		start(lanes, lane, text);
		break;
	case GRAPH_STOP:
		stop(lanes, lane, text);
		break;
	}
}

static void show_event(struct lanes *lanes, const struct event *event)
{
	static const struct bytes name = { "event", 5 };
	struct graph_text graph;
	struct bytes text;
	char *line;

	out_capture_some(LONGEST_TEXT);
	message_out(event);
	text.p = out_captured(&text.len);
	/* What views put out may be captured, too. */
	line = copy(text.p, text.len, LONGEST_TEXT);
	text = (struct bytes){ line, strlen(line) };
	if (graph_parse(text.p, text.len, &graph))
		graph_event(lanes, &graph, event->fixed.cpu);
	else
		point(lanes, cpu_lane(lanes, event->fixed.cpu), &name, &text);
	free(line);
}

static void end_lane(struct lanes *lanes, struct lane *lane)
{
	size_t i;

	end_state(lanes, lane, true);
	end_value(lanes, lane);
	for (i = 0; i < lane->started_count; i++) {
		lanes->view->state(lane, &lane->started[i], lanes->now, true);
		free_state(lanes, &lane->started[i]);
	}
	free(lane->started);
	free(lane->name);
	free(lane);
}

static void end_lanes(struct lanes *lanes)
{
	uint32_t i;

	for (i = 0; i < lanes->lane_names.count; i++)
		end_lane(lanes, lanes->lanes[i]);
	for (i = 0; i < lanes->group_names.count; i++) {
		free(lanes->groups[i]->name);
		free(lanes->groups[i]);
	}
	free(lanes->lanes);
	free(lanes->groups);
	free(lanes->by_tid);
	names_free(&lanes->tids);
	names_free(&lanes->lane_names);
	names_free(&lanes->group_names);
}

static void note_beyond(const struct lanes *lanes, struct note *note)
{
	note_add(note, lanes->beyond.groups,
		 "events of groups beyond %d are in the group \"" OTHERS "\"", MAX_GROUPS);
	note_add(note, lanes->beyond.lanes, "events of lanes beyond %d are on lanes \"" OTHERS "\"",
		 MAX_LANES);
	note_add(note, lanes->beyond.starts, "starts are left out: too much has no stop");
	note_add(note, lanes->beyond.attributes,
		 "states are without their attributes: they are too long");
}

void lanes_show(const struct stream *stream, const struct lanes_view *view, struct note *note)
{
	struct lanes lanes = { .view = view };
	size_t i;

	for (i = 0; i < FIRST_GROUPS; i++)
		get_group(&lanes, first_groups[i], strlen(first_groups[i]));
	lanes.origin = stream->events_count ? stream->events[0].time : 0;
	for (i = 0; i < stream->events_count; i++) {
		uint64_t since = stream->events[i].time - lanes.origin;
		struct event event;

		lanes.now = since < LANES_MAX ? (int64_t)since : LANES_MAX;
		stream_event(stream, &stream->events[i], &event);
		show_event(&lanes, &event);
	}
	note_beyond(&lanes, note);
	end_lanes(&lanes);
}

int64_t lanes_origin(const struct stream *stream)
{
	uint64_t first = stream->events_count ? stream->events[0].time : 0;

	return (int64_t)(first + (uint64_t)stream->header.wall);
}
