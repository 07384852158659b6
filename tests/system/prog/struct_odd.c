// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * struct_odd MODE: calls that are not what they seem. "refused": a filter answers in place of the kernel, which reads
 * and writes nothing. "threads": many threads, each with structures of its own. "int80": a 64-bit program's 32-bit
 * calls. "numbers": those that no call has.
 */
#include "expect.h"

#include <asm/stat.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

#define LOAD(what)	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, what))
#define IF(nr, then, other) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, then, other)
#define ANSWER(what)	    BPF_STMT(BPF_RET | BPF_K, what)

/* What stat() and getrlimit() are. */
#ifdef __aarch64__
#define STAT_NR SYS_newfstatat
#else
#define STAT_NR SYS_stat
#endif
#ifdef __arm__
#define GETRLIMIT_NR SYS_ugetrlimit
#else
#define GETRLIMIT_NR SYS_getrlimit
#endif

static void refused(void)
{
	/* stat fails, nanosleep and uname seem to succeed */
	struct sock_filter filter[] = {
		LOAD(nr),
		IF(STAT_NR, 2, 0),
		IF(SYS_nanosleep, 2, 0),
		IF(SYS_uname, 1, 2),
		ANSWER(SECCOMP_RET_ERRNO | EACCES),
		ANSWER(SECCOMP_RET_ERRNO | 0),
		ANSWER(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(filter[0]), filter };
	long ts[4] = { 0, 1000 };
	char buf[512] = "";
	long limit[2];

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		die("seccomp");
	begin();
	for (int i = 0; i < 3; i++) {
		sys(2, SYS_stat, "/", buf);
		sys(2, SYS_nanosleep, ts, 0);
		sys(1, SYS_uname, buf);
		begin_sys(2, GETRLIMIT_NR, 4, limit);
		stru("l_rlimit", (uint64_t[]){ limit[0], limit[1] }, 16);
		sys_end();
	}
	finish();
}

/* The thread says in the nanoseconds who it is; the room for an address is as much as it has counted. */
static void *thread(void *arg)
{
	static const char zeros[16];
	long n = (long)arg;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	for (int i = 0; i < 300; i++) {
		struct timespec ts = { 0, 1000 * n + i };
		socklen_t len = 2 + n % 15;
		char buf[16];

		memcpy(buf, zeros, 16);
		syscall(SYS_nanosleep, &ts, NULL);
		syscall(SYS_getsockname, fd, buf, &len);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t t[8];

	for (long i = 0; i < 8; i++)
		if (pthread_create(&t[i], NULL, thread, (void *)i))
			die("thread");
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
}

#ifdef __x86_64__
static int int80(int narg, long nr, long a, long b, long c)
{
	long args[3] = { a, b, c };
	int r;

	ex("PROCCTOR 4103\nCALL %ld", nr);
	for (int i = 0; i < narg; i++)
		ex(" %x", (unsigned int)args[i]);
	ex("\n");
	asm volatile("int $0x80"
		     : "=a"(r)
		     : "a"(nr), "b"(a), "c"(b), "d"(c)
		     : "memory", "r8", "r9", "r10", "r11");
	return r;
}

static void int80_end(long nr, int r)
{
	if (r < 0)
		ex("RET %ld E%d\nPROCCTOR 203\n", nr, -r);
	else
		ex("RET %ld %x\nPROCCTOR 203\n", nr, r);
}

static void compat_calls(void)
{
	int32_t *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	uint64_t limit[2], iov[2];
	struct timespec ts;
	int r;

	low[0] = 0, low[1] = 5000;
	begin();
	/* the same call by both ABIs, in turns */
	r = int80(2, 162, (long)low, 0, 0); /* nanosleep */
	stru("timespec", (int64_t[]){ 0, 5000 }, 16);
	int80_end(162, r);
	begin_sys(2, SYS_clock_gettime, CLOCK_MONOTONIC, &ts);
	stru("timespec", &ts, 16);
	sys_end();
	r = int80(2, 191, 7, (long)low, 0); /* ugetrlimit */
	for (int i = 0; i < 2; i++)
		limit[i] = (uint32_t)low[i] == ~0U ? ~0ULL : (uint32_t)low[i];
	stru("l_rlimit", limit, 16);
	int80_end(191, r);
	begin_sys(2, SYS_getrlimit, 7, limit);
	stru("l_rlimit", limit, 16);
	sys_end();
	low[0] = (long)(low + 100), low[1] = 4;
	iov[0] = (uint32_t)low[0], iov[1] = 4;
	r = int80(3, 146, 1, (long)low, 0); /* writev of none */
	int80_end(146, r);
	r = int80(3, 146, 2, (long)low, 1);
	array("l_iovec", 16, iov, 1);
	int80_end(146, r);
	r = int80(2, 106, -1, (long)low, 0); /* stat: EFAULT */
	int80_end(106, r);
	finish();
}

#else
static void compat_calls(void)
{
}
#endif

/* No structure is recorded of numbers that no call has, and of x32, whether the kernel has it or not. */
static void numbers(void)
{
	struct timespec ts = { 0, 1000 };
	struct stat st;

	begin();
#ifdef __x86_64__
	sys(6, 0x40000000 + SYS_nanosleep, &ts, 0, 0, 0, 0, 0);
	sys(6, 0x40000000 + SYS_stat, "/", &st, 0, 0, 0, 0);
#endif
	sys(6, -1L, &ts, &ts, 0, 0, 0, 0);
	sys(6, 500, &ts, &ts, 0, 0, 0, 0);
	sys(6, 0x10000 + STAT_NR, "/", &st, 0, 0, 0, 0);
	finish();
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "refused"))
		refused();
	else if (!strcmp(mode, "threads"))
		threads();
	else if (!strcmp(mode, "int80"))
		compat_calls();
	else if (!strcmp(mode, "numbers"))
		numbers();
	else
		return 99;
	return 0;
}
