/* SPDX-License-Identifier: GPL-2.0 */
/*
 * load: the BPF programs: loading, hooking, their maps.
 */
#ifndef KTRACE_BPF_LOAD_H
#define KTRACE_BPF_LOAD_H

#include "event.h"
#include "shim.h"

/* Loads the programs; nothing is hooked yet.  Returns 0, or an errno: said why. */
int load_open(void);

/*
 * Hooks what @points need, in addition to what is hooked already.  Returns 0, or an
 * errno: said why.  What this kernel does not let one hook is said once, and left out.
 */
int load_hook(u32 points);

/* Takes all hooks away: nothing is traced. */
void load_unhook(void);

/* A descriptor to poll. */
int load_fd(void);

/* Hands on what has come: to merge_raw(). */
void load_consume(void);

/* The map of traced processes.  Each returns 0, or an errno (ENOENT: it is not there). */
int load_get(u32 tgid, struct ktrace_bpf_proc *proc);
int load_put(u32 tgid, u32 points, u32 session);
int load_delete(u32 tgid);

/* Calls @each for every process in the map. */
void load_each(void (*each)(u32 tgid, const struct ktrace_bpf_proc *proc, void *data), void *data);

/*
 * Events that were lost, and no process's count tells: of programs that were called while they ran
 * already.  Since the last time.
 */
u64 load_missed(void);

#endif /* KTRACE_BPF_LOAD_H */
