// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * CALL and RET.
 */
#include "decode/names.h"
#include "decode/name_tables.h"
#include "decode/out.h"
#include "decode/style.h"
#include "fds.h"
#include "options.h"
#include "records.h"
#include "seconds.h"

void call_out_name(uint32_t flags, int code)
{
	const char *name = abi_syscall_name(flags, code);

	style_begin(STYLE_CALL);
	if (name)
		out_str(name);
	style_end();
	if (!name || options.numbers) {
		out_char('[');
		out_dec(code);
		out_char(']');
	}
}

/* A number as wide as long was in the process. */
static void out_word(const struct event *event, int64_t value)
{
	bool ilp32 = event->record->layout == KTRACE_LAYOUT_ILP32;

	arg_out_word(value, ilp32, options.decimal);
}

/* The parenthesis opens with the first argument. */
static void separate(unsigned int printed)
{
	out_char(printed ? ',' : '(');
}

static unsigned int print_known(const struct args *args)
{
	unsigned int i, printed = 0;

	for (i = 0; i < args->count; i++) {
		if (args->arg[i].kind == ARG_HIDDEN)
			continue;
		separate(printed++);
		arg_print(args, &args->arg[i], options.decimal);
		if (options.fds)
			fds_out_arg(&args->arg[i]);
	}
	return printed;
}

void call_print(const struct event *event)
{
	struct ktrace_record_syscall call;
	struct args args = { .slots = 0 };
	unsigned int i, printed = 0;

	ktrace_record_get_syscall(event->record, &call);
	call_out_name(event->abi.call_flags, call.code);
	if (!options.plain && event->call) {
		args_decode(event->call, &args);
		printed = print_known(&args);
	}
	for (i = args.slots; i < call.narg; i++) {
		separate(printed++);
		out_word(event, ktrace_record_arg(event->record, i));
	}
	out_str(printed ? ")\n" : "\n");
}

void call_out_errno_text(int number, bool linux_errno)
{
	const char *text = names_errno_text(number, linux_errno);

	if (text)
		out_str(text);
	else
		out_printf(linux_errno ? "Unknown error %d" : "Unknown error: %d", number);
}

static void out_errno(int error, bool linux_abi)
{
	int number = names_errno_number(error, &linux_abi);

	out_str("-1 errno ");
	out_dec(number);
	if (options.plain)
		return;
	out_char(' ');
	call_out_errno_text(number, linux_abi);
}

static void out_retval(const struct event *event, int64_t value)
{
	if (options.plain) {
		out_word(event, value);
		return;
	}
	out_dec(value);
	if (value >= 0 && value <= 9)
		return;
	out_char('/');
	out_hex(event->record->layout == KTRACE_LAYOUT_ILP32 ? (uint32_t)value : (uint64_t)value);
}

void ret_out_duration(const struct event *event)
{
	char text[SECONDS_SIZE];
	int64_t ns;

	if (!event_duration(event, &ns))
		return;
	seconds_text(text, ns, event->record->version);
	out_str(" <");
	out_str(text);
	out_char('>');
}

void ret_out_result(const struct event *event)
{
	struct ktrace_record_sysret ret;

	ktrace_record_get_sysret(event->record, &ret);
	if (ret.error == 0) {
		out_retval(event, ret.retval);
		if (options.fds)
			fds_out_result();
	} else if (ret.error == KTRACE_ERESTART) {
		out_str("RESTART");
	} else if (ret.error == KTRACE_EJUSTRETURN) {
		out_str("JUSTRETURN");
	} else {
		style_begin(STYLE_ERROR);
		out_errno(ret.error, abi_is_linux(event->abi.call_flags));
		style_end();
	}
}

const char *ret_error_name(const struct event *event)
{
	bool linux_abi = abi_is_linux(event->abi.call_flags);
	struct ktrace_record_sysret ret;
	int number;

	ktrace_record_get_sysret(event->record, &ret);
	if (ret.error <= 0)
		return NULL;
	number = names_errno_number(ret.error, &linux_abi);
	return names_find(linux_abi ? &names_linux_errnos : &names_errnos, number);
}

void ret_print(const struct event *event)
{
	struct ktrace_record_sysret ret;

	ktrace_record_get_sysret(event->record, &ret);
	call_out_name(event->abi.call_flags, ret.code);
	out_char(' ');
	ret_out_result(event);
	if (options.duration)
		ret_out_duration(event);
	out_char('\n');
}
