/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The letters of ktrace -t.
 */
#ifndef _KTRACE_POINTS_H_
#define _KTRACE_POINTS_H_

/* The trace points of the default set ("+"). */
int points_default(void);

/*
 * Translates a list of letters to trace points.  What is wrong with the list
 * is reported, and ends the program.
 */
int points_parse(const char *letters);

#endif /* _KTRACE_POINTS_H_ */
