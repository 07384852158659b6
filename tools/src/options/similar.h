/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names that a mistyped one may have been meant to be. */
#ifndef _OPTIONS_SIMILAR_H_
#define _OPTIONS_SIMILAR_H_

#include <stddef.h>

#define SIMILAR_MAX 3

struct similar {
	const char *wrong;
	const char *prefix; /* of each in similar_text(), or NULL */
	unsigned int count;
	struct {
		const char *name;
		unsigned int distance;
	} best[SIMILAR_MAX]; /* the nearest first */
};

/* similar_offer - a name that exists; it must stay, and may come again */
void similar_offer(struct similar *similar, const char *name);

/*
 * similar_text - " (did you mean a, b or c?)", or an empty text when none is near; in a
 * buffer of its own
 */
const char *similar_text(const struct similar *similar);

#endif /* _OPTIONS_SIMILAR_H_ */
