// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* struct_array GENIO_SIZE: arrays of pollfd, epoll_event and iovec, short and longer than a record may be. */
#include "expect.h"

#include <linux/eventpoll.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define MANY 9000

static struct pollfd fds[MANY];
static char data[1 << 16];

static void polls(int r, int w)
{
#ifdef SYS_poll
	begin_sys(3, SYS_poll, fds, 2, 0);
	array("pollfd", 8, fds, 2);
	sys_end();
#endif
	fds[0] = (struct pollfd){ .fd = r, .events = POLLIN | POLLPRI, .revents = 0x7777 };
	fds[1] = (struct pollfd){ .fd = w, .events = POLLOUT, .revents = 0x7777 };
	fds[2] = (struct pollfd){ .fd = 999, .events = POLLIN };
#ifdef SYS_poll
	begin_sys(3, SYS_poll, fds, 3, -1);
	array("pollfd", 8, fds, 3);
	sys_end();
	fds[1].fd = -1;
	begin_sys(3, SYS_poll, fds, 1, 1); /* the time is up */
	array("pollfd", 8, fds, 1);
	sys_end();
	begin_sys(3, SYS_poll, fds, MANY, 0);
	array("pollfd", 8, fds, MANY);
	sys_end();
	sys(3, SYS_poll, 0, 0, 0);
	sys(3, SYS_poll, fds, 0, 0);
	sys(3, SYS_poll, -4096L, 2, 0); /* EFAULT */
	sys(3, SYS_poll, fds, -1, 0); /* EINVAL */
#endif
	begin_sys(5, SYS_ppoll, fds, 3, 0, 0, 8);
	array("pollfd", 8, fds, 3);
	sys_end();
	begin_sys(5, SYS_ppoll, fds, 600, 0, 0, 8);
	array("pollfd", 8, fds, 600);
	sys_end();
	sys(5, SYS_ppoll, -4096L, 2, 0, 0, 8); /* EFAULT */
	sys(5, SYS_ppoll, fds, -1, 0, 0, 8); /* EINVAL */
}

/* One, in the layout of the record: other architectures than x86 align its second word. */
static void events(const struct epoll_event *ev)
{
	char packed[12];

	memcpy(packed, &ev->events, 4);
	memcpy(packed + 4, &ev->data, 8);
	array("l_epoll_event", 12, packed, 1);
}

static void epolls(int r, int w)
{
	struct epoll_event ev = { .events = EPOLLIN, .data = 0x1122334455667788 }, got[4];
	int ep = syscall(SYS_epoll_create1, 0);

	/* that was a call, too */
	ex("CALL %d 0\nRET %d %x\n", SYS_epoll_create1, SYS_epoll_create1, ep);
#define ctl(op, fd) (begin_sys(4, SYS_epoll_ctl, ep, op, fd, &ev), events(&ev), sys_end())
	ctl(EPOLL_CTL_ADD, r);
	ev.events = EPOLLOUT;
	ctl(EPOLL_CTL_ADD, w);
	ctl(EPOLL_CTL_ADD, w); /* EEXIST */
	ctl(77, w); /* EINVAL, after it was read */
	sys(4, SYS_epoll_ctl, ep, EPOLL_CTL_ADD, 999, &ev); /* EBADF */
	sys(4, SYS_epoll_ctl, ep, EPOLL_CTL_DEL, r, &ev);
	memset(got, 0xee, sizeof(got));
	begin_sys(4, SYS_epoll_wait, ep, got, 4, -1);
	events(got);
	sys_end();
	ev.events = EPOLLIN | EPOLLET, ev.data = -1;
	ctl(EPOLL_CTL_MOD, w);
	sys(4, SYS_epoll_wait, ep, got, 4, 0); /* nothing */
	ev.events = EPOLLOUT;
	ctl(EPOLL_CTL_MOD, w);
	uint64_t set = 0x4000;
	begin_sys(6, SYS_epoll_pwait, ep, got, 4, 0, &set, 8);
	events(got), stru("l_sigset_t", &set, 8);
	sys_end();
	sys(6, SYS_epoll_pwait, ep, got, 4, 0, &set, 4); /* EINVAL */
	begin_sys(6, SYS_epoll_pwait2, ep, got, 4, 0, 0, 0);
	events(got);
	sys_end();
	sys(4, SYS_epoll_wait, ep, got, 0, 0); /* EINVAL */
	sys(4, SYS_epoll_wait, ep, 16, 4, 0); /* EFAULT */
}

