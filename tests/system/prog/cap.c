// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * cap MODE: calls that need a capability, to be traced with -t cnp; in a folder with somebody's file "secret" (mode 600)
 * and folder "closed" (mode 700).
 *
 * "all": one of each kind, whoever it is that calls, with whatever capabilities: a check leaves a record if the
 * process lacks what it asks for. "ns": the same as root of a user namespace of its own. "count N": N times the same.
 * "access": with credentials that only access(2) uses.
 */
#include "expect.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

#ifdef __LP64__
#define SYS_map SYS_mmap
#else
#define SYS_map SYS_mmap2
#endif

static uint64_t held;
static int in_ns; /* held is of a user namespace that is not the first */
static int self_fd; /* a file */
static int allowed; /* by the last check */

static uint64_t my_caps(void)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2];

	if (syscall(SYS_capget, &h, d))
		die("capget");
	return (uint64_t)d[1].effective << 32 | d[0].effective;
}

/* A check failed: what it asked for, and what was there. */
static void lacks(int cap, uint64_t there)
{
	ex("CAP 0 %llx %llx\n", 1ULL << cap, (unsigned long long)there);
}

/* A check for something that belongs to the first user namespace. Returns whether it went well. */
static int check(int cap)
{
	if (!in_ns && held >> cap & 1)
		return 1;
	lacks(cap, held);
	return 0;
}

/* A check for something of the process's own user namespace. */
static int check_own(int cap)
{
	if (held >> cap & 1)
		return 1;
	lacks(cap, held);
	return 0;
}

/*
 * Checks that the kernel's file of checks makes itself: there the compiler may have put the function that is watched
 * into its caller, as in Debian's 6.1: ktrace(4).
 */
static int check_inside(int cap)
{
	if (!in_ns && held >> cap & 1)
		return 1;
	ex("?");
	return check(cap);
}

static int check_own_inside(int cap)
{
	if (held >> cap & 1)
		return 1;
	ex("?");
	return check_own(cap);
}

