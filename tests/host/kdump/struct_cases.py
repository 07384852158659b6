# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""STRU records of Linux processes: every structure and array of ktrace_format.h, and what is not one."""
import struct

from cases import F64, L64, LINE, case
from craft import (CAPFAIL, FREEBSD64, LINUX64, LINUX_ARM32, LINUX_ARM64, PROCCTOR, STRUCT, STRUCT_ARRAY, array, capfail_new,
                   ctor, v0, v1)

U64_MAX = 2**64 - 1


def one(name, data):
    return v0(STRUCT, name + b"\0" + data)


def stru(*texts):
    return "".join(LINE + "STRU  " + text + "\n" for text in texts)


def address(family, data, length=None):
    return one(b"sockaddr", bytes([len(data) + 2 if length is None else length, family]) + data)


def structure(name, options, texts, *structures, begin=L64):
    case("struct." + name, begin + b"".join(structures), options, stru(*texts))


# Structures ---------------------------------------------------------------------------------------------------------

TIMES = [one(b"timespec", struct.pack("<qq", *t)) for t in
         ((1, 500000000), (0, 0), (-1, 999999999), (2, 0x3fffffff), (3, 0x3ffffffe), (4, -5), (-2**63, 2**63 - 1))]
structure("timespec", "", (
    "timespec { .sec = 1, .nsec = 500000000 }", "timespec { .sec = 0, .nsec = 0 }",
    "timespec { .sec = -1, .nsec = 999999999 }", "timespec { .sec = 2, .nsec = UTIME_NOW }",
    "timespec { .sec = 3, .nsec = UTIME_OMIT }", "timespec { .sec = 4, .nsec = -5 }",
    "timespec { .sec = -9223372036854775808, .nsec = 9223372036854775807 }"), *TIMES)
structure("timespec-n", "-n", ("timespec { .sec = 2, .nsec = 1073741823 }",
                                "timespec { .sec = 3, .nsec = 1073741822 }"), *TIMES[3:5])
# FreeBSD has no record of that name, and golden/struct-other says what its kdump does.
structure("timespec-freebsd", "", ("unknown structure",), TIMES[0], begin=F64)

LIMITS = [one(b"l_rlimit", struct.pack("<QQ", *limit)) for limit in ((1024, U64_MAX), (0, U64_MAX - 1))]
structure("rlimit", "", ("l_rlimit { .cur = 1024, .max = RLIM_INFINITY }",
                         "l_rlimit { .cur = 0, .max = 18446744073709551614 }"), *LIMITS)
structure("rlimit-n", "-n", ("l_rlimit { .cur = 1024, .max = 18446744073709551615 }",), LIMITS[0])

ACTIONS = [one(b"l_sigaction", struct.pack("<QQQQ", *a)) for a in (
    (0x401230, 0x14000000, 0x7f0000001000, 1 << 1 | 1 << 9), (0, 0, 0, 0), (1, 0xd8000c07, 0, 1 << 63),
    (2, 0x8, 0, 1 << 31), (2**64 - 1, 0xffffffff94000000, 1, 0))]
structure("sigaction", "", (
    "l_sigaction { .handler = 0x401230, .flags = 0x14000000<SA_RESTORER|SA_RESTART>, .restorer = 0x7f0000001000, "
    ".mask = [ SIGINT, SIGUSR1 ] }",
    "l_sigaction { .handler = SIG_DFL, .flags = 0, .restorer = 0x0, .mask = [ empty ] }",
    "l_sigaction { .handler = SIG_IGN, .flags = 0xd8000c07<SA_NOCLDSTOP|SA_NOCLDWAIT|SA_SIGINFO|SA_UNSUPPORTED|"
    "SA_EXPOSE_TAGBITS|SA_ONSTACK|SA_RESTART|SA_NODEFER|SA_RESETHAND>, .restorer = 0x0, .mask = [ SIGRT32 ] }",
    "l_sigaction { .handler = 0x2, .flags = 0x8<><invalid>8, .restorer = 0x0, .mask = [ SIGRT0 ] }",
    "l_sigaction { .handler = 0xffffffffffffffff, .flags = 0xffffffff94000000<SA_RESTORER|SA_RESTART|SA_RESETHAND>, "
    ".restorer = 0x1, .mask = [ empty ] }"), *ACTIONS)
