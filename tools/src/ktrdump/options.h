/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KTRDUMP_OPTIONS_H_
#define _KTRDUMP_OPTIONS_H_

#include <stdbool.h>

/* What the command line asks for; constant after options_parse(). */
struct options {
	/* Where events come from; neither: /dev/ktr */
	const char *file; /* -i */
	const char *core; /* -M */
	bool follow; /* -l */

	/* What becomes of them; neither: text */
	const char *schedgraph;
	const char *perfetto;
	const char *output; /* -o: of text */

	/* Text */
	bool cpu; /* -c */
	bool place; /* -f: file and line */
	bool quiet; /* -q: no heading */
	bool relative; /* -r: timestamps */
	bool time; /* -t */
	bool thread; /* -H */
};

extern struct options options;

/* options_parse - fills options, or prints what is wrong and exits */
void options_parse(int argc, char **argv);

#endif /* _KTRDUMP_OPTIONS_H_ */
