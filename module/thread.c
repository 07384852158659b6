// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/preempt.h>
#include <linux/uidgid.h>

#include "thread.h"

#define SET_BITS 12
#define WAYS	 4

/* What belongs to the calls of one trace of the process. */
#define CALL_FLAGS \
	(KTRACE_THREAD_CODE | KTRACE_THREAD_SEEN | KTRACE_THREAD_ENTERED | KTRACE_THREAD_ABI)
/* What belongs to traces at all. */
#define TRACE_FLAGS                                                                     \
	(CALL_FLAGS | KTRACE_THREAD_LEN | KTRACE_THREAD_FAULT | KTRACE_THREAD_WATCHED | \
	 KTRACE_THREAD_STOP)

/*
 * A user's threads take a part of the table at most, so that nobody's trace
 * suffers from another's.  Users are told apart by a hash: two may have to share.
 * Root's threads (share 0) take what there is.
 */
#define SHARE_BITS 8
#define SHARE_MOST (WAYS << (SET_BITS - 4))

struct entry {
	struct task_struct *task; /* NULL: free; taken by cmpxchg */
	/* Its task, and ktrace_thread_forget(): who takes the last one lets it go. */
	atomic_t flags;
	u32 share; /* its task: who took it */
	u32 generation; /* its task: whose CALL_FLAGS are */
	u32 fault; /* its task: likewise KTRACE_THREAD_FAULT */
	u32 stop; /* its task: likewise KTRACE_THREAD_STOP */
	u32 len; /* its task: likewise KTRACE_THREAD_LEN */
	u64 value[KTRACE_THREAD_VALUES]; /* its task */
};

static struct entry table[1 << SET_BITS][WAYS] ____cacheline_aligned;
static atomic_t shares[1 << SHARE_BITS];
atomic_t ktrace_thread_inside = ATOMIC_INIT(0);

static u32 share_of(kuid_t uid)
{
	u32 id = __kuid_val(uid);

	return id ? 1 + hash_32(id, 32) % ((1 << SHARE_BITS) - 1) : 0;
}

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
			atomic_set(&set[i].flags, 0);
			return &set[i];
		}
	return NULL;
}

/* @task is current. */
static struct entry *find_or_take(struct task_struct *task)
{
	struct entry *e = find(task);
	u32 share;

	if (e)
		return e;
	share = share_of(current_uid());
	if (share && atomic_read(&shares[share]) >= SHARE_MOST)
		return NULL;
	e = take_in(set_of(task, false), task);
	if (!e)
		e = take_in(set_of(task, true), task);
	if (e) {
		e->share = share;
		atomic_inc(&shares[share]);
	}
	return e;
}

static bool has(const struct entry *e, u32 flag)
{
	return atomic_read(&e->flags) & flag;
}

/* Forget @flags; with the last one the entry is free. */
static void drop(struct entry *e, u32 flags)
{
	u32 before = atomic_fetch_andnot(flags, &e->flags);

	if (before & flags & KTRACE_THREAD_IN)
		atomic_dec(&ktrace_thread_inside);
	if (!before || before & ~flags)
		return;
	atomic_dec(&shares[e->share]);
	smp_store_release(&e->task, NULL); /* after all else: who takes it begins anew */
}

/* What is remembered of the calls of another trace of the process counts for nothing. */
static void adopt(struct entry *e, u32 generation)
{
	if (e->generation == generation)
		return;
	e->generation = generation;
	atomic_andnot(CALL_FLAGS, &e->flags); /* the caller adds one: it is not free */
}

/**
 * ktrace_thread_set - remember
 * @task: current
 * @flag: KTRACE_THREAD_IN, _HELD or _WATCHED
 *
 * Context: task context.
 * Return: false if there was no room.
 */
bool ktrace_thread_set(struct task_struct *task, u32 flag)
{
	struct entry *e;

	preempt_disable_notrace();
	e = find_or_take(task);
	if (e && !(atomic_fetch_or(flag, &e->flags) & flag) && flag == KTRACE_THREAD_IN)
		atomic_inc(&ktrace_thread_inside);
	preempt_enable_notrace();
	return e;
}

/* Whose a value is. */
static u32 *generation_of(struct entry *e, u32 flag)
{
	if (flag == KTRACE_THREAD_FAULT)
		return &e->fault;
	if (flag == KTRACE_THREAD_STOP)
		return &e->stop;
	if (flag == KTRACE_THREAD_LEN)
		return &e->len;
	return &e->generation;
}

static u64 *value_of(struct entry *e, u32 flag)
{
	return &e->value[__builtin_ctz(flag)];
}

/**
 * ktrace_thread_put - remember a value
 * @task: current
 * @generation: of its process's trace, of what the flag is about (proc.h)
 * @flag: one that has a value
 * @value: it
 *
 * Context: preemption disabled.
 * Return: false if there was no room.
 */
bool ktrace_thread_put(struct task_struct *task, u32 generation, u32 flag, u64 value)
{
	struct entry *e = find_or_take(task);

	if (!e)
		return false;
	if (flag & CALL_FLAGS)
		adopt(e, generation);
	*generation_of(e, flag) = generation;
	*value_of(e, flag) = value;
	atomic_or(flag, &e->flags);
	return true;
}

/** ktrace_thread_test - is @flag remembered of current? */
bool ktrace_thread_test(const struct task_struct *task, u32 flag)
{
	struct entry *e = find(task);

	return e && has(e, flag);
}

/** ktrace_thread_clear - forget @flags of current */
void ktrace_thread_clear(struct task_struct *task, u32 flags)
{
	struct entry *e;

	preempt_disable_notrace();
	e = find(task);
	if (e)
		drop(e, flags);
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

	if (!e || !has(e, flag) || *generation_of(e, flag) != generation)
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
	atomic_or(flag, &e->flags);
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
	bool ours = e && has(e, flag) && e->generation == generation;

	if (e)
		ktrace_thread_clear(task, flag);
	return ours;
}

/**
 * ktrace_thread_forget - forget what belongs to traces, of all threads
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
		if (READ_ONCE(e->task))
			drop(e, TRACE_FLAGS);
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
 * Return: 1 if the call never began: seccomp refused it; 0 if it began, or was not
 * seen to; -ENOSPC: there was no room to remember.
 */
int ktrace_thread_leave(struct task_struct *task, u32 generation)
{
	struct entry *e = find_or_take(task);
	u32 flags;

	if (!e)
		return -ENOSPC;
	adopt(e, generation);
	flags = atomic_read(&e->flags);
	atomic_or(KTRACE_THREAD_SEEN, &e->flags);
	atomic_andnot(KTRACE_THREAD_ENTERED, &e->flags);
	return (flags & (KTRACE_THREAD_SEEN | KTRACE_THREAD_ENTERED)) == KTRACE_THREAD_SEEN;
}
