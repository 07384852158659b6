# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Arguments of Linux calls: every type of argument, and the calls on files, descriptors, memory, processes, signals."""
import os

from cases import L64, LINE, case
from craft import LINUX32, LINUX_ARM32, LINUX_ARM64, PROCCTOR, SYSCALL, call, ctor, v0

DATA = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "scripts", "data")
L32 = v0(PROCCTOR, ctor(LINUX32))
ARM64, ARM32 = v0(PROCCTOR, ctor(LINUX_ARM64)), v0(PROCCTOR, ctor(LINUX_ARM32))

P, Q = 0x7f2a5c000000, 0x8049000  # pointers of 64-bit and of 32-bit processes
CWD = 2**64 - 100
M1 = 2**64 - 1
# What callers leave above an int.
JUNK = 0xdeadbeef << 32


def numbers(abi):
    with open(os.path.join(DATA, "syscalls-%s.tbl" % abi), encoding="ascii") as f:
        return {row[1]: int(row[0]) for row in (line.split() for line in f) if row[0] != "#"}


NUMBERS = {L64: numbers("x86_64"), L32: numbers("i386"), ARM64: numbers("arm64"), ARM32: numbers("arm")}


def arguments(name, rows, options="", begin=L64):
    """rows: words of a call, the text of its arguments; the call's name is what precedes the text's parenthesis."""
    data, output = begin, ""
    for words, text in rows:
        data += v0(SYSCALL, call(NUMBERS[begin][text.split("(")[0].split("[")[0]], *words))
        output += LINE + "CALL  " + text + "\n"
    case("args." + name, data, options, output)


# Types --------------------------------------------------------------------------------------------------------------

arguments("pointers-and-sizes", (
    ((3, P, 4096), "read(0x3,0x7f2a5c000000,0x1000)"),
    ((3, 0, 0), "read(0x3,0,0)"),
    ((3, M1, M1), "read(0x3,0xffffffffffffffff,0xffffffffffffffff)"),
    ((), "getpid")))
arguments("int", (
    ((P, 1, M1), "poll(0x7f2a5c000000,0x1,-1)"),
    ((P, 2, 1000), "poll(0x7f2a5c000000,0x2,0x3e8)"),
    ((P, JUNK | 2, JUNK | 0xffffffff), "poll(0x7f2a5c000000,0x2,-1)"),
    ((P, 2, 0x80000000), "poll(0x7f2a5c000000,0x2,-2147483648)"),
    ((P, M1, 0), "poll(0x7f2a5c000000,0xffffffff,0)")))
arguments("fd", (
    ((M1,), "close(-1)"), ((0xffffffff,), "close(-1)"), ((JUNK | 5,), "close(0x5)"),
    ((0x80000000,), "close(-2147483648)"),
    ((CWD,), "close(-100)"), ((JUNK | 5,), "close(0x5)"), ((JUNK | 3, JUNK | 4), "dup2(0x3,0x4)")))
arguments("atfd", (
    ((CWD, P, 0o755), "mkdirat(AT_FDCWD,0x7f2a5c000000,0755<S_IRUSR|S_IWUSR|S_IXUSR|S_IRGRP|S_IXGRP|S_IROTH|S_IXOTH>)"),
    ((0xffffff9c, P, 0), "mkdirat(AT_FDCWD,0x7f2a5c000000,0)"),
    ((JUNK | 0xffffff9c, P, 0), "mkdirat(AT_FDCWD,0x7f2a5c000000,0)"),
    ((M1, P, 0), "mkdirat(-1,0x7f2a5c000000,0)"),
    ((7, P, 0), "mkdirat(0x7,0x7f2a5c000000,0)")))
arguments("pid-uid-gid", (
    ((M1,), "getpgid(-1)"), ((JUNK | 1234,), "getpgid(1234)"), ((0,), "getpgid(0)"),
    ((1000,), "setuid(1000)"), ((JUNK | 65534,), "setgid(65534)"),
    ((M1, 0xffffffff, 1000), "setresuid(-1,-1,1000)"), ((0, M1, 5), "setresgid(0,-1,5)"),
    ((P, 1000, M1), "chown(0x7f2a5c000000,1000,-1)")))
arguments("mode", (
    ((P, 0o644), "chmod(0x7f2a5c000000,0644<S_IRUSR|S_IWUSR|S_IRGRP|S_IROTH>)"),
    ((P, 0), "chmod(0x7f2a5c000000,0)"),
    ((P, JUNK | 0o7000), "chmod(0x7f2a5c000000,07000<S_ISUID|S_ISGID|S_ISVTX>)"),
    ((P, 0o777), "mkdir(0x7f2a5c000000,0777<S_IRUSR|S_IWUSR|S_IXUSR|S_IRGRP|S_IWGRP|S_IXGRP|S_IROTH|S_IWOTH|S_IXOTH>)"),
    ((P, 0o20600, 0x501), "mknod(0x7f2a5c000000,020600<S_IRUSR|S_IWUSR|S_IFCHR>,0x501)"),
    ((P, 0o140600, 0), "mknod(0x7f2a5c000000,0140600<S_IRUSR|S_IWUSR|S_IFSOCK>,0)"),
    ((0o22,), "umask(022<S_IWGRP|S_IWOTH>)"), ((0,), "umask(0)")))
