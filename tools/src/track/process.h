/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Processes and threads of a trace: what track.c remembers of them.
 */
#ifndef _TRACK_PROCESS_H_
#define _TRACK_PROCESS_H_

#include <stdbool.h>
#include <stdint.h>

#include "decode/cache.h"
#include "ktrace_format.h"
#include "track/calls.h"
#include "track/files.h"

/* How did it end? */
enum process_state {
	PROCESS_RUNS, /* not in the trace */
	PROCESS_EXITED, /* @status: what it said */
	PROCESS_KILLED, /* @status: the signal, by its number in the file */
	PROCESS_GONE, /* in a way that is not in the trace */
};

struct process_end {
	enum process_state state;
	int status;
	uint32_t flags; /* the ABI: sv_flags */
};

struct process {
	struct process *next; /* of those that are kept, in the order of their begin */
	uint64_t id; /* no two processes have the same: a pid may be used again */
	uint64_t parent; /* its id; 0: not in the trace */
	uint64_t first; /* the number of its first record, counted from the trace's begin */
	int32_t pid;
	bool kept;
	bool seen; /* there are records of its own */
	bool ended; /* no record is of it any more */
	bool forked; /* it began in the trace, by a call of @parent */
	enum process_state state;
	int status;
	bool final; /* no other thread's exit(2) can change it */
	int64_t killed; /* PROCESS_KILLED: the thread that took the signal */
	uint32_t flags; /* its ABI: sv_flags */
	int64_t begin, end; /* times of the first and last record of it */
	unsigned int threads; /* that were seen, in all */
	char comm[KTRACE_COMM_LEN];
	char *path; /* of the program that it executed, or NULL */
	char *args; /* of that; strings with a NUL each, @args_len bytes; or NULL */
	size_t args_len;
	bool args_cut; /* there are more */
	struct files *files;
	struct file *cwd; /* NULL: not known */
};

struct thread {
	struct cache_entry entry;
	uint64_t process; /* its id; differs: all else is stale */
	const struct call_rule *rule; /* of the call that it is in */
	/* What records said since that call's begin: */
	struct file *path; /* the first one that was looked up */
	char *address;
	bool has_flags;
	uint64_t flags; /* of clone3 or openat2 */
	struct file *closing; /* what close(2) had before it */
	struct files *files; /* its own; NULL: those of the process */
};

/* processes_reset - forget all of them, and their threads */
void processes_reset(void);

/* processes_keep - remember them after their end */
void processes_keep(void);

/* processes_first - of those that are kept */
struct process *processes_first(void);

/* processes_skipped - how many were not kept, because there are so many */
uint64_t processes_skipped(void);

/* process_find - the process that has this pid now, or had it last and is kept; or NULL */
struct process *process_find(int32_t pid);

/* process_new - one that has this pid from now on */
struct process *process_new(int32_t pid);

/* process_end - no record is of it any more; frees it, unless it is kept */
void process_end(struct process *process);

/* thread_get - a thread of the process */
struct thread *thread_get(struct process *process, int64_t tid);

/* thread_forget_call - what was remembered of the call that it was in */
void thread_forget_call(struct thread *thread);

/* thread_files - the table of descriptors that it uses */
static inline struct files *thread_files(const struct process *process, const struct thread *thread)
{
	return thread->files ? thread->files : process->files;
}

#endif /* _TRACK_PROCESS_H_ */
