// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What is asked of /dev/ktrace, /dev/ktr and the sysctls, and what becomes of who asked. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"
#include "ktrace_ioctl.h"
#include "sys/ktrace.h"

static void keep(uint64_t *rng, int fd)
{
	int *slot = &fuzz_fds[below(rng, FDS)];

	if (fd < 0)
		return;
	if (*slot >= 0)
		close(*slot);
	*slot = fd;
}

static int some_fd(uint64_t *rng)
{
	switch (below(rng, 8)) {
	case 0:
		return (int)memory_word(rng);
	case 1:
		return below(rng, 3);
	default:
		return fuzz_fds[below(rng, FDS)];
	}
}

/* The device: an open one if there is, for ioctls. */
static int device(uint64_t *rng)
{
	static int fd = -1;

	if (one_in(rng, 8))
		return some_fd(rng);
	if (fd < 0)
		fd = open(KTRACE_DEVICE, O_RDWR | O_CLOEXEC);
	return fd;
}

static pid_t some_pid(uint64_t *rng)
{
	pid_t helper = fuzz_helpers[below(rng, HELPERS)];

	switch (below(rng, 12)) {
	case 0:
	case 1:
	case 2:
		return getpid();
	case 3:
		return -getpgrp();
	case 4:
		return getppid();
	case 5:
		return 1;
	case 6:
		return below(rng, 200); /* somebody: a thread, a kernel thread, nobody */
	case 7:
		return (pid_t)memory_word(rng);
	case 8:
		return (int)gettid();
	default:
		return helper ? helper : getpid();
	}
}

static int some_points(uint64_t *rng)
{
	switch (below(rng, 6)) {
	case 0:
		return (int)rng_next(rng);
	case 1:
		return (int)memory_word(rng);
	case 2:
		return 1 << below(rng, 32);
	case 3:
		return KTRFAC_MASK;
	default:
		return (int)(rng_next(rng) & (KTRFAC_MASK | KTRFAC_INHERIT));
	}
}

static void op(uint64_t *rng)
{
	static const int ops[] = { KTROP_SET, KTROP_SET, KTROP_SET, KTROP_CLEAR, KTROP_CLEARFILE };
	struct ktrace_ioc_op arg = {
		.path = (uintptr_t)memory_path(rng),
		.ops = ops[below(rng, 5)],
		.points = some_points(rng),
		.pid = some_pid(rng),
	};
	void *at = memory_pointer(rng, sizeof(arg));

	if (one_in(rng, 3))
		arg.ops |= KTRFLAG_DESCEND;
	if (one_in(rng, 3))
		arg.ops |= 0x100; /* headers of v1 */
	if (one_in(rng, 12))
		arg.ops = (int)memory_word(rng);
	if (one_in(rng, 24))
		arg.zero = (uint32_t)memory_word(rng);
	if (arg.ops == KTROP_CLEAR && one_in(rng, 2))
		arg.path = 0;
	memory_put(at, &arg, sizeof(arg));
	ioctl(device(rng), KTRACE_IOC_OP, at);
}

static void user_record(uint64_t *rng)
{
	struct ktrace_ioc_utrace arg = { .len = one_in(rng, 2) ? below(rng, 2049) :
								 memory_word(rng) };
	void *at = memory_pointer(rng, sizeof(arg));

	arg.addr = (uintptr_t)memory_pointer(rng, arg.len < 4096 ? arg.len : 4096);
	memory_put(at, &arg, sizeof(arg));
	ioctl(device(rng), KTRACE_IOC_UTRACE, at);
}

static void flush_or_stats(uint64_t *rng)
{
	struct ktrace_ioc_stats arg = { .fd = some_fd(rng), .zero = one_in(rng, 16) };
	void *at = memory_pointer(rng, sizeof(arg));

	memory_put(at, &arg, sizeof(arg));
	ioctl(device(rng), one_in(rng, 2) ? KTRACE_IOC_FLUSH : KTRACE_IOC_STATS, at);
}

static void any_ioctl(uint64_t *rng)
{
	unsigned long number = (unsigned long)below(rng, 4) << 30 | below(rng, 256) << 16 |
			       KTRACE_IOC_MAGIC << 8 | below(rng, 8);

	ioctl(device(rng), one_in(rng, 4) ? rng_next(rng) : number, memory_pointer(rng, 256));
}

