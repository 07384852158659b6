/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The trace file before tracing begins: made anew, or found fit to append to.
 */
#ifndef _KTRACE_TRACEFILE_H_
#define _KTRACE_TRACEFILE_H_

#include <limits.h>
#include <stdbool.h>

struct tracefile {
	const char *name;
	bool made; /* by us: undo removes it */
	bool replaced; /* backup has the old one */
	char backup[PATH_MAX];
};

/*
 * Makes a new file: a regular file or symbolic link of that name is removed.
 * With @undoable it is put aside until tracefile_done() or tracefile_undo().
 * Failure is reported, leaves things as they were, and ends the program.
 */
void tracefile_create(struct tracefile *tf, const char *name, bool undoable);

/* Finds or makes a file of the caller's to append to; else as above. */
void tracefile_append(struct tracefile *tf, const char *name);

/* Tracing to it has begun. */
void tracefile_done(struct tracefile *tf);

/* Tracing to it has not begun. */
void tracefile_undo(struct tracefile *tf);

#endif /* _KTRACE_TRACEFILE_H_ */
