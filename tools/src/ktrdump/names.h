/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Texts that are counted as they appear, from 0. */
#ifndef _KTRDUMP_NAMES_H_
#define _KTRDUMP_NAMES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names_slot {
	char *text; /* NULL: free */
	size_t len;
	uint32_t number;
};

/* All zero: empty. */
struct names {
	struct names_slot *slots;
	size_t size; /* a power of two */
	uint32_t count;
};

/* The longest text. */
#define NAMES_LONGEST 320

/* names_has - does the text have a number? */
bool names_has(const struct names *names, const char *text, size_t len);

/*
 * names_number - the number of a text; @is_new says whether it is the first time, when it
 * is not NULL
 */
uint32_t names_number(struct names *names, const char *text, size_t len, bool *is_new);

void names_free(struct names *names);

#endif /* _KTRDUMP_NAMES_H_ */
