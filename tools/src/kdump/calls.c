// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * CALL and RET.
 */
#include "ktrace_numbers.h"
#include "name_tables.h"
#include "options.h"
#include "out.h"
#include "records.h"

void call_out_name(uint32_t flags, int code)
{
	const char *name = abi_syscall_name(flags, code);

	if (name)
		out_str(name);
	if (!name || options.numbers) {
		out_char('[');
		out_dec(code);
		out_char(']');
	}
}

/* A number as wide as long was in the kernel that wrote it. */
static void out_word(const struct ktrace_record *record, int64_t value)
{
	if (options.decimal)
		out_dec(value);
	else
		out_hex(record->layout == KTRACE_LAYOUT_ILP32 ? (uint32_t)value : (uint64_t)value);
}

void call_print(const struct ktrace_record *record, const struct abi *abi)
{
	struct ktrace_record_syscall call;
	unsigned int i;

	ktrace_record_get_syscall(record, &call);
	call_out_name(abi->call_flags, call.code);
	for (i = 0; i < call.narg; i++) {
		out_char(i ? ',' : '(');
		out_word(record, ktrace_record_arg(record, i));
	}
	out_str(call.narg ? ")\n" : "\n");
}

static void out_errno(int error, bool linux_abi)
{
	int number = error;
	const char *text;

	linux_abi = linux_abi && error > 0;
	if (linux_abi) {
		number = ktrace_linux_errno(error);
		if (number == 0)
			number = linux_errno_of_freebsd(error);
		if (number == 0) {
			number = error;
			linux_abi = false;
		}
	}
	out_str("-1 errno ");
	out_dec(number);
	if (options.plain)
		return;
	text = names_errno_text(number, linux_abi);
	if (text)
		out_printf(" %s", text);
	else
		out_printf(linux_abi ? " Unknown error %d" : " Unknown error: %d", number);
}

static void out_retval(const struct ktrace_record *record, int64_t value)
{
	if (options.plain) {
		out_word(record, value);
		return;
	}
	out_dec(value);
	if (value >= 0 && value <= 9)
		return;
	out_char('/');
	out_hex(record->layout == KTRACE_LAYOUT_ILP32 ? (uint32_t)value : (uint64_t)value);
}

void ret_print(const struct ktrace_record *record, const struct abi *abi)
{
	struct ktrace_record_sysret ret;

	ktrace_record_get_sysret(record, &ret);
	call_out_name(abi->call_flags, ret.code);
	out_char(' ');
	if (ret.error == 0)
		out_retval(record, ret.retval);
	else if (ret.error == KTRACE_ERESTART)
		out_str("RESTART");
	else if (ret.error == KTRACE_EJUSTRETURN)
		out_str("JUSTRETURN");
	else
		out_errno(ret.error, abi_is_linux(abi->call_flags));
	out_char('\n');
}
