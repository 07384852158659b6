/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * System calls that change what is remembered of a process, by name: most of
 * them are the same for all ABIs.
 */
#ifndef _TRACK_CALLS_H_
#define _TRACK_CALLS_H_

#include <stdbool.h>
#include <stdint.h>

enum call_effect {
	/* A file whose descriptor is the result */
	EFFECT_NEW, /* what it is stands in the table */
	EFFECT_NEW_COMMAND, /* ... with some commands only */
	EFFECT_OPEN, /* a path */
	EFFECT_OPENAT2,
	EFFECT_PIDFD,
	EFFECT_SIGNALFD,
	EFFECT_SOCKET,
	EFFECT_ACCEPT,
	EFFECT_DUP,
	EFFECT_DUP2,
	/* Two, in memory that is not in the trace */
	EFFECT_PIPE,
	EFFECT_OLD_PIPE, /* the first one is the result */
	EFFECT_SOCKETPAIR,

	EFFECT_BIND,
	EFFECT_CONNECT,
	EFFECT_GETSOCKNAME,
	EFFECT_GETPEERNAME,
	EFFECT_SOCKETCALL,
	EFFECT_FCNTL,
	EFFECT_IOCTL,
	EFFECT_CLOSE,
	EFFECT_CLOSE_RANGE,
	EFFECT_CLOSEFROM,
	EFFECT_UNSHARE,
	EFFECT_CHDIR,
	EFFECT_FCHDIR,

	EFFECT_FORK, /* the result is a process */
	EFFECT_CLONE, /* ... or a thread, by the flags */
	EFFECT_CLONE3,
	EFFECT_RFORK,
	EFFECT_EXEC, /* of a path */
	EFFECT_EXEC_FILE, /* of a descriptor */
	EFFECT_EXIT, /* of a thread, on Linux */
	EFFECT_EXIT_GROUP,
};

/* When is a new descriptor closed at exec? */
enum call_cloexec {
	CLOEXEC_NEVER,
	CLOEXEC_ALWAYS,
	CLOEXEC_OPEN, /* by O_CLOEXEC of the flags */
	CLOEXEC_SOCK, /* by SOCK_CLOEXEC */
	CLOEXEC_BIT0,
	CLOEXEC_BIT3,
};

struct call_rule {
	const char *name;
	enum call_effect effect;
	enum call_cloexec cloexec;
	signed char flags; /* the argument that has them; -1: none */
	signed char dirfd; /* the argument that a path begins at; -1: the current directory */
	const char *file; /* EFFECT_NEW: what it is */
	/*
	 * EFFECT_NEW_COMMAND: an argument, and a bit for each of its values with which a
	 * file results.
	 */
	signed char command;
	uint64_t commands;
};

/* call_makes_process - is the result a process (or a thread)? */
bool call_makes_process(enum call_effect effect);

/* call_find_rule - what a call does; NULL: nothing that is of interest here */
const struct call_rule *call_find_rule(uint32_t flags, int code);

#endif /* _TRACK_CALLS_H_ */
