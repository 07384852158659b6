// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * secc MODE: system calls under a seccomp filter, to be traced with -t cisp. MODE is what the filter says of getppid:
 * errno, zero (errno 0), trap, trace (nobody traces), log, allow, kill-thread (one of two), kill-alone, kill-process, strict
 * (the old mode); skip and go (a tracer skips it, or lets it go on), notify-error, notify-value, notify-go (a
 * supervisor answers); wait: errno, after a signal; spin: lets all through, and waits, spins and waits, each until a
 * signal; fork: errno, the first call of a child; trap-write, sigreturn, exec: these calls are refused, with an errno
 * or a trap.
 */
#include "expect.h"
#include "regs.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#ifdef __LP64__
#define BACK SYS_rt_sigreturn /* from a handler */
#else
#define BACK SYS_sigreturn
#endif

static int listener = -1;
static int ready[2];

/* Adds a filter that says one thing of one call. */
static int filter(long nr, unsigned int action, unsigned int flags)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };
	int ret;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		die("no_new_privs");
	ret = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
	if (ret < 0)
		die("seccomp");
	return ret;
}

static void call(long nr)
{
	ex("CALL %d\n", (int)nr);
}

static void cap(void)
{
	ex("CAP 2 0 0\n");
}

/* getppid(), refused with that for an answer. */
static void refused(const char *answer)
{
	call(SYS_getppid);
	cap();
	ex("RET %d %s\n", (int)SYS_getppid, answer);
	syscall(SYS_getppid);
}

static volatile sig_atomic_t signals;

static void on_sigusr1(int signo)
{
	signals++;
}

/* The second wait begins when the spinning ends, without a call in between. */
static void wait_spin_wait(void)
{
	struct sigaction sa = { .sa_handler = on_sigusr1 };

	if (sigaction(SIGUSR1, &sa, NULL))
		die("sigaction");
	filter(SYS_getppid, SECCOMP_RET_ALLOW, 0);
	if (write(1, "ready\n", 6) != 6)
		die("write");
	pause();
	while (signals < 2)
		;
	pause();
}

static void let_through(void)
{
	sys(0, SYS_getppid);
}

static void on_sigsys(int signo)
{
}

/* SIGSYS after a call that was taken back. */
static void handled(void)
{
	ex("PSIG %d %lx 1 -\n", SIGSYS, (long)on_sigsys);
	call(BACK);
	ex("RET %d JUSTRETURN\n", (int)BACK);
}

static void trapped(void)
{
	refused("JUSTRETURN");
	handled();
}

/* A write that is trapped: its number is what seems to be its result, and nothing was written. */
static void trapped_write(void)
{
	ex("CALL %d 1 %lx 7\n", (int)SYS_write, (long)expect_buf);
	cap();
	ex("RET %d JUSTRETURN\n", (int)SYS_write);
	syscall(SYS_write, 1, expect_buf, 7);
	handled();
}

static void handle_sigsys(void)
{
	struct sigaction sa = { .sa_handler = on_sigsys };

	if (sigaction(SIGSYS, &sa, NULL))
		die("sigaction");
}

/* Answers what the filter asks of the first thread. */
static void *supervise(void *mode)
{
	struct seccomp_notif notif;
	struct seccomp_notif_resp resp;
	char c;

	if (read(ready[0], &c, 1) != 1)
		die("read");
	for (;;) {
		memset(&notif, 0, sizeof(notif));
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notif))
			die("NOTIF_RECV");
		memset(&resp, 0, sizeof(resp));
		resp.id = notif.id;
		if (!strcmp(mode, "notify-error"))
			resp.error = -EXDEV;
		else if (!strcmp(mode, "notify-value"))
			resp.val = 0x1234;
		else
			resp.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &resp))
			die("NOTIF_SEND");
	}
	return NULL;
}

static void start_supervisor(const char *mode)
{
	pthread_t thread;

	if (pipe(ready) || pthread_create(&thread, NULL, supervise, (void *)mode))
		die("supervisor");
	listener = filter(SYS_getppid, SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
	if (write(ready[1], "x", 1) != 1)
		die("write");
}

/* A parent that decides, as a debugger does, what becomes of the calls of its child. */
static void start_tracer(const char *mode)
{
	pid_t child = fork();
	int status, go = !strcmp(mode, "go");

	if (child < 0)
		die("fork");
	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0))
			die("TRACEME");
		raise(SIGSTOP);
		return;
	}
	if (waitpid(child, &status, 0) != child ||
	    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL))
		die("SETOPTIONS");
	ptrace(PTRACE_CONT, child, 0, 0);
	while (waitpid(child, &status, 0) == child && !WIFEXITED(status) && !WIFSIGNALED(status)) {
		if (status >> 8 != (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
			die("an unexpected stop");
		if (!go) {
			set_number(child, -1);
			set_result(child, -ENOTTY);
		}
		ptrace(PTRACE_CONT, child, 0, 0);
	}
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 95);
}

static volatile int killed;

static void *die_in_thread(void *unused)
{
	killed = syscall(SYS_gettid);
	filter(SYS_getppid, SECCOMP_RET_KILL_THREAD, 0);
	syscall(SYS_getppid);
	exit(94);
}

/*
 * The thread can be joined before the kernel is through with it. A process that ends first is over, and the trace says
 * nothing after that: wait until the thread is gone.
 */
