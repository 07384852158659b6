/* SPDX-License-Identifier: GPL-2.0 */
/* ringmem: a ring's memory, mapped twice in a row. */
#ifndef KTRACE_RINGMEM_H
#define KTRACE_RINGMEM_H

#include "ring.h"

struct ktrace_ring *ktrace_ringmem_alloc(u32 size, u32 cpu);
void ktrace_ringmem_free(struct ktrace_ring *ring);

#endif /* KTRACE_RINGMEM_H */
