/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktr_resize: a CPU's ring is replaced, and its newest events are kept: module/ktr/rings.c, ktr_tracepoint().
 *
 * Recorders, nested in every way; what the resizer does on their CPU is an interrupt like theirs, and may be
 * interrupted by them (that is more than happens: interrupts do not come while another is served, NMIs do). Both
 * rings have two slots. What the resizer looks at from its own CPU, it does after an interrupt that it waited for: so
 * memory is strong. Rules: K1, K3 in ring.h; FREED: nobody uses a ring whose memory is freed; KEPT: the newest events
 * are in the new ring, unless one was lost, and what was lost is counted there.
 *
 * Runs: strong 3; long: strong 4.
 *
 * Mutants, and the rule that each must break:
 *  1 no-wait FREED: the old ring is not waited for
 *  2 one-ring FREED: a recorder does not look for its ring again once it is counted
 *  3 keep-first KEPT: events are taken over before the recorders of the old ring are done
 *  4 keep-torn K3: an event is put where one is being written
 *  5 keep-older K1: an event is put where a newer one is
 *  6 swap-first KEPT: the new ring is in its place before it is ready
 *  7 number-kept KEPT: an event that came after the new ring's start keeps its number
 */
#define CPUS	1
#define PLACES	1
#define STORES	2

#define SLOTS	2

#include "memory.pml"
#include "model.pml"

#define K1	1
#define K3	2
#define FREED	3
#define KEPT	4

/* Ring 0 is the old one, 1 the new. */
typedef Ring {
	byte head;
	byte lost;
	byte sequence[SLOTS]
}
Ring ring[2];
byte current;
byte nesting; /* recorders at work */
bool freed;
byte gone; /* events that should be in lost */

/* A slot of ring @r for event @nr. */
inline claim(r, nr, old, ok, keeping)
{
	atomic {
		must(FREED, r == 1 || !freed);
		old = ring[r].sequence[nr % SLOTS]
	}
	atomic {
		ok = ring[r].sequence[nr % SLOTS] == old && (!(old % 2) || (is(4) && keeping)) &&
			(old <= 2 * nr || (is(5) && keeping));
		if
		:: ok ->
			must(K3, !(ring[r].sequence[nr % SLOTS] % 2));
			must(K1, ring[r].sequence[nr % SLOTS] <= 2 * nr);
			ring[r].sequence[nr % SLOTS] = 2 * nr + 1
		:: else
		fi;
		old = 0
	}
}

/* The event is whole. */
inline commit(r, nr)
{
	atomic {
		must(FREED, r == 1 || !freed);
		ring[r].sequence[nr % SLOTS] = 2 * nr + 2
	}
}

inline lose(r)
{
	atomic {
		ring[r].lost++;
		gone++
	}
}

proctype recorder() provided (may_run)
{
	byte interrupted, mine, nr, old;
	bool ok;

	atomic {
		enter(interrupted);
		mine = current
	}
	nesting++;
	mine = (is(2) -> mine : current);
	atomic {
		must(FREED, mine == 1 || !freed);
		nr = ring[mine].head;
		ring[mine].head++
	}
	claim(mine, nr, old, ok, false);
	if
	:: ok -> commit(mine, nr)
	:: else -> lose(mine)
	fi;
	nesting--;
	atomic {
		mine = 0;
		nr = 0;
		ok = false;
		leave(interrupted)
	}
}

/* The resizer is another CPU's, and comes to this one as an interrupt. */
#define RESIZER	200
bool here;

inline come(interrupted)
{
	atomic {
		interrupted = running;
		running = RESIZER;
		here = true
	}
}

inline go(interrupted)
{
	atomic {
		here = false;
		running = interrupted
	}
}

inline wait_quiet()
{
	if
	:: nesting == 0
	:: is(1)
	fi
}

inline keep()
{
	do
	:: next < end ->
		come(interrupted);
		atomic {
			ring[1].lost = ring[1].lost + ring[0].lost - lost;
			lost = ring[0].lost
		}
		if
		:: ring[0].sequence[next % SLOTS] == 2 * next + 2 ->
			if
			:: next < start || is(7) -> nr = next
			:: else ->
				nr = ring[1].head;
				ring[1].head++
			fi;
			claim(1, nr, old, ok, true);
			if
			:: ok -> commit(1, nr)
			:: !ok && next >= start && !is(7) -> lose(1)
			:: else
			fi
		:: else
		fi;
		next++;
		go(interrupted)
	:: else -> break
	od
}

proctype resizer() provided (!here || running == RESIZER)
{
	byte interrupted, start, lost, next, end, nr, old;
	byte dropped; /* events that got no number of the new ring: newer ones fill it */
	bool ok;

	come(interrupted);
	start = ring[0].head;
	lost = ring[0].lost;
	if
	:: is(6) -> current = 1
	:: else
	fi;
	atomic {
		ring[1].head = start;
		ring[1].lost = lost
	}
	current = 1;
	go(interrupted);
	if
	:: is(3)
	:: else -> wait_quiet()
	fi;
	end = ring[0].head;
	next = (end > SLOTS -> end - SLOTS : 0);
	dropped = (next > start -> next - start : 0);
	keep();
	if
	:: is(3) -> wait_quiet()
	:: else
	fi;
	freed = true;

	ended == producers;
	atomic {
		must(KEPT, ring[1].lost == gone);
		must(KEPT, gone || ring[1].head + dropped == producers);
		nr = ring[1].head - 1;
		must(KEPT, gone || ring[1].sequence[nr % SLOTS] == 2 * nr + 2);
		nr = ring[1].head - 2;
		must(KEPT, gone || ring[1].sequence[nr % SLOTS] == 2 * nr + 2)
	}
}

init {
	atomic {
		choose();
		for (nth : 1 .. producers) {
			run recorder()
		}
		nth = 0;
		run resizer()
	}
}
