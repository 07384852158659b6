// SPDX-License-Identifier: GPL-2.0
/*
 * Sources of the facts: what each call reads and writes, and in which order it
 * finds fault with its arguments, is from the kernel's own sources (v6.1).
 */
#include <linux/net.h>

#include "arch.h"
#include "layout.h"
#include "struct_calls.h"

#define IN    KTRACE_WAY_IN
#define OUT   KTRACE_WAY_OUT
#define INOUT (KTRACE_WAY_IN | KTRACE_WAY_OUT)
/* Read, unless EINVAL: what is refused at first sight was not read. */
#define IN_EINVAL    (KTRACE_WAY_IN | KTRACE_WAY_EINVAL)
#define INOUT_EINVAL (INOUT | KTRACE_WAY_EINVAL)

/* Structures that calls have, as groups; NAME_n: argument n points to it. */
enum group {
	NOTHING,
	ADDRESS_IN,
	ADDRESS_OUT,
	SENDTO,
	RECVFROM,
	SENDMSG,
	RECVMSG,
	RECVMMSG,
	STAT_1,
	STAT_2,
	STATX,
	OLD_STAT,
	SETITIMER,
	GETITIMER,
	NANOSLEEP,
	CLOCK_NANOSLEEP,
	CLOCK_SETTIME,
	TIMESPEC_OUT_1,
	TIMESPEC_IN_3,
	TIMESPEC_IN_4,
	FUTEX,
	FUTEX_WAITV,
	FUTEX_WAIT2,
	SEMTIMEDOP_IPC,
	UTIMENSAT,
	POLL,
	PPOLL,
	PSELECT,
	PGETEVENTS,
	RLIMIT_OUT,
	RLIMIT_IN,
	PRLIMIT,
	SIGACTION,
	OLD_SIGACTION,
	SIGPROCMASK,
	OLD_SIGPROCMASK,
	SIGPENDING,
	OLD_SIGPENDING,
	SIGSUSPEND,
	SIGTIMEDWAIT,
	SIGNALFD,
	TIMEX_0,
	TIMEX_1,
	UNAME,
	OLD_UNAME,
	OLDOLD_UNAME,
	SETPARAM,
	GETPARAM,
	SETSCHEDULER,
	SETATTR,
	GETATTR,
	CAPGET,
	CAPSET,
	CLONE3,
	OPENAT2,
	EPOLL_CTL,
	EPOLL_WAIT,
	EPOLL_PWAIT,
	EPOLL_PWAIT2,
	IOVEC,
	PROCESS_VM,
	GROUPS
};

/* In the tables by number: the call takes the 64-bit forms of time, sizes and limits. */
#define WIDE 0x80

#define STRUCTURE(way_, id_, arg_, ...)                                            \
	{                                                                          \
		.way = way_, .id = KTRACE_LAYOUT_##id_, .arg = arg_, ##__VA_ARGS__ \
	}
#define SOCKADDR(way_, arg_, ...)                       \
	{                                               \
		.way = way_, .arg = arg_, ##__VA_ARGS__ \
	}
#define HOW(how_, with_)   .how = KTRACE_HOW_##how_, .with = with_
#define WHEN(when_, test_) .when = KTRACE_WHEN_##when_, .test = test_

