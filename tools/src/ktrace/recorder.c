// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach.h"
#include "error.h"
#include "ktrace_ioctl.h"
#include "protocol.h"
#include "recorder.h"
#include "sys/ktrace.h"

#define PROGRAM	     "ktrace-bpf"
#define INITIAL_PIDS 0xEFFFFFFCU /* inode of the first pid namespace: PROC_PID_INIT_INO */
#define TRIES	     50

/* Beside this very program, wherever that is. */
static bool find_program(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - sizeof(PROGRAM));
	char *slash;

	if (n <= 0)
		return false;
	path[n] = 0;
	slash = strrchr(path, '/');
	if (!slash)
		return false;
	strcpy(slash + 1, PROGRAM);
	return !access(path, X_OK);
}

/* Is it installed beside this program? */
static bool is_there(void)
{
	char path[PATH_MAX];

	return find_program(path);
}

/* Returns a descriptor, or -1: nobody is there. */
static int connect_there(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = RECORDER_ADDRESS };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (fd < 0)
		die("%s: %s", PROGRAM, strerror(errno));
	if (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		return -1;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.uid)
		die("--bpf: another program than root's listens at the recorder's address %s: end it",
		    RECORDER_ADDRESS);
	return fd;
}

static void start_recorder(void)
{
	char path[PATH_MAX];
	int status;
	pid_t pid;

	if (!find_program(path))
		die("--bpf: the recorder " PROGRAM
		    " is not there: this ktrace was built without it");
	pid = fork();
	if (pid < 0)
		die("--bpf: %s", strerror(errno));
	if (!pid) {
		execl(path, PROGRAM, (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("--bpf: %s", strerror(errno));
	if (status)
		exit(1); /* it has said why */
}

/* Numbers of processes are the recorder's, which is in the first namespace. */
static void check_namespace(void)
{
	struct stat st;

	if (!stat("/proc/self/ns/pid", &st) && st.st_ino != INITIAL_PIDS)
		die("--bpf: works in the machine's first pid namespace only; here use the module");
}

/* With @start it is started where none runs.  Returns a descriptor, or -1: none runs. */
static int open_recorder(bool start)
{
	int fd, i;

	if (geteuid())
		die("--bpf: needs root; anybody may trace what is theirs with the module: 'modprobe ktrace' as root");
	check_namespace();
	fd = connect_there();
	/* One that is about to end may refuse us; and so may one that is about to begin. */
	for (i = 0; fd < 0 && start && i < TRIES; i++) {
		start_recorder();
		fd = connect_there();
		if (fd < 0)
			usleep(20000);
	}
	if (fd < 0 && start)
		die("--bpf: " PROGRAM " does not answer");
	return fd;
}

int recorder_or_device(bool *bpf, bool start)
{
	int fd;

	if (*bpf)
		return open_recorder(start);
	if (access(KTRACE_DEVICE, F_OK) && errno == ENOENT && !geteuid() && is_there()) {
		fd = open_recorder(start);
		if (fd >= 0) {
			*bpf = true;
			if (start)
				warn(KTRACE_DEVICE
				     " is not there: recording with BPF, as with --bpf");
			return fd;
		}
	}
	return attach_open_device();
}

int recorder_connect(void)
{
	return connect_there();
}

/* Returns 0, or -1 and errno: ECONNRESET when nobody answers. */
static int ask(int fd, const struct recorder_request *r, int file, struct recorder_answer *answer)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {};
	struct iovec iov = { (void *)r, sizeof(*r) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c;
	ssize_t n;

	if (file >= 0) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof(control);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &file, sizeof(int));
	}
	n = sendmsg(fd, &msg, MSG_NOSIGNAL);
	if (n == sizeof(*r))
		do
			n = recv(fd, answer, sizeof(*answer), 0);
		while (n < 0 && errno == EINTR);
	errno = n == sizeof(*answer) ? answer->error : ECONNRESET;
	return errno ? -1 : 0;
}

int recorder_try(int fd, int file, int ops, int points, int pid)
{
	struct recorder_request r = { RECORDER_VERSION, ops, points, pid };
	struct recorder_answer answer;

	return ask(fd, &r, file, &answer);
}

int recorder_state(int fd, uint32_t *processes, uint64_t *lost)
{
	struct recorder_request r = { .version = RECORDER_VERSION, .ops = RECORDER_STATE };
	struct recorder_answer answer;

	if (ask(fd, &r, -1, &answer))
		return -1;
	*processes = answer.processes;
	*lost = answer.lost;
	return 0;
}

static void __attribute__((noreturn)) die_without_recorder(void)
{
	die("--bpf: " PROGRAM " has ended");
}

int recorder_op(int fd, const char *file, int ops, int points, int pid)
{
	int trace = -1, result, error;

	if (KTROP(ops) != KTROP_CLEAR) {
		trace = open(file, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (trace < 0)
			return -1;
	}
	result = recorder_try(fd, trace, ops, points, pid);
	error = errno;
	if (trace >= 0)
		close(trace);
	if (result && error == ECONNRESET)
		die_without_recorder();
	if (result && error == EPROTO)
		die("--bpf: the " PROGRAM
		    " that runs is of another version: end all traces with its own ktrace -C");
	errno = error;
	return result;
}

void recorder_warn(const char *file, uint64_t lost)
{
	if (lost)
		warn("%s: %llu events came faster than they were written, and are not there", file,
		     (unsigned long long)lost);
}

/* All that happened until now is in the file when it returns; or it was lost, and we say so. */
static void flush(int fd, const char *file)
{
	struct recorder_request r = { .version = RECORDER_VERSION, .ops = RECORDER_FLUSH };
	struct recorder_answer answer;

	if (ask(fd, &r, -1, &answer))
		die_without_recorder();
	recorder_warn(file, answer.lost);
}

static pid_t child;

/* What the one who waits and the one who is traced share. */
struct shared {
	int go; /* 0: wait; 1: go on; 2: forget it */
	int error; /* why it was not executed */
};

/* The child: when it is traced it executes the program; till then it must do nothing that one sees. */
static void execute(struct shared *shared, const char *program, char **argv)
{
	while (!__atomic_load_n(&shared->go, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &shared->go, FUTEX_WAIT, 0, NULL, NULL, 0);
	if (shared->go != 1)
		_exit(127);
	execv(program, argv);
	/* It has changed, or is a script without "#!". */
	execvp(argv[0], argv);
	shared->error = errno;
	_exit(127);
}

/* Before it waits it has calls that are not the command's. */
static void wait_until_it_waits(void)
{
	char path[64], text[512];
	int i;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)child);
	for (i = 0; i < TRIES * 20; i++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

		if (fd >= 0)
			close(fd);
		text[n > 0 ? n : 0] = 0;
		if (strstr(text, ") S "))
			return;
		usleep(1000);
	}
}

static void let_go(struct shared *shared, int go)
{
	__atomic_store_n(&shared->go, go, __ATOMIC_RELEASE);
	syscall(SYS_futex, &shared->go, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void pass_on(int sig)
{
	kill(child, sig);
}

/* The terminal's signals go to the command as well; others are meant for it. */
static void leave_signals_to_child(void)
{
	static const int terminal[] = { SIGINT, SIGQUIT, SIGTSTP };
	static const int passed[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM };
	struct sigaction pass = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	size_t i;

	for (i = 0; i < sizeof(terminal) / sizeof(terminal[0]); i++)
		signal(terminal[i], SIG_IGN);
	for (i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		sigaction(passed[i], &pass, NULL);
}

/* Who waits for us is to see what became of the command: its status, or the signal that killed it. */
static int end_as(int status)
{
	const struct rlimit no_core = {};

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

int recorder_run(int fd, const char *file, int ops, int points, const char *program, char **argv,
		 int *error)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	if (shared == MAP_FAILED)
		die("--bpf: %s", strerror(errno));
	child = fork();
	if (child < 0)
		die("--bpf: %s", strerror(errno));
	if (!child)
		execute(shared, program, argv);
	leave_signals_to_child();
	wait_until_it_waits();
	*error = recorder_op(fd, file, ops, points, child) ? errno : 0;
	let_go(shared, *error ? 2 : 1);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (*error)
		return -1;
	flush(fd, file);
	*error = shared->error;
	return end_as(status);
}
