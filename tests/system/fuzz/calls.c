// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What a traced process does: calls of which the module looks at memory, with arguments of every kind. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

/* Ends of pipes and sockets that never wait. */
static int some_end(uint64_t *rng)
{
	static int ends[6];

	if (!ends[1]) {
		(void)!pipe2(ends, O_NONBLOCK | O_CLOEXEC);
		socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends + 2);
		ends[4] = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		ends[5] = open("/dev/zero", O_RDWR | O_CLOEXEC);
	}
	return ends[below(rng, 6)];
}

static struct iovec *some_vector(uint64_t *rng, uint32_t *n)
{
	struct iovec *v;

	*n = one_in(rng, 8) ? 1024 : below(rng, 20);
	v = memory_good(rng, *n * sizeof(*v) + 1);
	for (uint32_t i = 0; i < *n; i++) {
		struct iovec one = { .iov_len =
					     one_in(rng, 2) ? below(rng, 9000) : memory_word(rng) };

		one.iov_base = memory_pointer(rng, one.iov_len % 9000);
		memcpy(v + i, &one, sizeof(one));
	}
	return v;
}

static void transfer(uint64_t *rng)
{
	static const int calls[] = { SYS_read, SYS_write, SYS_pread64, SYS_pwrite64,
				     SYS_getdents64 };
	size_t len = one_in(rng, 2) ? below(rng, 9000) : memory_word(rng) % (1 << 20);

	syscall(calls[below(rng, 5)], some_end(rng), memory_pointer(rng, len % 9000), len,
		one_in(rng, 2) ? 0 : memory_word(rng));
}

static void vectors(uint64_t *rng)
{
	static const int calls[] = { SYS_readv,	  SYS_writev,  SYS_preadv,
				     SYS_pwritev, SYS_preadv2, SYS_pwritev2 };
	uint32_t n;
	struct iovec *v = some_vector(rng, &n);

	syscall(calls[below(rng, 6)], some_end(rng), one_in(rng, 8) ? memory_pointer(rng, 64) : v,
		one_in(rng, 8) ? memory_word(rng) : n, 0, 0, 0);
}

static void messages(uint64_t *rng)
{
	static const int calls[] = { SYS_sendmsg, SYS_recvmsg, SYS_sendmmsg, SYS_recvmmsg };
	static const int flags[] = { 0, MSG_PEEK, MSG_TRUNC, MSG_DONTWAIT, MSG_ERRQUEUE };
	uint32_t n = 1 + below(rng, 16), vecs;
	struct mmsghdr *m = memory_good(rng, n * sizeof(*m));

	for (uint32_t i = 0; i < n; i++) {
		struct mmsghdr one = { .msg_len = (unsigned int)memory_word(rng) };

		one.msg_hdr.msg_iov = some_vector(rng, &vecs);
		one.msg_hdr.msg_iovlen = one_in(rng, 8) ? memory_word(rng) : vecs;
		if (one_in(rng, 3)) {
			one.msg_hdr.msg_name = memory_pointer(rng, 128);
			one.msg_hdr.msg_namelen = (unsigned int)memory_word(rng);
		}
		memcpy(m + i, &one, sizeof(one));
	}
	syscall(calls[below(rng, 4)], some_end(rng), one_in(rng, 8) ? memory_pointer(rng, 64) : m,
		one_in(rng, 2) ? n : (uint32_t)flags[below(rng, 5)],
		flags[below(rng, 5)] | MSG_DONTWAIT, 0);
}

static void addresses(uint64_t *rng)
{
	static const int calls[] = { SYS_bind,	      SYS_connect,     SYS_accept,
				     SYS_getsockname, SYS_getpeername, SYS_recvfrom };
	static int room = 16;
	int call = calls[below(rng, 6)];
	struct sockaddr_un *at = memory_pointer(rng, sizeof(*at));
	int *len = one_in(rng, 2) ? &room : memory_pointer(rng, 4);

	room = (int)memory_word(rng);
	if (call == SYS_recvfrom)
		syscall(call, some_end(rng), memory_pointer(rng, 100), 100, MSG_DONTWAIT, at, len);
	else
		syscall(call, some_end(rng), at,
			call == SYS_bind || call == SYS_connect ? (void *)memory_word(rng) : len);
}

