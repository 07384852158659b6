/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The recorder in the memory of a machine, by its anchor (ktr_format.h). */
#ifndef _KTRDUMP_ANCHOR_H_
#define _KTRDUMP_ANCHOR_H_

#include "image.h"
#include "ktr_format.h"

/*
 * anchor_next - the next thing in memory that looks like an anchor
 * @phys: where to begin, 0 at first; moved on behind it
 *
 * Its numbers are possible ones, and nothing that it names is larger than the
 * image.  Returns false after the last one.
 */
bool anchor_next(const struct image *image, uint64_t *phys, struct ktr_anchor *anchor);

#endif /* _KTRDUMP_ANCHOR_H_ */
