// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* odd MODE: calls that do not begin, do not end, or are not what they were. */
#include "expect.h"
#include "position.h"
#include "regs.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#ifdef __LP64__
#define SIGRETURN_NR SYS_rt_sigreturn
#else
#define SIGRETURN_NR SYS_sigreturn
#endif

/*
 * seccomp.
 */

struct rule {
	int nr;
	unsigned int action;
};

static int filter(const struct rule *rules, size_t n, int flags)
{
	struct sock_filter filter[64];
	struct sock_fprog prog = { 0, filter };
	int len = 0;

	filter[len++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						     offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < n; i++) {
		filter[len++] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rules[i].nr, 0, 1);
		filter[len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, rules[i].action);
	}
	filter[len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	prog.len = len;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		die("no_new_privs");
	n = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
	if ((int)n < 0)
		die("seccomp");
	return n;
}

/* Whatever is refused has CALL and RET, with its own number, and no more: no data, no JUSTRETURN. */
static void refused(void)
{
	static const struct rule rules[] = {
		{ SYS_getppid, SECCOMP_RET_ERRNO | 0 },
		{ SYS_rt_sigreturn, SECCOMP_RET_ERRNO | EPERM },
		{ SYS_execve, SECCOMP_RET_ERRNO | 0 },
		{ SYS_execveat, SECCOMP_RET_ERRNO | EACCES },
		{ SYS_mq_timedsend, SECCOMP_RET_ERRNO | 0 },
		{ SYS_pread64, SECCOMP_RET_ERRNO | 0 },
		{ SYS_readv, SECCOMP_RET_ERRNO | EIO },
		{ SYS_openat, SECCOMP_RET_ERRNO | ENOENT },
		{ SYS_clone, SECCOMP_RET_ERRNO | ENOMEM },
		{ SYS_munlockall, SECCOMP_RET_TRACE | 1 }, /* nobody traces: ENOSYS */
		{ SYS_getpgid, SECCOMP_RET_LOG },
		{ 701, SECCOMP_RET_ERRNO | 1 },
		{ 40000, SECCOMP_RET_ERRNO | 2 },
	};
	char buf[16];

	filter(rules, sizeof(rules) / sizeof(rules[0]), 0);
	begin();
	for (int i = 0; i < 2; i++) {
		sys(0, SYS_getppid);
		sys(0, SYS_rt_sigreturn);
		sys(3, SYS_execve, "/bin/true", 0, 0);
		sys(5, SYS_execveat, AT_FDCWD, "/bin/true", 0, 0, 0);
		sys(5, SYS_mq_timedsend, 7, buf, 10, 1, 0);
		sys(PNARG, SYS_pread64, 0, buf, 10, POS(0));
		sys(3, SYS_readv, 0, 16, 1);
		sys(4, SYS_openat, AT_FDCWD, "file", 0, 0);
		sys(5, SYS_clone, SIGCHLD, 0, 0, 0, 0);
		sys(0, SYS_munlockall);
		sys(1, SYS_getpgid, 0);
		sys(6, 701, 1, 2, 3, 4, 5, 6);
		sys(6, 40000, 1, 2, 3, 4, 5, 6);
		sys(0, SYS_getpid);
	}
	finish();
}

static int listener;
static volatile int installed;

/* The other thread's getppid is 7, or what the kernel says; its read() gives what we put there. */
static void *supervise(void *arg)
{
	struct seccomp_notif req;
	struct seccomp_notif_resp resp;

	while (!installed)
		;
	for (int i = 0; i < 4; i++) {
		memset(&req, 0, sizeof(req));
		memset(&resp, 0, sizeof(resp));
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &req))
			die("recv");
		resp.id = req.id;
		if (req.data.nr == SYS_read) {
			memcpy((void *)(uintptr_t)req.data.args[1], "data", 4);
			resp.val = 4;
		} else if (i == 0) {
			resp.val = 7;
		} else if (i == 1) {
			resp.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		} else {
			resp.error = -ENOSPC;
		}
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &resp))
			die("send");
	}
	return NULL;
}