/* Each takes pointers to structures, and harms nobody. */
static void structures(uint64_t *rng)
{
	static const int calls[] = {
		SYS_fstat,     SYS_newfstatat,	   SYS_statx,	       SYS_uname,
		SYS_getrlimit, SYS_rt_sigaction,   SYS_adjtimex,       SYS_capget,
		SYS_openat2,   SYS_clock_gettime,  SYS_sched_getattr,  SYS_clock_adjtime,
		SYS_getitimer, SYS_clone3,	   SYS_rt_sigprocmask, SYS_newfstatat,
		SYS_nanosleep, SYS_sched_getparam,
#ifdef __x86_64__
		SYS_stat,      SYS_lstat,	   SYS_poll,	       SYS_access,
		SYS_readlink,  SYS_epoll_wait,
#else
		SYS_ppoll,     SYS_faccessat,	   SYS_readlinkat,     SYS_epoll_pwait,
#endif
	};
	static struct timespec now __attribute__((unused));
	long number = calls[below(rng, sizeof(calls) / sizeof(calls[0]))];
	long args[5];

	for (int i = 0; i < 5; i++)
		args[i] = one_in(rng, 3) ? (long)memory_pointer(rng, 200) :
			  one_in(rng, 2) ? some_end(rng) :
					   (long)memory_word(rng);
	switch (number) {
	case SYS_clone3:
		args[1] = below(rng, 64) ? 8 : 0; /* shorter than any that is valid */
		break;
#ifdef __x86_64__
	case SYS_poll:
		args[2] = 0; /* nothing here waits */
		break;
	case SYS_epoll_wait:
#else
	case SYS_ppoll:
		args[2] = (long)&now; /* nothing here waits */
		break;
	case SYS_epoll_pwait:
#endif
		args[3] = 0;
		break;
	case SYS_nanosleep:
		args[0] = (long)memory_pointer(rng, 0) & ~0xffffL;
		break;
	case SYS_rt_sigaction:
		args[0] = SIGURG; /* no other gets a handler that is nowhere */
		break;
	case SYS_adjtimex:
	case SYS_clock_adjtime:
		args[0] = args[1] = 0;
		break;
	}
	syscall(number, args[0], args[1], args[2], args[3], args[4]);
}

static void paths(uint64_t *rng)
{
	struct open_how how = { .flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC,
				.resolve = below(rng, 64) };
	int fd;

	if (one_in(rng, 2))
		fd = syscall(SYS_openat2, AT_FDCWD, memory_path(rng), &how, sizeof(how));
	else
		fd = syscall(SYS_openat, AT_FDCWD, memory_path(rng),
			     O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd > 2)
		close(fd);
}

static void faults(uint64_t *rng)
{
	volatile uint8_t *p =
		mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return;
	p[below(rng, 16384)] = 1;
	(void)p[below(rng, 16384)];
	munmap((void *)p, 16384);
}

static void on_signal(int signo)
{
	(void)signo;
}

static void signals(uint64_t *rng)
{
	static const int numbers[] = { SIGUSR1, SIGUSR2, SIGURG, SIGWINCH };
	int signo = numbers[below(rng, 4)];

	signal(signo, one_in(rng, 2) ? on_signal : SIG_IGN);
	raise(signo);
}

#ifdef __x86_64__
static void old_calls(uint64_t *rng)
{
	static const int harmless[] = { 3,   4,	  5,   6,   20,	 33,  85, 102,
					106, 145, 146, 195, 265, 331, 364 };
	long number = one_in(rng, 8) ? (int)(400 + below(rng, 10000)) : harmless[below(rng, 15)],
	     result = number;

	if (number == 102) /* socketcall */
		asm volatile("int $0x80"
			     : "+a"(result)
			     : "b"((long)below(rng, 22)), "c"(0L)
			     : "memory", "r8", "r9", "r10", "r11");
	else
		asm volatile("int $0x80"
			     : "+a"(result)
			     : "b"((long)some_end(rng)), "c"((long)(uint32_t)memory_word(rng)),
			       "d"((long)below(rng, 5000))
			     : "memory", "r8", "r9", "r10", "r11");
}
#endif

static void odd(uint64_t *rng)
{
	switch (below(rng, 4)) {
	case 0:
		syscall(600 + below(rng, 1000), memory_word(rng), memory_word(rng));
		break;
	case 1:
		syscall(-1L - below(rng, 10));
		break;
	case 2:
		sched_yield();
		break;
	case 3:
		nanosleep(&(struct timespec){ .tv_nsec = below(rng, 2000000) }, NULL);
		break;
	}
}

/* calls_op - one of them */
void calls_op(uint64_t *rng)
{
	static void (*const what[])(uint64_t * rng) = {
		transfer,   vectors, messages, addresses, structures,
		structures, paths,   faults,   signals,	  odd,
#ifdef __x86_64__
		old_calls,
#endif
	};

	what[below(rng, sizeof(what) / sizeof(what[0]))](rng);
}

/* calls_leaf - what a program does that was executed */
void calls_leaf(void)
{
	uint64_t rng = (uint64_t)getpid();

	memory_init();
	for (int i = 0; i < 8; i++)
		calls_op(&rng);
}
