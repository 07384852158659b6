/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event: what the recorder's BPF programs tell its user space, through one ring buffer.
 *
 * An event is what a probe of the module would be called with: the recorder calls
 * those probes with it.  Memory that the probe will read comes before it, from the
 * same thread, as chunks.
 */
#ifndef KTRACE_BPF_EVENT_H
#define KTRACE_BPF_EVENT_H

#ifndef __bpf__ /* there kernel.h has them */
#include <linux/types.h>
#endif

#define KTRACE_BPF_CHUNK_MOST 4096
#define KTRACE_BPF_GENIO_MOST 4096 /* kern.ktrace.genio_size of this recorder */
#define KTRACE_BPF_STRINGS    131072 /* KTRACE_STRINGS_MAX */
#define KTRACE_BPF_VECTORS    1024 /* UIO_MAXIOV */
#define KTRACE_BPF_NAME_MOST  4096 /* PATH_MAX */
#define KTRACE_BPF_FRAMES     24
#define KTRACE_BPF_PARTS      8 /* components of a sysctl's name */
#define KTRACE_BPF_PART_MOST  128

enum ktrace_bpf_type {
	KTRACE_BPF_CHUNK = 1, /* struct ktrace_bpf_chunk; no head */
	KTRACE_BPF_ENTER,
	KTRACE_BPF_LEAVE,
	KTRACE_BPF_NAME,
	KTRACE_BPF_SIGNAL,
	KTRACE_BPF_FORK,
	KTRACE_BPF_EXEC,
	KTRACE_BPF_EXIT,
	KTRACE_BPF_FAULT,
	KTRACE_BPF_FAULTED,
	KTRACE_BPF_STOP,
	KTRACE_BPF_RESUME,
	KTRACE_BPF_CAPABLE,
	KTRACE_BPF_SYSCTL,
};

/* head.facts */
#define KTRACE_BPF_COMPAT_CALL	0x01 /* the thread is in a call of the 32-bit ABI */
#define KTRACE_BPF_COMPAT_IMAGE 0x02 /* its program is a 32-bit one */
#define KTRACE_BPF_EXITING	0x04
#define KTRACE_BPF_SIGSYS	0x08 /* waits for the thread */
#define KTRACE_BPF_FATAL	0x10 /* likewise SIGKILL */
#define KTRACE_BPF_EMULATED	0x20 /* a debugger does its calls */
#define KTRACE_BPF_LAST		0x40 /* of an exit: the process's last thread */
#define KTRACE_BPF_DISCARDED	0x80 /* MSG_TRUNC of TCP: the data went nowhere */
#define KTRACE_BPF_WORKER	0x100 /* a kernel thread of the process */

/**
 * struct ktrace_bpf_head - how each event but a chunk begins
 * @type: enum ktrace_bpf_type
 * @seccomp: the thread's mode
 * @facts: KTRACE_BPF_*, as far as the event has use for them
 * @cpu: where it happened
 * @stamp: when, of the monotonic clock
 * @tgid: whose, @pid: likewise, in the initial namespace
 * @points: KTRFAC_* of the process at that time
 * @lost: events of the process that found no room, ever
 * @session: its trace file's number
 * @comm: the thread's name
 */
struct ktrace_bpf_head {
	__u16 type;
	__u16 seccomp;
	__u32 facts;
	__u32 cpu;
	__u32 lost;
	__u64 stamp;
	__u32 tgid;
	__u32 pid;
	__u32 points;
	__u32 session;
	char comm[16];
};

/* Same place of the type as in the head. */
struct ktrace_bpf_chunk {
	__u16 type;
	__u16 pad;
	__u32 len;
	__u32 tgid;
	__u32 pid;
	__u64 address;
	__u8 data[];
};

/*
 * struct ktrace_bpf_call - a call begins or ends, or a thread does
 * @task: the thread, whatever its number is: an exec by another thread than the first gives it
 *	that one's
 */
struct ktrace_bpf_call {
	struct ktrace_bpf_head head;
	__u64 task;
	__s64 nr;
	__s64 ret;
	__u64 args[6];
};

