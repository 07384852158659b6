// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What expressions say of calls and records.
 */
#include <string.h>

#include "decode/names.h"
#include "filter/expr.h"
#include "ktrace_format.h"

#define LINUX_COMM   15 /* Linux cuts names of threads there, FreeBSD at KTRACE_COMM_LEN - 1 */
#define FREEBSD_COMM (KTRACE_COMM_LEN - 1)

bool expr_is_of_calls(const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_CALLS:
	case EXPR_STATUS:
	case EXPR_ERRNO:
	case EXPR_SLOWER:
	case EXPR_PATH:
		return true;
	default:
		return false;
	}
}

static enum status status_of(int error)
{
	if (error == KTRACE_ERESTART)
		return STATUS_RESTART;
	return error == 0 || error == KTRACE_EJUSTRETURN ? STATUS_OK : STATUS_FAILED;
}

static bool matches_errno(const struct expr *expr, const struct outcome *outcome)
{
	bool linux_abi = abi_is_linux(outcome->flags);
	int number = names_errno_number(outcome->error, &linux_abi);
	size_t i;

	if (status_of(outcome->error) != STATUS_FAILED)
		return false;
	for (i = 0; i < expr->count; i++)
		if (number == (linux_abi ? expr->values[i].error.linux_number :
					   expr->values[i].error.freebsd_number))
			return true;
	return false;
}

static bool is_slower(const struct expr *expr, const struct outcome *outcome)
{
	size_t i;

	for (i = 0; i < expr->count; i++)
		if (outcome->timed && outcome->duration > expr->values[i].number)
			return true;
	return false;
}

static enum verdict verdict(bool found, const struct expr *expr)
{
	return found != expr->negated ? VERDICT_YES : VERDICT_NO;
}

/* Of a call that ends without a RET nobody knows the result: then none is found. */
static bool matches_result(const struct expr *expr, const struct outcome *outcome)
{
	if (!outcome->returned)
		return false;
	switch (expr->kind) {
	case EXPR_STATUS:
		return expr->statuses & status_of(outcome->error);
	case EXPR_ERRNO:
		return matches_errno(expr, outcome);
	default:
		return is_slower(expr, outcome);
	}
}

enum verdict expr_judge(const struct expr *expr, unsigned int index, const struct outcome *outcome)
{
	bool found;

	switch (expr->kind) {
	case EXPR_CALLS:
		return verdict(callset_has(&expr->calls, outcome->flags, outcome->code), expr);
	case EXPR_PATH:
		found = outcome->paths >> index & 1;
		return found || outcome->complete ? verdict(found, expr) : VERDICT_UNKNOWN;
	default:
		return outcome->complete ? verdict(matches_result(expr, outcome), expr) :
					   VERDICT_UNKNOWN;
	}
}

/* Is the path @prefix, or something below it? */
static bool is_below(const char *path, size_t len, const char *prefix)
{
	size_t prefix_len = strlen(prefix);

	if (len < prefix_len || memcmp(path, prefix, prefix_len) != 0)
		return false;
	return len == prefix_len || prefix[prefix_len - 1] == '/' || path[prefix_len] == '/';
}

bool expr_matches_path(const struct expr *expr, const struct ktrace_record *record)
{
	size_t len = ktrace_record_text_len(record), i;

	for (i = 0; i < expr->count; i++)
		if (is_below((const char *)record->data, len, expr->values[i].text))
			return true;
	return false;
}

/* A longer name was cut. */
static bool is_comm(const char *comm, const char *name)
{
	size_t len = strlen(comm);

	if (strcmp(comm, name) == 0)
		return true;
	return (len == LINUX_COMM || len == FREEBSD_COMM) && strncmp(comm, name, len) == 0;
}

static bool is_within(const struct time_range *range, int64_t time, int64_t first)
{
	if (!range->absolute && __builtin_sub_overflow(time, first, &time))
		time = first < 0 ? INT64_MAX : INT64_MIN;
	return time >= range->from && time <= range->to;
}

static bool matches_value(enum expr_kind kind, const union expr_value *value,
			  const struct event *event, int64_t first)
{
	switch (kind) {
	case EXPR_PID:
		return event->record->pid == value->number;
	case EXPR_TID:
		return event->record->tid == value->number;
	case EXPR_COMM:
		return is_comm(event->record->comm, value->text);
	default:
		return is_within(&value->time, event->time, first);
	}
}

bool expr_matches_record(const struct expr *expr, const struct event *event, int64_t first)
{
	bool found = false;
	size_t i;

	for (i = 0; i < expr->count && !found; i++)
		found = matches_value(expr->kind, &expr->values[i], event, first);
	return found != expr->negated;
}
