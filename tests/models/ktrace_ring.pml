/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktrace_ring: module/ring.h and ring.c, with the consumer's way through writer.c and merge.c.
 *
 * Producers, nested in every way; each reserves two units and keeps two, one or none. The ring has four (three in
 * weak memory), and begins at its third: records lie across the end, and units are used again. One consumer makes
 * passes until all is there. Rules: R1-R5 in ring.h; M3, M4 in merge.h; FULL: a record is lost only when there is no
 * room; ALL: what was not lost or cancelled is delivered, and what was lost is counted.
 *
 * Runs: strong 3, weak 2; long: strong 4 (whole records of one unit).
 *
 * Mutants, and the rule that each must break:
 *  1 A/take R5: head is taken without a full barrier
 *  2 A/clock R5: the consumer has no barrier between the clock and head
 *  3 B/publish R2: commit is stored without release
 *  4 B/rest R2: publish_rest stores commit without a barrier
 *  5 B/committed R2: the consumer loads commit without acquire
 *  6 C/consume R2: tail is stored without release
 *  7 C/aim R2: tail is loaded without acquire, and take, whose barrier makes up for that, has none
 *  8 stamp-first R5: a record is stamped before its bytes are taken
 *  9 no-second-look R4: publish does not look at head again
 * 10 one-look R4: publish_rest looks once only
 * 11 nested-publish R2: who is nested publishes all the same
 * 12 publish-head R2: an outermost producer publishes up to head before it is filled itself
 * 13 publish-beyond R1: commit goes beyond what is filled
 * 14 rest-store R4 with 4: publish_rest stores commit whatever it is by then
 * 15 full-by-one R1: room is found for one unit more than there is
 * 16 take-store R3: head is stored, whatever it is by then
 * 17 trim-store R3: bytes go back although an interrupt produced behind them
 * 18 consume-first R2: bytes are given back before they were read
 * 19 no-wait R5: the consumer does not wait for what is pending
 * 20 wait-for-ever R5: the consumer waits for bytes that were given back
 * 21 lost-silently ALL: a record without room is not counted
 * 22 take-later M3: what is stamped after T leaves, too
 * 23 hole-unmarked R2: what could not be given back is not marked as a hole
 * 24 head-first FULL: aim looks at head before tail, which may be beyond then
 */
#define CPUS	2
#define HERE	0
#define THERE	1

#define PRODUCERS 4
#define SIZE	4
#define START	2

#define HEAD	0
#define COMMIT	1
#define TAIL	2
#define UNIT	3
#define PLACES	(UNIT + SIZE)
#define STORES	8

#include "memory.pml"
#include "model.pml"

#define R1	1
#define R2	2
#define R3	3
#define R4	4
#define R5	5
#define M3	6
#define M4	7
#define FULL	8
#define ALL	9

byte size, units;

#define unit(pos)	(UNIT + (pos) % size)
#define HOLE		8

/* What the ring's memory holds: a record's number, with HOLE for what it did not keep. */
byte content[SIZE];

/* Of each record, as nobody in the kernel knows it. */
byte from[PRODUCERS + 1], to[PRODUCERS + 1];
bool owns[PRODUCERS + 1], stamped[PRODUCERS + 1], before[PRODUCERS + 1], delivered[PRODUCERS + 1];
byte lost, cancelled, left;

byte u;

/* Bytes [begin, end) are written by a producer. */
inline fill(begin, end, what)
{
	u = begin;
	do
	:: u < end ->
		must(R2, has_seen(HERE, unit(u)));
		touch(HERE, unit(u));
		content[u % size] = what;
		u++
	:: else -> break
	od;
	u = 0
}

inline take_stamp()
{
	stamped[_pid] = true
}

/* It has taken [begin, end). */
#define apart(i, begin, end)	(!owns[i] || i == _pid || to[i] <= begin || end <= from[i])

