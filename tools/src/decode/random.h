/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Numbers for hash functions.  Keys come from files: whoever makes one must not
 * be able to choose them so that they all fall into one place.
 */
#ifndef _DECODE_RANDOM_H_
#define _DECODE_RANDOM_H_

#include <stddef.h>
#include <stdint.h>

/*
 * random_fill - @count words that differ from run to run; a kernel that has none yet is
 * not waited for
 */
void random_fill(uint64_t *words, size_t count);

#endif /* _DECODE_RANDOM_H_ */
