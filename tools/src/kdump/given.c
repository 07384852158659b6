// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "given.h"

#include <string.h>

#include "decode/out.h"

/* What options are about; those that are not here suit every view. */
static const struct {
	const char *option;
	enum view_use use;
} uses[] = {
	{ "A", VIEW_LINES },	    { "c", VIEW_LINES },	{ "E", VIEW_TIMES },
	{ "H", VIEW_LINES },	    { "R", VIEW_TIMES },	{ "T", VIEW_TIMES },
	{ "duration", VIEW_TIMES }, { "S", VIEW_NUMBERS },	{ "d", VIEW_DECIMAL },
	{ "n", VIEW_VALUES },	    { "r", VIEW_VALUES },	{ "fds", VIEW_VALUES },
	{ "m", VIEW_VALUES },	    { "s", VIEW_VALUES },	{ "t", VIEW_TYPES },
	{ "e", VIEW_FILTERS },	    { "failed", VIEW_FILTERS }, { "ok", VIEW_FILTERS },
	{ "p", VIEW_PROCESS },	    { "l", VIEW_FOLLOWS },	{ "until-exit", VIEW_FOLLOWS },
};

#define USES (sizeof(uses) / sizeof(uses[0]))

static bool given[USES];

void given_reset(void)
{
	memset(given, 0, sizeof(given));
}

/* Where it is in the table, or USES. */
static size_t find(const char *name)
{
	size_t i;

	for (i = 0; i < USES && strcmp(uses[i].option, name) != 0; i++)
		;
	return i;
}

void given_add(int letter, const char *name)
{
	const char text[] = { (char)letter, '\0' };
	size_t i = find(name ? name : text);

	if (i < USES)
		given[i] = true;
}

bool given_option(const char *name)
{
	size_t i = find(name);

	return i < USES && given[i];
}

bool given_has(unsigned int kinds)
{
	size_t i;

	for (i = 0; i < USES; i++)
		if (given[i] && kinds & uses[i].use)
			return true;
	return false;
}

void given_check(const struct view *view)
{
	size_t i;

	for (i = 0; i < USES; i++)
		if (given[i] && !(view->uses & uses[i].use))
			die("%s%s has no effect with %s: leave it out",
			    uses[i].option[1] ? "--" : "-", uses[i].option, view->option);
}
