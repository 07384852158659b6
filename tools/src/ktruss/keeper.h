/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A process that ends the trace when ktruss cannot: because it was killed, or
 * because nobody takes its output and too much waits.
 */
#ifndef _KTRUSS_KEEPER_H_
#define _KTRUSS_KEEPER_H_

#include <stdbool.h>

#include "spool.h"

/*
 * keeper_begin - for traces into @spool
 *
 * @end ends them, in the keeper, where but the @count descriptors @fds all are
 * closed.  Returns false and errno.
 */
bool keeper_begin(const struct spool *spool, void (*end)(void), const int *fds, int count);

/* keeper_end - tracing has ended; the spool loses its name; says if that was because too much waited */
void keeper_end(void);

#endif /* _KTRUSS_KEEPER_H_ */
