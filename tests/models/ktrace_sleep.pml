/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktrace_sleep: when the writer sleeps until it is woken: writer_main() in module/writer.c, ktrace_emit_end().
 *
 * Producers, nested in every way, of which each makes a record of one unit; the ring has room for all. The clock
 * may stand still for as long as it likes: a record may be stamped at T itself, or, with a CPU that reads the clock
 * late, after it. Rules: R5 in ring.h; WAKE: who sleeps and is not woken has left nothing behind.
 *
 * Runs: strong 3, weak 2; long: weak 3.
 *
 * Mutants, and the rule that each must break:
 *  1 A/take WAKE: head is taken without a full barrier
 *  2 A/flag WAKE: the writer has no barrier between the flag and head
 *  3 A/clock R5: the writer has no barrier between the clock and head
 *  4 flag-late WAKE: the flag is put up after the last look
 *  5 one-look WAKE: the writer sleeps when it found nothing, without a look with the flag up
 *  6 stayed WAKE: what stays because it was stamped at T or later counts as nothing
 *  7 no-wake WAKE: who finds the flag up takes it down only
 */
#define CPUS	2
#define HERE	0
#define THERE	1

#define PRODUCERS 3

#define HEAD	0
#define COMMIT	1
#define IDLE	2
#define PLACES	3
#define STORES	20

#include "memory.pml"
#include "model.pml"

#define R5	1
#define WAKE	2

/* Of a record, by its place in the ring: when it was stamped. */
#define NEVER	0
#define BEFORE	1 /* the last tick of the clock */
#define SINCE	2
byte stamp[PRODUCERS];
bool old[PRODUCERS]; /* it is stamped before T */
byte woken;

proctype producer() provided (may_run)
{
	byte interrupted, pos, up;
	bool ok;

	/* ktrace_ring_take() */
	atomic {
		enter(interrupted);
		pos = newest(HEAD);
		compare_exchange(HERE, HEAD, pos, pos + 1, order_of(1), ok) /* A */
	}
	stamp[pos] = SINCE;
	/* ktrace_ring_publish(), and what interrupts put behind it */
	atomic {
		if
		:: newest(COMMIT) == pos -> store(HERE, COMMIT, newest(HEAD), ORDERED)
		:: else
		fi
	}
	/* ktrace_emit_end(), ktrace_session_wake() */
	load(HERE, IDLE, up, RELAXED);
	atomic {
		if
		:: up -> compare_exchange(HERE, IDLE, 1, 0, ORDERED, ok)
		:: else -> ok = false
		fi;
		if
		:: ok && !is(7) -> woken = true
		:: else
		fi;
		pos = 0;
		up = 0;
		ok = false;
		leave(interrupted)
	}
}

inline set_idle(how)
{
	if
	:: newest(IDLE) != how -> store(THERE, IDLE, how, RELAXED)
	:: else
	fi
}

proctype writer()
{
	byte head, end, tail, i;
	bool idle, any;

	do
	:: atomic {
		if
		:: is(4)
		:: else -> set_idle(idle)
		fi;
		if
		:: is(2)
		:: else -> full_barrier(THERE)
		fi
	   }
	   /* The clock, T, has gone on since the last stamp, or not. */
	   atomic {
		if
		:: for (i : 0 .. producers - 1) {
			if
			:: stamp[i] == SINCE -> stamp[i] = BEFORE
			:: else
			fi
		   }
		:: skip
		fi;
		for (i : 0 .. producers - 1) {
			old[i] = stamp[i] == BEFORE
		}
		i = 0;
		if
		:: is(2) || is(3)
		:: else -> full_barrier(THERE) /* A */
		fi
	   }
	   load(THERE, HEAD, head, RELAXED);
	   do
	   :: load(THERE, COMMIT, end, ORDERED);
	      if
	      :: end >= head -> break
	      :: else
	      fi
	   od;
	   atomic {
		any = false;
		do
		:: tail < end && old[tail] -> tail++; any = true
		:: else -> break
		od;
		for (i : tail .. producers - 1) {
			must(R5, !old[i] || tail < end)
		}
		for (i : 0 .. producers - 1) {
			old[i] = false
		}
		any = any || (tail < end && !is(6));
		i = 0;
		head = 0;
		end = 0
	   }
	   if
	   :: any -> idle = false
	   :: !any && !idle && !is(5) -> idle = true
	   :: !any && (idle || is(5)) ->
		atomic {
			if
			:: is(4) || is(5) -> set_idle(1)
			:: else
			fi;
			woken = newest(IDLE) == 0 /* it looks before it waits */
		}
		if
		:: woken
		:: ended == producers && !woken ->
			must(WAKE, tail == newest(HEAD));
			goto done
		fi;
		idle = false
	   fi
	od;
done:
	skip
}

init {
	atomic {
		choose();
		for (nth : 1 .. producers) {
			run producer()
		}
		nth = 0;
		run writer()
	}
}
