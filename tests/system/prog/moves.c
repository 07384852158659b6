// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* moves MODE MOST: data in every size that matters, by every call; MOST is what a GENIO record holds at most. */
#include "expect.h"
#include "position.h"

#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define MAX (1 << 20)
static char data[MAX + 64] __attribute__((aligned(4096)));
static char buf[MAX + 64] __attribute__((aligned(4096)));

static void fill(void)
{
	uint32_t x = 4711;

	for (size_t i = 0; i < sizeof(data); i++) {
		x = x * 1103515245 + 12345;
		data[i] = x >> 16;
	}
}

static int new_file(const char *name, int flags)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | flags, 0600);

	if (fd < 0)
		die(name);
	return fd;
}

static void rewind_(int fd)
{
	sys(3, SYS_lseek, fd, 0, SEEK_SET);
}

/* n bytes of memory in 12 pieces: empty ones, small ones, and two of what is left. */
static int pieces(struct iovec *iov, char *memory, size_t n)
{
	static const size_t lens[] = { 0, 1, 0, 2, 5, 0, 0 };
	size_t at = 0;
	int i;

	for (i = 0; i < 7; i++) {
		size_t len = lens[i] < n ? lens[i] : n;

		iov[i] = (struct iovec){ memory + at + i, len };
		at += len;
		n -= len;
	}
	iov[i++] = (struct iovec){ memory + at + 9, n / 2 };
	iov[i++] = (struct iovec){ (void *)16, 0 };
	iov[i++] = (struct iovec){ memory + at + n / 2 + 10, n - n / 2 };
	iov[i++] = (struct iovec){ NULL, 0 };
	return i;
}

static void by_file(int fd, size_t n)
{
	struct iovec out[12], in[12];
	int count = pieces(out, data, n);

	pieces(in, buf, n);
	rewind_(fd);
	begin_sys(3, SYS_write, fd, data, n);
	gio(fd, 1, data, n);
	sys_end();
	rewind_(fd);
	begin_sys(3, SYS_read, fd, buf, n);
	gio(fd, 0, data, n);
	sys_end();
	begin_sys(PNARG, SYS_pwrite64, fd, data + 3, n, POS(1));
	gio(fd, 1, data + 3, n);
	sys_end();
	begin_sys(PNARG, SYS_pread64, fd, buf, n, POS(1));
	gio(fd, 0, data + 3, n);
	sys_end();
	rewind_(fd);
	begin_sys(3, SYS_writev, fd, out, count);
	giov(fd, 1, out, n);
	sys_end();
	rewind_(fd);
	begin_sys(3, SYS_readv, fd, in, count);
	giov(fd, 0, out, n);
	sys_end();
	begin_sys(5, SYS_pwritev, fd, out, count, VPOS(2));
	giov(fd, 1, out, n);
	sys_end();
	begin_sys(5, SYS_preadv, fd, in, count, VPOS(2));
	giov(fd, 0, out, n);
	sys_end();
	begin_sys(6, SYS_pwritev2, fd, out, count, VPOS(0), 2); /* RWF_DSYNC */
	giov(fd, 1, out, n);
	sys_end();
	begin_sys(6, SYS_preadv2, fd, in, count, VPOS(0), 0);
	giov(fd, 0, out, n);
	sys_end();
}

static int single; /* a ring has no room for two such records of one call */

