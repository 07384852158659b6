/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KDUMP_OPTIONS_H_
#define _KDUMP_OPTIONS_H_

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "summary.h"
#include "view.h"

/* Bytes of data in the line of a call, unless it was asked for more */
#define TRUSS_DATA 32

/* What the command line asks for; constant after options_parse(). */
struct options {
	const struct view *view;
	const char *file; /* -f */
	enum summary_sort sort; /* --sort: of --summary */
	bool stats; /* --stats */

	/* Which records */
	int pid; /* -p: of a process or thread; 0: all */
	bool all_points; /* no -t */
	uint32_t points; /* -t: KTRFAC_* */
	bool follow; /* -l */
	bool until_exit; /* --until-exit */

	/* The columns of a line */
	bool tid; /* -H */
	bool absolute; /* -T */
	bool elapsed; /* -E */
	bool relative; /* -R */
	bool cpu; /* -c */
	bool abi; /* -A */
	bool duration; /* --duration: at the end of RET */

	bool colour; /* --color, of text */

	/* Lines of calls */
	bool alone; /* without the process, as long as there is one thread */
	bool quiet; /* without the ends of processes */

	/* How payloads are shown */
	bool decimal; /* -d */
	bool plain; /* -n */
	bool numbers; /* -S */
	bool resolve; /* -r */
	bool fds; /* --fds: what is behind descriptors */
	bool no_data; /* -s */
	long max_data; /* -m; 0: all */
	unsigned int width; /* of the terminal, for data */
};

extern struct options options;

/* options_parse - fills options, or prints what is wrong and exits */
void options_parse(int argc, char **argv);

/* Is this type of record to be shown? */
bool options_wants(unsigned int type);

#endif /* _KDUMP_OPTIONS_H_ */
