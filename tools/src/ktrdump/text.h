/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Events as lines, in FreeBSD's columns. */
#ifndef _KTRDUMP_TEXT_H_
#define _KTRDUMP_TEXT_H_

#include "stream.h"

/*
 * text_begin - before all events: the names of the columns that the options ask for,
 * unless they ask for none
 */
void text_begin(void);

/* text_event - a line; @index: its first column */
void text_event(uint64_t index, const struct event *event);

#endif /* _KTRDUMP_TEXT_H_ */
