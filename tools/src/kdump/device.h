/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What kdump asks of /dev/ktrace. */
#ifndef _KDUMP_DEVICE_H_
#define _KDUMP_DEVICE_H_

#include <stdbool.h>

/* Have all that was recorded so far written to the file, if somebody traces to it. */
void device_flush(int fd);

/*
 * Say on stderr if the trace in the file is cut short because writing to it
 * failed: nothing in the file could.
 */
void device_warn(int fd, const char *name);

/*
 * How many sessions of the caller's write to the file now, and how many
 * processes do they trace?  Returns false when there is nobody to ask.
 */
bool device_tracing(int fd, unsigned long long *sessions, unsigned long long *processes);

/* --stats: print the counters of the sessions that write to the file. */
void device_stats(int fd, const char *name);

#endif /* _KDUMP_DEVICE_H_ */
