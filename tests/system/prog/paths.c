// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* paths MODE: lookups by calls of every kind, in the current folder, which must be empty. Runs as root. */
#include "expect.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <sys/acct.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/quota.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#ifdef __LP64__
#define STAT	SYS_stat
#define STATAT	SYS_newfstatat
#define CHOWNAT SYS_fchownat
#define UMOUNT	SYS_umount2
#else
#define STAT	SYS_stat64
#define STATAT	SYS_fstatat64
#define CHOWNAT SYS_fchownat
#define UMOUNT	SYS_umount2
#endif

#define sys_two(from, to, narg, nr, ...) \
	(begin_sys(narg, nr, __VA_ARGS__), nami(from), nami(to), sys_end())
#define sys_fd(path, narg, nr, ...)                               \
	do {                                                      \
		long fd_ = sys_nami(path, narg, nr, __VA_ARGS__); \
                                                                  \
		if (fd_ >= 0)                                     \
			sys(1, SYS_close, fd_);                   \
	} while (0)

static char buf[8192];
static int dir, file, sock;

static void touch(const char *name)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0644);

	if (fd < 0 || close(fd))
		die(name);
}

static void setup(void)
{
	if (mkdir("dir", 0755) || mkdir("dir/sub", 0755) || symlink("dir", "link") ||
	    symlink("inner", "dir/to-inner") || symlink("b", "a") || symlink("a", "b") ||
	    symlink("nothing", "dangling"))
		die("setup");
	touch("file");
	touch("dir/inner");
	dir = open("dir", O_RDONLY | O_DIRECTORY);
	file = open("file", O_RDWR);
	sock = socket(AF_UNIX, SOCK_DGRAM, 0);
	memset(buf, 0, sizeof(buf)); /* the kernel fills it: it should be there */
}

/* Folders that are none, by every call that takes one: the path is looked up all the same. */
static void bad_folders(int bad)
{
	struct timespec times[2] = { { 0, UTIME_NOW }, { 0, UTIME_OMIT } };
	uint64_t how[3] = { O_RDONLY };

	sys_nami("x", 4, SYS_openat, bad, "x", O_RDONLY, 0);
	sys_nami("x", 4, SYS_openat2, bad, "x", how, sizeof(how));
	sys_nami("x", 4, STATAT, bad, "x", buf, 0);
	sys_nami("x", 5, SYS_statx, bad, "x", 0, 0xfff, buf);
	sys_nami("x", 3, SYS_faccessat, bad, "x", R_OK);
	sys_nami("x", 4, SYS_faccessat2, bad, "x", R_OK, AT_SYMLINK_NOFOLLOW);
	sys_nami("x", 3, SYS_fchmodat, bad, "x", 0600);
	sys_nami("x", 5, CHOWNAT, bad, "x", -1, -1, 0);
	sys_nami("x", 4, SYS_utimensat, bad, "x", times, 0);
	sys_nami("x", 4, SYS_readlinkat, bad, "x", buf, 100);
	sys_nami("x", 3, SYS_mkdirat, bad, "x", 0700);
	sys_nami("x", 4, SYS_mknodat, bad, "x", S_IFIFO | 0600, 0);
	sys_nami("x", 3, SYS_unlinkat, bad, "x", 0);
	sys_nami("x", 3, SYS_unlinkat, bad, "x", AT_REMOVEDIR);
	sys_nami("x", 3, SYS_symlinkat, "target", bad, "x");
	sys_nami("x", 5, SYS_execveat, bad, "x", 0, 0, 0);
	sys_nami("x", 3, 428, bad, "x", 0); /* open_tree */
	sys_nami("x", 5, SYS_name_to_handle_at, bad, "x", buf, buf + 4096, 0);
	/* of two, the second is not looked up when the first leads nowhere */
	sys_nami("x", 5, SYS_linkat, bad, "x", AT_FDCWD, "y", 0);
	sys_two("file", "y", 5, SYS_linkat, AT_FDCWD, "file", bad, "y", 0);
	sys_nami("x", 4, SYS_renameat, bad, "x", AT_FDCWD, "y");
	sys_two("file", "y", 4, SYS_renameat, AT_FDCWD, "file", bad, "y");
	sys_two("file", "y", 5, SYS_renameat2, AT_FDCWD, "file", bad, "y", 0);
	/* an absolute path does not need a folder */
	sys_nami("/etc/passwd", 3, SYS_faccessat, bad, "/etc/passwd", R_OK);
}

