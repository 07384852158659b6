/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reading records as they come: waiting for them, signals, and the end. */
#ifndef _KTRUSS_LIVE_H_
#define _KTRUSS_LIVE_H_

#include <stdbool.h>

#include "reader/ktrace_reader.h"
#include "source.h"

/* live_begin - take over signals; @output: where the text goes */
void live_begin(int output);

/* live_restore_signals - in a child: as they were before live_begin() */
void live_restore_signals(void);

/* live_hook - for ktrace_reader_new(); @arg is the source */
bool live_hook(void *arg, enum ktrace_reader_event event);

/* live_skips - is so much waiting that records are left out? */
bool live_skips(void);

/* live_signal - the signal that asked for the end; 0: none did */
int live_signal(void);

/* live_wait - for the command to end, which is not traced any more, or for a signal */
void live_wait_for_command(void);

#endif /* _KTRUSS_LIVE_H_ */
