/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A process that ends the trace when ktruss cannot: because it was killed, or
 * because nobody takes its output and too much waits.
 */
#ifndef _KTRUSS_KEEPER_H_
#define _KTRUSS_KEEPER_H_

#include <stdbool.h>

#include "spool.h"

/* keeper_begin - for traces into @spool, by /dev/ktrace, open as @device; returns false and errno */
bool keeper_begin(const struct spool *spool, int device);

/* keeper_has_ended_it - did too much wait? */
bool keeper_has_ended_it(void);

/* keeper_end - tracing has ended; the spool loses its name */
void keeper_end(void);

#endif /* _KTRUSS_KEEPER_H_ */
