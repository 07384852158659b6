/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Where the records come from.  One source is used in a run; all functions but
 * trace_self() are called in ktruss itself.
 */
#ifndef _KTRUSS_SOURCE_H_
#define _KTRUSS_SOURCE_H_

#include <stdbool.h>
#include <stdint.h>

struct source {
	const char *gone; /* said of a process that goes on when its trace has ended */

	/*
	 * begin - be ready to trace @points (KTRFAC_*), by what is open as @device
	 *
	 * Returns a descriptor to read records from, in the form of a trace
	 * file.  Its end means that there are no more now.  Failure is
	 * reported, and ends the program.
	 */
	int (*begin)(int device, int points);

	/* trace_self - trace the calling process, a child of ktruss; returns 0 or an errno */
	int (*trace_self)(void);

	/* trace - trace a process; returns 0 or an errno */
	int (*trace)(int pid);

	/* left - how many processes are traced; -1: not known */
	long (*left)(void);

	/* wakeup - a descriptor that can be read from when there may be more records; -1: look often */
	int (*wakeup)(void);

	/* woken - what made it readable has been seen */
	void (*woken)(void);

	/*
	 * behind - how many bytes wait to be read
	 *
	 * What has been read needs no memory any more.
	 */
	uint64_t (*behind)(void);

	/* limit - of these bytes: when more wait the trace ends by itself */
	uint64_t (*limit)(void);

	/* end - trace nothing any more; all that was recorded can be read */
	void (*end)(void);

	/* close - nothing is left; says what was lost, if something was */
	void (*close)(void);
};

/* module.c: the kernel module, for everybody */
extern const struct source module_source;

/* bpf.c: the recorder with BPF, for root */
extern const struct source bpf_source;

#endif /* _KTRUSS_SOURCE_H_ */