static void by_socket(const int *s, size_t n)
{
	struct iovec out[12], in[12];
	int count = pieces(out, data, n);
	struct msghdr msg = { .msg_iov = out, .msg_iovlen = count };
	struct msghdr in_msg = { .msg_iov = in, .msg_iovlen = count };
	struct mmsghdr mmsg[2] = { { .msg_hdr = msg }, { .msg_hdr = msg } };
	struct mmsghdr in_mmsg[2] = { { .msg_hdr = in_msg }, { .msg_hdr = in_msg } };
	long r;

	pieces(in, buf, n);
	begin_sys(6, SYS_sendto, s[0], data, n, 0, 0, 0);
	gio(s[0], 1, data, n);
	sys_end();
	begin_sys(6, SYS_recvfrom, s[1], buf, n, MSG_PEEK, 0, 0);
	gio(s[1], 0, data, n);
	sys_end();
	/* cut to half, and the result says so or not */
	begin_sys(6, SYS_recvfrom, s[1], buf, n / 2, MSG_TRUNC, 0, 0);
	gio(s[1], 0, data, n / 2);
	if (sys_end() != (long)n)
		die("MSG_TRUNC");
	begin_sys(3, SYS_sendmsg, s[0], &msg, 0);
	giov(s[0], 1, out, n);
	sys_end();
	begin_sys(3, SYS_recvmsg, s[1], &in_msg, MSG_PEEK);
	giov(s[1], 0, out, n);
	sys_end();
	in_msg.msg_iovlen = 8; /* without the last piece */
	begin_sys(3, SYS_recvmsg, s[1], &in_msg, MSG_TRUNC);
	giov(s[1], 0, out, n < 8 ? n : 8 + (n - 8) / 2);
	sys_end();
	if (single)
		return;
	/* one record a message: two messages, of one is room for half */
	r = begin_sys(4, SYS_sendmmsg, s[0], mmsg, 2, 0);
	for (int i = 0; i < r; i++)
		giov(s[0], 1, out, mmsg[i].msg_len);
	sys_end();
	in_mmsg[0].msg_hdr.msg_iovlen = 8;
	r = begin_sys(5, SYS_recvmmsg, s[1], in_mmsg, 2, MSG_TRUNC | MSG_DONTWAIT, 0);
	giov(s[1], 0, out, n < 8 ? n : 8 + (n - 8) / 2);
	if (r == 2)
		giov(s[1], 0, out, n);
	if (sys_end() != 2)
		die("recvmmsg");
}

static void by_queue(mqd_t mq, size_t n)
{
	begin_sys(5, SYS_mq_timedsend, mq, data + 5, n, 0, 0);
	gio(mq, 1, data + 5, n);
	sys_end();
	begin_sys(5, SYS_mq_timedreceive, mq, buf, MAX, 0, 0);
	gio(mq, 0, data + 5, n);
	sys_end();
}

/* Every call, every size around what a record holds. */
static void sizes(void)
{
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = 300000 };
	int fd = new_file("data", 0), s[2], room = 1 << 20;
	const long most = genio_size;
	mqd_t mq;

	mq_unlink("/ktrace-moves");
	mq = mq_open("/ktrace-moves", O_RDWR | O_CREAT, 0600, &attr);
	if (mq < 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, s) ||
	    setsockopt(s[0], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)))
		die("setup");
	begin();
	for (long n = most - 2; n <= most + 9; n++) {
		if (n < 0 || (most > 20000 && labs(n - most) > 1))
			continue;
		by_file(fd, n);
		by_socket(s, n);
		by_queue(mq, n);
	}
	if (most < 20000) {
		by_file(fd, 2 * most + 4097);
		by_socket(s, 2 * most + 15);
		by_queue(mq, 2 * most + 3);
	}
	finish();
}