static void open_something(uint64_t *rng)
{
	static const int flags[] = { O_RDONLY, O_WRONLY,	O_RDWR, O_RDWR | O_NONBLOCK,
				     O_PATH,   O_RDWR | O_TRUNC };
	int how = flags[below(rng, 6)] | O_CLOEXEC;

	switch (below(rng, 4)) {
	case 0:
		keep(rng, open(KTRACE_DEVICE, how));
		break;
	case 1:
		keep(rng, open("/dev/ktr", how));
		break;
	default:
		keep(rng, syscall(SYS_openat, AT_FDCWD, memory_path(rng), how | O_NONBLOCK, 0));
	}
}

static void use_fd(uint64_t *rng)
{
	int fd = some_fd(rng);
	void *p;

	if (fd >= 0 && fd < 3)
		return;
	switch (below(rng, 8)) {
	case 0:
		(void)!syscall(SYS_read, fd, memory_pointer(rng, 4096),
			       memory_word(rng) % (1 << 20));
		break;
	case 1:
		p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		if (p != MAP_FAILED)
			munmap(p, 4096);
		break;
	case 2:
		poll(&(struct pollfd){ .fd = fd, .events = POLLIN | POLLOUT }, 1, 0);
		break;
	case 3:
		lseek(fd, memory_word(rng), below(rng, 5));
		break;
	case 4:
		keep(rng, dup(fd));
		break;
	case 5:
		(void)!ftruncate(fd, below(rng, 100000));
		break;
	case 6:
		(void)!write(fd, memory_good(rng, 64), below(rng, 64));
		break;
	case 7:
		close(fd);
		break;
	}
}

static void file_op(uint64_t *rng)
{
	static const char *const names[] = { "a", "b", "c", "d", "full/a" };
	const char *name = names[below(rng, 5)];

	switch (below(rng, 4)) {
	case 0:
		(void)!truncate(name, below(rng, 100000));
		break;
	case 1:
		unlink(name);
		break;
	case 2:
		keep(rng, open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0666));
		break;
	case 3:
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){ memory_word(rng), RLIM_INFINITY });
		break;
	}
}

static void helper(uint64_t *rng)
{
	pid_t *slot = &fuzz_helpers[below(rng, HELPERS)];

	if (*slot) {
		kill(*slot, SIGKILL);
		if (one_in(rng, 2))
			waitpid(*slot, NULL, 0); /* else it stays as a zombie */
		*slot = 0;
		return;
	}
	*slot = fork();
	if (*slot > 0)
		return;
	if (*slot < 0) {
		*slot = 0;
		return;
	}
	for (int i = 0; i < 1000; i++) {
		calls_op(rng);
		usleep(2000);
	}
	_exit(0);
}

static void *in_thread(void *arg)
{
	uint64_t rng = *(uint64_t *)arg;

	free(arg);
	for (int i = 0; i < 6; i++) {
		if (one_in(&rng, 2))
			op(&rng);
		else
			calls_op(&rng);
	}
	return NULL;
}

static void thread(uint64_t *rng)
{
	uint64_t *arg = malloc(sizeof(*arg));
	pthread_t id;

	*arg = rng_next(rng);
	if (pthread_create(&id, NULL, in_thread, arg))
		free(arg);
	else
		pthread_detach(id);
}

/* A child that asks something on its way out. */
static void short_child(uint64_t *rng)
{
	pid_t pid = one_in(rng, 4) ? vfork() : fork();

	if (pid == 0) {
		if (one_in(rng, 2))
			op(rng);
		_exit(0);
	}
	if (pid > 0 && one_in(rng, 2))
		waitpid(pid, NULL, 0);
}

