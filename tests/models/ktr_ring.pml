/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktr_ring: module/ktr/ring.h and ring.c.
 *
 * Three writers, nested in every way, and two slots, each of two words. A reader on another CPU asks for any two
 * events, at any time. Rules: K1-K4 in ring.h; ALL: each event is written, or counted as lost.
 *
 * Runs: strong 3, weak 3.
 *
 * Mutants, and the rule that each must break:
 *  1 A/begin K4: no write barrier between the odd sequence and the data
 *  2 B/commit K4: the even sequence is stored without release
 *  3 C/read K4: the sequence is loaded without acquire
 *  4 D/read K4: no read barrier between the data and the sequence's second look
 *  5 torn K3: a slot is claimed although it is being written
 *  6 older K2: a slot is claimed although it has a newer event
 *  7 claim-store K2: the odd sequence is stored, whatever it is by then
 *  8 one-look K4: the reader does not look at the sequence again
 *  9 lost-silently ALL: an event that finds its slot being written is not counted
 * 10 head-store K1: head is read and stored, whatever it is by then
 */
#define CPUS	2
#define HERE	0
#define THERE	1

#define WRITERS	3
#define SLOTS	2

#define SEQUENCE 0
#define DATA	SLOTS
#define PLACES	(SLOTS + 2 * SLOTS)
#define STORES	8

#define FENCES

#include "memory.pml"
#include "model.pml"

#define K1	1
#define K2	2
#define K3	3
#define K4	4
#define ALL	5

#define place_of(nr)	(SEQUENCE + (nr) % SLOTS)
#define first(nr)	(DATA + 2 * ((nr) % SLOTS))
#define second(nr)	(first(nr) + 1)

byte head, lost, written;
bool used[WRITERS]; /* numbers */
bool claimed[SLOTS];

proctype writer() provided (may_run)
{
	byte interrupted, nr, old;

	atomic {
		enter(interrupted);
		nr = head;
		if
		:: is(10)
		:: else -> head++
		fi
	}
	atomic {
		if
		:: is(10) -> head = nr + 1
		:: else
		fi;
		must(K1, !used[nr]);
		used[nr] = true;
		old = newest(place_of(nr))
	}
	atomic {
		if
		:: (old % 2 && !is(5)) || (old > 2 * nr && !is(6)) || (newest(place_of(nr)) != old && !is(7)) ->
			lost = lost + (is(9) -> 0 : 1);
			goto out
		:: else
		fi;
		must(K3, !claimed[nr % SLOTS]);
		must(K2, newest(place_of(nr)) <= 2 * nr);
		claimed[nr % SLOTS] = true;
		store(HERE, place_of(nr), 2 * nr + 1, RELAXED);
		if
		:: is(1)
		:: else -> write_barrier(HERE) /* A */
		fi
	}
	store(HERE, first(nr), nr + 1, RELAXED);
	store(HERE, second(nr), nr + 1, RELAXED);
	atomic {
		claimed[nr % SLOTS] = false;
		written++;
		store(HERE, place_of(nr), 2 * nr + 2, order_of(2)) /* B */
	}
out:
	atomic {
		old = 0;
		nr = 0;
		leave(interrupted)
	}
}

proctype reader()
{
	byte nr, times, sequence, again, one, two;

	do
	:: times < 2 ->
		atomic {
			if
			:: nr = 0
			:: nr = 1
			:: nr = 2
			fi;
			load(THERE, place_of(nr), sequence, order_of(3)) /* C */
		}
		if
		:: sequence == 2 * nr + 2 ->
			load(THERE, first(nr), one, RELAXED);
			load(THERE, second(nr), two, RELAXED);
			atomic {
				if
				:: is(4)
				:: else -> read_barrier(THERE) /* D */
				fi;
				load(THERE, place_of(nr), again, RELAXED);
				must(K4, (again != sequence && !is(8)) || (one == nr + 1 && two == nr + 1))
			}
		:: else
		fi;
		atomic {
			times++;
			nr = 0;
			sequence = 0;
			again = 0;
			one = 0;
			two = 0
		}
	:: else -> break
	od;
	ended == producers;
	must(ALL, written + lost == producers)
}

init {
	atomic {
		choose();
		for (nth : 1 .. producers) {
			run writer()
		}
		nth = 0;
		run reader()
	}
}
