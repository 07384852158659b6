# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""A trace as programs make it, the same each time: calls without and with paths and data, files, processes."""
import struct

SYSCALL, SYSRET, NAMEI, GENIO, STRUCT = 1, 2, 3, 4, 8
PROCCTOR, PROCDTOR, ARGS = 10, 11, 16
LINUX64 = 0x203
AT_FDCWD = 0xffffffffffffff9c
ENOENT, EJUSTRETURN = 2, -2

START = 1700000000 * 10**9
STEP = 1700  # nanoseconds from record to record
PROCESSES = 8
TURN = 40  # rounds, until another process has its turn


class Trace:
    def __init__(self, out):
        self.out = out
        self.count = 0
        self.pid = 0
        self.comm = b""

    def add(self, kind, payload=b"", tid=0):
        sec, nsec = divmod(START + self.count * STEP, 10**9)
        self.out.append(struct.pack("<iHHi20sqqqii", len(payload), kind | 0x4000, 1, self.pid, self.comm, sec, nsec,
                                    tid or self.pid, self.count % 2, 0) + payload)
        self.count += 1

    def call(self, number, *args):
        self.add(SYSCALL, struct.pack("<hhi%dQ" % len(args), number, len(args), 0, *args))

    def ret(self, number, value=0, error=0):
        self.add(SYSRET, struct.pack("<hhiq", number, 0, error, value))

    def data(self, fd, rw, data):
        self.add(GENIO, struct.pack("<ii", fd, rw) + data)


def simple(t, n):
    for _ in range(4):
        t.call(110)  # getppid
        t.ret(110, 1000)
    t.call(12, 0)  # brk
    t.ret(12, 0x555555600000 + n * 4096)
    t.call(202, 0x7f0000001000 + n, 0x80, 1, 0, 0, 0xffffffff)  # futex
    t.ret(202, 0, 35)


def files(t, n):
    path = b"/usr/lib/x86_64-linux-gnu/lib%d.so.6" % (n % 97)
    for error in (ENOENT, 0):
        t.call(257, AT_FDCWD, 0x7ffd00001000 + n, 0x80000, 0)  # openat
        t.add(NAMEI, path)
        t.ret(257, 0 if error else 3, error)
    t.call(262, 3, 0x7ffd00002000, 0x7ffd00003000, 0x1000)  # newfstatat
    t.add(STRUCT, b"stat\0" + struct.pack("<QQQHHIIIQ8qqqIIQ80x", 1, 2 + n, 1, 0o100644, 0, 0, 0, 0, 0, n, 5, n, 5, n, 5, 0,
                                          0, n, 8, 4096, 0, 0))
    t.ret(262)
    t.call(9, 0, 0x22000, 5, 2, 3, 0)  # mmap
    t.ret(9, 0x7f0000000000 + n * 4096)
    t.call(10, 0x7f0000000000 + n * 4096, 0x1000, 1)  # mprotect
    t.ret(10)
    t.call(3, 3)  # close
    t.ret(3)


def text(t, n):
    line = b"%d: a line of a log, as most programs write them\n" % n
    t.call(0, 4, 0x7f0000002000, 0x1000)  # read
    t.data(4, 0, line * (1 + n % 4))
    t.ret(0, len(line) * (1 + n % 4))
    t.call(1, 1, 0x7f0000002000, len(line))  # write
    t.data(1, 1, line)
    t.ret(1, len(line))


def binary(t, n):
    block = struct.pack("<8Q", *((n * 2654435761 + i * 40503) % 2**64 for i in range(8)))
    t.call(0, 5, 0x7f0000002000, 64)
    t.data(5, 0, block)
    t.ret(0, 64)
    if n % 16 == 0:  # all of a page
        t.call(0, 5, 0x7f0000002000, 4096)
        t.data(5, 0, block * 64)
        t.ret(0, 4096)


def process(t, n):
    """One that begins, executes a program and ends."""
    parent, comm = t.pid, t.comm
    child = 5000 + n
    t.call(56, 0x1200011, 0, 0, 0x7f0000000a10, 0)  # clone
    t.pid = child
    t.add(PROCCTOR, struct.pack("<I", LINUX64))
    t.call(59, 0x555555560000, 0x555555570000, 0x555555580000)  # execve
    t.add(NAMEI, b"/usr/bin/true")
    t.comm = b"true"
    t.add(PROCCTOR, struct.pack("<I", LINUX64))
    t.add(ARGS, b"true\0--%d\0" % n)
    t.ret(59, 0, EJUSTRETURN)
    t.call(231, 0)  # exit_group
    t.add(PROCDTOR)
    t.pid, t.comm = parent, comm
    t.ret(56, child)


ROUND = (simple, files, text, simple, binary, text, files, text)


def write(f, records):
    """So many records to the file, and those that end a round; returns how many it were."""
    out = []
    t = Trace(out)
    n = 0
    for i in range(PROCESSES if records else 0):
        t.pid, t.comm = 4000 + i, b"worker%d" % i
        t.add(PROCCTOR, struct.pack("<I", LINUX64))
    while t.count < records:
        t.pid, t.comm = 4000 + n // TURN % PROCESSES, b"worker%d" % (n // TURN % PROCESSES)
        ROUND[n % len(ROUND)](t, n)
        if n % 50 == 0:
            process(t, n)
        n += 1
        if len(out) > 100000:
            f.write(b"".join(out))
            t.out = out = []
    f.write(b"".join(out))
    return t.count
