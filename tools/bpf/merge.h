/* SPDX-License-Identifier: GPL-2.0 */
/*
 * merge: events in the order of their time.
 *
 * They come in the order in which they found room, which is each thread's own order
 * and nearly that of time.  So they are held back for a while, and sorted; a thread's
 * own order stays whatever their stamps say.
 */
#ifndef KTRACE_BPF_MERGE_H
#define KTRACE_BPF_MERGE_H

#include <stddef.h>

#include "event.h"
#include "shim.h"

/* What comes from the ring buffer: an event, or a chunk. */
void merge_raw(const void *data, size_t size);

/* An event of the recorder's own: head only. */
void merge_own(const struct ktrace_bpf_head *head);

/* Replays what is stamped up to @until. @adopt: see replay_event(). */
void merge_release(u64 until, bool (*adopt)(u32 tgid));

/* Events that are held back. */
size_t merge_held(void);

#endif /* KTRACE_BPF_MERGE_H */
