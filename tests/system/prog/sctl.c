// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * sctl MODE [ROOT [INTERFACE]]: reads and writes of /proc/sys, to be traced with -t cny.
 *
 * "plain": paths below ROOT, "" at first; "chroot": below /, after chroot(ROOT); "at": relative to ROOT/proc/sys;
 * "user": what fails without privilege; "many": through every call that reads or writes; "link": INTERFACE's.
 */
#include "expect.h"
#include "position.h"

#include <fcntl.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

static const char *root = "";
static char path[512];
static char buf[4096];

static void sctl(const char *name)
{
	ex("SCTL %s\n", name);
}

/* Opens ROOT/proc/sys/FILE. */
static long open_file(const char *file, int flags)
{
	snprintf(path, sizeof(path), "%s/proc/sys/%s", root, file);
	return sys_nami(path, 4, SYS_openat, AT_FDCWD, path, flags, 0);
}

static long do_read(long fd, const char *name, size_t n)
{
	begin_sys(3, SYS_read, fd, buf, n);
	sctl(name);
	return sys_end();
}

static long do_write(long fd, const char *name, const char *text)
{
	begin_sys(3, SYS_write, fd, text, strlen(text));
	sctl(name);
	return sys_end();
}

/* As cat does: until there is no more. */
static void cat(const char *file, const char *name)
{
	long fd = open_file(file, O_RDONLY);

	if (fd < 0)
		return;
	while (do_read(fd, name, sizeof(buf)) > 0)
		;
	sys(1, SYS_close, fd);
}

static void some(void)
{
	long fd;

	cat("kernel/hostname", "kernel.hostname");
	cat("kernel/random/entropy_avail", "kernel.random.entropy_avail");
	cat("net/ipv4/conf/default/forwarding", "net.ipv4.conf.default.forwarding");
	cat("fs/inotify/max_user_watches", "fs.inotify.max_user_watches");
	cat("vm/no_such_file", NULL);
	fd = open_file("kernel/domainname", O_WRONLY);
	do_write(fd, "kernel.domainname", "example.org");
	sys(1, SYS_close, fd);
}

/* Writes that the kernel refuses. */
static void refused(void)
{
	long fd = open_file("vm/swappiness", O_RDWR);

	do_write(fd, "vm.swappiness", "100000"); /* EINVAL */
	do_write(fd, "vm.swappiness", "x"); /* EINVAL */
	do_write(fd, "vm.swappiness", ""); /* nothing */
	do_read(fd, "vm.swappiness", 0);
	begin_sys(3, SYS_write, fd, 8, 4); /* EFAULT */
	sctl("vm.swappiness");
	sys_end();
	sys(3, SYS_read, fd, -1L, 1); /* EFAULT, before it comes to that */
	sys(1, SYS_close, fd);
	fd = open_file("kernel/ostype", O_RDONLY);
	sys(3, SYS_write, fd, "x", 1); /* EBADF */
	sys(1, SYS_close, fd);
}

/* What a user may do: read some, open none for writing. */
static void user(void)
{
	static const char name[] = "kernel.hostname";

	open_file("kernel/hostname", O_WRONLY); /* EACCES */
	open_file("vm/stat_refresh", O_RDONLY); /* EACCES */
	cat("kernel/hostname", name);
	cat("kernel/pid_max", "kernel.pid_max");
}

/* Opened by root, written by a user: the file is open, but the handler asks again. */
static void dropped(void)
{
	static const char name[] = "kernel.hostname";
	long fd = open_file("kernel/hostname", O_WRONLY);

	if (syscall(SYS_setresuid, 1000, 1000, 1000))
		die("setresuid");
	ex("CALL %d 3e8 3e8 3e8\nRET %d 0\n", (int)SYS_setresuid, (int)SYS_setresuid);
	do_write(fd, name, "hacked"); /* EPERM */
	sys(1, SYS_close, fd);
}

