/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What options of kdump and ktruss have in common: their arguments. */
#ifndef _KDUMP_CHOICE_H_
#define _KDUMP_CHOICE_H_

#include <stdbool.h>
#include <stdint.h>

/* Each says what is wrong with the argument, and ends the program. */

/* choice_points - -t: letters, as KTRFAC_* */
uint32_t choice_points(const char *text);

/* choice_number - of option @option: from @least to INT_MAX */
long choice_number(char option, const char *text, long least);

/* choice_colour - --color=@when; NULL: always; @fd: where the text goes */
bool choice_colour(const char *when, int fd);

/* choice_summary - --summary=@what, NULL: by call */
const struct view *choice_summary(const char *what);

/* choice_sort - --sort */
void choice_sort(const char *text);

/* choice_default_colour - --color=auto */
bool choice_default_colour(int fd);

/* choice_width - of the terminal, for data */
unsigned int choice_width(void);

#endif /* _KDUMP_CHOICE_H_ */