# Numbers of x86, not the file's own.
arguments("signal", (
    ((700, 0), "kill(700,0)"), ((M1, 9), "kill(-1,SIGKILL)"), ((700, 7), "kill(700,SIGBUS)"),
    ((700, 10), "kill(700,SIGUSR1)"), ((700, 12), "kill(700,SIGUSR2)"), ((700, 17), "kill(700,SIGCHLD)"),
    ((700, 16), "kill(700,SIGSTKFLT)"), ((700, 30), "kill(700,SIGPWR)"), ((700, 31), "kill(700,SIGSYS)"),
    ((700, 32), "kill(700,SIGRT0)"), ((700, 64), "kill(700,SIGRT32)"), ((700, 65), "kill(700,SIG 65)"),
    ((700, M1), "kill(700,SIG -1)"), ((700, 272), "kill(700,SIG 272)"), ((JUNK | 5, JUNK | 15), "kill(5,SIGTERM)"),
    ((700, 701, 6), "tgkill(700,701,SIGABRT)"), ((701, 2), "tkill(701,SIGINT)")))
arguments("flags", (
    ((P, 0), "access(0x7f2a5c000000,0<F_OK>)"), ((P, 7), "access(0x7f2a5c000000,0x7<X_OK|W_OK|R_OK>)"),
    ((P, 8), "access(0x7f2a5c000000,0x8<><invalid>8)"), ((P, JUNK | 12), "access(0x7f2a5c000000,0xc<R_OK>)"),
    ((0,), "epoll_create1(0)"), ((0o2000000,), "epoll_create1(0x80000<EPOLL_CLOEXEC>)"),
    ((1,), "epoll_create1(0x1<><invalid>1)"),
    ((P, 0x1000, 0), "mprotect(0x7f2a5c000000,0x1000,0<PROT_NONE>)"),
    ((P, 0x1000, 1 << 32 | 3), "mprotect(0x7f2a5c000000,0x1000,0x100000003<PROT_READ|PROT_WRITE>)"),
    ((0,), "unshare(0)"), ((0x10020000,), "unshare(0x10020000<CLONE_NEWNS|CLONE_NEWUSER>)")))
arguments("enum", (
    ((3, 128, 0), "lseek(0x3,0x80,SEEK_SET)"), ((3, M1, 1), "lseek(0x3,-1,SEEK_CUR)"),
    ((3, 0, JUNK | 2), "lseek(0x3,0,SEEK_END)"), ((3, 0, 3), "lseek(0x3,0,SEEK_DATA)"),
    ((3, 0, 4), "lseek(0x3,0,SEEK_HOLE)"), ((3, 0, 5), "lseek(0x3,0,<invalid=0x5>)"),
    ((3, 0, M1), "lseek(0x3,0,<invalid=0xffffffff>)"),
    ((0, P), "getrusage(RUSAGE_SELF,0x7f2a5c000000)"), ((M1, P), "getrusage(RUSAGE_CHILDREN,0x7f2a5c000000)"),
    ((0xffffffff, P), "getrusage(RUSAGE_CHILDREN,0x7f2a5c000000)"), ((1, P), "getrusage(RUSAGE_THREAD,0x7f2a5c000000)"),
    ((7, P), "getrlimit(RLIMIT_NOFILE,0x7f2a5c000000)"), ((16, P), "getrlimit(<invalid=0x10>,0x7f2a5c000000)")))
arguments("enum-optional", (((2, 0), "signal(SIGINT,SIG_DFL)"), ((2, 1), "signal(SIGINT,SIG_IGN)"),
                            ((2, 0xf7001000), "signal(SIGINT,0xf7001000)")), begin=L32)
arguments("decimal-type", (((0, 0, 2**64 - 5), "setpriority(PRIO_PROCESS,0,-5)"),
                           ((0, 700, 19), "setpriority(PRIO_PROCESS,700,19)"),
                           ((2, M1, JUNK | 1), "setpriority(PRIO_USER,-1,1)")))
# More or fewer words than the call has.
arguments("count", (((3, P, 16, 5, 6), "read(0x3,0x7f2a5c000000,0x10,0x5,0x6)"), ((3,), "read(0x3)"), ((), "read"),
                    ((CWD, P), "openat(AT_FDCWD,0x7f2a5c000000)"), ((3, 2), "fcntl(0x3,F_SETFD)"),
                    ((1, 2, 3, 4, 5, 6, 7, 8), "getpid(0x1,0x2,0x3,0x4,0x5,0x6,0x7,0x8)")))

PLAIN = (((CWD, P, 0o101, 0o644), "openat"), ((700, 10), "kill"), ((3, P, 16), "read"), ((M1,), "close"))
arguments("n", tuple((words, "%s(%s)" % (name, ",".join(map(hex, words)))) for words, name in PLAIN), "-n")
arguments("nd", (((CWD, P, 0o101, 0o644), "openat(-100,139819908857856,65,420)"),
                 ((700, 10), "kill(700,10)")), "-nd")
