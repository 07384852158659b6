// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* struct_addr MODE: socket addresses of every family, by every call. Runs in an empty folder, as root. */
#include "expect.h"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#define STORAGE 128

/* FreeBSD's numbers of Linux's families. */
static int family_of(int n)
{
	switch (n) {
	case AF_UNSPEC:
	case AF_UNIX:
	case AF_INET:
		return n;
	case AF_INET6:
		return 28;
	case AF_NETLINK:
		return 38;
	case AF_APPLETALK:
		return 16;
	case AF_IPX:
		return 23;
	case AF_BLUETOOTH:
		return 36;
	}
	return n < 127 ? 128 + n : 255;
}

/* The record of an address of n bytes; too short for a family it has none. */
static void addr(const void *sa, int n)
{
	uint8_t out[STORAGE];

	if (n < 2)
		return;
	memcpy(out, sa, n);
	out[0] = n;
	out[1] = family_of(*(const uint16_t *)sa);
	stru("sockaddr", out, n);
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

/* A call that reads an address. */
static void in(long nr, int fd, const void *sa, int n)
{
	begin_sys(3, nr, fd, sa, n);
	addr(sa, n);
	sys_end();
}

/* One that returns it, to a buffer of n bytes. The bytes beyond are not the kernel's. */
static long out(long nr, int fd, int n)
{
	uint8_t buf[STORAGE + 8];
	socklen_t len = n;

	memset(buf, 0xee, sizeof(buf));
	if (nr == SYS_accept4)
		begin_sys(4, nr, fd, buf, &len, SOCK_CLOEXEC);
	else
		begin_sys(3, nr, fd, buf, &len);
	if (expect_ret >= 0)
		addr(buf, min(n, len));
	return sys_end();
}

static void names(int fd)
{
	static const int sizes[] = { STORAGE, 16, 110, 28, 3, 2, 1, 0 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		out(SYS_getsockname, fd, sizes[i]);
	out(SYS_getpeername, fd, STORAGE); /* ENOTCONN */
	sys(3, SYS_getsockname, fd, 0, 0); /* EFAULT */
}

static int make(int family, int type)
{
	int fd = socket(family, type, 0);

	if (fd < 0)
		die("socket");
	return fd;
}

/* bind connect accept4 getsockname getpeername; and the same with addresses that are refused. */
static void inet(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) };
	struct sockaddr_in6 sin6 = { .sin6_family = AF_INET6,
				     .sin6_flowinfo = htonl(0x12345),
				     .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int s4 = make(AF_INET, SOCK_STREAM | SOCK_NONBLOCK), c4 = make(AF_INET, SOCK_STREAM);
	int s6 = make(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK), c6 = make(AF_INET6, SOCK_STREAM);
	struct sockaddr_in any = sin;
	char junk[STORAGE];
	int fd, on = 1;

	if (setsockopt(s4, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    setsockopt(s6, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)))
		die("SO_REUSEADDR");
	sin.sin_port = htons(12345), sin6.sin6_port = htons(12346);
	memset(any.sin_zero, 0x5a, sizeof(any.sin_zero));
	memset(junk, 0x77, sizeof(junk));
	begin();
	in(SYS_bind, s4, &sin, sizeof(sin));
	in(SYS_bind, s4, &any, sizeof(any)); /* EINVAL: it has one */
	in(SYS_bind, c4, &sin, sizeof(sin)); /* EADDRINUSE */
	in(SYS_bind, s6, &sin6, sizeof(sin6));
	in(SYS_bind, c4, junk, STORAGE); /* EAFNOSUPPORT */
	in(SYS_bind, c4, &sin, 3); /* EINVAL */
	in(SYS_bind, c4, &sin, 1);
	in(SYS_bind, c4, &sin, 0);
	sys(3, SYS_bind, c4, junk, STORAGE + 1); /* EINVAL: not read */
	sys(3, SYS_bind, c4, junk, -1);
	sys(3, SYS_bind, 99, &sin, sizeof(sin)); /* EBADF */
	sys(3, SYS_bind, 1, &sin, sizeof(sin)); /* ENOTSOCK */
	sys(3, SYS_bind, c4, -4096L, sizeof(sin)); /* EFAULT */
	in(SYS_connect, c4, &sin, sizeof(sin)); /* ECONNREFUSED */
	sys(2, SYS_listen, s4, 5);
	sys(2, SYS_listen, s6, 5);
	in(SYS_connect, c4, &sin, sizeof(sin));
	in(SYS_connect, c6, &sin6, sizeof(sin6));
	in(SYS_connect, c6, &sin6, sizeof(sin6)); /* EISCONN */
	fd = out(SYS_accept4, s4, 16);
	out(SYS_getpeername, fd, STORAGE);
	out(SYS_getpeername, c6, 20);
	fd = out(SYS_accept4, s6, 12);
	out(SYS_getpeername, fd, 28);
	names(s4);
	names(s6);
	finish();
}

/* Unnamed, abstract, named, and as long as they may be. */
static void local(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "socket" };
	struct sockaddr_un abs = { .sun_family = AF_UNIX, .sun_path = "\0abstract" };
	struct sockaddr_un max = { .sun_family = AF_UNIX };
	int a = make(AF_UNIX, SOCK_STREAM), b = make(AF_UNIX, SOCK_STREAM);
	int c = make(AF_UNIX, SOCK_DGRAM), d = make(AF_UNIX, SOCK_DGRAM);

	memset(max.sun_path, 'x', sizeof(max.sun_path));
	begin();
	names(a); /* unnamed */
	in(SYS_bind, a, &un, 2 + 6);
	in(SYS_bind, b, &abs, 2 + 9);
	in(SYS_bind, c, &max, sizeof(max));
	in(SYS_bind, d, &max, 2); /* any abstract one */
	names(a);
	names(b);
	names(c);
	names(d);
	sys(2, SYS_listen, a, 1);
	in(SYS_connect, b, &un, sizeof(un));
	out(SYS_accept4, a, STORAGE);
	out(SYS_getpeername, b, STORAGE);
	finish();
}