struct ktrace_bpf_name {
	struct ktrace_bpf_head head;
	__u32 len; /* without a NUL */
	__u32 pad;
	char name[];
};

struct ktrace_bpf_signal {
	struct ktrace_bpf_head head;
	__s32 signo;
	__s32 code;
	__u64 info; /* the pointer; 0 and 1 are none */
	__u64 action;
	__u64 blocked;
	__u64 saved; /* the mask before sigsuspend() and the like */
	__u32 restore; /* that is the one that counts */
	__u32 group_flags;
	__s32 group_exit_code;
	__s32 fatal_code; /* si_code of group_exit_code's signal, still queued */
	__u64 fatal_action;
	__u32 fatal_known;
	__u32 pad;
};

struct ktrace_bpf_fork {
	struct ktrace_bpf_head head; /* of the parent */
	__u32 tgid;
	__u32 pid;
	char comm[16];
};

struct ktrace_bpf_exec {
	struct ktrace_bpf_head head;
	__u32 old_pid;
	__u32 pad;
	__u64 arg_start, arg_end;
	__u64 env_start, env_end;
};

struct ktrace_bpf_fault {
	struct ktrace_bpf_head head;
	__u64 address;
	__u64 code; /* of the exception; of KTRACE_BPF_FAULTED: what handle_mm_fault() returned */
};

struct ktrace_bpf_switch {
	struct ktrace_bpf_head head;
	__u32 preempt;
	__u32 state;
	__u32 frames;
	__u32 pad;
	__u64 frame[KTRACE_BPF_FRAMES];
};

struct ktrace_bpf_capable {
	struct ktrace_bpf_head head;
	__s32 cap;
	__u32 pad;
	__u64 held;
	__s64 nr;
};

struct ktrace_bpf_sysctl {
	struct ktrace_bpf_head head;
	__u32 n;
	__u32 pad;
	char part[KTRACE_BPF_PARTS][KTRACE_BPF_PART_MOST]; /* the last first */
};

/**
 * struct ktrace_bpf_proc - a traced process, in the map that the programs look into
 * @points: KTRFAC_*
 * @lost: see the head
 * @session: likewise
 * @dead: it has exited, and that event found no room: whoever has its number now is another
 */
struct ktrace_bpf_proc {
	__u32 points;
	__u32 lost;
	__u32 session;
	__u32 dead;
};

/* What memory a call's probe will read: where the module's tables lead, in numbers of our own. */
enum ktrace_bpf_data {
	KTRACE_BPF_DATA_NONE,
	KTRACE_BPF_DATA_PLAIN,
	KTRACE_BPF_DATA_VECTOR,
	KTRACE_BPF_DATA_MESSAGE,
	KTRACE_BPF_DATA_MESSAGES,
	KTRACE_BPF_DATA_QUEUED,
	KTRACE_BPF_DATA_SOCKETCALL,
};

#define KTRACE_BPF_ARGS 3 /* KTRACE_STRUCT_ARGS */

/**
 * struct ktrace_bpf_plan_arg - a structure of a call: see struct ktrace_struct_arg
 * @size: its bytes
 * @room: how much of it the kernel will write is in memory when the call begins
 * @failed: it is there, too, when the call has failed
 */
struct ktrace_bpf_plan_arg {
	__u8 how;
	__u8 arg;
	__u8 with;
	__u8 room;
	__u8 failed;
	__u8 pad;
	__u16 size;
};

struct ktrace_bpf_plan {
	__u8 data; /* enum ktrace_bpf_data */
	__u8 flags; /* which argument has MSG_*; 0: none */
	__u8 n; /* structures */
	__u8 pad[5];
	struct ktrace_bpf_plan_arg arg[KTRACE_BPF_ARGS];
};

/* Plans by number: of 64-bit calls, of 32-bit ones, and of what socketcall(2) stands for. */
#define KTRACE_BPF_CALLS   512
#define KTRACE_BPF_SOCKETS 32
#define KTRACE_BPF_PLANS   (2 * KTRACE_BPF_CALLS + KTRACE_BPF_SOCKETS)

#endif /* KTRACE_BPF_EVENT_H */
