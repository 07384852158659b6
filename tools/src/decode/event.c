// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/event.h"

#include <stddef.h>
#include <string.h>
#include <sys/ktrace.h>

#include "decode/cache.h"
#include "ktrace_format.h"

#define MAX_PROCESSES (1 << 18)
#define MAX_THREADS   (1 << 18)

#define NSEC_PER_SEC INT64_C(1000000000)
#define USEC_PER_SEC INT64_C(1000000)

#define ABI_BITS \
	(KTRACE_SV_ABI_MASK | KTRACE_SV_ILP32 | KTRACE_SV_LP64 | KTRACE_SV_IA32 | KTRACE_SV_ARM64)

struct process {
	struct cache_entry entry;
	uint32_t flags;
	uint32_t old_flags; /* before the exec that has not returned; 0: none */
	uint64_t generation; /* tells one use of a pid from the next */
};

/* A PROCCTOR that may be about one call of this thread only. */
enum override {
	OVERRIDE_NONE,
	OVERRIDE_PENDING, /* the thread's next record will tell */
	OVERRIDE_CALL, /* it was a call: until the PROCCTOR that ends it */
};

struct thread {
	struct cache_entry entry;
	uint64_t generation; /* of its process; differs: all else is stale */
	enum override override;
	uint32_t override_flags;
	bool in_call;
	struct call call;
};

static struct cache processes = CACHE(struct process, MAX_PROCESSES);
static struct cache threads = CACHE(struct thread, MAX_THREADS);
static uint64_t generations;

static bool is_exec(uint32_t flags, int code)
{
	switch (abi_table(flags)) {
	case ABI_LINUX64:
		return code == 59 || code == 322; /* execve, execveat */
	case ABI_LINUX32:
		return code == 11 || code == 358;
	case ABI_ARM64:
		return code == 221 || code == 281;
	case ABI_ARM32:
		return code == 11 || code == 387;
	default:
		return code == 59 || code == 492; /* execve, fexecve */
	}
}

bool call_is_exec(const struct call *call)
{
	return is_exec(call->flags, call->code);
}

bool call_never_returns(const struct call *call)
{
	const char *name = abi_syscall_name(call->flags, call->code);

	return name && (strcmp(name, "exit") == 0 || strcmp(name, "exit_group") == 0 ||
			strcmp(name, "thr_exit") == 0);
}

/* Does it look like the begin of an int $0x80? */
static bool is_narrowing(uint32_t from, uint32_t to)
{
	return abi_is_linux(from) && abi_is_linux(to) && from & KTRACE_SV_LP64 &&
	       to & KTRACE_SV_IA32;
}

static struct thread *get_thread(const struct ktrace_record *record, uint64_t generation)
{
	struct thread *thread = cache_get(&threads, record->pid, record->tid);

	if (thread->generation != generation) {
		thread->generation = generation;
		thread->override = OVERRIDE_NONE;
		thread->in_call = false;
	}
	return thread;
}

/* Can it be what follows the first PROCCTOR of a call whose CALL came before the trace? */
static bool is_of_call(const struct ktrace_record *record)
{
	struct ktrace_record_sysret ret;

	if (record->type == KTR_SYSRET) {
		ktrace_record_get_sysret(record, &ret);
		return ret.error != KTRACE_EJUSTRETURN;
	}
	return record->type == KTR_SYSCALL || record->type == KTR_GENIO ||
	       record->type == KTR_STRUCT || record->type == KTR_STRUCT_ARRAY;
}

static void change_process(struct process *process, struct thread *thread, uint32_t flags)
{
	if (process->flags != flags)
		process->old_flags = process->flags;
	process->flags = flags;
	thread->override = OVERRIDE_NONE;
}

static void procctor(const struct ktrace_record *record, struct process *process,
		     struct thread *thread)
{
	uint32_t flags = ktrace_record_sv_flags(record) & ABI_BITS;

	if (!process) {
		process = cache_get(&processes, record->pid, 0);
		process->flags = flags;
		process->generation = ++generations;
		return;
	}
	if (thread->in_call && call_is_exec(&thread->call)) {
		change_process(process, thread, flags);
	} else if (thread->override != OVERRIDE_NONE && flags == process->flags) {
		thread->override = OVERRIDE_NONE;
	} else if (is_narrowing(process->flags, flags)) {
		thread->override = OVERRIDE_PENDING;
		thread->override_flags = flags;
	} else {
		change_process(process, thread, flags);
	}
}