static const struct ktrace_struct_arg groups[GROUPS][KTRACE_STRUCT_ARGS + 1] = {
	[ADDRESS_IN] = { SOCKADDR(IN, 1, HOW(ADDRESS, 2)) },
	[ADDRESS_OUT] = { SOCKADDR(OUT, 1, HOW(ADDRESS, 2)) },
	[SENDTO] = { SOCKADDR(IN, 4, HOW(ADDRESS, 5)) },
	[RECVFROM] = { SOCKADDR(OUT, 4, HOW(ADDRESS, 5)) },
	[SENDMSG] = { SOCKADDR(IN, 1, HOW(MESSAGE, 0)) },
	[RECVMSG] = { SOCKADDR(OUT, 1, HOW(MESSAGE, 0)) },
	/* what remains of the time is written when something was received */
	[RECVMMSG] = { STRUCTURE(INOUT, TIMESPEC, 4) },
	[STAT_1] = { STRUCTURE(OUT, STAT, 1) },
	[STAT_2] = { STRUCTURE(OUT, STAT, 2) },
	[STATX] = { STRUCTURE(OUT, STATX, 4) },
	[OLD_STAT] = { STRUCTURE(OUT, OLD_STAT, 1) },
	[SETITIMER] = { STRUCTURE(IN, ITIMERVAL, 1), STRUCTURE(OUT, ITIMERVAL, 2) },
	[GETITIMER] = { STRUCTURE(OUT, ITIMERVAL, 1) },
	[NANOSLEEP] = { STRUCTURE(IN, TIMESPEC, 0),
			STRUCTURE(OUT, TIMESPEC, 1, WHEN(INTERRUPTED, 0)) },
	[CLOCK_NANOSLEEP] = { STRUCTURE(IN, TIMESPEC, 2, WHEN(SLEEP, 0)),
			      STRUCTURE(OUT, TIMESPEC, 3, WHEN(INTERRUPTED, 1)) },
	[CLOCK_SETTIME] = { STRUCTURE(IN, TIMESPEC, 1, WHEN(SETTIME, 0)) },
	[TIMESPEC_OUT_1] = { STRUCTURE(OUT, TIMESPEC, 1) },
	[TIMESPEC_IN_3] = { STRUCTURE(IN, TIMESPEC, 3) },
	[TIMESPEC_IN_4] = { STRUCTURE(IN, TIMESPEC, 4) },
	[FUTEX] = { STRUCTURE(IN, TIMESPEC, 3, WHEN(FUTEX, 1)) },
	[FUTEX_WAITV] = { STRUCTURE(IN_EINVAL, TIMESPEC, 3) },
	[FUTEX_WAIT2] = { STRUCTURE(IN_EINVAL, TIMESPEC, 4) },
	[SEMTIMEDOP_IPC] = { STRUCTURE(IN, TIMESPEC, 5, WHEN(SEMTIMEDOP, 0)) },
	[UTIMENSAT] = { STRUCTURE(IN, TIMESPEC, 2, HOW(TWO, 0)) },
	/* results are written even when a signal ends it */
	[POLL] = { STRUCTURE(INOUT_EINVAL, POLLFD, 0, HOW(COUNT, 1)) },
	/* the kernel writes what remains of the time, whatever came of it */
	[PPOLL] = { STRUCTURE(INOUT_EINVAL, POLLFD, 0, HOW(COUNT, 1)),
		    STRUCTURE(INOUT, TIMESPEC, 2),
		    STRUCTURE(IN_EINVAL, SIGSET, 3, WHEN(SIGSET, 4)) },
	[PSELECT] = { STRUCTURE(INOUT, TIMESPEC, 4),
		      STRUCTURE(IN_EINVAL, SIGSET, 5, HOW(PAIR, 0)) },
	[PGETEVENTS] = { STRUCTURE(IN, TIMESPEC, 4), STRUCTURE(IN, SIGSET, 5, HOW(PAIR, 0)) },
	[RLIMIT_OUT] = { STRUCTURE(OUT, RLIMIT, 1) },
	[RLIMIT_IN] = { STRUCTURE(IN, RLIMIT, 1) },
	[PRLIMIT] = { STRUCTURE(IN, RLIMIT, 2), STRUCTURE(OUT, RLIMIT, 3) },
	[SIGACTION] = { STRUCTURE(IN, SIGACTION, 1, WHEN(SIGSET, 3)),
			STRUCTURE(OUT, SIGACTION, 2) },
	[OLD_SIGACTION] = { STRUCTURE(IN, OLD_SIGACTION, 1), STRUCTURE(OUT, OLD_SIGACTION, 2) },
	[SIGPROCMASK] = { STRUCTURE(IN, SIGSET, 1, WHEN(SIGSET, 3)), STRUCTURE(OUT, SIGSET, 2) },
	[OLD_SIGPROCMASK] = { STRUCTURE(IN, OLD_SIGSET, 1), STRUCTURE(OUT, OLD_SIGSET, 2) },
	[SIGPENDING] = { STRUCTURE(OUT, SIGSET, 0, HOW(SIZED, 1)) },
	[OLD_SIGPENDING] = { STRUCTURE(OUT, OLD_SIGSET, 0) },
	[SIGSUSPEND] = { STRUCTURE(IN, SIGSET, 0, WHEN(SIGSET, 1)) },
	[SIGTIMEDWAIT] = { STRUCTURE(IN, SIGSET, 0, WHEN(SIGSET, 3)),
			   STRUCTURE(IN, TIMESPEC, 2, WHEN(SIGSET, 3)) },
	[SIGNALFD] = { STRUCTURE(IN, SIGSET, 1, WHEN(SIGSET, 2)) },
	[TIMEX_0] = { STRUCTURE(INOUT, TIMEX, 0) },
	[TIMEX_1] = { STRUCTURE(INOUT, TIMEX, 1) },
	[UNAME] = { STRUCTURE(OUT, UTSNAME, 0) },
	[OLD_UNAME] = { STRUCTURE(OUT, OLD_UTSNAME, 0) },
	[OLDOLD_UNAME] = { STRUCTURE(OUT, OLDOLD_UTSNAME, 0) },
	[SETPARAM] = { STRUCTURE(IN, SCHED_PARAM, 1, WHEN(NOT_NEGATIVE, 0)) },
	[GETPARAM] = { STRUCTURE(OUT, SCHED_PARAM, 1) },
	[SETSCHEDULER] = { STRUCTURE(IN, SCHED_PARAM, 2, WHEN(NOT_NEGATIVE, 1)) },
	[SETATTR] = { STRUCTURE(IN, SCHED_ATTR, 1, HOW(SELF, 0), WHEN(SETATTR, 0)) },
	[GETATTR] = { STRUCTURE(OUT, SCHED_ATTR, 1, HOW(SIZED, 2)) },
	[CAPGET] = { STRUCTURE(OUT, CAP_DATA, 1, HOW(CAPS, 0)) },
	[CAPSET] = { STRUCTURE(IN_EINVAL, CAP_DATA, 1, HOW(CAPS, 0), WHEN(CAPSET, 0)) },
	/* the child returns 0 from it, too */
	[CLONE3] = { STRUCTURE(IN, CLONE_ARGS, 0, HOW(SIZED, 1), WHEN(RESULT, 0)) },
	[OPENAT2] = { STRUCTURE(IN, OPEN_HOW, 2, HOW(SIZED, 3)) },
	[EPOLL_CTL] = { STRUCTURE(IN, EPOLL_EVENT, 3, HOW(ONE, 0), WHEN(EPOLL, 0)) },
	[EPOLL_WAIT] = { STRUCTURE(OUT, EPOLL_EVENT, 1, HOW(RESULT, 0)) },
	[EPOLL_PWAIT] = { STRUCTURE(OUT, EPOLL_EVENT, 1, HOW(RESULT, 0)),
			  STRUCTURE(IN, SIGSET, 4, WHEN(SIGSET, 5)) },
	[EPOLL_PWAIT2] = { STRUCTURE(OUT, EPOLL_EVENT, 1, HOW(RESULT, 0)),
			   STRUCTURE(IN, TIMESPEC, 3),
			   STRUCTURE(IN_EINVAL, SIGSET, 4, WHEN(SIGSET, 5)) },
	[IOVEC] = { STRUCTURE(IN_EINVAL, IOVEC, 1, HOW(COUNT, 2)) },
	/* without room in the first the second is not looked at, and nothing moves */
	[PROCESS_VM] = { STRUCTURE(IN_EINVAL, IOVEC, 1, HOW(COUNT, 2)),
			 STRUCTURE(IN_EINVAL, IOVEC, 3, HOW(COUNT, 4), WHEN(RESULT, 0)) },
};

