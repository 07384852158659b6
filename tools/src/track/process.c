// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "process.h"

#include <stdlib.h>

#include "decode/out.h"
#include "memory.h"

#define MAX_PROCESSES (1 << 16)
#define MAX_THREADS   (1 << 17)
#define MAX_KEPT      (1 << 18)

struct slot {
	struct cache_entry entry;
	struct process *process;
};

static void release_slot(void *entry);
static void release_thread(void *entry);

static struct cache slots = CACHE(struct slot, MAX_PROCESSES, .release = release_slot);
static struct cache threads = CACHE(struct thread, MAX_THREADS, .release = release_thread);

static uint64_t last_id;
static bool keep;
static struct process *first_kept, **kept_end = &first_kept;
static unsigned int kept_count;
static uint64_t skipped;

struct process *processes_first(void)
{
	return first_kept;
}

uint64_t processes_skipped(void)
{
	return skipped;
}

static void free_process(struct process *process)
{
	memory_put(process->path);
	memory_put(process->args);
	free(process);
}

/* Nobody asks for it by pid any more. */
static void release_slot(void *entry)
{
	struct slot *slot = entry;
	struct process *process = slot->process;

	slot->process = NULL;
	if (!process)
		return;
	files_put(process->files);
	file_put(process->cwd);
	process->files = NULL;
	process->cwd = NULL;
	process->ended = true;
	if (!process->kept)
		free_process(process);
}

static void release_thread(void *entry)
{
	struct thread *thread = entry;

	thread_forget_call(thread);
	files_put(thread->files);
	thread->files = NULL;
}

void processes_reset(void)
{
	struct process *process, *next;

	cache_clear(&threads);
	cache_clear(&slots);
	for (process = first_kept; process; process = next) {
		next = process->next;
		free_process(process);
	}
	first_kept = NULL;
	kept_end = &first_kept;
	kept_count = 0;
	skipped = 0;
	last_id = 0;
	keep = false;
}

void processes_keep(void)
{
	keep = true;
}

struct process *process_find(int32_t pid)
{
	struct slot *slot = cache_find(&slots, pid, 0);

	return slot ? slot->process : NULL;
}

static void keep_process(struct process *process)
{
	if (!keep)
		return;
	if (kept_count == MAX_KEPT) {
		skipped++;
		return;
	}
	process->kept = true;
	*kept_end = process;
	kept_end = &process->next;
	kept_count++;
}

struct process *process_new(int32_t pid)
{
	struct process *process = calloc(1, sizeof(*process));
	struct slot *slot = cache_get(&slots, pid, 0);

	if (!process)
		die("out of memory");
	release_slot(slot);
	slot->process = process;
	process->pid = pid;
	process->id = ++last_id;
	keep_process(process);
	return process;
}

void process_end(struct process *process)
{
	if (!process->kept) {
		cache_remove(&slots, process->pid, 0);
		return;
	}
	/* A fork that returns now may still ask for it. */
	files_put(process->files);
	process->files = NULL;
	process->ended = true;
}

struct thread *thread_get(struct process *process, int64_t tid)
{
	struct thread *thread = cache_get(&threads, process->pid, tid);

	if (thread->process != process->id) {
		release_thread(thread);
		thread->process = process->id;
		process->threads++;
	}
	return thread;
}

void thread_forget_call(struct thread *thread)
{
	thread->rule = NULL;
	file_put(thread->path);
	thread->path = NULL;
	memory_put(thread->address);
	thread->address = NULL;
	file_put(thread->closing);
	thread->closing = NULL;
	thread->has_flags = false;
}