/* The flags at the CALL that this RET belongs to. */
static uint32_t sysret(const struct ktrace_record *record, struct process *process,
		       struct thread *thread, uint32_t flags)
{
	struct ktrace_record_sysret ret;

	ktrace_record_get_sysret(record, &ret);
	if (thread->in_call && thread->call.code == ret.code)
		flags = thread->call.flags;
	else if (process && process->old_flags && is_exec(process->old_flags, ret.code))
		/* A thread that is no leader returns from execve as the leader. */
		flags = process->old_flags;
	thread->in_call = false;
	if (process)
		process->old_flags = 0;
	return flags;
}

struct event_time event_time(const struct ktrace_record *record)
{
	struct event_time t = { .sec = record->sec };

	if (record->version)
		t.nsec = record->frac % NSEC_PER_SEC;
	else
		t.nsec = record->frac % USEC_PER_SEC * (NSEC_PER_SEC / USEC_PER_SEC);
	if (t.nsec < 0) {
		t.sec = (int64_t)((uint64_t)t.sec - 1);
		t.nsec += NSEC_PER_SEC;
	}
	return t;
}

static int64_t time_of(const struct ktrace_record *record)
{
	struct event_time t = event_time(record);
	int64_t time;

	if (__builtin_mul_overflow(t.sec, NSEC_PER_SEC, &time) ||
	    __builtin_add_overflow(time, t.nsec, &time))
		return record->sec < 0 ? INT64_MIN : INT64_MAX;
	return time;
}

static void begin_call(struct thread *thread, const struct event *event)
{
	bool ilp32_record = event->record->layout == KTRACE_LAYOUT_ILP32;
	struct ktrace_record_syscall call;

	ktrace_record_get_syscall(event->record, &call);
	thread->in_call = true;
	thread->call = (struct call){
		.flags = event->abi.flags,
		.code = call.code,
		.narg = call.narg,
		.ilp32 = ilp32_record || event->abi.flags & KTRACE_SV_ILP32,
		.ilp32_record = ilp32_record,
		.time = event->time,
	};
	for (unsigned int i = 0; i < call.narg && i < ARGS_KNOWN; i++)
		thread->call.word[i] = ktrace_record_arg(event->record, i);
}

void event_reset(void)
{
	cache_clear(&processes);
	cache_clear(&threads);
	generations = 0;
}

/* A RET of another call: records between were lost. */
static bool is_about(const struct ktrace_record *record, const struct call *call)
{
	struct ktrace_record_sysret ret;

	if (record->type != KTR_SYSRET)
		return true;
	ktrace_record_get_sysret(record, &ret);
	return ret.code == call->code;
}

void event_track(const struct ktrace_record *record, struct event *event)
{
	struct process *process = cache_find(&processes, record->pid, 0);
	struct thread *thread;

	*event = (struct event){
		.record = record,
		.abi.flags = process ? process->flags : 0,
		.time = time_of(record),
	};
	if (record->type == KTR_PROCDTOR) {
		cache_remove(&processes, record->pid, 0);
		cache_remove(&threads, record->pid, record->tid);
		return;
	}

	thread = get_thread(record, process ? process->generation : 0);
	if (record->type == KTR_PROCCTOR) {
		if (thread->in_call)
			event->call = &thread->call;
		procctor(record, process, thread);
		return;
	}
	if (thread->override == OVERRIDE_PENDING) {
		if (is_of_call(record))
			thread->override = OVERRIDE_CALL;
		else if (process)
			change_process(process, thread, thread->override_flags);
		event->abi.flags = thread->override_flags;
	} else if (thread->override == OVERRIDE_CALL) {
		event->abi.flags = thread->override_flags;
	}

	event->abi.call_flags = event->abi.flags;
	if (record->type == KTR_SYSCALL)
		begin_call(thread, event);
	if (thread->in_call && is_about(record, &thread->call))
		event->call = &thread->call;
	if (record->type == KTR_SYSRET)
		event->abi.call_flags = sysret(record, process, thread, event->abi.flags);
}

static bool is_cut(int64_t time)
{
	return time == INT64_MIN || time == INT64_MAX;
}

bool event_time_between(int64_t from, int64_t to, int64_t *ns)
{
	return !is_cut(from) && !is_cut(to) && !__builtin_sub_overflow(to, from, ns);
}

bool event_duration(const struct event *event, int64_t *ns)
{
	if (event->record->type != KTR_SYSRET || !event->call)
		return false;
	return event_time_between(event->call->time, event->time, ns);
}
