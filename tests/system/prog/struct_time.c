// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * struct_time MODE: timespec and itimerval of every call. "long" has the calls that take the program's own long,
 * "wide" i386's calls with 64-bit times, "interrupted" those that a signal ends.
 */
#include "expect.h"

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#define SIGSET 8 /* the kernel's */

/* Calls of 32 bits have two numbers. */
#ifndef __LP64__
static int wide;
#define TWO_NUMBERS(narrow, with_64) (wide ? SYS_##with_64 : SYS_##narrow)
#else
#define wide			     1
#define TWO_NUMBERS(narrow, with_64) SYS_##narrow
#endif

/* A timespec as the call takes it. Of 32 bits the kernel ignores the upper half of the nanoseconds. */
union ts {
	int64_t l[4];
	int32_t n[8];
};

static union ts make(long long sec, long nsec)
{
	union ts t;

	memset(&t, 0xee, sizeof(t));
	if (wide) {
		t.l[0] = sec;
		t.l[1] = sizeof(long) == 8 ? nsec : (nsec & 0xffffffffLL) | 0x123456LL << 32;
	} else {
		t.n[0] = sec;
		t.n[1] = nsec;
	}
	return t;
}

static void ts(const union ts *t)
{
	int64_t out[2];

	if (wide) {
		out[0] = t->l[0];
		out[1] = sizeof(long) == 8 ? t->l[1] : (int64_t)(uint32_t)t->l[1];
	} else {
		out[0] = t->n[0];
		out[1] = t->n[1];
	}
	stru("timespec", out, sizeof(out));
}

/* A call that reads @t. */
#define in(t, narg, nr, ...) (begin_sys(narg, nr, __VA_ARGS__), ts(t), sys_end())
/* One that writes it, if it succeeds. */
#define out(t, narg, nr, ...) \
	(begin_sys(narg, nr, __VA_ARGS__), expect_ret >= 0 ? ts(t) : (void)0, sys_end())

static void sleeps(void)
{
	union ts t = make(0, 1000), rem = make(7, 8), bad = make(0, 1000000000), past = make(1, 2);
	long nr = TWO_NUMBERS(clock_nanosleep, clock_nanosleep_time64);

	if (sizeof(long) == 8 || !wide) {
		in(&t, 2, SYS_nanosleep, &t, 0);
		in(&t, 2, SYS_nanosleep, &t, &rem); /* slept: rem is not written */
		in(&t, 2, SYS_nanosleep, &t, &t);
		in(&bad, 2, SYS_nanosleep, &bad, 0); /* EINVAL, after it was read */
		sys(2, SYS_nanosleep, 0, 0); /* EFAULT */
		sys(2, SYS_nanosleep, -4096L, 0);
	}
	in(&t, 4, nr, CLOCK_MONOTONIC, 0, &t, &rem);
	in(&past, 4, nr, CLOCK_MONOTONIC, TIMER_ABSTIME, &past, &rem);
	in(&bad, 4, nr, CLOCK_REALTIME, 0, &bad, 0);
	sys(4, nr, 10, 0, &t, 0); /* no such clock: not read */
	sys(4, nr, CLOCK_MONOTONIC_RAW, 0, &t, 0); /* EOPNOTSUPP */
	sys(4, nr, CLOCK_MONOTONIC, 0, 16, 0); /* EFAULT */
}

static void clocks(void)
{
	long get = TWO_NUMBERS(clock_gettime, clock_gettime64),
	     set = TWO_NUMBERS(clock_settime, clock_settime64);
	long res = TWO_NUMBERS(clock_getres, clock_getres_time64);
	long interval = TWO_NUMBERS(sched_rr_get_interval, sched_rr_get_interval_time64);
	union ts t = make(1, 2), bad = make(5, -1);

	out(&t, 2, get, CLOCK_REALTIME, &t);
	out(&t, 2, get, CLOCK_MONOTONIC, &t);
	out(&t, 2, get, 10, &t); /* EINVAL */
	sys(2, get, CLOCK_MONOTONIC, 16); /* EFAULT */
	out(&t, 2, res, CLOCK_MONOTONIC_COARSE, &t);
	sys(2, res, CLOCK_MONOTONIC, 0);
	out(&t, 2, interval, 0, &t);
	out(&t, 2, interval, -1, &t); /* EINVAL */
	t = make(1000000000, 999999999);
	in(&t, 2, set, CLOCK_REALTIME, &t); /* EPERM: we are no root */
	in(&bad, 2, set, CLOCK_REALTIME, &bad); /* EINVAL, after it was read */
	sys(2, set, CLOCK_MONOTONIC, &t); /* EINVAL: cannot be set, not read */
}