static void notified(void)
{
	static const struct rule rules[] = { { SYS_getppid, SECCOMP_RET_USER_NOTIF },
					     { SYS_read, SECCOMP_RET_USER_NOTIF } };
	pthread_t id;
	char buf[8];

	if (pthread_create(&id, NULL, supervise, NULL))
		die("thread");
	listener = filter(rules, 2, SECCOMP_FILTER_FLAG_NEW_LISTENER);
	begin();
	installed = 1;
	sys(0, SYS_getppid);
	sys(0, SYS_getppid);
	sys(0, SYS_getppid);
	begin_sys(3, SYS_read, 5, buf, 8);
	gio(5, 0, "data", 4);
	sys_end();
	end();
	fwrite(expect_buf, 1, expect_len, stdout);
}

/* Waits again and again, with a filter that lets everything pass. */
static void filtered(void)
{
	static const struct rule rules[] = { { 701, SECCOMP_RET_ALLOW } };
	char c;

	filter(rules, 1, 0);
	while (syscall(SYS_read, 0, &c, 1) == 1)
		;
}

/*
 * Signals against calls that wait.
 */

static int ends[2];
static volatile int depth;

static void on_signal(int signo)
{
	syscall(SYS_getppid);
}

/* A signal within a handler. */
static void outer(int signo)
{
	if (++depth < 3)
		syscall(SYS_tkill, syscall(SYS_gettid), SIGUSR1);
}

static void handle(int signo, void (*handler)(int), int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };

	if (sigaction(signo, &sa, NULL))
		die("sigaction");
}

static void just_return(void)
{
	ex("CALL %d\nRET %d JUSTRETURN\n", (int)SIGRETURN_NR, (int)SIGRETURN_NR);
}

/* A call that SIGALRM ends, whether or not the program sees EINTR: a RESTART in the file. */
static void interrupt_(int narg, long nr, long a, long b, long c, long d, long e, long f)
{
	struct itimerval timer = { .it_value = { .tv_usec = 100000 } };
	long args[6] = { a, b, c, d, e, f };
	long r;

	sys(3, SYS_setitimer, ITIMER_REAL, &timer, 0);
	r = syscall(nr, a, b, c, d, e, f);
	if (r != -1 || errno != EINTR)
		die("not interrupted");
	ex("CALL %d", (int)nr);
	for (int i = 0; i < narg; i++)
		ex(" %lx", args[i]);
	ex("\nRET %d RESTART\nPSIG %d %lx %d -\n", (int)nr, SIGALRM, (long)on_signal, 0x10006);
	ex("CALL %d\nRET %d *\n", (int)SYS_getppid, (int)SYS_getppid);
	just_return();
}

#define interrupt(narg, nr, ...) \
	interrupt_(narg, nr, SYS_ARGS(__VA_ARGS__ __VA_OPT__(, ) 0, 0, 0, 0, 0, 0))

static void interrupted(void)
{
	struct timespec time = { .tv_sec = 100 }, late = { .tv_sec = 1000000000 };
	struct pollfd fd;
	sigset_t none;
	int word = 1;
	char c;

	if (pipe(ends))
		die("pipe");
	fd = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	sigemptyset(&none);
	handle(SIGALRM, on_signal, 0);
	begin();
	interrupt(3, SYS_read, ends[0], &c, 1);
#ifdef SYS_poll
	interrupt(3, SYS_poll, &fd, 1, 100000);
#endif
	interrupt(5, SYS_ppoll, &fd, 1, &time, 0, 8);
	interrupt(6, SYS_futex, &word, FUTEX_WAIT, 1, &time, 0, 0);
	interrupt(4, SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, 0);
	interrupt(4, SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &late, 0);
#ifdef SYS_pause
	interrupt(0, SYS_pause);
#endif
	interrupt(2, SYS_rt_sigsuspend, &none, 8);
	/* this one has an error that the program is meant to see */
	{
		struct itimerval timer = { .it_value = { .tv_usec = 100000 } };
		struct timespec most = { .tv_sec = 100 };
		sigset_t set;

		sigemptyset(&set);
		sigaddset(&set, SIGUSR2);
		sys(3, SYS_setitimer, ITIMER_REAL, &timer, 0);
		begin_sys(4, SYS_rt_sigtimedwait, &set, 0, &most, 8);
		sys_end();
		ex("PSIG %d %lx %d -\n", SIGALRM, (long)on_signal, 0x10006);
		ex("CALL %d\nRET %d *\n", (int)SYS_getppid, (int)SYS_getppid);
		just_return();
	}
	finish();
}

