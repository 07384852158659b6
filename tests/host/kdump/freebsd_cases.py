# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""FreeBSD's own calls, as its kdump shows their arguments. golden/ has what it printed for some of them; numbers and
names here are those of its headers and manual pages, written out by hand."""
import struct

from cases import F64, LINE, case
from craft import (CAPFAIL, CSW, EXTERR, FREEBSD32, FREEBSD64, GENIO, NAMEI, PROCCTOR, PSIG, STRUCT, STRUCT_ARRAY,
                   SYSCALL, SYSRET, array, call, call32, capfail_new, ctor, exterr, gio, i386, psig, ret, v0, v1)

F32 = v0(PROCCTOR, ctor(FREEBSD32))
CWD = 2**32 - 100  # AT_FDCWD, as an int in a register
ALL = 2**64 - 1


def calls(name, vectors, options=""):
    """Each is (number, arguments, text)."""
    case("freebsd." + name, F64 + b"".join(v0(SYSCALL, call(code, *args)) for code, args, _ in vectors), options,
         "".join(LINE + "CALL  %s\n" % text for _, _, text in vectors))


calls("call-files", (
    (5, (1, 0x40000, 0), "open(0x1,0x40000<O_EXEC>)"),
    (5, (1, 0x40001, 0), "open(0x1,0x40001<O_WRONLY|O_EXEC>)"),
    (5, (1, 0x5400004, 0), "open(0x1,0x5400004<O_RDONLY|O_NONBLOCK|O_PATH|O_DSYNC|O_NAMEDATTR>)"),
    (5, (1, 0x80, 0), "open(0x1,0x80<O_RDONLY|O_FSYNC>)"),
    (5, (1, 0x203, 0o600), "open(0x1,0x203<O_CREAT>,0600<S_IRUSR|S_IWUSR>)"),
    (5, (1, 0), "open(0x1,0<O_RDONLY>)"), (5, (1,), "open(0x1)"), (5, (), "open"),
    (5, (1, 0, 0, 7), "open(0x1,0<O_RDONLY>,0x7)"),
    (499, (CWD, 1, 0xffffffff00100000, 0), "openat(AT_FDCWD,0x1,0x100000<O_RDONLY|O_CLOEXEC>)"),
    (499, (ALL - 99, 1, 0, 0), "openat(AT_FDCWD,0x1,0<O_RDONLY>)"),
    (499, (2**32 - 1, 1, 0, 0), "openat(0xffffffff,0x1,0<O_RDONLY>)"),
    (376, (1, 5), "eaccess(0x1,0x5<X_OK|R_OK>)"),
    (274, (1, 0o2111), "lchmod(0x1,02111<S_ISGID|S_IXUSR|S_IXGRP|S_IXOTH>)"),
    (15, (1, 0o60000), "chmod(0x1,060000<S_IFCHR|S_IFDIR>)"),
    (15, (1, 0o200000), "chmod(0x1,0200000<><invalid>65536)"),
    (34, (1, 0x20001), "chflags(0x1,0x20001<UF_NODUMP|SF_IMMUTABLE>)"),
    (35, (1, 0x20), "fchflags(0x1,0x20<><invalid>32)"), (391, (1, 0x8000), "lchflags(0x1,0x8000<UF_HIDDEN>)"),
    (540, (CWD, 1, 0x1000, 0x2200),
     "chflagsat(AT_FDCWD,0x1,0x1000<UF_READONLY>,0x2200<AT_SYMLINK_NOFOLLOW|AT_RESOLVE_BENEATH>)"),
    (489, (3, 1, 4, 0x100), "faccessat(0x3,0x1,0x4<R_OK>,0x100<AT_EACCESS>)"),
    (494, (CWD, 1, 0), "futimesat(AT_FDCWD,0x1,0)"), (500, (CWD, 1, 2, 3), "readlinkat(AT_FDCWD,0x1,0x2,0x3)"),
    (502, (1, CWD, 2), "symlinkat(0x1,AT_FDCWD,0x2)"),
    (552, (3, 1, 2, 0x4000), "fstatat(0x3,0x1,0x2,0x4000<AT_EMPTY_PATH>)"),
    (496, (CWD, 1, 0o700), "mkdirat(AT_FDCWD,0x1,0700<S_IRUSR|S_IWUSR|S_IXUSR>)"),
    (132, (1, 0o200), "mkfifo(0x1,0200<S_IWUSR>)"), (497, (4, 1, 0), "mkfifoat(0x4,0x1,0)"),
    (559, (CWD, 1, 0o20600, 5), "mknodat(AT_FDCWD,0x1,020600<S_IRUSR|S_IWUSR|S_IFCHR>,0x5)"),
    (575, (3, 2**32 - 1, 4), "close_range(0x3,0xffffffff,0x4<CLOSE_RANGE_CLOEXEC>)"),
    (191, (1, 5), "pathconf(0x1,_PC_PATH_MAX)"), (513, (1, 60), "lpathconf(0x1,_PC_ACL_PATH_MAX)"),
    (192, (1, 99), "fpathconf(0x1,<invalid=0x63>)"), (574, (CWD, 1, 2, 3, 0), "__realpathat(0xffffff9c,0x1,0x2,0x3,0)"),
    (21, (1, 2, 0x10001, 3), "mount(0x1,0x2,0x10001<MNT_RDONLY|MNT_UPDATE>,0x3)"),
    (22, (1, 0x80000), "unmount(0x1,0x80000<MNT_FORCE>)"), (378, (1, 2, 0x10), "nmount(0x1,0x2,0x10<><invalid>16)"),
    (557, (1, 2, 2), "getfsstat(0x1,0x2,MNT_NOWAIT)"),
    (148, (1, 0x60000, 0, 0), "quotactl(0x1,QCMD(Q_SYNC,USRQUOTA),0,0)"),
    (148, (1, 0x70001, 5, 2), "quotactl(0x1,QCMD(Q_GETQUOTA,GRPQUOTA),0x5,0x2)"),
    (131, (3, 8), "flock(0x3,0x8<LOCK_UN>)"), (531, (3, 0, 16, 4), "posix_fadvise(0x3,0,0x10,POSIX_FADV_DONTNEED)"),
    (347, (1, 2, 3), "__acl_get_file(0x1,ACL_TYPE_ACCESS,0x3)"), (352, (1, 4), "__acl_delete_fd(0x1,ACL_TYPE_NFS4)"),
    *((number, (1, 3, 4), "__acl_%s(0x1,ACL_TYPE_DEFAULT,0x4)" % what) for number, what in (
        (347, "get_file"), (348, "set_file"), (349, "get_fd"), (350, "set_fd"), (351, "delete_file"),
        (353, "aclcheck_file"), (354, "aclcheck_fd"), (425, "get_link"), (426, "set_link"), (427, "delete_link"),
        (428, "aclcheck_link"))),
    (355, (1, 2, 3, 1, 4), "extattrctl(0x1,EXTATTR_NAMESPACE_SYSTEM,0x3,0x1,0x4)"),
    (482, (1, 0x202, 0o600), "shm_open(SHM_ANON,0x202<O_RDWR|O_CREAT>,0600<S_IRUSR|S_IWUSR>)"),
    (482, (0x5000, 0, 0), "shm_open(0x5000,0<O_RDONLY>,0)"),
    (571, (1, 2, 0, 3, 0), "shm_open2(SHM_ANON,0x2<O_RDWR>,0,0x3<SHM_ALLOW_SEALING|SHM_GROW_ON_WRITE>,0)"),
    (571, (0x5000, 0, 0, 0, 0x6000), "shm_open2(0x5000,0<O_RDONLY>,0,0<0>,0x6000)"),
    (3, (2**32 - 1, 0x1000, 16), "read(0xffffffff,0x1000,0x10)"), (3, (ALL, 1, 2), "read(0xffffffffffffffff,0x1,0x2)")))
calls("call-fcntl", (
    (92, (3, 0, 0), "fcntl(0x3,F_DUPFD,0x0)"), (92, (3, 17, 5), "fcntl(0x3,F_DUPFD_CLOEXEC,0x5)"),
    (92, (3, 2, 1), "fcntl(0x3,F_SETFD,FD_CLOEXEC)"), (92, (3, 2, 5), "fcntl(0x3,F_SETFD,0x5)"),
    (92, (3, 4, 0), "fcntl(0x3,F_SETFL,0<O_RDONLY>)"),
    (92, (3, 4, 0x30e), "fcntl(0x3,F_SETFL,0x30e<O_RDWR|O_NONBLOCK|O_APPEND|FPOIXSHM|FRDAHEAD>)"),
    (92, (3, 7, 0), "fcntl(0x3,F_OGETLK,0x0)"), (92, (3, 12, 0), "fcntl(0x3,F_SETLK,0x0)"),
    (92, (3, 6, 2**32 - 5), "fcntl(0x3,F_SETOWN,0xfffffffb)"), (92, (3, 3), "fcntl(0x3,F_GETFL)")))
calls("call-fcntl-d", (
    (92, (3, 0, 10), "fcntl(3,F_DUPFD,10)"), (92, (3, 6, 2**32 - 5), "fcntl(3,F_SETOWN,-5)"),
    (92, (3, 12, 0x1000), "fcntl(3,F_SETLK,0x1000)"), (499, (2**32 - 1, 1, 0, 0), "openat(-1,1,0<O_RDONLY>)"),
    (192, (1, 99), "fpathconf(1,<invalid=99>)"), (3, (2**32 - 1, 1, 16), "read(4294967295,1,16)")), "-d")
calls("call-memory", (
    (477, (0, 4096, 0x70003, 0x6002, 3, 0), "mmap(0,0x1000,0x70003<PROT_MAX(PROT_READ|PROT_WRITE|PROT_EXEC)|"
     "PROT_READ|PROT_WRITE>,0x6002<MAP_PRIVATE|MAP_GUARD|MAP_EXCL>,0x3,0)"),
    (477, (0, 4096, 0x10000, 0x1001002, 3, 0),
     "mmap(0,0x1000,0x10000<PROT_MAX(PROT_READ)|PROT_NONE>,0x1001002<MAP_PRIVATE|MAP_ANON|MAP_ALIGNED_SUPER>,0x3,0)"),
    (197, (0, 4096, 1, 2, 3, 0, 4), "compat6.mmap(0,0x1000,0x1<PROT_READ>,0x2<MAP_PRIVATE>,0x3,0,0x4)"),
    (74, (1, 2, 8), "mprotect(0x1,0x2,0x8<><invalid>8)"), (75, (1, 2, 5), "madvise(0x1,0x2,MADV_FREE)"),
    (250, (1, 2, 3), "minherit(0x1,0x2,INHERIT_ZERO)"), (65, (1, 2, 1), "msync(0x1,0x2,0x1<MS_ASYNC>)"),
    (228, (1, 0, 0o10000), "shmat(0x1,0,0x1000<SHM_RDONLY>)"), (228, (1, 0, 0), "shmat(0x1,0,0<><invalid>0)"),
    (512, (1, 2, 3), "shmctl(0x1,IPC_STAT,0x3)"), (511, (1, 0, 3), "msgctl(0x1,IPC_RMID,0x3)"),
    (510, (1, 2, 8, 3), "__semctl(0x1,0x2,SETVAL,0x3)"),
    (221, (1, 2, 0o1666), "semget(0x1,0x2,0x3b6<IPC_CREAT|SEM_R|SEM_A|(SEM_R>>3)|(SEM_A>>3)|(SEM_R>>6)|(SEM_A>>6)>)")))
calls("call-sockets", (
    (97, (28, 0x60000002, 17), "socket(PF_INET6,0x60000002<SOCK_DGRAM|SOCK_CLOFORK|SOCK_NONBLOCK>,IPPROTO_UDP)"),
    (97, (38, 9, 0), "socket(PF_NETLINK,0x9<><invalid>9,0)"),
    (135, (1, 5, 0, 2), "socketpair(PF_LOCAL,0x5<SOCK_SEQPACKET>,0,0x2)"),
    (105, (3, 0xffff, 0x10000, 1, 4), "setsockopt(0x3,SOL_SOCKET,SO_REUSEPORT_LB,0x1,0x4)"),
    (105, (3, 0xffff, 0x9999, 1, 4), "setsockopt(0x3,SOL_SOCKET,0x9999,0x1,0x4)"),
    (118, (3, 0, 12, 1, 4), "getsockopt(0x3,IPPROTO_IP,IP_ADD_MEMBERSHIP,0x1,0x4)"),
    (105, (3, 0, 80, 1, 4), "setsockopt(0x3,IPPROTO_IP,MCAST_JOIN_GROUP,0x1,0x4)"),
    (105, (3, 41, 27, 1, 4), "setsockopt(0x3,IPPROTO_IPV6,IPV6_V6ONLY,0x1,0x4)"),
    (105, (3, 6, 256, 1, 4), "setsockopt(0x3,IPPROTO_TCP,TCP_KEEPIDLE,0x1,0x4)"),
    (105, (3, 132, 4, 1, 4), "setsockopt(0x3,IPPROTO_SCTP,SCTP_NODELAY,0x1,0x4)"),
    (105, (3, 136, 2, 1, 4), "setsockopt(0x3,IPPROTO_UDPLITE,UDPLITE_SEND_CSCOV,0x1,0x4)"),
    (118, (3, 58, 1, 1, 4), "getsockopt(0x3,IPPROTO_ICMPV6,0x1,0x1,0x4)"),
    (118, (3, 0x1609, 1, 1, 4), "getsockopt(0x3,SOL_L2CAP,0x1,0x1,0x4)"),
    (118, (3, 0x7777, 1, 1, 4), "getsockopt(0x3,0x7777,0x1,0x1,0x4)"),
    (27, (3, 1, 0xc0080), "recvmsg(0x3,0x1,0xc0080<MSG_DONTWAIT|MSG_CMSG_CLOEXEC|MSG_WAITFORONE>)"),
    (133, (3, 1, 2, 0x20001, 0, 0), "sendto(0x3,0x1,0x2,0x20001<MSG_OOB|MSG_NOSIGNAL>,0,0)"),
    (134, (3, 1), "shutdown(0x3,SHUT_WR)"), (134, (3, 7), "shutdown(0x3,<invalid=0x7>)"),
    (393, (3, 4, 5, 6, 0, 0, 0x15), "sendfile(0x3,0x4,0x5,0x6,0,0,0x15<SF_NODISKIO|SF_SYNC|SF_NOCACHE>)"),
    (54, (1, 0x402c7413, 2), "ioctl(0x1,TIOCGETA,0x2)"), (54, (1, 0x40087468, 2), "ioctl(0x1,TIOCGWINSZ,0x2)"),
    (54, (1, 0x8004667e, 2), "ioctl(0x1,FIONBIO,0x2)"), (54, (1, 0xc0106924, 2), "ioctl(0x1,SIOCGIFCONF,0x2)"),
    (54, (1, 0x4004667a, 2), "ioctl(0x1,FIODTYPE,0x2)"), (54, (1, 0xdeadbeef, 2), "ioctl(0x1,0xdeadbeef,0x2)")))
calls("call-process", (
    (7, (2**32 - 1, 1, 0x81, 0), "wait4(-1,0x1,0x81<WCOREFLAG|WNOHANG>,0)"),
    (7, (1234, 1, 0x30, 0), "wait4(1234,0x1,0x30<><invalid>48,0)"),
    (532, (7, 0, 0, 0x31, 1, 2), "wait6(P_ALL,0,0,0x31<WNOHANG|WEXITED|WTRAPPED>,0x1,0x2)"),
    (532, (12, 2**63, 0, 0x10, 0, 0), "wait6(P_JAILID,-9223372036854775808,0,0x10<WEXITED>,0,0)"),
    (37, (2**32 - 700, 15), "kill(-700,SIGTERM)"), (37, (1, 126), "kill(1,SIGRT61)"), (37, (1, 32), "kill(1,SIGTHR)"),
    (433, (100001, 6), "thr_kill(0x186a1,SIGABRT)"), (481, (1, 2, 6), "thr_kill2(0x1,0x2,0x6)"),
    (416, (30, 1, 2), "sigaction(SIGUSR1,0x1,0x2)"), (340, (2, 0, 0), "sigprocmask(SIG_UNBLOCK,0,0)"),
    (55, (0x4000,), "reboot(0x4000<RB_POWEROFF>)"), (55, (4,), "reboot(0x4<RB_AUTOBOOT|RB_NOSYNC>)"),
    (60, (0o22,), "umask(022<S_IWGRP|S_IWOTH>)"), (251, (0x2030,), "rfork(0x2030<RFPROC|RFMEM|RFTHREAD>)"),
    (194, (14, 1), "getrlimit(RLIMIT_UMTXP,0x1)"), (117, (2**32 - 1, 1), "getrusage(RUSAGE_CHILDREN,0x1)"),
    (96, (1, 2, 2**32 - 5), "setpriority(PRIO_PGRP,0x2,0xfffffffb)"), (100, (20, 0), "getpriority(PRIO_MAX,0)"),
    (26, (28, 1, 2, 3), "ptrace(PT_GET_SC_RET,0x1,0x2,0x3)"), (26, (64, 1, 2, 3), "ptrace(PT_FIRSTMACH,0x1,0x2,0x3)"),
    (544, (2, 7, 20, 1), "procctl(P_PGID,0x7,PROC_NO_NEW_PRIVS_STATUS,0x1)"),
    (544, (0, 7, 0x10000000, 1), "procctl(P_PID,0x7,PROC_PROCCTL_MD_MIN,0x1)"),
    (166, (1, 2, 3), "rtprio(RTP_SET,0x2,0x3)"), (466, (0, 2, 3), "rtprio_thread(RTP_LOOKUP,0x2,0x3)"),
    (329, (1, 3, 2), "sched_setscheduler(0x1,SCHED_RR,0x2)"), (332, (1,), "sched_get_priority_max(SCHED_FIFO)"),
    (333, (4,), "sched_get_priority_min(<invalid=0x4>)"), (430, (1, 2, 3), "thr_create(0x1,0x2,0x3<THR_SUSPENDED>)"),
    (257, (1, 2, 3, 4), "lio_listio(LIO_WAIT,0x2,0x3,0x4)"), (324, (2,), "mlockall(0x2<MCL_FUTURE>)"),
    (337, (1, 1, 2), "kldsym(0x1,KLDSYM_LOOKUP,0x2)"), (444, (1, 1), "kldunloadf(0x1,LINKER_UNLOAD_FORCE)"),
    (536, (3, 0x28), "cap_fcntls_limit(0x3,0x28<CAP_FCNTL_GETFL|CAP_FCNTL_GETOWN>)"),
    (86, (2, 1), "getitimer(ITIMER_PROF,0x1)"), (83, (0, 1, 2), "setitimer(ITIMER_REAL,0x1,0x2)"),
    (165, (130, 1), "sysarch(AMD64_GET_GSBASE,0x1)"),
    (454, (1, 0x80000002, 3, 4, 5), "_umtx_op(0x1,0x80000002<UMTX_OP__32BIT|UMTX_OP_WAIT>,0x3,0x4,0x5)"),
    (454, (1, 0, 3, 4, 5), "_umtx_op(0x1,0<UMTX_OP_RESERVED0>,0x3,0x4,0x5)"),
    (454, (1, 8, 0, 4, 5), "_umtx_op(0x1,0x8<UMTX_OP_CV_WAIT>,0,0x4,0x5)"),
    (454, (1, 8, 5, 4, 5), "_umtx_op(0x1,0x8<UMTX_OP_CV_WAIT>,0x5<CVWAIT_CHECK_UNPARKING|CVWAIT_CLOCKID>,0x4,0x5)"),
    (454, (1, 12, 2, 4, 5), "_umtx_op(0x1,0xc<UMTX_OP_RW_RDLOCK>,0x2<URWLOCK_PREFER_READER>,0x4,0x5)"),
    (454, (1, 0x8000000c, 2, 4, 5), "_umtx_op(0x1,0x8000000c<UMTX_OP__32BIT|UMTX_OP_RW_RDLOCK>,0x2,0x4,0x5)")))
# A call without arguments, one that nothing is known of, and more arguments than a call has.
calls("call-plain", ((20, (), "getpid"), (20, (1,), "getpid(0x1)"), (600, (1, 2), "pdrfork(0x1,0x2)"),
                     (6, (1, 2, 3), "close(0x1,0x2,0x3)"), (700, (1, 2), "[700](0x1,0x2)")))
calls("call-n", ((5, (1, 0x601, 0o644), "open(0x1,0x601,0x1a4)"), (92, (3, 3, 7), "fcntl(0x3,0x3,0x7)"),
                 (37, (2**32 - 1, 9), "kill(0xffffffff,0x9)")), "-n")
# 64-bit arguments of 32-bit programs, under a 64-bit kernel and in a file of FreeBSD/i386.
WIDE = (((478, (3, 0x80, 1, 0), "lseek(0x3,0x100000080,SEEK_SET)"),
         (478, (3, 2**32 - 1, 2**32 - 1, 1), "lseek(0x3,0xffffffffffffffff,SEEK_CUR)"),
         (199, (3, 9, 16, 1, 2), "compat6.lseek(0x3,0x9,0x100000010,SEEK_END)"),
         (480, (3, 0, 2), "ftruncate(0x3,0x200000000)"), (479, (1, 5, 0), "truncate(0x1,0x5)"),
         (532, (0, 5, 1, 0, 16, 0, 0), "wait6(P_PID,4294967301,0,0x10<WEXITED>,0,0)"),
         (544, (2, 7, 0, 7, 1), "procctl(P_PGID,0x7,PROC_TRACE_CTL,0x1)"),
         (475, (3, 1, 2, 5, 1), "pread(0x3,0x1,0x2,0x5,0x1)"),
         (393, (3, 4, 0, 1, 6, 0, 0, 2), "sendfile(0x3,0x4,0x100000000,0x6,0,0,0x2<SF_MNOWAIT>)")))
for NAME, DATA in (("wide-freebsd32", F32 + b"".join(v0(SYSCALL, call(code, *args)) for code, args, _ in WIDE)),
                   ("wide-i386", b"".join(i386(SYSCALL, call32(code, *args)) for code, args, _ in WIDE))):
    case("freebsd." + NAME, DATA, "", "".join(LINE + "CALL  %s\n" % text for _, _, text in WIDE))
case("freebsd.wide-cut", F32 + v0(SYSCALL, call(478, 3, 0x80)) + v0(SYSCALL, call(478, 3)), "",
     LINE + "CALL  lseek(0x3,0x80)\n" + LINE + "CALL  lseek(0x3)\n")
case("freebsd.decimal-32", F32 + v0(SYSCALL, call(3, 1, 0xbfbfe000, 2**32 - 1)), "-d",
     LINE + "CALL  read(1,3217022976,4294967295)\n")
case("freebsd.decimal-i386", i386(PROCCTOR, ctor(FREEBSD32)) + i386(SYSCALL, call32(3, 1, 0xbfbfe000, 2**32 - 1)), "-d",
     LINE + "CALL  read(1,-1077944320,-1)\n")

# Structures ---------------------------------------------------------------------------------------------------------


def structs(name, vectors, record=v0):
    """Each is (name of the structure, its bytes, text)."""
    case("freebsd." + name, record(PROCCTOR, ctor(FREEBSD64 if record == v0 else FREEBSD32)) +
         b"".join(record(STRUCT, kind + b"\0" + data) for kind, data, _ in vectors), "",
         "".join(LINE + "STRU  %s\n" % text for _, _, text in vectors))


# Word 0 and 1 of cap_rights_t.
RIGHTS = (1 << 57, 1 << 58)
THREAD = struct.pack("<8QIIQ24x", 0x401000, 0, 0x7f0000, 4096, 0x8000, 0, 0x9000, 0, 1, 0, 0)
THREAD32 = struct.pack("<8III12x", 0x401000, 1, 2, 3, 4, 5, 6, 7, 0, 9)
structs("struct-own", (
    (b"caprights", struct.pack("<2Q", RIGHTS[0] | 3, RIGHTS[1] | 0x20), "cap_rights_t CAP_READ,CAP_WRITE,CAP_EVENT"),
    (b"caprights", struct.pack("<2Q", *RIGHTS), "cap_rights_t "),
    (b"caprights", bytes(16), "cap_rights_t invalid cap_rights_t"), (b"caprights", bytes(15), "invalid record"),
    (b"cpuset_t", b"\x05\x80" + bytes(30), "cpuset_t [ 0, 2, 15 ]"), (b"cpuset_t", bytes(32), "cpuset_t [  empty ]"),
    (b"cpuset_t", bytes(4095) + b"\x80", "cpuset_t [ 32767 ]"), (b"cpuset_t", b"\1" * 4097, "invalid record"),
    (b"inotify", struct.pack("<iIII16s", 1, 0x100, 7, 16, b"a\x1b[m"),
     "inotify { .wd = 1, .mask = 0x100, .cookie = 7, .len = 16, .name = a\\033[m }"),
    (b"inotify", struct.pack("<iIII", -1, 0, 0, 0), "inotify { .wd = -1, .mask = 0, .cookie = 0, .len = 0, .name =  }"),
    (b"inotify", struct.pack("<iIII3s", 1, 1, 0, 3, b"abc"),
     "inotify { .wd = 1, .mask = 0x1, .cookie = 0, .len = 3, .name = abc }"),
    (b"inotify", bytes(15), "invalid record"), (b"inotify", bytes(273), "invalid record"),
    (b"splice", struct.pack("<iIqqq", 4, 0xdead, 4096, 1, 5), "struct splice { fd=4, max=0x1000, idle=1.000005 }"),
    (b"splice", bytes(31), "invalid record"),
    (b"thrparam", THREAD, "thr param { start=0x401000 arg=0x0 stack_base=0x7f0000 stack_size=0x1000 tls_base=0x8000 "
     "tls_size=0 child_tidp=0x9000 parent_tidp=0x0 flags=0x1<THR_SUSPENDED> rtp=0x0 }"),
    (b"thrparam", bytes(103), "invalid record")))
structs("struct-own-i386", (
    (b"splice", struct.pack("<iqii", 4, 2**40, -1, 5), "struct splice { fd=4, max=0x10000000000, idle=-1.000005 }"),
    (b"thrparam", THREAD32, "thr param { start=0x401000 arg=0x1 stack_base=0x2 stack_size=0x3 tls_base=0x4 "
     "tls_size=0x5 child_tidp=0x6 parent_tidp=0x7 flags=0<><invalid>0 rtp=0x9 }")), i386)
# struct stat of i386: of 12 and later (208 bytes; an unused word before each time), and older (96).
STAT_I386 = struct.pack("<QQQHHIIIQ", 9, 4242, 2, 0o100644, 0, 1, 2, 0, 7) + \
    struct.pack("<12i", 99, 1, 5, 99, 2, 0, 99, 3, 0, 99, -1, 0) + struct.pack("<qqIIQ80x", 10, 8, 4096, 0x20, 6)
OLD_STAT_I386 = struct.pack("<IIHHIIi6iqqIIIi2i8x", 9, 4242, 0o40755, 2, 1, 2, 7, 1, 5, 2, 0, 3, 0, 10, 8, 4096, 0x20, 6,
                            0, -1, 0)
for NAME, DATA, MODE in (("208", STAT_I386, "0100644"), ("96", OLD_STAT_I386, "040755")):
    assert len(DATA) == int(NAME)
    structs("stat-i386-" + NAME, ((b"stat", DATA, "struct stat {dev=9, ino=4242, mode=%s, nlink=2, uid=1, gid=2, "
             "rdev=7, atime=1.000000005, mtime=2, ctime=3, birthtime=-1, size=10, blksize=4096, blocks=8, "
             "flags=0x20 }" % MODE),), i386)
# kevent(2) of programs for FreeBSD 11, as 15 calls them.
OLD_KEVENT = struct.pack("<QhHIqQ", 3, -1, 1, 0, -5, 0)
OLD_KEVENT32 = struct.pack("<IhHIiI", 3, -1, 1, 0, -5, 0)
KEVENT = "{ ident=3, filter=EVFILT_READ, flags=0x1<EV_ADD>, fflags=0, data=0xfffffffffffffffb, udata=0x0 }"
case("freebsd.kevent-15", v0(STRUCT_ARRAY, array(32, b"freebsd11_kevent", OLD_KEVENT)) +
     v0(STRUCT_ARRAY, array(20, b"freebsd11_kevent32", OLD_KEVENT32 * 2)) +
     v0(STRUCT_ARRAY, array(20, b"kevent32_freebsd11", OLD_KEVENT32)) +
     v0(STRUCT_ARRAY, array(20, b"freebsd11_kevent", OLD_KEVENT32)), "",
     LINE + "STRU  struct freebsd11_kevent[] = { %s }\n" % KEVENT +
     LINE + "STRU  struct freebsd11_kevent32[] = { %s\n             %s }\n" % (KEVENT, KEVENT) +
     LINE + "STRU  struct kevent32_freebsd11[] = { %s }\n" % KEVENT +
     LINE + "STRU  struct freebsd11_kevent[] = { <bad size> }\n")

# Other records ------------------------------------------------------------------------------------------------------

MESSAGES = ((b"no numbers", "no numbers"), (b"%jx %ju", "5 16"), (b"%#jx,%jd", "0x5,16"), (b"%d%%", "5%%"),
            (b"%lld and %i and %u", "5 and 16 and %u"), (b"%s%n", "%s%n"), (b"%100000000u", "%100000000u"),
            (b"%*d", "%*d"), (b"%", "%"), (b"%#", "%#"), (b"%jjjjx|%lu", "5|16"), (b"x" * 127 + b"%", "x" * 127 + "%"),
            (b"\x1b%x\x1b", "\\0335\\033"))
case("freebsd.exterr-messages", b"".join(v0(EXTERR, exterr(22, 3, 1, 5, 16, text)) for text, _ in MESSAGES), "",
     "".join(LINE + 'EERR  { errno 22 sys/kern/kern_ktrace.c:1 "%s" (category 3 p1 0x5 p2 0x10) }\n' % text
             for _, text in MESSAGES))
BAD_FCNTL = v1(CAPFAIL, capfail_new(2, 92, FREEBSD64, struct.pack("<i", 99)))
case("freebsd.capfail-invalid", BAD_FCNTL, "", LINE + "CAP   system call not allowed: fcntl, cmd: <invalid=0x63>\n")
case("freebsd.capfail-invalid-d", BAD_FCNTL, "-d", LINE + "CAP   system call not allowed: fcntl, cmd: <invalid=99>\n")
# A file with v1 headers, as FreeBSD 14 and later write it; numbers are FreeBSD's, with and without a PROCCTOR.
LATER = b"".join(record for record in (
    v1(SYSCALL, call(499, CWD, 0x1000, 0, 0), cpu=1), v1(NAMEI, b"/etc"), v1(SYSRET, ret(499, 0, 35)),
    v1(SYSRET, ret(499, 0, 93)), v1(SYSRET, ret(59, 0, -2)), v1(PSIG, psig(30, 0, 0x10007)), v1(PSIG, psig(7)),
    v1(GENIO, gio(1, 1, b"x")), v1(CSW, struct.pack("<ii8s", 1, 0, b"select"))))
LATER_TEXT = ("CALL  openat(AT_FDCWD,0x1000,0<O_RDONLY>)", 'NAMI  "/etc"',
              "RET   openat -1 errno 35 Resource temporarily unavailable",
              "RET   openat -1 errno 93 Capabilities insufficient",
              "RET   execve JUSTRETURN", "PSIG  SIGUSR1 SIG_DFL code=SI_LWP", "PSIG  SIGEMT SIG_DFL code=SI_USER",
              'GIO   fd 1 wrote 1 byte\n       "x"', 'CSW   stop kernel "select"')
for NAME, BEGIN in (("unknown", b""), ("known", v1(PROCCTOR, ctor(FREEBSD64)))):
    case("freebsd.v1-" + NAME, BEGIN + LATER, "", "".join(LINE + text + "\n" for text in LATER_TEXT))
