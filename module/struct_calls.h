/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct_calls: which argument of which call points to which structure.
 *
 * Tables by number, for 64-bit calls, 32-bit calls, and what socketcall(2)
 * stands for: to find that a call has none is one comparison and one load.
 */
#ifndef KTRACE_STRUCT_CALLS_H
#define KTRACE_STRUCT_CALLS_H

#include <linux/types.h>

/* Ways a structure goes, as bits. */
#define KTRACE_WAY_IN	  1 /* the kernel reads it */
#define KTRACE_WAY_OUT	  2 /* and, or, writes it */
#define KTRACE_WAY_EINVAL 4 /* EINVAL may say that it was not looked at */

/**
 * enum ktrace_struct_how - what of it the call moves
 * @KTRACE_HOW_WHOLE: all of it
 * @KTRACE_HOW_TWO: two of them in a row, each a record of its own
 * @KTRACE_HOW_SIZED: as many bytes as argument @with says
 * @KTRACE_HOW_SELF: as many bytes as its first word says
 * @KTRACE_HOW_CAPS: one or two, by the version in the header that @with points to
 * @KTRACE_HOW_PAIR: the argument points to its address and its size
 * @KTRACE_HOW_ADDRESS: a socket address; @with is its length (in) or points to it (out)
 * @KTRACE_HOW_MESSAGE: the socket address of a msghdr
 *
 * Arrays:
 * @KTRACE_HOW_ONE: an array of one
 * @KTRACE_HOW_COUNT: argument @with says how many
 * @KTRACE_HOW_RESULT: the result says how many
 */
enum ktrace_struct_how {
	KTRACE_HOW_WHOLE,
	KTRACE_HOW_TWO,
	KTRACE_HOW_SIZED,
	KTRACE_HOW_SELF,
	KTRACE_HOW_CAPS,
	KTRACE_HOW_PAIR,
	KTRACE_HOW_ADDRESS,
	KTRACE_HOW_MESSAGE,
	KTRACE_HOW_ONE,
	KTRACE_HOW_COUNT,
	KTRACE_HOW_RESULT,
};

/**
 * enum ktrace_struct_when - when the call moves it at all
 * @KTRACE_WHEN_ALWAYS: nothing but its way matters
 * @KTRACE_WHEN_SIGSET: argument @test is the size of a signal set
 * @KTRACE_WHEN_NOT_NEGATIVE: no argument up to @test is negative
 * @KTRACE_WHEN_RESULT: the result is not 0
 * @KTRACE_WHEN_INTERRUPTED: an interrupted sleep tells what remains; unless
 *	argument @test, if it is not 0, says TIMER_ABSTIME
 * @KTRACE_WHEN_FUTEX: argument 1 is an operation that has a timeout
 * @KTRACE_WHEN_EPOLL: argument 1 is an operation that has an event
 * @KTRACE_WHEN_SEMTIMEDOP: argument 0 is ipc(2)'s number of semtimedop
 * @KTRACE_WHEN_SLEEP: argument 0 is a clock that one can sleep by
 * @KTRACE_WHEN_SETTIME: argument 0 is a clock that can be set
 * @KTRACE_WHEN_SETATTR: arguments 0 and 2 are fit for sched_setattr
 * @KTRACE_WHEN_CAPSET: the header that argument 0 points to is about the caller
 */
enum ktrace_struct_when {
	KTRACE_WHEN_ALWAYS,
	KTRACE_WHEN_SIGSET,
	KTRACE_WHEN_NOT_NEGATIVE,
	KTRACE_WHEN_RESULT,
	KTRACE_WHEN_INTERRUPTED,
	KTRACE_WHEN_FUTEX,
	KTRACE_WHEN_EPOLL,
	KTRACE_WHEN_SEMTIMEDOP,
	KTRACE_WHEN_SLEEP,
	KTRACE_WHEN_SETTIME,
	KTRACE_WHEN_SETATTR,
	KTRACE_WHEN_CAPSET,
};

/**
 * struct ktrace_struct_arg - a structure of a call
 * @way: KTRACE_WAY_*; 0: there are no more
 * @id: enum ktrace_layout_id, unless it is a socket address
 * @arg: which argument points to it
 * @how: enum ktrace_struct_how
 * @with: the argument that @how needs
 * @when: enum ktrace_struct_when
 * @test: the argument that @when needs
 */
struct ktrace_struct_arg {
	u8 way;
	u8 id;
	u8 arg;
	u8 how;
	u8 with;
	u8 when;
	u8 test;
};

#define KTRACE_STRUCT_ARGS 3 /* of a call, at most */

#define KTRACE_STRUCT_CALLS 512 /* numbers of calls are below it */

extern const u8 ktrace_struct_natives[KTRACE_STRUCT_CALLS];

/** ktrace_struct_native - may a 64-bit call have structures? */
static __always_inline bool ktrace_struct_native(long nr)
{
	return (unsigned long)nr < KTRACE_STRUCT_CALLS && ktrace_struct_natives[nr];
}

const struct ktrace_struct_arg *ktrace_struct_call(bool compat, long nr, bool *wide);
const struct ktrace_struct_arg *ktrace_struct_socketcall(unsigned long call, u32 *narg);
u8 ktrace_struct_wide(u8 id);

#endif /* KTRACE_STRUCT_CALLS_H */
