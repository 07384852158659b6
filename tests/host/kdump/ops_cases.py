# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Arguments of Linux calls that have many operations: what the arguments are depends on one of them."""
from args_cases import JUNK, L32, M1, P, Q, arguments

# ioctl --------------------------------------------------------------------------------------------------------------

arguments("ioctl", (
    ((1, 0x5401, P), "ioctl(0x1,TCGETS,0x7f2a5c000000)"),
    ((0, JUNK | 0x5413, P), "ioctl(0,TIOCGWINSZ,0x7f2a5c000000)"),
    ((JUNK | 0xffffffff, 0x541b, P), "ioctl(-1,FIONREAD,0x7f2a5c000000)"),
    ((3, 0x80081272, P), "ioctl(0x3,BLKGETSIZE64,0x7f2a5c000000)"),
    ((3, 0xc020660b, P), "ioctl(0x3,FS_IOC_FIEMAP,0x7f2a5c000000)"),
    ((3, 0x400454ca, P), "ioctl(0x3,TUNSETIFF,0x7f2a5c000000)"),
    ((3, 0x8933, P), "ioctl(0x3,SIOCGIFINDEX,0x7f2a5c000000)"),
    ((3, 0x89f3, P), "ioctl(0x3,SIOCDEVPRIVATE+3,0x7f2a5c000000)"),
    ((3, 0x2285, P), "ioctl(0x3,SG_IO,0x7f2a5c000000)"),
    ((3, 0x80246919, 0), "ioctl(0x3,_IOR('i',0x19,0x24),0)")))
# Requests whose size or number is a parameter.
arguments("ioctl-ranges", (
    ((3, 0x81004506, P), "ioctl(0x3,EVIOCGNAME,0x7f2a5c000000)"),
    ((3, 0x80404506, P), "ioctl(0x3,EVIOCGNAME,0x7f2a5c000000)"),
    ((3, 0x80084521, P), "ioctl(0x3,EVIOCGBIT,0x7f2a5c000000)"),
    ((3, 0x8018457f, P), "ioctl(0x3,EVIOCGABS,0x7f2a5c000000)"),
    ((3, 0x401845c1, P), "ioctl(0x3,EVIOCSABS,0x7f2a5c000000)"),
    ((3, 0x80804804, P), "ioctl(0x3,HIDIOCGRAWNAME,0x7f2a5c000000)"),
    ((3, 0x40206b00, P), "ioctl(0x3,SPI_IOC_MESSAGE,0x7f2a5c000000)")))
UNKNOWN_REQUESTS = (0x5499, 0x40045499, 0x80105499, 0xc0ff5499, 0x80041b99, 0x80042799, 0x8004ff99,
                    0x20005499, 0x20045499, 0x99, 0xffffffff)
arguments("ioctl-unknown", tuple(
    ((3, request, 1), "ioctl(0x3,%s,0x1)" % text) for request, text in zip(UNKNOWN_REQUESTS, (
        "_IO('T',0x99)", "_IOW('T',0x99,0x4)", "_IOR('T',0x99,0x10)", "_IOWR('T',0x99,0xff)", "_IOR(0x1b,0x99,0x4)",
        "_IOR(0x27,0x99,0x4)", "_IOR(0xff,0x99,0x4)", "0x20005499", "0x20045499", "0x99",
        "_IOWR(0xff,0xff,0x3fff)"))))
arguments("ioctl-unknown-d", (
    ((3, 0x5499, 1), "ioctl(3,21657,1)"), ((3, 0xc0ff5499, 1), "ioctl(3,-1057008487,1)"),
    ((3, 0x5401, 16), "ioctl(3,TCGETS,16)")), "-d")
arguments("ioctl-n", (((3, 0x5401, P), "ioctl(0x3,0x5401,0x7f2a5c000000)"),
                      ((3, 0x40049409, 5), "ioctl(0x3,0x40049409,0x5)")), "-n")
arguments("ioctl-arguments", (
    ((3, 0x40049409, JUNK | 5), "ioctl(0x3,FICLONE,0x5)"),
    ((3, 0x540b, 2), "ioctl(0x3,TCFLSH,TCIOFLUSH)"), ((3, 0x540b, 7), "ioctl(0x3,TCFLSH,<invalid=0x7>)"),
    ((3, 0x540a, 1), "ioctl(0x3,TCXONC,TCOON)"),
    ((3, 0x5451, P), "ioctl(0x3,FIOCLEX)"), ((3, 0xb702, P), "ioctl(0x3,NS_GET_PARENT)"),
    ((3, 0x4b3a, 1), "ioctl(0x3,KDSETMODE,KD_GRAPHICS)"), ((3, 0x5606, 7), "ioctl(0x3,VT_ACTIVATE,0x7)"),
    ((3, 0x2400, 1), "ioctl(0x3,PERF_EVENT_IOC_ENABLE,0x1<PERF_IOC_FLAG_GROUP>)"),
    ((3, 0x2403, 0), "ioctl(0x3,PERF_EVENT_IOC_RESET,0)"),
    ((3, 0x5441, 0x80102), "ioctl(0x3,TIOCGPTPEER,0x80102<O_RDWR|O_NOCTTY|O_CLOEXEC>)")))
# The same request has another number where a long or a pointer is in it.
arguments("ioctl-64", (
    ((3, 0x80086601, P), "ioctl(0x3,FS_IOC_GETFLAGS,0x7f2a5c000000)"),
    ((3, 0x4008550d, P), "ioctl(0x3,USBDEVFS_REAPURBNDELAY,0x7f2a5c000000)"),
    ((3, 0x40087447, 0), "ioctl(0x3,_IOW('t',0x47,0x8),0)")))