arguments("d", (
    ((CWD, P, 0o101, 0o644),
     "openat(AT_FDCWD,139819908857856,0x41<O_WRONLY|O_CREAT>,0644<S_IRUSR|S_IWUSR|S_IRGRP|S_IROTH>)"),
    ((3, M1, 9), "lseek(3,-1,<invalid=9>)"), ((3, P, 16, 5), "read(3,139819908857856,16,5)"),
    ((P, 2, 1000), "poll(139819908857856,2,1000)")), "-d")
arguments("S", (((3, 128, 0), "lseek[8](0x3,0x80,SEEK_SET)"), ((), "getpid[39]"),
                ((P, 0), "access[21](0x7f2a5c000000,0<F_OK>)")), "-S")

# Files --------------------------------------------------------------------------------------------------------------

arguments("open", (
    ((P, 0, 0o644), "open(0x7f2a5c000000,0<O_RDONLY>)"),
    ((P, 0o1101, 0o644), "open(0x7f2a5c000000,0x241<O_WRONLY|O_CREAT|O_TRUNC>,0644<S_IRUSR|S_IWUSR|S_IRGRP|S_IROTH>)"),
    ((P, 0o101, 0), "open(0x7f2a5c000000,0x41<O_WRONLY|O_CREAT>,0)"),
    ((P, JUNK | 0o2004002, JUNK), "open(0x7f2a5c000000,0x80802<O_RDWR|O_NONBLOCK|O_CLOEXEC>)"),
    ((P, 3), "open(0x7f2a5c000000,0x3<O_ACCMODE>)"),
    ((P, 0o644), "creat(0x7f2a5c000000,0644<S_IRUSR|S_IWUSR|S_IRGRP|S_IROTH>)")))
arguments("openat", (
    ((CWD, P, 0o2000000), "openat(AT_FDCWD,0x7f2a5c000000,0x80000<O_RDONLY|O_CLOEXEC>)"),
    ((CWD, P, 0o2200000, 0o777), "openat(AT_FDCWD,0x7f2a5c000000,0x90000<O_RDONLY|O_DIRECTORY|O_CLOEXEC>)"),
    ((5, P, 0o20200002, 0o600), "openat(0x5,0x7f2a5c000000,0x410002<O_RDWR|O_TMPFILE>,0600<S_IRUSR|S_IWUSR>)"),
    ((CWD, P, 0o4010301, 0o400),
     "openat(AT_FDCWD,0x7f2a5c000000,0x1010c1<O_WRONLY|O_CREAT|O_EXCL|O_SYNC>,0400<S_IRUSR>)"),
    ((CWD, P, 0o12000000, 1), "openat(AT_FDCWD,0x7f2a5c000000,0x280000<O_RDONLY|O_CLOEXEC|O_PATH>)"),
    ((CWD, P, 1 << 26), "openat(AT_FDCWD,0x7f2a5c000000,0x4000000<O_RDONLY|O_EMPTYPATH>)"),
    ((CWD, P, Q, 24), "openat2(AT_FDCWD,0x7f2a5c000000,0x8049000,0x18)"),
    ((CWD, P, Q, Q, 0x201), "name_to_handle_at(AT_FDCWD,0x7f2a5c000000,0x8049000,0x8049000,"
     "0x201<AT_HANDLE_MNT_ID_UNIQUE|AT_HANDLE_FID>)"),
    ((CWD, P, 0), "open_by_handle_at(AT_FDCWD,0x7f2a5c000000,0<O_RDONLY>)")))
# 0x200 and the like mean something else from call to call.
arguments("at-flags", (
    ((CWD, P, Q, 0x100), "newfstatat(AT_FDCWD,0x7f2a5c000000,0x8049000,0x100<AT_SYMLINK_NOFOLLOW>)"),
    ((3, P, Q, 0x1000), "newfstatat(0x3,0x7f2a5c000000,0x8049000,0x1000<AT_EMPTY_PATH>)"),
    ((CWD, P, Q, 0), "newfstatat(AT_FDCWD,0x7f2a5c000000,0x8049000,0)"),
    ((CWD, P, JUNK | 0x200), "unlinkat(AT_FDCWD,0x7f2a5c000000,0x200<AT_REMOVEDIR>)"),
    ((CWD, P, 0), "unlinkat(AT_FDCWD,0x7f2a5c000000,0)"),
    ((CWD, P, 4, 0x300), "faccessat2(AT_FDCWD,0x7f2a5c000000,0x4<R_OK>,0x300<AT_SYMLINK_NOFOLLOW|AT_EACCESS>)"),
    ((CWD, P, 4, 0x300), "faccessat(AT_FDCWD,0x7f2a5c000000,0x4<R_OK>,0x300)"),
    ((CWD, P, CWD, Q, 0x1400),
     "linkat(AT_FDCWD,0x7f2a5c000000,AT_FDCWD,0x8049000,0x1400<AT_SYMLINK_FOLLOW|AT_EMPTY_PATH>)"),
    ((CWD, P, 0o600, 0x100), "fchmodat2(AT_FDCWD,0x7f2a5c000000,0600<S_IRUSR|S_IWUSR>,0x100<AT_SYMLINK_NOFOLLOW>)"),
    ((CWD, P, 0, M1, 0x100), "fchownat(AT_FDCWD,0x7f2a5c000000,0,-1,0x100<AT_SYMLINK_NOFOLLOW>)"),
    ((CWD, P, Q, 0x100), "utimensat(AT_FDCWD,0x7f2a5c000000,0x8049000,0x100<AT_SYMLINK_NOFOLLOW>)"),
    ((3, P, Q, Q, 0x11000), "execveat(0x3,0x7f2a5c000000,0x8049000,0x8049000,0x11000<AT_EMPTY_PATH|AT_EXECVE_CHECK>)"),
    ((CWD, P, 0x4900, 0xfff, Q),
     "statx(AT_FDCWD,0x7f2a5c000000,0x4900<AT_SYMLINK_NOFOLLOW|AT_NO_AUTOMOUNT|AT_STATX_DONT_SYNC>,"
     "0xfff<STATX_ALL>,0x8049000)"),
    ((CWD, P, 0x1000, 0x17ff, Q),
     "statx(AT_FDCWD,0x7f2a5c000000,0x1000<AT_EMPTY_PATH>,0x17ff<STATX_BASIC_STATS|STATX_MNT_ID>,0x8049000)"),
    ((CWD, P, 0, 0x21b, Q), "statx(AT_FDCWD,0x7f2a5c000000,0,"
     "0x21b<STATX_TYPE|STATX_MODE|STATX_UID|STATX_GID|STATX_SIZE>,0x8049000)")))
