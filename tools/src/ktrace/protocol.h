/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What ktrace(1) and ktruss(1) say to the recorder that works with BPF, ktrace-bpf, and hear.
 *
 * The recorder listens at an AF_UNIX address, SOCK_SEQPACKET, in a folder that is root's alone.
 * (An abstract address would be everybody's in the network namespace, and so that of the root of
 * each container that has the machine's.)  Both sides are root, and make sure that the other is
 * (SO_PEERCRED).  Each request has one answer.
 */
#ifndef _KTRACE_PROTOCOL_H_
#define _KTRACE_PROTOCOL_H_

#include <stdint.h>

#define RECORDER_FOLDER	 "/run/ktrace-bpf"
#define RECORDER_ADDRESS RECORDER_FOLDER "/socket"
#define RECORDER_VERSION 4

/*
 * Beside KTROP_* with KTRFLAG_*, whose bits these do not have: all that happened until now is to be
 * in the file that was set before.
 */
#define RECORDER_FLUSH 0x10000
/* ... and: how is that file?  Nothing is waited for. */
#define RECORDER_STATE 0x20000

/*
 * As ktrace(2): ops, points and pid; for KTROP_SET and KTROP_CLEARFILE with a descriptor of the trace
 * file (SCM_RIGHTS), open for appending.
 */
struct recorder_request {
	uint32_t version;
	int32_t ops;
	int32_t points;
	int32_t pid;
};

/*
 * @error: an errno, or 0
 *
 * Of the file that this connection has set, after KTROP_SET, RECORDER_FLUSH and RECORDER_STATE:
 * @processes: how many are traced to it; of those that are not any more all records are in it
 * @lost: events of its processes that found no room so far
 */
struct recorder_answer {
	int32_t error;
	uint32_t processes;
	uint64_t lost;
};

#endif /* _KTRACE_PROTOCOL_H_ */