const u8 ktrace_struct_natives[KTRACE_STRUCT_CALLS] = {
#ifdef CONFIG_X86_64
	[__NR_stat] = STAT_1,
	[__NR_lstat] = STAT_1,
	[__NR_poll] = POLL,
	[__NR_epoll_wait] = EPOLL_WAIT,
	[__NR_signalfd] = SIGNALFD,
#endif
	[__NR_fstat] = STAT_1,
	[__NR_rt_sigaction] = SIGACTION,
	[__NR_rt_sigprocmask] = SIGPROCMASK,
	[__NR_readv] = IOVEC,
	[__NR_writev] = IOVEC,
	[__NR_nanosleep] = NANOSLEEP,
	[__NR_getitimer] = GETITIMER,
	[__NR_setitimer] = SETITIMER,
	[__NR_connect] = ADDRESS_IN,
	[__NR_accept] = ADDRESS_OUT,
	[__NR_sendto] = SENDTO,
	[__NR_recvfrom] = RECVFROM,
	[__NR_sendmsg] = SENDMSG,
	[__NR_recvmsg] = RECVMSG,
	[__NR_bind] = ADDRESS_IN,
	[__NR_getsockname] = ADDRESS_OUT,
	[__NR_getpeername] = ADDRESS_OUT,
	[__NR_uname] = UNAME,
	[__NR_getrlimit] = RLIMIT_OUT,
	[__NR_capget] = CAPGET,
	[__NR_capset] = CAPSET,
	[__NR_rt_sigpending] = SIGPENDING,
	[__NR_rt_sigtimedwait] = SIGTIMEDWAIT,
	[__NR_rt_sigsuspend] = SIGSUSPEND,
	[__NR_sched_setparam] = SETPARAM,
	[__NR_sched_getparam] = GETPARAM,
	[__NR_sched_setscheduler] = SETSCHEDULER,
	[__NR_sched_rr_get_interval] = TIMESPEC_OUT_1,
	[__NR_adjtimex] = TIMEX_0,
	[__NR_setrlimit] = RLIMIT_IN,
	[__NR_futex] = FUTEX,
	[__NR_io_getevents] = TIMESPEC_IN_4,
	[__NR_semtimedop] = TIMESPEC_IN_3,
	[__NR_clock_settime] = CLOCK_SETTIME,
	[__NR_clock_gettime] = TIMESPEC_OUT_1,
	[__NR_clock_getres] = TIMESPEC_OUT_1,
	[__NR_clock_nanosleep] = CLOCK_NANOSLEEP,
	[__NR_epoll_ctl] = EPOLL_CTL,
	[__NR_mq_timedsend] = TIMESPEC_IN_4,
	[__NR_mq_timedreceive] = TIMESPEC_IN_4,
	[__NR_newfstatat] = STAT_2,
	[__NR_pselect6] = PSELECT,
	[__NR_ppoll] = PPOLL,
	[__NR_vmsplice] = IOVEC,
	[__NR_utimensat] = UTIMENSAT,
	[__NR_epoll_pwait] = EPOLL_PWAIT,
	[__NR_accept4] = ADDRESS_OUT,
	[__NR_signalfd4] = SIGNALFD,
	[__NR_preadv] = IOVEC,
	[__NR_pwritev] = IOVEC,
	[__NR_recvmmsg] = RECVMMSG,
	[__NR_prlimit64] = PRLIMIT,
	[__NR_clock_adjtime] = TIMEX_1,
	[__NR_process_vm_readv] = PROCESS_VM,
	[__NR_process_vm_writev] = PROCESS_VM,
	[__NR_sched_setattr] = SETATTR,
	[__NR_sched_getattr] = GETATTR,
	[__NR_preadv2] = IOVEC,
	[__NR_pwritev2] = IOVEC,
	[__NR_statx] = STATX,
	[__NR_io_pgetevents] = PGETEVENTS,
	[__NR_clone3] = CLONE3,
	[__NR_openat2] = OPENAT2,
	[KTRACE_NR_process_madvise] = IOVEC,
	[KTRACE_NR_epoll_pwait2] = EPOLL_PWAIT2,
	[KTRACE_NR_futex_waitv] = FUTEX_WAITV,
	[KTRACE_NR_futex_wait] = FUTEX_WAIT2,
};

