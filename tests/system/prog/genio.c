// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* genio MODE GENIO_SIZE: moves data by every call that does, in sizes that matter. Runs in an empty folder. */
#include "expect.h"
#include "position.h"

#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#define MAX 200000
static char data[MAX], buf[MAX + 8];

static void fill(void)
{
	uint32_t x = 12345;

	for (size_t i = 0; i < MAX; i++) {
		x = x * 1103515245 + 12345;
		data[i] = x >> 16;
	}
}

static const size_t sizes[] = { 0,     1,     2,      4095,   4096,   4097,  8192,
				65536, 70000, 131071, 131072, 131073, 150000 };
#define NSIZES (sizeof(sizes) / sizeof(sizes[0]))

static int file(void)
{
	int fd = open("data", O_RDWR | O_CREAT, 0600);

	if (fd < 0)
		die("data");
	return fd;
}

/* read, write, pread64, pwrite64 of every size; the ends of files; errors. */
static void plain(void)
{
	int fd = file(), null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY);
	long r;

	begin();
	for (size_t i = 0; i < NSIZES; i++) {
		sys(3, SYS_lseek, fd, 0, SEEK_SET);
		begin_sys(3, SYS_write, fd, data, sizes[i]);
		gio(fd, 1, data, sizes[i]);
		sys_end();
		sys(3, SYS_lseek, fd, 0, SEEK_SET);
		begin_sys(3, SYS_read, fd, buf, sizes[i]);
		gio(fd, 0, data, sizes[i]);
		sys_end();
		begin_sys(PNARG, SYS_pwrite64, fd, data + 1, sizes[i], POS(0));
		gio(fd, 1, data + 1, sizes[i]);
		sys_end();
		begin_sys(PNARG, SYS_pread64, fd, buf, sizes[i], POS(0));
		gio(fd, 0, data + 1, sizes[i]);
		sys_end();
	}
	/* short: ten bytes before the end, and at the end */
	r = sys(3, SYS_lseek, fd, -10, SEEK_END);
	begin_sys(3, SYS_read, fd, buf, 5000);
	gio(fd, 0, data + 1 + r, 10);
	sys_end();
	begin_sys(3, SYS_read, fd, buf, 5000);
	gio(fd, 0, data, 0);
	sys_end();
	/* large ones */
	begin_sys(3, SYS_write, null, data, MAX);
	gio(null, 1, data, MAX);
	sys_end();
	memset(buf, 0, sizeof(buf));
	begin_sys(3, SYS_read, zero, buf, MAX);
	gio(zero, 0, buf, MAX);
	sys_end();
	/* errors leave none */
	sys(3, SYS_read, 99, buf, 10);
	sys(3, SYS_write, zero, data, 10);
	begin_sys(3, SYS_read, fd, buf, 0);
	gio(fd, 0, data, 0);
	sys_end();
	sys(3, SYS_lseek, fd, 0, SEEK_SET);
	sys(3, SYS_read, fd, -4096L, 10); /* EFAULT */
	sys(3, SYS_write, fd, -4096L, 10); /* EFAULT */
	finish();
}

/* Memory that nobody has touched yet; strings that end where memory ends. The record is written with what there is. */
static void edges(void)
{
	int fd = file(), null = open("/dev/null", O_WRONLY), zero = open("/dev/zero", O_RDONLY);
	char *fresh = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *last = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static const char zeros[4096];

	munmap(last + 4096, 4096);
	memcpy(last + 4000, data, 96);
	begin();
	/* /dev/null does not look at the data: at the call's end it may not be there */
	begin_sys(3, SYS_write, null, fresh, 100);
	ex("GIO %d w * *\n", null);
	sys_end();
	begin_sys(3, SYS_read, zero, fresh + 4096, 4096);
	gio(zero, 0, zeros, 4096);
	sys_end();
	begin_sys(3, SYS_write, fd, last + 4000, 96);
	gio(fd, 1, data, 96);
	sys_end();
	/* half of it exists: the kernel writes that half, and so do we */
	begin_sys(3, SYS_write, fd, last + 4000, 200);
	gio(fd, 1, data, expect_ret);
	sys_end();
	sys(3, SYS_lseek, fd, 0, SEEK_SET);
	begin_sys(3, SYS_read, fd, last + 4090, 50);
	gio(fd, 0, data, expect_ret);
	sys_end();
	finish();
}

