/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktrace_debt: who waits for the records of a process that ends: exit_traced() in module/probe_life.c.
 *
 * A traced process and its children. Its threads make others, as a fork or as io_uring does, wait for children, and
 * exit, in any order and number; the kernel's part is do_exit() with what wait() and others can see: a thread that
 * exits gives its children to one that does not, or else to an outsider; it is counted in nr_threads until it is released.
 * Its parent is traced, or an outsider. The stamps are those of PROCDTORs. Rules: D1-D5 in probe_life.c, by what
 * they are for: ORPHAN, what an outsider gets as a dead child is in the file; END, and so is the process itself.
 *
 * "Producers" are the threads: of two children if there are no more than two, else of one.
 *
 * Runs: strong 1, strong 3; long: strong 2.
 *
 * Mutants, and the rule that each must break:
 *  1 first-look ORPHAN: the payer is whose child it was before the lock
 *  2 threads ORPHAN: nobody looks how many threads the parent has
 *  3 payer ORPHAN: the payer that exits does not wait
 *  4 last ORPHAN: whoever is the last by live ends the trace
 *  5 children ORPHAN: a process with children leaves its debts to its parent
 *  6 order ORPHAN: real_parent is read before nr_threads
 *  7 lock ORPHAN: whether the parent is traced is looked at before the lock
 *  8 always END: a process leaves its debts to an outsider
 */
#define PRODUCERS 3
#define CHILDREN  2
#define NOBODY	  PRODUCERS /* as a parent: an outsider */

bool weak;

#include "model.pml"

#define ORPHAN	1
#define END	2

/* States of threads and children, in their order. */
#define UNBORN	 0
#define ALIVE	 1
#define EXITING	 2
#define DEAD	 3 /* exit_notify() */
#define RELEASED 4

byte thread[PRODUCERS];
byte nr_threads, live;
byte child[CHILDREN];
byte real_parent[CHILDREN]; /* a thread, or NOBODY */
byte stamp[CHILDREN];
byte clock, written;

/* struct ktrace_proc */
bool locked;
bool hashed;
byte owed, payer;

bool outside; /* its parent is not traced */
byte i;

#define in_file(what)	(written >= (what))

proctype child_of()
{
	byte me, parent;
	bool single, found;

	atomic {
		me = _pid - 1;
		me == 0 || child[0] != UNBORN || thread[0] != ALIVE; /* they are alike: in their order */
		/* fork() */
		if
		:: thread[0] == ALIVE -> real_parent[me] = 0
		:: thread[1] == ALIVE -> real_parent[me] = 1
		:: thread[2] == ALIVE -> real_parent[me] = 2
		:: thread[0] != ALIVE && thread[1] != ALIVE && thread[2] != ALIVE -> goto done
		fi;
		child[me] = ALIVE
	}
	/* exit_traced(): it has one thread, and no children. */
	atomic {
		child[me] = EXITING;
		clock++;
		stamp[me] = clock
	}
	/* left_to_parent() */
	atomic {
		parent = real_parent[me];
		found = parent != NOBODY && hashed
	}
	if
	:: found ->
		/* The lock is held from here on. */
		atomic {
			!locked -> locked = true;
			found = hashed || is(7);
			if
			:: is(6) -> parent = real_parent[me]
			:: else -> single = nr_threads == 1 || is(2)
			fi
		}
		atomic {
			if
			:: is(6) -> single = nr_threads == 1
			:: is(1)
			:: else -> parent = real_parent[me]
			fi;
			found = found && single && parent != NOBODY;
			if
			:: found ->
				payer = parent;
				owed = clock
			:: else
			fi;
			locked = false
		}
	:: else
	fi;
	if
	:: found
	:: else -> in_file(stamp[me])
	fi;
	/* exit_notify() */
	atomic {
		child[me] = DEAD;
		must(ORPHAN, real_parent[me] != NOBODY || in_file(stamp[me]));
		parent = 0;
		single = false;
		found = false
	}
done:
	skip
}

#define is_mine(c)	(real_parent[c] == me && child[c] != UNBORN && child[c] != RELEASED)

proctype thread_of(byte me)
{
	byte until, heir;

	/* The process lives. */
	do
	:: atomic {
		if
		:: producers > 1 && thread[1] == UNBORN -> i = 1
		:: producers > 2 && thread[1] != UNBORN && thread[2] == UNBORN -> i = 2
		:: else -> i = 0
		fi;
		if
		:: i ->
			nr_threads++;
			live++;
			thread[i] = ALIVE;
			run thread_of(i);
			i = 0
		:: else -> break
		fi
	   }
	:: atomic { child[0] == DEAD && real_parent[0] != NOBODY -> child[0] = RELEASED }
	:: atomic { child[1] == DEAD && real_parent[1] != NOBODY -> child[1] = RELEASED }
	:: break
	od;
	thread[me] = EXITING;
	live--;
	/* exit_traced() */
	atomic {
		!locked;
		if
		:: payer == me && hashed && live && !is(3) -> until = owed
		:: else
		fi;
		if
		:: payer == me -> payer = NOBODY
		:: else
		fi;
		if
		:: hashed && live == 0 && (payer == NOBODY || is(4)) ->
			hashed = false;
			clock++;
			/* left_to_parent() */
			if
			:: (outside && !is(8)) ||
			   ((is_mine(0) || is_mine(1)) && !in_file(owed) && !is(5)) ->
				until = clock
			:: else
			fi
		:: else
		fi
	}
	/* exit_task_work() */
	in_file(until);
	/* exit_notify() */
	atomic {
		until = 0;
		thread[me] = DEAD;
		heir = NOBODY;
		for (i : 0 .. PRODUCERS - 1) {
			if
			:: thread[i] == ALIVE -> heir = i
			:: else
			fi
		}
		for (i : 0 .. CHILDREN - 1) {
			if
			:: is_mine(i) ->
				real_parent[i] = heir;
				must(ORPHAN, heir != NOBODY || child[i] != DEAD || in_file(stamp[i]))
			:: else
			fi
		}
		heir = 0;
		i = 0
	}
	/* release_task(): of the leader last. */
	if
	:: me -> nr_threads--
	:: else ->
		nr_threads == 1;
		must(END, !outside || in_file(owed))
	fi
}

proctype writer()
{
end:
	do
	:: written != clock -> written = clock
	od
}

init {
	atomic {
		choose();
		payer = NOBODY;
		hashed = true;
		nr_threads = 1;
		live = 1;
		thread[0] = ALIVE;
		if
		:: outside = true
		:: outside = false
		fi;
		run child_of();
		if
		:: producers < 3 -> run child_of()
		:: else
		fi;
		run thread_of(0);
		run writer()
	}
}
