/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Who is whose child.
 *
 * The result of fork(2) says it, but comes late: a child of vfork(2) may have
 * ended by then.  So a process that begins is taken for the child of a process
 * of its name that is in such a call, if there is just one; the result has the
 * last word.
 */
#ifndef _TRACK_FORK_H_
#define _TRACK_FORK_H_

#include "decode/event.h"
#include "track/process.h"

/* fork_reset - forget all calls in progress */
void fork_reset(void);

/* fork_begin - CALL of fork and its like */
void fork_begin(const struct process *process, const struct thread *thread,
		const struct event *event);

/* fork_child - the first record of a process: find its parent */
void fork_child(struct process *child, const struct event *event);

/* fork_end - RET; @pid: the child; 0 when there is none */
void fork_end(struct process *process, struct thread *thread, const struct event *event,
	      int32_t pid);

/* fork_is_childs_return - fork(2) and its like return in the child, too, which did not call them: is it such a RET? */
bool fork_is_childs_return(const struct event *event);

#endif /* _TRACK_FORK_H_ */
