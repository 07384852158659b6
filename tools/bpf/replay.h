/* SPDX-License-Identifier: GPL-2.0 */
/*
 * replay: runs the module's probes on events, in the order of their time.
 */
#ifndef KTRACE_BPF_REPLAY_H
#define KTRACE_BPF_REPLAY_H

#include "event.h"
#include "records.h"

/* What the recorder itself does to a process, as events among the others. */
enum replay_type {
	REPLAY_SET = 64, /* it is traced, from now on, to head.session, for head.points */
	REPLAY_CLEAR, /* it is not, and lives on */
	REPLAY_GONE, /* it has died, and nobody told */
};

/*
 * Runs the probe that an event was for.  @chunks: memory captured for it.
 * @adopt: is a process that is not known traced all the same? (its fork's event was lost)
 */
void replay_event(const struct ktrace_bpf_head *event, const struct chunk *chunks,
		  bool (*adopt)(u32 tgid));

/* Processes that are traced, as far as events have told. */
u32 replay_processes(void);

/* Something was lost that may have been any process's. */
void replay_lost(void);

/* Finds out where symbols are, when context switches are traced.  Returns 0, or an errno. */
int replay_prepare_switches(void);

#endif /* KTRACE_BPF_REPLAY_H */