/* Families that FreeBSD has by another number, and one that it lacks. */
static void others(void)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK,
				  .nl_pid = 4711,
				  .nl_groups = 0x12345678 };
	struct sockaddr_ll ll = { .sll_family = AF_PACKET,
				  .sll_protocol = htons(0x88b5),
				  .sll_ifindex = if_nametoindex("lo") };
	struct sockaddr any = { .sa_family = AF_UNSPEC };
	static const int families[] = { AF_APPLETALK, AF_IPX, AF_BLUETOOTH, 126,   127,
					128,	      200,    0x1234,	    0xffff };
	int n = make(AF_NETLINK, SOCK_RAW), p = socket(AF_PACKET, SOCK_DGRAM, 0);
	int u = make(AF_INET, SOCK_DGRAM);

	begin();
	in(SYS_bind, n, &nl, sizeof(nl));
	names(n);
	in(SYS_connect, n, &nl, sizeof(nl));
	in(SYS_bind, p, &ll, sizeof(ll));
	names(p);
	in(SYS_connect, u, &any, sizeof(any));
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		any.sa_family = families[i];
		in(SYS_bind, u, &any, sizeof(any));
	}
	finish();
}

/* sendto recvfrom sendmsg recvmsg: an address, none, a short buffer, a message without one. */
static void messages(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) },
			   from;
	socklen_t len = sizeof(sin);
	struct iovec iov = { "hello", 5 };
	struct msghdr msg = {
		.msg_name = &sin, .msg_namelen = sizeof(sin), .msg_iov = &iov, .msg_iovlen = 1
	};
	int a = make(AF_INET, SOCK_DGRAM), b = make(AF_INET, SOCK_DGRAM), s[2];
	static const int sizes[] = { 16, 128, 7, 2, 1, 0 };
	char buf[100], name[STORAGE];
	struct iovec into = { buf, sizeof(buf) };

	if (bind(a, (void *)&sin, len) || getsockname(a, (void *)&sin, &len) ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		die("messages");
	begin();
	sys(6, SYS_sendto, s[0], "x", 1, 0, 0, 0);
	sys(6, SYS_sendto, s[0], "x", 1, 0, 0, 16);
	begin_sys(6, SYS_sendto, s[0], "x", 1, 0, &sin, sizeof(sin)); /* EISCONN */
	addr(&sin, sizeof(sin));
	sys_end();
	sys(6, SYS_sendto, b, "x", 1, 0, &sin, 129);
	sys(6, SYS_sendto, b, "x", 1, 0, -4096L, 16);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		begin_sys(6, SYS_sendto, b, "hello", 5, 0, &sin, sizeof(sin));
		addr(&sin, sizeof(sin));
		sys_end();
		len = sizes[i];
		memset(name, 0xee, sizeof(name));
		begin_sys(6, SYS_recvfrom, a, buf, 100, 0, name, &len);
		addr(name, min(sizes[i], len));
		sys_end();

		begin_sys(3, SYS_sendmsg, b, &msg, 0);
		addr(&sin, sizeof(sin));
		sys_end();
		memset(name, 0xee, sizeof(name));
		struct msghdr in = {
			.msg_name = name, .msg_namelen = sizes[i], .msg_iov = &into, .msg_iovlen = 1
		};
		begin_sys(3, SYS_recvmsg, a, &in, 0);
		addr(name, min(sizes[i], in.msg_namelen));
		sys_end();
	}
	/* no address in it, though there is room; a length without an address */
	len = 16;
	begin_sys(6, SYS_recvfrom, s[1], buf, 100, 0, &from, &len);
	addr(&from, len);
	sys_end();
	sys(6, SYS_recvfrom, s[1], buf, 100, MSG_DONTWAIT, &from, &len); /* EAGAIN */
	msg.msg_namelen = 0;
	sys(3, SYS_sendmsg, s[0], &msg, 0);
	msg.msg_name = NULL, msg.msg_namelen = 16;
	sys(3, SYS_sendmsg, s[0], &msg, 0);
	/* longer than any: cut to what there may be */
	memset(name, 0, sizeof(name));
	memcpy(name, &sin, sizeof(sin));
	msg.msg_name = name, msg.msg_namelen = 1000;
	begin_sys(3, SYS_sendmsg, b, &msg, 0);
	addr(name, STORAGE);
	sys_end();
	msg.msg_namelen = -1;
	sys(3, SYS_sendmsg, b, &msg, 0);
	sys(3, SYS_sendmsg, b, -4096L, 0);
	finish();
}

