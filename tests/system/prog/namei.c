// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* namei: one call for each way to look up a path, in the current folder, which must be empty. */
#include "expect.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#ifdef __LP64__
#define STAT   SYS_stat
#define LSTAT  SYS_lstat
#define STATAT SYS_newfstatat
#define CHOWN  SYS_chown
#define LCHOWN SYS_lchown
#else
#define STAT   SYS_stat64
#define LSTAT  SYS_lstat64
#define STATAT SYS_fstatat64
#define CHOWN  SYS_chown32
#define LCHOWN SYS_lchown32
#endif

static char longest[5000];

/* A path of n bytes that leads to "file". */
static char *path_of(size_t n)
{
	size_t i = n % 2;

	memset(longest, 0, sizeof(longest));
	longest[0] = '.';
	if (i)
		memcpy(longest, ".//", 3);
	else
		memcpy(longest, "./", 2);
	for (i = strlen(longest); i + 4 < n; i += 2)
		memcpy(longest + i, "./", 2);
	memcpy(longest + i, "file", 5);
	return longest;
}

static void two(const char *from, const char *to, int narg, long nr, long a, long b, long c, long d,
		long e)
{
	sys_begin(narg, nr, a, b, c, d, e, 0);
	nami(from);
	nami(to);
	sys_end();
}

static void unix_socket(const char *path, int fd, long nr)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	size_t n = offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1;

	strcpy(un.sun_path, path);
	sys_nami(path, 3, nr, fd, &un, n);
}

