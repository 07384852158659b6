/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Pictures of a stream, on standard output (out.h). */
#ifndef _KTRDUMP_PICTURES_H_
#define _KTRDUMP_PICTURES_H_

#include "stream.h"

/* schedgraph_write - --schedgraph: a page for a browser */
void schedgraph_write(const struct stream *stream);

/* perfetto_write - --perfetto: trace events */
void perfetto_write(const struct stream *stream);

#endif /* _KTRDUMP_PICTURES_H_ */