arguments("ioctl-32", (
    ((1, 0x5401, Q), "ioctl(0x1,TCGETS,0x8049000)"),
    ((3, 0x80046601, Q), "ioctl(0x3,FS_IOC_GETFLAGS,0x8049000)"),
    ((3, 0x80041272, Q), "ioctl(0x3,BLKGETSIZE64,0x8049000)"),
    ((3, 0x4004550d, Q), "ioctl(0x3,USBDEVFS_REAPURBNDELAY,0x8049000)"),
    ((3, 0x40087447, Q), "ioctl(0x3,PPPIOCSPASS,0x8049000)"),
    ((3, 0x81004506, Q), "ioctl(0x3,EVIOCGNAME,0x8049000)"),
    ((3, 0x40049409, 5), "ioctl(0x3,FICLONE,0x5)"),
    ((3, 0x5499, 5), "ioctl(0x3,_IO('T',0x99),0x5)")), begin=L32)

# Sockets ------------------------------------------------------------------------------------------------------------

arguments("socket", (
    ((2, 1, 0), "socket(AF_INET,0x1<SOCK_STREAM>,IPPROTO_IP)"),
    ((2, 0x80801, 6), "socket(AF_INET,0x80801<SOCK_STREAM|SOCK_NONBLOCK|SOCK_CLOEXEC>,IPPROTO_TCP)"),
    ((10, 2, 17), "socket(AF_INET6,0x2<SOCK_DGRAM>,IPPROTO_UDP)"),
    ((10, 3, 58), "socket(AF_INET6,0x3<SOCK_RAW>,IPPROTO_ICMPV6)"),
    ((2, 1, 250), "socket(AF_INET,0x1<SOCK_STREAM>,<invalid=0xfa>)"),
    ((1, 5, 0), "socket(AF_UNIX,0x5<SOCK_SEQPACKET>,0)"),
    ((16, 0x80003, 15), "socket(AF_NETLINK,0x80003<SOCK_RAW|SOCK_CLOEXEC>,NETLINK_KOBJECT_UEVENT)"),
    ((17, 3, 0x0300), "socket(AF_PACKET,0x3<SOCK_RAW>,ETH_P_ALL)"),
    ((17, 2, 0x0608), "socket(AF_PACKET,0x2<SOCK_DGRAM>,ETH_P_ARP)"),
    ((17, 2, 0x1234), "socket(AF_PACKET,0x2<SOCK_DGRAM>,0x1234)"),
    ((29, 3, 1), "socket(AF_CAN,0x3<SOCK_RAW>,CAN_RAW)"),
    ((31, 1, 3), "socket(AF_BLUETOOTH,0x1<SOCK_STREAM>,BTPROTO_RFCOMM)"),
    ((40, 1, 0), "socket(AF_VSOCK,0x1<SOCK_STREAM>,0)"),
    ((99, 7, 1), "socket(<invalid=0x63>,0x7<><invalid>7,0x1)"),
    ((JUNK | 2, JUNK | 1, JUNK | 6), "socket(AF_INET,0x1<SOCK_STREAM>,IPPROTO_TCP)")))
arguments("socket-n", (((2, 0x80001, 6), "socket(0x2,0x80001,0x6)"),), "-n")
arguments("socketpair", (
    ((1, 1, 0, P), "socketpair(AF_UNIX,0x1<SOCK_STREAM>,0,0x7f2a5c000000)"),
    ((2, 1, 6, P), "socketpair(AF_INET,0x1<SOCK_STREAM>,IPPROTO_TCP,0x7f2a5c000000)")))
arguments("socket-calls", (
    ((3, P, 16), "connect(0x3,0x7f2a5c000000,0x10)"), ((3, P, 110), "bind(0x3,0x7f2a5c000000,0x6e)"),
    ((3, 4096), "listen(0x3,0x1000)"), ((3, P, P + 16), "accept(0x3,0x7f2a5c000000,0x7f2a5c000010)"),
    ((3, 0, 0, 0x80800), "accept4(0x3,0,0,0x80800<SOCK_NONBLOCK|SOCK_CLOEXEC>)"), ((3, 0, 0, 0), "accept4(0x3,0,0,0)"),
    ((3, 1), "shutdown(0x3,SHUT_WR)"), ((3, 3), "shutdown(0x3,<invalid=0x3>)"),
    ((3, P, 64, 0x4040, 0, 0), "sendto(0x3,0x7f2a5c000000,0x40,0x4040<MSG_DONTWAIT|MSG_NOSIGNAL>,0,0)"),
    ((3, P, 64, 0x102, 0, 0), "recvfrom(0x3,0x7f2a5c000000,0x40,0x102<MSG_PEEK|MSG_WAITALL>,0,0)"),
    ((3, P, 0x40000000), "recvmsg(0x3,0x7f2a5c000000,0x40000000<MSG_CMSG_CLOEXEC>)"),
    ((3, P, 0x8000), "sendmsg(0x3,0x7f2a5c000000,0x8000<MSG_MORE>)"), ((3, P, 0), "sendmsg(0x3,0x7f2a5c000000,0)"),
    ((3, P, 8, 0), "sendmmsg(0x3,0x7f2a5c000000,0x8,0)"),
    ((3, P, 8, 0x10000, 0), "recvmmsg(0x3,0x7f2a5c000000,0x8,0x10000<MSG_WAITFORONE>,0)")))