/* Handlers within handlers, on a stack of their own. */
static void nested(void)
{
	static char stack[65536];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	long self = syscall(SYS_gettid);

	handle(SIGUSR1, outer, SA_NODEFER | SA_ONSTACK);
	begin();
	sys(2, SYS_sigaltstack, &ss, 0);
	ex("CALL %d %lx %x\nRET %d 0\n", (int)SYS_tkill, self, SIGUSR1, (int)SYS_tkill);
	syscall(SYS_tkill, self, SIGUSR1);
	for (int i = 0; i < 3; i++) {
		ex("PSIG %d %lx %d -\n", SIGUSR1, (long)outer, 0x10007);
		if (i == 2)
			break;
		ex("CALL %d\nRET %d %lx\n", (int)SYS_gettid, (int)SYS_gettid, self);
		ex("CALL %d %lx %x\nRET %d 0\n", (int)SYS_tkill, self, SIGUSR1, (int)SYS_tkill);
	}
	for (int i = 0; i < 3; i++)
		just_return();
	sys(0, SYS_getpid);
	finish();
}

/* A frame that cannot be returned to kills; here there is a handler, which ends all. */
/* The code of the signal of a sigreturn without a frame: what its address is to the kernel, or SI_KERNEL. */
#if defined(__aarch64__) || defined(__arm__)
#define BAD_FRAME 2 /* SEGV_ACCERR: there is something mapped above it */
#else
#define BAD_FRAME 0x10006
#endif

static void on_segv(int signo)
{
	syscall(SYS_exit_group, 0);
}

static void bad_frame(void)
{
	static char stack[65536];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };

	if (sigaltstack(&ss, NULL))
		die("sigaltstack");
	handle(SIGSEGV, on_segv, SA_ONSTACK);
	ex("CALL %d\nRET %d JUSTRETURN\nPSIG 11 %lx %d -\n", (int)SYS_rt_sigreturn,
	   (int)SYS_rt_sigreturn, (long)on_segv, BAD_FRAME);
	ex("CALL %d 0\nPROCDTOR\n", (int)SYS_exit_group);
	fwrite(expect_buf, 1, expect_len, stdout);
	fflush(stdout);
	begin();
#ifdef __x86_64__
	asm volatile("mov $16, %%rsp\n"
		     "syscall"
		     :
		     : "a"(15L)
		     : "rcx", "r11", "memory");
#elif defined(__i386__)
	asm volatile("mov $16, %%esp\n"
		     "int $0x80"
		     :
		     : "a"(173)
		     : "memory");
#elif defined(__aarch64__)
	asm volatile("mov x8, #139\n"
		     "mov x9, #16\n"
		     "mov sp, x9\n"
		     "svc #0" ::
			     : "x8", "x9", "memory");
#else
	asm volatile("mov r7, #16\n"
		     "mov sp, r7\n"
		     "mov r7, #173\n"
		     "svc #0" ::
			     : "memory");
#endif
}

