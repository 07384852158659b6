/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KTRUSS_OPTIONS_H_
#define _KTRUSS_OPTIONS_H_

#include <stdbool.h>

#define TARGETS_MAX 64

/* What the command line asks for, besides what the views want (kdump/options.h). */
struct request {
	int points; /* KTRFAC_* */
	int targets; /* -p, how many */
	int pids[TARGETS_MAX];
	bool quiet; /* -q */
	bool bpf; /* --bpf */
	const char *file; /* -o; NULL: standard error */
	int output; /* its descriptor */
	char **command; /* NULL: none */
};

extern struct request request;

/* request_parse - fills request and options, or prints what is wrong and exits */
void request_parse(int argc, char **argv);

#endif /* _KTRUSS_OPTIONS_H_ */
