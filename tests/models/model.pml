/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * model: what models have in common.
 *
 * From the environment, so that each model is compiled once:
 *
 *	MUTANT		number of one of the changes that a model lists; 0: none
 *	RULE		of one of its rules, when only that one is held up; 0: all are
 *	WEAK		1: see memory.pml
 *	PRODUCERS	how many
 *
 * Interrupts: all producers of a CPU are processes of which one at a time is "running". Any that has not begun
 * may interrupt it at any moment, and ends before it goes on.
 */
c_code { \#include <stdlib.h> }

byte mutant;
byte rule;

#define must(r, holds)	assert((rule && rule != r) || (holds))

#define is(n)		(mutant == n)
#define order_of(n)	(mutant != n)

byte producers;
byte running; /* the producer that runs, 0: none */
byte begun; /* so many have: they are alike, so they begin in the order of their numbers */
byte ended;

#define may_run	(running == _pid || begun == _pid - 1) /* its first step is enter() */

/* An interrupt begins. */
inline enter(interrupted)
{
	interrupted = running;
	running = _pid;
	begun = _pid
}

inline leave(interrupted)
{
	ended++;
	running = interrupted
}

/* Before anything else. */
inline choose()
{
	c_code {
		now.mutant = getenv("MUTANT") ? atoi(getenv("MUTANT")) : 0;
		now.rule = getenv("RULE") ? atoi(getenv("RULE")) : 0;
		now.producers = getenv("PRODUCERS") ? atoi(getenv("PRODUCERS")) : 0;
		now.weak = getenv("WEAK") ? atoi(getenv("WEAK")) : 0;
	}
}