/* execve in every way that fails before it can do harm. */
static void bad_exec(void)
{
	static char longest[5000];
	char *bad[] = { (char *)16, NULL };
	int file = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0755), dir;

	memset(longest, 'x', 4999);
	if (file < 0 || write(file, "garbage\n", 8) != 8 || mkdir("dir", 0755))
		die("file");
	dir = open("dir", O_RDONLY);
	close(file);
	begin();
	sys(3, SYS_execve, 16, 0, 0);
	sys(3, SYS_execve, 0, 0, 0);
	sys(3, SYS_execve, longest, 0, 0);
	sys(3, SYS_execve, "", 0, 0);
	sys_nami("nothing", 3, SYS_execve, "nothing", 0, 0);
	sys_nami("/etc/passwd", 3, SYS_execve, "/etc/passwd", 0, 0); /* EACCES */
	sys_nami("/etc/passwd/x", 3, SYS_execve, "/etc/passwd/x", 0, 0);
	sys_nami("/tmp", 3, SYS_execve, "/tmp", 0, 0);
	begin_sys(3, SYS_execve, "file", 0, 0); /* ENOEXEC */
	nami("file");
	ex("?NAMI 4 file\n"); /* TOMOYO looks again */
	sys_end();
	for (int i = 0; i < 3; i++) {
		begin_sys(3, SYS_execve, "file",
			  i == 0 ? (void *)16 :
			  i == 1 ? bad :
				   NULL,
			  i == 2 ? bad : NULL);
		ex("?NAMI 4 file\n"); /* newer kernels open the file first */
		sys_end();
	}
	sys(5, SYS_execveat, dir, "", 0, 0, 0); /* ENOENT */
	begin_sys(5, SYS_execveat, dir, "", 0, 0, 0x1000); /* AT_EMPTY_PATH: EACCES */
	nami("");
	sys_end();
	sys_nami("x", 5, SYS_execveat, 99, "x", 0, 0, 0); /* EBADF */
	finish();
}

/*
 * ptrace: a child that we trace changes into something else.
 */

static void next_stop(pid_t pid, int how)
{
	int status;

	if (ptrace(how, pid, 0, 0) || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		die("stop");
}

/* At the begin and at the end of the child's next call; numbers that are 0 or above take the place of its own. */
static void change(pid_t pid, long nr, long result)
{
	next_stop(pid, PTRACE_SYSCALL);
	set_number(pid, nr);
	next_stop(pid, PTRACE_SYSCALL);
	set_result(pid, result);
}

static void emulate(pid_t pid, long result)
{
	next_stop(pid, PTRACE_SYSEMU);
	set_result(pid, result);
}

static void ptraced(void)
{
	pid_t parent = getpid(), pid = fork();
	int status;

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		begin();
		for (int i = 0; i < 4; i++)
			syscall(SYS_getppid, 7);
		syscall(SYS_getuid);
		for (int i = 0; i < 2; i++)
			syscall(SYS_getppid);
		end();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		die("child");
	change(pid, 700, -ENOSYS);
	change(pid, SYS_getuid, 77); /* another call */
	change(pid, SYS_getppid, 78); /* another result */
	change(pid, -1, 79);
	change(pid, 40000, 80);
	change(pid, SYS_getuid, 0);
	/* calls that are emulated are never made */
	emulate(pid, 81);
	emulate(pid, 82);
	ptrace(PTRACE_CONT, pid, 0, 0);
	waitpid(pid, &status, 0);
	printf("child %d %d\n", pid, parent);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "refused"))
		refused();
	else if (!strcmp(mode, "notified"))
		notified();
	else if (!strcmp(mode, "filtered"))
		filtered();
	else if (!strcmp(mode, "interrupted"))
		interrupted();
	else if (!strcmp(mode, "nested"))
		nested();
	else if (!strcmp(mode, "bad-frame"))
		bad_frame();
	else if (!strcmp(mode, "bad-exec"))
		bad_exec();
	else if (!strcmp(mode, "ptraced"))
		ptraced();
	else
		return 97;
	return 0;
}
