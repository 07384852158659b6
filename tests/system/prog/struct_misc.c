// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* struct_misc: structures of signals, limits, scheduling, capabilities and the rest. Runs as root. */
#include "expect.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#define sched_param kernel_sched_param /* the C library's has the same name */
#include <linux/sched/types.h>
#undef sched_param
#include <signal.h>
#include <sys/timex.h>
#include <time.h>
#include <sys/wait.h>

#define SIGSET 8 /* the kernel's */

/* A call with one structure, which is there if it is said to be read, or if the call succeeds. */
#define in(name, p, size, ...) (begin_sys(__VA_ARGS__), stru(name, p, size), sys_end())
#define out(name, p, size, ...) \
	(begin_sys(__VA_ARGS__), expect_ret >= 0 ? stru(name, p, size) : (void)0, sys_end())

/* The record of a sigaction: handler, flags, restorer, mask. */
static void action(uint64_t handler, uint64_t flags, uint64_t restorer, uint64_t mask)
{
	uint64_t a[4] = { handler, flags, restorer, mask };

	stru("l_sigaction", a, sizeof(a));
}

/* The kernel's struct sigaction, for either word. */
struct kernel_action {
	unsigned long handler, flags, restorer;
	uint64_t mask;
} __attribute__((packed, aligned(4)));

static void actions(void)
{
	struct kernel_action new = { 0x11111110, 0x04000000, 0x22222222, 0x0123456789abcd00 }, old,
			     both;

#define kernel_action(a) action((a).handler, (a).flags, (a).restorer, (a).mask)
	_Static_assert(sizeof(new) == 3 * sizeof(long) + 8, "sigaction");
	begin_sys(4, SYS_rt_sigaction, SIGUSR2, &new, &old, SIGSET);
	kernel_action(new), kernel_action(old);
	sys_end();
	begin_sys(4, SYS_rt_sigaction, SIGUSR2, 0, &old, SIGSET);
	kernel_action(old);
	sys_end();
	both = new;
	both.mask = 0xff00;
	begin_sys(4, SYS_rt_sigaction, SIGUSR2, &both, &both, SIGSET);
	kernel_action(both);
	sys_end();
	begin_sys(4, SYS_rt_sigaction, SIGKILL, &new, &old, SIGSET); /* EINVAL, after it was read */
	kernel_action(new);
	sys_end();
	sys(4, SYS_rt_sigaction, SIGUSR2, &new, &old, 4); /* EINVAL: not read */
	sys(4, SYS_rt_sigaction, SIGUSR2, -4096L, &old, SIGSET); /* EFAULT */
#ifndef __LP64__
	struct {
		uint32_t handler, mask, flags, restorer;
	} o = { 0x11111114, 0xabcd00, 0x04000000, 0x33333333 }, was;

	begin_sys(3, SYS_sigaction, SIGUSR2, &o, &was);
	action(o.handler, o.flags, o.restorer, o.mask);
	action(was.handler, was.flags, was.restorer, was.mask);
	sys_end();
	begin_sys(3, SYS_sigaction, SIGUSR2, 0, &was);
	action(was.handler, was.flags, was.restorer, was.mask);
	sys_end();
#endif
}

