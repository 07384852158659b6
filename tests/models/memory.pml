/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * memory: what CPUs see of each other's stores.
 *
 * A place has all stores to it, in their order. A CPU has a view: of each place, the last store that it has seen. A
 * load gets that one or any later one, and nothing else tells how late a store comes: so stores are seen in another
 * order than they were made, and loads get old values, unless a barrier forbids it:
 *
 *	release		the store takes its CPU's view along,
 *	acquire		and who loads it so has that view, too
 *	full barrier	all of them are in one order: each CPU has the view of those who came to one before it
 *	write barrier	like a release of each of the stores that follow
 *	read barrier	like an acquire of each of the loads before
 *
 * That is weaker than x86 (whose stores come in order: store buffers), and allows all that store buffers of each
 * place, and invalidations that wait, make on other machines. What it does not have are stores that come before
 * a load that precedes them. So memory that is handed over is not a place but a unit: who touches it, to read or to
 * write, must have seen every touch before his own, or the two could come in any order, and are a race.
 *
 * An interrupt sees its CPU's view: it is the same CPU.
 *
 * If memory is not weak, all stores are seen at once, by all.
 *
 * Before this: CPUS, PLACES (units are the last ones), STORES to a place at most.
 */
#define RELAXED	false
#define ORDERED	true

typedef View {
	byte at[PLACES]
}

typedef Place {
	byte last;
	byte value[STORES];
	View with[STORES]
}

bool weak;
View cpu[CPUS];
View order; /* of full barriers */
Place memory[PLACES];
byte k, nth;

#ifdef FENCES
View fenced[CPUS]; /* at the last write barrier */
View heard[CPUS]; /* what a read barrier makes of the loads so far */
#endif

#define newest(place)	memory[place].value[memory[place].last]

/* One view has all that another has. */
inline learn(to, from)
{
	for (k : 0 .. PLACES - 1) {
		if
		:: to.at[k] < from.at[k] -> to.at[k] = from.at[k]
		:: else
		fi
	}
	k = 0
}

inline full_barrier(c)
{
	atomic {
		if
		:: weak -> learn(order, cpu[c]); learn(cpu[c], order)
		:: else
		fi
	}
}

inline write(c, place, what, how)
{
	if
	:: weak ->
		memory[place].last++;
		cpu[c].at[place] = memory[place].last
	:: else
	fi;
	memory[place].value[memory[place].last] = what;
	if
	:: !weak
	:: weak && how -> learn(memory[place].with[memory[place].last], cpu[c])
#ifdef FENCES
	:: weak && !how -> learn(memory[place].with[memory[place].last], fenced[c])
#else
	:: else
#endif
	fi
}

/* ORDERED: release. */
inline store(c, place, what, how)
{
	d_step { write(c, place, what, how) }
}

/* ORDERED: acquire. */
inline load(c, place, to, how)
{
	atomic {
		nth = (weak -> cpu[c].at[place] : memory[place].last);
		do
		:: nth < memory[place].last -> nth++
		:: break
		od;
		cpu[c].at[place] = nth;
		to = memory[place].value[nth];
		if
		:: weak && how -> learn(cpu[c], memory[place].with[nth])
#ifdef FENCES
		:: weak && !how -> learn(heard[c], memory[place].with[nth])
#endif
		:: else
		fi;
		nth = 0
	}
}

/* ORDERED: a full barrier if it succeeds. */
inline compare_exchange(c, place, old, new, how, succeeds)
{
	d_step {
		succeeds = newest(place) == old;
		if
		:: succeeds ->
			if
			:: weak && how ->
				learn(cpu[c], memory[place].with[memory[place].last]);
				learn(order, cpu[c]);
				learn(cpu[c], order)
			:: else
			fi;
			write(c, place, new, how);
			if
			:: weak && how ->
				learn(order, cpu[c]);
				learn(cpu[c], order)
			:: else
			fi
		:: else
		fi
	}
}

#ifdef FENCES
inline write_barrier(c)
{
	d_step { learn(fenced[c], cpu[c]) }
}

inline read_barrier(c)
{
	d_step { learn(cpu[c], heard[c]) }
}
#endif

/* A unit of memory is read or written: see above. */
#define has_seen(c, unit)	(!weak || cpu[c].at[unit] == memory[unit].last)

inline touch(c, unit)
{
	if
	:: weak ->
		memory[unit].last++;
		cpu[c].at[unit] = memory[unit].last
	:: else
	fi
}
