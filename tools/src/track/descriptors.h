/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What system calls do to descriptors and the current directory.
 */
#ifndef _TRACK_DESCRIPTORS_H_
#define _TRACK_DESCRIPTORS_H_

#include "decode/event.h"
#include "track/process.h"

/* descriptors_call - a call begins; thread->rule is about it */
void descriptors_call(struct process *process, struct thread *thread, const struct event *event);

/*
 * descriptors_return - it ended
 *
 * Returns true when the result is a descriptor.
 */
bool descriptors_return(struct process *process, struct thread *thread, const struct event *event,
			const struct ktrace_record_sysret *ret);

/* descriptors_program - what a call executes; the caller's */
struct file *descriptors_program(struct process *process, struct thread *thread,
				 const struct event *event);

/* descriptors_exec - a program was executed */
void descriptors_exec(struct process *process, struct thread *thread);

#endif /* _TRACK_DESCRIPTORS_H_ */