static void sets(void)
{
	uint64_t a = 0x0000123400000200, b, zero = 0;
	long fd;

	begin_sys(4, SYS_rt_sigprocmask, SIG_BLOCK, &a, &b, SIGSET);
	stru("l_sigset_t", &a, 8), stru("l_sigset_t", &b, 8);
	sys_end();
	begin_sys(4, SYS_rt_sigprocmask, SIG_SETMASK, &zero, 0, SIGSET);
	stru("l_sigset_t", &zero, 8);
	sys_end();
	begin_sys(4, SYS_rt_sigprocmask, 0, 0, &b, SIGSET);
	stru("l_sigset_t", &b, 8);
	sys_end();
	in("l_sigset_t", &a, 8, 4, SYS_rt_sigprocmask, 77, &a, &b,
	   SIGSET); /* EINVAL, after it was read */
	sys(4, SYS_rt_sigprocmask, SIG_BLOCK, &a, &b, 16); /* EINVAL: not read */
	b = ~0ULL;
	out("l_sigset_t", &b, 8, 2, SYS_rt_sigpending, &b, SIGSET);
	/* fewer bytes: the others are not the kernel's */
	b = ~0ULL;
	out("l_sigset_t", &zero, 8, 2, SYS_rt_sigpending, &b, 3);
	sys(2, SYS_rt_sigpending, &b, 0);
	sys(2, SYS_rt_sigpending, &b, 9); /* EINVAL */
	fd = in("l_sigset_t", &a, 8, 4, SYS_signalfd4, -1, &a, SIGSET, 0);
	in("l_sigset_t", &a, 8, 3, SYS_signalfd, fd, &a, SIGSET);
	sys(4, SYS_signalfd4, -1, &a, 4, 0); /* EINVAL: not read */
#ifndef __LP64__
	uint32_t c = 0x200, d = ~0U;

	begin_sys(3, SYS_sigprocmask, SIG_BLOCK, &c, &d);
	stru("l_sigset_t", (uint64_t[]){ c }, 8), stru("l_sigset_t", (uint64_t[]){ d }, 8);
	sys_end();
	begin_sys(1, SYS_sigpending, &d);
	stru("l_sigset_t", (uint64_t[]){ d }, 8);
	sys_end();
#endif
}

/* The record of limits: infinity is all ones. */
static void limit(const unsigned long *l)
{
	uint64_t out[2];

	for (int i = 0; i < 2; i++)
		out[i] = l[i] == ~0UL ? ~0ULL : l[i];
	stru("l_rlimit", out, sizeof(out));
}

static void limits(void)
{
	unsigned long l[2] = { 0x100000, ~0UL }, low[2] = { 100, 50 };
	uint64_t new[2] = { 0x123456789abc, ~0ULL }, old[2], both[2] = { 0x2000, ~0ULL };

	begin_sys(2, SYS_setrlimit, 4 /* CORE */, l);
	limit(l);
	sys_end();
	memset(l, 0, sizeof(l));
#ifdef __i386__
	/* the old form has infinity as the largest positive number */
	begin_sys(2, SYS_getrlimit, 4, l);
	limit(l);
	sys_end();
	if (l[1] != 0x7fffffff)
		die("old getrlimit");
#endif
#ifdef SYS_ugetrlimit
	begin_sys(2, SYS_ugetrlimit, 4, l);
#else
	begin_sys(2, SYS_getrlimit, 4, l);
#endif
	limit(l);
	sys_end();
	begin_sys(2, SYS_setrlimit, 4, low); /* EINVAL, after it was read */
	limit(low);
	sys_end();
	sys(2, SYS_setrlimit, 4, 16); /* EFAULT */
	begin_sys(4, SYS_prlimit64, 0, 4, new, old);
	stru("l_rlimit", new, 16), stru("l_rlimit", old, 16);
	sys_end();
	out("l_rlimit", old, 16, 4, SYS_prlimit64, 0, 4, 0, old);
	begin_sys(4, SYS_prlimit64, 0, 4, both, both);
	stru("l_rlimit", both, 16);
	sys_end();
	in("l_rlimit", new, 16, 4, SYS_prlimit64, 0, 99, new, old); /* EINVAL, after it was read */
	sys(4, SYS_prlimit64, 0, 4, 0, 0);
}