#ifdef KTRACE_ARCH_COMPAT
static const u8 compat_calls[] = {
#ifdef CONFIG_X86_64
	[__NR_ia32_oldstat] = OLD_STAT,
	[__NR_ia32_oldfstat] = OLD_STAT,
	[__NR_ia32_oldolduname] = OLDOLD_UNAME,
	[__NR_ia32_getrlimit] = RLIMIT_OUT,
	[__NR_ia32_oldlstat] = OLD_STAT,
	[__NR_ia32_olduname] = OLD_UNAME,
	[__NR_ia32_ipc] = SEMTIMEDOP_IPC,
#else
	[KTRACE_COMPAT_NR(accept)] = ADDRESS_OUT,
	[KTRACE_COMPAT_NR(semtimedop)] = TIMESPEC_IN_3,
#endif
	[KTRACE_COMPAT_NR(sigaction)] = OLD_SIGACTION,
	[KTRACE_COMPAT_NR(sigpending)] = OLD_SIGPENDING,
	[KTRACE_COMPAT_NR(setrlimit)] = RLIMIT_IN,
	[KTRACE_COMPAT_NR(setitimer)] = SETITIMER,
	[KTRACE_COMPAT_NR(getitimer)] = GETITIMER,
	[KTRACE_COMPAT_NR(stat)] = STAT_1,
	[KTRACE_COMPAT_NR(lstat)] = STAT_1,
	[KTRACE_COMPAT_NR(fstat)] = STAT_1,
	[KTRACE_COMPAT_NR(uname)] = UNAME,
	[KTRACE_COMPAT_NR(adjtimex)] = TIMEX_0,
	[KTRACE_COMPAT_NR(sigprocmask)] = OLD_SIGPROCMASK,
	[KTRACE_COMPAT_NR(readv)] = IOVEC,
	[KTRACE_COMPAT_NR(writev)] = IOVEC,
	[KTRACE_COMPAT_NR(sched_setparam)] = SETPARAM,
	[KTRACE_COMPAT_NR(sched_getparam)] = GETPARAM,
	[KTRACE_COMPAT_NR(sched_setscheduler)] = SETSCHEDULER,
	[KTRACE_COMPAT_NR(sched_rr_get_interval)] = TIMESPEC_OUT_1,
	[KTRACE_COMPAT_NR(nanosleep)] = NANOSLEEP,
	[KTRACE_COMPAT_NR(poll)] = POLL,
	[KTRACE_COMPAT_NR(rt_sigaction)] = SIGACTION,
	[KTRACE_COMPAT_NR(rt_sigprocmask)] = SIGPROCMASK,
	[KTRACE_COMPAT_NR(rt_sigpending)] = SIGPENDING,
	[KTRACE_COMPAT_NR(rt_sigtimedwait)] = SIGTIMEDWAIT,
	[KTRACE_COMPAT_NR(rt_sigsuspend)] = SIGSUSPEND,
	[KTRACE_COMPAT_NR(capget)] = CAPGET,
	[KTRACE_COMPAT_NR(capset)] = CAPSET,
	[KTRACE_COMPAT_NR(ugetrlimit)] = RLIMIT_OUT,
	[KTRACE_COMPAT_NR(stat64)] = STAT_1 | WIDE,
	[KTRACE_COMPAT_NR(lstat64)] = STAT_1 | WIDE,
	[KTRACE_COMPAT_NR(fstat64)] = STAT_1 | WIDE,
	[KTRACE_COMPAT_NR(futex)] = FUTEX,
	[KTRACE_COMPAT_NR(io_getevents)] = TIMESPEC_IN_4,
	[KTRACE_COMPAT_NR(epoll_ctl)] = EPOLL_CTL,
	[KTRACE_COMPAT_NR(epoll_wait)] = EPOLL_WAIT,
	[KTRACE_COMPAT_NR(clock_settime)] = CLOCK_SETTIME,
	[KTRACE_COMPAT_NR(clock_gettime)] = TIMESPEC_OUT_1,
	[KTRACE_COMPAT_NR(clock_getres)] = TIMESPEC_OUT_1,
	[KTRACE_COMPAT_NR(clock_nanosleep)] = CLOCK_NANOSLEEP,
	[KTRACE_COMPAT_NR(mq_timedsend)] = TIMESPEC_IN_4,
	[KTRACE_COMPAT_NR(mq_timedreceive)] = TIMESPEC_IN_4,
	[KTRACE_COMPAT_NR(fstatat64)] = STAT_2 | WIDE,
	[KTRACE_COMPAT_NR(pselect6)] = PSELECT,
	[KTRACE_COMPAT_NR(ppoll)] = PPOLL,
	[KTRACE_COMPAT_NR(vmsplice)] = IOVEC,
	[KTRACE_COMPAT_NR(epoll_pwait)] = EPOLL_PWAIT,
	[KTRACE_COMPAT_NR(utimensat)] = UTIMENSAT,
	[KTRACE_COMPAT_NR(signalfd)] = SIGNALFD,
	[KTRACE_COMPAT_NR(signalfd4)] = SIGNALFD,
	[KTRACE_COMPAT_NR(preadv)] = IOVEC,
	[KTRACE_COMPAT_NR(pwritev)] = IOVEC,
	[KTRACE_COMPAT_NR(recvmmsg)] = RECVMMSG,
	[KTRACE_COMPAT_NR(prlimit64)] = PRLIMIT | WIDE,
	[KTRACE_COMPAT_NR(clock_adjtime)] = TIMEX_1,
	[KTRACE_COMPAT_NR(process_vm_readv)] = PROCESS_VM,
	[KTRACE_COMPAT_NR(process_vm_writev)] = PROCESS_VM,
	[KTRACE_COMPAT_NR(sched_setattr)] = SETATTR,
	[KTRACE_COMPAT_NR(sched_getattr)] = GETATTR,
	[KTRACE_COMPAT_NR(bind)] = ADDRESS_IN,
	[KTRACE_COMPAT_NR(connect)] = ADDRESS_IN,
	[KTRACE_COMPAT_NR(accept4)] = ADDRESS_OUT,
	[KTRACE_COMPAT_NR(getsockname)] = ADDRESS_OUT,
	[KTRACE_COMPAT_NR(getpeername)] = ADDRESS_OUT,
	[KTRACE_COMPAT_NR(sendto)] = SENDTO,
	[KTRACE_COMPAT_NR(sendmsg)] = SENDMSG,
	[KTRACE_COMPAT_NR(recvfrom)] = RECVFROM,
	[KTRACE_COMPAT_NR(recvmsg)] = RECVMSG,
	[KTRACE_COMPAT_NR(preadv2)] = IOVEC,
	[KTRACE_COMPAT_NR(pwritev2)] = IOVEC,
	[KTRACE_COMPAT_NR(statx)] = STATX,
	[KTRACE_COMPAT_NR(io_pgetevents)] = PGETEVENTS,
	[KTRACE_COMPAT_NR(clock_gettime64)] = TIMESPEC_OUT_1 | WIDE,
	[KTRACE_COMPAT_NR(clock_settime64)] = CLOCK_SETTIME | WIDE,
	[KTRACE_COMPAT_NR(clock_adjtime64)] = TIMEX_1 | WIDE,
	[KTRACE_COMPAT_NR(clock_getres_time64)] = TIMESPEC_OUT_1 | WIDE,
	[KTRACE_COMPAT_NR(clock_nanosleep_time64)] = CLOCK_NANOSLEEP | WIDE,
	[KTRACE_COMPAT_NR(utimensat_time64)] = UTIMENSAT | WIDE,
	[KTRACE_COMPAT_NR(pselect6_time64)] = PSELECT | WIDE,
	[KTRACE_COMPAT_NR(ppoll_time64)] = PPOLL | WIDE,
	[KTRACE_COMPAT_NR(io_pgetevents_time64)] = PGETEVENTS | WIDE,
	[KTRACE_COMPAT_NR(recvmmsg_time64)] = RECVMMSG | WIDE,
	[KTRACE_COMPAT_NR(mq_timedsend_time64)] = TIMESPEC_IN_4 | WIDE,
	[KTRACE_COMPAT_NR(mq_timedreceive_time64)] = TIMESPEC_IN_4 | WIDE,
	[KTRACE_COMPAT_NR(semtimedop_time64)] = TIMESPEC_IN_3 | WIDE,
	[KTRACE_COMPAT_NR(rt_sigtimedwait_time64)] = SIGTIMEDWAIT | WIDE,
	[KTRACE_COMPAT_NR(futex_time64)] = FUTEX | WIDE,
	[KTRACE_COMPAT_NR(sched_rr_get_interval_time64)] = TIMESPEC_OUT_1 | WIDE,
	[KTRACE_COMPAT_NR(clone3)] = CLONE3,
	[KTRACE_COMPAT_NR(openat2)] = OPENAT2,
	/* the same numbers on all architectures */
	[KTRACE_NR_process_madvise] = IOVEC,
	[KTRACE_NR_epoll_pwait2] = EPOLL_PWAIT2 | WIDE,
	[KTRACE_NR_futex_waitv] = FUTEX_WAITV | WIDE,
	[KTRACE_NR_futex_wait] = FUTEX_WAIT2 | WIDE,
};
#else
static const u8 compat_calls[] = { NOTHING };
#endif

