/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Descriptors of a process, and the open files behind them.
 *
 * Descriptors that were duplicated or inherited have one file: what connect(2)
 * does through one of them is seen through all.
 *
 * What is not known is NULL, here and there: a table that there is no memory
 * for, a file, a name.  All functions take that.
 */
#ifndef _TRACK_FILES_H_
#define _TRACK_FILES_H_

#include <stdbool.h>
#include <stddef.h>

/* An open file. */
struct file {
	unsigned int refs;
	bool is_path; /* @name is one */
	bool assumed; /* it is a guess that this is behind the descriptor */
	char *name; /* a path, as far as it is known; TCP, eventfd, ...; NULL: open, but not known */
	char *local; /* addresses of a socket, or NULL */
	char *peer;
};

/*
 * file_new - an open file; the caller has a reference
 * @name: NULL: not known, as if there is no memory
 */
struct file *file_new(const char *name, size_t len);
struct file *file_get(struct file *file);
void file_put(struct file *file);

/* file_out - what it is: /etc/passwd, TCP 127.0.0.1:80->127.0.0.1:5000; escaped */
void file_out(const struct file *file);

/* file_set_address - of a socket; @text NULL: it has none */
void file_set_address(struct file *file, bool peer, const char *text);

/* A table of descriptors: processes and threads that share one have a reference each. */
struct files;

/* files_new - of a process of which nothing is known */
struct files *files_new(void);
struct files *files_get(struct files *files);
void files_put(struct files *files);
/* files_copy - the same files, in another table */
struct files *files_copy(const struct files *files);
/* files_shared - has anybody else a reference? */
bool files_shared(const struct files *files);

/* files_find - what is behind a descriptor; the reference remains the table's */
struct file *files_find(const struct files *files, int fd);

/*
 * files_set - @file is behind it from now on; takes a reference of its own
 *
 * NULL: it is free.
 */
void files_set(struct files *files, int fd, struct file *file, bool cloexec);

/* files_set_cloexec - for descriptors from @first to @last */
void files_set_cloexec(struct files *files, int first, int last, bool cloexec);

/* files_close - all from @first to @last; or of them only those with close-on-exec */
void files_close(struct files *files, int first, int last, bool cloexec_only);

/*
 * files_add_missing - files that another table has, at descriptors of which nothing is
 * known here
 */
void files_add_missing(struct files *files, const struct files *other);

/*
 * files_lowest - the lowest descriptor from @from on that is not known to be
 * open; the one that the kernel takes for the next file, if all are known.
 */
int files_lowest(struct files *files, int from);

/* files_opened_below - the kernel gave out @fd: those below, of which nothing is known, are open */
void files_opened_below(struct files *files, int fd);

#endif /* _TRACK_FILES_H_ */