/* Paths that end in odd ways, and errors on the way. */
static void ends(void)
{
	sys_fd("dir/", 3, SYS_open, "dir/", O_RDONLY, 0);
	sys_nami("file/", 3, SYS_open, "file/", O_RDONLY, 0); /* ENOTDIR */
	sys_nami("new/", 3, SYS_open, "new/", O_RDWR | O_CREAT, 0600); /* EISDIR */
	sys_fd("//dir///inner" + 2, 3, SYS_open, "dir///inner", O_RDONLY, 0);
	sys_fd("/", 3, SYS_open, "/", O_RDONLY, 0);
	sys_fd("///", 3, SYS_open, "///", O_RDONLY, 0);
	sys_fd(".", 3, SYS_open, ".", O_RDONLY, 0);
	sys_fd("dir/..", 3, SYS_open, "dir/..", O_RDONLY, 0);
	sys_fd("link/to-inner", 3, SYS_open, "link/to-inner", O_RDONLY, 0);
	sys_nami("link", 3, SYS_open, "link", O_RDONLY | O_NOFOLLOW, 0); /* ELOOP */
	sys_nami("a", 3, SYS_open, "a", O_RDONLY, 0); /* ELOOP */
	sys_nami("a/x", 3, SYS_open, "a/x", O_RDONLY, 0);
	sys_nami("dangling", 3, SYS_open, "dangling", O_RDONLY, 0); /* ENOENT */
	sys_nami("dangling", 3, SYS_open, "dangling", O_RDWR | O_CREAT | O_EXCL, 0600); /* EEXIST */
	sys_nami("file", 3, SYS_open, "file", O_RDWR | O_CREAT | O_EXCL, 0600); /* EEXIST */
	sys_fd("dangling", 3, SYS_open, "dangling", O_RDWR | O_CREAT, 0600);
	sys_nami("nothing", 1, SYS_unlink, "nothing"); /* which that has made */
	sys_nami("file/x", 2, SYS_access, "file/x", R_OK); /* ENOTDIR */
	sys_nami("no/file", 2, SYS_access, "no/file", R_OK); /* ENOENT */
	sys_nami("dir", 1, SYS_unlink, "dir"); /* EISDIR */
	sys_nami("dir/.", 1, SYS_rmdir, "dir/."); /* EINVAL */
	sys_nami("dir/..", 1, SYS_rmdir, "dir/.."); /* ENOTEMPTY */
	sys_nami("dir", 1, SYS_rmdir, "dir"); /* ENOTEMPTY */
	sys_two("file", "dir/", 2, SYS_rename, "file", "dir/");
	sys_two("dir", "dir/sub/x", 2, SYS_rename, "dir", "dir/sub/x"); /* EINVAL */
	sys_two(".", "x", 2, SYS_rename, ".", "x"); /* EBUSY */
	sys_two("dir", "hard", 2, SYS_link, "dir", "hard"); /* EPERM */
	sys_two("link", "hard", 5, SYS_linkat, AT_FDCWD, "link", AT_FDCWD, "hard", 0);
	sys_nami("hard", 1, SYS_unlink, "hard");
	sys(2, SYS_link, "", "x"); /* ENOENT: no path */
	sys_nami("file", 2, SYS_link, "file", 16); /* EFAULT: found out at its turn */
	sys(2, SYS_rename, 16, "x");
	sys(2, SYS_symlink, "", "x");
	sys(2, SYS_symlink, 16, "x");
	sys(2, SYS_symlink, "target", 16);
	sys(1, SYS_chdir, 0);
	sys(2, SYS_mkdir, "", 0);
}

/* A name of every byte, and names as long as may be. */
static void bytes(void)
{
	static char name[300];

	for (int from = 1; from < 256; from += 100) {
		int n = 0;

		for (int c = from; c < from + 100 && c < 256; c++)
			name[n++] = c;
		name[n] = 0;
		/* as lines are compared: no byte of these ends one; the longest is compared by its sum */
		if (from > 1)
			sys_nami(name, 2, SYS_access, name, R_OK);
	}
	memset(name, 0, sizeof(name));
	for (int c = 1; c < 256; c++)
		name[c - 1] = c;
	sys_nami(name, 2, SYS_access, name, R_OK);
	memset(name, 'n', 255);
	sys_nami(name, 2, SYS_access, name, R_OK);
	memset(name, 'n', 256);
	sys_nami(name, 2, SYS_access, name, R_OK); /* ENAMETOOLONG: looked up, and refused */
}

