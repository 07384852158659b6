/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KTRDUMP_CORE_H_
#define _KTRDUMP_CORE_H_

#include "input.h"

/*
 * core_read - the recorder in the memory that the file @path has, as a stream
 *
 * Any failure ends the program, with a message.
 */
void core_read(struct input *input, const char *path);

#endif /* _KTRDUMP_CORE_H_ */
