/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * arm64 has no calls that others took the place of before it came. Here those have numbers that no call has, and
 * new_call() makes of one what a C library makes of it: programs that know what they do say what they mean, once.
 */
#ifndef OLD_CALLS_H
#define OLD_CALLS_H

struct call {
	int narg;
	long nr;
	long arg[6];
};

#ifdef __aarch64__
/* <fcntl.h> and the kernel's headers, which some programs need, do not go together. */
enum {
	CWD = -100,
	NO_FOLLOW = 0x100,
	REMOVE_DIR = 0x200,
	CREATE = 01 | 0100 | 01000,
};

enum {
	SYS_open = 10000,
	SYS_creat,
	SYS_access,
	SYS_stat,
	SYS_lstat,
	SYS_chmod,
	SYS_chown,
	SYS_lchown,
	SYS_utimes,
	SYS_futimesat,
	SYS_link,
	SYS_rename,
	SYS_symlink,
	SYS_readlink,
	SYS_mkdir,
	SYS_mknod,
	SYS_rmdir,
	SYS_unlink,
	SYS_epoll_wait,
	SYS_signalfd,
};

/* Puts what it gets in the place of a call's arguments. */
static __attribute__((unused)) void become(struct call *c, int narg, long nr, long a, long b,
					   long d, long e, long f, long g)
{
	*c = (struct call){ narg, nr, { a, b, d, e, f, g } };
}

static __attribute__((unused)) void new_call(struct call *c)
{
	long a = c->arg[0], b = c->arg[1], d = c->arg[2], e = c->arg[3], cwd = CWD;

	switch (c->nr) {
	case SYS_open:
		become(c, 4, SYS_openat, cwd, a, b, d, 0, 0);
		break;
	case SYS_creat:
		become(c, 4, SYS_openat, cwd, a, CREATE, b, 0, 0);
		break;
	case SYS_access:
		become(c, 3, SYS_faccessat, cwd, a, b, 0, 0, 0);
		break;
	case SYS_stat:
		become(c, 4, SYS_newfstatat, cwd, a, b, 0, 0, 0);
		break;
	case SYS_lstat:
		become(c, 4, SYS_newfstatat, cwd, a, b, NO_FOLLOW, 0, 0);
		break;
	case SYS_chmod:
		become(c, 3, SYS_fchmodat, cwd, a, b, 0, 0, 0);
		break;
	case SYS_chown:
		become(c, 5, SYS_fchownat, cwd, a, b, d, 0, 0);
		break;
	case SYS_lchown:
		become(c, 5, SYS_fchownat, cwd, a, b, d, NO_FOLLOW, 0);
		break;
	case SYS_utimes: /* without times */
		become(c, 4, SYS_utimensat, cwd, a, b, 0, 0, 0);
		break;
	case SYS_futimesat:
		become(c, 4, SYS_utimensat, a, b, d, 0, 0, 0);
		break;
	case SYS_link:
		become(c, 5, SYS_linkat, cwd, a, cwd, b, 0, 0);
		break;
	case SYS_rename:
		become(c, 4, SYS_renameat, cwd, a, cwd, b, 0, 0);
		break;
	case SYS_symlink:
		become(c, 3, SYS_symlinkat, a, cwd, b, 0, 0, 0);
		break;
	case SYS_readlink:
		become(c, 4, SYS_readlinkat, cwd, a, b, d, 0, 0);
		break;
	case SYS_mkdir:
		become(c, 3, SYS_mkdirat, cwd, a, b, 0, 0, 0);
		break;
	case SYS_mknod:
		become(c, 4, SYS_mknodat, cwd, a, b, d, 0, 0);
		break;
	case SYS_rmdir:
		become(c, 3, SYS_unlinkat, cwd, a, REMOVE_DIR, 0, 0, 0);
		break;
	case SYS_unlink:
		become(c, 3, SYS_unlinkat, cwd, a, 0, 0, 0, 0);
		break;
	case SYS_epoll_wait:
		become(c, 6, SYS_epoll_pwait, a, b, d, e, 0, 8);
		break;
	case SYS_signalfd:
		become(c, 4, SYS_signalfd4, a, b, d, 0, 0, 0);
		break;
	}
}
#else
static __attribute__((unused)) void new_call(struct call *c)
{
	(void)c;
}
#endif

#endif /* OLD_CALLS_H */
