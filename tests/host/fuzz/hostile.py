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
MEMORY = 256 << 20  # address space

VIEWS = ([], ["--fds"], ["--summary"], ["--summary=process"], ["--tree"], ["--truss"], ["--json"], ["--html"], ["--perfetto"],
         ["-e", "status=failed"])

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


def descriptors():
    """A process with many descriptors, and its many children."""
    data = [v0(PROCCTOR, ctor(LINUX64)), v0(SYSCALL, call(2, 0, 0, 0)), v0(NAMEI, b"/etc/passwd"), v0(SYSRET, ret(2, 3))]
    data += [v0(SYSCALL, call(32, 3)) + v0(SYSRET, ret(32, fd)) for fd in range(4, 40000)]
    data += [v0(SYSCALL, call(57)) + v0(SYSRET, ret(57, 1000 + i)) for i in range(40000)]
    return data


def scattered_descriptors():
    """Numbers as large as they come, in many processes."""
    data = []
    for pid in range(1, 20001):
        kinds = (SYSCALL, call(33, 0, 0x7fffffff - pid)), (SYSRET, ret(33, 0x7fffffff - pid))
        data.append(v0(PROCCTOR, ctor(LINUX64), pid=pid) + b"".join(v0(kind, payload, pid=pid) for kind, payload in kinds))
    return data


def long_paths():
    """Every open file has a path as long as can be, and is another one."""
    return [v0(PROCCTOR, ctor(LINUX64))] + \
        [v0(SYSCALL, call(2, 0, 0, 0)) + v0(NAMEI, b"/%d" % fd + b"x" * 4000) + v0(SYSRET, ret(2, fd)) for fd in range(20000)]


def done(nr, *words, result=0):
    return v0(SYSCALL, call(nr, *words)) + v0(SYSRET, ret(nr, result))


def pipes():
    """Each takes the two lowest descriptors that are free, and the lowest is closed now and then."""
    data = [v0(PROCCTOR, ctor(LINUX64)), done(22) * 60000]
    return data + [(done(3, 7) + done(22)) * 30000]


def marked_descriptors():
    """Many descriptors, all of which are marked again and again."""
    return [v0(PROCCTOR, ctor(LINUX64))] + [done(32, 0, result=fd) for fd in range(60000)] + \
        [done(436, 0, 0xffffffff, 4) * 300000]


def calls_of_threads():
    """Calls that do not end, of many threads, with much in each: what filters hold."""
    asks, data = call(0, 3, 0, 4096), bytes(8) + b"x" * 4096
    return [b"".join(header(SYSCALL, len(asks), 700, tid) + asks + header(GENIO, len(data), 700, tid) + data
                     for tid in range(10000))]


def long_call():
    """One call that does not end."""
    return [v0(SYSCALL, call(0, 3, 0, 4096))] + [v0(GENIO, bytes(8) + b"x" * 4096)] * 10000


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
    "descriptors": descriptors,
    "scattered-descriptors": scattered_descriptors,
    "long-paths": long_paths,
    "pipes": pipes,
    "marked-descriptors": marked_descriptors,
    "calls-of-threads": calls_of_threads,
    "long-call": long_call,
    "long-calls": long_calls,
    "returns-only": lambda: [v0(SYSRET, ret(11, 0, 2)) * 200000],
}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))


def run(kdump, path, options):
    """What is wrong with kdump's run, or None."""
    process = subprocess.run([kdump, "-f", path] + options, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, preexec_fn=limit)
    said = process.stderr.decode("utf-8", "replace")
    if process.returncode or "memory" in said:
        return "kdump %s: status %d, %s" % (" ".join(options), process.returncode, said)
    return None


def problem(kdump, folder, name):
    """What is wrong with kdump on this file, or None."""
    path = os.path.join(folder, "hostile")
    with open(path, "wb") as f:
        f.writelines(CASES[name]())
    return "\n".join(wrong for wrong in (run(kdump, path, options) for options in VIEWS) if wrong) or None