/* What socketcall(2) stands for: structures, and how many arguments. */
static const struct {
	u8 group;
	u8 narg;
} socketcalls[] = {
	[SYS_BIND] = { ADDRESS_IN, 3 },		[SYS_CONNECT] = { ADDRESS_IN, 3 },
	[SYS_ACCEPT] = { ADDRESS_OUT, 3 },	[SYS_GETSOCKNAME] = { ADDRESS_OUT, 3 },
	[SYS_GETPEERNAME] = { ADDRESS_OUT, 3 }, [SYS_SENDTO] = { SENDTO, 6 },
	[SYS_RECVFROM] = { RECVFROM, 6 },	[SYS_SENDMSG] = { SENDMSG, 3 },
	[SYS_RECVMSG] = { RECVMSG, 3 },		[SYS_ACCEPT4] = { ADDRESS_OUT, 4 },
	[SYS_RECVMMSG] = { RECVMMSG, 5 },
};

/**
 * ktrace_struct_call - the structures of a call
 * @compat: a 32-bit call
 * @nr: its number, any
 * @wide: gets whether ktrace_struct_wide() forms are meant
 *
 * Context: any.
 * Return: up to KTRACE_STRUCT_ARGS of them, in the order of the arguments, the last
 * followed by one whose way is 0; or NULL: it has none.
 */
