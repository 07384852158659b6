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

/* "c n i s u" */
static const char *all_letters(void)
{
	static char text[2 * N_LETTERS];
	size_t i;

	for (i = 0; i < N_LETTERS; i++) {
		text[2 * i] = letters[i].letter;
		text[2 * i + 1] = i + 1 < N_LETTERS ? ' ' : 0;
	}
	return text;
}

int points_default(void)
{
	int points = 0;
	size_t i;

	for (i = 0; i < N_LETTERS; i++)
		if (letters[i].in_default)
			points |= letters[i].points;
	return points;
}

static int parse_letter(char c)
{
	size_t i;

	if (c == '+')
		return points_default();
	for (i = 0; i < N_LETTERS; i++) {
		if (letters[i].letter == c)
			return letters[i].points;
	}
	die("-t: no trace point has the letter '%c'; there are %s, and + for the default set",
	    isprint((unsigned char)c) ? c : '?', all_letters());
}

int points_parse(const char *list)
{
	int points = 0;

	if (!*list)
		die("-t: no trace point given; there are %s, and + for the default set",
		    all_letters());
	for (; *list; list++)
		points |= parse_letter(*list);
	return points;
}
