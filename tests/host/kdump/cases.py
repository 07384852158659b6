# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files of our own, and what kdump prints for them: (name, file, options, output, error).

An error is a part of what stands on stderr; status is 1 with one and 0 without.
"""
from craft import (ARGS, CAPFAIL, CSW, DROP, ENVS, EXTERR, FAULT, FAULTEND, FREEBSD32, FREEBSD64, GENIO, LINUX32,
                   LINUX64, LINUX_ARM32, LINUX_ARM64, NAMEI, PROCCTOR, PROCDTOR, PSIG, STRUCT, STRUCT_ARRAY, SYSCALL, SYSCTL,
                   SYSRET, USER, array, call, call32, capfail, capfail_new, ctor, exterr, gio, i386, i386_v1, psig, psig32,
                   ret, ret32, v0, v1)
import struct

CASES = []


def case(name, data, options, output, error=None):
    if isinstance(output, str):
        output = output.encode()
    CASES.append((name, data, options.split(), output, error))


NONE = "kdump: no record was selected\n"
NOTICES = {}  # by the case's name, what stands on stderr in other cases than notice() sees


def notice(name, data, options, output):
    """What stands on stderr beside the output of a case: that nothing was selected of a file that has something."""
    selects = {"-p", "-t", "-e", "--failed", "--ok"} & set(options)
    return NOTICES.get(name, NONE if data and not output and selects else "")


def namei(path, **header):
    return v0(NAMEI, path, **header)


LINE = "   700 prog     "
L64 = v0(PROCCTOR, ctor(LINUX64))

# Headers ------------------------------------------------------------------------------------------------------------

case("v1.default", v1(NAMEI, b"/a", nsec=123456789, cpu=3), "", LINE + 'NAMI  "/a"\n')
case("v1.times", v1(NAMEI, b"/a", nsec=5) + v1(NAMEI, b"/b", sec=1700000001, nsec=4) +
     v1(NAMEI, b"/c", sec=1700000000, nsec=500000004), "-TER",
     LINE + '1700000000.000000005 0.000000000 0.000000000 NAMI  "/a"\n' +
     LINE + '1700000001.000000004 0.999999999 0.999999999 NAMI  "/b"\n' +
     LINE + '1700000000.500000004 0.499999999 -0.500000000 NAMI  "/c"\n')
case("v1.cpu", v1(NAMEI, b"/a", cpu=3) + v1(NAMEI, b"/b", cpu=127), "-c", LINE + '  3 NAMI  "/a"\n' +
     LINE + '127 NAMI  "/b"\n')
case("v0.no-cpu", namei(b"/a"), "-c", LINE + 'NAMI  "/a"\n')
case("v0-and-v1", namei(b"/a", usec=250000) + v1(NAMEI, b"/b", nsec=750000001), "-TRc",
     LINE + '1700000000.250000 0.000000 NAMI  "/a"\n' + LINE + '1700000000.750000001 0.500000001   0 NAMI  "/b"\n')
case("all-columns", L64 + namei(b"/a", tid=701, usec=1), "-HTERA",
     '   700    701 prog     1700000000.000001 0.000000 0.000000 NAMI  L64  "/a"\n')
case("garbage", namei(b"/a", comm=b"prog\0garbage" + b"\xff" * 8, pad=0xdead) +
     v0(PROCCTOR, ctor(LINUX64 | 0xabcd0000), comm=b"prog\0" + b"\xaa" * 15, pad=0xffff) +
     namei(b"/b", comm=b"x" * 20), "-A",
     LINE + 'NAMI  U00  "/a"\n   700 ' + "x" * 19 + ' NAMI  L64  "/b"\n')
case("empty", b"", "", "")
# Fractions that are none: what is more than a second is left out, what is negative goes into the second before.
case("time-fractions", namei(b"/a", usec=-5) + namei(b"/b", usec=1000007) + v1(NAMEI, b"/c", nsec=-2**63) +
     v1(NAMEI, b"/d", nsec=2000000001) + namei(b"/e", usec=-1999999), "-TER",
     LINE + '1699999999.999995 0.000000 0.000000 NAMI  "/a"\n' + LINE + '1700000000.000007 0.000012 0.000012 NAMI  "/b"\n' +
     LINE + '1699999999.145224192 -1.145229192 -0.854782808 NAMI  "/c"\n' +
     LINE + '1700000000.000000001 0.000005001 0.854775809 NAMI  "/d"\n' +
     LINE + '1699999999.000001 -1.000006 -0.999999 NAMI  "/e"\n')
case("time-limits", namei(b"/a", sec=-2**63) + namei(b"/b", sec=2**63 - 1, usec=2**63 - 1), "-E",
     LINE + '0.000000 NAMI  "/a"\n' + LINE + '-1.775807 NAMI  "/b"\n')

# A file system that lost what was written last leaves zeros.
for SIZE in (56, 57, 4000):
    case("zeros.tail-%d" % SIZE, namei(b"/a") + bytes(SIZE), "", LINE + 'NAMI  "/a"\n',
         "at byte 58: zeros, where a record should begin\n")
case("zeros.few", namei(b"/a") + bytes(55), "", LINE + 'NAMI  "/a"\n', "the file ends within a record: 55 of 56 bytes of its header")
case("zeros.i386", i386(NAMEI, b"/a") * 17 + bytes(44), "", (LINE + 'NAMI  "/a"\n') * 17, "at byte 782: zeros, where")
case("zeros.not-all", namei(b"/a") + v0(0, b"", comm=b"", sec=0, tid=1, pid=0), "", LINE + 'NAMI  "/a"\n     0          UNKNOWN(0)  \n')

# Selection ----------------------------------------------------------------------------------------------------------

MIXED = (namei(b"/a", pid=10, tid=10) + namei(b"/b", pid=10, tid=11) + namei(b"/c", pid=11, tid=12) +
         v0(SYSCTL, b"kern.x", pid=10, tid=12) + v0(PSIG, psig(2), pid=10, tid=10) + v0(77, b"x", pid=10, tid=10))
P10 = "    10 prog     "
case("p.process", MIXED, "-p 10 -t n", P10 + 'NAMI  "/a"\n' + P10 + 'NAMI  "/b"\n')
case("p.thread", MIXED, "-p 12", '    11 prog     NAMI  "/c"\n' + P10 + 'SCTL  "kern.x"\n')
case("p.none", MIXED, "-p 9", "")
case("p.none-json", MIXED, "--json -p 9", "")
case("t.none", L64 + namei(b"/a"), "-t y", "")
case("t.none-json", L64 + namei(b"/a"), "--json -t y", "")
case("p.process-records-only", L64 + namei(b"/a", pid=9), "-p 700", "")
case("p.either", MIXED, "-p 11 -H", '    10     11 prog     NAMI  "/b"\n    11     12 prog     NAMI  "/c"\n')
case("t.several", MIXED, "-p 10 -t ys", P10 + 'SCTL  "kern.x"\n' + P10 + "PSIG  SIGINT SIG_DFL code=SI_USER\n")
case("t.unknown-type", v0(35, b"x") + namei(b"/a"), "-t n", LINE + 'NAMI  "/a"\n')
case("unknown-types", v0(19, b"x") + v0(35, b"") + v0(0x3fff, b"y") + v0(0, b"") + namei(b"/a"), "",
     LINE + "UNKNOWN(19)  \n" + LINE + "UNKNOWN(35)  \n" + LINE + "UNKNOWN(16383)  \n" + LINE + "UNKNOWN(0)  \n" +
     LINE + 'NAMI  "/a"\n')
case("drop.once", namei(b"/a", pid=10) + v0(NAMEI | DROP, b"/b", pid=10) + v0(NAMEI | DROP, b"/c", pid=700) +
     namei(b"/d", pid=700), "-p 700", P10 + "Events dropped.\n" + LINE + 'NAMI  "/c"\n' + LINE + 'NAMI  "/d"\n')
case("drop.v1", v1(NAMEI | DROP, b"/b", tid=701), "-HT", "   700    701 prog     Events dropped.\n"
     '   700    701 prog     1700000000.000000000 NAMI  "/b"\n')
case("drop.ctor", v0(PROCCTOR | DROP, ctor(LINUX64)) + v0(PROCDTOR | DROP), "", LINE + "Events dropped.\n")

# Text of the traced program -----------------------------------------------------------------------------------------

case("text.controls", namei(bytes(range(1, 32)) + b"\x7f"), "", (LINE + 'NAMI  "').encode() +
     b"".join(b"\\%03o" % c for c in list(range(1, 32)) + [127]) + b'"\n')
case("text.utf8", namei("/é/日本/😀/\N{ZERO WIDTH JOINER}".encode()), "",
     LINE + 'NAMI  "/é/日本/😀/\N{ZERO WIDTH JOINER}"\n')
case("text.c1", namei("a\u0080\u009b31mb\u009d".encode()), "", LINE + 'NAMI  "a\\302\\200\\302\\23331mb\\302\\235"\n')
INVALID = b"\x9b\xff\xc0\xaf\xe0\x80\xaf\xed\xa0\x80\xf5\x80\x80\x80\xf4\x90\x80\x80\xc3"
case("text.invalid", namei(INVALID), "", LINE + 'NAMI  "' + "".join("\\%03o" % c for c in INVALID) + '"\n')
case("text.direction", namei("a\u202eb\u2028c\ufeff".encode()), "",
     LINE + 'NAMI  "a\\342\\200\\256b\\342\\200\\250c\\357\\273\\277"\n')
case("text.comm", namei(b"/a", comm=b"\x1b]0;x\x07") + namei(b"/b", comm="é".encode()) +
     namei(b"/c", comm="ééé".encode()[:5]), "",
     '   700 \\033]0;x\\007 NAMI  "/a"\n   700 é       NAMI  "/b"\n   700 éé\\303 NAMI  "/c"\n')
case("text.everywhere", v0(SYSCTL, b"k\x1b\0rest") + v0(CSW, struct.pack("<ii8s", 1, 0, b"w\x1b[2J\xff")) +
     v0(STRUCT, b"sockaddr\0" + bytes([6, 1]) + b"/\x1b[m") + v0(ARGS, b"a\x1b\0b\n") + v0(ENVS, b"X=\xc2\x9b\0") +
     v0(EXTERR, exterr(22, 1, 5, 0, 16, b"%s%n\x1b")), "",
     LINE + 'SCTL  "k\\033"\n' + LINE + 'CSW   stop kernel "w\\033[2J\\377"\n' +
     LINE + "STRU  struct sockaddr { AF_LOCAL, /\\033[m }\n" + LINE + 'ARGS  "a\\033", "b\\012"\n' +
     LINE + 'ENVS  "X=\\302\\233"\n' +
     LINE + 'EERR  { errno 22 sys/vm/vm_mmap.c:5 "%s%n\\033" (category 1 p1 0 p2 0x10) }\n')
case("text.struct-names", v0(STRUCT, b"\x1b[m\0x") + v0(STRUCT_ARRAY, array(4, b"a\x1b", b"xxxx")) +
     v0(STRUCT_ARRAY, array(4, b"%n", b"xxxx")), "", (LINE + "STRU  invalid record\n") * 3)
case("text.data", v0(GENIO, gio(1, 1, "é".encode())) + v0(GENIO, gio(0, 0, b"\x1b[m")), "",
     LINE + "GIO   fd 1 wrote 2 bytes\n       0x0000 c3a9                                     |..|\n\n" +
     LINE + "GIO   fd 0 read 3 bytes\n       0x0000 1b5b 6d                                  |.[m|\n\n")
case("text.rtld", v0(USER, b"RTLD" + struct.pack("<iQQQi", 1, 0, 0, 0, 2) + b"a\x1b[m".ljust(1028, b"\0")), "",
     LINE + "USER  dlopen(a\\033[m, RTLD_NOW)\n")
case("data.last-byte", v0(GENIO, gio(1, 1, b"a\0")) + v0(GENIO, gio(1, 1, b"a\x007")), "-m 2",
     LINE + 'GIO   fd 1 wrote 2 bytes\n       "a\\0"\n' + LINE + 'GIO   fd 1 wrote 3 bytes\n       "a\\000"\n')

# Linux processes ----------------------------------------------------------------------------------------------------

case("linux.names", L64 + v0(SYSCALL, call(0, 3, 0x1000, 16)) + v0(SYSRET, ret(0, 10)) + v0(SYSCALL, call(39)) +
     v0(SYSRET, ret(39, 700)) + v0(SYSCALL, call(470, 1, 2, 3, 4)) + v0(SYSCALL, call(-1, 1)) + v0(SYSCALL, call(999)),
     "-S", LINE + "CALL  read[0](0x3,0x1000,0x10)\n" + LINE + "RET   read[0] 10/0xa\n" + LINE + "CALL  getpid[39]\n" +
     LINE + "RET   getpid[39] 700/0x2bc\n" + LINE + "CALL  listns[470](0x1,0x2,0x3,0x4)\n" + LINE +
     "CALL  [-1](0x1)\n" + LINE + "CALL  [999]\n")
case("linux.names32", v0(PROCCTOR, ctor(LINUX32)) + v0(SYSCALL, call(3, 3, 0x1000, 16)) + v0(SYSCALL, call(403, 1, 2)),
     "-A", LINE + "CALL  L32  read(0x3,0x1000,0x10)\n" + LINE + "CALL  L32  clock_gettime64(CLOCK_MONOTONIC,0x2)\n")
# What a traced process was on says the file, and not what kdump runs on.
case("linux.arm32",
     v0(PROCCTOR, ctor(LINUX_ARM32)) + v0(SYSCALL, call(3, 3, 16, 1)) + v0(SYSCALL, call(221, 3, 1)), "-A", LINE + "CALL  L32  read(0x3,0x10,0x1)\n" + LINE + "CALL  L32  fcntl64(0x3,F_GETFD)\n")
case("linux.arm64",
     v0(PROCCTOR, ctor(LINUX_ARM64)) + v0(SYSCALL, call(63, 3, 16, 1)) + v0(SYSCALL, call(0, 1, 16)), "-A", LINE + "CALL  L64  read(0x3,0x10,0x1)\n" + LINE + "CALL  L64  io_setup(0x1,0x10)\n")
# An exec makes a process of the other ABI, whose number it is that its RET has.
case("linux.arm-exec", v0(PROCCTOR, ctor(LINUX_ARM64)) + v0(SYSCALL, call(221, 16, 32, 48)) +
     v0(PROCCTOR, ctor(LINUX_ARM32)) + v0(SYSRET, ret(221, 0, -2)) + v0(SYSCALL, call(20)), "-A",
     LINE + "CALL  L64  execve(0x10,0x20,0x30)\n" + LINE + "RET   L32  execve JUSTRETURN\n" +
     LINE + "CALL  L32  getpid\n")
case("linux.errno", L64 + b"".join(v0(SYSRET, ret(257, 0, e)) for e in
                                   (2, 11, 35, 78, 63, 87, 97, 45, 1041, 1123, 1524, 1515, 1530, 1600, 67, 88, -1,
                                    -2, -3)), "",
     "".join(LINE + "RET   openat " + text + "\n" for text in (
         "-1 errno 2 No such file or directory", "-1 errno 35 Resource deadlock avoided",
         "-1 errno 11 Resource temporarily unavailable", "-1 errno 38 Function not implemented",
         "-1 errno 36 File name too long", "-1 errno 61 No data available", "-1 errno 117 Structure needs cleaning",
         "-1 errno 95 Operation not supported", "-1 errno 41 Unknown error 41", "-1 errno 123 No medium found",
         "-1 errno 524 Operation not supported (kernel-internal ENOTSUPP)",
         "-1 errno 515 No such ioctl command (kernel-internal ENOIOCTLCMD)",
         "-1 errno 530 Conflict with recalled state (kernel-internal ERECALLCONFLICT)",
         "-1 errno 600 Unknown error 600", "-1 errno 11 Resource temporarily unavailable",
         "-1 errno 22 Invalid argument", "RESTART", "JUSTRETURN", "-1 errno -3 Unknown error: -3")))
case("linux.errno-n", L64 + v0(SYSRET, ret(257, 0, 35)) + v0(SYSRET, ret(257, -1)), "-n",
     LINE + "RET   openat -1 errno 11\n" + LINE + "RET   openat 0xffffffffffffffff\n")
case("linux.signals", L64 + b"".join(v0(PSIG, psig(*p)) for p in (
    (30, 0x401230, 0x10007, 0x4000), (272, 0, 0x10001), (286, 0, 0x10006), (65,), (67, 0x1), (97, 0, 0x10002),
    (11, 0, 1), (11, 0, 4), (10, 0, 4), (8, 0, 2), (8, 0, 1), (5, 0, 4), (12, 0, 1), (23, 0, 1), (23, 0, -5),
    (20, 0, 1), (300, 0, 77))), "",
     "".join(LINE + "PSIG  " + text + "\n" for text in (
         "SIGUSR1 caught handler=0x401230 mask=0x4000 code=SI_LWP", "SIGSTKFLT SIG_DFL code=SI_USER",
         "SIGPWR SIG_DFL code=SI_KERNEL", "SIGRT0 SIG_DFL code=SI_USER",
         "SIGRT2 caught handler=0x1 mask=0x0 code=SI_USER",
         "SIGRT32 SIG_DFL code=SI_QUEUE", "SIGSEGV SIG_DFL code=SEGV_MAPERR", "SIGSEGV SIG_DFL code=SEGV_PKUERR",
         "SIGBUS SIG_DFL code=BUS_MCEERR_AR", "SIGFPE SIG_DFL code=FPE_INTDIV", "SIGFPE SIG_DFL code=FPE_INTOVF",
         "SIGTRAP SIG_DFL code=TRAP_HWBKPT", "SIGSYS SIG_DFL code=SYS_SECCOMP", "SIGIO SIG_DFL code=POLL_IN",
         "SIGIO SIG_DFL code=SI_SIGIO", "SIGCHLD SIG_DFL code=CLD_EXITED", "SIG 300 SIG_DFL code=<invalid=0x4d>")))
case("linux.capabilities", L64 + v0(CAPFAIL, capfail(0, 1 << 21, 1 << 0 | 1 << 40)) +
     v0(CAPFAIL, capfail(0, 1 << 50, 0)) +
     v1(CAPFAIL, capfail_new(0, 0, LINUX64, struct.pack("<4Q", 1 << 12 | 1 << 57, 1 << 58, 1 << 57, 1 << 58))) +
     v1(CAPFAIL, capfail_new(2, 165, LINUX64, b"")), "",
     LINE + "CAP   operation requires CAP_SYS_ADMIN, process holds CAP_CHOWN,CAP_CHECKPOINT_RESTORE\n" +
     LINE + "CAP   operation requires 50, process holds \n" +
     LINE + "CAP   operation requires CAP_NET_ADMIN, process holds \n" +
     LINE + "CAP   system call not allowed: mount\n")
case("linux.structs", L64 + v0(STRUCT, b"l_sigset_t\0" + struct.pack("<Q", 1 << 1 | 1 << 9 | 1 << 33)) +
     v0(STRUCT, b"l_sigset_t\0" + bytes(8)) + v0(STRUCT, b"l_sigset_t\0" + bytes(4)) +
     v0(STRUCT_ARRAY, array(8, b"pollfd", struct.pack("<iHHiHHi", 3, 1, 0, 4, 5, 0x2000, 9))) +
     v0(STRUCT, b"sockaddr\0" + struct.pack("<BBHII", 12, 38, 0, 700, 1)) + v0(STRUCT, b"sockaddr\0\4\46ab"), "",
     LINE + "STRU  l_sigset_t [ SIGINT, SIGUSR1, SIGRT2 ]\n" + LINE + "STRU  l_sigset_t [ empty ]\n" +
     LINE + "STRU  invalid record\n" + LINE +
     "STRU  struct pollfd[] = { { fd=3, events=0x1<POLLIN>, revents=0}\n"
     "             { fd=4, events=0x5<POLLIN|POLLOUT>, revents=0x2000<POLLRDHUP>} }\n" +
     LINE + "STRU  struct sockaddr { AF_NETLINK, netlink[pid=700, groups=0x1] }\n" +
     LINE + "STRU  struct sockaddr { AF_NETLINK, invalid }\n")

# The ABI of a thread at the time ------------------------------------------------------------------------------------

L32 = v0(PROCCTOR, ctor(LINUX32))
case("abi.exec-64-to-32", L64 + v0(SYSCALL, call(59, 1, 2, 3)) + namei(b"/bin/x") + L32 + namei(b"/lib/ld.so") +
     v0(SYSRET, ret(59, 0, -2)) + v0(SYSCALL, call(3, 1)), "-A",
     LINE + "CALL  L64  execve(0x1,0x2,0x3)\n" + LINE + 'NAMI  L64  "/bin/x"\n' + LINE + 'NAMI  L32  "/lib/ld.so"\n' +
     LINE + "RET   L32  execve JUSTRETURN\n" + LINE + "CALL  L32  read(0x1)\n")
case("abi.exec-32-to-64", L32 + v0(SYSCALL, call(11, 1, 2, 3)) + L64 + v0(SYSRET, ret(11, 0, -2)) +
     v0(SYSCALL, call(11, 1, 2)), "-A",
     LINE + "CALL  L32  execve(0x1,0x2,0x3)\n" + LINE + "RET   L64  execve JUSTRETURN\n" +
     LINE + "CALL  L64  munmap(0x1,0x2)\n")
case("abi.exec-by-thread", L64 + v0(SYSCALL, call(202, 1)) + v0(SYSCALL, call(322, 1), tid=701) + L32 +
     namei(b"/lib/ld.so") + v0(SYSRET, ret(322, 0, -2)) + v0(SYSCALL, call(3, 1)), "-HA",
     "   700    700 prog     CALL  L64  futex(0x1)\n   700    701 prog     CALL  L64  execveat(0x1)\n"
     '   700    700 prog     NAMI  L32  "/lib/ld.so"\n   700    700 prog     RET   L32  execveat JUSTRETURN\n'
     "   700    700 prog     CALL  L32  read(0x1)\n")
case("abi.exec-without-call", L64 + L32 + namei(b"/lib/ld.so") + v0(SYSRET, ret(59, 0, -2)) +
     namei(b"/x", tid=701) + v0(SYSCALL, call(3, 1), tid=701), "-A",
     LINE + 'NAMI  L32  "/lib/ld.so"\n' + LINE + "RET   L32  execve JUSTRETURN\n" + LINE + 'NAMI  L32  "/x"\n' +
     LINE + "CALL  L32  read(0x1)\n")
case("abi.exec-failed", L64 + v0(SYSCALL, call(59, 1)) + v0(SYSRET, ret(59, 0, 2)) + v0(SYSCALL, call(0, 1)), "-A",
     LINE + "CALL  L64  execve(0x1)\n" + LINE + "RET   L64  execve -1 errno 2 No such file or directory\n" +
     LINE + "CALL  L64  read(0x1)\n")
case("abi.int80", L64 + v0(SYSCALL, call(0, 3), tid=701) + L32 + v0(SYSCALL, call(20)) + namei(b"/other", tid=701) +
     v0(SYSRET, ret(0, 1), tid=701) + v0(SYSRET, ret(20, 700)) + L64 + v0(SYSCALL, call(39)) + v0(SYSRET, ret(39, 1)),
     "-HA",
     "   700    701 prog     CALL  L64  read(0x3)\n   700    700 prog     CALL  L32  getpid\n"
     '   700    701 prog     NAMI  L64  "/other"\n   700    701 prog     RET   L64  read 1\n'
     "   700    700 prog     RET   L32  getpid 700/0x2bc\n   700    700 prog     CALL  L64  getpid\n"
     "   700    700 prog     RET   L64  getpid 1\n")
case("abi.int80-exec", L64 + L32 + v0(SYSCALL, call(11, 1)) + L64 + namei(b"/lib/ld.so") + v0(SYSRET, ret(11, 0, -2)) +
     L64 + v0(SYSCALL, call(11, 1)), "-A",
     LINE + "CALL  L32  execve(0x1)\n" + LINE + 'NAMI  L64  "/lib/ld.so"\n' + LINE + "RET   L64  execve JUSTRETURN\n" +
     LINE + "CALL  L64  munmap(0x1)\n")
case("abi.int80-without-call", L64 + L32 + v0(GENIO, gio(5, 0, b"x")) + v0(SYSCALL, call(39), tid=701) +
     v0(SYSRET, ret(3, 1)) + L64 + v0(SYSCALL, call(39)), "-HA -t c",
     "   700    701 prog     CALL  L64  getpid\n   700    700 prog     RET   L32  read 1\n"
     "   700    700 prog     CALL  L64  getpid\n")
case("abi.int80-exit", L64 + v0(PROCCTOR, ctor(LINUX32), tid=701) + v0(SYSCALL, call(1, 0), tid=701) +
     v0(PROCCTOR, ctor(LINUX64), tid=701) + v0(SYSRET, ret(56), tid=701) + v0(SYSCALL, call(39)), "-HA",
     "   700    701 prog     CALL  L32  exit(0)\n   700    701 prog     RET   L64  clone 0\n"
     "   700    700 prog     CALL  L64  getpid\n")
case("abi.pid-reused", L64 + v0(SYSCALL, call(59, 1)) + v0(PROCDTOR) + namei(b"/x") + L32 + v0(SYSRET, ret(59)) +
     v0(SYSCALL, call(4, 1)), "-A",
     LINE + "CALL  L64  execve(0x1)\n" + LINE + 'NAMI  U00  "/x"\n' + LINE + "RET   L32  oldolduname 0\n" +
     LINE + "CALL  L32  write(0x1)\n")
case("abi.many", b"".join(v0(PROCCTOR, ctor(LINUX64), pid=p) for p in range(1, 5000)) +
     b"".join(v0(SYSCALL, call(0), pid=p) for p in (1, 2500, 4999)), "-A",
     "".join("%6d prog     CALL  L64  read\n" % p for p in (1, 2500, 4999)))

# FreeBSD's own files ------------------------------------------------------------------------------------------------

F64 = v0(PROCCTOR, ctor(FREEBSD64))
case("freebsd.begin", F64 + v0(SYSRET, ret(45, 0)) + v0(SYSCALL, call(59, 1)) + v0(SYSRET, ret(59, 0)), "-A",
     LINE + "RET   F64  ktrace 0\n" + LINE + "CALL  F64  execve(0x1)\n" + LINE + "RET   F64  execve 0\n")
case("freebsd.old-names", F64 + b"".join(v0(SYSCALL, call(n)) for n in (8, 11, 188, 91, 602, 603)), "",
     "".join(LINE + "CALL  %s\n" % n for n in
             ("compat.creat", "obs_execv", "compat11.stat", "#91", "renameat2", "[603]")))
I386 = (i386(PROCCTOR, ctor(FREEBSD32)) + i386(SYSCALL, call32(4, 1, 0x8048000, 0xffffffff)) +
        i386(GENIO, gio(1, 1, b"hi\n")) + i386(SYSRET, ret32(4, -1)) + i386(SYSRET, ret32(4, 0, 9)) +
        i386(NAMEI, b"/etc", usec=999999) + i386(PSIG, psig32(2, 0x8048100, 0x10007, 0x6)) +
        i386(FAULT, struct.pack("<Ii", 0x8048000, 1)) + i386(FAULTEND, struct.pack("<i", 0)) +
        i386(CSW, struct.pack("<ii", 1, 0)))
case("i386", I386, "-HA",
     "".join("   700 100700 prog     %s\n" % line for line in (
         "CALL  F32  write(0x1,0x8048000,0xffffffff)", 'GIO   F32  fd 1 wrote 3 bytes\n       "hi\n       "',
         "RET   F32  write -1/0xffffffff", "RET   F32  write -1 errno 9 Bad file descriptor", 'NAMI  F32  "/etc"',
         "PSIG  F32  SIGINT caught handler=0x8048100 mask=0x6 code=SI_LWP", "PFLT  F32  0x8048000 0x1<VM_PROT_READ>",
         "PRET  F32  KERN_SUCCESS", "CSW   F32  stop kernel")))
case("i386.T", i386(NAMEI, b"/a", usec=0) + i386(NAMEI, b"/b", usec=999999), "-T",
     LINE + '1700000000.000000 NAMI  "/a"\n' + LINE + '1700000000.999999 NAMI  "/b"\n')
case("i386.v1", i386_v1(NAMEI, b"/a", cpu=2) + i386_v1(NAMEI, b"/b"), "-Tc",
     LINE + '1700000000.000000005   2 NAMI  "/a"\n' + LINE + '1700000000.000000005   0 NAMI  "/b"\n')
case("i386.partial", I386[:-3], "-t n", LINE + 'NAMI  "/etc"\n', "at byte %d: the file ends" % (len(I386) - 52))
CAPFAILS = (
    (0, 0, struct.pack("<4Q", 2 | 1 << 57, 1 << 58, 1 | 1 << 57, 1 << 58)), (2, 92, struct.pack("<i", 22)),
    (2, 165, struct.pack("<i", 129)), (2, 104, b""), (3, 37, struct.pack("<i", 19)), (4, 97, struct.pack("<i", 1)),
    (5, 133, struct.pack("<BBHI8x", 16, 2, 0x8813, 0)), (6, 499, b"/\x1b"), (7, 488, b""), (99, 4, b""))
case("freebsd.capfail-14", F64 + b"".join(v1(CAPFAIL, capfail_new(kind, code, FREEBSD64, data))
                                          for kind, code, data in CAPFAILS), "",
     "".join(LINE + "CAP   " + text + "\n" for text in (
         "operation requires CAP_WRITE, descriptor holds CAP_READ", "system call not allowed: fcntl, cmd: F_KINFO",
         "system call not allowed: sysarch, op: AMD64_SET_FSBASE", "system call not allowed: bind",
         "kill: signal delivery not allowed: SIGCONT", "socket: protocol not allowed: IPPROTO_ICMP",
         "sendto: restricted address lookup: struct sockaddr { AF_INET, 0.0.0.0:5000 }",
         "openat: restricted VFS lookup: /\\033", "cpuset_setaffinity: restricted cpuset operation",
         "write: unknown capability failure")))
OLD_STAT = struct.pack("<IIHHIIIqqqqqqqqIIIiqq", 9, 4242, 0o100644, 1, 0, 0, 7, 1, 0, 2, 0, 3, 500, 10, 8, 4096, 0,
                       0, 0, -1, 0)
case("freebsd.old-stat", v0(STRUCT, b"stat\0" + OLD_STAT), "",
     LINE + "STRU  struct stat {dev=9, ino=4242, mode=0100644, nlink=1, uid=0, gid=0, rdev=7, atime=1, mtime=2, "
     "ctime=3.000000500, birthtime=-1, size=10, blksize=4096, blocks=8, flags=0x0 }\n")
case("freebsd.exterr", v0(EXTERR, exterr(22, 2, 300, 1, 2**64 - 1, b"bad %#jx")) +
     v0(EXTERR, exterr(5, 99, 1, 0, 0, b"")), "",
     LINE + 'EERR  { errno 22 sys/kern/kern_descrip.c:300 "bad 0x1" (category 2 p1 0x1 p2 0xffffffffffffffff) }\n' +
     LINE + 'EERR  { errno 5 sys/unknown:1 "" (category 99 p1 0 p2 0) }\n')
case("args", v0(ARGS, b"ls\0-l\0") + v0(ENVS, b"A=1\0B=\0") + v0(ARGS, b"x"), "",
     LINE + 'ARGS  "ls", "-l"\n' + LINE + 'ENVS  "A=1", "B="\n' + LINE + 'ARGS  "x"\n')

# What is not ours ---------------------------------------------------------------------------------------------------

NETBSD = struct.pack("<ihhi17s3xqqq", 4, 6, 2, 99, b"ls", 1700000000, 5, 1) + b"netb"
case("foreign.netbsd", NETBSD * 3, "", "", "NetBSD")
case("foreign.netbsd-one", NETBSD, "", "", "NetBSD")
case("foreign.not-netbsd", namei(b"/a", pad=2) + namei(b"/b"), "", LINE + 'NAMI  "/a"\n' + LINE + 'NAMI  "/b"\n')
case("foreign.openbsd", b"KTR\0" + bytes(100), "", "", "OpenBSD")
case("foreign.openbsd-le", struct.pack("<I", 0x4b545200) + bytes(100), "", "", "OpenBSD")
case("foreign.openbsd-short", b"KTR\0", "", "", "OpenBSD")
case("foreign.big-endian", struct.pack(">ihHi20sqqqI", 4, 10, 0, 99, b"ls", 1700000000, 5, 1, 0x209), "", "",
     "big-endian")
case("foreign.macos-1", struct.pack("<II", 0x55aa0101, 3) + bytes(100), "", "", "macOS")
case("foreign.macos-2", struct.pack("<II", 0x55aa0200, 3) + bytes(100), "", "", "macOS")
case("foreign.macos-3", struct.pack("<IIQ", 0x1000, 3, 0x38) + bytes(100), "", "", "macOS")
case("foreign.text", b"This is no trace file, but it is long enough to hold a header.\n" * 3, "", "",
     "this is text, no trace file")

# Malformed ----------------------------------------------------------------------------------------------------------

GOOD = namei(b"/good")
SHOWN = LINE + 'NAMI  "/good"\n'


def bad(name, data, error):
    """After a good record of 61 bytes."""
    case("bad." + name, GOOD + data, "", SHOWN, "at byte 61: " + error)


bad("header-cut", namei(b"/x")[:17], "the file ends within a record: 17 of 56 bytes of its header")
bad("header-cut-1", b"\0", "the file ends within a record: 1 of 56 bytes of its header")
bad("header-cut-v1", v1(NAMEI, b"")[:60], "the file ends within a record: 60 of 64 bytes of its header")
bad("payload-cut", namei(b"/cut off")[:-3], "the file ends within a record: 5 of 8 bytes of its payload")
bad("length-negative", v0(NAMEI, b"/x", length=-1), "a record of -1 bytes")
bad("length-least", v0(NAMEI, b"/x", length=-2**31), "a record of -2147483648 bytes")
bad("length-huge", v0(NAMEI, b"/x", length=2**31 - 1), "a record of 2147483647 bytes")
bad("length-beyond", v0(NAMEI, b"/x", length=10 << 20), "the file ends within a record: 2 of 10485760 bytes")
bad("version", v1(NAMEI, b"/x", version=7), "a header of version 7")
bad("version-0", v1(NAMEI, b"/x", version=0), "a header of version 0")
bad("syscall-short", v0(SYSCALL, b"\0\0\0"), "SYSCALL of 3 bytes, but it takes 8")
bad("syscall-args", v0(SYSCALL, struct.pack("<hhIQ", 1, 2, 0, 0)), "SYSCALL with 2 arguments in 16 bytes")
bad("syscall-negative", v0(SYSCALL, struct.pack("<hhI", 1, -1, 0)), "SYSCALL with -1 arguments in 8 bytes")
bad("sysret-short", v0(SYSRET, bytes(15)), "SYSRET of 15 bytes, but it takes 16")
bad("genio-short", v0(GENIO, bytes(7)), "GENIO of 7 bytes, but it takes 8")
bad("psig-short", v0(PSIG, bytes(39)), "PSIG of 39 bytes, but it takes 40")
bad("csw-short", v0(CSW, bytes(4)), "CSW of 4 bytes, but it takes 8")
bad("ctor-short", v0(PROCCTOR, bytes(3)), "PROCCTOR of 3 bytes, but it takes 4")
bad("capfail-short", v0(CAPFAIL, bytes(39)), "CAPFAIL of 39 bytes, but it takes 40")
bad("fault-short", v0(FAULT, bytes(8)), "FAULT of 8 bytes, but it takes 12")
bad("faultend-short", v0(FAULTEND, b""), "FAULTEND of 0 bytes, but it takes 4")
bad("exterr-short", v0(EXTERR, bytes(199)), "EXTERR of 199 bytes, but it takes 200")
case("odd.empty-payloads", b"".join(v0(kind) for kind in (NAMEI, USER, STRUCT, SYSCTL, STRUCT_ARRAY, ARGS, ENVS)) +
     v0(GENIO, gio(1, 1, b"")), "",
     "".join(LINE + text + "\n" for text in (
         'NAMI  ""', "USER  0 ", "STRU  invalid record", 'SCTL  ""', "STRU  invalid record", "ARGS  ", "ENVS  ",
         'GIO   fd 1 wrote 0 bytes\n       ""')))
