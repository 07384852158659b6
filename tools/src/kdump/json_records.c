// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --json: types of records that a few lines are enough for, and the table of
 * all.
 */
#include <string.h>
#include <sys/ktrace.h>

#include "decode/json.h"
#include "decode/name_tables.h"
#include "decode/out.h"
#include "json_view.h"
#include "ktrace_numbers.h"
#include "options.h"
#include "records.h"

static void json_strings(const char *key, const struct ktrace_record *record)
{
	const char *string;
	size_t at, len;
	bool exact = true;

	json_key(key);
	json_open('[');
	for (at = 0; (string = ktrace_record_next_string(record, &at, &len)) != NULL;)
		exact &= json_string(string, len);
	json_close(']');
	if (exact)
		return;
	json_key_part(key, "_base64");
	json_open('[');
	for (at = 0; (string = ktrace_record_next_string(record, &at, &len)) != NULL;)
		json_base64(string, len);
	json_close(']');
}

/* -m: at most so much, and no part of a character. */
static size_t shown_length(const struct ktrace_record_genio *io)
{
	size_t most = (size_t)options.max_data, cut = 0;

	if (!most || io->len <= most)
		return io->len;
	while (cut < 3 && cut < most && (io->data[most - cut] & 0xc0) == 0x80)
		cut++;
	return most - cut;
}

static void json_genio(const struct event *event)
{
	struct ktrace_record_genio io;

	ktrace_record_get_genio(event->record, &io);
	json_member_int("fd", io.fd);
	json_file(io.fd);
	json_member_str("op", io.rw == 0 ? "read" : "write");
	json_member_uint("length", io.len);
	if (!options.no_data)
		json_data(io.data, shown_length(&io));
}

/* Bit n - 1 is number n of the file. */
static void signal_mask(const uint32_t mask[4], bool linux_abi)
{
	int signo;

	json_key("mask");
	json_open('[');
	for (signo = 1; signo <= 128; signo++) {
		if (!(mask[(signo - 1) / 32] & 1U << (signo - 1) % 32))
			continue;
		out_capture();
		names_out_signal(signo, linux_abi);
		json_captured();
	}
	json_close(']');
}

static void json_psig(const struct event *event)
{
	bool linux_abi = abi_is_linux(event->abi.flags);
	struct ktrace_record_psig psig;
	int number;

	ktrace_record_get_psig(event->record, &psig);
	number = linux_abi ? ktrace_linux_signal(psig.signo) : psig.signo;
	json_key("signal");
	json_signal(number ? number : psig.signo, psig.signo, linux_abi);
	json_member_str("action", psig.action == 0 ? "default" : "caught");
	if (psig.action) {
		json_member_hex("handler", psig.action);
		if (!options.plain)
			signal_mask(psig.mask, linux_abi);
	}
	json_key("code");
	json_named(psig.code, psig_code_name(psig.signo, psig.code, linux_abi));
}

static void json_csw(const struct event *event)
{
	struct ktrace_record_csw csw;

	ktrace_record_get_csw(event->record, &csw);
	json_member_str("event", csw.out ? "stop" : "resume");
	json_member_str("mode", csw.user ? "user" : "kernel");
	if (csw.has_wmesg)
		json_text("wmesg", csw.wmesg, strnlen(csw.wmesg, sizeof(csw.wmesg)));
}

static void json_user(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	const char *text;
	bool known;
	size_t len;

	json_member_uint("length", record->len);
	json_data(record->data, record->len);
	if (options.plain)
		return;
	out_capture();
	known = user_print_known(record);
	text = out_captured(&len);
	if (!known)
		return;
	while (len && text[len - 1] == '\n')
		len--;
	json_key("text");
	json_string(text, len);
}

static void json_fault(const struct event *event)
{
	struct ktrace_record_fault fault;
	struct name_bits bits = { .table = &names_vm_prot };

	ktrace_record_get_fault(event->record, &fault);
	bits.value = (uint32_t)fault.type;
	json_member_hex("address", fault.vaddr);
	json_key("access");
	json_open('{');
	json_flags(bits.value, bits);
	json_close('}');
}

static void json_faultend(const struct event *event)
{
	int result = ktrace_record_faultend(event->record);

	json_key("result");
	json_named(result, names_find(&names_vm_result, result));
}

static void json_exterr(const struct event *event)
{
	struct ktrace_record_exterr exterr;
	const char *file;

	ktrace_record_get_exterr(event->record, &exterr);
	file = names_find(&names_exterr_category, exterr.category);
	json_key("error");
	json_named((int)exterr.error, names_find(&names_errnos, (int)exterr.error));
	if (file && !options.plain) {
		json_key("file");
		out_capture();
		out_printf("sys/%s", file);
		json_captured();
	}
	json_member_uint("line", exterr.line);
	json_text("message", exterr.msg, strlen(exterr.msg));
	if (!options.plain) {
		json_key("text");
		out_capture();
		exterr_out_message(&exterr);
		json_captured();
	}
	json_member_uint("category", exterr.category);
	json_member_hex("p1", exterr.p1);
	json_member_hex("p2", exterr.p2);
}

/* A process begins to be traced, executes a program, makes a call of another ABI, ends. */
static void json_process(const struct event *event)
{
	const char *what = "abi";

	if (event->record->type == KTR_PROCDTOR)
		what = "exit";
	else if (!event->abi.flags)
		what = "start";
	else if (event->call && call_is_exec(event->call))
		what = "exec";
	json_member_str("event", what);
}

static void json_unknown(const struct event *event)
{
	json_member_uint("type_number", event->record->type);
	json_member_uint("length", event->record->len);
	json_data(event->record->data, event->record->len);
}

void json_record(const struct event *event)
{
	const struct ktrace_record *record = event->record;

	switch (record->type) {
	case KTR_SYSCALL:
		json_call(event);
		break;
	case KTR_SYSRET:
		json_return(event);
		break;
	case KTR_NAMEI:
		json_text("path", record->data, ktrace_record_text_len(record));
		break;
	case KTR_SYSCTL:
		json_text("name", record->data, ktrace_record_text_len(record));
		break;
	case KTR_GENIO:
		json_genio(event);
		break;
	case KTR_PSIG:
		json_psig(event);
		break;
	case KTR_CSW:
		json_csw(event);
		break;
	case KTR_USER:
		json_user(event);
		break;
	case KTR_STRUCT:
		json_struct(event);
		break;
	case KTR_STRUCT_ARRAY:
		json_struct_array(event);
		break;
	case KTR_PROCCTOR:
	case KTR_PROCDTOR:
		json_process(event);
		break;
	case KTR_CAPFAIL:
		json_capfail(event);
		break;
	case KTR_FAULT:
		json_fault(event);
		break;
	case KTR_FAULTEND:
		json_faultend(event);
		break;
	case KTR_ARGS:
		json_strings("argv", record);
		break;
	case KTR_ENVS:
		json_strings("env", record);
		break;
	case KTR_EXTERR:
		json_exterr(event);
		break;
	default:
		json_unknown(event);
	}
}