/* Large ones, many pieces, and those that move less than they were asked to. */
static void partial(void)
{
	static struct iovec iov[1025], in[1025];
	int fd = new_file("data", 0), s[2], p[2], room = 16384;
	size_t at = 0;
	long r;

	for (int i = 0; i < 1025; i++) {
		size_t len = i % 5 == 2 ? 0 : i % 7;

		iov[i] = (struct iovec){ len ? data + at : (void *)8, len };
		in[i] = (struct iovec){ len ? buf + at : (void *)8, len };
		at += len;
	}
	if (pipe2(p, O_NONBLOCK) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s) ||
	    setsockopt(s[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room)))
		die("setup");
	begin();
	begin_sys(3, SYS_write, fd, data, MAX);
	gio(fd, 1, data, MAX);
	sys_end();
	begin_sys(PNARG, SYS_pread64, fd, buf, MAX, POS(0));
	gio(fd, 0, data, MAX);
	sys_end();
	begin_sys(PNARG, SYS_pread64, fd, buf, MAX, POS(MAX - 77));
	gio(fd, 0, data + MAX - 77, 77);
	sys_end();
	begin_sys(PNARG, SYS_pread64, fd, buf, MAX, POS(MAX));
	gio(fd, 0, data, 0);
	sys_end();
	/* as many pieces as there may be, and one more */
	rewind_(fd);
	begin_sys(3, SYS_writev, fd, iov, 1024);
	giov(fd, 1, iov, expect_ret);
	sys_end();
	begin_sys(5, SYS_preadv, fd, in, 1024, VPOS(0));
	giov(fd, 0, iov, expect_ret);
	sys_end();
	sys(5, SYS_preadv, fd, in, 1025, VPOS(0));
	/* all of them empty */
	for (int i = 0; i < 1025; i++)
		in[i].iov_len = 0;
	begin_sys(3, SYS_readv, fd, in, 1024);
	gio(fd, 0, data, 0);
	sys_end();
	/* a pipe takes 65536 bytes; a socket takes what it likes */
	begin_sys(3, SYS_write, p[1], data, MAX);
	gio(p[1], 1, data, expect_ret);
	if (sys_end() != 65536)
		die("pipe");
	sys(3, SYS_write, p[1], data, 1); /* EAGAIN */
	begin_sys(3, SYS_read, p[0], buf, 60000);
	gio(p[0], 0, data, 60000);
	sys_end();
	iov[0] = (struct iovec){ buf, 5000 };
	iov[1] = (struct iovec){ (void *)8, 0 };
	iov[2] = (struct iovec){ buf + 10000, 5000 };
	iov[3] = (struct iovec){ (void *)16, 5000 }; /* never comes into play */
	begin_sys(3, SYS_readv, p[0], iov, 4);
	giov(p[0], 0, iov, 5536);
	sys_end();
	sys(3, SYS_read, p[0], buf, 1); /* EAGAIN */
	iov[0] = (struct iovec){ data, 100000 };
	iov[2] = (struct iovec){ data + 200000, MAX - 200000 };
	begin_sys(3, SYS_writev, s[0], iov, 3);
	giov(s[0], 1, iov, expect_ret);
	r = sys_end();
	if (r <= 0 || r >= MAX - 100000)
		die("stream");
	begin_sys(6, SYS_sendto, s[0], data, MAX, 0, 0, 0); /* EAGAIN */
	if (expect_ret > 0)
		gio(s[0], 1, data, expect_ret);
	sys_end();
	begin_sys(6, SYS_recvfrom, s[1], buf, 100, MSG_WAITALL, 0, 0);
	gio(s[1], 0, data, 100);
	sys_end();
	finish();
}

/* A stream of TCP that is asked to cut throws away: nothing comes into the buffer. */
static void tcp(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	struct iovec iov[2] = { { buf, 10 }, { buf + 100, 20 } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
	struct mmsghdr mmsg = { .msg_hdr = msg };
	socklen_t len = sizeof(in);
	int l = socket(AF_INET, SOCK_STREAM, 0), a = socket(AF_INET, SOCK_STREAM, 0), b;
	struct pollfd ready;

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(l, (void *)&in, len) || listen(l, 1) || getsockname(l, (void *)&in, &len) ||
	    connect(a, (void *)&in, len))
		die("tcp");
	b = accept(l, NULL, NULL);
	if (send(a, data, 5000, 0) != 5000)
		die("send");
	ready = (struct pollfd){ .fd = b, .events = POLLIN };
	while (poll(&ready, 1, -1) != 1)
		;
	memset(buf, 'x', 4096);
	begin();
	begin_sys(6, SYS_recvfrom, b, buf, 100, MSG_PEEK, 0, 0);
	gio(b, 0, data, 100);
	sys_end();
	begin_sys(6, SYS_recvfrom, b, buf, 100, MSG_TRUNC, 0, 0);
	gio(b, 0, buf, 0);
	if (sys_end() != 100)
		die("recvfrom");
	begin_sys(6, SYS_recvfrom, b, buf, 100, MSG_TRUNC | MSG_PEEK, 0, 0);
	gio(b, 0, buf, 0);
	sys_end();
	begin_sys(6, SYS_recvfrom, b, 0, 50, MSG_TRUNC, 0, 0);
	gio(b, 0, buf, 0);
	sys_end();
	begin_sys(3, SYS_recvmsg, b, &msg, MSG_TRUNC);
	gio(b, 0, buf, 0);
	if (sys_end() != 30)
		die("recvmsg");
	begin_sys(5, SYS_recvmmsg, b, &mmsg, 1, MSG_TRUNC, 0);
	gio(b, 0, buf, 0);
	sys_end();
#ifdef __i386__
	{
		long args[4] = { b, (long)buf, 20, MSG_TRUNC };

		begin_sys(2, SYS_socketcall, 10, args); /* recv */
		gio(b, 0, buf, 0);
		sys_end();
		args[1] = (long)&msg;
		args[2] = MSG_TRUNC;
		begin_sys(2, SYS_socketcall, 17, args); /* recvmsg */
		gio(b, 0, buf, 0);
		sys_end();
		begin_sys(6, SYS_recvfrom, b, buf, 10, 0, 0, 0);
		gio(b, 0, data + 260, 10);
		sys_end();
	}
#else
	begin_sys(6, SYS_recvfrom, b, buf, 10, 0, 0, 0);
	gio(b, 0, data + 210, 10);
	sys_end();
#endif
	finish();
}

