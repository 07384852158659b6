// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "words.h"

#define BUCKETS 1024

struct word {
	struct word *next;
	unsigned long count;
	char text[WORD_SIZE];
};

static struct word *buckets[BUCKETS];

static struct word **find(const char *text)
{
	struct word **p;
	unsigned int sum = 0;

	for (const char *c = text; *c; c++)
		sum = sum * 31 + *c;
	for (p = &buckets[sum % BUCKETS]; *p; p = &(*p)->next) {
		if (!strcmp((*p)->text, text))
			break;
	}
	return p;
}

void words_add(const char *text)
{
	struct word **p = find(text);

	if (!*p) {
		*p = calloc(1, sizeof(**p));
		if (!*p)
			abort();
		strncpy((*p)->text, text, WORD_SIZE - 1);
	}
	(*p)->count++;
}

void words_print(FILE *f)
{
	for (int i = 0; i < BUCKETS; i++) {
		for (struct word *w = buckets[i]; w; w = w->next)
			fprintf(f, "%lu %s\n", w->count, w->text);
	}
}
