/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The command that is traced. */
#ifndef _KTRUSS_COMMAND_H_
#define _KTRUSS_COMMAND_H_

#include <limits.h>
#include <stdbool.h>

#include "source.h"

/* command_check - is there such a program?  Else says so, and ends ktruss as a shell would (127, 126) */
void command_check(const char *name, char program[PATH_MAX]);

/* command_start - execute it, traced by @source; failure is reported, ends the trace and the program */
void command_start(const struct source *source, const char *program, char **argv);

/* command_pid - its process; 0: there is no command */
int command_pid(void);

/* command_has_ended - has it?  Its status is kept. */
bool command_has_ended(void);

/* command_exit - end as it did, which has ended: with its status, or by its signal */
_Noreturn void command_exit(void);

/* exit_by_signal - end by a signal, without a core */
_Noreturn void exit_by_signal(int signo);

#endif /* _KTRUSS_COMMAND_H_ */