int main(void)
{
	static char buf[4096];
	struct sockaddr_un abstract = { .sun_family = AF_UNIX, .sun_path = "\0not a path" };
	struct {
		uint64_t flags, mode, resolve;
	} how = { .flags = O_RDONLY };
	struct {
		unsigned bytes;
		int type;
		char data[128];
	} handle = { .bytes = 128 };
	int mount_id, dir, fd, sock, sock2;
	char *p;

	mkdir("dir", 0755);
	mkdir("dir/sub", 0755);
	dir = open("dir", O_RDONLY | O_DIRECTORY);
	close(open("dir/inner", O_WRONLY | O_CREAT, 0644));
	sock = socket(AF_UNIX, SOCK_STREAM, 0);
	sock2 = socket(AF_UNIX, SOCK_STREAM, 0);
	if (dir < 0 || sock < 0 || sock2 < 0)
		die("setup");
	memset(buf, 0, sizeof(buf));
	begin();

	/* open, and what goes wrong with it */
	fd = sys_nami("file", 3, SYS_open, "file", O_RDWR | O_CREAT | O_EXCL, 0644);
	sys(1, SYS_close, fd);
	sys_nami("file", 3, SYS_open, "file", O_RDWR | O_CREAT | O_EXCL, 0644);
	fd = sys_nami("./file", 4, SYS_openat, AT_FDCWD, "./file", O_RDONLY, 0);
	sys(1, SYS_close, fd);
	fd = sys_nami("inner", 4, SYS_openat, dir, "inner", O_RDONLY, 0);
	sys(1, SYS_close, fd);
	fd = sys_nami("sub", 4, SYS_openat, dir, "sub", O_PATH, 0);
	sys(1, SYS_close, fd);
	fd = sys_nami("/etc/passwd", 4, SYS_openat, 99, "/etc/passwd", O_RDONLY, 0);
	sys(1, SYS_close, fd);
	fd = sys_nami("inner", 4, SYS_openat2, dir, "inner", &how, sizeof(how));
	sys(1, SYS_close, fd);
	how.resolve = 8; /* RESOLVE_BENEATH */
	sys_nami("/etc/passwd", 4, SYS_openat2, dir, "/etc/passwd", &how, sizeof(how));
	sys_nami("nothing", 3, SYS_open, "nothing", O_RDONLY, 0);
	sys_nami("file/x", 3, SYS_open, "file/x", O_RDONLY, 0); /* ENOTDIR */
	sys_nami("x", 4, SYS_openat, 99, "x", O_RDONLY, 0); /* EBADF */
	sys_nami("x", 4, SYS_openat, sock, "x", O_RDONLY, 0); /* ENOTDIR */
	sys_nami("two words\t\x01\xff", 3, SYS_open, "two words\t\x01\xff", O_RDONLY, 0);
	sys(3, SYS_open, "", O_RDONLY, 0); /* no path, no lookup */
	sys(3, SYS_open, 0, O_RDONLY, 0); /* EFAULT */
	sys(3, SYS_open, 16, O_RDONLY, 0);
	fd = sys_nami(".", 3, SYS_open, ".", O_TMPFILE | O_RDWR, 0600);
	sys(1, SYS_close, fd);
	fd = sys_nami("made", 2, SYS_creat, "made", 0600);
	sys(1, SYS_close, fd);

	/* long ones */
	p = path_of(4094);
	sys_nami(p, 2, SYS_access, p, R_OK);
	p = path_of(4095);
	sys_nami(p, 2, SYS_access, p, R_OK);
	p = path_of(4096);
	sys(2, SYS_access, p, R_OK); /* ENAMETOOLONG */
	memset(longest, 'n', 300);
	longest[300] = 0;
	sys_nami(longest, 2, SYS_access, longest, R_OK); /* ENAMETOOLONG: a component */

	/* one path */
	sys_nami("file", 2, STAT, "file", buf);
	sys_nami("nothing", 2, STAT, "nothing", buf);
	sys_nami("file", 2, LSTAT, "file", buf);
	sys_nami("inner", 4, STATAT, dir, "inner", buf, 0);
	begin_sys(4, STATAT, dir, "", buf, AT_EMPTY_PATH);
	ex("?NAMI 0 \n"); /* newer kernels see that this is fstat() */
	sys_end();
	sys_nami("inner", 5, SYS_statx, dir, "inner", 0, 0xfff, buf);
	sys_nami("file", 2, SYS_access, "file", W_OK);
	sys_nami("inner", 3, SYS_faccessat, dir, "inner", R_OK);
	sys_nami("file", 2, SYS_chmod, "file", 0600);
	sys_nami("inner", 3, SYS_fchmodat, dir, "inner", 0600);
	sys_nami("file", 3, CHOWN, "file", -1, -1);
	sys_nami("file", 3, LCHOWN, "file", -1, -1);
	sys_nami("inner", 5, SYS_fchownat, dir, "inner", -1, -1, 0);
	sys_nami("file", 2, SYS_truncate, "file", 10);
#ifdef SYS_utime
	sys_nami("file", 2, SYS_utime, "file", 0);
#endif
	sys_nami("file", 4, SYS_utimensat, AT_FDCWD, "file", 0, 0);
	sys_nami("file", 2, SYS_statfs, "file", buf);
	sys_nami("file", 4, SYS_getxattr, "file", "user.x", buf, 10);
	sys_nami("file", 5, SYS_name_to_handle_at, AT_FDCWD, "file", &handle, &mount_id, 0);
	fd = sys(1, SYS_inotify_init1, 0);
	sys_nami("dir", 3, SYS_inotify_add_watch, fd, "dir", IN_CREATE);
	sys(1, SYS_close, fd);

	/* two paths, in order */
	two("file", "hard", 2, SYS_link, (long)"file", (long)"hard", 0, 0, 0);
	two("nothing", "hard2", 2, SYS_link, (long)"nothing", (long)"hard2", 0, 0, 0);
	/* the first path does not lead anywhere: whether the second is looked up is the kernel's choice */
	{
		char *last = strstr(expect_buf + expect_len - 60, "NAMI 5 hard2");

		if (last) {
			memmove(last + 1, last, strlen(last) + 1);
			*last = '?';
			expect_len++;
		}
	}
	two("inner", "hard3", 5, SYS_linkat, dir, (long)"inner", AT_FDCWD, (long)"hard3", 0);
	two("hard", "new", 2, SYS_rename, (long)"hard", (long)"new", 0, 0, 0);
	two("hard3", "sub/moved", 4, SYS_renameat, AT_FDCWD, (long)"hard3", dir, (long)"sub/moved",
	    0);
	two("new", "file", 5, SYS_renameat2, AT_FDCWD, (long)"new", AT_FDCWD, (long)"file",
	    1); /* EEXIST */

	/* symbolic links: the text of a link is no path that is looked up, the link itself is */
	sys_nami("link", 2, SYS_symlink, "dir/inner", "link");
	sys_nami("link2", 3, SYS_symlinkat, "/proc/self", AT_FDCWD, "link2");
	sys_nami("loop", 2, SYS_symlink, "loop", "loop");
	sys_nami("link", 2, STAT, "link", buf);
	sys_nami("link2/status", 2, STAT, "link2/status", buf);
	sys_nami("loop", 2, STAT, "loop", buf); /* ELOOP */
	sys_nami("link", 3, SYS_readlink, "link", buf, 100);
	sys_nami("link2", 4, SYS_readlinkat, AT_FDCWD, "link2", buf, 100);

	/* folders */
	sys_nami("folder", 2, SYS_mkdir, "folder", 0700);
	sys_nami("folder", 2, SYS_mkdir, "folder", 0700); /* EEXIST */
	sys_nami("f2/", 3, SYS_mkdirat, dir, "f2/", 0700);
	sys_nami("fifo", 3, SYS_mknod, "fifo", S_IFIFO | 0600, 0);
	sys_nami("fifo2", 4, SYS_mknodat, dir, "fifo2", S_IFIFO | 0600, 0);
	sys_nami("folder", 1, SYS_chdir, "folder");
	sys_nami("..", 1, SYS_chdir, "..");
	sys_nami("file", 1, SYS_chdir, "file"); /* ENOTDIR */
	sys(1, SYS_fchdir, 99);
	sys_nami("folder", 1, SYS_rmdir, "folder");
	sys_nami("folder", 1, SYS_rmdir, "folder"); /* ENOENT */

	/* sockets in the file system; an abstract one is none */
	unix_socket("sock", sock, SYS_bind);
	sys(2, SYS_listen, sock, 5);
	unix_socket("sock", sock2, SYS_connect);
	unix_socket("nosock", sock2, SYS_connect);
	sys(1, SYS_close, sock2);
	sock2 = sys(3, SYS_socket, AF_UNIX, SOCK_DGRAM, 0);
	sys(3, SYS_bind, sock2, &abstract, 13);

	sys_nami("sock", 1, SYS_unlink, "sock");
	sys_nami("nothing", 1, SYS_unlink, "nothing");
	sys_nami("inner", 3, SYS_unlinkat, dir, "inner", 0);
	sys_nami("f2", 3, SYS_unlinkat, dir, "f2", AT_REMOVEDIR);

	finish();
	return 0;
}