structure("sigaction-n", "-n", (
    "l_sigaction { .handler = 0x401230, .flags = 0x14000000, .restorer = 0x7f0000001000, .mask = 0x202 }",
    "l_sigaction { .handler = 0x0, .flags = 0, .restorer = 0x0, .mask = 0 }",
    "l_sigaction { .handler = 0x1, .flags = 0xd8000c07, .restorer = 0x0, .mask = 0x8000000000000000 }"), *ACTIONS[:3])

TIMEX = struct.pack("<IxxxxqqqqiIqqqqqqqqiIqqqqqi", 0x2003, -11, 12, 13, 14, 0x2041, 0, 15, 16, 17, 18, 19, 20, -21, 22,
                    23, 0, 24, 25, 26, 27, 28, 37).ljust(208, b"\0")
TIMEX_TEXT = ("l_timex { .modes = %s, .offset = -11, .freq = 12, .maxerror = 13, .esterror = 14, .status = %s, "
              ".constant = 15, .precision = 16, .tolerance = 17, .time = {18, 19}, .tick = 20, .ppsfreq = -21, "
              ".jitter = 22, .shift = 23, .stabil = 24, .jitcnt = 25, .calcnt = 26, .errcnt = 27, .stbcnt = 28, "
              ".tai = 37 }")
structure("timex", "", tuple(TIMEX_TEXT % (modes, "0x2041<STA_PLL|STA_UNSYNC|STA_NANO>") for modes in (
    "0x2003<ADJ_OFFSET|ADJ_FREQUENCY|ADJ_NANO>", "0x8001<ADJ_OFFSET_SINGLESHOT>", "0xa001<ADJ_OFFSET_SS_READ>", "0")),
          *(one(b"l_timex", struct.pack("<I", modes) + TIMEX[4:]) for modes in (0x2003, 0x8001, 0xa001, 0)))
structure("timex-n", "-n", (TIMEX_TEXT % ("0x2003", "0x2041"),), one(b"l_timex", TIMEX))

structure("utsname", "", (
    'l_utsname { .sysname = "Linux", .nodename = "kiwi", .release = "6.1.0-41-amd64", .version = "#1 SMP", '
    '.machine = "x86_64", .domainname = "(none)" }',
    'l_utsname { .sysname = "%s", .nodename = "", .release = "a\\033[2J", .version = "\\377", .machine = "é", '
    '.domainname = "%%n" }' % ("x" * 65)),
    *(one(b"l_utsname", b"".join(s.ljust(65, b"\0") for s in names)) for names in (
        (b"Linux", b"kiwi", b"6.1.0-41-amd64", b"#1 SMP", b"x86_64", b"(none)"),
        (b"x" * 65, b"\0hidden", b"a\x1b[2J", b"\xff", "é".encode(), b"%n"))))

structure("sched-param", "", ("l_sched_param { .priority = 50 }", "l_sched_param { .priority = -1 }"),
          one(b"l_sched_param", struct.pack("<i", 50)), one(b"l_sched_param", struct.pack("<i", -1)))

ATTRS = [one(b"l_sched_attr", struct.pack("<IIQiIQQQII", *a)) for a in (
    (56, 0, 0x7f, -20, 0, 0, 0, 0, 100, 1024), (48, 6, 0x4, 0, 99, 10, 20, 30, 0, 0),
    (0, 77, 0x100, 19, 2**32 - 1, U64_MAX, 1, 2, 3, 4))]
structure("sched-attr", "", (
    "l_sched_attr { .size = 56, .policy = SCHED_OTHER, .flags = 0x7f<SCHED_FLAG_RESET_ON_FORK|SCHED_FLAG_RECLAIM|"
    "SCHED_FLAG_DL_OVERRUN|SCHED_FLAG_KEEP_POLICY|SCHED_FLAG_KEEP_PARAMS|SCHED_FLAG_UTIL_CLAMP_MIN|"
    "SCHED_FLAG_UTIL_CLAMP_MAX>, .nice = -20, .priority = 0, .runtime = 0, .deadline = 0, .period = 0, "
    ".util_min = 100, .util_max = 1024 }",
    "l_sched_attr { .size = 48, .policy = SCHED_DEADLINE, .flags = 0x4<SCHED_FLAG_DL_OVERRUN>, .nice = 0, "
    ".priority = 99, .runtime = 10, .deadline = 20, .period = 30 }",
    "l_sched_attr { .size = 0, .policy = <invalid=0x4d>, .flags = 0x100<><invalid>256, .nice = 19, "
    ".priority = 4294967295, .runtime = 18446744073709551615, .deadline = 1, .period = 2 }"), *ATTRS)