arguments("sockopt", (
    ((3, 1, 2, P, 4), "setsockopt(0x3,SOL_SOCKET,SO_REUSEADDR,0x7f2a5c000000,0x4)"),
    ((3, 1, 20, P, 16), "setsockopt(0x3,SOL_SOCKET,SO_RCVTIMEO,0x7f2a5c000000,0x10)"),
    ((3, 6, 1, P, 4), "setsockopt(0x3,SOL_TCP,TCP_NODELAY,0x7f2a5c000000,0x4)"),
    ((3, 6, 999, P, 4), "setsockopt(0x3,SOL_TCP,0x3e7,0x7f2a5c000000,0x4)"),
    ((3, 17, 103, P, 4), "setsockopt(0x3,SOL_UDP,UDP_SEGMENT,0x7f2a5c000000,0x4)"),
    ((3, 0, 1, P, 4), "setsockopt(0x3,SOL_IP,IP_TOS,0x7f2a5c000000,0x4)"),
    ((3, 0, 64, P, 4), "setsockopt(0x3,SOL_IP,IPT_SO_SET_REPLACE,0x7f2a5c000000,0x4)"),
    ((3, 41, 26, P, 4), "setsockopt(0x3,SOL_IPV6,IPV6_V6ONLY,0x7f2a5c000000,0x4)"),
    ((3, 263, 5, P, 16), "setsockopt(0x3,SOL_PACKET,PACKET_RX_RING,0x7f2a5c000000,0x10)"),
    ((3, 270, 1, P, 4), "setsockopt(0x3,SOL_NETLINK,NETLINK_ADD_MEMBERSHIP,0x7f2a5c000000,0x4)"),
    ((3, 279, 1, P, 32), "setsockopt(0x3,SOL_ALG,ALG_SET_KEY,0x7f2a5c000000,0x20)"),
    ((3, 282, 1, P, 40), "setsockopt(0x3,SOL_TLS,TLS_TX,0x7f2a5c000000,0x28)"),
    ((3, 283, 4, P, 32), "setsockopt(0x3,SOL_XDP,XDP_UMEM_REG,0x7f2a5c000000,0x20)"),
    ((3, 101, 1, P, 8), "setsockopt(0x3,SOL_CAN_RAW,CAN_RAW_FILTER,0x7f2a5c000000,0x8)"),
    ((3, 40, 0, P, 8), "setsockopt(0x3,AF_VSOCK,SO_VM_SOCKETS_BUFFER_SIZE,0x7f2a5c000000,0x8)"),
    ((3, 999, 1, P, 4), "setsockopt(0x3,0x3e7,0x1,0x7f2a5c000000,0x4)"),
    ((3, 1, 4, P, P + 8), "getsockopt(0x3,SOL_SOCKET,SO_ERROR,0x7f2a5c000000,0x7f2a5c000008)"),
    ((3, 0, 64, P, P + 8), "getsockopt(0x3,SOL_IP,IPT_SO_GET_INFO,0x7f2a5c000000,0x7f2a5c000008)"),
    ((3, 0, 66, P, P + 8), "getsockopt(0x3,SOL_IP,IPT_SO_GET_REVISION_MATCH,0x7f2a5c000000,0x7f2a5c000008)"),
    ((3, 41, 65, P, P + 8), "getsockopt(0x3,SOL_IPV6,IP6T_SO_GET_ENTRIES,0x7f2a5c000000,0x7f2a5c000008)"),
    ((3, 6, 11, P, P + 8), "getsockopt(0x3,SOL_TCP,TCP_INFO,0x7f2a5c000000,0x7f2a5c000008)")))
arguments("sockopt-n", (((3, 6, 1, P, 4), "setsockopt(0x3,0x6,0x1,0x7f2a5c000000,0x4)"),), "-n")
arguments("sockets-32", (
    ((3, Q), "socketcall(SYS_CONNECT,0x8049000)"), ((18, Q), "socketcall(SYS_ACCEPT4,0x8049000)"),
    ((99, Q), "socketcall(<invalid=0x63>,0x8049000)"),
    ((2, 1, 6), "socket(AF_INET,0x1<SOCK_STREAM>,IPPROTO_TCP)"),
    ((3, 1, 2, Q, 4), "setsockopt(0x3,SOL_SOCKET,SO_REUSEADDR,0x8049000,0x4)"),
    ((3, Q, 1, 0, 0), "recvmmsg_time64(0x3,0x8049000,0x1,0,0)")), begin=L32)

# futex --------------------------------------------------------------------------------------------------------------

WHAT = (P, 7, P + 64, P + 8, M1)  # arguments after the operation, of which it uses some


def futex(name, rows, options=""):
    arguments(name, tuple(((P, op) + WHAT[1:], text) for op, text in rows), options)


futex("futex", (
    (0, "futex(0x7f2a5c000000,0<FUTEX_WAIT>,0x7,0x7f2a5c000040)"),
    (0x81, "futex(0x7f2a5c000000,0x81<FUTEX_WAKE|FUTEX_PRIVATE_FLAG>,0x7)"),
    (3, "futex(0x7f2a5c000000,0x3<FUTEX_REQUEUE>,0x7,0x5c000040,0x7f2a5c000008)"),
    (0x84, "futex(0x7f2a5c000000,0x84<FUTEX_CMP_REQUEUE|FUTEX_PRIVATE_FLAG>,0x7,0x5c000040,0x7f2a5c000008,0xffffffff)"),
    (0x86, "futex(0x7f2a5c000000,0x86<FUTEX_LOCK_PI|FUTEX_PRIVATE_FLAG>,0x7f2a5c000040)"),
    (7, "futex(0x7f2a5c000000,0x7<FUTEX_UNLOCK_PI>)"),
    (0x189, "futex(0x7f2a5c000000,0x189<FUTEX_WAIT_BITSET|FUTEX_PRIVATE_FLAG|FUTEX_CLOCK_REALTIME>,0x7,0x7f2a5c000040,"
            "FUTEX_BITSET_MATCH_ANY)"),
    (10, "futex(0x7f2a5c000000,0xa<FUTEX_WAKE_BITSET>,0x7,FUTEX_BITSET_MATCH_ANY)"),
    (JUNK | 1, "futex(0x7f2a5c000000,0x1<FUTEX_WAKE>,0x7)"),
    (0x64, "futex(0x7f2a5c000000,0x64<><invalid>100,0x7,0x7f2a5c000040,0x7f2a5c000008,0xffffffff)")))
