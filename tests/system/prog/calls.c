// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* calls MODE: system calls with arguments and results that leave no doubt. */
#include "expect.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

/* Numbers of arguments from 0 to 6, values that fill every bit, and every kind of result. */
static void plain(void)
{
	pid_t pid = getpid();
	char buf[100];
	long fd;

	begin();
	sys(0, SYS_getppid);
	sys(0, SYS_getpid);
	sys(0, SYS_gettid);
	sys(0, SYS_sched_yield);
	sys(1, SYS_close, -1);
	sys(1, SYS_close, 0x7fffffff);
	sys(1, SYS_umask, 022);
	sys(1, SYS_getpgid, 0);
	sys(2, SYS_kill, 0x7ffffff0, 0); /* ESRCH */
	sys(2, SYS_kill, pid, 1000); /* EINVAL */
	sys(2, SYS_getpriority, 0, 0);
	sys(3, SYS_ioctl, 1, 0xdeadbeef, -2L); /* ENOTTY */
	sys(3, SYS_lseek, 0, (long)0x1122334455667788LL, 77); /* EINVAL or ESPIPE */
	sys(3, SYS_read, 77, -1L, -1L); /* EBADF */
	sys(3, SYS_fcntl, 1, F_GETFD, 0x5a5a5a5a);
	sys(4, SYS_wait4, -1, 0, 0, 0); /* ECHILD */
	sys(5, SYS_prctl, PR_GET_DUMPABLE, 1, 2, 3, 4);
	sys(5, SYS_prctl, 0x7fff, -1L, -2L, -3L, -4L); /* EINVAL */
	sys(6, SYS_futex, buf + 1, 0, 1, 2, 3, 4); /* EINVAL: not aligned */
#ifdef __LP64__
	fd = sys(6, SYS_mmap, 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sys(2, SYS_munmap, fd, 4096);
	sys(6, SYS_mmap, 0x1234, 5, 6, 7, 8, 9); /* EINVAL */
#else
	fd = sys(6, SYS_mmap2, 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sys(2, SYS_munmap, fd, 4096);
#endif
	fd = syscall(SYS_dup, 1);
	ex("CALL %d 1\nRET %d %lx\n", (int)SYS_dup, (int)SYS_dup, fd);
	sys(1, SYS_close, fd);
	sys(1, SYS_brk, 0);
	finish();
}

#ifdef __LP64__
/* lseek() on /proc/self/mem returns any position, those included that are negative numbers. */
static void negative(void)
{
	long fd = open("/proc/self/mem", O_RDONLY);

	if (fd < 0)
		die("/proc/self/mem");
	begin();
	sys(3, SYS_lseek, fd, -0x10000L, SEEK_SET);
	sys(3, SYS_lseek, fd, -4096L, SEEK_SET);
	sys(3, SYS_lseek, fd, 0x7fffffffffffffff, SEEK_SET);
	sys(3, SYS_lseek, fd, 0x100000000, SEEK_SET);
	sys(3, SYS_lseek, fd, 0, SEEK_SET);
	finish();
}
#endif

#ifdef __arm__
static void on_illegal(int signo, siginfo_t *info, void *context)
{
}
#endif

/* A number that is not in the table has six arguments; what does not fit a positive short is -1. */
static void unknown(void)
{
	static const long numbers[] = {
		600,
		701,
		1023,
		4096,
		32767,
		32768,
		65535,
		65536 + SYS_getpid,
		0x10000,
#ifndef __arm__
		0x40000000 + SYS_getpid,
		0x7fffffff,
#else
		0xf07ff,
#endif
		-1,
		-2,
		(int)0x80000000,
	};

#ifdef __arm__
	/* From here on a number is an error of the program's. */
	static const long fatal[] = { 0xf0800, 0x40000000 + SYS_getpid, 0x7fffffff };
	struct sigaction sa = { .sa_sigaction = on_illegal, .sa_flags = SA_SIGINFO };

	if (sigaction(SIGILL, &sa, NULL))
		die("sigaction");
#endif
	begin();
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sys(6, numbers[i], 0x11, 0x2222, 0x33333333, 0, -1L, (long)i);
#ifdef __LP64__
	/* The kernel looks at 32 bits of the number, and so do we. */
	sys(0, (1L << 32) + SYS_getpid);
#endif
#ifdef __arm__
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++) {
		sys(6, fatal[i], 0x11, 0x2222, 0x33333333, 0, -1L, (long)i);
		ex("PSIG %d %lx 4 -\n", SIGILL, (long)on_illegal); /* ILL_ILLTRP */
		ex("CALL %d\nRET %d JUSTRETURN\n", SYS_rt_sigreturn, SYS_rt_sigreturn);
	}
#endif
	finish();
}

/* A filter that makes getppid(n) fail with error n: every errno there is. */
static void errnos(void)
{
	static const int special[] = { 512, 513, 514, 516, 524, 529, 4095 };
	struct sock_filter filter[400];
	struct sock_fprog prog = { 0, filter };
	int n = 0;

#define STMT(code, k)	    filter[n++] = (struct sock_filter)BPF_STMT(code, k)
#define JUMP(code, k, t, f) filter[n++] = (struct sock_filter)BPF_JUMP(code, k, t, f)
	STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 1, 0);
	STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args));
	for (int i = 1; i < 134; i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, i, 0, 1);
		STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | i);
	}
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, special[i], 0, 1);
		STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | special[i]);
	}
	STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	prog.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		die("seccomp");
	begin();
	for (int i = 1; i < 134; i++) {
		ex("CALL %d\n", (int)SYS_getppid);
		syscall(SYS_getppid, i);
		ex("RET %d E%d\n", (int)SYS_getppid, i);
	}
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
		ex("CALL %d\n", (int)SYS_getppid);
		syscall(SYS_getppid, special[i]);
		if (special[i] >= 512 && special[i] <= 516)
			ex("RET %d RESTART\n", (int)SYS_getppid);
		else
			ex("RET %d E%d\n", (int)SYS_getppid, special[i]);
	}
	finish();
}