static void kill_thread(void)
{
	char path[64];
	pthread_t thread;

	begin();
	if (pthread_create(&thread, NULL, die_in_thread, NULL) || pthread_join(thread, NULL))
		die("thread");
	snprintf(path, sizeof(path), "/proc/self/task/%d", killed);
	while (!access(path, F_OK))
		usleep(1000);
	end();
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "errno")) {
		filter(SYS_getppid, SECCOMP_RET_ERRNO | EXDEV, 0);
		begin();
		for (int i = 0; i < 3; i++) {
			refused("E18");
			sys(0, SYS_getpid);
		}
	} else if (!strcmp(mode, "zero")) {
		filter(SYS_getppid, SECCOMP_RET_ERRNO, 0);
		begin();
		refused("0");
	} else if (!strcmp(mode, "trap")) {
		handle_sigsys();
		filter(SYS_getppid, SECCOMP_RET_TRAP, 0);
		begin();
		trapped();
		sys(0, SYS_getpid);
		trapped();
	} else if (!strcmp(mode, "trap-write")) {
		handle_sigsys();
		filter(SYS_write, SECCOMP_RET_TRAP, 0);
		begin();
		trapped_write();
		end();
		/* What is left to print it with. */
		if (writev(1, &(struct iovec){ expect_buf, expect_len }, 1) < 0)
			return 94;
		return 0;
	} else if (!strcmp(mode, "trace")) {
		filter(SYS_getppid, SECCOMP_RET_TRACE, 0);
		begin();
		refused("E38");
		sys(0, SYS_getpid);
	} else if (!strcmp(mode, "skip")) {
		start_tracer(mode);
		filter(SYS_getppid, SECCOMP_RET_TRACE, 0);
		begin();
		/* What the tracer made of it. */
		ex("CALL -1 * * * * * *\nCAP 2 0 0\nRET -1 E%d\n", ENOTTY);
		syscall(SYS_getppid);
		sys(0, SYS_getpid);
	} else if (!strcmp(mode, "go")) {
		start_tracer(mode);
		filter(SYS_getppid, SECCOMP_RET_TRACE, 0);
		begin();
		let_through();
	} else if (!strcmp(mode, "log") || !strcmp(mode, "allow")) {
		filter(SYS_getppid, !strcmp(mode, "log") ? SECCOMP_RET_LOG : SECCOMP_RET_ALLOW, 0);
		begin();
		let_through();
		let_through();
	} else if (!strncmp(mode, "notify", 6)) {
		start_supervisor(mode);
		begin();
		for (int i = 0; i < 2; i++) {
			if (!strcmp(mode, "notify-error"))
				refused("E18");
			else if (!strcmp(mode, "notify-value"))
				refused("1234");
			else
				let_through();
			sys(0, SYS_getpid);
		}
	} else if (!strcmp(mode, "exec")) {
		char *args[] = { "x", NULL };

		filter(SYS_execve, SECCOMP_RET_ERRNO, 0);
		begin();
		ex("CALL %d %lx %lx 0\n", (int)SYS_execve, (long)"/bin/true", (long)args);
		cap();
		ex("RET %d 0\n", (int)SYS_execve);
		syscall(SYS_execve, "/bin/true", args, NULL);
	} else if (!strcmp(mode, "sigreturn")) {
		filter(SYS_rt_sigreturn, SECCOMP_RET_ERRNO | EXDEV, 0);
		begin();
		ex("CALL %d\nCAP 2 0 0\nRET %d E18\n", (int)SYS_rt_sigreturn,
		   (int)SYS_rt_sigreturn);
		syscall(SYS_rt_sigreturn);
	} else if (!strcmp(mode, "wait")) {
		struct sigaction sa = { .sa_handler = on_sigsys };

		if (sigaction(SIGUSR1, &sa, NULL))
			die("sigaction");
		filter(SYS_getppid, SECCOMP_RET_ERRNO | EXDEV, 0);
		if (write(1, "ready\n", 6) != 6)
			die("write");
		pause();
		for (int i = 0; i < 5; i++)
			syscall(SYS_getppid);
		return 0;
	} else if (!strcmp(mode, "fork")) {
		pid_t pid;

		filter(SYS_getppid, SECCOMP_RET_ERRNO | EXDEV, 0);
		pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
		if (pid == 0) {
			syscall(SYS_getppid);
			syscall(SYS_exit_group, 0);
		}
		return waitpid(pid, NULL, 0) != pid;
	} else if (!strcmp(mode, "spin")) {
		wait_spin_wait();
		return 0;
	} else if (!strcmp(mode, "kill-thread")) {
		kill_thread();
		return 0;
	} else if (!strcmp(mode, "kill-alone") || !strcmp(mode, "kill-process")) {
		filter(SYS_getppid,
		       !strcmp(mode, "kill-alone") ? SECCOMP_RET_KILL_THREAD :
						     SECCOMP_RET_KILL_PROCESS,
		       0);
		begin();
		end();
		syscall(SYS_getppid);
		return 94;
	} else if (!strcmp(mode, "strict")) {
		begin();
		end();
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
			die("strict");
		syscall(SYS_getppid);
		return 94;
	} else {
		return 97;
	}
	finish();
	/* The supervisor need not be waited for. */
	syscall(SYS_exit_group, 0);
	return 0;
}