futex("futex-n", ((0x81, "futex(0x7f2a5c000000,0x81,0x7,0x7f2a5c000040,0x7f2a5c000008,0xffffffffffffffff)"),), "-n")
arguments("futex-32", (
    ((Q, 0x80, 2, 0, 5, 6), "futex(0x8049000,0x80<FUTEX_WAIT|FUTEX_PRIVATE_FLAG>,0x2,0)"),
    ((Q, 0x81, 1, 5, 6, 7), "futex_time64(0x8049000,0x81<FUTEX_WAKE|FUTEX_PRIVATE_FLAG>,0x1)"),
    ((Q, 9, 1, 5, 6, 8), "futex_time64(0x8049000,0x9<FUTEX_WAIT_BITSET>,0x1,0x5,0x8)")), begin=L32)
arguments("futex2", (
    ((P, 2, 0, 0, 1), "futex_waitv(0x7f2a5c000000,0x2,0,0,CLOCK_MONOTONIC)"),
    ((P, 0xff, 1, 0x82), "futex_wake(0x7f2a5c000000,0xff,0x1,0x82<FUTEX2_SIZE_U32|FUTEX2_PRIVATE>)"),
    ((P, 1, 0xff, 2, 0, 0), "futex_wait(0x7f2a5c000000,0x1,0xff,0x2<FUTEX2_SIZE_U32>,0,CLOCK_REALTIME)"),
    ((P, 0, 1, 2), "futex_requeue(0x7f2a5c000000,0,0x1,0x2)")))

# Processes ----------------------------------------------------------------------------------------------------------

arguments("prctl", (
    ((1, 9, 5, 5, 5), "prctl(PR_SET_PDEATHSIG,SIGKILL)"), ((2, P, 5, 5, 5), "prctl(PR_GET_PDEATHSIG,0x7f2a5c000000)"),
    ((3, 5, 5, 5, 5), "prctl(PR_GET_DUMPABLE)"), ((4, 1, 5, 5, 5), "prctl(PR_SET_DUMPABLE,SUID_DUMP_USER)"),
    ((15, P, 5, 5, 5), "prctl(PR_SET_NAME,0x7f2a5c000000)"),
    ((22, 2, P, 5, 5), "prctl(PR_SET_SECCOMP,SECCOMP_MODE_FILTER,0x7f2a5c000000)"),
    ((23, 21, 5, 5, 5), "prctl(PR_CAPBSET_READ,CAP_SYS_ADMIN)"),
    ((24, 99, 0, 0, 0), "prctl(PR_CAPBSET_DROP,<invalid=0x63>)"),
    ((28, 0x2f, 0, 0, 0), "prctl(PR_SET_SECUREBITS,0x2f<SECBIT_NOROOT|SECBIT_NOROOT_LOCKED|SECBIT_NO_SETUID_FIXUP|"
                          "SECBIT_NO_SETUID_FIXUP_LOCKED|SECBIT_KEEP_CAPS_LOCKED>)"),
    ((33, 0, 0, 0, 0), "prctl(PR_MCE_KILL,PR_MCE_KILL_CLEAR,0,0,0)"),
    ((33, 1, 1, 0, 0), "prctl(PR_MCE_KILL,PR_MCE_KILL_SET,PR_MCE_KILL_EARLY,0,0)"),
    ((35, 8, P, 0, 0), "prctl(PR_SET_MM,PR_SET_MM_ARG_START,0x7f2a5c000000,0,0)"),
    ((35, 13, 4, 0, 0), "prctl(PR_SET_MM,PR_SET_MM_EXE_FILE,0x4,0,0)"),
    ((38, 1, 0, 0, 0), "prctl(PR_SET_NO_NEW_PRIVS,0x1,0,0,0)"),
    ((47, 2, 12, 0, 0), "prctl(PR_CAP_AMBIENT,PR_CAP_AMBIENT_RAISE,CAP_NET_ADMIN,0,0)"),
    ((47, 4, 0, 0, 0), "prctl(PR_CAP_AMBIENT,PR_CAP_AMBIENT_CLEAR_ALL,0,0,0)"),
    ((53, 0, 4, 0, 0), "prctl(PR_SET_SPECULATION_CTRL,PR_SPEC_STORE_BYPASS,0x4<PR_SPEC_DISABLE>,0,0)"),
    ((59, 1, P, 4096, P + 8),
     "prctl(PR_SET_SYSCALL_USER_DISPATCH,PR_SYS_DISPATCH_EXCLUSIVE_ON,0x7f2a5c000000,0x1000,0x7f2a5c000008)"),
    ((62, 1, 1234, 2, 0), "prctl(PR_SCHED_CORE,PR_SCHED_CORE_CREATE,1234,PR_SCHED_CORE_SCOPE_PROCESS_GROUP,0)"),
    ((0x53564d41, 0, P, 4096, P + 8), "prctl(PR_SET_VMA,PR_SET_VMA_ANON_NAME,0x7f2a5c000000,0x1000,0x7f2a5c000008)"),
    ((0x59616d61, 1234, 5, 5, 5), "prctl(PR_SET_PTRACER,1234)"),
    ((0x59616d61, M1, 5, 5, 5), "prctl(PR_SET_PTRACER,PR_SET_PTRACER_ANY)"),
    ((9999, 1, 2, 3, 4), "prctl(0x270f,0x1,0x2,0x3,0x4)")))