inline own(begin, end)
{
	must(R3, apart(1, begin, end) && apart(2, begin, end) && apart(3, begin, end) && apart(4, begin, end));
	must(R1, end <= newest(TAIL) + size);
	from[_pid] = begin;
	to[_pid] = end;
	owns[_pid] = true
}

proctype producer() provided (may_run)
{
	byte interrupted, oldest, pos, end, keep, seen, commit, head;
	bool ok;

	atomic { enter(interrupted) }
	/* ktrace_ring_aim() */
	do
	:: atomic {
		oldest = newest(TAIL);
		if
		:: is(8) -> take_stamp()
		:: else
		fi;
		if
		:: is(24) -> pos = newest(HEAD)
		:: else -> load(HERE, TAIL, seen, order_of(7)) /* C */
		fi
	   }
	   atomic {
		if
		:: is(24) -> load(HERE, TAIL, seen, ORDERED)
		:: else -> pos = newest(HEAD)
		fi;
		end = pos + units;
		if
		:: end < seen || end - seen > size + (is(15) -> 1 : 0) ->
			must(FULL, (weak || end - oldest > size));
			stamped[_pid] = false;
			lost = lost + (is(21) -> 0 : 1);
			goto out
		:: else
		fi
	   }
	   /* ktrace_ring_take() */
	   atomic {
		if
		:: is(16) -> store(HERE, HEAD, end, ORDERED); ok = true
		:: else -> compare_exchange(HERE, HEAD, pos, end, order_of(1) && order_of(7), ok) /* A */
		fi;
		seen = 0;
		oldest = 0;
		if
		:: ok -> own(pos, end); ok = false; break
		:: else
		fi
	   }
	od;
	if
	:: is(12) && newest(COMMIT) == pos -> store(HERE, COMMIT, newest(HEAD), ORDERED)
	:: else
	fi;
	atomic {
		take_stamp();
		fill(pos, end, _pid)
	}

	/* ktrace_ring_trim() */
	atomic {
		if
		:: units == 2 -> keep = 0
		:: units == 2 -> keep = 1
		:: keep = units
		fi;
		if
		:: keep < units ->
			if
			:: is(17) -> store(HERE, HEAD, pos + keep, ORDERED); ok = true
			:: else -> compare_exchange(HERE, HEAD, end, pos + keep, ORDERED, ok)
			fi;
			to[_pid] = pos + keep;
			cancelled = cancelled + (keep -> 0 : 1);
			stamped[_pid] = keep;
			owns[_pid] = !ok || keep;
			if
			:: ok -> end = pos + keep
			:: !ok && !is(23) -> fill(pos + keep, end, _pid + HOLE)
			:: else
			fi
		:: else
		fi;
		ok = false;
		keep = 0
	}
	/* ktrace_ring_publish() */
	if
	:: pos == end -> goto out
	:: newest(COMMIT) != pos && !is(11) -> goto out
	:: else
	fi;
	store(HERE, COMMIT, end + (is(13) -> 1 : 0), order_of(3)); /* B */
	if
	:: newest(HEAD) == end || is(9) -> goto out
	:: else
	fi;
	/* ktrace_ring_publish_rest() */
	do
	:: commit = newest(COMMIT);
	   atomic {
		head = newest(HEAD);
		if
		:: commit == head -> break
		:: else
		fi
	   }
	   atomic { must(R4, head >= commit) }
	   if
	   :: is(14) ->
		atomic { must(R4, head >= newest(COMMIT)) }
		store(HERE, COMMIT, head, ORDERED)
	   :: else -> compare_exchange(HERE, COMMIT, commit, head, order_of(4), ok) /* B */
	   fi;
	   if
	   :: is(10) -> break
	   :: else
	   fi
	od;
out:
	atomic {
		/* R4: when nobody is at work, all is published. */
		must(R4, (interrupted || newest(COMMIT) == newest(HEAD)));
		must(R1, newest(COMMIT) <= newest(HEAD));
		oldest = 0;
		pos = 0;
		end = 0;
		seen = 0;
		commit = 0;
		head = 0;
		ok = false;
		leave(interrupted)
	}
}

