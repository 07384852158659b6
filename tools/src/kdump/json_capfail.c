// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * --json: capabilities that were lacking.
 */
#include <string.h>
#include <sys/ktrace.h>

#include "capfail.h"
#include "decode/json.h"
#include "decode/name_tables.h"
#include "decode/out.h"
#include "json_view.h"
#include "options.h"

static const char *reason(const struct ktrace_record_capfail *cap)
{
	switch (cap->type) {
	case CAPFAIL_NOTCAPABLE:
		return "not_capable";
	case CAPFAIL_INCREASE:
		return "increase";
	case CAPFAIL_SYSCALL:
		return "syscall";
	}
	if (!cap->size)
		return cap->type == CAPFAIL_LOOKUP ? "lookup" : "unknown";
	switch (cap->type) {
	case CAPFAIL_SIGNAL:
		return "signal";
	case CAPFAIL_PROTO:
		return "protocol";
	case CAPFAIL_SOCKADDR:
		return "sockaddr";
	case CAPFAIL_NAMEI:
		return "lookup";
	case CAPFAIL_CPUSET:
		return "cpuset";
	}
	return "unknown";
}

static void rights(const char *key, const uint64_t set[2], bool linux_abi)
{
	json_key(key);
	if (linux_abi)
		json_capabilities(capfail_linux_mask(set));
	else
		json_rights(set);
}

/* What the newer form has of its own. */
static void details(const struct ktrace_record_capfail *cap, bool linux_abi)
{
	struct fields fields;

	switch (cap->type) {
	case CAPFAIL_SIGNAL:
		json_key("signal");
		json_signal(capfail_int(cap), capfail_int(cap), linux_abi);
		break;
	case CAPFAIL_PROTO:
		json_key("protocol");
		json_named(capfail_int(cap), names_find(&names_ipproto, capfail_int(cap)));
		break;
	case CAPFAIL_SOCKADDR:
		sockaddr_decode(cap->data, cap->data[0], linux_abi, &fields);
		json_key("sockaddr");
		json_fields(&fields);
		break;
	case CAPFAIL_NAMEI:
		json_text("path", cap->data, strnlen((const char *)cap->data, cap->size));
		break;
	}
}

/* The line of the text view, without its end. */
static void text_member(const struct event *event)
{
	const char *text;
	size_t len;

	json_key("text");
	out_capture();
	capfail_print(event->record, &event->abi);
	text = out_captured(&len);
	json_string(text, len - 1);
}

void json_capfail(const struct event *event)
{
	struct ktrace_record_capfail cap;
	bool linux_abi;
	const char *name;

	ktrace_record_get_capfail(event->record, &cap);
	linux_abi = capfail_is_linux(&cap, &event->abi);
	json_member_str("reason", reason(&cap));
	if (cap.type == CAPFAIL_NOTCAPABLE || cap.type == CAPFAIL_INCREASE) {
		rights("needed", cap.needed, linux_abi);
		rights("held", cap.held, linux_abi);
	} else if (cap.size) {
		name = abi_syscall_name(cap.svflags, cap.code);
		if (name)
			json_member_str("name", name);
		json_member_int("number", cap.code);
		details(&cap, linux_abi);
	}
	if (!options.plain)
		text_member(event);
}