arguments("prctl-n", (((15, P, 5, 5, 5), "prctl(0xf,0x7f2a5c000000,0x5,0x5,0x5)"),), "-n")
arguments("prctl-32", (
    ((15, Q, 5, 5, 5), "prctl(PR_SET_NAME,0x8049000)"),
    ((0x59616d61, 0xffffffff, 5, 5, 5), "prctl(PR_SET_PTRACER,PR_SET_PTRACER_ANY)"),
    ((23, 21, 5, 5, 5), "prctl(PR_CAPBSET_READ,CAP_SYS_ADMIN)")), begin=L32)
arguments("arch_prctl", (
    ((0x1002, P), "arch_prctl(ARCH_SET_FS,0x7f2a5c000000)"), ((0x1012, 0), "arch_prctl(ARCH_SET_CPUID,0)"),
    ((0x1011, P), "arch_prctl(ARCH_GET_CPUID)"), ((0x1023, 18), "arch_prctl(ARCH_REQ_XCOMP_PERM,ARCH_XCOMP_TILEDATA)"),
    ((0x5001, 1), "arch_prctl(ARCH_SHSTK_ENABLE,0x1<ARCH_SHSTK_SHSTK>)"), ((0x3001, 0), "arch_prctl(0x3001,0)")))
arguments("ptrace", (
    ((0, 5, 5, 5), "ptrace(PTRACE_TRACEME)"), ((16, 1234, 0, 0), "ptrace(PTRACE_ATTACH,1234)"),
    ((7, 1234, 1, 0), "ptrace(PTRACE_CONT,1234,0x1,0)"), ((24, 1234, 0, 10), "ptrace(PTRACE_SYSCALL,1234,0,SIGUSR1)"),
    ((17, 1234, 0, 19), "ptrace(PTRACE_DETACH,1234,0,SIGSTOP)"),
    ((2, 1234, P, P + 8), "ptrace(PTRACE_PEEKDATA,1234,0x7f2a5c000000,0x7f2a5c000008)"),
    ((0x4206, 1234, 0, 0x100001), "ptrace(PTRACE_SEIZE,1234,0,0x100001<PTRACE_O_TRACESYSGOOD|PTRACE_O_EXITKILL>)"),
    ((0x4200, 1234, 0, 0), "ptrace(PTRACE_SETOPTIONS,1234,0,0)"),
    ((0x4204, 1234, 0x202, P), "ptrace(PTRACE_GETREGSET,1234,NT_X86_XSTATE,0x7f2a5c000000)"),
    ((30, 1234, P, 0x1003), "ptrace(PTRACE_ARCH_PRCTL,1234,0x7f2a5c000000,ARCH_GET_FS)"),
    ((999, 1234, P, 0), "ptrace(<invalid=0x3e7>,1234,0x7f2a5c000000,0)")))
arguments("ptrace-32", (((12, 1234, 0, Q), "ptrace(PTRACE_GETREGS,1234,0,0x8049000)"),), begin=L32)
arguments("seccomp-bpf-perf", (
    ((1, 0x9, P), "seccomp(SECCOMP_SET_MODE_FILTER,0x9<SECCOMP_FILTER_FLAG_TSYNC|SECCOMP_FILTER_FLAG_NEW_LISTENER>,"
                  "0x7f2a5c000000)"),
    ((2, 0, P), "seccomp(SECCOMP_GET_ACTION_AVAIL,0,0x7f2a5c000000)"),
    ((5, P, 128), "bpf(BPF_PROG_LOAD,0x7f2a5c000000,0x80)"), ((28, P, 64), "bpf(BPF_LINK_CREATE,0x7f2a5c000000,0x40)"),
    ((999, P, 64), "bpf(<invalid=0x3e7>,0x7f2a5c000000,0x40)"),
    ((P, 1234, M1, M1, 8), "perf_event_open(0x7f2a5c000000,1234,-1,-1,0x8<PERF_FLAG_FD_CLOEXEC>)")))