# What is beyond its size is none of it, as far as there are fields.
structure("sched-attr-sizes", "-n", tuple(
    "l_sched_attr { .size = %d, .policy = 1, .flags = 0, .nice = 0, .priority = 2, .runtime = 0, .deadline = 0, "
    ".period = 0%s }" % (size, more) for size, more in (
        (51, ""), (52, ", .util_min = 7"), (55, ", .util_min = 7"), (56, ", .util_min = 7, .util_max = 8"),
        (2**32 - 1, ", .util_min = 7, .util_max = 8"))),
    *(one(b"l_sched_attr", struct.pack("<IIQiIQQQII", size, 1, 0, 0, 2, 0, 0, 0, 7, 8))
      for size in (51, 52, 55, 56, 2**32 - 1)))
structure("sched-attr-small", "-n", ("l_sched_attr { .size = 9, .policy = 1 }", "l_sched_attr { .size = 3 }"),
          *(one(b"l_sched_attr", struct.pack("<II48x", size, 1)) for size in (9, 3)))
structure("sched-attr-n", "-n", (
    "l_sched_attr { .size = 48, .policy = 6, .flags = 0x4, .nice = 0, .priority = 99, .runtime = 10, .deadline = 20, "
    ".period = 30 }",), ATTRS[1])
structure("sched-attr-d", "-d", (
    "l_sched_attr { .size = 0, .policy = <invalid=77>, .flags = 0x100<><invalid>256, .nice = 19, "
    ".priority = 4294967295, .runtime = 18446744073709551615, .deadline = 1, .period = 2 }",), ATTRS[2])

CAPS = [one(b"l_cap_data", struct.pack("<%dI" % len(c), *c)) for c in (
    (1 << 21 | 1, 1 << 31, 0), (1, 2, 4, 1 << 8, 1 << 31, 0))]
structure("cap-data", "", (
    "l_cap_data { .effective = 0x200001<CAP_CHOWN|CAP_SYS_ADMIN>, .permitted = 0x80000000<CAP_SETFCAP>, "
    ".inheritable = 0 }",
    "l_cap_data { .effective = 0x10000000001<CAP_CHOWN|CAP_CHECKPOINT_RESTORE>, "
    ".permitted = 0x8000000000000002<CAP_DAC_OVERRIDE|63>, .inheritable = 0x4<CAP_DAC_READ_SEARCH> }"), *CAPS)
structure("cap-data-n", "-n", (
    "l_cap_data { .effective = 0x200001, .permitted = 0x80000000, .inheritable = 0 }",
    "l_cap_data { .effective = 0x10000000001, .permitted = 0x8000000000000002, .inheritable = 0x4 }"), *CAPS)

CLONES = [one(b"l_clone_args", struct.pack("<11Q", *c)) for c in (
    (0x300001080, 0x1000, 0x2000, 0x3000, 17, 0x4000, 0x5000, 0x6000, 0x7000, 2, 5),
    (0x003d0f00, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 65, 0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 34, 0, 0, 0, 0, 0, 0))]
NOTHING = ".stack = 0x0, .stack_size = 0, .tls = 0x0, .set_tid = 0x0, .set_tid_size = 0, .cgroup = 0 }"
NO_TIDS = ".pidfd = 0x0, .child_tid = 0x0, .parent_tid = 0x0, "
structure("clone-args", "", (
    "l_clone_args { .flags = 0x300001080<CLONE_NEWTIME|CLONE_PIDFD|CLONE_CLEAR_SIGHAND|CLONE_INTO_CGROUP>, "
    ".pidfd = 0x1000, .child_tid = 0x2000, .parent_tid = 0x3000, .exit_signal = SIGCHLD, .stack = 0x4000, "
    ".stack_size = 20480, .tls = 0x6000, .set_tid = 0x7000, .set_tid_size = 2, .cgroup = 5 }",
    "l_clone_args { .flags = 0x3d0f00<CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|CLONE_SYSVSEM|"
    "CLONE_SETTLS|CLONE_PARENT_SETTID|CLONE_CHILD_CLEARTID>, " + NO_TIDS + ".exit_signal = 0, " + NOTHING,
    "l_clone_args { .flags = 0, " + NO_TIDS + ".exit_signal = 65, " + NOTHING,
    "l_clone_args { .flags = 0x1<><invalid>1, " + NO_TIDS + ".exit_signal = SIGRT2, " + NOTHING), *CLONES)
