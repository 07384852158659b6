// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * From text to expressions.
 */
#include "filter/expr.h"

#include <stdlib.h>
#include <string.h>

#include "decode/name_tables.h"
#include "decode/names.h"
#include "decode/out.h"
#include "filter/value.h"
#include "options/similar.h"

static const struct key {
	const char *name;
	enum expr_kind kind;
} keys[] = {
	{ "comm", EXPR_COMM }, { "errno", EXPR_ERRNO },	  { "path", EXPR_PATH },
	{ "pid", EXPR_PID },   { "slower", EXPR_SLOWER }, { "status", EXPR_STATUS },
	{ "tid", EXPR_TID },   { "time", EXPR_TIME },	  { "trace", EXPR_CALLS },
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

/* Names that stand for the same number, of which the tables have one. */
static const struct {
	const char *name, *same;
} errno_aliases[] = {
	{ "EWOULDBLOCK", "EAGAIN" },
	{ "EDEADLOCK", "EDEADLK" },
	{ "ENOTSUP", "EOPNOTSUPP" },
	{ "ENOATTR", "ENODATA" },
};

static const struct key *find_key(const char *text, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < KEYS; i++)
		if (strlen(keys[i].name) == len && memcmp(keys[i].name, name, len) == 0)
			return &keys[i];
	die("-e %s: there is no filter \"%.*s\" (comm, errno, path, pid, slower, status, tid, time)",
	    text, (int)len, name);
}

static void parse_regex(struct expr *expr, const char *text, char *word)
{
	size_t len = strlen(word);
	const char *problem;

	if (len < 3 || word[len - 1] != '/')
		die("-e %s: a regular expression is /.../, with a \"\\\" before a comma in it",
		    text);
	word[len - 1] = '\0';
	problem = callset_add_regex(&expr->calls, word + 1);
	if (problem)
		die("-e %s: %s: %s", text, word + 1, problem);
}

/* What was meant by something that is no name of a call. */
static const char *call_hint(const char *word)
{
	struct similar similar = { .wrong = word };

	if (*word == '!')
		return " (a \"!\" is for all of the expression, and stands before it)";
	if (strpbrk(word, "|;& "))
		return " (between several names there is a comma, and nothing else)";
	callset_offer_names(&similar);
	return similar_text(&similar);
}

static void parse_call(struct expr *expr, const char *text, char *word)
{
	if (*word == '/') {
		parse_regex(expr, text, word);
	} else if (*word == '%') {
		if (!callset_add_class(&expr->calls, word + 1))
			die("-e %s: there is no class %s (%s)", text, word, callset_classes());
	} else if (!callset_add_name(&expr->calls, word)) {
		die("-e %s: there is no system call \"%s\"%s", text, word, call_hint(word));
	}
}

static void parse_status(struct expr *expr, const char *text, const char *word)
{
	if (strcmp(word, "ok") == 0 || strcmp(word, "successful") == 0)
		expr->statuses |= STATUS_OK;
	else if (strcmp(word, "failed") == 0)
		expr->statuses |= STATUS_FAILED;
	else if (strcmp(word, "restart") == 0)
		expr->statuses |= STATUS_RESTART;
	else
		die("-e %s: there is no status \"%s\" (ok, failed, restart)", text, word);
}

static int find_value(const struct name_table *table, const char *name)
{
	int i;

	for (i = 0; i < table->count; i++)
		if (strcmp(table->values[i].name, name) == 0)
			return table->values[i].value;
	return 0;
}

static void offer_errnos(struct similar *similar, const struct name_table *table)
{
	int i;

	for (i = 0; i < table->count; i++)
		similar_offer(similar, table->values[i].name);
}

static void find_errno(struct errno_pair *pair, const char *name)
{
	size_t i;

	pair->linux_number = find_value(&names_linux_errnos, name);
	pair->freebsd_number = find_value(&names_errnos, name);
	for (i = 0; i < sizeof(errno_aliases) / sizeof(errno_aliases[0]); i++) {
		if (strcmp(errno_aliases[i].name, name) != 0)
			continue;
		if (!pair->linux_number)
			pair->linux_number = find_value(&names_linux_errnos, errno_aliases[i].same);
		if (!pair->freebsd_number)
			pair->freebsd_number = find_value(&names_errnos, errno_aliases[i].same);
	}
}

