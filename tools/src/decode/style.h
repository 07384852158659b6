/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Colours of a terminal, by what is shown.
 *
 * They are off unless a view turns them on, so text that is not for a terminal
 * has none.  A style ends where its line ends at the latest: every line stands
 * for itself, in a pager too.  Styles do not nest.
 */
#ifndef _DECODE_STYLE_H_
#define _DECODE_STYLE_H_

#include <stdbool.h>

enum style {
	STYLE_PROCESS, /* numbers and names of processes */
	STYLE_CALL, /* names of calls */
	STYLE_ERROR,
	STYLE_TEXT, /* of the traced program: paths, arguments, data */
	STYLE_SIGNAL,
};

extern bool styles; /* whether there are any */

void style_out(enum style style);
void style_out_end(void);

static inline void style_begin(enum style style)
{
	if (styles)
		style_out(style);
}

static inline void style_end(void)
{
	if (styles)
		style_out_end();
}

#endif /* _DECODE_STYLE_H_ */