static void execute(uint64_t *rng)
{
	static char *const leaf[] = { "fuzz", "leaf", NULL };
	const char *program = one_in(rng, 4) ? "set-user-id" : "/proc/self/exe";
	pid_t pid = fork();

	if (pid == 0) {
		if (one_in(rng, 3))
			op(rng);
		execve(program, leaf, NULL);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void become(uint64_t *rng)
{
	static const int spaces[] = { CLONE_NEWUSER, CLONE_NEWUSER | CLONE_NEWPID,
				      CLONE_NEWNS,   CLONE_NEWPID,
				      CLONE_FILES,   CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWUTS };
	uid_t id = one_in(rng, 2) ? 1000 : (uid_t)memory_word(rng);

	switch (below(rng, 5)) {
	case 0:
		if (fuzz_root)
			(void)!setresuid(-1, id, one_in(rng, 2) ? -1 : 0);
		break;
	case 1:
		(void)!setgroups(0, NULL);
		(void)!setresgid(-1, id, -1);
		break;
	case 2:
		prctl(PR_SET_DUMPABLE, below(rng, 3));
		break;
	case 3:
		unshare(spaces[below(rng, 6)]);
		break;
	case 4:
		prctl(one_in(rng, 4) ? PR_SET_NO_NEW_PRIVS : PR_SET_KEEPCAPS, 1, 0, 0, 0);
		break;
	}
}

/* Numbers as texts, and what is none. Not everything that root may set is harmless: nothing here fills the memory or the console. */
static void setting(uint64_t *rng)
{
	static const char *const names[] = {
		"kern/ktrace/genio_size",   "kern/ktrace/geniosize",
		"kern/ktrace/request_pool", "kern/ktrace/buffer_size",
		"kern/ktrace/exclusive",    "kern/ktrace/filesize_limit_signal",
		"kern/ktrace/stats",	    "debug/ktr/mask",
		"debug/ktr/entries",	    "debug/ktr/cpumask",
		"debug/ktr/cpulist",	    "debug/ktr/clear",
		"debug/ktr/alq_enable",	    "debug/ktr/alq_depth",
		"debug/ktr/alq_max",	    "debug/ktr/alq_file",
		"debug/ktr/alq_failed",	    "debug/ktr/lost",
		"debug/ktr/version",	    "kern/ktrace/max_user_memory",
	};
	static const char *const texts[] = { "0",	   "1",		 "2",
					     "64",	   "1024",	 "4096",
					     "65536",	   "524288",	 "1048576",
					     "0x1000",	   "0x7fffffff", "0x20003000",
					     "4294967295", "-1",	 "18446744073709551616",
					     "",	   "x",		 "1 2 3",
					     "0-1",	   "3",		 "/tmp/fuzz-alq",
					     "/dev/null",  "relative",	 "/nowhere/x",
					     "1,,2",	   "\n",	 "33554432" };
	char path[64], text[4200];
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/%s",
		 names[below(rng, sizeof(names) / sizeof(names[0]))]);
	fd = open(path, one_in(rng, 4) ? O_RDONLY : O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	if (one_in(rng, 3)) {
		(void)!pread(fd, text, below(rng, sizeof(text)),
			     one_in(rng, 2) ? 0 : memory_word(rng));
	} else if (one_in(rng, 8)) {
		memset(text, '1', sizeof(text));
		(void)!write(fd, text, 4000 + below(rng, 200));
	} else {
		const char *word = texts[below(rng, sizeof(texts) / sizeof(texts[0]))];

		(void)!pwrite(fd, word, strlen(word), one_in(rng, 8) ? memory_word(rng) : 0);
	}
	close(fd);
}

/* device_op - one operation */
void device_op(uint64_t *rng)
{
	static void (*const what[])(uint64_t * rng) = { op,
							op,
							op,
							op,
							op,
							user_record,
							flush_or_stats,
							setting,
							any_ioctl,
							open_something,
							use_fd,
							file_op,
							helper,
							thread,
							short_child,
							execute,
							become };

	what[below(rng, sizeof(what) / sizeof(what[0]))](rng);
}

static void write_setting(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, text, strlen(text));
	close(fd);
}

/* device_reset - as root: nobody is traced, what may be too much is as it was, and the files are there again */
void device_reset(void)
{
	struct ktrace_ioc_op arg = { .ops = KTROP_CLEAR | KTRFLAG_DESCEND,
				     .points = KTRFAC_MASK,
				     .pid = 1 };
	int fd = open(KTRACE_DEVICE, O_RDWR | O_CLOEXEC);
	static const char *const files[] = { "a", "b", "c", "d", "full/a" };

	if (fd >= 0) {
		ioctl(fd, KTRACE_IOC_OP, &arg);
		close(fd);
	}
	write_setting("/proc/sys/kern/ktrace/max_user_memory", "67108864");
	write_setting("/proc/sys/kern/ktrace/buffer_size", "65536");
	write_setting("/proc/sys/kern/ktrace/exclusive", "0");
	write_setting("/proc/sys/debug/ktr/alq_enable", "0");
	write_setting("/proc/sys/debug/ktr/mask", "0");
	write_setting("/proc/sys/debug/ktr/entries", "1024");
	for (int i = 0; i < 5; i++) {
		int file = open(files[i], O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0666);

		if (file >= 0) {
			(void)!fchmod(file, 0666);
			close(file);
		}
	}
}
