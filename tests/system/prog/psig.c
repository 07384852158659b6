// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* psig MODE: signals of every origin, caught, fatal, and ignored. */
#include "expect.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#define SIGRETURN_NR SYS_rt_sigreturn /* all handlers have SA_SIGINFO */

static sigjmp_buf back;
static volatile sig_atomic_t seen;
static pid_t self;

static void handler(int signo, siginfo_t *info, void *context)
{
	seen = signo;
}

static void jumper(int signo, siginfo_t *info, void *context)
{
	siglongjmp(back, 1);
}

static void catch (int signo, void (*function)(int, siginfo_t *, void *))
{
	struct sigaction sa = { .sa_sigaction = function, .sa_flags = SA_SIGINFO };

	if (function == jumper)
		sa.sa_flags |= SA_NODEFER;
	/* the kernel's own call: the library keeps 32 and 33 for itself, we do not use them */
	if (sigaction(signo, &sa, NULL))
		die("sigaction");
}

static void caught(int signo, int code, const char *mask)
{
	ex("PSIG %d %lx %d %s\n", signo, (long)handler, code, mask);
	ex("CALL %d\nRET %d JUSTRETURN\n", (int)SIGRETURN_NR, (int)SIGRETURN_NR);
}

static void queue(int signo, int code)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = signo;
	info.si_code = code;
	sys(3, SYS_rt_sigqueueinfo, self, signo, &info);
}

/* Where signals come from: the code. */
static void codes(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = 41 };
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	pid_t pid = getpid();
	sigset_t set;
	int ends[2], timer;

	for (int i = 0; i < 3; i++)
		catch ((int[]){ SIGUSR1, SIGPIPE, SIGCHLD }[i], handler);
	for (int i = 40; i < 43; i++)
		catch (i, handler);
	if (pipe(ends))
		die("pipe");
	close(ends[0]);
	begin();
	sys(2, SYS_kill, pid, SIGUSR1);
	caught(SIGUSR1, 0x10001, "-");
	sys(3, SYS_tgkill, pid, pid, SIGUSR1);
	caught(SIGUSR1, 0x10007, "-");
	sys(2, SYS_tkill, pid, 40);
	caught(40, 0x10007, "-");
	queue(40, SI_QUEUE);
	caught(40, 0x10002, "-");
	queue(SIGUSR1, SI_QUEUE);
	caught(SIGUSR1, 0x10002, "-");
	queue(40, SI_ASYNCIO);
	caught(40, 0x10004, "-");
	queue(40, SI_MESGQ);
	caught(40, 0x10005, "-");
	queue(40, SI_TIMER);
	caught(40, 0x10003, "-");
	queue(40, -60); /* a code that FreeBSD lacks */
	caught(40, -60, "-");
	sys(3, SYS_write, ends[1], "x", 1); /* EPIPE */
	caught(SIGPIPE, 0x10001, "-");
	sys(3, SYS_timer_create, CLOCK_MONOTONIC, &event, &timer);
	sys(4, SYS_timer_settime, timer, 0, &soon, 0);
	caught(41, 0x10003, "-");
	while (seen != 41)
		;
	sys(1, SYS_timer_delete, timer);

	/* what is blocked, in FreeBSD's numbers in the file, in Linux' here */
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGSYS);
	sigaddset(&set, 34);
	sigaddset(&set, 64);
	sys(4, SYS_rt_sigprocmask, SIG_SETMASK, &set, 0, 8);
	sys(2, SYS_kill, pid, SIGUSR1);
	caught(SIGUSR1, 0x10001, "1,12,17,31,34,64");
	finish();
}

/* Every signal that can be caught, under its FreeBSD number in the file. */
static void numbers(void)
{
	pid_t pid = getpid();

	for (int i = 1; i < 65; i++) {
		if (i != SIGKILL && i != SIGSTOP && i != 32 && i != 33)
			catch (i, handler);
	}
	begin();
	for (int i = 1; i < 65; i++) {
		if (i != SIGKILL && i != SIGSTOP && i != 32 && i != 33) {
			sys(2, SYS_kill, pid, i);
			caught(i, 0x10001, "-");
		}
	}
	finish();
}

