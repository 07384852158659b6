// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "options/similar.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_LEN   48
#define PREFIX_MAX_LEN 2

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Upper and lower case are the same. */
static bool differ(char a, char b)
{
	return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Letters that are missing, too many, wrong, or swapped with their neighbour. */
static unsigned int distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned int rows[3][NAME_MAX_LEN + 1];
	unsigned int *before = rows[0], *last = rows[1], *row = rows[2];
	size_t i, j;

	for (j = 0; j <= b_len; j++)
		last[j] = j;
	for (i = 1; i <= a_len; i++) {
		unsigned int *oldest = before;

		row[0] = i;
		for (j = 1; j <= b_len; j++) {
			row[j] = least(last[j - 1] + differ(a[i - 1], b[j - 1]),
				       least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) &&
			    !differ(a[i - 2], b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
		before = last;
		last = row;
		row = oldest;
	}
	return last[b_len];
}

static bool is_known(const struct similar *similar, const char *name)
{
	unsigned int i;

	for (i = 0; i < similar->count; i++)
		if (strcmp(similar->best[i].name, name) == 0)
			return true;
	return false;
}

void similar_offer(struct similar *similar, const char *name)
{
	size_t wrong_len = strlen(similar->wrong), len = strlen(name);
	unsigned int d, at;

	if (wrong_len > NAME_MAX_LEN || len > NAME_MAX_LEN || is_known(similar, name))
		return;
	d = distance(similar->wrong, wrong_len, name, len);
	if (d > 1 + wrong_len / 6 || d >= wrong_len)
		return;
	for (at = 0; at < similar->count && similar->best[at].distance <= d; at++)
		;
	if (at == SIMILAR_MAX)
		return;
	if (similar->count < SIMILAR_MAX)
		similar->count++;
	memmove(&similar->best[at + 1], &similar->best[at],
		(similar->count - 1 - at) * sizeof(similar->best[0]));
	similar->best[at].name = name;
	similar->best[at].distance = d;
}

const char *similar_text(const struct similar *similar)
{
	static char text[SIMILAR_MAX * (PREFIX_MAX_LEN + NAME_MAX_LEN + 4) +
			 sizeof(" (did you mean ?)")];
	unsigned int count = similar->count, i;
	int len = 0;

	text[0] = '\0';
	if (count && similar->best[0].distance == 0)
		count = 1; /* but for its case that is it */
	for (i = 0; i < count; i++) {
		const char *before = i == 0 ? " (did you mean " : i + 1 == count ? " or " : ", ";

		len += snprintf(text + len, sizeof(text) - len, "%s%s%s", before,
				similar->prefix ? similar->prefix : "", similar->best[i].name);
	}
	if (len)
		snprintf(text + len, sizeof(text) - len, "?)");
	return text;
}
