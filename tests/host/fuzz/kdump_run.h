/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * One run of kdump, and what must be true of it, whatever it was given.
 *
 * In the environment, FUZZ_CHECK says what the output must be: text, json or
 * json-lines; with FUZZ_TWICE everything is run twice.
 */
#ifndef _FUZZ_KDUMP_RUN_H_
#define _FUZZ_KDUMP_RUN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kdump_input {
	const uint8_t *file; /* standard input */
	size_t len;
	size_t chunk; /* the most that a read(2) returns */
	unsigned int width; /* of the terminal that stderr is */
	bool may_refuse; /* the arguments may be wrong */
};

/* kdump_setting - a variable of the environment, or "" */
const char *kdump_setting(const char *name);

/* kdump_run - run it; what is wrong ends the program */
void kdump_run(int argc, char **argv, const struct kdump_input *input);

/* kdump_problem - say what is wrong, and where: in @text */
void kdump_problem(const char *what, const char *text, size_t len) __attribute__((noreturn));

#endif /* _FUZZ_KDUMP_RUN_H_ */
