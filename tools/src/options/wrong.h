/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Options that there are not, and what was meant perhaps. */
#ifndef _OPTIONS_WRONG_H_
#define _OPTIONS_WRONG_H_

#include <getopt.h>

/*
 * wrong_option - say what is wrong with an option, and end the program
 * @opt: what getopt_long() returned for it, '?' or ':'
 * @longs: all long options, whose values are from 256 on
 * @usage: shown below
 *
 * The program is out_program (out.h).
 */
void __attribute__((noreturn))
wrong_option(int opt, char **argv, const struct option *longs, const char *usage);

/*
 * wrong_argument - the same for an argument that is no option; @instead: ": what there is
 * instead", or ""
 */
void __attribute__((noreturn))
wrong_argument(const char *argument, const char *instead, const char *usage);

#endif /* _OPTIONS_WRONG_H_ */
