/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The trace file as bytes: FreeBSD/amd64's ktrace format, in fixed-width
 * types, for the module that writes it and the tools that read it.
 *
 * Little endian, natural alignment, no packing; every byte that is no named
 * field is zero.  ktrace(5) is the prose.  Types and trace points are in
 * <sys/ktrace.h>.
 */
#ifndef _KTRACE_FORMAT_H_
#define _KTRACE_FORMAT_H_

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/types.h>
#else
#include <assert.h>
#include <stddef.h>
#include <linux/types.h>
#endif

#define KTRACE_COMM_LEN	 20 /* MAXCOMLEN + NUL */
#define KTRACE_MAX_ARGS	 6 /* of a Linux system call */
#define KTRACE_GENIO_MAX 131072 /* largest kern.ktrace.genio_size */

struct ktrace_header_v0 {
	__s32 len; /* bytes that follow the header */
	__u16 type;
	__u16 pad;
	__s32 pid;
	char comm[KTRACE_COMM_LEN];
	__s64 sec; /* wall clock */
	__s64 usec;
	__s64 tid;
};

struct ktrace_header_v1 {
	__s32 len;
	__u16 type; /* with KTR_VERSIONED */
	__u16 version;
	__s32 pid;
	char comm[KTRACE_COMM_LEN];
	__s64 sec;
	__s64 nsec;
	__s64 tid;
	__s32 cpu;
	__u32 pad;
};

struct ktrace_syscall {
	__s16 code;
	__s16 narg;
	__u32 pad;
	__s64 args[]; /* narg of them */
};

struct ktrace_sysret {
	__s16 code;
	__s16 eosys; /* 0 */
	__s32 error; /* a FreeBSD errno, 1000 + n, or one of: */
#define KTRACE_ERESTART	   (-1)
#define KTRACE_EJUSTRETURN (-2)
#define KTRACE_ELINUX	   1000 /* + a Linux errno that FreeBSD lacks */
	__s64 retval; /* 0 when error is not */
};

struct ktrace_genio {
	__s32 fd;
	__s32 rw; /* 0 read, 1 write */
};

struct ktrace_psig {
	__s32 signo; /* a FreeBSD signal number, or 256 + n */
#define KTRACE_SIGLINUX 256 /* + a Linux signal that FreeBSD lacks */
	__u32 pad0;
	__u64 action;
	__s32 code;
	__u32 mask[4];
	__u32 pad1;
};

struct ktrace_procctor {
	__u32 sv_flags;
};

/* sv_flags */
#define KTRACE_SV_ABI_MASK    0xff
#define KTRACE_SV_ABI_LINUX   3
#define KTRACE_SV_ABI_FREEBSD 9
#define KTRACE_SV_ILP32	      0x100
#define KTRACE_SV_LP64	      0x200
#define KTRACE_SV_IA32	      0x4000

#define KTRACE_SV_LINUX64     (KTRACE_SV_ABI_LINUX | KTRACE_SV_LP64)
#define KTRACE_SV_LINUX32_X86 (KTRACE_SV_ABI_LINUX | KTRACE_SV_ILP32 | KTRACE_SV_IA32)
#define KTRACE_SV_LINUX32_ARM (KTRACE_SV_ABI_LINUX | KTRACE_SV_ILP32)

static_assert(sizeof(struct ktrace_header_v0) == 56, "v0 header");
static_assert(offsetof(struct ktrace_header_v0, type) == 4, "v0 type");
static_assert(offsetof(struct ktrace_header_v0, pid) == 8, "v0 pid");
static_assert(offsetof(struct ktrace_header_v0, comm) == 12, "v0 comm");
static_assert(offsetof(struct ktrace_header_v0, sec) == 32, "v0 time");
static_assert(offsetof(struct ktrace_header_v0, tid) == 48, "v0 tid");
static_assert(sizeof(struct ktrace_header_v1) == 64, "v1 header");
static_assert(offsetof(struct ktrace_header_v1, version) == 6, "v1 version");
static_assert(offsetof(struct ktrace_header_v1, pid) == 8, "v1 pid");
static_assert(offsetof(struct ktrace_header_v1, comm) == 12, "v1 comm");
static_assert(offsetof(struct ktrace_header_v1, sec) == 32, "v1 time");
static_assert(offsetof(struct ktrace_header_v1, tid) == 48, "v1 tid");
static_assert(offsetof(struct ktrace_header_v1, cpu) == 56, "v1 cpu");
static_assert(offsetof(struct ktrace_syscall, args) == 8, "syscall args");
static_assert(sizeof(struct ktrace_sysret) == 16, "sysret");
static_assert(offsetof(struct ktrace_sysret, error) == 4, "sysret error");
static_assert(offsetof(struct ktrace_sysret, retval) == 8, "sysret retval");
static_assert(sizeof(struct ktrace_genio) == 8, "genio");
static_assert(sizeof(struct ktrace_psig) == 40, "psig");
static_assert(offsetof(struct ktrace_psig, action) == 8, "psig action");
static_assert(offsetof(struct ktrace_psig, code) == 16, "psig code");
static_assert(offsetof(struct ktrace_psig, mask) == 20, "psig mask");
static_assert(sizeof(struct ktrace_procctor) == 4, "procctor");

#endif /* _KTRACE_FORMAT_H_ */
