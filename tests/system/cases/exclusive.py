# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""kern.ktrace.exclusive: who is not traced goes past the tracepoints of system calls, as another tracer can tell."""
import os
import subprocess
import time

from cases.ops import calls_of, poke, target
from ktest import CALL, CLEAR, F_C, F_NAMI, INHERIT, NR, SET, Device, case

TRACING = "/sys/kernel/tracing"


class Ftrace:
    """Another tracer: getppid calls of everybody, counted by process."""

    def __init__(self, t):
        if not os.path.isdir(TRACING + "/events"):
            t.run(["mount", "-t", "tracefs", "tracefs", TRACING])
        self.folder = TRACING + "/instances/exclusive"
        os.mkdir(self.folder)
        self.write("events/raw_syscalls/sys_enter/filter", "id == %d" % NR.getppid)
        self.write("events/raw_syscalls/sys_enter/enable", "1")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as f:
            f.write(text)

    def of(self, pid):
        with open(os.path.join(self.folder, "trace"), encoding="ascii", errors="replace") as f:
            return sum(line.split("[")[0].rstrip().endswith("-%d" % pid) for line in f if not line.startswith("#"))

    def seen(self, p):
        """How many of the calls that a target makes when it is poked."""
        before = self.of(p.pid)
        poke(p)
        return self.of(p.pid) - before

    def close(self):
        self.write("events/raw_syscalls/sys_enter/enable", "0")
        os.rmdir(self.folder)


def with_ftrace(function):
    def run(t):
        ftrace = Ftrace(t)
        try:
            function(t, ftrace)
        finally:
            t.sysctl("kern.ktrace.exclusive", 0)
            ftrace.close()
    run.__doc__, run.__name__, run.__module__ = function.__doc__, function.__name__, function.__module__
    return run


@case()
@with_ftrace
def blinds(t, ftrace):
    "Off, everybody's calls are seen by others. On, only those of traced processes, until the trace ends."
    device, path = Device(), t.path()
    traced, other = target(t), target(t)
    t.eq(device.op(path, SET, F_C, traced.pid), 0, "SET")
    t.eq((ftrace.seen(traced), ftrace.seen(other)), (3, 3), "off: calls seen")
    t.sysctl("kern.ktrace.exclusive", 1)
    t.eq((ftrace.seen(traced), ftrace.seen(other)), (3, 0), "on: calls seen")
    new = target(t)
    t.eq(ftrace.seen(new), 0, "on: calls seen of a new process")
    t.eq(device.op(path, SET, F_C, new.pid), 0, "SET of the new one")
    t.eq((ftrace.seen(new), ftrace.seen(other)), (3, 0), "on: calls seen, one more is traced")
    t.eq(device.op(path, CLEAR, F_C, new.pid), 0, "CLEAR of it")
    t.eq(ftrace.seen(new), 0, "on: calls seen after CLEAR")
    t.eq(device.op(path, SET, F_NAMI, new.pid), 0, "SET of names only")
    t.eq(ftrace.seen(new), 0, "on: calls seen of who is traced, but not for calls")
    t.eq(device.op(path, CLEAR, F_NAMI, new.pid), 0, "CLEAR of that")
    t.eq(device.op(path, CLEAR, F_C, traced.pid), 0, "CLEAR of the last")
    t.eq([ftrace.seen(p) for p in (traced, other, new)], [3, 3, 3], "after the last CLEAR: calls seen")
    t.eq([calls_of(t.read(path), p) for p in (traced, other, new)], [6, 0, 3], "calls recorded")
    device.close()


@case()
@with_ftrace
def ends(t, ftrace):
    "Everybody is seen again when it is switched off, and when the last traced process exits; not before."
    device, path = Device(), t.path()
    other = target(t)
    t.sysctl("kern.ktrace.exclusive", 1)
    t.eq(ftrace.seen(other), 3, "nothing is traced: calls seen")
    for how in "off", "exit":
        traced = target(t)
        t.sysctl("kern.ktrace.exclusive", 1)
        t.eq(device.op(path, SET, F_C, traced.pid), 0, "SET")
        t.eq((ftrace.seen(traced), ftrace.seen(other)), (3, 0), "traced: calls seen")
        if how == "off":
            t.sysctl("kern.ktrace.exclusive", 0)
            t.eq((ftrace.seen(traced), ftrace.seen(other)), (3, 3), "switched off: calls seen")
        traced.kill()
        traced.wait()
        t.until(lambda: ftrace.seen(other) == 3, "the hooks to go")
    device.close()


@case()
@with_ftrace
def children(t, ftrace):
    "Threads and children: of traced processes they are traced, and seen, as inherited; of others they are not."
    t.sysctl("kern.ktrace.exclusive", 1)
    keep = target(t)
    device = Device()
    t.eq(device.op(t.path(), SET, F_C, keep.pid), 0, "SET")
    trace = t.trace(["/tests/bin/loop", "200", "3", "4"], "c", options=["-i"])
    t.eq(sum(r.code == NR.getppid for r in trace.of(CALL)), 3 * 4 * 200, "calls of threads of children")
    trace = t.trace(["/tests/bin/loop", "200", "0", "4"], "c")
    t.eq(sum(r.code == NR.getppid for r in trace.of(CALL)), 4 * 200, "calls of threads")
    # not inherited: the parent is seen, its children are not
    before = sum_of(ftrace)
    trace = t.trace(["/tests/bin/loop", "200", "2"], "c")
    t.eq(sum(r.code == NR.getppid for r in trace.of(CALL)), 0, "calls recorded of children that do not inherit")
    t.eq(sum_of(ftrace) - before, 0, "calls seen of them")
    device.close()


def sum_of(ftrace):
    with open(os.path.join(ftrace.folder, "trace"), encoding="ascii", errors="replace") as f:
        return sum(not line.startswith("#") for line in f)


@case(timeout=120)
@with_ftrace
def storm(t, ftrace):
    "Processes and threads begin and end while it is switched on and off: afterwards no task is left out."
    device = Device()
    keep, others = target(t), [target(t) for _ in range(4)]
    t.eq(device.op(t.path(), SET, F_C | INHERIT, keep.pid), 0, "SET")
    forks = [subprocess.Popen(["sh", "-c", "while :; do (:); (:) & wait; done"]) for _ in range(3)]
    try:
        for _ in range(15):
            t.sysctl("kern.ktrace.exclusive", 1)
            time.sleep(0.1)
            t.eq([ftrace.seen(p) for p in others], [0] * 4, "on: calls seen")
            t.sysctl("kern.ktrace.exclusive", 0)
            t.eq([ftrace.seen(p) for p in others], [3] * 4, "off: calls seen")
    finally:
        for p in forks:
            p.kill()
            p.wait()
    new = target(t)
    t.eq(ftrace.seen(new), 3, "calls seen of a new process")
    device.close()