/* Faults and their codes; the handler jumps out. */
static void faults(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
	static volatile int zero __attribute__((unused));
	volatile char *ro, *file;
	int fd = open("empty", O_RDWR | O_CREAT, 0600);

	for (int i = 0; i < 5; i++)
		catch (signals[i], jumper);
	ro = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	file = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	if (ro == MAP_FAILED || file == MAP_FAILED)
		die("mmap");
	begin();
#define TRY(what, signo, code)                                       \
	do {                                                         \
		ex("PSIG %d %lx %d -\n", signo, (long)jumper, code); \
		if (!sigsetjmp(back, 0)) {                           \
			what;                                        \
		}                                                    \
		sys(0, SYS_getppid);                                 \
	} while (0)
	TRY(*(volatile int *)16 = 1, SIGSEGV, 1);
	TRY(*ro = 1, SIGSEGV, 2);
	TRY((void)*file, SIGBUS, 2);
#if defined(__x86_64__) || defined(__i386__)
	TRY(zero = 7 / zero, SIGFPE, 2); /* FPE_INTDIV is 1 on Linux, 2 on FreeBSD */
	TRY(asm volatile("ud2"), SIGILL, 2);
	TRY(asm volatile("int3"), SIGTRAP, 0x10006);
#else /* a division by zero is 0, or raise(SIGFPE) by the compiler's library */
	TRY(asm volatile("udf #0"), SIGILL, 1);
#ifdef __aarch64__
	TRY(asm volatile("brk #0"), SIGTRAP, 1);
#else
	TRY(asm volatile("bkpt #0"), SIGTRAP, 1);
#endif
#endif
	finish();
}

/* Signals that nobody notices leave no record. */
static void ignored(void)
{
	pid_t pid = getpid();

	signal(SIGUSR1, SIG_IGN);
	signal(45, SIG_IGN);
	begin();
	sys(2, SYS_kill, pid, SIGUSR1);
	sys(2, SYS_kill, pid, 45);
	sys(2, SYS_kill, pid, SIGCHLD);
	sys(2, SYS_kill, pid, SIGWINCH);
	sys(2, SYS_kill, pid, SIGURG);
	sys(2, SYS_kill, pid, SIGCONT);
	sys(2, SYS_kill, pid, 0);
	finish();
}

static void *wait_forever(void *arg)
{
	for (;;)
		pause();
	return NULL;
}

/* Threads that only wait; then the whole process ends in one of these ways. */
static void many(const char *how)
{
	struct rlimit none = { 0, 0 };
	pthread_t thread;

	setrlimit(RLIMIT_CORE, &none);
	for (int i = 0; i < 8; i++)
		pthread_create(&thread, NULL, wait_forever, NULL);
	if (!strcmp(how, "wait")) {
		puts("ready");
		fflush(stdout);
		wait_forever(NULL);
	} else if (!strcmp(how, "exit")) {
		exit(0);
	} else if (!strcmp(how, "exec")) {
		execl("/bin/true", "true", NULL);
	} else if (!strcmp(how, "segv")) {
		*(volatile int *)16 = 1;
	} else {
		kill(getpid(), atoi(how));
		wait_forever(NULL);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	struct rlimit none = { 0, 0 };

	self = getpid();
	if (!strcmp(mode, "codes"))
		codes();
	else if (!strcmp(mode, "numbers"))
		numbers();
	else if (!strcmp(mode, "faults"))
		faults();
	else if (!strcmp(mode, "ignored"))
		ignored();
	else if (!strcmp(mode, "many"))
		many(argv[2]);
	else if (!strcmp(mode, "die")) {
		setrlimit(RLIMIT_CORE, &none);
		if (!strcmp(argv[2], "maperr"))
			*(volatile int *)16 = 1;
		else if (!strcmp(argv[2], "accerr"))
			*(volatile int *)(void *)main = 1;
		else
			kill(getpid(), atoi(argv[2]));
		pause();
	} else
		return 97;
	return 0;
}