arguments("names", (
    ((P, Q), "rename(0x7f2a5c000000,0x8049000)"), ((CWD, P, 4, Q), "renameat(AT_FDCWD,0x7f2a5c000000,0x4,0x8049000)"),
    ((CWD, P, CWD, Q, 1), "renameat2(AT_FDCWD,0x7f2a5c000000,AT_FDCWD,0x8049000,0x1<RENAME_NOREPLACE>)"),
    ((CWD, P, CWD, Q, 2), "renameat2(AT_FDCWD,0x7f2a5c000000,AT_FDCWD,0x8049000,0x2<RENAME_EXCHANGE>)"),
    ((CWD, P, CWD, Q, 0), "renameat2(AT_FDCWD,0x7f2a5c000000,AT_FDCWD,0x8049000,0)"),
    ((P, CWD, Q), "symlinkat(0x7f2a5c000000,AT_FDCWD,0x8049000)"),
    ((CWD, P, Q, 4096), "readlinkat(AT_FDCWD,0x7f2a5c000000,0x8049000,0x1000)"),
    ((P, Q, Q, 6, 1), "setxattr(0x7f2a5c000000,0x8049000,0x8049000,0x6,0x1<XATTR_CREATE>)"),
    ((CWD, P, 0x100, Q, 0, 0), "setxattrat(AT_FDCWD,0x7f2a5c000000,0x100<AT_SYMLINK_NOFOLLOW>,0x8049000,0,0)"),
    ((P, 5 << 30), "truncate(0x7f2a5c000000,0x140000000)")))

# Descriptors --------------------------------------------------------------------------------------------------------

arguments("descriptors", (
    ((3, 4, 0o2000000), "dup3(0x3,0x4,0x80000<O_CLOEXEC>)"), ((3, 4, 0), "dup3(0x3,0x4,0)"),
    ((P, 0o2044000), "pipe2(0x7f2a5c000000,0x84800<O_NONBLOCK|O_DIRECT|O_CLOEXEC>)"),
    ((3, 0xffffffff, 4), "close_range(0x3,0xffffffff,0x4<CLOSE_RANGE_CLOEXEC>)"),
    ((3, 6), "flock(0x3,0x6<LOCK_EX|LOCK_NB>)"), ((3, 8), "flock(0x3,0x8<LOCK_UN>)"),
    ((3, P, 16, 5 << 30), "pread64(0x3,0x7f2a5c000000,0x10,0x140000000)"),
    ((3, P, 2, 5 << 30, 77), "preadv(0x3,0x7f2a5c000000,0x2,0x140000000)"),
    ((3, P, 2, M1, 77, 0x12), "pwritev2(0x3,0x7f2a5c000000,0x2,-1,0x12<RWF_DSYNC|RWF_APPEND>)"),
    ((3, P, 2, M1, 77, 0), "preadv2(0x3,0x7f2a5c000000,0x2,-1,0)"),
    ((3, 3, 4096, 8192), "fallocate(0x3,0x3<FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE>,0x1000,0x2000)"),
    ((3, 0, 0, 4096), "fallocate(0x3,0,0,0x1000)"), ((3, 0, M1 - 4, M1), "fallocate(0x3,0,-5,-1)"),
    ((3, P, 1, M1 - 4), "pread64(0x3,0x7f2a5c000000,0x1,-5)"), ((P, M1), "truncate(0x7f2a5c000000,-1)"),
    ((3, 0, 0, 2), "fadvise64(0x3,0,0,POSIX_FADV_SEQUENTIAL)"),
    ((3, 0, 0, 7), "sync_file_range(0x3,0,0,"
     "0x7<SYNC_FILE_RANGE_WAIT_BEFORE|SYNC_FILE_RANGE_WRITE|SYNC_FILE_RANGE_WAIT_AFTER>)"),
    ((3, 0, 4, P, 65536, 5), "splice(0x3,0,0x4,0x7f2a5c000000,0x10000,0x5<SPLICE_F_MOVE|SPLICE_F_MORE>)"),
    ((1, 3, P, 4096), "sendfile(0x1,0x3,0x7f2a5c000000,0x1000)"),
    ((0, 0o2004001), "eventfd2(0,0x80801<EFD_SEMAPHORE|EFD_NONBLOCK|EFD_CLOEXEC>)"),
    ((M1, P, 8, 0o2000000), "signalfd4(-1,0x7f2a5c000000,0x8,0x80000<SFD_CLOEXEC>)"),
    ((), "sync")))
