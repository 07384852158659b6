// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --json: an object for each record, a line each.
 */
#include <string.h>
#include <sys/ktrace.h>

#include "decode/json.h"
#include "json_view.h"
#include "view.h"

#define NSEC_PER_SEC 1000000000

static const char *type_name(unsigned int type)
{
	static const char *const names[] = {
		[KTR_SYSCALL] = "call",	    [KTR_SYSRET] = "return",
		[KTR_NAMEI] = "namei",	    [KTR_GENIO] = "genio",
		[KTR_PSIG] = "psig",	    [KTR_CSW] = "csw",
		[KTR_USER] = "user",	    [KTR_STRUCT] = "struct",
		[KTR_SYSCTL] = "sysctl",    [KTR_PROCCTOR] = "process",
		[KTR_PROCDTOR] = "process", [KTR_CAPFAIL] = "capfail",
		[KTR_FAULT] = "fault",	    [KTR_FAULTEND] = "faultend",
		[KTR_ARGS] = "args",	    [KTR_STRUCT_ARRAY] = "struct_array",
		[KTR_ENVS] = "envs",	    [KTR_EXTERR] = "exterr",
	};
	const char *name = type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;

	return name ? name : "unknown";
}

static void time_member(int64_t ns)
{
	int64_t sec = ns / NSEC_PER_SEC, nsec = ns % NSEC_PER_SEC;

	if (nsec < 0) {
		sec--;
		nsec += NSEC_PER_SEC;
	}
	json_key("time");
	json_open('{');
	json_member_int("sec", sec);
	json_member_int("nsec", nsec);
	json_close('}');
}

/* What every object begins with. */
static void begin_object(const char *type, const struct event *event)
{
	const struct ktrace_record *record = event->record;
	bool begins = record->type == KTR_PROCCTOR;

	json_open('{');
	json_member_str("type", type);
	time_member(event->time);
	json_member_int("pid", record->pid);
	json_member_int("tid", record->tid);
	json_text("comm", record->comm, strlen(record->comm));
	if (record->version)
		json_member_int("cpu", record->cpu);
	json_member_str("abi",
			abi_letters(begins ? ktrace_record_sv_flags(record) : event->abi.flags));
}

static void end_object(void)
{
	json_close('}');
	json_end_line();
}

/* The call during which it was recorded. */
static void during_member(const struct event *event)
{
	const char *name;

	if (!event->call || event->record->type == KTR_SYSCALL || event->record->type == KTR_SYSRET)
		return;
	name = abi_syscall_name(event->call->flags, event->call->code);
	if (name)
		json_member_str("call", name);
}

static void json_begin(void)
{
}

static void json_event(const struct event *event)
{
	const struct ktrace_record *record = event->record;

	if (record->drop) {
		begin_object("drop", event);
		end_object();
	}
	if (!view_wants(event))
		return;
	begin_object(type_name(record->type), event);
	during_member(event);
	json_record(event);
	end_object();
}

static void json_end(void)
{
}

const struct view json_view = {
	.option = "--json",
	.uses = VIEW_ALL & ~(VIEW_LINES | VIEW_TIMES | VIEW_NUMBERS | VIEW_DECIMAL),
	.begin = json_begin,
	.event = json_event,
	.end = json_end,
};