const struct ktrace_struct_arg *ktrace_struct_call(bool compat, long nr, bool *wide)
{
	const u8 *table = compat ? compat_calls : ktrace_struct_natives;
	unsigned long n = compat ? ARRAY_SIZE(compat_calls) : KTRACE_STRUCT_CALLS;
	u8 group;

	if ((unsigned long)nr >= n)
		return NULL;
	group = table[nr];
	if (likely(!group))
		return NULL;
	*wide = group & WIDE;
	return groups[group & ~WIDE];
}

/**
 * ktrace_struct_socketcall - the same, of a call within socketcall(2)
 * @call: SYS_*, any
 * @narg: gets how many arguments it has
 */
const struct ktrace_struct_arg *ktrace_struct_socketcall(unsigned long call, u32 *narg)
{
	if (call >= ARRAY_SIZE(socketcalls) || !socketcalls[call].group)
		return NULL;
	*narg = socketcalls[call].narg;
	return groups[socketcalls[call].group];
}

/** ktrace_struct_wide - the 64-bit form of a structure, or itself */
u8 ktrace_struct_wide(u8 id)
{
	switch (id) {
	case KTRACE_LAYOUT_STAT:
		return KTRACE_LAYOUT_STAT64;
	case KTRACE_LAYOUT_TIMESPEC:
		return KTRACE_LAYOUT_TIMESPEC64;
	case KTRACE_LAYOUT_RLIMIT:
		return KTRACE_LAYOUT_RLIMIT64;
	case KTRACE_LAYOUT_TIMEX:
		return KTRACE_LAYOUT_TIMEX64;
	}
	return id;
}