static bool is_errno(int64_t number)
{
	return number > 0 && number <= INT32_MAX &&
	       (names_errno_text(number, true) || names_errno_text(number, false));
}

static struct errno_pair parse_errno(const char *text, const char *word)
{
	struct similar similar = { .wrong = word };
	struct errno_pair pair;
	int64_t number;

	if (value_number(word, &number) && is_errno(number))
		return (struct errno_pair){ number, number };
	find_errno(&pair, word);
	if (!pair.linux_number && !pair.freebsd_number) {
		offer_errnos(&similar, &names_linux_errnos);
		offer_errnos(&similar, &names_errnos);
		die("-e %s: there is no errno \"%s\"%s", text, word, similar_text(&similar));
	}
	return pair;
}

static union expr_value parse_value(enum expr_kind kind, const char *text, const char *word)
{
	union expr_value value = { .number = 0 };

	switch (kind) {
	case EXPR_ERRNO:
		value.error = parse_errno(text, word);
		break;
	case EXPR_PID:
	case EXPR_TID:
		if (!value_number(word, &value.number))
			die("-e %s: \"%s\" is not a number", text, word);
		break;
	case EXPR_SLOWER:
		if (!value_duration(word, &value.number))
			die("-e %s: \"%s\" is not a time with its unit (ns, us, ms, s, m), like 10ms",
			    text, word);
		break;
	case EXPR_TIME:
		if (!value_time_range(word, &value.time))
			die("-e %s: \"%s\" is not a range of seconds from the first record on (1.5..2, 1.5.., ..2) or since 1970 (@1700000000..@1700000060)",
			    text, word);
		break;
	default:
		value.text = strdup(word);
		if (!value.text)
			die("out of memory");
	}
	return value;
}

static void add_value(struct expr *expr, union expr_value value)
{
	expr->values = reallocarray(expr->values, expr->count + 1, sizeof(*expr->values));
	if (!expr->values)
		die("out of memory");
	expr->values[expr->count++] = value;
}

/*
 * Up to a comma; "\," is a comma of the word.  Returns what follows, or NULL; ends the
 * word in place.
 */
static char *split_word(char *word)
{
	char *from = word, *to = word;

	while (*from && *from != ',') {
		if (from[0] == '\\' && from[1] == ',')
			from++;
		*to++ = *from++;
	}
	from = *from ? from + 1 : NULL;
	*to = '\0';
	return from;
}

static void parse_words(struct expr *expr, const char *text, char *words)
{
	char *word, *next;

	for (word = words; word; word = next) {
		next = split_word(word);
		if (!*word)
			die("-e %s: there is nothing %s", out_operand(text),
			    word == words ? "to look for" : "after a comma");
		if (expr->kind == EXPR_CALLS)
			parse_call(expr, text, word);
		else if (expr->kind == EXPR_STATUS)
			parse_status(expr, text, word);
		else
			add_value(expr, parse_value(expr->kind, text, word));
	}
}

static bool has_texts(const struct expr *expr)
{
	return expr->kind == EXPR_PATH || expr->kind == EXPR_COMM;
}

void expr_parse(struct expr *expr, const char *text)
{
	const char *rest = text, *equals;
	char *words;

	*expr = (struct expr){ .kind = EXPR_CALLS };
	if (*rest == '!') {
		expr->negated = true;
		rest++;
	}
	equals = *rest == '/' ? NULL : strchr(rest, '=');
	if (equals) {
		expr->kind = find_key(text, rest, equals - rest)->kind;
		rest = equals + 1;
	}
	if (*rest == '!' && !expr->negated && !has_texts(expr))
		die("-e %s: the \"!\" stands before all of it: !%.*s%s", text, (int)(rest - text),
		    text, rest + 1);
	words = strdup(rest);
	if (!words)
		die("out of memory");
	parse_words(expr, text, words);
	free(words);
}

const char *expr_literal(const struct expr *expr)
{
	size_t i;

	for (i = 0; i < expr->count && has_texts(expr); i++)
		if (strpbrk(expr->values[i].text, "*?"))
			return expr->values[i].text;
	return NULL;
}

void expr_free(struct expr *expr)
{
	size_t i;

	for (i = 0; i < expr->count; i++)
		if (has_texts(expr))
			free(expr->values[i].text);
	free(expr->values);
	expr->values = NULL;
	expr->count = 0;
}
