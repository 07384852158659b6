/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * One run of a tool, and what must be true of it, whatever it was given.
 *
 * In the environment, FUZZ_CHECK says what the output must be: text, json or
 * json-lines; with FUZZ_TWICE everything is run twice.
 */
#ifndef _FUZZ_TOOL_RUN_H_
#define _FUZZ_TOOL_RUN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What differs between tools. */
struct tool {
	const char *name;
	const char *const *
		notices; /* how what is said when all is well may begin, behind "NAME: "; to NULL */
	unsigned int max_lines; /* on stderr */
	void (*begin)(void); /* before a run: nothing is left of another one */
	void (*end)(void); /* after it, however it has ended */
	void (*check)(const char *said, size_t len); /* what else must be true of a run, or NULL */
};

/* The program's tool. */
extern const struct tool tool;

/* Is main() running? For functions that take the place of others. */
extern bool tool_runs;

/* tool_setting - a variable of the environment, or "" */
const char *tool_setting(const char *name);

/* tool_add_options - those of FUZZ_OPTIONS, separated by spaces, and a NULL behind them; returns the new number of @argv */
int tool_add_options(char **argv, int argc, int max);

/* tool_run - run it on a file of @len bytes; what is wrong ends the program */
void tool_run(int argc, char **argv, size_t len);

/* tool_problem - say what is wrong, and where: in @text */
void tool_problem(const char *what, const char *text, size_t len) __attribute__((noreturn));

#endif /* _FUZZ_TOOL_RUN_H_ */