static void on_sigsys(int signo)
{
}

/* A filter that answers getppid with a signal. */
static void refuse(unsigned int action)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(filter[0]), filter };
	struct sigaction sa = { .sa_handler = on_sigsys };

	if (sigaction(SIGSYS, &sa, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		die("seccomp");
	begin();
	sys(0, SYS_getpid);
	for (int i = 0; i < 3; i++) {
		syscall(SYS_getppid);
		ex("CALL %d\nRET %d *\n", (int)SYS_getppid, (int)SYS_getppid);
		ex("PSIG %d %lx 1 -\n", SIGSYS, (long)on_sigsys);
		ex("CALL %d\nRET %d JUSTRETURN\n", (int)SYS_rt_sigreturn, (int)SYS_rt_sigreturn);
		sys(0, SYS_getpid);
	}
	finish();
}

static int pipe_ends[2];

static void on_alarm(int signo)
{
	/* Between the RET of the interrupted call and rt_sigreturn. */
	syscall(SYS_write, pipe_ends[1], "x", 1);
}

static void set_handler(int signo, void (*handler)(int), int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };

	if (sigaction(signo, &sa, NULL))
		die("sigaction");
}

static void arm(void)
{
	struct itimerval timer = { .it_value = { .tv_usec = 100000 } };

	/* The timer is set by a call that we can describe. */
	sys(3, SYS_setitimer, ITIMER_REAL, &timer, 0);
}

#ifdef __LP64__
#define SIGRETURN_NR SYS_rt_sigreturn
#else
#define SIGRETURN_NR SYS_sigreturn
#endif

