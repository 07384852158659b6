/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Events as lanes: each thing of a group (a thread, a counter of load) has one,
 * with the states it is in from one time to another, points and values.  Each
 * CPU has one, too: which thread runs there; and events of other kinds.
 *
 * Times are nanoseconds since the first event; those further away than
 * LANES_MAX are as far away as that.  Texts are valid UTF-8 without control
 * characters, and bounded, and so is the number of lanes, and the memory that
 * they take: what is beyond that is put together or left out, and counted.
 */
#ifndef _KTRDUMP_LANES_H_
#define _KTRDUMP_LANES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "note.h"
#include "stream.h"

/* Exact in a double. */
#define LANES_MAX (INT64_C(1) << 52)

struct lane_group {
	uint32_t number; /* in the order to be shown, from 1 */
	char *name;
};

enum lane_class {
	LANE_CPU, /* a thread, on the lane of a CPU */
	LANE_RUNNING,
	LANE_RUNNABLE,
	LANE_ASLEEP,
	LANE_BLOCKED,
	LANE_IDLE,
	LANE_OTHER,
};

/* What a lane is in, since when; name and attributes have a NUL at their end. */
struct lane_state {
	bool is_on;
	int64_t start;
	enum lane_class class;
	char *name;
	char *attributes;
};

struct lane {
	uint32_t number; /* counted from 0 */
	const struct lane_group *group;
	char *name;
	struct lane_state state;
	struct lane_state *started; /* KTR_START without its KTR_STOP; names are their keys */
	size_t started_count;
	bool has_value;
	int64_t value;
	int64_t value_start;
};

/* What a view does about each. */
struct lanes_view {
	void (*lane)(const struct lane *lane, int64_t time); /* a new one: before all else of it */
	/* @goes_on: it does at the end of the trace */
	void (*state)(const struct lane *lane, const struct lane_state *state, int64_t end,
		      bool goes_on);
	void (*point)(const struct lane *lane, int64_t time, const char *name, const char *text);
	void (*value)(const struct lane *lane, int64_t end); /* @lane->value */
};

/* lanes_show - all events of @stream; what there was too much of is in @note */
void lanes_show(const struct stream *stream, const struct lanes_view *view, struct note *note);

/* lanes_origin - time 0 of the lanes of @stream, in nanoseconds since 1970 */
int64_t lanes_origin(const struct stream *stream);

#endif /* _KTRDUMP_LANES_H_ */
