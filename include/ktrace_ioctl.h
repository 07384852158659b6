/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * The ioctls of /dev/ktrace: what libktrace and the tools ask of ktrace.ko.
 *
 * Programs use ktrace(2) and utrace(2) instead; this interface is stable all
 * the same.  /dev/ktrace is mode 0666 and opens for anyone; the descriptor
 * has no state, so that one may be shared, inherited and passed on: each call
 * speaks for the process that makes it, with its credentials at that time.
 *
 * Rules for change: numbers are never reused, structures never grow (a new
 * one gets a new number), fields named "zero" must be 0 (else EINVAL) until
 * they get a meaning.  KTRACE_ABI_VERSION counts additions; the trace file's
 * format has its own version (ktrace(5)).
 *
 * All structures have the same layout for 32-bit callers.  Pointers travel as
 * __u64.  Errors common to all: ENOTTY for an unknown number, EFAULT when the
 * argument itself cannot be read or written, EINVAL for a nonzero "zero".
 *
 * KTRACE_IOC_VERSION  returns KTRACE_ABI_VERSION.  No argument.
 *
 * KTRACE_IOC_OP       ktrace(2).  Waits until what was recorded before is in
 *	the file (CLEAR, CLEARFILE, and SET that replaces a file): at most 5
 *	seconds.
 *	EINVAL	unknown operation or flag, or no trace point (not CLEARFILE)
 *	EFAULT	the path cannot be read
 *	ENOENT, ENOTDIR, EACCES, ELOOP, EIO, EROFS, ETXTBSY, ENAMETOOLONG
 *		from the path; EACCES also for what is no regular file, or on a
 *		file system that stores nothing (proc, sysfs), ELOOP
 *		for a symbolic link as last component, EISDIR for a directory
 *	ESRCH	no such process or group, or a zombie
 *	EPERM	none of the processes may be set by the caller
 *	ENOMEM	no memory, or kern.ktrace.max_user_memory reached
 *	EINTR	a fatal signal came first
 *
 * KTRACE_IOC_UTRACE   utrace(2).  Returns 0 at once when the caller is not
 *	traced for KTRFAC_USER, whatever the argument; then EINVAL for a
 *	length over 2048, EFAULT for memory that cannot be read.  A record
 *	that finds no room is lost like any other: KTR_DROP, and still 0.
 *
 * KTRACE_IOC_FLUSH    waits (at most 5 seconds) until everything recorded so
 *	far by the caller's sessions that write to the file is in it.  Root
 *	reaches all sessions of the file, others those they set up.
 *	EBADF	fd is no descriptor open for reading
 *	EINTR	a fatal signal came first
 *	ETIME	the time passed
 *	Returns the number of sessions flushed (0: nobody traces to the file).
 *
 * KTRACE_IOC_STATS    adds up the counters of the same sessions, and of those
 *	that ended because writing to the file failed (the newest 64 of the
 *	machine, 8 of a user; a new session of the same user forgets them).  Nothing is lost
 *	silently: what the traced processes did is recorded + lost_full + lost_pool
 *	+ lost_hook + lost_memory; what is in the file is recorded - lost_write.
 *	EBADF	as above
 *	Returns 0; sessions is 0 when nobody traces to the file.
 */
#ifndef _KTRACE_IOCTL_H_
#define _KTRACE_IOCTL_H_

#include <linux/ioctl.h>
#include <linux/types.h>

#define KTRACE_DEVICE	   "/dev/ktrace"
#define KTRACE_ABI_VERSION 1

/* KTRACE_IOC_OP: the arguments of ktrace(2). */
struct ktrace_ioc_op {
	__u64 path; /* NUL-terminated; 0 with KTROP_CLEAR */
	__s32 ops; /* KTROP_* | KTRFLAG_* */
	__s32 points; /* KTRFAC_* */
	__s32 pid; /* as seen by the caller; < 0: a process group */
	__u32 zero;
};

/* KTRACE_IOC_UTRACE: the arguments of utrace(2). */
struct ktrace_ioc_utrace {
	__u64 addr;
	__u64 len; /* bytes */
};

/* KTRACE_IOC_STATS: in: fd; out: all else. */
struct ktrace_ioc_stats {
	__s32 fd; /* the trace file, open for reading */
	__u32 zero;
	__u64 sessions; /* sessions added up here */
	__u64 processes; /* traced now */
	__u64 recorded; /* records put into the rings */
	__u64 bytes; /* bytes of them, headers included */
	__u64 written; /* records in the file */
	__u64 lost_full; /* no room in the ring */
	__u64 lost_pool; /* kern.ktrace.request_pool reached */
	__u64 lost_hook; /* the kernel's probe missed it (nmissed) */
	__u64 lost_memory; /* a child could not be followed: no memory */
	__u64 lost_write; /* were in a ring when writing failed */
	__u64 short_data; /* recorded, with less data than was moved */
	__u64 held; /* times a process waited for the writer */
	__u64 error; /* the errno that ended one of them, or 0 */
	__u64 pad; /* 0 */
};

#define KTRACE_IOC_MAGIC   0xBD
#define KTRACE_IOC_VERSION _IO(KTRACE_IOC_MAGIC, 0)
#define KTRACE_IOC_OP	   _IOW(KTRACE_IOC_MAGIC, 1, struct ktrace_ioc_op)
#define KTRACE_IOC_UTRACE  _IOW(KTRACE_IOC_MAGIC, 2, struct ktrace_ioc_utrace)
#define KTRACE_IOC_FLUSH   _IOW(KTRACE_IOC_MAGIC, 3, __s32)
#define KTRACE_IOC_STATS   _IOWR(KTRACE_IOC_MAGIC, 4, struct ktrace_ioc_stats)

#endif /* _KTRACE_IOCTL_H_ */