static void scheduling(void)
{
	int param = 0, fifo = 7, one = 1;
	struct sched_attr attr = { .size = sizeof(attr),
				   .sched_policy = SCHED_BATCH,
				   .sched_nice = 3 },
			  got;
	struct {
		struct sched_attr attr;
		uint64_t more;
	} larger = { attr, 0 };

	in("l_sched_param", &fifo, 4, 3, SYS_sched_setscheduler, 0, SCHED_FIFO, &fifo);
	in("l_sched_param", &one, 4, 2, SYS_sched_setparam, 0, &one);
	out("l_sched_param", &param, 4, 2, SYS_sched_getparam, 0, &param);
	in("l_sched_param", &fifo, 4, 3, SYS_sched_setscheduler, 0, SCHED_NORMAL,
	   &fifo); /* EINVAL, after it was read */
	sys(3, SYS_sched_setscheduler, 0, -1, &fifo); /* EINVAL: not read */
	sys(3, SYS_sched_setscheduler, -1, SCHED_NORMAL, &fifo);
	sys(2, SYS_sched_setparam, -1, &fifo);
	param = 0;
	in("l_sched_param", &param, 4, 3, SYS_sched_setscheduler, 0, SCHED_NORMAL, &param);

	_Static_assert(sizeof(attr) == 56, "sched_attr");
	attr.sched_util_min = 0, attr.sched_util_max = 0;
	in("l_sched_attr", &attr, 56, 3, SYS_sched_setattr, 0, &attr, 0);
	memset(&got, 0xee, sizeof(got));
	out("l_sched_attr", &got, 56, 4, SYS_sched_getattr, 0, &got, sizeof(got), 0);
	/* shorter ones: what is missing is zero */
	memset(&got, 0xee, sizeof(got));
	begin_sys(4, SYS_sched_getattr, 0, &got, 48, 0);
	memset((char *)&got + 48, 0, 8);
	stru("l_sched_attr", &got, 56);
	sys_end();
	attr.size = 48;
	in("l_sched_attr", &attr, 56, 3, SYS_sched_setattr, 0, &attr, 0);
	attr.size = 0;
	in("l_sched_attr", &attr, 56, 3, SYS_sched_setattr, 0, &attr, 0);
	/* a longer one, with zeros, and with something that the kernel does not know */
	larger.attr.size = sizeof(larger);
	in("l_sched_attr", &larger.attr, 56, 3, SYS_sched_setattr, 0, &larger, 0);
	larger.more = 1;
	sys(3, SYS_sched_setattr, 0, &larger, 0); /* E2BIG */
	attr.size = 56, attr.sched_policy = 99;
	in("l_sched_attr", &attr, 56, 3, SYS_sched_setattr, 0, &attr,
	   0); /* EINVAL, after it was read */
	sys(3, SYS_sched_setattr, 0, &attr, 1); /* EINVAL: not read */
	sys(4, SYS_sched_getattr, 0, &got, 40, 0); /* EINVAL */
	sys(4, SYS_sched_getattr, 0, 16, 56, 0); /* EFAULT */
}

static void capabilities(void)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2], more[2];

	out("l_cap_data", d, 24, 2, SYS_capget, &h, d);
	h.version = _LINUX_CAPABILITY_VERSION_1;
	out("l_cap_data", more, 12, 2, SYS_capget, &h, more);
	h.version = 1;
	sys(2, SYS_capget, &h, more); /* EINVAL; the kernel writes its version there */
	sys(2, SYS_capget, &h, 0);
	h.version = _LINUX_CAPABILITY_VERSION_3;
	in("l_cap_data", d, 24, 2, SYS_capset, &h, d);
	memcpy(more, d, sizeof(more));
	more[0].inheritable = 0x11, more[0].effective = ~0U, more[0].permitted = 0x12345678;
	more[1].effective = 0x55;
	in("l_cap_data", more, 24, 2, SYS_capset, &h, more); /* EPERM, after it was read */
	h.pid = 1;
	sys(2, SYS_capset, &h, d); /* EPERM: not read */
	h.version = 2;
	h.pid = 0;
	sys(2, SYS_capset, &h, d); /* EINVAL */
}

/* The record has 64-bit words, and zeros where words have no name. */
static void timex(const struct timex *t)
{
	int64_t w[26] = { 0 };

	w[0] = t->modes, w[1] = t->offset, w[2] = t->freq, w[3] = t->maxerror, w[4] = t->esterror;
	w[5] = (uint32_t)t->status, w[6] = t->constant, w[7] = t->precision, w[8] = t->tolerance;
	w[9] = t->time.tv_sec, w[10] = t->time.tv_usec, w[11] = t->tick, w[12] = t->ppsfreq;
	w[13] = t->jitter, w[14] = (uint32_t)t->shift, w[15] = t->stabil, w[16] = t->jitcnt;
	w[17] = t->calcnt, w[18] = t->errcnt, w[19] = t->stbcnt, w[20] = (uint32_t)t->tai;
	stru("l_timex", w, sizeof(w));
}