/*
 * Memory of every kind.
 */

static void *map_file(int fd, int prot)
{
	void *p = mmap(NULL, 16384, prot, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

static void *map_nothing(void)
{
	void *p = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

/* Of a file, and of nothing; all of it untouched. */
static struct {
	char *file[5], *nothing[3], *end;
} map;

static void make_maps(int fd)
{
	for (int i = 0; i < 5; i++)
		map.file[i] = map_file(fd, i == 4 ? PROT_READ | PROT_WRITE : PROT_READ);
	for (int i = 0; i < 3; i++)
		map.nothing[i] = map_nothing();
	map.end = (char *)map_nothing() + 4096;
	munmap(map.end, 12288);
}

/* Who needs the data touches it, and then it is there. */
static void untouched(int fd, int out, int sock, int pipe_)
{
	static const char zeros[16384];

	begin_sys(3, SYS_write, out, map.file[0] + 5, 16000);
	gio(out, 1, data + 5, 16000);
	sys_end();
	begin_sys(6, SYS_sendto, sock, map.file[1] + 4090, 4100, 0, 0, 0);
	gio(sock, 1, data + 4090, 4100);
	sys_end();
	begin_sys(3, SYS_write, pipe_, map.file[2] + 1, 10000);
	gio(pipe_, 1, data + 1, 10000);
	sys_end();
	begin_sys(3, SYS_write, out, map.nothing[0] + 100, 10000);
	gio(out, 1, zeros, 10000);
	sys_end();
	begin_sys(PNARG, SYS_pread64, fd, map.nothing[1] + 100, 10000, POS(7));
	gio(fd, 0, data + 7, 10000);
	sys_end();
}

static void direct(int file)
{
	begin_sys(PNARG, SYS_pwrite64, file, data, 16384, POS(0));
	gio(file, 1, data, 16384);
	sys_end();
	begin_sys(PNARG, SYS_pwrite64, file, map.file[3], 8192, POS(8192));
	gio(file, 1, data, 8192);
	sys_end();
	begin_sys(PNARG, SYS_pread64, file, map.nothing[2], 16384, POS(8192));
	gio(file, 0, data, 8192);
	sys_end();
	begin_sys(PNARG, SYS_pread64, file, map.file[4], 8192, POS(0));
	gio(file, 0, data, 8192);
	sys_end();
}

/* Buffers that end where memory ends, and iovecs that do. */
static void edges(int fd, int out)
{
	struct iovec *iov = (struct iovec *)map.end - 2;

	memcpy(map.end - 100, data, 100);
	begin_sys(3, SYS_write, out, map.end - 100, 100);
	gio(out, 1, data, 100);
	sys_end();
	begin_sys(PNARG, SYS_pread64, fd, map.end - 50, 50, POS(0));
	gio(fd, 0, data, 50);
	sys_end();
	begin_sys(3, SYS_write, out, map.end - 10, 20); /* as far as it goes, or EFAULT */
	if (expect_ret > 0)
		gio(out, 1, data + 40, expect_ret);
	sys_end();
	iov[0] = (struct iovec){ data + 9, 9 };
	iov[1] = (struct iovec){ data, 1 };
	begin_sys(3, SYS_writev, out, iov, 2);
	giov(out, 1, iov, 10);
	sys_end();
	sys(3, SYS_writev, out, iov, 3); /* EFAULT */
	sys(3, SYS_write, out, map.end, 1); /* EFAULT */
	sys(3, SYS_write, out, 0, 10); /* EFAULT */
	begin_sys(3, SYS_write, out, 0, 0);
	gio(out, 1, data, 0);
	sys_end();
	rewind_(fd);
	sys(3, SYS_read, fd, 0, -1L); /* EFAULT */
}

static void memory(void)
{
	int fd = new_file("data", 0), out = new_file("out", 0), s[2], p[2];
	int file = new_file("direct", O_DIRECT);
	struct iovec local, remote;
	pid_t self = getpid();

	if (write(fd, data, 16384) != 16384 || socketpair(AF_UNIX, SOCK_DGRAM, 0, s) || pipe(p))
		die("setup");
	make_maps(fd);
	begin();
	direct(file);
	untouched(fd, out, s[0], p[1]);
	edges(fd, out);
	/* copies that pass nothing through this process's calls */
	local = (struct iovec){ buf, 100 };
	remote = (struct iovec){ data, 100 };
	sys(6, SYS_process_vm_readv, self, &local, 1, &remote, 1, 0);
	remote.iov_base = buf + 1000;
	sys(6, SYS_process_vm_writev, self, &local, 1, &remote, 1, 0);
	sys(4, SYS_vmsplice, p[1], &local, 1, 0);
	sys(4, SYS_tee, p[0], p[1], 10, 2); /* EINVAL: the same pipe */
	sys(4, SYS_sendfile, out, fd, 0, 100);
	sys(6, SYS_splice, p[0], 0, out, 0, 100, 0);
	finish();
}

/* /dev/null and its like do not look at the data; that of untouched memory may not be there for us either. */
static void unread(void)
{
	int fd = new_file("data", 0), null = open("/dev/null", O_WRONLY);
	char *file, *fresh = map_nothing();
	struct iovec iov[3];

	if (write(fd, data, 16384) != 16384)
		die("setup");
	file = map_file(fd, PROT_READ);
	iov[0] = (struct iovec){ data, 10 };
	iov[1] = (struct iovec){ fresh + 4096, 10 };
	iov[2] = (struct iovec){ data, 10 };
	begin();
	begin_sys(3, SYS_write, null, file + 8192, 100);
	ex("GIO %d w 0 00000000\n", null);
	sys_end();
	begin_sys(3, SYS_write, null, fresh, 100);
	ex("GIO %d w 0 00000000\n", null);
	sys_end();
	begin_sys(3, SYS_write, null, 16, 100); /* no memory at all */
	ex("GIO %d w 0 00000000\n", null);
	sys_end();
	/* what comes before it is there */
	begin_sys(3, SYS_writev, null, iov, 3);
	gio(null, 1, data, 10);
	sys_end();
	finish();
}

/* Another thread takes the memory away, and gives it back, all the time. */
static char *volatile stolen;
static volatile int over;

static void *steal(void *arg)
{
	while (!over) {
		mmap(stolen, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		mmap(stolen, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0);
	}
	return NULL;
}

static void thief(void)
{
	int fd = new_file("data", 0), good = 0;
	pthread_t id;

	stolen = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (write(fd, data, 8192) != 8192 || pthread_create(&id, NULL, steal, NULL))
		die("setup");
	for (int i = 0; i < 1500; i++)
		good += pread(fd, stolen, 8192, 0) >= 0;
	over = 1;
	pthread_join(id, NULL);
	printf("%d\n", good);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (argc > 2)
		genio_size = atol(argv[2]);
	single = argc > 3;
	fill();
	if (!strcmp(mode, "sizes"))
		sizes();
	else if (!strcmp(mode, "partial"))
		partial();
	else if (!strcmp(mode, "tcp"))
		tcp();
	else if (!strcmp(mode, "memory"))
		memory();
	else if (!strcmp(mode, "unread"))
		unread();
	else if (!strcmp(mode, "thief"))
		thief();
	else
		return 97;
	return 0;
}
