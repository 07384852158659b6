# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files made to cost their reader far more than they should: each takes some seconds at most, and bounded memory.

What took quadratic time would take minutes for any of them.
"""
import os
import resource
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "kdump"))
from craft import (ARGS, DROP, GENIO, LINUX64, NAMEI, PROCCTOR, STRUCT, STRUCT_ARRAY, SYSCALL, SYSRET, USER, call,  # noqa: E402
                   ctor, ret, v0)

CPU_SECONDS = 20
MEMORY = 128 << 20  # address space

BIG = 15 << 20  # a payload; the reader takes 16 MiB


def header(kind, length, pid=700, tid=700):
    return struct.pack("<iHHi20sqqq", length, kind, 0, pid, b"prog", 1700000000, 0, tid)


def same_bucket():
    """Process and thread numbers whose sum with factor 31 is the same, twice."""
    numbers = b"".join(header(NAMEI, 0, pid, 10**8 - 31 * pid) for pid in range(1, 200001))
    return [numbers, numbers]


def spread_bits():
    """Thread numbers that differ in the uppermost bits only."""
    numbers = b"".join(header(NAMEI, 0, 1, (i << 44) - (1 << 63)) for i in range(200000))
    return [numbers, numbers]


def processes():
    """Each begins and makes a call, none ends."""
    begin, asks = ctor(LINUX64), call(39)
    return [b"".join(header(PROCCTOR, len(begin), pid, pid) + begin + header(SYSCALL, len(asks), pid, pid) + asks
                     for pid in range(1, 400001))]


def arguments():
    """As many as a CALL can have."""
    most = 32767
    return [v0(PROCCTOR, ctor(LINUX64)), v0(SYSCALL, struct.pack("<hhI", 0, most, 0) + b"\xff" * (8 * most)) * 20]


def forks():
    """Threads of one process fork one that has many threads."""
    most = 1 << 14
    begin, threads = v0(PROCCTOR, ctor(LINUX64)), b"".join(header(NAMEI, 0, 1, i) for i in range(most - 10))
    return [begin, threads, (v0(SYSCALL, call(57)) + v0(SYSRET, ret(57, 1))) * 100000]


def long_calls():
    """Every thread is in a call about which much is said."""
    asks, says = call(2), b"/" * 2040
    return [b"".join(header(SYSCALL, len(asks), 700, tid) + asks + header(NAMEI, len(says), 700, tid) + says
                     for tid in range(20000))]


CASES = {
    "colliding-processes": same_bucket,
    "colliding-threads": spread_bits,
    "many-processes": processes,
    "many-arguments": arguments,
    "all-dropped": lambda: [v0(NAMEI | DROP, b"x") * 200000],
    "empty-records": lambda: [header(USER, 0) * 200000],
    "unknown-types": lambda: [header(0x3ff, 0) * 200000],
    "empty-strings": lambda: [v0(ARGS, bytes(BIG))],
    "no-utf-8": lambda: [v0(NAMEI, b"\xf0\x90\x80" * (BIG // 3))],
    "long-structure-name": lambda: [v0(STRUCT, b"a" * BIG + b"\0x"), v0(STRUCT_ARRAY, bytes(8) + b"a" * BIG + b"\0x")],
    "many-elements": lambda: [v0(STRUCT_ARRAY, struct.pack("<Q", 8) + b"pollfd\0" + b"\xff" * (4 << 20))],
    "long-lines": lambda: [v0(GENIO, bytes(8) + b"\0" * BIG)],
    "new-lines": lambda: [v0(GENIO, bytes(8) + b"\n" * BIG)],
    "hex-dump": lambda: [v0(GENIO, bytes(8) + b"\xff" * (4 << 20))],
    "long-records": lambda: [v0(NAMEI, b"/" * 200000) * 100],
    "forks": forks,
    "long-calls": long_calls,
    "returns-only": lambda: [v0(SYSRET, ret(11, 0, 2)) * 200000],
}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))


def problem(kdump, folder, name, options):
    """What is wrong with kdump's run, or None."""
    path = os.path.join(folder, "hostile")
    with open(path, "wb") as f:
        f.writelines(CASES[name]())
    process = subprocess.run([kdump, "-f", path] + options, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, preexec_fn=limit)
    if process.returncode not in (0, 1) or process.returncode == 1 and not process.stderr.startswith(b"kdump: "):
        return "status %d, %s" % (process.returncode, process.stderr.decode("utf-8", "replace"))
    if b"memory" in process.stderr:
        return process.stderr.decode("utf-8", "replace")
    return None