/* Two in a row. */
static void file_times(void)
{
	long nr = TWO_NUMBERS(utimensat, utimensat_time64);
	union ts a = make(-1000, 123456789), b = make(1500000000, 987654321);
	int64_t two[4] = { a.l[0], wide ? a.l[1] : b.l[0], b.l[0], b.l[1] };

	begin_sys(4, nr, AT_FDCWD, "file", two, 0);
	ts(&a), ts(&b);
	sys_end();
	begin_sys(4, nr, AT_FDCWD, "nothing", two, 0); /* ENOENT */
	ts(&a), ts(&b);
	sys_end();
	sys(4, nr, AT_FDCWD, "file", 0, 0);
	sys(4, nr, AT_FDCWD, "file", -4096L, 0); /* EFAULT */
}

struct waitv {
	uint64_t val, uaddr;
	uint32_t flags, reserved;
};

static void futexes(void)
{
	long nr = TWO_NUMBERS(futex, futex_time64);
	static uint32_t word, other;
	static union ts t; /* its address is a positive int: some operations take it for one */
	union ts past = make(1, 2), bad = make(-1, 0);
	struct waitv v = { .val = 7, .uaddr = (long)&word, .flags = 2 };

	t = make(0, 1000);
	in(&t, 6, nr, &word, FUTEX_WAIT, 0, &t, 0x55, 0x66); /* ETIMEDOUT */
	in(&t, 6, nr, &word, FUTEX_WAIT_PRIVATE, 1, &t, 0, 0); /* EAGAIN */
	in(&bad, 6, nr, &word, FUTEX_WAIT, 0, &bad, 0, 0); /* EINVAL, after it was read */
	in(&past, 6, nr, &word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &past, 0, -1);
	in(&past, 6, nr, &word, FUTEX_WAIT_REQUEUE_PI, 0, &past, &word, -1); /* EINVAL */
	in(&past, 6, nr, &word, FUTEX_LOCK_PI, 0, &past, 0, 0);
	sys(6, nr, &word, FUTEX_UNLOCK_PI, 0, &t, 0, 0);
	in(&past, 6, nr, &word, 13 /* FUTEX_LOCK_PI2 */, 0, &past, 0, 0);
	sys(6, nr, &word, FUTEX_UNLOCK_PI, 0, 0, 0, 0);
	sys(6, nr, &word, FUTEX_WAIT, 1, 0, 0, 0);
	/* the argument is a number, or nothing */
	sys(6, nr, &word, FUTEX_WAKE, 1, &t, 0, 0);
	sys(6, nr, &word, FUTEX_REQUEUE_PRIVATE, 1, &t, &other, 0);
	sys(6, nr, &word, FUTEX_CMP_REQUEUE, 1, &t, &other, 0);
	sys(6, nr, &word, FUTEX_WAKE_OP, 1, &t, &other, 0);
	sys(6, nr, &word, FUTEX_WAKE_BITSET, 1, &t, 0, -1);
	sys(6, nr, &word, FUTEX_WAIT, 0, 16, 0, 0); /* EFAULT */
	if (wide) {
		in(&past, 5, 449, &v, 1, 0, &past, CLOCK_MONOTONIC); /* EAGAIN */
		sys(5, 449, &v, 1, 1, &past, CLOCK_MONOTONIC); /* EINVAL */
	}
}