arguments("epoll", (
    ((3, 1, 4, P), "epoll_ctl(0x3,EPOLL_CTL_ADD,0x4,0x7f2a5c000000)"),
    ((3, 2, 4, 0), "epoll_ctl(0x3,EPOLL_CTL_DEL,0x4,0)"),
    ((3, 3, 4, P), "epoll_ctl(0x3,EPOLL_CTL_MOD,0x4,0x7f2a5c000000)"),
    ((3, 4, 4, P), "epoll_ctl(0x3,<invalid=0x4>,0x4,0x7f2a5c000000)"),
    ((3, P, 32, M1), "epoll_wait(0x3,0x7f2a5c000000,0x20,-1)")))
FCNTL = (
    ((3, 0, 10), "fcntl(0x3,F_DUPFD,0xa)"), ((3, 1030, 10), "fcntl(0x3,F_DUPFD_CLOEXEC,0xa)"),
    ((3, 1, 99), "fcntl(0x3,F_GETFD)"), ((3, 2, 0), "fcntl(0x3,F_SETFD,0)"),
    ((3, 2, 1), "fcntl(0x3,F_SETFD,0x1<FD_CLOEXEC>)"), ((3, 3, 99), "fcntl(0x3,F_GETFL)"),
    ((3, 4, 0o4002), "fcntl(0x3,F_SETFL,0x802<O_RDWR|O_NONBLOCK>)"), ((3, 4, 0), "fcntl(0x3,F_SETFL,0<O_RDONLY>)"),
    ((3, 5, Q), "fcntl(0x3,F_GETLK,0x8049000)"), ((3, 7, Q), "fcntl(0x3,F_SETLKW,0x8049000)"),
    ((3, 37, Q), "fcntl(0x3,F_OFD_SETLK,0x8049000)"), ((3, 8, 700), "fcntl(0x3,F_SETOWN,700)"),
    ((3, 9, 99), "fcntl(0x3,F_GETOWN)"), ((3, 10, 29), "fcntl(0x3,F_SETSIG,SIGIO)"),
    ((3, 11, 99), "fcntl(0x3,F_GETSIG)"), ((3, 1024, 1), "fcntl(0x3,F_SETLEASE,F_WRLCK)"),
    ((3, 1025, 99), "fcntl(0x3,F_GETLEASE)"),
    ((3, 1026, 0x80000003), "fcntl(0x3,F_NOTIFY,0x80000003<DN_ACCESS|DN_MODIFY|DN_MULTISHOT>)"),
    ((3, 1027, 4), "fcntl(0x3,F_DUPFD_QUERY,0x4)"), ((3, 1031, 65536), "fcntl(0x3,F_SETPIPE_SZ,0x10000)"),
    ((3, 1032, 99), "fcntl(0x3,F_GETPIPE_SZ)"), ((3, 1034, 99), "fcntl(0x3,F_GET_SEALS)"),
    ((3, 1033, 9), "fcntl(0x3,F_ADD_SEALS,0x9<F_SEAL_SEAL|F_SEAL_WRITE>)"),
    ((3, 1036, Q), "fcntl(0x3,F_SET_RW_HINT,0x8049000)"), ((3, 99, 1), "fcntl(0x3,<invalid=0x63>,0x1)"))
arguments("fcntl", FCNTL + (((JUNK | 3, JUNK | 2, JUNK | 1), "fcntl(0x3,F_SETFD,0x1<FD_CLOEXEC>)"),))
arguments("fcntl-32", FCNTL, begin=L32)
arguments("fcntl64", tuple((words, text.replace("fcntl", "fcntl64")) for words, text in FCNTL) + (
    ((3, 12, Q), "fcntl64(0x3,F_GETLK64,0x8049000)"),), begin=L32)

# Memory -------------------------------------------------------------------------------------------------------------