/* Vectors: empty elements, many of them, short counts that end within one. */
static void vectors(void)
{
	int fd = file();
	struct iovec iov[1024];
	size_t at = 0, lens[] = { 0, 1, 3, 0, 4000, 91, 1, 4096, 5000, 0 };
	long r;

	for (size_t i = 0; i < 10; i++) {
		iov[i] = (struct iovec){ data + at, lens[i] };
		at += lens[i];
	}
	begin();
	begin_sys(3, SYS_writev, fd, iov, 10);
	giov(fd, 1, iov, expect_ret);
	sys_end();
	begin_sys(5, SYS_pwritev, fd, iov, 7, VPOS(100));
	giov(fd, 1, iov, expect_ret);
	sys_end();
	begin_sys(6, SYS_pwritev2, fd, iov, 3, VPOS(0), 0);
	giov(fd, 1, iov, expect_ret);
	sys_end();
	begin_sys(6, SYS_pwritev2, fd, iov, 3, -1, -1, 0);
	giov(fd, 1, iov, expect_ret);
	sys_end();

	/* read into other memory, the elements in another order than their addresses */
	for (size_t i = 0; i < 10; i++)
		iov[i] = (struct iovec){ buf + 15000 * (9 - i), lens[9 - i] };
	sys(3, SYS_lseek, fd, 0, SEEK_SET);
	begin_sys(3, SYS_readv, fd, iov, 10);
	giov(fd, 0, iov, expect_ret);
	sys_end();
	begin_sys(5, SYS_preadv, fd, iov, 5, VPOS(3));
	giov(fd, 0, iov, expect_ret);
	sys_end();
	begin_sys(6, SYS_preadv2, fd, iov, 10, VPOS(7), 0);
	giov(fd, 0, iov, expect_ret);
	sys_end();
	/* a short count: the file ends within the second element that has a length */
	r = sys(3, SYS_lseek, fd, -4500, SEEK_END);
	(void)r;
	iov[0] = (struct iovec){ buf, 0 };
	iov[1] = (struct iovec){ buf + 10, 4400 };
	iov[2] = (struct iovec){ buf + 10000, 5000 };
	iov[3] = (struct iovec){ (void *)16, 5000 }; /* never touched */
	begin_sys(3, SYS_readv, fd, iov, 4);
	giov(fd, 0, iov, expect_ret);
	sys_end();
	/* as many elements as there may be, one byte each */
	for (size_t i = 0; i < 1024; i++)
		iov[i] = (struct iovec){ data + 2 * i, 1 };
	begin_sys(3, SYS_writev, fd, iov, 1024);
	giov(fd, 1, iov, expect_ret);
	sys_end();
	begin_sys(3, SYS_writev, fd, iov, 0);
	gio(fd, 1, data, 0);
	sys_end();
	sys(3, SYS_writev, fd, iov, 1025); /* EINVAL */
	sys(3, SYS_readv, fd, 16, 3); /* EFAULT */
	finish();
}