arguments("keys", (
    ((P, P, P, 8, M1 - 2), "add_key(0x7f2a5c000000,0x7f2a5c000000,0x7f2a5c000000,0x8,KEY_SPEC_SESSION_KEYRING)"),
    ((P, P, 0, 0xffffffff), "request_key(0x7f2a5c000000,0x7f2a5c000000,0,KEY_SPEC_THREAD_KEYRING)"),
    ((0, M1 - 3, 1, 5, 5), "keyctl(KEYCTL_GET_KEYRING_ID,KEY_SPEC_USER_KEYRING,0x1)"),
    ((1, P, 5, 5, 5), "keyctl(KEYCTL_JOIN_SESSION_KEYRING,0x7f2a5c000000)"),
    ((3, 0x1234, 5, 5, 5), "keyctl(KEYCTL_REVOKE,0x1234)"),
    ((4, 0x1234, 1000, M1, 5), "keyctl(KEYCTL_CHOWN,0x1234,1000,-1)"),
    ((5, 0x1234, 0x3f010000, 5, 5), "keyctl(KEYCTL_SETPERM,0x1234,0x3f010000<KEY_POS_VIEW|KEY_POS_READ|KEY_POS_WRITE|"
                                    "KEY_POS_SEARCH|KEY_POS_LINK|KEY_POS_SETATTR|KEY_USR_VIEW>)"),
    ((8, 0x1234, M1 - 4, 5, 5), "keyctl(KEYCTL_LINK,0x1234,KEY_SPEC_USER_SESSION_KEYRING)"),
    ((10, M1 - 2, P, P, 0), "keyctl(KEYCTL_SEARCH,KEY_SPEC_SESSION_KEYRING,0x7f2a5c000000,0x7f2a5c000000,0)"),
    ((11, 0x1234, P, 64, 5), "keyctl(KEYCTL_READ,0x1234,0x7f2a5c000000,0x40)"),
    ((14, 2, 5, 5, 5), "keyctl(KEYCTL_SET_REQKEY_KEYRING,KEY_REQKEY_DEFL_PROCESS_KEYRING)"),
    ((18, 5, 5, 5, 5), "keyctl(KEYCTL_SESSION_TO_PARENT)"),
    ((30, 1, 2, 3, 1), "keyctl(KEYCTL_MOVE,0x1,0x2,0x3,0x1<KEYCTL_MOVE_EXCL>)"),
    ((99, 1, 2, 3, 4), "keyctl(<invalid=0x63>,0x1,0x2,0x3,0x4)")))
arguments("keys-32", (((0, 0xfffffffd, 1, 5, 5), "keyctl(KEYCTL_GET_KEYRING_ID,KEY_SPEC_SESSION_KEYRING,0x1)"),),
          begin=L32)

# System V IPC -------------------------------------------------------------------------------------------------------

arguments("sysv", (
    ((0, 4096, 0x3b6), "shmget(IPC_PRIVATE,0x1000,0x3b6<IPC_CREAT|S_IRUSR|S_IWUSR|S_IRGRP|S_IWGRP|S_IROTH|S_IWOTH>)"),
    ((0x1234, 4096, 0x54000a00), "shmget(0x1234,0x1000,0x54000a00<SHM_HUGE_2MB|IPC_CREAT|SHM_HUGETLB>)"),
    ((5, 0, 0x1000), "shmat(0x5,0,0x1000<SHM_RDONLY>)"), ((5, 0, 0), "shmat(0x5,0,0)"),
    ((5, 2, P), "shmctl(0x5,IPC_STAT,0x7f2a5c000000)"), ((5, 11, P), "shmctl(0x5,SHM_LOCK,0x7f2a5c000000)"),
    ((P,), "shmdt(0x7f2a5c000000)"),
    ((0, 3, 0x780), "semget(IPC_PRIVATE,0x3,0x780<IPC_CREAT|IPC_EXCL|S_IRUSR|S_IWUSR>)"),
    ((5, P, 2), "semop(0x5,0x7f2a5c000000,0x2)"), ((5, P, 2, 0), "semtimedop(0x5,0x7f2a5c000000,0x2,0)"),
    ((5, 1, 12, P), "semctl(0x5,0x1,GETVAL)"), ((5, 1, 16, JUNK | 3), "semctl(0x5,0x1,SETVAL,0x3)"),
    ((5, 0, 17, P), "semctl(0x5,0,SETALL,0x7f2a5c000000)"),
    ((5, 0, 99, P), "semctl(0x5,0,<invalid=0x63>,0x7f2a5c000000)"),
    ((0, 0x200), "msgget(IPC_PRIVATE,0x200<IPC_CREAT>)"),
    ((5, P, 8, 0x800), "msgsnd(0x5,0x7f2a5c000000,0x8,0x800<IPC_NOWAIT>)"),
    ((5, P, 8, M1, 0x3000), "msgrcv(0x5,0x7f2a5c000000,0x8,0xffffffffffffffff,0x3000<MSG_NOERROR|MSG_EXCEPT>)"),
    ((5, 0, 0), "msgctl(0x5,IPC_RMID,0)")))
arguments("sysv-32", (
    ((1, 5, 2, 9, Q, 9), "ipc(SEMOP,0x5,0x2,0x8049000)"), ((4, 5, 2, 9, Q, 7), "ipc(SEMTIMEDOP,0x5,0x2,0x8049000,0x7)"),
    ((2, 0, 3, 0x200, 9, 9), "ipc(SEMGET,IPC_PRIVATE,0x3,0x200<IPC_CREAT>)"),
    ((3, 5, 1, 0x10c, Q, 9), "ipc(SEMCTL,0x5,0x1,GETVAL|IPC_64,0x8049000)"),
    ((11, 5, 8, 0, Q, 9), "ipc(MSGSND,0x5,0x8,0,0x8049000)"),
    ((12, 5, 8, 0x800, Q, 9), "ipc(MSGRCV,0x5,0x8,0x800<IPC_NOWAIT>,0x8049000,0x9)"),
    ((0x1000c, 5, 8, 0, Q, 9), "ipc(MSGRCV,0x5,0x8,0,0x8049000,0x9)"),
    ((21, 5, 0x1000, Q, 0, 9), "ipc(SHMAT,0x5,0x1000<SHM_RDONLY>,0x8049000,0)"),
    ((22, 9, 9, 9, Q, 9), "ipc(SHMDT,0x8049000)"),
    ((23, 0, 4096, 0x200, 9, 9), "ipc(SHMGET,IPC_PRIVATE,0x1000,0x200<IPC_CREAT>)"),
    ((24, 5, 0x102, 9, Q, 9), "ipc(SHMCTL,0x5,IPC_STAT|IPC_64,0x8049000)"),
    ((99, 1, 2, 3, 4, 5), "ipc(<invalid=0x63>,0x1,0x2,0x3,0x4,0x5)")), begin=L32)

