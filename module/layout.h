/* SPDX-License-Identifier: GPL-2.0 */
/*
 * layout: structures as callers have them, and as records have them.
 *
 * A caller's structure has a form of each ABI; the record has a single layout
 * ("Structures" in ktrace_format.h).  A form is a
 * table of fields, or nothing when the bytes are the same.  Both sides lie at any
 * address, little endian.
 */
#ifndef KTRACE_LAYOUT_H
#define KTRACE_LAYOUT_H

#include <linux/types.h>

#define KTRACE_LAYOUT_MOST 390 /* bytes of a structure, on either side */

/* The largest address: sizeof(struct sockaddr_storage). */
#define KTRACE_SOCKADDR_MOST 128

/**
 * enum ktrace_layout_id - a structure, as a call takes it
 *
 * Several may have the same layout in the record: what they differ in is what
 * callers have.
 */
enum ktrace_layout_id {
	KTRACE_LAYOUT_NONE,
	KTRACE_LAYOUT_STAT, /* struct stat */
	KTRACE_LAYOUT_STAT64, /* struct stat64 of 32 bits */
	KTRACE_LAYOUT_OLD_STAT, /* struct __old_kernel_stat */
	KTRACE_LAYOUT_STATX,
	KTRACE_LAYOUT_ITIMERVAL,
	KTRACE_LAYOUT_TIMESPEC, /* with the caller's long */
	KTRACE_LAYOUT_TIMESPEC64, /* struct __kernel_timespec */
	KTRACE_LAYOUT_RLIMIT,
	KTRACE_LAYOUT_RLIMIT64,
	KTRACE_LAYOUT_SIGACTION,
	KTRACE_LAYOUT_OLD_SIGACTION, /* of sigaction(2) of 32 bits */
	KTRACE_LAYOUT_SIGSET,
	KTRACE_LAYOUT_OLD_SIGSET, /* a single word of 32 bits */
	KTRACE_LAYOUT_TIMEX,
	KTRACE_LAYOUT_TIMEX64, /* struct __kernel_timex */
	KTRACE_LAYOUT_UTSNAME,
	KTRACE_LAYOUT_OLD_UTSNAME, /* 5 x 65 */
	KTRACE_LAYOUT_OLDOLD_UTSNAME, /* 5 x 9 */
	KTRACE_LAYOUT_SCHED_PARAM,
	KTRACE_LAYOUT_SCHED_ATTR,
	KTRACE_LAYOUT_CAP_DATA,
	KTRACE_LAYOUT_CLONE_ARGS,
	KTRACE_LAYOUT_OPEN_HOW,
	KTRACE_LAYOUT_POLLFD,
	KTRACE_LAYOUT_EPOLL_EVENT,
	KTRACE_LAYOUT_IOVEC,
	KTRACE_LAYOUTS
};

/** enum ktrace_caller - the ABI of a call */
enum ktrace_caller {
	KTRACE_CALLER_X86_64,
	KTRACE_CALLER_I386,
	KTRACE_CALLER_ARM64,
	KTRACE_CALLER_ARM, /* AArch32 on arm64 */
	KTRACE_CALLERS
};

struct ktrace_field;

/**
 * struct ktrace_form - a structure as one kind of caller has it
 * @size: its bytes, or those of its beginning that matter; 0: no such caller
 * @n: how many fields
 * @fields: NULL: the bytes are those of the record
 */
struct ktrace_form {
	u16 size;
	u16 n;
	const struct ktrace_field *fields;
};

/**
 * struct ktrace_layout - a structure
 * @name: in the record
 * @size: there
 * @least: where the caller says how large his is: the smallest that is taken
 * @form: what each ABI has
 */
struct ktrace_layout {
	const char *name;
	u16 size;
	u16 least;
	struct ktrace_form form[KTRACE_CALLERS];
};

extern const struct ktrace_layout ktrace_layouts[KTRACE_LAYOUTS];

void ktrace_layout_convert(const struct ktrace_layout *layout, enum ktrace_caller caller, u8 *to,
			   const u8 *from, u32 n);
u8 ktrace_layout_family(u16 family);
void ktrace_layout_sockaddr(u8 *to, const u8 *from, u32 len);

#endif /* KTRACE_LAYOUT_H */