structure("clone-args-n", "-n", ("l_clone_args { .flags = 0x1, " + NO_TIDS + ".exit_signal = 34, " + NOTHING,),
          CLONES[3])

HOWS = [one(b"l_open_how", struct.pack("<QQQ", *h)) for h in (
    (0o2000101, 0o644, 0x3f), (0, 0, 0), (0o20200002, 0o7777, 0x8), (0o4010003, 0, 0x40), (1 << 40, 0, 0),
    (0o10000 | 0o200000, 0, 0))]
structure("open-how", "", (
    "l_open_how { .flags = 0x80041<O_WRONLY|O_CREAT|O_CLOEXEC>, .mode = 0644, .resolve = 0x3f<RESOLVE_NO_XDEV|"
    "RESOLVE_NO_MAGICLINKS|RESOLVE_NO_SYMLINKS|RESOLVE_BENEATH|RESOLVE_IN_ROOT|RESOLVE_CACHED> }",
    "l_open_how { .flags = 0<O_RDONLY>, .mode = 0, .resolve = 0 }",
    "l_open_how { .flags = 0x410002<O_RDWR|O_TMPFILE>, .mode = 07777, .resolve = 0x8<RESOLVE_BENEATH> }",
    "l_open_how { .flags = 0x101003<O_ACCMODE|O_SYNC>, .mode = 0, .resolve = 0x40<><invalid>64 }",
    "l_open_how { .flags = 0x10000000000<O_RDONLY>, .mode = 0, .resolve = 0 }",
    "l_open_how { .flags = 0x11000<O_RDONLY|O_DSYNC|O_DIRECTORY>, .mode = 0, .resolve = 0 }"), *HOWS)
structure("open-how-n", "-n", ("l_open_how { .flags = 0x80041, .mode = 0644, .resolve = 0x3f }",
                               "l_open_how { .flags = 0, .mode = 0, .resolve = 0 }"), *HOWS[:2])

# arm has other values.
for flags in LINUX_ARM64, LINUX_ARM32:
    structure("open-how-%x" % flags, "", (
        "l_open_how { .flags = 0x84000<O_RDONLY|O_DIRECTORY|O_CLOEXEC>, .mode = 0, .resolve = 0 }",),
        one(b"l_open_how", struct.pack("<QQQ", 0x84000, 0, 0)), begin=v0(PROCCTOR, ctor(flags)))

# A name that says itself that it is Linux's needs no ABI.
structure("no-abi", "", ("l_rlimit { .cur = 1024, .max = RLIM_INFINITY }", "unknown structure"), LIMITS[0], TIMES[0],
          begin=b"")

# One byte less, one more, none, and names that are no structure's.
SIZES = {b"timespec": (16,), b"itimerval": (32, 16), b"l_rlimit": (16,), b"l_sigaction": (32,), b"l_sigset_t": (8,),
         b"l_timex": (208,), b"l_utsname": (390,), b"l_sched_param": (4,), b"l_sched_attr": (56,),
         b"l_cap_data": (12, 24), b"l_clone_args": (88,), b"l_open_how": (24,)}
for NAME, LENGTHS in SIZES.items():
    WRONG = [n for n in range(0, 2 * max(LENGTHS) + 1) if n not in LENGTHS]
    structure("size." + NAME.decode(), "", ("invalid record",) * len(WRONG), *(one(NAME, bytes(n)) for n in WRONG))
structure("names", "", ("unknown structure",) * 4 + ("invalid record",) * 3, one(b"l_", b"x"),
          *(one(name, bytes(16)) for name in (b"rlimit", b"l_rlimit_", b"L_RLIMIT", b"l_rlimit2", b"l rlimit")),
          v0(STRUCT, b"l_rlimit"))

# Arrays -------------------------------------------------------------------------------------------------------------

