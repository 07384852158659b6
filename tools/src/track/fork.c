// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "fork.h"

#include <string.h>
#include <sys/ktrace.h>

#include "ktrace_format.h"

/* Calls in progress that are remembered; one more takes the place of the oldest. */
#define MAX_FORKS 64

/* Flags of clone(2), and of FreeBSD's rfork(2) */
#define CLONE_FILES  0x400
#define CLONE_THREAD 0x10000
#define RFFDG	     0x4
#define RFPROC	     0x10
#define RFCFDG	     0x1000

/* What a child does with its parent's descriptors. */
enum inheritance {
	COPIES,
	SHARES,
	NOTHING,
};

struct fork {
	uint64_t process; /* id of who called; 0: free */
	int32_t pid;
	int64_t tid;
	uint64_t record; /* its offset */
	uint64_t child; /* id of who was taken for the child; 0: nobody */
	int32_t child_pid;
	enum inheritance inheritance;
	char comm[KTRACE_COMM_LEN];
};

static struct fork forks[MAX_FORKS];
static unsigned int next_fork;

void fork_reset(void)
{
	memset(forks, 0, sizeof(forks));
}

static struct fork *find(const struct process *process, int64_t tid)
{
	unsigned int i;

	for (i = 0; i < MAX_FORKS; i++)
		if (forks[i].process == process->id && forks[i].tid == tid)
			return &forks[i];
	return NULL;
}

/* A free place if there is one, else the oldest. */
static struct fork *get(const struct process *process, int64_t tid)
{
	struct fork *fork = find(process, tid);
	unsigned int i;

	for (i = 0; !fork && i < MAX_FORKS; i++)
		if (forks[i].process == 0)
			fork = &forks[i];
	return fork ? fork : &forks[next_fork++ % MAX_FORKS];
}

static enum inheritance inheritance(enum call_effect effect, uint64_t flags)
{
	switch (effect) {
	case EFFECT_CLONE:
	case EFFECT_CLONE3:
		return flags & CLONE_FILES ? SHARES : COPIES;
	case EFFECT_RFORK:
		return flags & RFCFDG ? NOTHING : flags & RFFDG ? COPIES : SHARES;
	default:
		return COPIES;
	}
}

/* Does it make no process? */
static bool is_thread(enum call_effect effect, uint64_t flags)
{
	switch (effect) {
	case EFFECT_CLONE:
	case EFFECT_CLONE3:
		return flags & CLONE_THREAD;
	case EFFECT_RFORK:
		return !(flags & RFPROC);
	default:
		return false;
	}
}

/* Of clone3 they are known when it returns. */
static uint64_t flags_of(const struct thread *thread, const struct event *event)
{
	if (thread->rule->effect == EFFECT_CLONE3)
		return thread->has_flags ? thread->flags : 0;
	return (uint64_t)event->call->word[0];
}

void fork_begin(const struct process *process, const struct thread *thread,
		const struct event *event)
{
	enum call_effect effect = thread->rule->effect;
	uint64_t flags = flags_of(thread, event);
	struct fork *fork;

	if (is_thread(effect, flags))
		return;
	fork = get(process, event->record->tid);
	*fork = (struct fork){
		.process = process->id,
		.pid = process->pid,
		.tid = event->record->tid,
		.record = event->record->offset,
		.inheritance = inheritance(effect, flags),
	};
	memcpy(fork->comm, event->record->comm, sizeof(fork->comm));
}

static void inherit(struct process *child, const struct process *parent,
		    const struct thread *thread, enum inheritance how)
{
	struct files *files = thread_files(parent, thread);

	child->parent = parent->id;
	child->forked = true;
	if (child->ended)
		return;
	if (!child->cwd)
		child->cwd = file_get(parent->cwd);
	if (how == SHARES) {
		files_put(child->files);
		child->files = files_get(files);
	} else if (how == COPIES && child->files) {
		files_add_missing(child->files, files);
	} else if (how == COPIES) {
		child->files = files_copy(files);
	}
}

