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

#define KTRACE_COMM_LEN	   20 /* MAXCOMLEN + NUL */
#define KTRACE_MAX_ARGS	   6 /* of a Linux system call */
#define KTRACE_GENIO_MAX   131072 /* largest kern.ktrace.genio_size */
#define KTRACE_STRINGS_MAX 131072 /* of KTR_ARGS and KTR_ENVS: longer ones are cut */

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
#define KTRACE_SV_ARM64	      0x40000000 /* a 64-bit process of arm64; FreeBSD has no such flag */

#define KTRACE_SV_LINUX64     (KTRACE_SV_ABI_LINUX | KTRACE_SV_LP64)
#define KTRACE_SV_LINUX64_ARM (KTRACE_SV_LINUX64 | KTRACE_SV_ARM64)
#define KTRACE_SV_LINUX32_X86 (KTRACE_SV_ABI_LINUX | KTRACE_SV_ILP32 | KTRACE_SV_IA32)
#define KTRACE_SV_LINUX32_ARM (KTRACE_SV_ABI_LINUX | KTRACE_SV_ILP32)

struct ktrace_csw {
	__s32 out; /* 1: stops, 0: resumes */
	__s32 user; /* 1: preempted */
	char wmesg[8];
};

struct ktrace_fault {
	__u64 vaddr;
	__s32 type; /* one of: */
#define KTRACE_VM_READ	  1
#define KTRACE_VM_WRITE	  2
#define KTRACE_VM_EXECUTE 4
	__u32 pad;
};

struct ktrace_faultend {
	__s32 result; /* one of: */
#define KTRACE_KERN_SUCCESS	       0
#define KTRACE_KERN_INVALID_ADDRESS    1
#define KTRACE_KERN_PROTECTION_FAILURE 2
#define KTRACE_KERN_RESOURCE_SHORTAGE  6
};

/* Linux capability masks in the low bits of word 0, and FreeBSD's index bits. */
#define KTRACE_CAP_WORD0 (1ULL << 57)
#define KTRACE_CAP_WORD1 (1ULL << 58)

struct ktrace_capfail {
	__s32 type; /* one of: */
#define KTRACE_CAPFAIL_NOTCAPABLE 0
#define KTRACE_CAPFAIL_SYSCALL	  2
	__u32 pad;
	__u64 needed[2];
	__u64 held[2];
};

/* With v1 headers. */
struct ktrace_capfail_v1 {
	__s32 type;
	__s16 code; /* the call's number, as in ktrace_syscall */
	__u16 pad0;
	__u32 sv_flags; /* of the call */
	__u32 pad1;
	__u64 needed[2];
	__u64 held[2];
	__u8 zero[992];
};

/*
 * Structures: a name with its NUL (of KTR_STRUCT_ARRAY: __u64, the size of an
 * element, and the name with its NUL), and then these, at any address.
 *
 * "sockaddr": struct ktrace_sockaddr; "stat": struct ktrace_stat;
 * "itimerval": struct ktrace_itimerval; "timespec": struct ktrace_timespec.
 * With l_ the native layout of 64-bit Linux, whatever the caller's is:
 * "l_rlimit" (16 bytes), "l_sigaction" (the kernel's: handler, flags, restorer,
 * mask: 32), "l_sigset_t" (8), "l_timex" (208), "l_utsname" (6 x 65),
 * "l_sched_param" (4), "l_sched_attr" (56), "l_cap_data" (12, or 2 x 12),
 * "l_clone_args" (88), "l_open_how" (24); the last bytes are zero where a caller's
 * structure is shorter.
 * Arrays: "pollfd" (8), "l_epoll_event" (12), "l_iovec" (16).
 */
struct ktrace_sockaddr {
	__u8 len; /* of it all */
	__u8 family; /* as FreeBSD numbers them, or: */
#define KTRACE_AF_UNIX	  1
#define KTRACE_AF_INET	  2
#define KTRACE_AF_INET6	  28
#define KTRACE_AF_NETLINK 38
#define KTRACE_AF_LINUX	  128 /* + a Linux family that FreeBSD lacks */
	__u8 data[];
};

struct ktrace_timespec {
	__s64 sec;
	__s64 nsec;
};

struct ktrace_itimerval {
	__s64 interval_sec;
	__s64 interval_usec;
	__s64 value_sec;
	__s64 value_usec;
};

struct ktrace_stat {
	__u64 dev;
	__u64 ino;
	__u64 nlink;
	__u16 mode;
	__u16 pad0;
	__u32 uid;
	__u32 gid;
	__u32 pad1;
	__u64 rdev;
	struct ktrace_timespec atim;
	struct ktrace_timespec mtim;
	struct ktrace_timespec ctim;
	struct ktrace_timespec birthtim; /* 0: not known */
	__s64 size;
	__s64 blocks;
	__u32 blksize;
	__u32 flags;
	__u64 gen;
	__u64 spare[10];
};

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
static_assert(sizeof(struct ktrace_csw) == 16, "csw");
static_assert(sizeof(struct ktrace_fault) == 16, "fault");
static_assert(sizeof(struct ktrace_faultend) == 4, "faultend");
static_assert(sizeof(struct ktrace_capfail) == 40, "capfail");
static_assert(offsetof(struct ktrace_capfail, needed) == 8, "capfail needed");
static_assert(sizeof(struct ktrace_capfail_v1) == 1040, "capfail v1");
static_assert(offsetof(struct ktrace_capfail_v1, sv_flags) == 8, "capfail v1 sv_flags");
static_assert(offsetof(struct ktrace_capfail_v1, needed) == 16, "capfail v1 needed");
static_assert(sizeof(struct ktrace_stat) == 224, "stat");
static_assert(offsetof(struct ktrace_stat, mode) == 24, "stat mode");
static_assert(offsetof(struct ktrace_stat, rdev) == 40, "stat rdev");
static_assert(offsetof(struct ktrace_stat, birthtim) == 96, "stat birthtim");
static_assert(offsetof(struct ktrace_stat, size) == 112, "stat size");
static_assert(offsetof(struct ktrace_stat, flags) == 132, "stat flags");
static_assert(offsetof(struct ktrace_stat, gen) == 136, "stat gen");
static_assert(sizeof(struct ktrace_itimerval) == 32, "itimerval");

#endif /* _KTRACE_FORMAT_H_ */