/* What the kernel leaves there is what remains. */
static void polls(void)
{
	long poll_nr = TWO_NUMBERS(ppoll, ppoll_time64),
	     select_nr = TWO_NUMBERS(pselect6, pselect6_time64);
	union ts t = make(0, 1000000), bad = make(0, -5);
	uint64_t set = 0x0102030405060708;
	long pair[2] = { (long)&set, SIGSET }, none[2] = { 0, 0 },
	     short_pair[2] = { (long)&set, 4 };

	in(&t, 5, poll_nr, 0, 0, &t, 0, SIGSET);
	begin_sys(5, poll_nr, 0, 0, &t, &set, SIGSET);
	ts(&t), stru("l_sigset_t", &set, 8);
	sys_end();
	in(&t, 5, poll_nr, 0, 0, &t, &set, 4); /* EINVAL: the set is not read */
	in(&bad, 5, poll_nr, 0, 0, &bad, &set, SIGSET); /* nor here */
	sys(5, poll_nr, 0, 0, 16, 0, SIGSET); /* EFAULT */

	t = make(0, 1000000);
	in(&t, 6, select_nr, 0, 0, 0, 0, &t, 0);
	in(&t, 6, select_nr, 0, 0, 0, 0, &t, none);
	begin_sys(6, select_nr, 0, 0, 0, 0, &t, pair);
	ts(&t), stru("l_sigset_t", &set, 8);
	sys_end();
	in(&t, 6, select_nr, 0, 0, 0, 0, &t, short_pair);
	sys(6, select_nr, 0, 0, 0, 0, &t, 16); /* EFAULT */
}

static void queues(void)
{
	struct {
		long flags, maxmsg, msgsize, curmsgs, reserved[4];
	} attr = { .maxmsg = 2, .msgsize = 16 };
	long send = TWO_NUMBERS(mq_timedsend, mq_timedsend_time64);
	long receive = TWO_NUMBERS(mq_timedreceive, mq_timedreceive_time64);
	union ts past = make(1, 2), bad = make(1, -3), t = make(0, 1000);
	int mq = syscall(SYS_mq_open, "struct_time", 0x42 /* O_RDWR|O_CREAT */, 0600, &attr);
	int sem = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf down = { .sem_op = -1 };
	char buf[16];

	syscall(SYS_mq_unlink, "struct_time");
	if (mq < 0 || sem < 0)
		die("queues");
	begin();
	in(&past, 5, send, mq, "hello", 5, 0, &past);
	sys(5, send, mq, "hello", 5, 0, 0);
	in(&bad, 5, send, mq, "hello", 5, 0, &bad); /* EINVAL, after it was read */
	in(&past, 5, receive, mq, buf, 16, 0, &past);
	sys(5, receive, mq, buf, 16, 0, 0);
	in(&past, 5, receive, mq, buf, 16, 0, &past); /* ETIMEDOUT */
	sys(5, receive, 99, buf, 16, 0, &past); /* EBADF */
	sys(5, receive, mq, buf, 16, 0, 16); /* EFAULT */
#ifdef __i386__
	if (!wide) {
		in(&t, 6, SYS_ipc, 4, sem, 1, 0, &down, &t); /* EAGAIN */
		sys(6, SYS_ipc, 4, sem, 1, 0, &down, -4096L); /* EFAULT */
		sys(6, SYS_ipc, 2, 4711, 0, 0, 0, &t); /* semget */
	} else {
		in(&t, 4, SYS_semtimedop_time64, sem, &down, 1, &t);
	}
#else
	long timed = TWO_NUMBERS(semtimedop, semtimedop_time64);

	in(&t, 4, timed, sem, &down, 1, &t);
	in(&t, 4, timed, sem, &down, 0, &t); /* EINVAL, after it was read */
	sys(4, timed, sem, &down, 1, 16); /* EFAULT */
#endif
	end();
	semctl(sem, 0, IPC_RMID);
}