/* Attributes, handles, and others that take one path. */
static void others(void)
{
	struct {
		unsigned bytes;
		int type;
		char data[128];
	} handle = { .bytes = 128 };
	uint64_t how[3] = { O_RDONLY, 0, 0x20 /* RESOLVE_CACHED */ };
	int mount_id = 0, fd;
	char *p = buf;

	sys_nami("file", 5, SYS_setxattr, "file", "trusted.x", "y", 1, 0);
	sys_nami("link", 5, SYS_lsetxattr, "link", "trusted.x", "y", 1, 0);
	sys_nami("file", 4, SYS_getxattr, "file", "trusted.x", p, 10);
	sys_nami("link", 4, SYS_lgetxattr, "link", "trusted.x", p, 10);
	sys_nami("file", 3, SYS_listxattr, "file", p, 100);
	sys_nami("link", 3, SYS_llistxattr, "link", p, 100);
	sys_nami("file", 2, SYS_removexattr, "file", "trusted.x");
	sys_nami("link", 2, SYS_lremovexattr, "link", "trusted.x");
	sys(4, SYS_fgetxattr, file, "trusted.x", p, 10);
	sys_nami("file", 3, SYS_chown, "file", 0, 0);
	sys_nami("link", 3, SYS_lchown, "link", 0, 0);
	sys_nami("file", 2, SYS_utimes, "file", 0);
	sys_nami("file", 3, SYS_futimesat, AT_FDCWD, "file", 0);
	sys(3, SYS_futimesat, file, 0, 0);
	sys(4, SYS_utimensat, file, 0, 0, 0);
	sys_nami("file", 2, SYS_truncate, "file", 7);
	sys_nami("dir", 2, SYS_truncate, "dir", 7); /* EISDIR */
	sys_nami("link/inner", 5, SYS_name_to_handle_at, AT_FDCWD, "link/inner", &handle, &mount_id,
		 AT_SYMLINK_FOLLOW);
	/* that has no path: the kernel looks up an empty one */
	fd = begin_sys(3, SYS_open_by_handle_at, dir, &handle, O_RDONLY);
	if (fd >= 0)
		nami("");
	sys_end();
	sys_nami("file", 4, SYS_openat2, AT_FDCWD, "file", how, sizeof(how));
	fd = sys(1, SYS_inotify_init1, 0);
	sys_nami("dir", 3, SYS_inotify_add_watch, fd, "dir", IN_CREATE);
	sys_nami("no", 3, SYS_inotify_add_watch, fd, "no", IN_CREATE);
	sys(1, SYS_close, fd);
#ifdef __x86_64__
	fd = sys(2, SYS_fanotify_init, FAN_CLASS_NOTIF, O_RDONLY);
	sys_nami("file", 5, SYS_fanotify_mark, fd, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, "file");
	sys_nami("inner", 5, SYS_fanotify_mark, fd, FAN_MARK_ADD, FAN_OPEN, dir, "inner");
	sys(5, SYS_fanotify_mark, fd, FAN_MARK_ADD, FAN_OPEN, dir, 0);
	sys_nami("x", 5, SYS_fanotify_mark, fd, FAN_MARK_ADD, FAN_OPEN, 99, "x");
	sys(1, SYS_close, fd);
#endif
#ifdef __i386__
	sys_nami("file", 1, SYS_uselib, "file"); /* EACCES */
#endif
	/* queues have names, but no paths */
	fd = sys(4, SYS_mq_open, "ktrace-paths", O_RDWR | O_CREAT, 0600, 0);
	sys(1, SYS_close, fd);
	sys(1, SYS_mq_unlink, "ktrace-paths");
	sys(2, SYS_memfd_create, "name", 0);
}

/* Empty paths that mean the descriptor, where that is asked for. */
static void empty(void)
{
	begin_sys(5, SYS_statx, file, "", AT_EMPTY_PATH, 0xfff, buf);
	ex("?NAMI 0 \n"); /* newer kernels see that this is fstat() */
	sys_end();
	sys(5, SYS_statx, file, "", 0, 0xfff, buf);
	/* Newer kernels look this up without a name. */
	sys_nami("", 5, SYS_statx, AT_FDCWD, "", AT_EMPTY_PATH, 0xfff, buf);
	sys_nami("", 5, CHOWNAT, file, "", -1, -1, AT_EMPTY_PATH);
	sys_nami("", 4, SYS_faccessat2, file, "", R_OK, AT_EMPTY_PATH);
	sys_two("", "hard", 5, SYS_linkat, file, "", AT_FDCWD, "hard", AT_EMPTY_PATH);
	sys_nami("hard", 1, SYS_unlink, "hard");
	sys_nami("", 4, SYS_readlinkat, dir, "", buf, 10); /* ENOENT: it is no link that is open */
}

