// SPDX-License-Identifier: GPL-2.0
/*
 * The module's tables say where a call's data and structures are; the programs
 * need to know only what to copy.  Whether the call moved it, and what it looks
 * like in a record, is for the module's code to say, later.
 */
#include "plan.h"

/* Its tables are its own: this is its one object. */
#include "genio.c"

#include "layout.h"
#include "struct_calls.h"

static u8 data_of(enum kind kind)
{
	switch (kind) {
	case PLAIN:
		return KTRACE_BPF_DATA_PLAIN;
	case VECTOR:
		return KTRACE_BPF_DATA_VECTOR;
	case MESSAGE:
		return KTRACE_BPF_DATA_MESSAGE;
	case MESSAGES:
		return KTRACE_BPF_DATA_MESSAGES;
	case QUEUED:
		return KTRACE_BPF_DATA_QUEUED;
	case NONE:
	case SOCKETCALL:
		break;
	}
	return KTRACE_BPF_DATA_NONE;
}

static void plan_arg(const struct ktrace_struct_arg *a, bool compat, bool wide,
		     struct ktrace_bpf_plan_arg *to)
{
	const struct ktrace_layout *layout =
		&ktrace_layouts[wide ? ktrace_struct_wide(a->id) : a->id];

	to->how = a->how;
	to->arg = a->arg;
	to->with = a->with;
	to->room = a->way == KTRACE_WAY_OUT &&
		   (a->how == KTRACE_HOW_ADDRESS || a->how == KTRACE_HOW_MESSAGE);
	to->failed = a->way & KTRACE_WAY_IN || a->when == KTRACE_WHEN_INTERRUPTED;
	to->size = layout->form[compat].size;
}

void plan_of(u32 index, struct ktrace_bpf_plan *plan)
{
	const struct ktrace_struct_arg *a;
	bool compat = index >= KTRACE_BPF_CALLS, wide = false;
	struct call data;
	u32 narg;

	static_assert(KTRACE_BPF_ARGS == KTRACE_STRUCT_ARGS, "structures of a call");
	static_assert(KTRACE_BPF_CALLS == KTRACE_STRUCT_CALLS, "numbers of calls");
	memset(plan, 0, sizeof(*plan));
	if (index >= 2 * KTRACE_BPF_CALLS) {
		index -= 2 * KTRACE_BPF_CALLS;
		data = call_socket(index);
		a = ktrace_struct_socketcall(index, &narg);
	} else {
		index -= compat ? KTRACE_BPF_CALLS : 0;
		data = *call_of(compat, index);
		a = ktrace_struct_call(compat, index, &wide);
	}
	plan->data = data_of(data.kind);
	plan->flags = data.flags;
	for (; a && a->way; a++)
		plan_arg(a, compat, wide, &plan->arg[plan->n++]);
}