static void others(void)
{
	long receive = TWO_NUMBERS(recvmmsg, recvmmsg_time64),
	     wait = TWO_NUMBERS(rt_sigtimedwait, rt_sigtimedwait_time64);
	union ts t = make(0, 1000), zero = make(0, 0), later = make(100, 5);
	uint64_t set = 1 << 11, pair_set = 0xfedc;
	struct epoll_event ev[2];
	struct io_event events[1];
	char buf[8];
	struct iovec iov = { buf, 8 };
	struct mmsghdr mm[2] = { { .msg_hdr = { .msg_iov = &iov, .msg_iovlen = 1 } },
				 { .msg_hdr = { .msg_iov = &iov, .msg_iovlen = 1 } } };
	long pair[2] = { (long)&pair_set, SIGSET };
	int s[2], ep = epoll_create1(0);
	aio_context_t ctx = 0;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, s) || write(s[0], "abc", 3) != 3 || ep < 0 ||
	    syscall(SYS_io_setup, 1, &ctx))
		die("others");
	begin();
	begin_sys(4, wait, &set, 0, &t, SIGSET); /* EAGAIN */
	stru("l_sigset_t", &set, 8), ts(&t);
	sys_end();
	sys(4, wait, &set, 0, &t, 16); /* EINVAL: not read */
	/* what remains is there when something came, else what was read */
	in(&later, 5, receive, s[1], mm, 2, MSG_WAITFORONE, &later);
	in(&zero, 5, receive, s[1], mm, 2, MSG_DONTWAIT, &zero); /* EAGAIN */
	sys(5, receive, 1000, mm, 2, 0, &zero); /* EBADF */
	if (wide) {
		in(&t, 6, SYS_epoll_pwait2, ep, ev, 2, &t, 0, 0);
		begin_sys(6, SYS_epoll_pwait2, ep, ev, 2, &t, &set, SIGSET);
		ts(&t), stru("l_sigset_t", &set, 8);
		sys_end();
		in(&t, 6, SYS_epoll_pwait2, ep, ev, 2, &t, &set, 3); /* EINVAL */
	}
	if (sizeof(long) == 8 || !wide)
		in(&zero, 5, SYS_io_getevents, ctx, 1, 1, events, &zero);
	begin_sys(6, TWO_NUMBERS(io_pgetevents, io_pgetevents_time64), ctx, 1, 1, events, &zero,
		  pair);
	ts(&zero), stru("l_sigset_t", &pair_set, 8);
	sys_end();
	end();
}

/* itimerval has no wide form. */
static void itimers(void)
{
	struct itimerval new = { { 100, 200 }, { 3000, 4000 } }, old,
			 bad = { { 1, 2 }, { 3, 1000000 } }, both;
	int64_t want[4];

#define itimerval(t)                                                          \
	(want[0] = (t).it_interval.tv_sec, want[1] = (t).it_interval.tv_usec, \
	 want[2] = (t).it_value.tv_sec, want[3] = (t).it_value.tv_usec,       \
	 stru("itimerval", want, sizeof(want)))
	begin_sys(3, SYS_setitimer, ITIMER_REAL, &new, &old);
	itimerval(new), itimerval(old);
	sys_end();
	begin_sys(3, SYS_setitimer, ITIMER_VIRTUAL, &new, 0);
	itimerval(new);
	sys_end();
	begin_sys(3, SYS_setitimer, ITIMER_REAL, &bad, &old); /* EINVAL */
	itimerval(bad);
	sys_end();
	begin_sys(2, SYS_getitimer, ITIMER_REAL, &old);
	itimerval(old);
	sys_end();
	/* what was read is overwritten by what was returned */
	both = new;
	begin_sys(3, SYS_setitimer, ITIMER_REAL, &both, &both);
	itimerval(both);
	sys_end();
	sys(2, SYS_getitimer, 99, &old); /* EINVAL */
	sys(3, SYS_setitimer, ITIMER_REAL, -4096L, &old); /* EFAULT */
	memset(&new, 0, sizeof(new));
	begin_sys(3, SYS_setitimer, ITIMER_REAL, &new, &old);
	itimerval(new), itimerval(old);
	sys_end();
	begin_sys(3, SYS_setitimer, ITIMER_VIRTUAL, &new, 0);
	itimerval(new);
	sys_end();
}

/* Calls that a signal ends. */

#ifdef __LP64__
#define SIGRETURN SYS_rt_sigreturn
#else
#define SIGRETURN SYS_sigreturn
#endif

static void on_signal(int signo)
{
}

