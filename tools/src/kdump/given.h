/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Options that were given: one that the view has no use for is a mistake. */
#ifndef _KDUMP_GIVEN_H_
#define _KDUMP_GIVEN_H_

#include "view.h"

/* given_reset - none was given */
void given_reset(void);

/* given_add - the letter of an option, or the name of one that has none ("tree"), which stays */
void given_add(int letter, const char *name);

/* given_option - is it among them? */
bool given_option(const char *name);

/* given_has - is there one of these kinds (VIEW_*)? */
bool given_has(unsigned int kinds);

/* given_check - is @view for all of them?  Else say for which it is not, and end the program. */
void given_check(const struct view *view);

#endif /* _KDUMP_GIVEN_H_ */