/* Messages: several elements, truncation, several messages at once. */
static void sockets(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	socklen_t len = sizeof(in);
	struct iovec iov[3], in_iov[3];
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 3 };
	struct mmsghdr mmsg[4] = { 0 };
	struct iovec miov[4][2];
	int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0), s[2];
	long r;

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(a, (void *)&in, len) || getsockname(a, (void *)&in, &len) ||
	    connect(b, (void *)&in, len) || socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		die("sockets");
	begin();

	/* sendto, recvfrom */
	begin_sys(6, SYS_sendto, b, data, 100, 0, 0, 0);
	gio(b, 1, data, 100);
	sys_end();
	begin_sys(6, SYS_recvfrom, a, buf, 1000, 0, 0, 0);
	gio(a, 0, data, 100);
	sys_end();
	begin_sys(6, SYS_sendto, b, data, 0, 0, 0, 0);
	gio(b, 1, data, 0);
	sys_end();
	begin_sys(6, SYS_recvfrom, a, buf, 1000, 0, 0, 0);
	gio(a, 0, data, 0);
	sys_end();
	/* 100 bytes into 10: cut; with MSG_TRUNC the result is 100, and still 10 bytes were moved */
	begin_sys(6, SYS_sendto, b, data, 100, 0, 0, 0);
	gio(b, 1, data, 100);
	sys_end();
	begin_sys(6, SYS_recvfrom, a, buf, 10, MSG_PEEK, 0, 0);
	gio(a, 0, data, 10);
	sys_end();
	begin_sys(6, SYS_recvfrom, a, buf, 10, MSG_TRUNC, 0, 0);
	gio(a, 0, data, 10);
	if (sys_end() != 100)
		die("MSG_TRUNC");
	/* a datagram as large as genio_size and more */
	begin_sys(6, SYS_sendto, b, data, 60000, 0, 0, 0);
	gio(b, 1, data, 60000);
	sys_end();
	begin_sys(6, SYS_recvfrom, a, buf, 65000, 0, 0, 0);
	gio(a, 0, data, 60000);
	sys_end();
	sys(6, SYS_recvfrom, a, buf, 100, MSG_DONTWAIT, 0, 0); /* EAGAIN */

	/* sendmsg, recvmsg */
	iov[0] = (struct iovec){ data, 10 };
	iov[1] = (struct iovec){ data + 5000, 0 };
	iov[2] = (struct iovec){ data + 7000, 90 };
	begin_sys(3, SYS_sendmsg, b, &msg, 0);
	giov(b, 1, iov, 100);
	sys_end();
	in_iov[0] = (struct iovec){ buf + 5000, 7 };
	in_iov[1] = (struct iovec){ buf, 20 };
	in_iov[2] = (struct iovec){ buf + 10000, 30 };
	msg.msg_iov = in_iov;
	begin_sys(3, SYS_recvmsg, a, &msg, MSG_TRUNC);
	giov(a, 0, in_iov, 57);
	if (sys_end() != 100)
		die("MSG_TRUNC of recvmsg");
	msg.msg_iov = iov;
	begin_sys(3, SYS_sendmsg, s[0], &msg, 0);
	giov(s[0], 1, iov, 100);
	sys_end();
	msg.msg_iov = in_iov;
	in_iov[2].iov_len = 3000;
	begin_sys(3, SYS_recvmsg, s[1], &msg, 0);
	giov(s[1], 0, in_iov, 100);
	sys_end();

	/* sendmmsg, recvmmsg: one record a message */
	for (int i = 0; i < 4; i++) {
		miov[i][0] = (struct iovec){ data + 1000 * i, 10 + i };
		miov[i][1] = (struct iovec){ data + 50000 + i, 5000 };
		mmsg[i].msg_hdr.msg_iov = miov[i];
		mmsg[i].msg_hdr.msg_iovlen = 2;
	}
	r = begin_sys(4, SYS_sendmmsg, b, mmsg, 4, 0);
	for (int i = 0; i < r; i++)
		giov(b, 1, miov[i], mmsg[i].msg_len);
	sys_end();
	for (int i = 0; i < 4; i++) {
		miov[i][0] = (struct iovec){ buf + 20000 * i, 3000 };
		miov[i][1] = (struct iovec){ buf + 20000 * i + 4000, 1000 * i };
	}
	r = begin_sys(5, SYS_recvmmsg, a, mmsg, 4, 0, 0);
	for (int i = 0; i < r; i++)
		giov(a, 0, miov[i], mmsg[i].msg_len);
	if (sys_end() != 4)
		die("recvmmsg");
	sys(5, SYS_recvmmsg, a, mmsg, 4, MSG_DONTWAIT, 0); /* EAGAIN */

	/* read and write know sockets too */
	begin_sys(3, SYS_write, s[0], data, 300);
	gio(s[0], 1, data, 300);
	sys_end();
	begin_sys(3, SYS_read, s[1], buf, 1000);
	gio(s[1], 0, data, 300);
	sys_end();
	finish();
}