static void unix_sockets(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "sock" };
	struct sockaddr_un none = { .sun_family = AF_UNIX, .sun_path = "\0abstract" };
	size_t n = offsetof(struct sockaddr_un, sun_path) + 5;
	struct iovec iov = { buf, 5 };
	struct msghdr msg = { .msg_name = &un, .msg_namelen = n, .msg_iov = &iov, .msg_iovlen = 1 };
	int s = sys(3, SYS_socket, AF_UNIX, SOCK_DGRAM, 0);

	sys_nami("sock", 3, SYS_bind, sock, &un, n);
	sys_nami("sock", 3, SYS_bind, s, &un, n); /* EADDRINUSE */
	begin_sys(6, SYS_sendto, s, buf, 5, 0, &un, n);
	nami("sock");
	gio(s, 1, buf, 5);
	sys_end();
	begin_sys(3, SYS_sendmsg, s, &msg, 0);
	nami("sock");
	gio(s, 1, buf, 5);
	sys_end();
	sys_nami("sock", 3, SYS_connect, s, &un, n);
	sys(3, SYS_connect, s, &none, 12);
	sys(6, SYS_sendto, s, buf, 5, 0, &none, 12);
	sys(3, SYS_bind, s, &un, 2); /* a name of the kernel's own */
	strcpy(un.sun_path, "sack");
	sys_nami("sack", 3, SYS_connect, s, &un, n); /* ENOENT */
	sys_nami("sack", 6, SYS_sendto, s, buf, 5, 0, &un, n);
	sys(1, SYS_close, s);
	sys_nami("sock", 1, SYS_unlink, "sock");
}

static void plain(void)
{
	setup();
	begin();
	bad_folders(99);
	bad_folders(sock);
	bad_folders(file);
	ends();
	bytes();
	others();
	empty();
	unix_sockets();
	finish();
}

/* What only root may do, in a mount namespace of its own. */
static void mounts(void)
{
	uint64_t how[4] = { 8 }; /* MOUNT_ATTR_NOEXEC */
	int fs, tree;

	setup();
	mkdir("mnt", 0755);
	mkdir("mnt2", 0755);
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		die("namespace");
	begin();
	sys_nami("mnt", 5, SYS_mount, "tmpfs", "mnt", "tmpfs", 0, 0);
	sys_nami("no", 5, SYS_mount, "tmpfs", "no", "tmpfs", 0, 0);
	sys_two("mnt2", "dir", 5, SYS_mount, "dir", "mnt2", 0, MS_BIND, 0);
	sys_nami("mnt2", 5, SYS_mount, 0, "mnt2", 0, MS_REMOUNT | MS_BIND | MS_RDONLY, 0);
	sys_nami("mnt2", 2, UMOUNT, "mnt2", MNT_DETACH);
	sys_nami("dir", 2, UMOUNT, "dir", 0); /* EINVAL */
	sys_two("mnt2", "file", 5, SYS_mount, "file", "mnt2", "ext4", 0, 0); /* ENOTBLK */
	/* the newer calls */
	fs = sys(2, 430, "tmpfs", 0); /* fsopen: the name of a type */
	sys(5, 431, fs, 6, 0, 0, 0); /* fsconfig: create */
	tree = sys(3, 432, fs, 0, 0); /* fsmount */
	begin_sys(5, 429, tree, "", AT_FDCWD, "mnt2", 4); /* move_mount: empty from */
	nami("");
	nami("mnt2");
	sys_end();
	sys_fd("mnt2", 3, 428, AT_FDCWD, "mnt2", 1); /* open_tree: clone */
	sys_nami("mnt2", 3, 433, AT_FDCWD, "mnt2", 0) >= 0 ? sys(1, SYS_close, expect_ret) :
							     0; /* fspick */
	sys_two("mnt2", "mnt", 5, 429, AT_FDCWD, "mnt2", AT_FDCWD, "mnt", 0);
	sys_nami("mnt", 5, 442, AT_FDCWD, "mnt", 0, how, sizeof(how)); /* mount_setattr */
	/* swap, accounting, quota */
	sys_nami("file", 2, SYS_swapon, "file", 0); /* EINVAL */
	sys_nami("file", 1, SYS_swapoff, "file"); /* EINVAL */
	sys_nami("file", 1, SYS_acct, "file");
	sys(1, SYS_acct, 0);
	sys_nami("no", 1, SYS_acct, "no");
	sys_nami("no", 4, SYS_quotactl, QCMD(Q_GETFMT, USRQUOTA), "no", 0, buf);
	sys_nami("file", 4, SYS_quotactl, QCMD(Q_GETFMT, USRQUOTA), "file", 0, buf);
	/* other roots */
	sys_nami("dir", 1, SYS_chroot, "dir");
	sys_nami("/inner", 2, SYS_access, "/inner", R_OK);
	sys_nami("/file", 2, SYS_access, "/file", R_OK); /* ENOENT */
	sys_nami("../file", 2, SYS_access, "../file", R_OK); /* out of it: we never went in */
	sys_nami("no", 1, SYS_chroot, "no");
	sys_two("mnt", "mnt/old", 2, SYS_pivot_root, "mnt", "mnt/old"); /* ENOENT */
	finish();
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "plain"))
		plain();
	else if (!strcmp(mode, "mounts"))
		mounts();
	else
		return 97;
	return 0;
}
