// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * struct_stat: every call that returns a stat structure, on files that differ in every field. What the record must
 * have is taken from the structures that the kernel gave us, as its headers declare them. Runs in an empty folder, as
 * root.
 */
#include "expect.h"

#include <asm/fcntl.h>
#include <asm/stat.h>
#include <linux/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>

#define AT_FDCWD	    -100
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_EMPTY_PATH	    0x1000

/* The record, as its format says. */
struct want {
	uint64_t dev, ino, nlink;
	uint16_t mode, pad0;
	uint32_t uid, gid, pad1;
	uint64_t rdev;
	int64_t atim[2], mtim[2], ctim[2], birthtim[2];
	int64_t size, blocks;
	uint32_t blksize, flags;
	uint64_t gen, spare[10];
};

/* What the fields of all of the kernel's structures are called. */
#define FIELDS(w, st)                                               \
	do {                                                        \
		(w).dev = (st).st_dev, (w).ino = (st).st_ino;       \
		(w).nlink = (st).st_nlink, (w).mode = (st).st_mode; \
		(w).uid = (st).st_uid, (w).gid = (st).st_gid;       \
		(w).rdev = (st).st_rdev, (w).size = (st).st_size;   \
	} while (0)
#define TIMES(w, st)                                                                 \
	do {                                                                         \
		(w).blksize = (st).st_blksize, (w).blocks = (st).st_blocks;          \
		(w).atim[0] = (long)(st).st_atime, (w).atim[1] = (st).st_atime_nsec; \
		(w).mtim[0] = (long)(st).st_mtime, (w).mtim[1] = (st).st_mtime_nsec; \
		(w).ctim[0] = (long)(st).st_ctime, (w).ctim[1] = (st).st_ctime_nsec; \
	} while (0)

static void put(const struct want *w)
{
	_Static_assert(sizeof(*w) == 224, "stat");
	if (expect_ret >= 0)
		stru("stat", w, sizeof(*w));
	sys_end();
}

static void plain(int narg, long nr, long a, long b, long c, long d, struct stat *st)
{
	struct want w = { 0 };

	memset(st, 0xee, sizeof(*st));
	begin_sys(narg, nr, a, b, c, d);
	FIELDS(w, *st);
	TIMES(w, *st);
	put(&w);
}

#ifndef __LP64__
static void large(int narg, long nr, long a, long b, long c, long d, struct stat64 *st)
{
	struct want w = { 0 };

	memset(st, 0xee, sizeof(*st));
	begin_sys(narg, nr, a, b, c, d);
	FIELDS(w, *st);
	TIMES(w, *st);
	put(&w);
}

#ifdef __i386__
static void old(long nr, long a, struct __old_kernel_stat *st)
{
	struct want w = { 0 };

	memset(st, 0xee, sizeof(*st));
	begin_sys(2, nr, a, st);
	FIELDS(w, *st);
	w.atim[0] = (long)st->st_atime, w.mtim[0] = (long)st->st_mtime,
	w.ctim[0] = (long)st->st_ctime;
	put(&w);
}
#endif
#endif

static void extended(int dir, const char *path, int flags, unsigned int mask)
{
	struct want w = { 0 };
	struct statx x;

	memset(&x, 0xee, sizeof(x));
	begin_sys(5, SYS_statx, dir, path, flags, mask, &x);
	w.dev = makedev(x.stx_dev_major, x.stx_dev_minor), w.ino = x.stx_ino, w.nlink = x.stx_nlink;
	w.mode = x.stx_mode, w.uid = x.stx_uid, w.gid = x.stx_gid;
	w.rdev = makedev(x.stx_rdev_major, x.stx_rdev_minor), w.size = x.stx_size;
	w.blocks = x.stx_blocks, w.blksize = x.stx_blksize;
	w.atim[0] = x.stx_atime.tv_sec, w.atim[1] = x.stx_atime.tv_nsec;
	w.mtim[0] = x.stx_mtime.tv_sec, w.mtim[1] = x.stx_mtime.tv_nsec;
	w.ctim[0] = x.stx_ctime.tv_sec, w.ctim[1] = x.stx_ctime.tv_nsec;
	if (x.stx_mask & STATX_BTIME)
		w.birthtim[0] = x.stx_btime.tv_sec, w.birthtim[1] = x.stx_btime.tv_nsec;
	put(&w);
}

static void file(const char *path, int fd)
{
	struct stat st;
#ifndef __LP64__
	struct stat64 st64;

	large(2, SYS_stat64, (long)path, (long)&st64, 0, 0, &st64);
	large(2, SYS_lstat64, (long)path, (long)&st64, 0, 0, &st64);
	large(2, SYS_fstat64, fd, (long)&st64, 0, 0, &st64);
	large(4, SYS_fstatat64, AT_FDCWD, (long)path, (long)&st64, AT_SYMLINK_NOFOLLOW, &st64);
#ifdef __i386__
	struct __old_kernel_stat old_st;

	old(SYS_oldstat, (long)path, &old_st);
	old(SYS_oldlstat, (long)path, &old_st);
	old(SYS_oldfstat, fd, &old_st);
#endif
#else
	plain(4, SYS_newfstatat, AT_FDCWD, (long)path, (long)&st, AT_SYMLINK_NOFOLLOW, &st);
	plain(4, SYS_newfstatat, fd, (long)"", (long)&st, AT_EMPTY_PATH, &st);
#endif
	plain(2, SYS_stat, (long)path, (long)&st, 0, 0, &st);
	plain(2, SYS_lstat, (long)path, (long)&st, 0, 0, &st);
	plain(2, SYS_fstat, fd, (long)&st, 0, 0, &st);
	extended(AT_FDCWD, path, 0, STATX_BASIC_STATS);
	extended(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME);
	extended(fd, "", AT_EMPTY_PATH, STATX_INO);
}

/* Failures leave none. */
static void failures(void)
{
	sys(2, SYS_stat, "nothing", 0);
	sys(2, SYS_stat, "file", 0);
	sys(2, SYS_stat, "file", -4096L);
	sys(2, SYS_fstat, 99, 0);
	sys(5, SYS_statx, AT_FDCWD, "file", 0, STATX_BASIC_STATS, -4096L);
#ifndef __LP64__
	sys(2, SYS_stat64, "file", 16);
#ifdef __i386__
	sys(2, SYS_oldstat, "file", 16);
#endif
#else
	sys(4, SYS_newfstatat, AT_FDCWD, "file", 16, 0);
#endif
}

int main(void)
{
	/* before 1970, and microseconds that differ */
	struct timeval times[2] = { { -1000, 123456 }, { 1600000000, 654321 } };
	static const char *const paths[] = { "file", "link", "/dev/null", "/" };
	int fds[4], fd = syscall(SYS_openat, AT_FDCWD, "file", O_RDWR | O_CREAT, 0640);

	if (fd < 0 || write(fd, "0123456789abcdef", 13) != 13 || lchown("file", 1234, 4321) ||
	    link("file", "two") || symlink("file", "link") || utimes("file", times) ||
	    syscall(SYS_mknodat, AT_FDCWD, "device", 0020600, makedev(0x123, 0x45678)))
		die("files");
	for (int i = 0; i < 4; i++)
		fds[i] = syscall(SYS_openat, AT_FDCWD, paths[i], O_RDONLY);
	begin();
	for (int i = 0; i < 4; i++)
		file(paths[i], fds[i]);
	file("device", -1);
	failures();
	finish();
	return 0;
}
