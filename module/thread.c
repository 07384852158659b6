// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/preempt.h>

#include "thread.h"

#define SET_BITS 10
#define WAYS	 4

/* What belongs to one trace of the process. */
#define CALL_FLAGS (~(KTRACE_THREAD_IN | KTRACE_THREAD_HELD))

struct entry {
	struct task_struct *task; /* NULL: free; taken by cmpxchg */
	u32 flags; /* its task */
	u32 generation; /* its task: whose CALL_FLAGS are */
	u64 value[KTRACE_THREAD_VALUES]; /* its task */
};

static struct entry table[1 << SET_BITS][WAYS] ____cacheline_aligned;

/* A thread's entry may be in one of two sets: where it goes when its first one is full. */
static struct entry *set_of(const struct task_struct *task, bool second)
{
	u32 hash = hash_ptr(task, 2 * SET_BITS);

	return table[second ? hash & ((1 << SET_BITS) - 1) : hash >> SET_BITS];
}

static struct entry *find_in(struct entry *set, const struct task_struct *task)
{
	int i;

	for (i = 0; i < WAYS; i++)
		if (READ_ONCE(set[i].task) == task)
			return &set[i];
	return NULL;
}

static struct entry *find(const struct task_struct *task)
{
	struct entry *e = find_in(set_of(task, false), task);

	return e ? e : find_in(set_of(task, true), task);
}

static struct entry *take_in(struct entry *set, struct task_struct *task)
{
	int i;

	for (i = 0; i < WAYS; i++)
		if (!READ_ONCE(set[i].task) && !cmpxchg(&set[i].task, NULL, task)) {
			WRITE_ONCE(set[i].flags, 0);
			return &set[i];
		}
	return NULL;
}

static struct entry *find_or_take(struct task_struct *task)
{
	struct entry *e = find(task);

	if (!e)
		e = take_in(set_of(task, false), task);
	return e ? e : take_in(set_of(task, true), task);
}

/* What is remembered of another trace of the process counts for nothing. */
static void adopt(struct entry *e, u32 generation)
{
	if (e->generation == generation)
		return;
	e->generation = generation;
	WRITE_ONCE(e->flags, e->flags & ~CALL_FLAGS);
}

/**
 * ktrace_thread_set - remember
 * @task: current
 * @flag: KTRACE_THREAD_IN or KTRACE_THREAD_HELD
 *
 * Context: task context.
 * Return: false if there was no room.
 */
bool ktrace_thread_set(struct task_struct *task, u32 flag)
{
	struct entry *e;

	preempt_disable_notrace();
	e = find_or_take(task);
	if (e)
		WRITE_ONCE(e->flags, e->flags | flag);
	preempt_enable_notrace();
	return e;
}

static u64 *value_of(struct entry *e, u32 flag)
{
	return &e->value[__builtin_ctz(flag)];
}

/**
 * ktrace_thread_put - remember a value
 * @task: current
 * @generation: of its process's trace
 * @flag: one that has a value
 * @value: it
 *
 * Context: preemption disabled.
 */
void ktrace_thread_put(struct task_struct *task, u32 generation, u32 flag, u64 value)
{
	struct entry *e = find_or_take(task);

	if (!e)
		return;
	adopt(e, generation);
	*value_of(e, flag) = value;
	WRITE_ONCE(e->flags, e->flags | flag);
}

/** ktrace_thread_test - is @flag remembered of current? */
bool ktrace_thread_test(const struct task_struct *task, u32 flag)
{
	struct entry *e = find(task);

	return e && READ_ONCE(e->flags) & flag;
}

/** ktrace_thread_clear - forget @flags of current */
void ktrace_thread_clear(struct task_struct *task, u32 flags)
{
	struct entry *e;

	preempt_disable_notrace();
	e = find(task);
	if (e) {
		WRITE_ONCE(e->flags, e->flags & ~flags);
		if (!e->flags)
			smp_store_release(&e->task, NULL); /* after flags: who takes it finds 0 */
	}
	preempt_enable_notrace();
}