/* The length is in a page that the program has not touched yet: then what the kernel says is taken for it. */
static void untouched(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) };
	int fd = syscall(SYS_memfd_create, "len", 0), a = make(AF_INET, SOCK_DGRAM);
	socklen_t len = 8, *there;
	char buf[16];

	if (bind(a, (void *)&sin, sizeof(sin)) || write(fd, &len, sizeof(len)) != sizeof(len))
		die("untouched");
	there = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memset(buf, 0xee, sizeof(buf));
	begin();
	begin_sys(3, SYS_getsockname, a, buf, there);
	addr(buf, 16);
	sys_end();
	finish();
}

#ifdef __i386__
static void socketcall(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) };
	struct sockaddr_in got = sin, peer;
	int s = make(AF_INET, SOCK_STREAM), c = make(AF_INET, SOCK_STREAM),
	    u = make(AF_INET, SOCK_DGRAM);
	struct timespec ts = { 5, 6 };
	socklen_t len = 10, plen = 6;
	char buf[8];
	struct iovec iov = { buf, 1 };
	struct msghdr msg = {
		.msg_name = &got, .msg_namelen = 16, .msg_iov = &iov, .msg_iovlen = 1
	};
	struct mmsghdr mm = { .msg_hdr = { .msg_iov = &iov, .msg_iovlen = 1 } };
	long args[6] = { s, (long)&sin, 16 };

	begin();
	begin_sys(2, SYS_socketcall, 2, args);
	addr(&sin, 16);
	sys_end();
	sys(2, SYS_socketcall, 4, args); /* listen */
	memcpy(args, (long[]){ s, (long)&got, (long)&len }, 12);
	begin_sys(2, SYS_socketcall, 6, args); /* getsockname, cut */
	addr(&got, 10);
	sys_end();
	len = 16;
	begin_sys(2, SYS_socketcall, 6, args);
	addr(&got, 16);
	sys_end();
	memcpy(args, (long[]){ c, (long)&got, 16 }, 12);
	begin_sys(2, SYS_socketcall, 3, args); /* connect */
	addr(&got, 16);
	sys_end();
	memcpy(args, (long[]){ s, (long)&peer, (long)&plen, 0 }, 16);
	begin_sys(2, SYS_socketcall, 5, args); /* accept, cut */
	addr(&peer, 6);
	sys_end();
	memcpy(args, (long[]){ c, (long)&peer, (long)&plen }, 12);
	plen = 16;
	begin_sys(2, SYS_socketcall, 7, args); /* getpeername */
	addr(&peer, 16);
	sys_end();
	memcpy(args, (long[]){ u, (long)"abc", 3, 0, (long)&got, 16 }, 24);
	begin_sys(2, SYS_socketcall, 11, args); /* sendto */
	addr(&got, 16);
	sys_end();
	memcpy(args, (long[]){ u, (long)&msg, 0 }, 12);
	begin_sys(2, SYS_socketcall, 16, args); /* sendmsg */
	addr(&got, 16);
	sys_end();
	memcpy(args, (long[]){ u, (long)buf, 8, MSG_DONTWAIT, (long)&peer, (long)&plen }, 24);
	sys(2, SYS_socketcall, 12, args); /* recvfrom: EAGAIN */
	memcpy(args, (long[]){ u, (long)&mm, 1, MSG_DONTWAIT, (long)&ts }, 20);
	begin_sys(2, SYS_socketcall, 19, args); /* recvmmsg: EAGAIN */
	stru("timespec", (long long[]){ ts.tv_sec, ts.tv_nsec }, 16);
	sys_end();
	memcpy(args, (long[]){ s, (long)&peer, (long)&plen, SOCK_CLOEXEC | SOCK_NONBLOCK }, 16);
	sys(2, SYS_socketcall, 99, args);
	sys(2, SYS_socketcall, 2, -4096L);
	finish();
}
#else
static void socketcall(void)
{
}
#endif

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*function)(void);
	} modes[] = { { "inet", inet },		  { "local", local },
		      { "others", others },	  { "messages", messages },
		      { "untouched", untouched }, { "socketcall", socketcall } };

	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name))
			return modes[i].function(), 0;
	return 99;
}
