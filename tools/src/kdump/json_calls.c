// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --json: calls and returns.
 */
#include "decode/args.h"
#include "decode/json.h"
#include "decode/name_tables.h"
#include "decode/out.h"
#include "ktrace_numbers.h"
#include "fds.h"
#include "json_view.h"
#include "options.h"
#include "records.h"

#define CSIGNAL 0xff

static void name_members(uint32_t flags, int code)
{
	const char *name = abi_syscall_name(flags, code);

	if (name)
		json_member_str("name", name);
	json_member_int("number", code);
}

/* Addresses and words of which nothing is known are text, all else are numbers. */
static void arg_value(const struct args *args, const struct arg *arg)
{
	switch (arg->kind) {
	case ARG_HEX:
	case ARG_HEX64:
	case ARG_PTR:
	case ARG_XPTR:
	case ARG_PATH:
		json_member_hex("value", (uint64_t)arg->value);
		break;
	case ARG_SIZE:
		json_member_uint("value", (uint64_t)arg->value);
		break;
	case ARG_OFF:
		json_member_int("value", args->ilp32 ? (int32_t)arg->value : arg->value);
		break;
	default:
		json_member_int("value", arg->value);
	}
}

/* How text has it, where that is not the number itself. */
static void arg_text(const char *key, const struct args *args, const struct arg *arg)
{
	json_key(key);
	out_capture();
	arg_print(args, arg, true);
	json_captured();
}

static void arg_octal(const struct arg *arg)
{
	json_key("octal");
	json_octal(arg->value);
}

/* The signal that is in the lowest byte, next to flags. */
static void arg_exit_signal(const struct args *args, const struct arg *arg)
{
	const struct arg signo = { .kind = ARG_SIGNAL, .value = arg->value & CSIGNAL };

	if (signo.value)
		arg_text("signal", args, &signo);
}

static void arg_names(const struct args *args, const struct arg *arg)
{
	const char *name = arg_value_name(arg);

	if (name)
		json_member_str("symbol", name);
	else if (arg->kind == ARG_SIGNAL && (arg->value != 0 || !args->linux_abi))
		arg_text("symbol", args, arg);
	else if (arg->kind == ARG_UMODE)
		arg_octal(arg);
}

/*
 * --fds: what is behind the descriptor that fds_out_*() has put out as </etc/passwd> since
 * out_capture(), if anything
 */
static void file_member(void)
{
	size_t len;
	const char *text = out_captured(&len);

	if (len < 2)
		return;
	json_key("file");
	json_string(text + 1, len - 2);
}

void json_file(int fd)
{
	if (!options.fds)
		return;
	out_capture();
	fds_out(fd);
	file_member();
}

static void arg_file(const struct arg *arg)
{
	if (!options.fds)
		return;
	out_capture();
	fds_out_arg(arg);
	file_member();
}

static void result_file(void)
{
	if (!options.fds)
		return;
	out_capture();
	fds_out_result();
	file_member();
}

static void json_arg(const struct args *args, const struct arg *arg)
{
	json_open('{');
	json_member_str("name", arg->name);
	if (arg_is_flags(arg)) {
		json_flags((uint64_t)arg->value, arg_bits(arg));
		if (arg->kind == ARG_CLONE_FLAGS && !options.plain)
			arg_exit_signal(args, arg);
		if (arg->kind == ARG_MODE && !options.plain)
			arg_octal(arg);
	} else {
		arg_value(args, arg);
		if (!options.plain)
			arg_names(args, arg);
		arg_file(arg);
	}
	json_close('}');
}

/* A word as wide as it was in the process. */
static void json_word(const struct event *event, int64_t word)
{
	bool ilp32 = event->record->layout == KTRACE_LAYOUT_ILP32;

	json_open('{');
	json_member_hex("value", ilp32 ? (uint32_t)word : (uint64_t)word);
	json_close('}');
}

void json_call(const struct event *event)
{
	struct ktrace_record_syscall call;
	struct args args;
	unsigned int i;

	ktrace_record_get_syscall(event->record, &call);
	name_members(event->abi.call_flags, call.code);
	args_decode(event->call, &args);
	json_key("args");
	json_open('[');
	for (i = 0; i < args.count; i++)
		if (args.arg[i].kind != ARG_HIDDEN)
			json_arg(&args, &args.arg[i]);
	for (i = args.slots; i < call.narg; i++)
		json_word(event, ktrace_record_arg(event->record, i));
	json_close(']');
}

static void json_error(const struct event *event, int error)
{
	bool linux_abi = abi_is_linux(event->abi.call_flags);
	int number = names_errno_number(error, &linux_abi);
	const char *name = ret_error_name(event);

	json_key("error");
	json_open('{');
	json_member_int("value", number);
	if (!options.plain) {
		if (name)
			json_member_str("symbol", name);
		json_key("text");
		out_capture();
		call_out_errno_text(number, linux_abi);
		json_captured();
	}
	json_close('}');
}

void json_return(const struct event *event)
{
	struct ktrace_record_sysret ret;
	int64_t duration;

	ktrace_record_get_sysret(event->record, &ret);
	name_members(event->abi.call_flags, ret.code);
	if (ret.error == 0) {
		json_member_int("value", ret.retval);
		result_file();
	} else if (ret.error == KTRACE_ERESTART || ret.error == KTRACE_EJUSTRETURN) {
		json_key(ret.error == KTRACE_ERESTART ? "restart" : "just_return");
		json_bool(true);
	} else {
		json_error(event, ret.error);
	}
	if (event_duration(event, &duration))
		json_member_int("duration_ns", duration);
}
