// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "filter/filter.h"

#include <sys/ktrace.h>

#include "decode/out.h"
#include "filter/expr.h"
#include "filter/held.h"

static struct expr exprs[EXPRS_MAX];
static unsigned int count;
static bool of_calls; /* some expressions are */
static bool outside_wanted = true; /* records outside of calls are, as far as those go */
static bool have_first;
static int64_t first_time; /* of the first record that can be seen */

void filter_reset(void)
{
	while (count)
		expr_free(&exprs[--count]);
	held_reset();
	of_calls = false;
	outside_wanted = true;
	have_first = false;
}

void filter_add(const char *text)
{
	struct expr *expr = &exprs[count];

	if (count == EXPRS_MAX)
		die("-e %s: more than %d expressions", text, EXPRS_MAX);
	count++;
	expr_parse(expr, text);
	if (!expr_is_of_calls(expr))
		return;
	of_calls = true;
	if (!expr->negated)
		outside_wanted = false;
}

const char *filter_literal(void)
{
	const char *text;
	unsigned int i;

	for (i = 0; i < count; i++) {
		text = expr_literal(&exprs[i]);
		if (text)
			return text;
	}
	return NULL;
}

static bool passes_record_filters(const struct event *event)
{
	unsigned int i;

	if (!have_first) {
		first_time = event->time;
		have_first =
			event->record->type != KTR_PROCCTOR && event->record->type != KTR_PROCDTOR;
	}
	for (i = 0; i < count; i++)
		if (!expr_is_of_calls(&exprs[i]) &&
		    !expr_matches_record(&exprs[i], event, first_time))
			return false;
	return true;
}

/* All must hold, so one that does not is enough. */
static enum verdict judge(const struct outcome *outcome)
{
	enum verdict verdict = VERDICT_YES;
	unsigned int i;

	for (i = 0; i < count && verdict != VERDICT_NO; i++) {
		enum verdict one = VERDICT_YES;

		if (expr_is_of_calls(&exprs[i]))
			one = expr_judge(&exprs[i], i, outcome);
		if (one < verdict)
			verdict = one;
	}
	return verdict;
}

static void note_path(struct outcome *outcome, const struct ktrace_record *record)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (exprs[i].kind == EXPR_PATH && expr_matches_path(&exprs[i], record))
			outcome->paths |= UINT64_C(1) << i;
}

static void note_ret(struct outcome *outcome, const struct event *event)
{
	struct ktrace_record_sysret ret;

	ktrace_record_get_sysret(event->record, &ret);
	outcome->flags = event->abi.call_flags;
	outcome->code = ret.code;
	outcome->complete = true;
	outcome->returned = true;
	outcome->error = ret.error;
	outcome->timed = event_duration(event, &outcome->duration);
}

static void note(struct outcome *outcome, const struct event *event)
{
	if (event->record->type == KTR_NAMEI)
		note_path(outcome, event->record);
	else if (event->record->type == KTR_SYSRET)
		note_ret(outcome, event);
}

/* At its CALL, or as good as that. */
static struct outcome begun(const struct call *call)
{
	return (struct outcome){
		.flags = call->flags,
		.code = call->code,
		.complete = call_never_returns(call),
	};
}

static void pass(struct event *event, bool wanted, filter_sink *sink)
{
	event->hidden |= !wanted;
	sink(event);
}

/* The rest of it will not come. */
static void abandon(struct held *held, filter_sink *sink)
{
	held->outcome.complete = true;
	if (held->verdict == VERDICT_UNKNOWN)
		held_decide(held, judge(&held->outcome), outside_wanted, sink);
	held_end(held);
}

static void call_event(struct event *event, filter_sink *sink)
{
	struct outcome outcome = begun(event->call);
	enum verdict verdict = judge(&outcome);
	struct held *held;

	if (verdict == VERDICT_UNKNOWN) {
		held = held_begin(event, sink);
		held->outcome = outcome;
		held_add(held, event, sink);
	} else {
		pass(event, verdict == VERDICT_YES, sink);
	}
}

/* A record of a thread whose CALL left something to be known. */
static void held_event(struct held *held, struct event *event, filter_sink *sink)
{
	bool is_ret = event->record->type == KTR_SYSRET;
	enum verdict verdict;

	if (held->verdict == VERDICT_UNKNOWN) {
		note(&held->outcome, event);
		verdict = judge(&held->outcome);
		if (verdict == VERDICT_UNKNOWN) {
			held_add(held, event, sink);
			return;
		}
		held_decide(held, verdict, outside_wanted, sink);
	}
	pass(event, event->call ? held->verdict == VERDICT_YES : outside_wanted, sink);
	if (is_ret)
		held_end(held);
}

/* A record of a thread whose call was judged at its CALL, or that is in none. */
static void other_event(struct event *event, filter_sink *sink)
{
	struct outcome outcome = { .paths = 0 };

	if (event->record->type == KTR_SYSRET) {
		note_ret(&outcome, event);
	} else if (event->call) {
		outcome = begun(event->call);
	} else {
		pass(event, outside_wanted, sink);
		return;
	}
	/* Unknown: it was given up. */
	pass(event, judge(&outcome) != VERDICT_NO, sink);
}

/* What it tells of calls of before, that they have ended. */
static void end_calls(const struct event *event, filter_sink *sink)
{
	const struct ktrace_record *record = event->record;
	struct held *held;

	if (record->type == KTR_PROCDTOR) {
		while ((held = held_of_process(record)) != NULL)
			abandon(held, sink);
	} else if (record->type == KTR_SYSCALL || (record->type == KTR_SYSRET && !event->call)) {
		held = held_find(record);
		if (held)
			abandon(held, sink);
	}
}

void filter_event(struct event *event, filter_sink *sink)
{
	struct held *held;

	event->hidden = count && !passes_record_filters(event);
	if (!of_calls) {
		sink(event);
		return;
	}
	end_calls(event, sink);
	held = held_find(event->record);
	if (event->record->type == KTR_SYSCALL)
		call_event(event, sink);
	else if (held)
		held_event(held, event, sink);
	else
		other_event(event, sink);
}

void filter_end(filter_sink *sink)
{
	struct held *held;

	while ((held = held_oldest()) != NULL)
		abandon(held, sink);
}