/* A call whose only obstacle is one check. */
#define needs(ask, cap, narg, nr, ...) \
	(begin_sys(narg, nr, __VA_ARGS__), allowed = ask(cap), refused(sys_end(), #nr))
#define needs_nami(path, ask, cap, narg, nr, ...) \
	(begin_sys(narg, nr, __VA_ARGS__), nami(path), allowed = ask(cap), refused(sys_end(), #nr))
/* A call that asks, and may have another way when the answer is no. */
#define asks(ask, cap, narg, nr, ...) (begin_sys(narg, nr, __VA_ARGS__), ask(cap), (void)sys_end())

static void refused(long ret, const char *what)
{
	if (!allowed && ret != -EPERM && ret != -EACCES) {
		fprintf(stderr, "%s: %ld, should be refused\n", what, ret);
		exit(96);
	}
	if (allowed && ret == -EPERM) {
		fprintf(stderr, "%s: refused, should be allowed\n", what);
		exit(96);
	}
}

static long open_secret(int flags)
{
	begin_sys(4, SYS_openat, AT_FDCWD, "secret", flags, 0);
	nami("secret");
	allowed = flags == O_RDONLY && check_own(CAP_DAC_READ_SEARCH);
	if (!allowed)
		allowed = check_own(CAP_DAC_OVERRIDE);
	return sys_end();
}

/*
 * Somebody else's files. A user namespace that does not know him gives its root no right to them: then the question
 * is not one of capabilities.
 */
static void files(void)
{
	static const int flags[] = { O_RDONLY, O_WRONLY };
	long fd;

	for (int i = 0; i < 2; i++) {
		fd = open_secret(flags[i]);
		if (!in_ns)
			refused(fd, "open");
		if (fd >= 0)
			sys(1, SYS_close, fd);
	}
	begin_sys(4, SYS_openat, AT_FDCWD, "closed/x", O_RDONLY, 0);
	nami("closed/x");
	if (!check_own(CAP_DAC_READ_SEARCH))
		check_own(CAP_DAC_OVERRIDE);
	sys_end();
	if (!in_ns) {
		needs_nami("secret", check, CAP_CHOWN, 5, SYS_fchownat, AT_FDCWD, "secret", -1,
			   12345, 0);
		needs_nami("secret", check, CAP_FOWNER, 3, SYS_fchmodat, AT_FDCWD, "secret", 0600);
	}
	needs_nami("node", check, CAP_MKNOD, 4, SYS_mknodat, AT_FDCWD, "node", S_IFBLK | 0600, 0);
}

static void identity(void)
{
	/* Who is root already may become it without. */
	asks(check_own, CAP_SETUID, 1, SYS_setuid, 0);
	asks(check_own, CAP_SETGID, 1, SYS_setgid, 0);
	/* A namespace without privilege may not have groups at all: no question of capabilities. */
	if (!in_ns)
		needs(check_own, CAP_SETGID, 2, SYS_setgroups, 0, 0);
	needs(check, CAP_KILL, 2, SYS_kill, 1, 0);
	needs(check, CAP_SYS_NICE, 3, SYS_setpriority, PRIO_PROCESS, 0, -5);
}

static void bounds(void)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2];

	/* 63 is no capability: nothing is dropped by whoever may. */
	needs(check_own, CAP_SETPCAP, 5, SYS_prctl, PR_CAPBSET_DROP, 63, 0, 0, 0);
	needs(check_own_inside, CAP_SETPCAP, 5, SYS_prctl, PR_SET_SECUREBITS, 0, 0, 0, 0);
	/* What it has already: the check fails, the call does not. */
	if (syscall(SYS_capget, &h, d))
		die("capget");
	ex("CALL %d %lx %lx\nRET %d 0\n", (int)SYS_capget, (long)&h, (long)d, (int)SYS_capget);
	asks(check_own_inside, CAP_SETPCAP, 2, SYS_capset, &h, d);
}

static void machine(void)
{
	struct timeval tv = { 1 << 30, 0 };
	int block = 0;
	static const char host[] = "localhost";

	needs(check, CAP_SYS_ADMIN, 2, SYS_sethostname, host, sizeof(host) - 1);
	needs_nami("/mnt", check, CAP_SYS_ADMIN, 5, SYS_mount, "none", "/mnt", "nosuchfs", 0, 0);
	needs(check, CAP_SYS_BOOT, 4, SYS_reboot, 0, 0, 0, 0);
	needs_nami("/", check_own, CAP_SYS_CHROOT, 1, SYS_chroot, "/");
#ifdef SYS_iopl
	needs(check, CAP_SYS_RAWIO, 1, SYS_iopl, 3);
#endif
	needs(check, CAP_SYS_RAWIO, 3, SYS_ioctl, self_fd, FIBMAP, &block);
	if (in_ns || !(held >> CAP_SYS_TIME & 1))
		needs(check, CAP_SYS_TIME, 2, SYS_settimeofday, &tv, 0);
	/* Address 0 (how far from there on, each architecture decides): not for everybody. */
	needs(check_inside, CAP_SYS_RAWIO, 6, SYS_map, 0, 4096, PROT_READ,
	      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void others(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = htons(80) };
	struct {
		uint64_t rlim_cur, rlim_max;
	} limit;
	long s;

	needs(check, CAP_NET_RAW, 3, SYS_socket, AF_INET, SOCK_RAW, IPPROTO_ICMP);
	s = sys(3, SYS_socket, AF_INET, SOCK_STREAM, 0);
	needs(check, CAP_NET_BIND_SERVICE, 3, SYS_bind, s, &sin, sizeof(sin));
	sys(1, SYS_close, s);
	/* A hard limit that is lower than it was cannot be had back. */
	limit.rlim_cur = limit.rlim_max = 100;
	sys(4, SYS_prlimit64, 0, RLIMIT_MSGQUEUE, &limit, 0);
	limit.rlim_max = 101;
	needs(check, CAP_SYS_RESOURCE, 4, SYS_prlimit64, 0, RLIMIT_MSGQUEUE, &limit, 0);
}

/* Nobody is refused anything here: /proc/1/stat has less for some, and for that asks without audit. */
static void quiet(void)
{
	char buf[4096];
	long fd = sys_nami("/proc/1/stat", 4, SYS_openat, AT_FDCWD, "/proc/1/stat", 0, 0);

	sys(3, SYS_read, fd, buf, sizeof(buf));
	sys(1, SYS_close, fd);
	fd = sys_nami("/proc/self/stat", 4, SYS_openat, AT_FDCWD, "/proc/self/stat", 0, 0);
	sys(3, SYS_read, fd, buf, sizeof(buf));
	sys(1, SYS_close, fd);
	fd = sys(6, SYS_map, 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sys(2, SYS_munmap, fd, 4096);
	sys(1, SYS_getpgid, 1);
}

static void all(void)
{
	files();
	identity();
	bounds();
	machine();
	others();
	quiet();
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

static void enter_ns(void)
{
	char map[40], gid_map[40];

	snprintf(map, sizeof(map), "0 %d 1", (int)getuid());
	snprintf(gid_map, sizeof(gid_map), "0 %d 1", (int)getgid());
	if (unshare(CLONE_NEWUSER))
		die("unshare");
	put("/proc/self/uid_map", map);
	put("/proc/self/setgroups", "deny");
	put("/proc/self/gid_map", gid_map);
	in_ns = 1;
}

/* access() asks for the real user, who has nothing; the process itself may all. */
static void access_(void)
{
	long fd;

	if (setresuid(1000, 0, 0))
		die("setresuid");
	held = my_caps();
	begin();
	begin_sys(3, SYS_faccessat, AT_FDCWD, "secret", R_OK);
	nami("secret");
	lacks(CAP_DAC_READ_SEARCH, 0);
	lacks(CAP_DAC_OVERRIDE, 0);
	allowed = 0;
	refused(sys_end(), "access");
	fd = open_secret(O_RDONLY);
	refused(fd, "open");
	sys(1, SYS_close, fd);
	finish();
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "access")) {
		access_();
		return 0;
	}
	if (!strcmp(mode, "ns"))
		enter_ns();
	held = my_caps();
	self_fd = open("/proc/self/exe", O_RDONLY);
	if (self_fd < 0)
		die("/proc/self/exe");
	begin();
	if (!strcmp(mode, "all") || !strcmp(mode, "ns"))
		all();
	else if (!strcmp(mode, "count") && argc > 2)
		for (int i = 0; i < atoi(argv[2]); i++)
			needs(check, CAP_KILL, 2, SYS_kill, 1, 0);
	else
		return 97;
	finish();
	return 0;
}
