/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Expressions: parsed, and what they say of a record or a call. */
#ifndef _FILTER_EXPR_H_
#define _FILTER_EXPR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/event.h"
#include "filter/callset.h"

/* One bit each in struct outcome: paths */
#define EXPRS_MAX 64

enum expr_kind {
	EXPR_CALLS,
	EXPR_STATUS,
	EXPR_ERRNO,
	EXPR_SLOWER,
	EXPR_PATH,
	EXPR_PID,
	EXPR_TID,
	EXPR_COMM,
	EXPR_TIME,
};

enum status {
	STATUS_OK = 1,
	STATUS_FAILED = 2,
	STATUS_RESTART = 4, /* interrupted by a signal; not known if it fails: neither */
};

/* From and to, both included; open ends are the ends of int64_t. */
struct time_range {
	bool absolute; /* since 1970, else since the first record; nanoseconds */
	int64_t from;
	int64_t to;
};

/* An errno by name has a number in either numbering, or 0. */
struct errno_pair {
	int linux_number;
	int freebsd_number;
};

/* One of the values between commas. */
union expr_value {
	char *text; /* paths, comm; owned */
	int64_t number; /* pid, tid; slower: nanoseconds */
	struct errno_pair error;
	struct time_range time;
};

struct expr {
	enum expr_kind kind;
	bool negated;
	unsigned int statuses; /* EXPR_STATUS */
	struct callset calls; /* EXPR_CALLS */
	union expr_value *values; /* others; owned */
	size_t count;
};

/* What is known of a call so far. */
struct outcome {
	uint32_t flags; /* its ABI */
	int code;
	bool complete; /* nothing more will be known */
	bool returned; /* the rest is known */
	int error; /* of the RET */
	bool timed;
	int64_t duration; /* nanoseconds */
	uint64_t paths; /* which expressions about paths have found one */
};

enum verdict {
	VERDICT_NO,
	VERDICT_UNKNOWN,
	VERDICT_YES,
};

/* expr_parse - or say what is wrong and end the program */
void expr_parse(struct expr *expr, const char *text);

/*
 * expr_literal - one of its paths or names that has a "*" or "?", which stand for
 * themselves; or NULL
 */
const char *expr_literal(const struct expr *expr);

/* expr_free - what expr_parse() has put into it */
void expr_free(struct expr *expr);

/* Is it about calls, and not about each record? */
bool expr_is_of_calls(const struct expr *expr);

/* expr_judge - an expression about calls; @index is its bit in outcome->paths */
enum verdict expr_judge(const struct expr *expr, unsigned int index, const struct outcome *outcome);

/* expr_matches_path - does one of the paths match?  Whether that is wanted, expr_judge() says. */
bool expr_matches_path(const struct expr *expr, const struct ktrace_record *record);

/* expr_matches_record - an expression about records; @first is the time of the first one */
bool expr_matches_record(const struct expr *expr, const struct event *event, int64_t first);

#endif /* _FILTER_EXPR_H_ */