static void many(void)
{
	static const char name[] = "kernel.ostype";
	struct iovec iov[2] = { { buf, 3 }, { buf + 3, 100 } };
	int pipes[2];
	long fd;

	if (pipe(pipes))
		die("pipe");
	begin();
	fd = open_file("kernel/ostype", O_RDONLY);
	/* Byte by byte, and what is beyond the end. */
	for (int i = 0; i < 8; i++)
		do_read(fd, name, 1);
	begin_sys(PNARG, SYS_pread64, fd, buf, 4, POS(2));
	sctl(name);
	sys_end();
	sys(3, SYS_lseek, fd, 0, SEEK_SET);
	begin_sys(3, SYS_readv, fd, iov, 2);
	sctl(name);
	sys_end();
	sys(3, SYS_lseek, fd, 0, SEEK_SET);
	/* The file's data goes somewhere else: it is read all the same. */
	begin_sys(4, SYS_sendfile, pipes[1], fd, 0, 4);
	sctl(name);
	sys_end();
	/* No read of a sysctl: other files of procfs, and what only looks at it. */
	sys(2, SYS_fstat, fd, buf);
	sys(1, SYS_close, fd);
	fd = sys_nami("/proc/self/stat", 4, SYS_openat, AT_FDCWD, "/proc/self/stat", 0, 0);
	sys(3, SYS_read, fd, buf, sizeof(buf));
	sys(1, SYS_close, fd);
	fd = open_file("kernel", O_RDONLY | O_DIRECTORY);
	while (sys(3, SYS_getdents64, fd, buf, sizeof(buf)) > 0)
		;
	sys(1, SYS_close, fd);
	finish();
}

/* Relative to an open directory. */
static void at(void)
{
	char dir[256];
	long top, fd;

	snprintf(dir, sizeof(dir), "%s/proc/sys/kernel", root);
	top = sys_nami(dir, 4, SYS_openat, AT_FDCWD, dir, O_RDONLY, 0);
	fd = sys_nami("random/uuid", 4, SYS_openat, top, "random/uuid", O_RDONLY, 0);
	do_read(fd, "kernel.random.uuid", 100);
	sys(1, SYS_close, fd);
	fd = sys_nami("../vm/overcommit_ratio", 4, SYS_openat, top, "../vm/overcommit_ratio",
		      O_RDONLY, 0);
	do_read(fd, "vm.overcommit_ratio", 100);
	sys(1, SYS_close, fd);
	sys(1, SYS_close, top);
}

/* Gives the first interface of this (new) network namespace another name. */
static void rename_link(const char *to)
{
	struct ifreq ifr = { .ifr_name = "lo" };
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	snprintf(ifr.ifr_newname, sizeof(ifr.ifr_newname), "%s", to);
	if (s < 0 || ioctl(s, SIOCSIFNAME, &ifr))
		die("SIOCSIFNAME");
	close(s);
}

/* The interface's own, as sysctl(8) says it: a dot in the name is a slash. */
static void link_(const char *interface, const char *shown)
{
	char file[128], name[128];
	long fd;

	snprintf(file, sizeof(file), "net/ipv4/conf/%s/forwarding", interface);
	snprintf(name, sizeof(name), "net.ipv4.conf.%s.forwarding", shown);
	cat(file, name);
	fd = open_file(file, O_WRONLY);
	do_write(fd, name, "1\n");
	sys(1, SYS_close, fd);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (argc > 2)
		root = argv[2];
	if (!strcmp(mode, "many")) {
		many();
		return 0;
	}
	if (!strcmp(mode, "chroot")) {
		if (chroot(root) || chdir("/"))
			die("chroot");
		root = "";
	}
	if (!strcmp(mode, "link"))
		rename_link(argv[3]);
	begin();
	if (!strcmp(mode, "plain") || !strcmp(mode, "chroot"))
		some();
	else if (!strcmp(mode, "refused"))
		refused();
	else if (!strcmp(mode, "user"))
		user();
	else if (!strcmp(mode, "dropped"))
		dropped();
	else if (!strcmp(mode, "at"))
		at();
	else if (!strcmp(mode, "link") && argc > 4)
		link_(argv[3], argv[4]);
	else
		return 97;
	finish();
	return 0;
}