static void handler_lines(void)
{
	/* A signal of the kernel's timer: SI_KERNEL in FreeBSD's numbers. */
	ex("PSIG %d %lx %d -\n", SIGALRM, (long)on_alarm, 0x10006);
	ex("CALL %d %lx %lx 1\n", (int)SYS_write, (long)pipe_ends[1], (long)(uintptr_t) "x");
	ex("GIO %d w 1 %08x\n", pipe_ends[1], crc32_add(0, "x", 1));
	ex("RET %d 1\n", (int)SYS_write);
	ex("CALL %d\nRET %d JUSTRETURN\n", (int)SIGRETURN_NR, (int)SIGRETURN_NR);
}

/* SIGALRM against nanosleep, and against read() with and without SA_RESTART. */
static void restart(void)
{
	struct timespec long_time = { .tv_sec = 100 };
	char c;

	if (pipe(pipe_ends))
		die("pipe");
	set_handler(SIGALRM, on_alarm, SA_RESTART);
	begin();

	arm();
	ex("CALL %d %lx %lx\n", (int)SYS_nanosleep, (long)&long_time, 0L);
	if (syscall(SYS_nanosleep, &long_time, NULL) != -1 || errno != EINTR)
		die("nanosleep");
	ex("RET %d RESTART\n", (int)SYS_nanosleep);
	handler_lines();

	begin_sys(3, SYS_read, pipe_ends[0], &c, 1); /* what the handler wrote */
	gio(pipe_ends[0], 0, &c, 1);
	sys_end();

	/* Empty now: waits, is interrupted, and is called again. */
	arm();
	ex("CALL %d %lx %lx 1\n", (int)SYS_read, (long)pipe_ends[0], (long)&c);
	ex("RET %d RESTART\n", (int)SYS_read);
	handler_lines();
	begin_sys(3, SYS_read, pipe_ends[0], &c, 1);
	gio(pipe_ends[0], 0, &c, 1);
	sys_end();

	end();
	set_handler(SIGALRM, on_alarm, 0);
	fwrite(expect_buf, 1, expect_len, stdout);
}

/* A stop and a continue: nanosleep goes on as restart_syscall. */
static void resume(void)
{
	struct timespec time = { .tv_nsec = 400000000 };
	pid_t parent = getpid(), child;
	char path[64], state[256] = "";
	FILE *f;

	child = fork();
	if (child == 0) {
		/* Wait until the parent sleeps, stop it, wait until it has stopped, let it go on. */
		snprintf(path, sizeof(path), "/proc/%d/stat", parent);
		for (int stopped = 0; stopped < 2;) {
			f = fopen(path, "r");
			if (!f || !fgets(state, sizeof(state), f))
				_exit(1);
			fclose(f);
			if (!stopped && strstr(state, ") S")) {
				kill(parent, SIGSTOP);
				stopped = 1;
			} else if (stopped && strstr(state, ") T")) {
				kill(parent, SIGCONT);
				stopped = 2;
			}
		}
		_exit(0);
	}
	begin();
	ex("CALL %d %lx %lx\n", (int)SYS_nanosleep, (long)&time, 0L);
	ex("RET %d RESTART\n", (int)SYS_nanosleep);
	ex("PSIG %d 0 %d -\n", SIGSTOP, 0x10001);
	ex("CALL %d\nRET %d 0\n", (int)SYS_restart_syscall, (int)SYS_restart_syscall);
	if (syscall(SYS_nanosleep, &time, NULL))
		die("nanosleep");
	end();
	waitpid(child, NULL, 0);
	fwrite(expect_buf, 1, expect_len, stdout);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "plain"))
		plain();
#ifdef __LP64__
	else if (!strcmp(mode, "negative"))
		negative();
#endif
	else if (!strcmp(mode, "unknown"))
		unknown();
	else if (!strcmp(mode, "errnos"))
		errnos();
	else if (!strcmp(mode, "trap"))
		refuse(SECCOMP_RET_TRAP);
	else if (!strcmp(mode, "kill"))
		refuse(SECCOMP_RET_KILL_PROCESS);
	else if (!strcmp(mode, "restart"))
		restart();
	else if (!strcmp(mode, "resume"))
		resume();
	else
		return 97;
	return 0;
}
