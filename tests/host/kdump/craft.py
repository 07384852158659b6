# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Trace files byte by byte, in every layout that kdump reads."""
import struct

SYSCALL, SYSRET, NAMEI, GENIO, PSIG, CSW, USER, STRUCT, SYSCTL, PROCCTOR, PROCDTOR, CAPFAIL, FAULT, FAULTEND, \
    STRUCT_ARRAY, ARGS, ENVS, EXTERR = range(1, 19)
DROP, VERSIONED = 0x8000, 0x4000

LINUX64, LINUX32, LINUX_ARM64, LINUX_ARM32, FREEBSD64, FREEBSD32 = \
    0x203, 0x4103, 0x40000203, 0x103, 0x209, 0x4109

PID, NOW = 700, 1700000000


def v0(kind, payload=b"", pid=PID, tid=None, comm=b"prog", sec=NOW, usec=0, pad=0, length=None):
    return struct.pack("<iHHi20sqqq", len(payload) if length is None else length, kind, pad, pid, comm, sec, usec,
                       pid if tid is None else tid) + payload


def v1(kind, payload=b"", pid=PID, tid=None, comm=b"prog", sec=NOW, nsec=0, cpu=0, version=1, length=None):
    return struct.pack("<iHHi20sqqqiI", len(payload) if length is None else length, kind | VERSIONED, version, pid,
                       comm, sec, nsec, pid if tid is None else tid, cpu, 0) + payload


def i386(kind, payload=b"", pid=PID, tid=100700, comm=b"prog", sec=NOW, usec=5, pad=0):
    return struct.pack("<iHHi20siii", len(payload), kind, pad, pid, comm, sec, usec, tid) + payload


def i386_v1(kind, payload=b"", pid=PID, tid=100700, comm=b"prog", sec=NOW, nsec=5, cpu=0):
    return struct.pack("<iHHi20siiii", len(payload), kind | VERSIONED, 1, pid, comm, sec, nsec, tid, cpu) + payload


def call(code, *args):
    return struct.pack("<hhI%dQ" % len(args), code, len(args), 0, *args)


def call32(code, *args):
    return struct.pack("<hh%dI" % len(args), code, len(args), *args)


def ret(code, value=0, error=0):
    return struct.pack("<hhiq", code, 0, error, value)


def ret32(code, value=0, error=0):
    return struct.pack("<hhii", code, 0, error, value)


def ctor(flags):
    return struct.pack("<I", flags)


def gio(fd, rw, data):
    return struct.pack("<ii", fd, rw) + data


def psig(signo, action=0, code=0x10001, mask=0):
    return struct.pack("<iIQi4II", signo, 0, action, code, mask, 0, 0, 0, 0)


def psig32(signo, action=0, code=0x10001, mask=0):
    return struct.pack("<iIi4I", signo, action, code, mask, 0, 0, 0)


def array(size, name, data):
    return struct.pack("<Q", size) + name + b"\0" + data


def capfail(kind, needed, held):
    """Linux capability masks, as they stand in FreeBSD's cap_rights_t."""
    return struct.pack("<iI4Q", kind, 0, needed | 1 << 57, 1 << 58, held | 1 << 57, 1 << 58)


def capfail_new(kind, code, flags, data):
    return struct.pack("<ihHII", kind, code, 0, flags, 0) + data.ljust(1024, b"\0")


def exterr(error, category, line, p1, p2, message):
    return struct.pack("<6I6Q128s", 1, error, category, line, 0, 0, p1, p2, 0, 0, 0, 0, message)


def names(count):
    """So many records, each of its own."""
    return b"".join(v0(NAMEI, b"/%06d" % i) for i in range(count))


def names_text(first, count=None):
    """What kdump prints for them; for those from first on, when count is given."""
    if count is None:
        first, count = 0, first
    return b"".join(b'   700 prog     NAMI  "/%06d"\n' % i for i in range(first, count))
