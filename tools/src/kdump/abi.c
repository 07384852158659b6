// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "abi.h"

#include <stddef.h>
#include <sys/ktrace.h>

#include "cache.h"
#include "syscall_names.h"

#define MAX_PROCESSES (1 << 18)
#define MAX_THREADS   (1 << 18)

#define ABI_BITS (KTRACE_SV_ABI_MASK | KTRACE_SV_ILP32 | KTRACE_SV_LP64 | KTRACE_SV_IA32)

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
	int code; /* of that CALL */
	uint32_t call_flags; /* in force then */
};

static struct cache processes = CACHE(struct process, MAX_PROCESSES);
static struct cache threads = CACHE(struct thread, MAX_THREADS);
static uint64_t generations;

bool abi_is_linux(uint32_t flags)
{
	return (flags & KTRACE_SV_ABI_MASK) == KTRACE_SV_ABI_LINUX;
}

static const struct syscall_table *find_table(uint32_t flags)
{
	if (!abi_is_linux(flags))
		return &syscalls_freebsd;
	if (flags & KTRACE_SV_IA32)
		return &syscalls_i386;
	/* 32 bits and not of x86: arm, whose calls are not known here. */
	return flags & KTRACE_SV_ILP32 ? NULL : &syscalls_x86_64;
}

const char *abi_syscall_name(uint32_t flags, int code)
{
	const struct syscall_table *table = find_table(flags);

	return table && code >= 0 && code < table->count ? table->names[code] : NULL;
}

const char *abi_letters(uint32_t flags)
{
	static const char *const letters[3][3] = {
		{ "U00", "U32", "U64" },
		{ "L00", "L32", "L64" },
		{ "F00", "F32", "F64" },
	};
	uint32_t abi = flags & KTRACE_SV_ABI_MASK;
	int row = abi == KTRACE_SV_ABI_LINUX ? 1 : abi == KTRACE_SV_ABI_FREEBSD ? 2 : 0;
	int column = flags & KTRACE_SV_LP64 ? 2 : flags & KTRACE_SV_ILP32 ? 1 : 0;

	return letters[row][column];
}

static bool is_exec(uint32_t flags, int code)
{
	if (!abi_is_linux(flags))
		return code == 59 || code == 492; /* execve, fexecve */
	if (flags & KTRACE_SV_IA32)
		return code == 11 || code == 358; /* execve, execveat */
	return code == 59 || code == 322;
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
	if (thread->in_call && is_exec(thread->call_flags, thread->code)) {
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
	if (thread->in_call && thread->code == ret.code)
		flags = thread->call_flags;
	else if (process && process->old_flags && is_exec(process->old_flags, ret.code))
		/* A thread that is no leader returns from execve as the leader. */
		flags = process->old_flags;
	thread->in_call = false;
	if (process)
		process->old_flags = 0;
	return flags;
}

struct abi abi_track(const struct ktrace_record *record)
{
	struct process *process = cache_find(&processes, record->pid, 0);
	struct abi abi = { .flags = process ? process->flags : 0 };
	struct thread *thread;

	if (record->type == KTR_PROCDTOR) {
		cache_remove(&processes, record->pid, 0);
		cache_remove(&threads, record->pid, record->tid);
		return abi;
	}

	thread = get_thread(record, process ? process->generation : 0);
	if (record->type == KTR_PROCCTOR) {
		procctor(record, process, thread);
		return abi;
	}
	if (thread->override == OVERRIDE_PENDING) {
		if (is_of_call(record))
			thread->override = OVERRIDE_CALL;
		else if (process)
			change_process(process, thread, thread->override_flags);
		abi.flags = thread->override_flags;
	} else if (thread->override == OVERRIDE_CALL) {
		abi.flags = thread->override_flags;
	}

	abi.call_flags = abi.flags;
	if (record->type == KTR_SYSCALL) {
		struct ktrace_record_syscall call;

		ktrace_record_get_syscall(record, &call);
		thread->in_call = true;
		thread->code = call.code;
		thread->call_flags = abi.flags;
	} else if (record->type == KTR_SYSRET) {
		abi.call_flags = sysret(record, process, thread, abi.flags);
	}
	return abi;
}

void abi_reset(void)
{
	cache_clear(&processes);
	cache_clear(&threads);
	generations = 0;
}