static void time_adjustment(void)
{
	struct timex t;

	memset(&t, 0xee, sizeof(t));
	t.modes = 0;
	begin_sys(1, SYS_adjtimex, &t);
	timex(&t);
	sys_end();
	memset(&t, 0, sizeof(t));
	begin_sys(2, SYS_clock_adjtime, CLOCK_REALTIME, &t);
	timex(&t);
	sys_end();
	memset(&t, 0xee, sizeof(t)); /* EINVAL: what was read */
	begin_sys(2, SYS_clock_adjtime, 10, &t);
	timex(&t);
	sys_end();
	sys(1, SYS_adjtimex, 16); /* EFAULT */
#ifndef __LP64__
	int64_t k[26] = { 0 }; /* struct __kernel_timex */

	begin_sys(2, SYS_clock_adjtime64, CLOCK_REALTIME, k);
	stru("l_timex", k, sizeof(k));
	sys_end();
#endif
}

static void names(void)
{
	char u[6][65];
#ifdef __i386__
	char o[5][65], oo[5][9];

	memset(o, 0xee, sizeof(o));
	begin_sys(1, SYS_olduname, o);
	memset(u, 0, sizeof(u));
	memcpy(u, o, sizeof(o));
	stru("l_utsname", u, sizeof(u));
	sys_end();
	memset(oo, 0xee, sizeof(oo));
	begin_sys(1, SYS_oldolduname, oo);
	memset(u, 0, sizeof(u));
	for (int i = 0; i < 5; i++)
		memcpy(u[i], oo[i], 9);
	stru("l_utsname", u, sizeof(u));
	sys_end();
#endif
	memset(u, 0xee, sizeof(u));
	out("l_utsname", u, sizeof(u), 1, SYS_uname, u);
	sys(1, SYS_uname, 16); /* EFAULT */
}

static void files(void)
{
	struct {
		struct open_how how;
		uint64_t more;
	} how = { .how = { .flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS } };

	in("l_open_how", &how.how, 24, 4, SYS_openat2, AT_FDCWD, "/", &how, 24);
	in("l_open_how", &how.how, 24, 4, SYS_openat2, AT_FDCWD, "nothing", &how, 24); /* ENOENT */
	in("l_open_how", &how.how, 24, 4, SYS_openat2, AT_FDCWD, "/", &how, 32);
	how.how.mode = 0777;
	in("l_open_how", &how.how, 24, 4, SYS_openat2, AT_FDCWD, "/", &how,
	   24); /* EINVAL, after it was read */
	sys(4, SYS_openat2, AT_FDCWD, "/", &how, 16); /* EINVAL: not read */
	how.more = 1;
	sys(4, SYS_openat2, AT_FDCWD, "/", &how, 32); /* E2BIG */
	sys(4, SYS_openat2, AT_FDCWD, "/", &how, 5000); /* E2BIG */
	sys(4, SYS_openat2, AT_FDCWD, "/", 16, 24); /* EFAULT */
}

/* In the parent only: the child's end of it has none. */
static void children(void)
{
	struct clone_args args = { .exit_signal = SIGCHLD, .tls = 0x1234567890 };
	long pid;

	_Static_assert(sizeof(args) == 88, "clone_args");
	pid = begin_sys(2, SYS_clone3, &args, 88);
	if (!pid)
		_exit(0);
	stru("l_clone_args", &args, 88);
	sys_end();
	waitpid(pid, NULL, 0);
	ex("CALL %d %lx 0 0 0\nRET %d %lx\n", SYS_wait4, pid, SYS_wait4, pid);
	/* the shortest one: what is missing is zero */
	pid = begin_sys(2, SYS_clone3, &args, 64);
	if (!pid)
		_exit(0);
	args.set_tid = args.set_tid_size = args.cgroup = 0;
	stru("l_clone_args", &args, 88);
	sys_end();
	waitpid(pid, NULL, 0);
	ex("CALL %d %lx 0 0 0\nRET %d %lx\n", SYS_wait4, pid, SYS_wait4, pid);
	args.flags = CLONE_THREAD; /* EINVAL, after it was read */
	in("l_clone_args", &args, 88, 2, SYS_clone3, &args, 88);
	sys(2, SYS_clone3, &args, 40); /* EINVAL: not read */
	sys(2, SYS_clone3, 16, 88); /* EFAULT */
}

int main(void)
{
	begin();
	actions();
	sets();
	limits();
	scheduling();
	capabilities();
	time_adjustment();
	names();
	files();
	children();
	finish();
	return 0;
}
