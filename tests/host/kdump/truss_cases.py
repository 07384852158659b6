# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""--truss: a line for each call."""
import struct

from cases import NONE, NOTICES, case
from craft import (CAPFAIL, CSW, DROP, FAULT, FREEBSD64, GENIO, LINUX64, NAMEI, NOW, PROCCTOR, STRUCT,
                   STRUCT_ARRAY, SYSCALL, SYSCTL, SYSRET, USER, array, call, capfail, ctor, gio, ret, v0, v1)
from story import AT_FDCWD, EBADF, Story, inet

BUF = 0x7ffd00001000


def truss(name, story, *lines, options="", pid=True):
    """Lines: the text after the process's number, or all of it where it begins with a space."""
    text = "".join((line if line.startswith(" ") else "  700: " + line) + "\n" for line in lines)
    case("truss." + name, getattr(story, "data", story), "--truss " + options, text)


# A call that has returned is a line; what stands behind pointers stands in their places.
CAT = Story(comm=b"sh").executes(b"/bin/cat", (b"cat", b"/etc/hostname"), arguments=(1, 2, 3))
CAT.opens(b"/etc/hostname", 3, 0x80000)
CAT.call("read", 3, BUF, 131072).record(GENIO, gio(3, 0, b"guest\n")).ret("read", 6)
CAT.call("write", 1, BUF, 6).record(GENIO, gio(1, 1, b"guest\n")).ret("write", 6)
CAT.call("read", 3, BUF, 131072).record(GENIO, gio(3, 0, b"")).ret("read", 0)
CAT.does("close", 3).does("close", 9, error=EBADF).exits(0)
truss("cat", CAT,
      'execve("/bin/cat", ["cat", "/etc/hostname"], 0x3) = 0', 'openat(AT_FDCWD, "/etc/hostname", O_RDONLY|O_CLOEXEC) = 3',
      'read(3, "guest\\n", 131072) = 6', 'write(1, "guest\\n", 6) = 6', 'read(3, "", 131072) = 0', "close(3) = 0",
      "close(9) = -1 EBADF (Bad file descriptor)", "exit_group(0) = ?", "+++ exited with 0 +++")
truss("filter", CAT, "close(9) = -1 EBADF (Bad file descriptor)", "+++ exited with 0 +++", options="-e status=failed")
truss("calls", CAT, "close(3) = 0", "close(9) = -1 EBADF (Bad file descriptor)", "+++ exited with 0 +++", options="-e close")
truss("no-data", CAT, "read(3, 0x7ffd00001000, 131072) = 6", "read(3, 0x7ffd00001000, 131072) = 0",
      "+++ exited with 0 +++", options="-s -e read")
truss("max-data", CAT, 'read(3, "gue"..., 131072) = 6', 'read(3, "", 131072) = 0', "+++ exited with 0 +++",
      options="-m 3 -e read")
truss("plain", CAT, 'read(0x3, 0x7ffd00001000, 0x20000) = 6 ["guest\\n"]', 'read(0x3, 0x7ffd00001000, 0x20000) = 0 [""]',
      "+++ exited with 0 +++", options="-n -e read")
truss("fds", CAT, 'openat(AT_FDCWD, "/etc/hostname", O_RDONLY|O_CLOEXEC) = 3</etc/hostname>',
      'read(3</etc/hostname>, "guest\\n", 131072) = 6', 'read(3</etc/hostname>, "", 131072) = 0',
      "close(3</etc/hostname>) = 0", "+++ exited with 0 +++", options="--fds -e /^(openat|read|close)$/ -e status=ok")
truss("numbers", CAT, "close[3](3) = 0", "close[3](9) = -1 EBADF (Bad file descriptor)", "+++ exited with 0 +++",
      options="-S -e close")
truss("process", CAT, options="-p 701")
NOTICES["truss.process"] = NONE

# The times are those of the CALLs: since the first line, since the line before, how long it took.
TIMES = Story().at(10).call("getpid").at(25).ret("getpid", 700).at(1000010).call("getpid").at(1000011).ret("getpid", 700)
truss("elapsed", TIMES, "0.000000 getpid() = 700 <0.000015>", "1.000000 getpid() = 700 <0.000001>", options="-E --duration")
truss("relative", TIMES, "0.000000 getpid() = 700", "1.000000 getpid() = 700", options="-R")
truss("absolute", TIMES, "%d.000010 getpid() = 700" % NOW, "%d.000010 getpid() = 700" % (NOW + 1), options="-T")
truss("nanoseconds", Story(make=v1).at(10).does("getpid", gives=700), "0.000000000 getpid() = 700 <0.000001000>",
      options="-E --duration")

# What began earlier is shown first; what ends later is resumed.
truss("threads", Story().call("read", 0, BUF, 100).call("getpid", tid=701).ret("getpid", 700, tid=701)
      .record(GENIO, gio(0, 0, b"x")).ret("read", 1).does("getpid", gives=700, tid=701),
      "read(0, <unfinished ...>", "  700.701: getpid() = 700", '<... read resumed> "x", 100) = 1',
      "  700.701: getpid() = 700")
