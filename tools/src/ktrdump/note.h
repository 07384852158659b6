/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What a picture leaves out, in words. */
#ifndef _KTRDUMP_NOTE_H_
#define _KTRDUMP_NOTE_H_

#include <stdint.h>

/* All zero: nothing is left out. */
struct note {
	char text[512]; /* the parts, "; " between them */
};

/* note_add - a part: how many, and of what, unless there are none */
void note_add(struct note *note, uint64_t count, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* note_warn - the same on stderr */
void note_warn(const struct note *note);

#endif /* _KTRDUMP_NOTE_H_ */
