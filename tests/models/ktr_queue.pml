/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktr_queue: module/ktr/queue.h and queue.c.
 *
 * Putters, nested in every way, and a queue of two slots. One taker on another CPU takes all that there is. Rules:
 * Q1-Q3 in queue.h; FULL: an entry is refused only when there is no room; ALL: each is taken, or counted as failed.
 *
 * Runs: strong 4, weak 3.
 *
 * Mutants, and the rule that each must break:
 *  1 B/commit Q1: the sequence is stored without release
 *  2 I/peek Q1: the sequence is loaded without acquire
 *  3 J/next Q1: tail is stored without release
 *  4 K/begin Q1: tail is loaded without acquire
 *  5 full-by-one Q3: one entry more than there is room for
 *  6 head-store Q1: head is stored, whatever it is by then
 *  7 peek-head Q1: the taker takes what is below head, whole or not
 *  8 unsigned FULL: a tail beyond the head that was read is taken for a queue that is full
 *  9 failed-silently ALL: an entry that finds no room is not counted
 * 10 next-first Q1: the slot is given back before it was read
 */
#define CPUS	2
#define HERE	0
#define THERE	1

#define PUTTERS	4
#define SLOTS	2

#define TAIL	0
#define SEQUENCE 1
#define UNIT	(SEQUENCE + SLOTS)
#define PLACES	(UNIT + SLOTS)
#define STORES	8

#include "memory.pml"
#include "model.pml"

#define Q1	1
#define Q2	2
#define Q3	3
#define FULL	4
#define ALL	5

#define place_of(nr)	(SEQUENCE + (nr) % SLOTS)
#define unit(nr)	(UNIT + (nr) % SLOTS)

byte head, failed, taken;
bool used[PUTTERS];
byte content[SLOTS];

proctype putter() provided (may_run)
{
	byte interrupted, nr, tail, oldest;
	bool ok;

	atomic { enter(interrupted) }
	do
	:: atomic {
		nr = head;
		oldest = newest(TAIL)
	   }
	   atomic {
		load(HERE, TAIL, tail, order_of(4)); /* K */
		if
		:: nr - tail >= SLOTS + (is(5) -> 1 : 0) || (is(8) && tail > nr) ->
			must(FULL, weak || nr - oldest >= SLOTS);
			failed = failed + (is(9) -> 0 : 1);
			goto out
		:: else
		fi;
		tail = 0;
		oldest = 0
	   }
	   atomic {
		ok = head == nr || is(6);
		if
		:: ok ->
			head = nr + 1;
			must(Q1, !used[nr]);
			used[nr] = true;
			must(Q3, head - newest(TAIL) <= SLOTS);
			break
		:: else
		fi
	   }
	od;
	store(HERE, place_of(nr), 2 * nr + 1, RELAXED);
	atomic {
		must(Q1, has_seen(HERE, unit(nr)));
		must(Q1, !content[nr % SLOTS]);
		touch(HERE, unit(nr));
		content[nr % SLOTS] = nr + 1
	}
	store(HERE, place_of(nr), 2 * nr + 2, order_of(1)); /* B */
out:
	atomic {
		nr = 0;
		tail = 0;
		oldest = 0;
		ok = false;
		leave(interrupted)
	}
}

proctype taker()
{
	byte tail, sequence;

	do
	:: load(THERE, place_of(tail), sequence, order_of(2)); /* I */
	   if
	   :: sequence == 2 * tail + 2 || (is(7) && head > tail) ->
		if
		:: is(10) -> store(THERE, TAIL, tail + 1, ORDERED)
		:: !is(10)
		fi;
		atomic {
			must(Q1, has_seen(THERE, unit(tail)));
			must(Q1, content[tail % SLOTS] == tail + 1);
			touch(THERE, unit(tail));
			content[tail % SLOTS] = 0;
			taken++
		}
		atomic {
			if
			:: is(10)
			:: else -> store(THERE, TAIL, tail + 1, order_of(3)) /* J */
			fi;
			tail++;
			sequence = 0
		}
	   :: else ->
		atomic {
			must(Q2, ended < producers || tail == head || newest(place_of(tail)) == 2 * tail + 2);
			sequence = 0;
			if
			:: ended == producers && tail == head -> break
			:: else
			fi
		}
	   fi
	od;
	must(ALL, taken + failed == producers)
}

init {
	atomic {
		choose();
		for (nth : 1 .. producers) {
			run putter()
		}
		nth = 0;
		run taker()
	}
}
