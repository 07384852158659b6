/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Numbers in expressions. Each function returns false when the text is no such thing, or
 * out of range.
 */
#ifndef _FILTER_VALUE_H_
#define _FILTER_VALUE_H_

#include <stdbool.h>
#include <stdint.h>

#include "filter/expr.h"

/* value_number - decimal digits, from 0 */
bool value_number(const char *text, int64_t *number);

/* value_duration - 1.5ms: a number and one of ns, us, ms, s, m; to nanoseconds */
bool value_duration(const char *text, int64_t *ns);

/* value_time_range - FROM..TO, FROM.. or ..TO, in seconds; with a "@", since 1970 */
bool value_time_range(const char *text, struct time_range *range);

#endif /* _FILTER_VALUE_H_ */
