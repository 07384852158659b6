/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * -l: at its end, wait for the file to grow, until interrupted; --until-exit:
 * until the traced processes have ended.
 */
#ifndef _KDUMP_FOLLOW_H_
#define _KDUMP_FOLLOW_H_

#include "reader/ktrace_reader.h"

/* follow_wait_for - wait until the file can be opened; @name: as the user gave it */
void follow_wait_for(const char *name);

/*
 * follow_begin - take over SIGINT and SIGTERM, for the file @fd, which is open as long as
 * it is read
 */
void follow_begin(int fd);

/* follow_hook - for ktrace_reader_new(); @arg is not used */
bool follow_hook(void *arg, enum ktrace_reader_event event);

/* follow_track - look at a record: it may begin or end a process */
void follow_track(const struct ktrace_record *record);

#endif /* _KDUMP_FOLLOW_H_ */
