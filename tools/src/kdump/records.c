// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Types that a few lines are enough for, and the table of all.
 */
#include "records.h"

#include <sys/ktrace.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "capfail.h"
#include "decode/style.h"

/* To the first NUL: paths, sysctls */
static void string_print(const struct ktrace_record *record)
{
	style_begin(STYLE_TEXT);
	out_char('"');
	out_text(record->data, ktrace_record_text_len(record));
	out_char('"');
	style_end();
	out_char('\n');
}

/* ARGS and ENVS: "a", "b" */
static void strings_print(const struct ktrace_record *record)
{
	const char *string;
	size_t at = 0, len;
	bool second = false;

	while ((string = ktrace_record_next_string(record, &at, &len)) != NULL) {
		if (second)
			out_str(", ");
		second = true;
		style_begin(STYLE_TEXT);
		out_char('"');
		out_text(string, len);
		out_char('"');
		style_end();
	}
	out_char('\n');
}

const char *psig_code_name(int signo, int code, bool linux_abi)
{
	static const struct {
		int signo; /* as in the file */
		const struct name_table *linux_names, *names;
	} tables[] = {
		{ 4, &names_linux_sicodes_sigill, &names_sicodes_sigill },
		{ 5, &names_linux_sicodes_sigtrap, &names_sicodes_sigtrap },
		{ 8, &names_linux_sicodes_sigfpe, &names_sicodes_sigfpe },
		{ 10, &names_linux_sicodes_sigbus, &names_sicodes_sigbus },
		{ 11, &names_linux_sicodes_sigsegv, &names_sicodes_sigsegv },
		{ 12, &names_linux_sicodes_sigsys, NULL },
		{ 20, NULL, &names_sicodes_sigchld },
		{ 23, &names_linux_sicodes_sigio, NULL },
	};
	const char *name = names_find(&names_sicodes, code);
	size_t i;

	if (!name && linux_abi)
		name = names_find(&names_linux_sicodes, code);
	for (i = 0; !name && i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (tables[i].signo != signo)
			continue;
		if (linux_abi && tables[i].linux_names)
			name = names_find(tables[i].linux_names, code);
		if (!name && tables[i].names)
			name = names_find(tables[i].names, code);
	}
	return name;
}

static void psig_print(const struct ktrace_record *record, const struct abi *abi)
{
	bool linux_abi = abi_is_linux(abi->flags);
	struct ktrace_record_psig psig;
	const char *code;

	ktrace_record_get_psig(record, &psig);
	style_begin(STYLE_SIGNAL);
	names_out_signal(psig.signo, linux_abi);
	style_end();
	if (psig.action == 0)
		out_str(" SIG_DFL code=");
	else
		out_printf(" caught handler=0x%llx mask=0x%x code=",
			   (unsigned long long)psig.action, psig.mask[0]);
	code = psig_code_name(psig.signo, psig.code, linux_abi);
	if (code)
		out_printf("%s\n", code);
	else
		out_printf("<invalid=%#x>\n", psig.code);
}

static void csw_print(const struct ktrace_record *record)
{
	struct ktrace_record_csw csw;

	ktrace_record_get_csw(record, &csw);
	out_str(csw.out ? "stop " : "resume ");
	out_str(csw.user ? "user" : "kernel");
	if (csw.has_wmesg) {
		out_str(" \"");
		out_text_str(csw.wmesg, sizeof(csw.wmesg));
		out_char('"');
	}
	out_char('\n');
}

static void fault_print(const struct ktrace_record *record)
{
	struct ktrace_record_fault fault;

	ktrace_record_get_fault(record, &fault);
	out_pointer(fault.vaddr);
	out_char(' ');
	names_out_flags(&names_vm_prot, (unsigned int)fault.type, false);
	out_char('\n');
}

static void faultend_print(const struct ktrace_record *record)
{
	int result = ktrace_record_faultend(record);
	const char *name = names_find(&names_vm_result, result);

	if (name)
		out_printf("%s\n", name);
	else
		out_printf("<invalid=%d>\n", result);
}

/* The message is text of the file: shown, never interpreted. */
void record_print(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	const struct abi *abi = &event->abi;

	switch (record->type) {
	case KTR_SYSCALL:
		call_print(event);
		break;
	case KTR_SYSRET:
		ret_print(event);
		break;
	case KTR_NAMEI:
	case KTR_SYSCTL:
		string_print(record);
		break;
	case KTR_GENIO:
		genio_print(record);
		break;
	case KTR_PSIG:
		psig_print(record, abi);
		break;
	case KTR_CSW:
		csw_print(record);
		break;
	case KTR_USER:
		user_print(record);
		break;
	case KTR_STRUCT:
		struct_print(record, abi);
		break;
	case KTR_STRUCT_ARRAY:
		struct_array_print(record, abi);
		break;
	case KTR_CAPFAIL:
		capfail_print(record, abi);
		break;
	case KTR_FAULT:
		fault_print(record);
		break;
	case KTR_FAULTEND:
		faultend_print(record);
		break;
	case KTR_ARGS:
	case KTR_ENVS:
		strings_print(record);
		break;
	case KTR_EXTERR:
		exterr_print(record);
		break;
	default:
		out_char('\n');
	}
}
