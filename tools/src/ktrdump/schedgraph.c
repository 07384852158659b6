// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --schedgraph: lanes as a page for a browser, one file.
 */
#include <string.h>

#include "chart/html_stream.h"
#include "lanes.h"
#include "names.h"
#include "pictures.h"

/* The page has tables of them. */
#define MAX_NAMES 65536
#define OTHERS	  "others"

/* Names of states and points that have a number in the page. */
static struct names names;
static uint64_t names_beyond; /* states and points that are called others */

/* The page's classes: bit n is words.js's classes[n], as enum lane_class has them. */
static uint64_t name_of(const char *name, enum lane_class class)
{
	/* The same word may be a thread on one lane, and a state on another. */
	char key[NAMES_LONGEST] = { 'a' + class };
	bool is_new;
	uint32_t number;
	size_t len = strlen(name);

	memcpy(key + 1, name, len);
	if (names.count >= MAX_NAMES && !names_has(&names, key, len + 1)) {
		names_beyond++;
		len = strlen(OTHERS);
		memcpy(key + 1, OTHERS, len);
	}
	number = names_number(&names, key, len + 1, &is_new);
	if (is_new) {
		html_op(HTML_CALL_NAME);
		html_number(UINT64_C(1) << class);
		html_text(key + 1, len);
	}
	return number;
}

static void html_lane(const struct lane *lane, int64_t time)
{
	uint64_t group = html_string(lane->group->name, strlen(lane->group->name));
	uint64_t name = html_string(lane->name, strlen(lane->name));

	/* A thread of a process, whose first name is that of the group. */
	html_op(HTML_THREAD);
	html_signed(lane->group->number);
	html_signed(lane->number);
	html_number(name);
	html_time(time);
	html_op(HTML_COMMAND);
	html_number(lane->number);
	html_number(group);
}

static void html_state(const struct lane *lane, const struct lane_state *state, int64_t end,
		       bool goes_on)
{
	uint64_t name = name_of(state->name, state->class);
	uint64_t attributes = html_string(state->attributes, strlen(state->attributes));

	html_op(HTML_CALL);
	html_number(lane->number);
	html_time(state->start);
	html_number(end - state->start);
	html_number(goes_on ? HTML_UNFINISHED : 0);
	html_number(name);
	html_number(attributes);
	html_number(0); /* result */
	html_number(0); /* errno */
	html_number(0); /* records */
}

static void html_point(const struct lane *lane, int64_t time, const char *name, const char *text)
{
	uint64_t number = name_of(name, LANE_OTHER);
	uint64_t string = html_string(text, strlen(text));

	html_op(HTML_POINT);
	html_number(lane->number);
	html_time(time);
	html_number(number);
	html_number(string);
}

static void html_value(const struct lane *lane, int64_t end)
{
	html_op(HTML_COUNTER);
	html_number(lane->number);
	html_time(lane->value_start);
	html_number(end - lane->value_start);
	html_signed(lane->value);
}

static const struct lanes_view view = {
	.lane = html_lane,
	.state = html_state,
	.point = html_point,
	.value = html_value,
};

void schedgraph_write(const struct stream *stream)
{
	struct note note = { "" };

	names_beyond = 0;
	html_stream_begin(HTML_OF_STATES);
	lanes_show(stream, &view, &note);
	note_add(&note, names_beyond,
		 "states and points with names beyond %d are called \"" OTHERS "\"", MAX_NAMES);
	if (*note.text) {
		html_op(HTML_NOTE);
		html_text(note.text, strlen(note.text));
	}
	html_stream_end(stream->events_count, lanes_origin(stream));
	names_free(&names);
	note_warn(&note);
}