truss("threads.order", Story().call("getpid").call("close", 3, tid=701).ret("getpid", 700).ret("close", tid=701),
      "getpid() = 700", "  700.701: close(3) = 0")
truss("threads.three", Story().call("nanosleep", BUF, 0).call("close", 1, tid=701).call("close", 2, tid=702)
      .ret("close", tid=702).ret("nanosleep").ret("close", tid=701),
      "nanosleep( <unfinished ...>", "  700.701: close(1 <unfinished ...>", "  700.702: close(2) = 0",
      "<... nanosleep resumed> 0x7ffd00001000, NULL) = 0", "  700.701: <... close resumed>) = 0")
truss("threads.same-line", Story().call("getpid", tid=701).ret("getpid", 1, tid=701).call("close", 1).signal(15),
      "  700.701: getpid() = 1", "close(1 <unfinished ...>", "--- SIGTERM SIG_DFL code=SI_USER ---")
truss("unfinished", Story().path(b"/x").call("read", 0, BUF, 100), '--- NAMI "/x" ---', "read(0, <unfinished ...>")
truss("unfinished.path", Story().call("openat", AT_FDCWD, 1, 0).path(b"/fifo"),
      'openat(AT_FDCWD, "/fifo", O_RDONLY <unfinished ...>')
# A RET without CALL, one of another call, a CALL without RET.
truss("attached", Story().ret("read", 5).does("getpid", gives=700), "<... read resumed>) = 5", "getpid() = 700")
truss("lost", Story().call("close", 3).ret("read", 5).call("close", 4).call("close", 5).ret("close"),
      "close(3) = ?", "<... read resumed>) = 5", "close(4) = ?", "close(5) = 0")
truss("restart", Story().does("nanosleep", BUF, 0, error=-1), "nanosleep(0x7ffd00001000, NULL) = RESTART")

# Processes.
truss("fork", Story().forks(701).exits(3, 701).exits(0), "fork() = 701", "  701: exit_group(3) = ?",
      "  701: +++ exited with 3 +++", "exit_group(0) = ?", "+++ exited with 0 +++")
truss("killed", Story().call("nanosleep", BUF, 0).signal(9).end(700), "nanosleep( <unfinished ...>",
      "--- SIGKILL SIG_DFL code=SI_USER ---", "<... nanosleep resumed> 0x7ffd00001000, NULL) = ?",
      "+++ killed by SIGKILL +++")
truss("exec.threads", Story().call("read", 0, BUF, 1, tid=701).executes(b"/bin/ls", None, how="execve"),
      "  700.701: read(0, <unfinished ...>", 'execve("/bin/ls", 0x2, 0x3) = 0',
      "  700.701: <... read resumed> 0x7ffd00001000, 1) = ?")
truss("end-of-thread", Story().does("getpid", gives=1, tid=701).call("exit", 0, tid=701).exits(0),
      "  700.701: getpid() = 1", "  700.701: exit(0) = ?", "exit_group(0) = ?", "+++ exited with 0 +++")

# Structures, in the places of their pointers.
truss("sockaddr", Story().does("connect", 3, BUF, 16, address=inet(80, 127, 0, 0, 1)),
      "connect(3, { AF_INET, 127.0.0.1:80 }, 16) = 0")
truss("sockaddr.none", Story().does("getpid", address=inet(80, 127, 0, 0, 1)), "getpid() = 0 [{ AF_INET, 127.0.0.1:80 }]")
TIMESPEC = struct.pack("<qq", 1, 500)
truss("timespec", Story().call("nanosleep", BUF, BUF + 16).structure(b"timespec", TIMESPEC)
      .structure(b"timespec", TIMESPEC).ret("nanosleep", 0, -1),
      "nanosleep({ .sec = 1, .nsec = 500 }, { .sec = 1, .nsec = 500 }) = RESTART")
truss("same-memory", Story().call("nanosleep", BUF, BUF).structure(b"timespec", TIMESPEC).ret("nanosleep", 0, -1),
      "nanosleep(0x7ffd00001000, { .sec = 1, .nsec = 500 }) = RESTART")


def calls(*records):
    return v0(PROCCTOR, ctor(LINUX64)) + b"".join(v0(kind, payload) for kind, payload in records)


STAT = struct.pack("<3QHHIIIQ8q2qIIQ80x", 1, 2, 1, 0o100644, 0, 0, 0, 0, 0, *[0] * 8, 4096, 8, 512, 0, 0)[:224]
truss("stat", calls((SYSCALL, call(4, 1, BUF)), (NAMEI, b"/a"), (STRUCT, b"stat\0" + STAT.ljust(224, b"\0")), (SYSRET, ret(4))),
      'stat("/a", {mode=0100644, size=4096, ...}) = 0')
