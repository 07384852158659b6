/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The texts of KTR_STATE, KTR_COUNTER, KTR_POINT, KTR_START and KTR_STOP, as
 * FreeBSD's schedgraph reads them:
 *
 *	KTRGRAPH group:"thread", id:"sh tid 12", state:"running", attributes: prio:120
 */
#ifndef _KTRDUMP_GRAPH_H_
#define _KTRDUMP_GRAPH_H_

#include <stdbool.h>

#include "stream.h"

enum graph_type {
	GRAPH_STATE,
	GRAPH_COUNTER,
	GRAPH_POINT,
	GRAPH_START,
	GRAPH_STOP,
};

struct graph_text {
	enum graph_type type;
	struct bytes group;
	struct bytes id;
	struct bytes value;
	struct bytes attributes;
};

/* graph_parse - false when @len bytes at @text are no such text; parts of it are in @graph else */
bool graph_parse(const char *text, size_t len, struct graph_text *graph);

#endif /* _KTRDUMP_GRAPH_H_ */
