/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktrace-bpf, the recorder that takes the module's place (ktrace --bpf).
 */
#ifndef _KTRACE_RECORDER_H_
#define _KTRACE_RECORDER_H_

#include <stdbool.h>
#include <stdint.h>

/*
 * Opens what records: the module; or with *@bpf, and for root where there is no module, the
 * recorder, which is said.  With @start it is started where none runs.  Returns a descriptor
 * and in *@bpf what it is of, or -1: no recorder runs that was asked for.  What is wrong is
 * reported, and ends the program.
 */
int recorder_or_device(bool *bpf, bool start);

/* Connects once more to the recorder that runs.  Returns a descriptor or -1. */
int recorder_connect(void);

/* As ktrace(2): 0, or -1 and errno. */
int recorder_op(int fd, const char *file, int ops, int points, int pid);

/*
 * The same, of a file that is open for appending, or -1 where none is needed; ECONNRESET
 * when the recorder has ended.
 */
int recorder_try(int fd, int file, int ops, int points, int pid);

/*
 * How is the file that @fd has set: how many processes are traced to it (those that are not
 * any more have all their records in it), and how many events were lost?  Returns as
 * recorder_try().
 */
int recorder_state(int fd, uint32_t *processes, uint64_t *lost);

/* Says of a file how many events were lost, if any was. */
void recorder_warn(const char *file, uint64_t lost);

/*
 * Runs @program with the arguments @argv, traced as above, and waits for it.  Returns its
 * exit status, or ends this process by the signal that killed it.  *@error: why it could not be traced (-1), or not be executed
 * (127): then nothing is traced.
 */
int recorder_run(int fd, const char *file, int ops, int points, const char *program, char **argv,
		 int *error);

#endif /* _KTRACE_RECORDER_H_ */
