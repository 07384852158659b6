# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Traces whose timelines are known, and such as nobody should trust. They are made with kdump's craft.py."""
import struct

from craft import (ARGS, CAPFAIL, CSW, DROP, ENVS, EXTERR, FAULT, FAULTEND, GENIO, LINUX64, NAMEI, NOW, PROCCTOR,
                   PROCDTOR, PSIG, STRUCT, SYSCALL, SYSCTL, SYSRET, USER, call, capfail, ctor, exterr, gio, psig, ret,
                   v1)

READ, WRITE, CLOSE, MMAP, CLONE, EXECVE, WAIT4, FUTEX, EXIT_GROUP, OPENAT = 0, 1, 3, 9, 56, 59, 61, 202, 231, 257
AT_FDCWD = 2**64 - 100


class Writer:
    """Records at nanoseconds since the first one."""

    def __init__(self):
        self.data = bytearray()
        self.records = 0

    def add(self, time, kind, payload=b"", pid=10, tid=None, comm=b"sh"):
        self.data += v1(kind, payload, pid=pid, tid=tid, comm=comm, sec=NOW + time // 10**9, nsec=time % 10**9)
        self.records += kind & 0xff not in (PROCCTOR, PROCDTOR)


def csw(out, wmesg):
    return struct.pack("<ii8s", out, 0, wmesg)


def known():
    """Two processes, one forked by the other, and a thread that never returns. The numbers are in KNOWN."""
    w = Writer()
    w.add(0, PROCCTOR, ctor(LINUX64))
    w.add(0, SYSCALL, call(OPENAT, AT_FDCWD, 0x1000, 0x80000, 0))
    w.add(1000, NAMEI, b"/etc/passwd")
    w.add(3000, SYSRET, ret(OPENAT, 3))
    w.add(4000, SYSCALL, call(READ, 3, 0x2000, 4096))
    w.add(5000, GENIO, gio(3, 0, b"root:x:0:0\n"))
    w.add(6000, SYSRET, ret(READ, 11))
    w.add(7000, SYSCALL, call(OPENAT, AT_FDCWD, 0x1000, 0, 0))
    w.add(7500, NAMEI, b"/etc/missing")
    w.add(8000, SYSRET, ret(OPENAT, 0, 2))
    w.add(10000, SYSCALL, call(CLONE, 0x1200011, 0, 0, 0x3000, 0))
    w.add(12000, PROCCTOR, ctor(LINUX64), pid=11)
    w.add(12000, SYSRET, ret(CLONE, 0), pid=11)
    w.add(13000, SYSRET, ret(CLONE, 11))
    w.add(14000, SYSCALL, call(FUTEX, 0x4000, 0, 1, 0, 0, 0), tid=12, comm=b"worker")
    w.add(15000, SYSCALL, call(WAIT4, 2**64 - 1, 0, 0, 0))
    w.add(15500, CSW, csw(1, b"do_wait"))
    w.add(20000, SYSCALL, call(EXECVE, 0x5000, 0x5100, 0x5200), pid=11)
    w.add(21000, NAMEI, b"/bin/ls", pid=11)
    w.add(24000, ARGS, b"ls\0-l\0/tmp\0", pid=11, comm=b"ls")
    w.add(24500, ENVS, b"HOME=/root\0", pid=11, comm=b"ls")
    w.add(25000, SYSRET, ret(EXECVE, 0, -2), pid=11, comm=b"ls")
    w.add(26000, FAULT, struct.pack("<Qi4x", 0x7f0000001000, 2), pid=11, comm=b"ls")
    w.add(26500, FAULTEND, struct.pack("<i", 0), pid=11, comm=b"ls")
    w.add(27000, USER, b"mark", pid=11, comm=b"ls")
    w.add(30000, SYSCALL, call(WRITE, 1, 0x6000, 6), pid=11, comm=b"ls")
    w.add(31000, GENIO, gio(1, 1, b"a.txt\n"), pid=11, comm=b"ls")
    w.add(32000, SYSRET, ret(WRITE, 6), pid=11, comm=b"ls")
    w.add(33000, SYSCALL, call(WRITE, 1, 0x6000, 6), pid=11, comm=b"ls")
    w.add(37000, SYSRET | DROP, ret(WRITE, 0, 35), pid=11, comm=b"ls")
    w.add(40000, SYSCALL, call(EXIT_GROUP, 0), pid=11, comm=b"ls")
    w.add(42000, PROCDTOR, pid=11, comm=b"ls")
    w.add(45000, CSW, csw(0, b"do_wait"))
    w.add(50000, SYSRET, ret(WAIT4, 11))
    w.add(50000, PSIG, psig(20, 0x401000, 1))
    w.add(100000, CAPFAIL, capfail(0, 1 << 21, 1))
    return w


# Of known(), by call: how many, with errors, and times of those that returned, in ns.
KNOWN = {
    "openat": (2, 1, [3000, 1000]), "read": (1, 0, [2000]), "clone": (1, 0, [3000]), "futex": (1, 0, []),
    "wait4": (1, 0, [35000]), "execve": (1, 0, [5000]), "write": (2, 1, [2000, 4000]), "exit_group": (1, 0, []),
}

def forks():
    """A process with children; the flows are in FORKS."""
    w = Writer()

    def child(begin, end, pid):
        w.add(begin, PROCCTOR, ctor(LINUX64), pid=pid)
        w.add(begin, SYSRET, ret(CLONE, 0), pid=pid)
        w.add(end - 200, SYSCALL, call(EXIT_GROUP, 0), pid=pid)
        w.add(end, PROCDTOR, pid=pid)

    w.add(0, PROCCTOR, ctor(LINUX64))
    w.add(0, SYSCALL, call(CLONE, 17, 0, 0, 0, 0))
    child(1000, 1500, 20)  # ends before the call returns
    w.add(2000, SYSRET, ret(CLONE, 20))
    w.add(3000, SYSCALL, call(CLONE, 17, 0, 0, 0, 0))
    w.add(4000, SYSRET, ret(CLONE, 21))
    child(5000, 6000, 21)
    w.add(7000, SYSCALL, call(CLONE, 0x10000, 0, 0, 0, 0))  # a thread
    w.add(8000, SYSRET, ret(CLONE, 22))
    child(8500, 8900, 22)  # another process of its number
    w.add(9000, SYSCALL, call(CLONE, 17, 0, 0, 0, 0))
    w.add(9500, SYSRET, ret(CLONE, 0, 11))
    w.add(10000, SYSCALL, call(CLONE, 17, 0, 0, 0, 0))
    child(10500, 20000, 20)  # the number again
    w.add(11000, SYSRET, ret(CLONE, 20))
    w.add(12000, PROCDTOR)
    return w


# Of forks(): parent, its call, child, its first record.
FORKS = [(10, 0.0, 20, 1.0), (10, 3.0, 21, 5.0), (10, 10.0, 20, 10.5)]

# What would do something in a page, a script or a terminal.
NASTY = [
    b"</script><script>window.pwned=1</script>", b"<img src=x onerror=window.pwned=1>", b"<!--<script>", b"-->]]>",
    b"'\"`${window.pwned=1}\\", b"</title></style><svg onload=window.pwned=1>", b"&lt;b&gt;&#0;", b"\x1b]0;x\x07\x9b",
    b"\xff\xfe\xc0\x80\xed\xa0\x80", "\u2028\u2029\u202e\ufeff\U0010ffff".encode(), b"\0", b"\r\n\t", b"__proto__",
    b"constructor", b"x" * 5000, b"\xc3\xa9" * 3000,
]


def nasty():
    """All of them in every place where a text can stand."""
    w = Writer()
    time = 0

    def record(kind, payload):
        nonlocal time
        time += 1000
        w.add(time, kind, payload, pid=pid, comm=comm)

    for n, text in enumerate(NASTY):
        pid, comm = 100 + n, text[:19]
        w.add(time, PROCCTOR, ctor(LINUX64), pid=pid)
        record(SYSCALL, call(EXECVE, 1, 2, 3))
        record(NAMEI, text)
        record(ARGS, text + b"\0" + text + b"\0")
        record(ENVS, text + b"\0")
        record(SYSRET, ret(EXECVE, 0, -2))
        record(SYSCALL, call(READ, 1, 2, 3))
        record(GENIO, gio(0, 0, text))
        record(SYSCTL, text)
        record(STRUCT, b"sockaddr\0" + bytes([min(255, len(text) + 2), 1]) + text[:253])
        record(STRUCT, text + b"\0" + text)
        record(EXTERR, exterr(22, 1, 5, 0, 16, text[:128]))
        record(CSW, csw(1, text[:8]))
        record(CSW, csw(0, text[:8]))
        record(SYSRET, ret(READ, 0, 2))
        record(USER, text[:2048])
        record(NAMEI, text)
    return w


def times():
    """Clocks that go back, stand still and are out of all ranges."""
    data = bytearray(v1(PROCCTOR, ctor(LINUX64)))
    for pid, (begin, end) in enumerate(((NOW, NOW), (NOW, NOW - 5), (-2**63, 2**63 - 1), (2**63 - 1, -2**63), (0, 1)), 1):
        data += v1(SYSCALL, call(READ, 1, 2, 3), pid=pid, sec=begin)
        data += v1(CSW, csw(1, b"x"), pid=pid, sec=begin, nsec=2**63 - 1)
        data += v1(CSW, csw(0, b"x"), pid=pid, sec=end)
        data += v1(SYSRET, ret(READ, 3), pid=pid, sec=end)
    data += v1(SYSCALL, call(READ, 1, 2, 3), pid=-5, tid=-2**63)
    data += v1(SYSCALL, call(READ, 1, 2, 3), pid=2**31 - 1, tid=2**63 - 1)
    data += v1(SYSCALL, call(-1, *range(30)), pid=8)
    return bytes(data)


JUMP_WARNING = b"kdump: times are more than 52 days from the first: what does not fit is cut out and marked\n"


def jumps():
    """The clock begins in 1970, is set in a call, goes on for 40 days, and is set back to 1970."""
    data, day = v1(PROCCTOR, ctor(LINUX64)), 86400
    for begin, end in ((5, 7), (8, NOW), (NOW + 2, NOW + 3), (NOW + 40 * day, NOW + 40 * day + 1), (9, 12)):
        data += v1(SYSCALL, call(READ, 1, 2, 3), sec=begin) + v1(SYSRET, ret(READ, 3), sec=end)
    return data


JUMPS = [(0.0, 2e6), (3e6, 0.0), (5e6, 1e6), (3456003e6, 1e6), (3456004e6, 3e6)]  # 40 days and 3 seconds
JUMP_MARKS = [(3e6, "the clock went on %d seconds, which are cut out here" % (NOW - 8)),
              (3456004e6, "the clock went back %d seconds, which are cut out here" % (NOW + 40 * 86400 - 8))]


def large(records):
    """Processes that open, read and close; (file, calls, errors)."""
    parts, time, calls, errors, total = [], 0, 0, 0, 0
    pid = 1000
    while total < records:
        pid += 1
        comm = b"cc1" if pid % 3 else b"sh"
        parts.append(v1(PROCCTOR, ctor(LINUX64), pid=pid, comm=comm, sec=NOW + time // 10**9, nsec=time % 10**9))
        for i in range(100):
            failed = i % 10 == 9
            for kind, payload, wait in (
                    (SYSCALL, call(OPENAT, AT_FDCWD, 0x1000 + i, 0, 0), 300),
                    (NAMEI, b"/usr/include/%d/%d.h" % (pid % 50, i), 700),
                    (SYSRET, ret(OPENAT, 0, 2) if failed else ret(OPENAT, 4), 2000),
                    (SYSCALL, call(READ, 4, 0x200000, 4096), 900),
                    (SYSRET, ret(READ, 100 + i), 1500)):
                time += wait
                parts.append(v1(kind, payload, pid=pid, comm=comm, sec=NOW + time // 10**9, nsec=time % 10**9))
            total += 5
            calls += 2
            errors += failed
        parts.append(v1(PROCDTOR, pid=pid, comm=comm, sec=NOW + time // 10**9, nsec=time % 10**9))
    return b"".join(parts), calls, errors, total


def many_threads(count):
    """As many calls that never return, of processes that never end."""
    return b"".join(v1(SYSCALL, call(READ, 3, 0x2000, i), pid=1 + i, comm=b"t") + v1(NAMEI, b"/%06d" % i, pid=1 + i, comm=b"t")
                    for i in range(count))
