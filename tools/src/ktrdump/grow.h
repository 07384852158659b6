/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KTRDUMP_GROW_H_
#define _KTRDUMP_GROW_H_

#include <stddef.h>

/*
 * grow - room for one more element, in an array that this function alone makes longer
 * @p: NULL for an empty one
 * @count: its elements; there is room for the next power of two of them
 *
 * Returns where the array is now.
 */
void *grow(void *p, size_t count, size_t size);

#endif /* _KTRDUMP_GROW_H_ */