# Mounts and files ---------------------------------------------------------------------------------------------------

arguments("mounts", (
    ((P, P, P, 0x6, 0), "mount(0x7f2a5c000000,0x7f2a5c000000,0x7f2a5c000000,0x6<MS_NOSUID|MS_NODEV>,0)"),
    ((0, P, 0, 0xc0ed0021, 0), "mount(0,0x7f2a5c000000,0,0xc0ed0021<MS_MGC_VAL|MS_RDONLY|MS_REMOUNT>,0)"),
    ((0, P, 0, 0x44000, 0), "mount(0,0x7f2a5c000000,0,0x44000<MS_REC|MS_PRIVATE>,0)"),
    ((P, P, P, 0, 0), "mount(0x7f2a5c000000,0x7f2a5c000000,0x7f2a5c000000,0,0)"),
    ((P, 10), "umount2(0x7f2a5c000000,0xa<MNT_DETACH|UMOUNT_NOFOLLOW>)"),
    ((P, 1), "fsopen(0x7f2a5c000000,0x1<FSOPEN_CLOEXEC>)"),
    ((3, 6, 0, 0, 0), "fsconfig(0x3,FSCONFIG_CMD_CREATE,0,0,0)"),
    ((3, 3, P, P, M1 - 99), "fsconfig(0x3,FSCONFIG_SET_PATH,0x7f2a5c000000,0x7f2a5c000000,AT_FDCWD)"),
    ((3, 1, 0x21), "fsmount(0x3,0x1<FSMOUNT_CLOEXEC>,0x21<MOUNT_ATTR_RDONLY|MOUNT_ATTR_STRICTATIME>)"),
    ((3, P, M1 - 99, P, 4), "move_mount(0x3,0x7f2a5c000000,AT_FDCWD,0x7f2a5c000000,0x4<MOVE_MOUNT_F_EMPTY_PATH>)"),
    ((M1 - 99, P, 0x88001),
     "open_tree(AT_FDCWD,0x7f2a5c000000,0x88001<OPEN_TREE_CLOEXEC|OPEN_TREE_CLONE|AT_RECURSIVE>)"),
    ((3, P, 0x9000, P, 32),
     "mount_setattr(0x3,0x7f2a5c000000,0x9000<AT_EMPTY_PATH|AT_RECURSIVE>,0x7f2a5c000000,0x20)")))
arguments("quotactl", (
    ((0x80000200, P, 2, P), "quotactl(0x80000200<Q_QUOTAON|USRQUOTA>,0x7f2a5c000000,QFMT_VFS_V0,0x7f2a5c000000)"),
    ((0xffffffff80000701, P, 1000, P), "quotactl(0x80000701<Q_GETQUOTA|GRPQUOTA>,0x7f2a5c000000,1000,0x7f2a5c000000)"),
    ((3, 0x580301, 1000, P), "quotactl_fd(0x3,0x580301<Q_XGETQUOTA|GRPQUOTA>,1000,0x7f2a5c000000)")))
arguments("notification", (
    ((0x80800,), "inotify_init1(0x80800<IN_NONBLOCK|IN_CLOEXEC>)"),
    ((3, P, 0xfff), "inotify_add_watch(0x3,0x7f2a5c000000,0xfff<IN_ALL_EVENTS>)"),
    ((3, P, 0x1000102), "inotify_add_watch(0x3,0x7f2a5c000000,0x1000102<IN_MODIFY|IN_CREATE|IN_ONLYDIR>)"),
    ((0x205, 0x80000),
     "fanotify_init(0x205<FAN_CLASS_CONTENT|FAN_CLOEXEC|FAN_REPORT_FID>,0x80000<O_RDONLY|O_CLOEXEC>)"),
    ((3, 0x101, 0x40000038, M1 - 99, P),
     "fanotify_mark(0x3,0x101<FAN_MARK_ADD|FAN_MARK_FILESYSTEM>,0x40000038"
     "<FAN_CLOSE_WRITE|FAN_CLOSE_NOWRITE|FAN_OPEN|FAN_ONDIR>,AT_FDCWD,0x7f2a5c000000)")))
arguments("notification-32", (
    ((3, 1, 0x20, 0, 0xffffff9c, Q),
     "fanotify_mark(0x3,0x1<FAN_MARK_ADD>,0x20<FAN_OPEN>,0,AT_FDCWD,0x8049000)"),), begin=L32)
arguments("io_uring", (
    ((64, P), "io_uring_setup(0x40,0x7f2a5c000000)"),
    ((3, 1, 1, 9, P, 24),
     "io_uring_enter(0x3,0x1,0x1,0x9<IORING_ENTER_GETEVENTS|IORING_ENTER_EXT_ARG>,0x7f2a5c000000,0x18)"),
    ((3, 0, P, 4), "io_uring_register(0x3,0<IORING_REGISTER_BUFFERS>,0x7f2a5c000000,0x4)"),
    ((0, 0x80000002, P, 4), "io_uring_register(0,0x80000002<IORING_REGISTER_FILES|IORING_REGISTER_USE_REGISTERED_RING>,"
                            "0x7f2a5c000000,0x4)")))

# Others -------------------------------------------------------------------------------------------------------------