/* A child that sends a signal whenever we sleep in the next one of some calls. */
static pid_t waker(const long *nrs, int n)
{
	pid_t parent = getpid(), child = fork();
	char path[64], text[256], want[32];
	FILE *f;

	if (child)
		return child;
	snprintf(path, sizeof(path), "/proc/%d/syscall", parent);
	for (int i = 0; i < n; i++) {
		snprintf(want, sizeof(want), "%ld ", nrs[i]);
		do {
			f = fopen(path, "r");
			if (!f || !fgets(text, sizeof(text), f))
				_exit(1);
			fclose(f);
		} while (strncmp(text, want, strlen(want)));
		kill(parent, SIGUSR1);
	}
	_exit(0);
}

static void interrupted_end(void)
{
	ex("RET %ld RESTART\nCALL %d\nRET %d JUSTRETURN\n", expect_nr, SIGRETURN, SIGRETURN);
	if (expect_ret != -EINTR)
		die("not interrupted");
}

static void interrupted(void)
{
	/* neighbours differ: the waker cannot take one for the next */
	const long nrs[] = { SYS_nanosleep,    SYS_clock_nanosleep,
			     SYS_nanosleep,    SYS_clock_nanosleep,
			     SYS_nanosleep,
#ifdef SYS_poll
			     SYS_poll,
#endif
			     SYS_ppoll,	       SYS_pselect6,
			     SYS_rt_sigsuspend };
	struct sigaction sa = { .sa_handler = on_signal };
	struct pollfd p[2] = { { .fd = -1, .events = POLLIN, .revents = 77 },
			       { .fd = -2, .events = POLLOUT } };
	uint64_t set = 1 << 20;
	union ts t, rem;
	pid_t child;

	if (sigaction(SIGUSR1, &sa, NULL))
		die("sigaction");
	child = waker(nrs, sizeof(nrs) / sizeof(nrs[0]));
	t = make(1000, 5);
	rem = make(0, 0);
	begin();
	begin_sys(2, SYS_nanosleep, &t, &rem);
	ts(&t), ts(&rem);
	interrupted_end();
	begin_sys(4, SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, &rem);
	ts(&t), ts(&rem);
	interrupted_end();
	begin_sys(2, SYS_nanosleep, &t, 0);
	ts(&t);
	interrupted_end();
	/* the moment that it shall end at does not change: no remainder */
	t = make(1000000000, 0);
	begin_sys(4, SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &t, &rem);
	ts(&t);
	interrupted_end();
	/* the remainder in place of what was read */
	t = make(1000, 0);
	begin_sys(2, SYS_nanosleep, &t, &t);
	ts(&t);
	interrupted_end();
#ifdef SYS_poll
	begin_sys(3, SYS_poll, p, 2, 1000000);
	array("pollfd", 8, p, 2);
	interrupted_end();
#endif
	begin_sys(5, SYS_ppoll, p, 2, &t, &set, SIGSET);
	array("pollfd", 8, p, 2), ts(&t), stru("l_sigset_t", &set, 8);
	interrupted_end();
	begin_sys(6, SYS_pselect6, 0, 0, 0, 0, &t, 0);
	ts(&t);
	interrupted_end();
	begin_sys(2, SYS_rt_sigsuspend, &set, SIGSET);
	stru("l_sigset_t", &set, 8);
	interrupted_end();
	end();
	if (waitpid(child, NULL, 0) != child)
		die("waker");
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

#ifndef __LP64__
	wide = !strncmp(mode, "wide", 4);
#endif
	if (strcmp(mode, "interrupted")) {
		FILE *f = fopen("file", "w");

		if (!f || fchown(fileno(f), 1000, 1000) || fclose(f) || seteuid(1000))
			die("file");
	}
	if (!strcmp(mode, "interrupted"))
		interrupted();
	else if (strstr(mode, "queues"))
		queues();
	else if (strstr(mode, "others"))
		others();
	else {
		begin();
		sleeps();
		clocks();
		file_times();
		futexes();
		polls();
		if (!wide || sizeof(long) == 8)
			itimers();
		end();
	}
	fwrite(expect_buf, 1, expect_len, stdout);
	return 0;
}
