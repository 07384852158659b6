// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the system calls of some processes and of all that they fork, where they begin.
 *
 * Nothing of it is shared with the recorder or with the module: it is there to check both.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "count.h"

#define TS_COMPAT 0x2

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct thread_info {
	__u32 status;
};

struct task_struct {
	struct thread_info thread_info;
	int tgid;
};
#pragma clang attribute pop

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, __u32);
} observed SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct call);
	__type(value, __u64);
} counts SEC(".maps");

__u64 failures; /* to count, or to follow a fork */

static int is_observed(__u32 tgid)
{
	return bpf_map_lookup_elem(&observed, &tgid) != 0;
}

SEC("raw_tp/sys_enter")
int entered(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct call call = {};
	__u64 none = 0, *n;

	if (!is_observed(bpf_get_current_pid_tgid() >> 32))
		return 0;
	call.compat = BPF_CORE_READ(task, thread_info.status) & TS_COMPAT ? 1 : 0;
	call.number = ctx->args[1];
	n = bpf_map_lookup_elem(&counts, &call);
	if (!n) {
		bpf_map_update_elem(&counts, &call, &none, BPF_NOEXIST);
		n = bpf_map_lookup_elem(&counts, &call);
	}
	__sync_fetch_and_add(n ? n : &failures, 1);
	return 0;
}

SEC("raw_tp/sched_process_fork")
int forked(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *child = (struct task_struct *)ctx->args[1];
	__u32 tgid = BPF_CORE_READ(child, tgid), yes = 1;

	if (is_observed(bpf_get_current_pid_tgid() >> 32) &&
	    bpf_map_update_elem(&observed, &tgid, &yes, BPF_ANY))
		__sync_fetch_and_add(&failures, 1);
	return 0;
}
