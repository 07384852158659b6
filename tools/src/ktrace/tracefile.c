// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The trace file before tracing begins: made anew, or found fit to append to.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "reader/ktrace_reader.h"
#include "tracefile.h"

static const char *kind(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "a directory";
	case S_IFIFO:
		return "a FIFO";
	case S_IFSOCK:
		return "a socket";
	case S_IFBLK:
	case S_IFCHR:
		return "a device";
	case S_IFLNK:
		return "a symbolic link";
	}
	return "no regular file";
}

/* The trace tells what the program read and wrote: it is for its owner alone. */
static int open_new(const char *name)
{
	mode_t old = umask(077);
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int error = errno;

	umask(old);
	errno = error;
	return fd;
}

static void set_name(struct tracefile *tf, const char *name)
{
	memset(tf, 0, sizeof(*tf));
	tf->name = name;
	if (!*name)
		die("-f: the trace file needs a name");
}

/* Puts the old file aside; false when that cannot be, and it is still there. */
static bool put_aside(struct tracefile *tf)
{
	int n = snprintf(tf->backup, sizeof(tf->backup), "%s.%ld~", tf->name, (long)getpid());

	if (n < 0 || (size_t)n >= sizeof(tf->backup))
		return false;
	return !renameat2(AT_FDCWD, tf->name, AT_FDCWD, tf->backup, RENAME_NOREPLACE);
}

void tracefile_create(struct tracefile *tf, const char *name, bool undoable)
{
	struct stat st;
	int fd;

	set_name(tf, name);
	if (!lstat(name, &st)) {
		if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
			die("%s: is %s, and not replaced by a trace file; name another with -f",
			    name, kind(st.st_mode));
		if (undoable)
			tf->replaced = put_aside(tf);
		if (!tf->replaced && unlink(name))
			die("%s: cannot be replaced by a new trace file: %s", name,
			    strerror(errno));
	} else if (errno != ENOENT) {
		die("%s: %s", name, strerror(errno));
	}

	fd = open_new(name);
	if (fd < 0) {
		int error = errno;

		tracefile_undo(tf);
		die("%s: cannot be made: %s", name, strerror(error));
	}
	tf->made = true;
	close(fd);
}

/* Behind something else nobody would find the records: look at what the file begins with. */
static void check_trace(const char *name)
{
	int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct ktrace_reader *reader;
	struct ktrace_record record;
	int n;

	if (fd < 0)
		return; /* one may append to what one may not read */
	reader = ktrace_reader_new(fd, NULL, NULL);
	if (!reader)
		die("%s: %s", name, strerror(ENOMEM));
	n = ktrace_reader_next(reader, &record);
	if (n < 0)
		die("%s: is no trace file to append to (%s); name another with -f", name,
		    ktrace_reader_error(reader));
	if (n && !record.type)
		die("%s: is no trace file to append to (its first record has type 0); name another with -f",
		    name);
	if (n && record.layout != KTRACE_LAYOUT_LP64)
		die("%s: has the records of a 32-bit FreeBSD, nothing is appended to them; name another with -f",
		    name);
	ktrace_reader_free(reader);
	close(fd);
}

void tracefile_append(struct tracefile *tf, const char *name)
{
	struct stat st;
	int fd;

	set_name(tf, name);
	fd = open_new(name);
	if (fd >= 0) {
		tf->made = true;
		close(fd);
		return;
	}
	if (errno != EEXIST)
		die("%s: cannot be made: %s", name, strerror(errno));
	/* Opened only when it is a regular file: to open a device may do something. */
	if (lstat(name, &st))
		die("%s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		die("%s: is %s, and no trace file to append to; name another with -f", name,
		    kind(st.st_mode));
	if (st.st_uid != geteuid())
		die("%s: is not yours: nothing is appended to it; name another with -f", name);
	if (faccessat(AT_FDCWD, name, W_OK, AT_EACCESS))
		die("%s: cannot be appended to: %s", name, strerror(errno));
	check_trace(name);
}

void tracefile_done(struct tracefile *tf)
{
	if (tf->replaced)
		unlink(tf->backup);
}

void tracefile_undo(struct tracefile *tf)
{
	if (tf->made)
		unlink(tf->name);
	if (tf->replaced)
		renameat2(AT_FDCWD, tf->backup, AT_FDCWD, tf->name, RENAME_NOREPLACE);
}