/* The only process of this name that is in such a call whose child has not been seen; or NULL. */
static struct fork *candidate(const struct event *event)
{
	struct fork *found = NULL;
	unsigned int i;

	for (i = 0; i < MAX_FORKS; i++) {
		if (forks[i].process == 0 || forks[i].child ||
		    strcmp(forks[i].comm, event->record->comm) != 0)
			continue;
		if (found && found->process != forks[i].process)
			return NULL;
		found = &forks[i];
	}
	return found;
}

void fork_child(struct process *child, const struct event *event)
{
	struct fork *fork = candidate(event);
	struct process *parent = fork ? process_find(fork->pid) : NULL;

	if (!parent || parent->id != fork->process)
		return;
	fork->child = child->id;
	fork->child_pid = child->pid;
	inherit(child, parent, thread_get(parent, fork->tid), fork->inheritance);
}

/*
 * The child whose number was returned; a new one if nothing was seen of it yet.
 * @certain: it is a process, not a thread
 */
static struct process *child_of(const struct fork *fork, int32_t pid, bool certain,
				const struct event *event)
{
	struct process *child = process_find(pid);

	/* One that began before the call had the number earlier. */
	if (child && child->first > fork->record)
		return child;
	/* A number of another namespace, or of a thread. */
	if (fork->child || !certain || pid == fork->pid)
		return NULL;
	if (child && !child->ended) {
		if (child->state == PROCESS_RUNS)
			child->state = PROCESS_GONE;
		process_end(child);
	}
	child = process_new(pid);
	child->begin = event->time;
	child->end = event->time;
	child->first = event->record->offset;
	child->flags = event->call->flags;
	memcpy(child->comm, fork->comm, sizeof(child->comm));
	return child;
}

/* It was taken for the child of another one. */
static void undo_guess(const struct fork *fork)
{
	struct process *process = fork->child ? process_find(fork->child_pid) : NULL;

	if (process && process->id == fork->child) {
		process->parent = 0;
		process->forked = false;
	}
}

/* Threads of one process that fork at once: each was given a child, but maybe the other's. */
static void settle_guess(struct fork *fork, const struct process *child)
{
	unsigned int i;

	for (i = 0; i < MAX_FORKS; i++) {
		struct fork *other = &forks[i];

		if (other == fork || other->process == 0 || other->child != child->id)
			continue;
		if (other->process == fork->process) {
			other->child = fork->child;
			other->child_pid = fork->child_pid;
			fork->child = child->id;
			fork->child_pid = child->pid;
		} else {
			other->child = 0;
		}
	}
}

void fork_end(struct process *process, struct thread *thread, const struct event *event,
	      int32_t pid)
{
	struct fork *fork = find(process, event->record->tid);
	enum call_effect effect = thread->rule->effect;
	uint64_t flags = flags_of(thread, event);
	struct process *child = NULL;

	if (!fork)
		return;
	if (pid > 0 && !is_thread(effect, flags))
		child = child_of(fork, pid, effect != EFFECT_CLONE3 || thread->has_flags, event);
	if (child && child->id != fork->child)
		settle_guess(fork, child);
	if (child && child->id != fork->child) {
		undo_guess(fork);
		inherit(child, process, thread, inheritance(effect, flags));
	} else if (child && inheritance(effect, flags) == SHARES) {
		inherit(child, process, thread, SHARES);
	}
	fork->process = 0;
}

bool fork_is_childs_return(const struct event *event)
{
	struct ktrace_record_sysret ret;
	const struct call_rule *rule;

	if (event->record->type != KTR_SYSRET || event->call)
		return false;
	ktrace_record_get_sysret(event->record, &ret);
	if (ret.error || ret.retval)
		return false;
	rule = call_find_rule(event->abi.call_flags, ret.code);
	return rule && call_makes_process(rule->effect);
}