NEXT = "\n" + " " * 13
EPOLL = struct.pack("<IQIQIQ", 1, 5, 0xf000251f, 2**64 - 1, 0, 0)
structure("epoll", "", (
    "struct l_epoll_event[] = { { events=0x1<EPOLLIN>, data=0x5 }" + NEXT +
    "{ events=0xf000251f<EPOLLIN|EPOLLPRI|EPOLLOUT|EPOLLERR|EPOLLHUP|EPOLLWRNORM|EPOLLMSG|EPOLLRDHUP|EPOLLEXCLUSIVE|"
    "EPOLLWAKEUP|EPOLLONESHOT|EPOLLET>, data=0xffffffffffffffff }" + NEXT + "{ events=0, data=0x0 } }",
    "struct l_epoll_event[] = {  }", *("struct l_epoll_event[] = { <bad size> }",) * 2,
    "struct l_epoll_event[] = { { events=0x1<EPOLLIN>, data=0x5 } }", "struct l_epoll_event[] = {  }"),
    *(v0(STRUCT_ARRAY, array(size, b"l_epoll_event", data)) for size, data in (
        (12, EPOLL), (12, b""), (16, EPOLL), (0, EPOLL), (12, EPOLL[:23]), (12, EPOLL[:11]))))
structure("epoll-n", "-n", ("struct l_epoll_event[] = { { events=0x1, data=0x5 } }",),
          v0(STRUCT_ARRAY, array(12, b"l_epoll_event", EPOLL[:12])))
structure("iovec", "", (
    "struct l_iovec[] = { { base=0x7f0000001000, len=4096 }" + NEXT + "{ base=0x0, len=0 }" + NEXT +
    "{ base=0x1, len=18446744073709551615 } }", "struct l_iovec[] = { <bad size> }",
    "struct l_iovec[] = { <bad size> }", "struct iovec[] = { <unknown structure> }"),
    *(v0(STRUCT_ARRAY, array(size, name, struct.pack("<6Q", 0x7f0000001000, 4096, 0, 0, 1, U64_MAX)))
      for size, name in ((16, b"l_iovec"), (8, b"l_iovec"), (U64_MAX, b"l_iovec"), (16, b"iovec"))))
POLL_EVENTS = "POLLIN|POLLPRI|POLLOUT|POLLERR|POLLHUP|POLLNVAL|POLLRDNORM|POLLRDBAND|POLLWRNORM|POLLWRBAND|POLLMSG|" \
    "POLLREMOVE|POLLRDHUP"
structure("pollfd", "", (
    "struct pollfd[] = { { fd=-1, events=0x37ff<%s>, revents=0x8000<><invalid>32768} }" % POLL_EVENTS,
    "struct pollfd[] = { { fd=3, events=0, revents=0} }"),
    *(v0(STRUCT_ARRAY, array(8, b"pollfd", struct.pack("<iHH", *p))) for p in ((-1, 0x37ff, 0x8000), (3, 0, 0))))
structure("array-bad", "", ("invalid record",) * 6, *(v0(STRUCT_ARRAY, data) for data in (
    b"", bytes(7), bytes(8), struct.pack("<Q", 8) + b"pollfd", struct.pack("<Q", 8) + b"p\x1b\0" + bytes(8),
    struct.pack("<Q", 8) + b"poll fd\0" + bytes(8))))

# Addresses ----------------------------------------------------------------------------------------------------------

structure("local", "", tuple("struct sockaddr { AF_LOCAL, %s }" % text for text in (
    "/tmp/s", "/tmp/s", "", "@", "@name", "@na\\000me\\000", "@\\033]0;x\\007\\377", "@é", "@" + "a" * 107, "")),
    *(address(1, path) for path in (
        b"/tmp/s", b"/tmp/s\0left\x1bover", b"", b"\0", b"\0name", b"\0na\0me\0", b"\0\x1b]0;x\x07\xff",
        "\0é".encode(), b"\0" + b"a" * 107, b"")))
structure("local-freebsd", "", ("struct sockaddr { AF_LOCAL,  }",) * 2, address(1, b"\0name"), address(1, b""),
          begin=F64)