/* The record has 64-bit words. */
static void vector(const struct iovec *iov, size_t n)
{
	static uint64_t out[1024][2];

	for (size_t i = 0; i < n; i++) {
		out[i][0] = (unsigned long)iov[i].iov_base;
		out[i][1] = iov[i].iov_len;
	}
	array("l_iovec", 16, out, n);
}

static void vectors(int r, int w)
{
	static struct iovec iov[1025];
	int fd = syscall(SYS_memfd_create, "x", 0), null = syscall(SYS_dup, fd);
	struct iovec bad[2] = { { data, 1 }, { data, -1 } }, empty = { data, 0 },
		     here = { data, 10 };
	long pid = syscall(SYS_getpid);

	ex("CALL %d %lx 0\nRET %d %x\n", SYS_memfd_create, (long)(uintptr_t) "x", SYS_memfd_create,
	   fd);
	ex("CALL %d %x\nRET %d %x\n", SYS_dup, fd, SYS_dup, null);
	ex("CALL %d\nRET %d %lx\n", SYS_getpid, SYS_getpid, pid);
	for (int i = 0; i < 1025; i++)
		iov[i] = (struct iovec){ data + 7 * i, i % 6 };
#define moves(n, narg, nr, ...) (begin_sys(narg, nr, __VA_ARGS__), vector(iov, n), sys_end())
	moves(3, 3, SYS_writev, fd, iov, 3);
	moves(1024, 3, SYS_writev, fd, iov, 1024);
	moves(5, 5, SYS_pwritev, fd, iov, 5, 0, 0);
	moves(5, 6, SYS_pwritev2, fd, iov, 5, 0, 0, 0);
	moves(300, 5, SYS_preadv, fd, iov, 300, 0, 0);
	moves(4, 6, SYS_preadv2, fd, iov, 4, 0, 0, 0);
	moves(2, 3, SYS_readv, fd, iov, 2);
	sys(3, SYS_readv, fd, iov, 0);
	sys(3, SYS_readv, fd, iov, 1025); /* EINVAL */
	sys(3, SYS_writev, fd, bad, 2); /* EINVAL: it may not have been looked at */
	sys(3, SYS_writev, 999, iov, 2); /* EBADF */
	sys(3, SYS_writev, fd, 16, 2); /* EFAULT */
	sys(5, SYS_preadv, r, iov, 2, 0, 0); /* ESPIPE */
	moves(3, 4, SYS_vmsplice, w, iov, 3, 2 /* SPLICE_F_NONBLOCK */);
	moves(6, 3, SYS_readv, r, iov, 6);
	moves(3, 3, SYS_readv, r, iov, 3); /* EAGAIN */
	begin_sys(6, SYS_process_vm_readv, pid, &here, 1, iov, 5, 0);
	vector(&here, 1), vector(iov, 5);
	sys_end();
	begin_sys(6, SYS_process_vm_writev, pid, &here, 1, iov, 2, 0);
	vector(&here, 1), vector(iov, 2);
	sys_end();
	/* without room the other is not looked at */
	begin_sys(6, SYS_process_vm_readv, pid, &empty, 1, 16, 5, 0);
	vector(&empty, 1);
	sys_end();
	begin_sys(6, SYS_process_vm_readv, 0x3fffffff, &here, 1, iov, 2, 0); /* ESRCH */
	vector(&here, 1), vector(iov, 2);
	sys_end();
	sys(6, SYS_process_vm_readv, pid, &here, 1, iov, 2, 1); /* EINVAL */
	long pidfd = begin_sys(2, SYS_pidfd_open, pid, 0);
	sys_end();
	begin_sys(5, SYS_process_madvise, pidfd, iov, 2, 20 /* MADV_COLD */, 0);
	if (expect_ret != -EINVAL)
		vector(iov, 2);
	sys_end();
	here = (struct iovec){ (void *)((uintptr_t)(data + 4095) & -4096), 4096 };
	begin_sys(5, SYS_process_madvise, pidfd, &here, 1, 20, 0);
	vector(&here, 1);
	sys_end();
}

int main(int argc, char **argv)
{
	struct rlimit many = { MANY + 100, MANY + 100 };
	int p[2];

	genio_size = argc > 1 ? atoi(argv[1]) : 4096;
	if (setrlimit(RLIMIT_NOFILE, &many) || pipe2(p, O_NONBLOCK))
		die("files");
	for (int i = 0; i < MANY; i++)
		fds[i] = (struct pollfd){ .fd = -1 - i, .events = i, .revents = 0x5555 };
	begin();
	polls(p[0], p[1]);
	epolls(p[0], p[1]);
	vectors(p[0], p[1]);
	finish();
	return 0;
}