/* A record that should have left stays, and not because of one before it. */
#define late(i)		(stamped[i] && before[i] && !delivered[i])
#define holds(j, i)	(owns[j] && stamped[j] && !before[j] && !delivered[j] && from[j] < from[i])
#define on_time(i)	(!late(i) || holds(1, i) || holds(2, i) || holds(3, i) || holds(4, i))

/* The record or hole at @pos leaves, from there to where it ends. */
inline read(what, pos, end)
{
	u = pos;
	do
	:: u < end && content[u % size] == what ->
		must(R2, has_seen(THERE, unit(u)));
		touch(THERE, unit(u));
		content[u % size] = 0;
		u++
	:: else -> break
	od;
	pos = u;
	u = 0
}

proctype consumer()
{
	byte tail = START, until, seen, head, pos, end, what;
	bool last, timely;

	do
	:: atomic {
		last = ended == producers;
		/* the clock: T */
		before[1] = stamped[1];
		before[2] = stamped[2];
		before[3] = stamped[3];
		before[4] = stamped[4];
		if
		:: is(2)
		:: else -> full_barrier(THERE) /* A */
		fi;
		until = 255
	   }

	   /* ktrace_ring_pending() */
	   do
	   :: is(19) -> break
	   :: else ->
		atomic {
			load(THERE, HEAD, head, RELAXED);
			if
			:: head < until && !(is(20) && until < 255) -> until = head
			:: else
			fi
		}
		atomic {
			load(THERE, COMMIT, seen, ORDERED); /* B */
			if
			:: seen >= until -> break
			:: else ->
				must(R5, !(ended == producers && newest(COMMIT) < until && head == newest(HEAD)));
				seen = 0;
				head = 0
			fi
		}
	   od;

	   /* ktrace_merge_begin() */
	   atomic {
		load(THERE, COMMIT, end, order_of(5)); /* B */
		must(R1, tail <= end);
		pos = tail;
		seen = 0;
		head = 0;
		until = 0
	   }
	   if
	   :: is(18) -> store(THERE, TAIL, end, ORDERED)
	   :: !is(18)
	   fi;
	   atomic {
		do
		:: pos < end ->
			must(R2, has_seen(THERE, unit(pos)));
			what = content[pos % size];
			must(R2, what);
			if
			:: what >= HOLE -> read(what, pos, end)
			:: what < HOLE && (before[what] || is(22)) ->
				must(M3, before[what]);
				must(M4, !delivered[what]);
				must(R2, from[what] == pos && to[what] <= end);
				delivered[what] = true;
				left++;
				read(what, pos, end);
				must(R2, to[what] == pos);
				owns[what] = false;
				stamped[what] = false;
				from[what] = 0;
				to[what] = 0
			:: else -> break
			fi
		:: else -> break
		od;
		what = 0;
		timely = on_time(1) && on_time(2) && on_time(3) && on_time(4);
		must(R5, timely);
		timely = false;
		before[1] = false;
		before[2] = false;
		before[3] = false;
		before[4] = false;
		end = 0
	   }
	   /* ktrace_merge_consume() */
	   atomic {
		if
		:: pos != tail && !is(18) -> store(THERE, TAIL, pos, order_of(6)) /* C */
		:: else
		fi;
		tail = pos;
		pos = 0
	   }
	   if
	   :: last -> break
	   :: else
	   fi
	od;
	must(ALL, tail == newest(HEAD) && left + lost + cancelled == producers)
}

init {
	atomic {
		choose();
		atomic {
			memory[HEAD].value[0] = START;
			memory[COMMIT].value[0] = START;
			memory[TAIL].value[0] = START
		}
		for (u : 1 .. producers) {
			run producer()
		}
		u = 0;
		size = (weak -> 3 : 4);
		units = (producers == PRODUCERS -> 1 : 2);
		run consumer()
	}
}