PACKET = struct.pack(">H", 0x800) + struct.pack("<iHBB", 2, 1, 4, 6)
structure("families", "", tuple("struct sockaddr { %s }" % text for text in (
    "AF_PACKET, packet[protocol=0x0800, ifindex=2, hatype=1, pkttype=4, addr=02:00:00:00:00:fe]",
    "AF_PACKET, packet[protocol=0x0800, ifindex=2, hatype=1, pkttype=4, addr=]",
    "AF_PACKET, packet[protocol=0x0800, ifindex=2, hatype=1, pkttype=4, addr=ab]",
    "AF_PACKET, packet[protocol=0x0000, ifindex=-1, hatype=65535, pkttype=255, addr=]", "AF_PACKET, invalid",
    "AF_VSOCK, vsock[cid=2, port=1234]", "AF_VSOCK, vsock[cid=4294967295, port=4294967295]", "AF_VSOCK, invalid",
    "AF_ALG, unknown address family", "AF_MCTP, unknown address family", "<invalid=255>, unknown address family",
    "<invalid=130>, unknown address family", "AF_INET, invalid", "AF_INET6, [fe80::1]:443",
    "AF_UNSPEC, unknown address family", "AF_BLUETOOTH, unknown address family")),
    address(145, PACKET + bytes((2, 0, 0, 0, 0, 254, 0, 0))), address(145, PACKET), address(145, PACKET + b"\xab"),
    address(145, struct.pack(">H", 0) + struct.pack("<iHBB", -1, 0xffff, 0xff, 0)), address(145, PACKET[:9]),
    address(168, struct.pack("<HIII", 0, 1234, 2, 0)), address(168, struct.pack("<HII", 0, 2**32 - 1, 2**32 - 1)),
    address(168, bytes(9)), address(166, bytes(86)), address(173, bytes(10)), address(255, b"x"),
    address(130, bytes(14)),
    address(2, bytes(13)), address(28, struct.pack(">HI16sI", 443, 0, bytes((0xfe, 0x80)) + bytes(13) + b"\1", 0)),
    address(0, bytes(14)), address(36, bytes(10)))
structure("families-freebsd", "", ("struct sockaddr { <invalid=145>, unknown address family }",), address(145, PACKET),
          begin=F64)
# Linux takes 24 bytes, too: without a scope, as RFC 2133 has it.
INET6 = struct.pack(">HI16s", 443, 0, bytes((0xfe, 0x80)) + bytes(13) + b"\1")
structure("short-inet6", "", ("struct sockaddr { AF_INET6, [fe80::1]:443 }", "struct sockaddr { AF_INET6, invalid }"),
          address(28, INET6), address(28, INET6[:-1]))
structure("short-inet6-freebsd", "", ("struct sockaddr { AF_INET6, invalid }",), address(28, INET6), begin=F64)
structure("address-length", "", ("invalid record",) * 6 + ("struct sockaddr { AF_LOCAL, %s }" % ("a" * 126),),
          address(2, bytes(14), 15), address(2, bytes(14), 17), address(1, b"/a", 0), one(b"sockaddr", b"\1"),
          one(b"sockaddr", b""), address(1, b"a" * 127), address(1, b"a" * 126))
# An address that was refused, within a record of FreeBSD's.
case("struct.capfail-address",
     v1(CAPFAIL, capfail_new(5, 42, LINUX64, bytes([7, 1]) + b"\0name")) +
     v1(CAPFAIL, capfail_new(5, 98, FREEBSD64, bytes([8, 1]) + b"\0name")) +
     v1(CAPFAIL, capfail_new(5, 98, FREEBSD64, bytes([255, 1]) + b"/" * 600)) +
     v1(CAPFAIL, capfail_new(5, 98, FREEBSD64, bytes([0, 1]) + b"/x")) +
     v1(CAPFAIL, capfail_new(5, 98, FREEBSD64, bytes([1, 1]) + b"/x")), "",
     LINE + "CAP   connect: restricted address lookup: struct sockaddr { AF_LOCAL, @name }\n" +
     LINE + "CAP   connect: restricted address lookup: struct sockaddr { AF_LOCAL,  }\n" +
     LINE + "CAP   connect: restricted address lookup: struct sockaddr { AF_LOCAL, %s }\n" % ("/" * 253) +
     (LINE + "CAP   connect: restricted address lookup: struct sockaddr { AF_UNSPEC, unknown address family }\n") * 2)
