/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktrace-bpf, the recorder that takes the module's place (ktrace --bpf).
 */
#ifndef _KTRACE_RECORDER_H_
#define _KTRACE_RECORDER_H_

#include <stdbool.h>

/* Is it installed beside this program? */
bool recorder_there(void);

/*
 * Connects to the recorder; with @start it is started where none runs.  Returns a
 * descriptor, or -1: none runs.  What is wrong is reported, and ends the program.
 */
int recorder_open(bool start);

/* As ktrace(2): 0, or -1 and errno. */
int recorder_op(int fd, const char *file, int ops, int points, int pid);

/*
 * Runs @program with the arguments @argv, traced as above, and waits for it.  Returns its
 * exit status, or ends this process by the signal that killed it.  *@error: why it could not be traced (-1), or not be executed
 * (127): then nothing is traced.
 */
int recorder_run(int fd, const char *file, int ops, int points, const char *program, char **argv,
		 int *error);

#endif /* _KTRACE_RECORDER_H_ */
