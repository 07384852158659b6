/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One run of kdump: see tool_run.h. */
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

/* kdump_run - run it; what is wrong ends the program */
void kdump_run(int argc, char **argv, const struct kdump_input *input);

#endif /* _FUZZ_KDUMP_RUN_H_ */
