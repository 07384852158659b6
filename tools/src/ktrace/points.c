// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The letters of ktrace -t.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "points.h"
#include "sys/ktrace.h"

/* What the module of this version records. */
#define POINTS_BUILT                                                                  \
	(KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_NAMEI | KTRFAC_GENIO | KTRFAC_PSIG | \
	 KTRFAC_USER | KTRFAC_CSW | KTRFAC_FAULT | KTRFAC_FAULTEND)

static const struct letter {
	char letter;
	bool in_default;
	int points;
} letters[] = {
	{ 'c', true, KTRFAC_SYSCALL | KTRFAC_SYSRET },
	{ 'n', true, KTRFAC_NAMEI },
	{ 'i', true, KTRFAC_GENIO },
	{ 's', true, KTRFAC_PSIG },
	{ 'w', false, KTRFAC_CSW },
	{ 'u', true, KTRFAC_USER },
	{ 't', true, KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY },
	{ 'y', true, KTRFAC_SYSCTL },
	{ 'p', true, KTRFAC_CAPFAIL },
	{ 'f', false, KTRFAC_FAULT | KTRFAC_FAULTEND },
	{ 'a', false, KTRFAC_ARGS },
	{ 'e', false, KTRFAC_ENVS },
};

#define N_LETTERS (sizeof(letters) / sizeof(letters[0]))

static bool is_built(const struct letter *l)
{
	return (l->points & POINTS_BUILT) == l->points;
}

/* "c n i s u" */
static const char *built_letters(void)
{
	static char text[2 * N_LETTERS];
	char *p = text;
	size_t i;

	for (i = 0; i < N_LETTERS; i++) {
		if (!is_built(&letters[i]))
			continue;
		if (p != text)
			*p++ = ' ';
		*p++ = letters[i].letter;
	}
	return text;
}

int points_default(void)
{
	int points = 0;
	size_t i;

	for (i = 0; i < N_LETTERS; i++)
		if (letters[i].in_default && is_built(&letters[i]))
			points |= letters[i].points;
	return points;
}

static int parse_letter(char c)
{
	size_t i;

	if (c == '+')
		return points_default();
	for (i = 0; i < N_LETTERS; i++) {
		if (letters[i].letter != c)
			continue;
		if (!is_built(&letters[i]))
			die("-t: this version does not record '%c' yet; it has %s, and + for the default set",
			    c, built_letters());
		return letters[i].points;
	}
	die("-t: no trace point has the letter '%c'; there are %s, and + for the default set",
	    isprint((unsigned char)c) ? c : '?', built_letters());
}

int points_parse(const char *list)
{
	int points = 0;

	if (!*list)
		die("-t: no trace point given; there are %s, and + for the default set",
		    built_letters());
	for (; *list; list++)
		points |= parse_letter(*list);
	return points;
}
