// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "track.h"

#include <limits.h>
#include <string.h>
#include <sys/ktrace.h>

#include "decode/abi.h"
#include "reader/layout.h"
#include "track/address.h"
#include "track/descriptors.h"
#include "track/fork.h"
#include "track/memory.h"
#include "track/socket.h"

#define MOST_ARGS 4096

static bool follow_files;

static struct {
	struct process *process;
	struct thread *thread; /* NULL: the record is of none */
	const struct file *result;
	struct process_end end;
} current;

void track_reset(bool keep, bool files)
{
	follow_files = files;
	memset(&current, 0, sizeof(current));
	fork_reset();
	socket_reset();
	processes_reset();
	if (keep)
		processes_keep();
}

/* On Linux one of them has the process's number; FreeBSD's are all alike. */
static bool is_main_thread(const struct ktrace_record *record, uint32_t flags)
{
	return record->tid == record->pid || !abi_is_linux(flags);
}

static struct process *begin(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	struct process *process = process_new(record->pid);

	process->begin = event->time;
	process->first = record->offset;
	if (record->type == KTR_PROCCTOR)
		fork_child(process, event);
	if (follow_files && !process->files && !process->parent)
		process->files = files_new();
	return process;
}

static struct process *get_process(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	struct process *process = process_find(record->pid);

	if (!process || process->ended)
		process = begin(event);
	process->seen = true;
	process->end = event->time;
	if (event->abi.flags)
		process->flags = event->abi.flags;
	if (!process->comm[0] || is_main_thread(record, event->abi.flags))
		memcpy(process->comm, record->comm, sizeof(process->comm));
	return process;
}

/* Signals whose default action is not the end, by their numbers in the file. */
static bool is_harmless(int signo)
{
	switch (signo) {
	case 16: /* SIGURG */
	case 17: /* SIGSTOP */
	case 18: /* SIGTSTP */
	case 19: /* SIGCONT */
	case 20: /* SIGCHLD */
	case 21: /* SIGTTIN */
	case 22: /* SIGTTOU */
	case 28: /* SIGWINCH */
	case 29: /* SIGINFO */
		return true;
	}
	return false;
}

static void take_signal(struct process *process, const struct ktrace_record *record)
{
	struct ktrace_record_psig psig;

	ktrace_record_get_psig(record, &psig);
	if (psig.action || is_harmless(psig.signo) || process->final ||
	    process->state == PROCESS_KILLED)
		return;
	process->state = PROCESS_KILLED;
	process->status = psig.signo;
	process->killed = record->tid;
}

/* @final: of the whole process; the first one counts, and more than exit(2) of the main thread. */
static void take_exit(struct process *process, const struct event *event, bool final)
{
	if (process->final || process->state == PROCESS_KILLED)
		return;
	process->state = PROCESS_EXITED;
	process->status = (int)event->call->word[0] & 0xff;
	process->final = final;
}

static void take_call(struct process *process, struct thread *thread, const struct event *event)
{
	enum call_effect effect;

	thread_forget_call(thread);
	/* It was not the end; other threads may get so far. */
	if (process->state == PROCESS_KILLED && process->killed == event->record->tid)
		process->state = PROCESS_RUNS;
	thread->rule = call_find_rule(event->call->flags, event->call->code);
	if (!thread->rule)
		return;
	effect = thread->rule->effect;
	if (call_makes_process(effect))
		fork_begin(process, thread, event);
	else if (effect == EFFECT_EXIT_GROUP)
		take_exit(process, event, true);
	else if (effect == EFFECT_EXIT && is_main_thread(event->record, event->call->flags))
		take_exit(process, event, false);
	else if (follow_files)
		descriptors_call(process, thread, event);
}

static void take_exec(struct process *process, struct thread *thread, const struct event *event)
{
	struct file *program = NULL;

	if (event->call && thread->rule)
		program = descriptors_program(process, thread, event);
	descriptors_exec(process, thread);
	memory_put(process->path);
	process->path =
		program && program->name ? memory_copy(program->name, strlen(program->name)) : NULL;
	file_put(program);
}

static bool is_exec(const struct call_rule *rule)
{
	return rule && (rule->effect == EFFECT_EXEC || rule->effect == EFFECT_EXEC_FILE);
}