/**
 * ktrace_thread_get - is a value remembered?
 * @task: current, or the one that the CPU is about to switch to
 * @generation: of its process's trace
 * @flag: one that has a value
 * @value: gets it
 *
 * Context: preemption disabled.
 */
bool ktrace_thread_get(const struct task_struct *task, u32 generation, u32 flag, u64 *value)
{
	struct entry *e = find(task);

	if (!e || !(READ_ONCE(e->flags) & flag) || e->generation != generation)
		return false;
	*value = *value_of(e, flag);
	return true;
}

/** ktrace_thread_take - as ktrace_thread_get(), and it is forgotten */
bool ktrace_thread_take(struct task_struct *task, u32 generation, u32 flag, u64 *value)
{
	bool ours = ktrace_thread_get(task, generation, flag, value);

	ktrace_thread_clear(task, flag);
	return ours;
}

/**
 * ktrace_thread_mark - remember a flag of a call
 * @task: current
 * @generation: of its process's trace
 * @flag: one without a value
 *
 * Context: preemption disabled.
 */
void ktrace_thread_mark(struct task_struct *task, u32 generation, u32 flag)
{
	struct entry *e = find_or_take(task);

	if (!e)
		return;
	adopt(e, generation);
	WRITE_ONCE(e->flags, e->flags | flag);
}

/**
 * ktrace_thread_unmark - forget a flag of a call
 * @task: current
 * @generation: of its process's trace
 * @flag: one without a value
 *
 * Context: preemption disabled.
 * Return: was it remembered, in this trace?
 */
bool ktrace_thread_unmark(struct task_struct *task, u32 generation, u32 flag)
{
	struct entry *e = find(task);
	bool ours = e && READ_ONCE(e->flags) & flag && e->generation == generation;

	if (e)
		ktrace_thread_clear(task, flag);
	return ours;
}

/**
 * ktrace_thread_forget - forget the calls of all threads
 *
 * For when nobody is told any more that a thread exits: what is left of it
 * would be found by the next one whose task_struct lies there.  A thread that
 * is in an ioctl or held back may lose that too: see the flags.
 *
 * Context: no probe runs.
 */
void ktrace_thread_forget(void)
{
	struct entry *e = &table[0][0];
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(*e); i++, e++) {
		if (!READ_ONCE(e->task) || !(READ_ONCE(e->flags) & CALL_FLAGS))
			continue;
		WRITE_ONCE(e->flags, e->flags & ~CALL_FLAGS);
		if (!READ_ONCE(e->flags))
			smp_store_release(&e->task, NULL); /* after flags, as above */
	}
}

/**
 * ktrace_thread_enter - current begins a call
 * @task: current
 * @generation: of its process's trace: what is remembered of another counts for nothing
 *
 * Context: preemption disabled.
 */
void ktrace_thread_enter(struct task_struct *task, u32 generation)
{
	ktrace_thread_mark(task, generation, KTRACE_THREAD_SEEN | KTRACE_THREAD_ENTERED);
}

/**
 * ktrace_thread_leave - current ends a call
 * @task: current
 * @generation: as above
 *
 * The first end that is seen may be that of a call from before the trace, or of
 * the call that made the thread: those have no beginning.
 *
 * Context: preemption disabled.
 * Return: true if the call never began: seccomp refused it.
 */
bool ktrace_thread_leave(struct task_struct *task, u32 generation)
{
	struct entry *e = find_or_take(task);
	u32 flags;

	if (!e)
		return false;
	adopt(e, generation);
	flags = e->flags;
	WRITE_ONCE(e->flags, (flags & ~KTRACE_THREAD_ENTERED) | KTRACE_THREAD_SEEN);
	return (flags & (KTRACE_THREAD_SEEN | KTRACE_THREAD_ENTERED)) == KTRACE_THREAD_SEEN;
}
