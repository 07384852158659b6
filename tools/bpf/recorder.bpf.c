// SPDX-License-Identifier: GPL-2.0
/*
 * The programs that the kernel runs for the recorder: at each hook, is this process
 * traced for it, and if so, what happened?  What a record of it looks like is not
 * known here, nor what is wrong with it: the recorder runs the module's own probes
 * on what it is told.
 *
 * A process is traced when its number is in the map "procs", which fork extends and
 * exit cuts, before anybody in user space knows.
 */
#include "kernel.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "event.h"
#include "points.h"

char LICENSE[] SEC("license") = "GPL";

#define PAGE		4096
#define MAX_ERRNO	4095
#define TS_COMPAT	0x2
#define TIF_SYSCALL_EMU 6 /* up to 5.10 */
#define PF_EXITING	0x4
#define PF_KTHREAD	0x200000
#define PF_IO_WORKER	0x10
#define SIGKILL		9
#define SIGSYS		31
#define FAULT_FLAG_USER 0x40
#define CAP_OPT_NOAUDIT 0x2
#define NR_SOCKETCALL	102 /* of i386 */
#define MSG_TRUNC	0x20
#define MSG_ERRQUEUE	0x2000
#define SOCK_STREAM	1
#define IPPROTO_TCP	6
#define IPPROTO_MPTCP	262
#define STEP		32 /* of KTRACE_BPF_VECTORS at a time */
#define QUEUE_MOST	32 /* signals that are looked at */

/* enum ktrace_struct_how, in its order: the recorder asserts it. */
enum how {
	HOW_WHOLE,
	HOW_TWO,
	HOW_SIZED,
	HOW_SELF,
	HOW_CAPS,
	HOW_PAIR,
	HOW_ADDRESS,
	HOW_MESSAGE,
	HOW_ONE,
	HOW_COUNT,
	HOW_RESULT,
};

/* Set by the recorder before it loads us. */
const volatile bool switch_has_state; /* sched_switch tells the state of who stops */
const volatile __u32 much = 1 << 20; /* bytes in the buffer that it is woken for */

/* Set by it later: the bits of path_init()'s flags that tell a first try from a second. */
__u32 lookup_mask;
__u32 lookup_first;
__u32 learner; /* it finds them out: the flags of a lookup of its own */
__u32 learned;
__u64 regs_seen;
__u64 regs_offset; /* where a task's registers are from user mode, from its stack on: any call tells */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 25); /* or what KTRACE_BPF_BUFFER says */
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct ktrace_bpf_proc);
} procs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, KTRACE_BPF_PLANS);
	__type(key, __u32);
	__type(value, struct ktrace_bpf_plan);
} plans SEC(".maps");

/* In this order: what is used comes first. */
#include "programs/task.h"
#include "programs/memory.h"
#include "programs/calls.h"
#include "programs/life.h"
#include "programs/names.h"
#include "programs/signals.h"
#include "programs/faults.h"
#include "programs/switches.h"
#include "programs/capabilities.h"
#include "programs/sysctls.h"
