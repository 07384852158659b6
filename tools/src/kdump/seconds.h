/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KDUMP_SECONDS_H_
#define _KDUMP_SECONDS_H_

#include <stdbool.h>
#include <stdint.h>

/* Of the longest text, NUL included: -9223372036.854775808 */
#define SECONDS_SIZE 32

/*
 * seconds_text - a time as 12.000345, or 12.000345678
 * @nanoseconds: in their precision, else in microseconds, rounded towards 0
 */
void seconds_text(char text[SECONDS_SIZE], int64_t ns, bool nanoseconds);

#endif /* _KDUMP_SECONDS_H_ */