arguments("mmap", (
    ((0, 8192, 3, 0x22, M1, 0), "mmap(0,0x2000,0x3<PROT_READ|PROT_WRITE>,0x22<MAP_PRIVATE|MAP_ANONYMOUS>,-1,0)"),
    ((0, 8192, 3, 0x22, 0xffffffff, 0),
     "mmap(0,0x2000,0x3<PROT_READ|PROT_WRITE>,0x22<MAP_PRIVATE|MAP_ANONYMOUS>,-1,0)"),
    ((P, 4096, 5, 0x812, 3, 0x2000),
     "mmap(0x7f2a5c000000,0x1000,0x5<PROT_READ|PROT_EXEC>,0x812<MAP_PRIVATE|MAP_FIXED|MAP_DENYWRITE>,0x3,0x2000)"),
    ((0, 4096, 0, 1, 3, 0), "mmap(0,0x1000,0<PROT_NONE>,0x1<MAP_SHARED>,0x3,0)"),
    ((0, 4096, 1, 0x80003, 3, 0), "mmap(0,0x1000,0x1<PROT_READ>,0x80003<MAP_SHARED_VALIDATE|MAP_SYNC>,0x3,0)"),
    ((0, 1 << 21, 3, 0x54040022, M1, 0), "mmap(0,0x200000,0x3<PROT_READ|PROT_WRITE>,"
     "0x54040022<MAP_PRIVATE|MAP_ANONYMOUS|MAP_HUGETLB|MAP_HUGE_2MB>,-1,0)"),
    ((0, 4096, 3, 0x20022, M1, 0),
     "mmap(0,0x1000,0x3<PROT_READ|PROT_WRITE>,0x20022<MAP_PRIVATE|MAP_ANONYMOUS|MAP_STACK>,-1,0)"),
    ((0, 4096, 3, 0, M1, 0), "mmap(0,0x1000,0x3<PROT_READ|PROT_WRITE>,0<MAP_FILE>,-1,0)")))
arguments("memory", (
    ((0,), "brk(0)"), ((P,), "brk(0x7f2a5c000000)"), ((P, 4096), "munmap(0x7f2a5c000000,0x1000)"),
    ((P, 4096, 8192, 1, 77), "mremap(0x7f2a5c000000,0x1000,0x2000,0x1<MREMAP_MAYMOVE>)"),
    ((P, 4096, 8192, 3, Q), "mremap(0x7f2a5c000000,0x1000,0x2000,0x3<MREMAP_MAYMOVE|MREMAP_FIXED>,0x8049000)"),
    ((P, 4096, 4096, 5, Q), "mremap(0x7f2a5c000000,0x1000,0x1000,0x5<MREMAP_MAYMOVE|MREMAP_DONTUNMAP>,0x8049000)"),
    ((P, 4096, 4), "msync(0x7f2a5c000000,0x1000,0x4<MS_SYNC>)"), ((3,), "mlockall(0x3<MCL_CURRENT|MCL_FUTURE>)"),
    ((P, 4096, 1), "mlock2(0x7f2a5c000000,0x1000,0x1<MLOCK_ONFAULT>)")))

# Processes ----------------------------------------------------------------------------------------------------------

arguments("clone", (
    ((0x1200011, 0, 0, P, 0), "clone(0x1200011<CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD>,0,0,0x7f2a5c000000,0)"),
    ((0x3d0f00, P, Q, Q, P), "clone(0x3d0f00<CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|CLONE_SYSVSEM|"
     "CLONE_SETTLS|CLONE_PARENT_SETTID|CLONE_CHILD_CLEARTID>,0x7f2a5c000000,0x8049000,0x8049000,0x7f2a5c000000)"),
    ((17, 0, 0, 0, 0), "clone(0x11<SIGCHLD>,0,0,0,0)"), ((0, 0, 0, 0, 0), "clone(0,0,0,0,0)"),
    ((0xffffffff80000011, 0, 0, 0, 0), "clone(0x80000011<CLONE_IO|SIGCHLD>,0,0,0,0)"),
    ((P, 88), "clone3(0x7f2a5c000000,0x58)")))
arguments("clone-32", (
    ((0x1200011, 0, 0, 0, Q), "clone(0x1200011<CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD>,0,0,0,0x8049000)"),),
    begin=L32)
arguments("wait", (
    ((M1, P, 0, 0), "wait4(-1,0x7f2a5c000000,0,0)"),
    ((700, P, 1, Q), "wait4(700,0x7f2a5c000000,0x1<WNOHANG>,0x8049000)"),
    ((0xffffffff, 0, 0x4000000a, 0), "wait4(-1,0,0x4000000a<WUNTRACED|WCONTINUED|__WALL>,0)"),
    ((0, 0, P, 4, 0), "waitid(P_ALL,0,0x7f2a5c000000,0x4<WEXITED>,0)"),
    ((1, 700, P, 0x1000005, 0), "waitid(P_PID,700,0x7f2a5c000000,0x1000005<WNOHANG|WEXITED|WNOWAIT>,0)"),
    ((3, 5, P, 6, 0), "waitid(P_PIDFD,0x5,0x7f2a5c000000,0x6<WSTOPPED|WEXITED>,0)"),
    ((9, 5, 0, 0, 0), "waitid(<invalid=0x9>,5,0,0,0)"), ((0,), "exit_group(0)"), ((JUNK | 1,), "exit(1)"),
    ((M1,), "exit_group(-1)")))