static void take_return(struct process *process, struct thread *thread, const struct event *event)
{
	struct ktrace_record_sysret ret;
	const struct call_rule *rule;

	ktrace_record_get_sysret(event->record, &ret);
	rule = event->call ? thread->rule : call_find_rule(event->abi.call_flags, ret.code);
	if (is_exec(rule)) {
		/* Also of another thread's call: it has become this one. */
		if (follow_files && (ret.error == 0 || ret.error == KTRACE_EJUSTRETURN))
			take_exec(process, thread, event);
	} else if (event->call && rule) {
		switch (rule->effect) {
		case EFFECT_FORK:
		case EFFECT_CLONE:
		case EFFECT_CLONE3:
		case EFFECT_RFORK:
			fork_end(process, thread, event, ret.error ? 0 : (int32_t)ret.retval);
			break;
		default:
			if (follow_files && descriptors_return(process, thread, event, &ret))
				current.result =
					files_find(thread_files(process, thread), (int)ret.retval);
		}
	}
	thread_forget_call(thread);
}

static void take_path(struct thread *thread, const struct event *event)
{
	if (!follow_files || !event->call || !thread->rule || thread->path)
		return;
	thread->path = file_new(
		(const char *)event->record->data,
		strnlen((const char *)event->record->data, ktrace_record_text_len(event->record)));
}

static void take_address(struct thread *thread, const struct ktrace_record_struct *s, bool is_linux)
{
	char text[ADDRESS_SIZE];

	if (thread->address || !address_text(s->data, s->len, is_linux, text))
		return;
	thread->address = memory_copy(text, strlen(text));
}

static void take_struct(struct thread *thread, const struct event *event)
{
	struct ktrace_record_struct s;

	if (!event->call || !thread->rule)
		return;
	ktrace_record_get_struct(event->record, &s);
	if (!s.name)
		return;
	if (strcmp(s.name, "sockaddr") == 0) {
		take_address(thread, &s, abi_is_linux(event->call->flags));
	} else if ((strcmp(s.name, "l_clone_args") == 0 || strcmp(s.name, "l_open_how") == 0) &&
		   s.len >= sizeof(uint64_t)) { /* flags come first in both */
		thread->flags = get64(s.data);
		thread->has_flags = true;
	}
}

static void take_args(struct process *process, const struct ktrace_record *record)
{
	size_t len = record->len < MOST_ARGS ? record->len : MOST_ARGS;

	memory_put(process->args);
	process->args = memory_copy(record->data, len);
	process->args_len = process->args ? len : 0;
	process->args_cut = record->len > len;
}

void track_event(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	struct process *process = get_process(event);
	struct thread *thread = NULL;

	current.result = NULL;
	current.thread = NULL;
	current.process = process;
	if (record->type == KTR_PROCDTOR) {
		if (process->state == PROCESS_RUNS)
			process->state = PROCESS_GONE;
		current.end = (struct process_end){
			.state = process->state,
			.status = process->status,
			.flags = process->flags,
		};
		current.process = process->kept ? process : NULL;
		process_end(process);
		return;
	}
	if (record->type == KTR_PROCCTOR)
		return;
	thread = thread_get(process, record->tid);
	current.thread = thread;
	switch (record->type) {
	case KTR_SYSCALL:
		take_call(process, thread, event);
		break;
	case KTR_SYSRET:
		take_return(process, thread, event);
		break;
	case KTR_NAMEI:
		take_path(thread, event);
		break;
	case KTR_STRUCT:
		take_struct(thread, event);
		break;
	case KTR_PSIG:
		take_signal(process, record);
		break;
	case KTR_ARGS:
		take_args(process, record);
		break;
	}
}

const struct process_end *track_end(void)
{
	return &current.end;
}

const struct process *track_process(void)
{
	return current.process;
}

const struct file *track_file(int fd)
{
	const struct file *file;

	if (!current.thread)
		return NULL;
	file = files_find(thread_files(current.process, current.thread), fd);
	return file && file->name ? file : NULL;
}

const struct file *track_cwd(void)
{
	return current.process ? current.process->cwd : NULL;
}

const struct file *track_result(void)
{
	return current.result && current.result->name ? current.result : NULL;
}
