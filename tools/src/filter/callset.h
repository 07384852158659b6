/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sets of system calls, of all ABIs. */
#ifndef _FILTER_CALLSET_H_
#define _FILTER_CALLSET_H_

#include <stdbool.h>
#include <stdint.h>

#include "decode/abi.h"
#include "options/similar.h"

#define CALLSET_CODES 1024 /* more than any table has */

struct callset {
	uint64_t bits[ABI_TABLES][CALLSET_CODES / 64];
};

bool callset_has(const struct callset *set, uint32_t flags, int code);

/* callset_add_name - the calls of this name; false: there are none */
bool callset_add_name(struct callset *set, const char *name);

/* callset_add_class - the calls of a class; false: there is none of this name */
bool callset_add_class(struct callset *set, const char *name);

/*
 * callset_add_regex - the calls whose name an extended regular expression matches; returns
 * NULL, or what is wrong with it, in a buffer of its own
 */
const char *callset_add_regex(struct callset *set, const char *regex);

/* callset_offer_names - all names of calls, to choose from for one that is wrong */
void callset_offer_names(struct similar *similar);

/* callset_classes - names of all classes: "%file, %net"; in a buffer of its own */
const char *callset_classes(void);

#endif /* _FILTER_CALLSET_H_ */