arguments("processes", (
    ((P, Q, Q), "execve(0x7f2a5c000000,0x8049000,0x8049000)"), ((700, 0), "pidfd_open(700,0)"),
    ((700, 0o4200), "pidfd_open(700,0x880<PIDFD_THREAD|PIDFD_NONBLOCK>)"),
    ((3, 15, 0, 1), "pidfd_send_signal(0x3,SIGTERM,0,0x1<PIDFD_SIGNAL_THREAD>)"),
    ((3, 4, 0), "pidfd_getfd(0x3,0x4,0)"), ((3, 0x40000000), "setns(0x3,0x40000000<CLONE_NEWNET>)"),
    ((0, 0), "getpriority(PRIO_PROCESS,0)"), ((2, 1000), "getpriority(PRIO_USER,1000)"),
    ((0, 3, 0, P), "prlimit64(0,RLIMIT_STACK,0,0x7f2a5c000000)"),
    ((700, P, 1, Q, 1, 0), "process_vm_readv(700,0x7f2a5c000000,0x1,0x8049000,0x1,0)")))
arguments("signals", (
    ((11, P, 0, 8), "rt_sigaction(SIGSEGV,0x7f2a5c000000,0,0x8)"),
    ((0, P, 0, 8), "rt_sigprocmask(SIG_BLOCK,0x7f2a5c000000,0,0x8)"),
    ((1, P, 0, 8), "rt_sigprocmask(SIG_UNBLOCK,0x7f2a5c000000,0,0x8)"),
    ((JUNK | 2, P, 0, 8), "rt_sigprocmask(SIG_SETMASK,0x7f2a5c000000,0,0x8)"),
    ((3, P, 0, 8), "rt_sigprocmask(<invalid=0x3>,0x7f2a5c000000,0,0x8)"), ((P, 8), "rt_sigsuspend(0x7f2a5c000000,0x8)"),
    ((700, 701, 34, P), "rt_tgsigqueueinfo(700,701,SIGRT2,0x7f2a5c000000)"),
    ((0, P, 0), "setitimer(ITIMER_REAL,0x7f2a5c000000,0)"),
    ((2, P), "getitimer(ITIMER_PROF,0x7f2a5c000000)"), ((P, 0), "nanosleep(0x7f2a5c000000,0)")))

# i386 ---------------------------------------------------------------------------------------------------------------

# What a 64-bit kernel writes of a 32-bit process; -1 may come with all bits or with 32.
arguments("i386", (
    ((0xffffff9c, Q, 0o100000), "openat(AT_FDCWD,0x8049000,0x8000<O_RDONLY|O_LARGEFILE>)"),
    ((0xffffffff,), "close(-1)"), ((Q,), "mmap(0x8049000)"), ((Q,), "select(0x8049000)"),
    ((0, 4096, 3, 0x22, 0xffffffff, 0),
     "mmap2(0,0x1000,0x3<PROT_READ|PROT_WRITE>,0x22<MAP_PRIVATE|MAP_ANONYMOUS>,-1,0)"),
    ((3, 0xfffffff0, 1), "lseek(0x3,-16,SEEK_CUR)"), ((3, M1, 1), "lseek(0x3,-1,SEEK_CUR)"),
    ((3, 1, 2, Q, 0), "_llseek(0x3,0x1,0x2,0x8049000,SEEK_SET)"),
    ((3, 2**32 - 1, 2**32 - 5, Q, 2), "_llseek(0x3,0xffffffff,0xfffffffb,0x8049000,SEEK_END)"),
    ((0xffffffff, Q, 3), "waitpid(-1,0x8049000,0x3<WNOHANG|WUNTRACED>)"),
    ((2**32 - 5,), "nice(-5)"), ((700, 10), "kill(700,SIGUSR1)"), ((0, 0, 5), "sigsuspend(0x5)"),
    ((0x10002,), "ssetmask(0x10002)"), ((2, Q, 0), "sigprocmask(SIG_SETMASK,0x8049000,0)")), begin=L32)
arguments("i386-ids", (
    ((0xffff,), "setuid(-1)"), ((0xffffffff,), "setuid(-1)"), ((65534,), "setgid(65534)"), ((0x10005,), "setgid(5)"),
    ((0xffffffff,), "setuid32(-1)"), ((65535,), "setuid32(65535)"), ((Q, 0xffff, 100), "chown(0x8049000,-1,100)"),
    ((Q, 0xffff, 100), "chown32(0x8049000,65535,100)")), begin=L32)
