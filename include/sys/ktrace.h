/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ktrace(2) and utrace(2): the interface of FreeBSD's <sys/ktrace.h>.
 *
 * A program written for FreeBSD compiles with it unchanged; link with
 * -lktrace.  The numbers are those of FreeBSD 12 to 15; what is ours alone
 * has LINUX in its name.  The module includes this header for the numbers.
 */
#ifndef _SYS_KTRACE_H_
#define _SYS_KTRACE_H_

/* ops: one operation, and flags OR-ed to it. */
#define KTROP_SET	0 /* add trace points */
#define KTROP_CLEAR	1 /* remove trace points */
#define KTROP_CLEARFILE 2 /* end all tracing to a file */
#define KTROP(o)	((o)&3)
#define KTRFLAG_DESCEND 4 /* the process and all its descendants */
/*
 * Linux extension: records of this trace file carry v1 headers (nanoseconds
 * and the CPU's number; struct ktr_header below).  Without it they are v0.
 */
#define KTRFLAG_LINUX_V1 0x100

/* Record types (ktr_type). */
#define KTR_SYSCALL	 1
#define KTR_SYSRET	 2
#define KTR_NAMEI	 3
#define KTR_GENIO	 4
#define KTR_PSIG	 5
#define KTR_CSW		 6
#define KTR_USER	 7
#define KTR_STRUCT	 8
#define KTR_SYSCTL	 9
#define KTR_PROCCTOR	 10
#define KTR_PROCDTOR	 11
#define KTR_CAPFAIL	 12
#define KTR_FAULT	 13
#define KTR_FAULTEND	 14
#define KTR_STRUCT_ARRAY 15
#define KTR_ARGS	 16
#define KTR_ENVS	 17
#define KTR_EXTERR	 18

/* Bits of ktr_type beside the type. */
#define KTR_DROP      0x8000 /* records of this process were lost before this one */
#define KTR_VERSIONED 0x4000 /* the header is v1 or later */
#define KTR_TYPE      (KTR_DROP | KTR_VERSIONED)

#define KTR_VERSION0 0
#define KTR_VERSION1 1

/* Trace points. */
#define KTRFAC_MASK	    0x00ffffff
#define KTRFAC_SYSCALL	    (1 << KTR_SYSCALL)
#define KTRFAC_SYSRET	    (1 << KTR_SYSRET)
#define KTRFAC_NAMEI	    (1 << KTR_NAMEI)
#define KTRFAC_GENIO	    (1 << KTR_GENIO)
#define KTRFAC_PSIG	    (1 << KTR_PSIG)
#define KTRFAC_CSW	    (1 << KTR_CSW)
#define KTRFAC_USER	    (1 << KTR_USER)
#define KTRFAC_STRUCT	    (1 << KTR_STRUCT)
#define KTRFAC_SYSCTL	    (1 << KTR_SYSCTL)
#define KTRFAC_PROCCTOR	    (1 << KTR_PROCCTOR)
#define KTRFAC_PROCDTOR	    (1 << KTR_PROCDTOR)
#define KTRFAC_CAPFAIL	    (1 << KTR_CAPFAIL)
#define KTRFAC_FAULT	    (1 << KTR_FAULT)
#define KTRFAC_FAULTEND	    (1 << KTR_FAULTEND)
#define KTRFAC_STRUCT_ARRAY (1 << KTR_STRUCT_ARRAY)
#define KTRFAC_ARGS	    (1 << KTR_ARGS)
#define KTRFAC_ENVS	    (1 << KTR_ENVS)
#define KTRFAC_EXTERR	    (1 << KTR_EXTERR)

#define KTRFAC_ROOT    0x80000000U /* set by root */
#define KTRFAC_INHERIT 0x40000000 /* children are traced too */
#define KTRFAC_DROP    0x20000000 /* last event was dropped */

#define KTR_USER_MAXLEN 2048 /* utrace() */

/* KTR_CAPFAIL: what was refused. */
#define CAPFAIL_NOTCAPABLE 0
#define CAPFAIL_INCREASE   1
#define CAPFAIL_SYSCALL	   2
#define CAPFAIL_LOOKUP	   3

#ifndef __KERNEL__

#include <sys/types.h>
#include <sys/time.h>
#include <stdint.h>
#include <time.h>

#ifndef MAXCOMLEN
#define MAXCOMLEN 19
#endif

/* Every record begins with one of these. */
struct ktr_header_v0 {
	int ktr_len; /* bytes that follow the header */
	short ktr_type;
	pid_t ktr_pid;
	char ktr_comm[MAXCOMLEN + 1];
	struct timeval ktr_time;
	long ktr_tid;
};

struct ktr_header {
	int ktr_len;
	short ktr_type; /* has KTR_VERSIONED */
	short ktr_version;
	pid_t ktr_pid;
	char ktr_comm[MAXCOMLEN + 1];
	struct timespec ktr_time;
	long ktr_tid;
	int ktr_cpu;
};

/*
 * A header's size: a v1 header is padded to 64 bytes in the file, which is
 * sizeof(struct ktr_header) on LP64.
 */
#define KTR_HEADER_SIZE(h) \
	(((h)->ktr_type & KTR_VERSIONED) ? sizeof(struct ktr_header) : sizeof(struct ktr_header_v0))

struct ktr_syscall {
	short ktr_code;
	short ktr_narg;
	int64_t ktr_args[1]; /* ktr_narg of them */
};

struct ktr_sysret {
	short ktr_code;
	short ktr_eosys; /* always 0 */
	int ktr_error; /* a FreeBSD errno: ktrace(5) */
	int64_t ktr_retval;
};

struct ktr_genio {
	int ktr_fd;
	int ktr_rw; /* 0 read, 1 write; the data follows */
};

struct ktr_psig {
	int signo; /* a FreeBSD signal number: ktrace(5) */
	uint64_t action; /* the handler's address */
	int code;
	uint32_t mask[4];
};

struct ktr_csw_old {
	int out;
	int user;
};

struct ktr_csw {
	int out; /* 1 going out, 0 coming back */
	int user; /* 1 when preempted in user mode */
	char wmesg[8];
};

struct ktr_proc_ctor {
	unsigned int sv_flags;
};

struct ktr_fault {
	uint64_t vaddr;
	int type;
};

struct ktr_faultend {
	int result;
};

struct ktr_struct_array {
	uint64_t struct_size;
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * ktrace - set or clear the trace points of processes
 * @tracefile: path of an existing regular file (may be NULL for KTROP_CLEAR)
 * @ops: KTROP_*, with KTRFLAG_*
 * @trpoints: KTRFAC_*
 * @pid: a process; below zero, the process group -pid
 *
 * Returns 0, or -1 with errno set: see ktrace(2).  Thread-safe and
 * fork-safe; keeps no descriptor open.
 */
int ktrace(const char *tracefile, int ops, int trpoints, int pid);

/*
 * utrace - put a record of the program's own into its trace
 * @addr, @len: up to KTR_USER_MAXLEN bytes
 *
 * Returns 0 (also when the process is not traced), or -1 with errno set.
 * Thread-safe and fork-safe; may keep one descriptor open: utrace(2).
 */
int utrace(const void *addr, size_t len);

#ifdef __cplusplus
}
#endif

#endif /* !__KERNEL__ */
#endif /* _SYS_KTRACE_H_ */
