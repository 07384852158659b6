/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the processes of a trace are and have, at each record of it: who is
 * whose child, which program it runs, what is behind its descriptors.
 *
 * It is put together from what calls were asked and returned, so what was done
 * before the trace is not known.  What is remembered is bounded, whatever the
 * file says.
 */
#ifndef _TRACK_TRACK_H_
#define _TRACK_TRACK_H_

#include "decode/event.h"
#include "track/process.h"

/*
 * track_reset - forget all records: the next one is the first of a file
 * @keep: processes are remembered after their end, for processes_first()
 * @files: descriptors are followed, and what programs are executed; else nothing is known of them
 */
void track_reset(bool keep, bool files);

/* track_event - take a record into account: each one, after event_track() and in its order */
void track_event(const struct event *event);

/* track_end - the last record is a PROCDTOR: how its process ended */
const struct process_end *track_end(void);

/* track_process - the process of the last record */
const struct process *track_process(void);

/* track_file - what is behind a descriptor of the last record's thread; NULL: not known */
const struct file *track_file(int fd);

/* track_cwd - the current directory of its process; NULL: not known */
const struct file *track_cwd(void);

/*
 * track_result - the last record is the RET of a call whose result is a descriptor: what
 * is behind it; or NULL
 */
const struct file *track_result(void);

#endif /* _TRACK_TRACK_H_ */