arguments("i386-64bit", (
    ((3, Q, 16, 0x40000000, 1), "pread64(0x3,0x8049000,0x10,0x140000000)"),
    ((3, Q, 16, 0xffffffff, 0xffffffff), "pwrite64(0x3,0x8049000,0x10,-1)"),
    ((3, Q, 2, 0x80000000, 0), "preadv(0x3,0x8049000,0x2,0x80000000)"),
    ((3, Q, 2, 0, 2, 8), "preadv2(0x3,0x8049000,0x2,0x200000000,0x8<RWF_NOWAIT>)"),
    ((Q, 0x1000, 1), "truncate64(0x8049000,0x100001000)"), ((3, 0, 1), "ftruncate64(0x3,0x100000000)"),
    ((3, 1, 0, 1, 4096, 0), "fallocate(0x3,0x1<FALLOC_FL_KEEP_SIZE>,0x100000000,0x1000)"),
    ((3, 0, 2**32 - 5, 2**32 - 1, 4096, 0), "fallocate(0x3,0,-5,0x1000)"),
    ((2**32 - 2, 2**32 - 1, Q, 16), "lookup_dcookie(0xfffffffffffffffe,0x8049000,0x10)"),
    ((3, 1, 2, 3, 4), "fadvise64(0x3,0x200000001,0x3,POSIX_FADV_DONTNEED)"),
    ((3, 1, 2, 3, 4, 1), "fadvise64_64(0x3,0x200000001,0x400000003,POSIX_FADV_RANDOM)"),
    ((3, 1, 2, 3, 4, 2), "sync_file_range(0x3,0x200000001,0x400000003,0x2<SYNC_FILE_RANGE_WRITE>)"),
    ((3, 1, 2, 4096), "readahead(0x3,0x200000001,0x1000)"),
    ((3, Q, 16, 0x1000), "pread64(0x3,0x8049000,0x10,0x1000)")), begin=L32)
arguments("i386-n", (((3, Q, 16, 0x40000000, 1), "pread64(0x3,0x8049000,0x10,0x40000000,0x1)"),
                     ((3, 2, 1), "fcntl64(0x3,0x2,0x1)")), "-n", begin=L32)
arguments("i386-d", (((3, Q, 16, 0x40000000, 1), "pread64(3,134516736,16,5368709120)"),), "-d", begin=L32)

# arm64 ---------------------------------------------------------------------------------------------------------------

# Values of O_DIRECTORY, O_NOFOLLOW, O_DIRECT and O_LARGEFILE are not those of x86.
for arm, begin in (("arm64", ARM64), ("arm32", ARM32)):
    arguments(arm + "-open", (
        ((CWD, Q, 0x84000), "openat(AT_FDCWD,0x8049000,0x84000<O_RDONLY|O_DIRECTORY|O_CLOEXEC>)"),
        ((CWD, Q, 0x38000), "openat(AT_FDCWD,0x8049000,0x38000<O_RDONLY|O_NOFOLLOW|O_DIRECT|O_LARGEFILE>)"),
        ((CWD, Q, 0x404002, 0o600), "openat(AT_FDCWD,0x8049000,0x404002<O_RDWR|O_TMPFILE>,0600<S_IRUSR|S_IWUSR>)")),
              begin=begin)
    arguments(arm + "-flags", (
        ((16, 0x10000), "pipe2(0x10,0x10000<O_DIRECT>)"),
        ((Q, 4096, 0x35), "mprotect(0x8049000,0x1000,0x35<PROT_READ|PROT_EXEC|PROT_BTI|PROT_MTE>)")), begin=begin)
    arguments(arm + "-ptrace", (
        ((0x4204, 700, 0x405, Q), "ptrace(PTRACE_GETREGSET,700,NT_ARM_SVE,0x8049000)"),
        ((33, 700, Q, Q), "ptrace(PTRACE_PEEKMTETAGS,700,0x8049000,0x8049000)")), begin=begin)
    # tls comes before child_tid.
    arguments(arm + "-clone", (((0x11, 0, 1, 0, 0x80), "clone(0x11<SIGCHLD>,0,0x1,0,0x80)"),), begin=begin)
arguments("arm64-64-bits", (
    ((3, P, 16, 2**33), "pread64(0x3,0x7f2a5c000000,0x10,0x200000000)"),
    ((3, 2**33), "ftruncate(0x3,0x200000000)")), begin=ARM64)
# A 64-bit argument is in two slots of which the first is even: one may be left out.
arguments("arm32-64-bits", (
    ((3, Q, 16, 0x55, 7, 2), "pread64(0x3,0x8049000,0x10,0x200000007)"),
    ((3, 0x55, 7, 2), "ftruncate64(0x3,0x200000007)"),
    ((Q, 0x55, 0xffffffff, 0xffffffff), "truncate64(0x8049000,-1)"),
    ((3, 0x55, 0, 1, 8192), "readahead(0x3,0x100000000,0x2000)"),
    ((3, 0, 0, 1, 4096, 0), "fallocate(0x3,0,0x100000000,0x1000)"),
    ((3, 4, 0, 1, 4096, 0), "arm_fadvise64_64(0x3,POSIX_FADV_DONTNEED,0x100000000,0x1000)"),
    ((3, 2, 0, 1, 4096, 0), "sync_file_range2(0x3,0x2<SYNC_FILE_RANGE_WRITE>,0x100000000,0x1000)")), begin=ARM32)
arguments("arm32-own", (
    ((3, Q, 4, 0x40), "send(0x3,0x8049000,0x4,0x40<MSG_DONTWAIT>)"),
    ((3, Q, 4, 0), "recv(0x3,0x8049000,0x4,0)"),
    ((3, Q, Q), "accept(0x3,0x8049000,0x8049000)"),
    ((1000, 65535), "setreuid(1000,-1)"), ((1000, 0xffffffff), "setreuid32(1000,-1)")), begin=ARM32)