truss("sigset", calls((SYSCALL, call(14, 0, BUF, BUF + 8, 8)), (STRUCT, b"l_sigset_t\0" + struct.pack("<Q", 2**64 - 1 - (3 << 31))),
                      (STRUCT, b"l_sigset_t\0" + struct.pack("<Q", 1 << 9)), (SYSRET, ret(14))),
      "rt_sigprocmask(SIG_BLOCK, ~[ SIGRT0, SIGRT1 ], [ SIGUSR1 ], 8) = 0")
truss("poll", calls((SYSCALL, call(7, BUF, 2, 10)), (STRUCT_ARRAY, array(8, b"pollfd", struct.pack("<ihhihh", 3, 1, 0, 4, 4, 4))),
                    (SYSRET, ret(7, 1))),
      "poll({ { fd=3, events=0x1<POLLIN>, revents=0} { fd=4, events=0x4<POLLOUT>, revents=0x4<POLLOUT>} }, 2, 10) = 1")
# Data are more than where they were.
truss("vector", calls((SYSCALL, call(20, 1, BUF, 1)), (STRUCT_ARRAY, array(16, b"l_iovec", struct.pack("<QQ", 1, 2))),
                      (GENIO, gio(1, 1, b"ab")), (SYSRET, ret(20, 2))), 'writev(1, "ab", 1) = 2')
# symlink(2) looks up one path, mount(2) where before what, and an execve the interpreter, too.
truss("symlink", calls((SYSCALL, call(88, BUF, BUF + 1)), (NAMEI, b"/link"), (SYSRET, ret(88))),
      'symlink(0x7ffd00001000, "/link") = 0')
truss("mount", calls((SYSCALL, call(165, 1, 2, 3, 4096, 0)), (NAMEI, b"/to"), (NAMEI, b"/from"), (SYSRET, ret(165))),
      'mount("/from", "/to", 0x3, MS_BIND, NULL) = 0')
truss("rename", calls((SYSCALL, call(82, 1, 2)), (NAMEI, b"/a"), (NAMEI, b"/b"), (SYSRET, ret(82))), 'rename("/a", "/b") = 0')
truss("interpreter", Story().call("execve", 1, 2, 3).path(b"/a").path(b"/lib/ld.so").ret("execve", 0, -2),
      'execve("/a", 0x2, 0x3) = 0 ["/lib/ld.so"]')
truss("security-module", Story().call("execve", 1, 2, 3).path(b"/a").path(b"/a").path(b"/lib/ld.so").ret("execve", 0, -2),
      'execve("/a", 0x2, 0x3) = 0 ["/lib/ld.so"]')
truss("same-path", calls((SYSCALL, call(82, 1, 2)), (NAMEI, b"/a"), (NAMEI, b"/a"), (SYSRET, ret(82))), 'rename("/a", "/a") = 0')
truss("addresses", calls((SYSCALL, call(9, 0, 4096, 3, 0x22, 2**64 - 1, 0)), (SYSRET, ret(9, 0x7f0000000000))),
      "mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0000000000")
truss("unknown", calls((SYSCALL, call(999, 1, 2)), (SYSRET, ret(999, 0, 78))),
      "[999](0x1, 0x2) = -1 ENOSYS (Function not implemented)")

# What else there is to say of a call, and what is about none.
truss("rest", calls((SYSCALL, call(16, 1, 2, 3)), (USER, b"ab"), (SYSCTL, b"kern.x"), (CAPFAIL, capfail(0, 1 << 21, 0)), (SYSRET, ret(16))),
      'ioctl(1, FIGETBSZ, 0x3) = 0 [USER 2  61 62, SCTL "kern.x", CAP operation requires CAP_SYS_ADMIN, process holds ]')
truss("marks", calls((FAULT, struct.pack("<QiI", 0x1000, 1, 0)), (CSW, struct.pack("<ii8s", 1, 0, b"pipe_re"))),
      "--- PFLT 0x1000 0x1<VM_PROT_READ> ---", '--- CSW stop kernel "pipe_re" ---')
truss("drop", v0(PROCCTOR, ctor(LINUX64)) + v0(SYSCALL, call(39)) + v0(SYSCALL | DROP, call(3, 1)) + v0(SYSRET, ret(3)),
      "getpid( <unfinished ...>", "--- events dropped ---", "<... getpid resumed>) = ?", "close(1) = 0")
# Text of the traced program reaches no terminal as a command.
truss("escapes", Story().opens(b"/\x1b[2J\n\"\\\xff\xc3\xa9", 3), 'openat(AT_FDCWD, "/\\033[2J\\n\\"\\\\\\377\u00e9", O_RDONLY) = 3')
truss("freebsd", Story(FREEBSD64).call("close", 3).ret("close"), "close(3) = 0")
case("truss.empty", b"", "--truss", "")
case("truss.columns", b"", "--truss -A", "", "-A has no effect with --truss: leave it out")
case("truss.two", b"", "--truss --tree", "", "--tree: only one of it and --truss at once")