arguments("clocks", (
    ((1, P), "clock_gettime(CLOCK_MONOTONIC,0x7f2a5c000000)"), ((M1 - 5, P), "clock_gettime(-6,0x7f2a5c000000)"),
    ((0, 1, P, 0), "clock_nanosleep(CLOCK_REALTIME,0x1<TIMER_ABSTIME>,0x7f2a5c000000,0)"),
    ((7, 0x80800), "timerfd_create(CLOCK_BOOTTIME,0x80800<TFD_NONBLOCK|TFD_CLOEXEC>)"),
    ((3, 3, P, 0), "timerfd_settime(0x3,0x3<TFD_TIMER_ABSTIME|TFD_TIMER_CANCEL_ON_SET>,0x7f2a5c000000,0)"),
    ((5, 0, P, 0), "timer_settime(0x5,0,0x7f2a5c000000,0)")))
arguments("clocks-32", (((1, Q), "clock_gettime64(CLOCK_MONOTONIC,0x8049000)"),), begin=L32)
arguments("scheduling", (
    ((0, 0x40000001, P), "sched_setscheduler(0,0x40000001<SCHED_FIFO|SCHED_RESET_ON_FORK>,0x7f2a5c000000)"),
    ((0, 0, P), "sched_setscheduler(0,0<SCHED_OTHER>,0x7f2a5c000000)"), ((2,), "sched_get_priority_max(SCHED_RR)"),
    ((1, 0, 0x4004), "ioprio_set(IOPRIO_WHO_PROCESS,0,0x4004<IOPRIO_CLASS_BE>)"),
    ((1, 2, 0, 3, 4), "kcmp(1,2,KCMP_FILE,0x3,0x4)"), ((1, 2, 1, 3, 4), "kcmp(1,2,KCMP_VM)"),
    ((8, 0, 5), "membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED,0)"),
    ((128, 1, 5), "membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ,0x1<MEMBARRIER_CMD_FLAG_CPU>,0x5)"),
    ((P, 32, 1, 0x53053053), "rseq(0x7f2a5c000000,0x20,0x1<RSEQ_FLAG_UNREGISTER>,0x53053053)")))
arguments("memory-policy", (
    ((P, 4096, 4), "madvise(0x7f2a5c000000,0x1000,MADV_DONTNEED)"),
    ((P, 4096, 99), "madvise(0x7f2a5c000000,0x1000,<invalid=0x63>)"),
    ((P, 4096, 0x8002, P, 64, 3),
     "mbind(0x7f2a5c000000,0x1000,0x8002<MPOL_BIND|MPOL_F_STATIC_NODES>,0x7f2a5c000000,0x40,"
                                  "0x3<MPOL_MF_STRICT|MPOL_MF_MOVE>)"),
    ((0, 0, 0), "set_mempolicy(0<MPOL_DEFAULT>,0,0)"),
    ((P, 3), "memfd_create(0x7f2a5c000000,0x3<MFD_CLOEXEC|MFD_ALLOW_SEALING>)"),
    ((P, 0x54000004), "memfd_create(0x7f2a5c000000,0x54000004<MFD_HUGE_2MB|MFD_HUGETLB>)"),
    ((0x80801,), "userfaultfd(0x80801<UFFD_USER_MODE_ONLY|O_NONBLOCK|O_CLOEXEC>)"),
    ((0, 3), "pkey_alloc(0,0x3<PKEY_DISABLE_ACCESS|"
                                                                                  "PKEY_DISABLE_WRITE>)")))
arguments("system", (
    ((0xfee1dead, 672274793, 0x1234567, 5), "reboot(LINUX_REBOOT_MAGIC1,LINUX_REBOOT_MAGIC2,LINUX_REBOOT_CMD_RESTART)"),
    ((0xfee1dead, 672274793, 0xa1b2c3d4, P),
     "reboot(LINUX_REBOOT_MAGIC1,LINUX_REBOOT_MAGIC2,LINUX_REBOOT_CMD_RESTART2,0x7f2a5c000000)"),
    ((3, P, 4096), "syslog(SYSLOG_ACTION_READ_ALL,0x7f2a5c000000,0x1000)"),
    ((0x40008,), "personality(0x40008<PER_LINUX32|ADDR_NO_RANDOMIZE>)"), ((0xffffffff,), "personality(0xffffffff)"),
    ((M1,), "personality(0xffffffff)"),
    ((P, 32, 1), "getrandom(0x7f2a5c000000,0x20,0x1<GRND_NONBLOCK>)"), ((3, P, 4), "finit_module(0x3,0x7f2a5c000000,"
                                                                      "0x4<MODULE_INIT_COMPRESSED_FILE>)"),
    ((P, 0x800), "delete_module(0x7f2a5c000000,0x800<O_NONBLOCK>)"), ((0, 0, 0x3e0001), "kexec_load(0,0,0x3e0001)"),
    ((3, 1, P, 0), "landlock_add_rule(0x3,LANDLOCK_RULE_PATH_BENEATH,0x7f2a5c000000,0)"),
    ((0, 0, 1), "landlock_create_ruleset(0,0,0x1<LANDLOCK_CREATE_RULESET_VERSION>)"),
    ((100, P, P, 0), "lsm_get_self_attr(LSM_ATTR_CURRENT,0x7f2a5c000000,0x7f2a5c000000,0)"),
    ((P, 0x42, 0o600, 0), "mq_open(0x7f2a5c000000,0x42<O_RDWR|O_CREAT>,0600<S_IRUSR|S_IWUSR>,0)"),
    ((P, 0, 5, 5), "mq_open(0x7f2a5c000000,0<O_RDONLY>)"), ((2, 1, P), "sysfs(0x2,0x1,0x7f2a5c000000)"),
    ((3, 5, 5), "sysfs(0x3)")))