/* Folders and message queues. */
static void others(void)
{
	int fd;
	struct mq_attr attr = { .mq_maxmsg = 4, .mq_msgsize = 8000 };
	mqd_t mq;

	for (int i = 0; i < 40; i++) {
		char name[32];

		snprintf(name, sizeof(name), "a-file-with-number-%d", i);
		close(open(name, O_CREAT | O_WRONLY, 0600));
	}
	fd = open(".", O_RDONLY | O_DIRECTORY);
	mq_unlink("/ktrace-test");
	mq = mq_open("/ktrace-test", O_RDWR | O_CREAT, 0600, &attr);
	if (fd < 0 || mq < 0)
		die("setup");
	begin();
	while (begin_sys(3, SYS_getdents64, fd, buf, 700) > 0) {
		gio(fd, 0, buf, expect_ret);
		sys_end();
	}
	gio(fd, 0, buf, 0);
	sys_end();
	sys(3, SYS_lseek, fd, 0, SEEK_SET);
	begin_sys(3, SYS_getdents64, fd, buf, 65536);
	gio(fd, 0, buf, expect_ret);
	sys_end();

	for (size_t n = 0; n < 8001; n += 4000) {
		begin_sys(5, SYS_mq_timedsend, mq, data, n, 3, 0);
		gio(mq, 1, data, n);
		sys_end();
	}
	for (int n = 0; n < 3; n++) {
		begin_sys(5, SYS_mq_timedreceive, mq, buf, 8192, 0, 0);
		gio(mq, 0, buf, expect_ret);
		sys_end();
	}
	sys(5, SYS_mq_timedreceive, mq, buf, 10, 0, 0); /* EMSGSIZE */

	finish();
}

/* No payload passes through the process: CALL and RET only. */
static void copies(void)
{
	int fd, out, ends[2];

	fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	out = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (pipe(ends) || write(fd, data, 1000) != 1000 || fd < 0 || out < 0)
		die("setup");
	begin();
	sys(3, SYS_lseek, fd, 0, SEEK_SET);
	sys(4, SYS_sendfile, out, fd, 0, 500);
	sys(6, SYS_copy_file_range, fd, 0, out, 0, 100, 0);
	sys(6, SYS_splice, fd, 0, ends[1], 0, 100, 0);
	sys(6, SYS_splice, ends[0], 0, out, 0, 100, 0);
	finish();
}

#ifdef __i386__
/* The old way to call sendto() and its like. */
static void socketcall(void)
{
	struct iovec iov = { data, 50 }, in_iov = { buf, 80 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 },
		      in_msg = { .msg_iov = &in_iov, .msg_iovlen = 1 };
	unsigned long args[6];
	int s[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		die("socketpair");
	begin();
#define CALL(nr, ...)                                                   \
	(memcpy(args, (unsigned long[6]){ __VA_ARGS__ }, sizeof(args)), \
	 begin_sys(2, SYS_socketcall, nr, args))
	CALL(9, s[0], (long)data, 100, 0); /* send */
	gio(s[0], 1, data, 100);
	sys_end();
	CALL(10, s[1], (long)buf, 1000, 0); /* recv */
	gio(s[1], 0, data, 100);
	sys_end();
	CALL(11, s[0], (long)data, 30, 0, 0, 0); /* sendto */
	gio(s[0], 1, data, 30);
	sys_end();
	CALL(12, s[1], (long)buf, 1000, 0, 0, 0); /* recvfrom */
	gio(s[1], 0, data, 30);
	sys_end();
	CALL(16, s[0], (long)&msg, 0); /* sendmsg */
	giov(s[0], 1, &iov, 50);
	sys_end();
	CALL(17, s[1], (long)&in_msg, 0); /* recvmsg */
	giov(s[1], 0, &in_iov, 50);
	sys_end();
	finish();
}
#endif

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (argc > 2)
		genio_size = atol(argv[2]);
	fill();
	if (!strcmp(mode, "plain"))
		plain();
	else if (!strcmp(mode, "edges"))
		edges();
	else if (!strcmp(mode, "vectors"))
		vectors();
	else if (!strcmp(mode, "sockets"))
		sockets();
	else if (!strcmp(mode, "others"))
		others();
	else if (!strcmp(mode, "copies"))
		copies();
#ifdef __i386__
	else if (!strcmp(mode, "socketcall"))
		socketcall();
#endif
	else
		return 97;
	return 0;
}
