/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Where the records come from: who has them put into the spool.  One source is used in a
 * run; all functions are called in ktruss itself, but trace() also in a child.
 */
#ifndef _KTRUSS_SOURCE_H_
#define _KTRUSS_SOURCE_H_

struct spool;

struct source {
	const char *gone; /* said of a process that goes on when its trace has ended */
	struct spool *spool; /* made by begin() */

	/*
	 * begin - be ready to trace @points (KTRFAC_*), by what is open as @device
	 *
	 * Failure is reported, and ends the program.
	 */
	void (*begin)(int device, int points);

	/*
	 * trace - trace a process; returns 0 or an errno
	 *
	 * A child may ask it for itself, while ktruss waits for that.
	 */
	int (*trace)(int pid);

	/* left - how many processes are traced; -1: not known */
	long (*left)(void);

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
