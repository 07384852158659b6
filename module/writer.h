/* SPDX-License-Identifier: GPL-2.0 */
/*
 * writer: the thread that moves a session's records from its rings to its file.
 *
 * It sleeps without a timer while nothing is pending, gathers for a nap
 * (WRITER_NAP) when something is, and runs at once when a ring fills or
 * somebody waits.
 */
#ifndef KTRACE_WRITER_H
#define KTRACE_WRITER_H

struct ktrace_session;
struct work_struct;
struct workqueue_struct;

int ktrace_writer_start(struct ktrace_session *s);
void ktrace_writer_end(struct ktrace_session *s, struct workqueue_struct *reaper);
void ktrace_writer_reap(struct work_struct *work);

#endif /* KTRACE_WRITER_H */
