# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Every allocation of the modules fails once, on the debug kernel, which then looks for memory that leaked."""
import os
import re
import subprocess

from cases.ops import target
from cases.rough import LOOSE, whole_records
from ktest import INHERIT, PROCCTOR, SET, F_ALL, Device, case

DEBUG = "/sys/kernel/debug"
KTRACE = "set group descend replace clear clear-descend clearfile flush stats utrace open fork thread path".split()
KTR = ["sysctl=debug/ktr/mask:0x1000", "sysctl=debug/ktr/entries:2048", "sysctl=debug/ktr/clear:1",
       "sysctl=debug/ktr/cpumask:3", "sysctl=debug/ktr/alq_file:/tmp/faults", "sysctl=debug/ktr/alq_enable:1:0",
       "sysctl=debug/ktr/verbose:1:0", "read=/dev/ktr", "read=/proc/sys/debug/ktr/lost"]
KINDS = "failslab", "fail_page_alloc", "fail_usercopy"


def write(path, value):
    with open(path, "w", encoding="ascii") as f:
        f.write(str(value))


def arm(t, module=None):
    """All allocations count, sleeping ones too, the kernel does not tell of each; only those that a module asks for."""
    for kind in KINDS:
        folder = os.path.join(DEBUG, kind)
        t.ok(os.path.isdir(folder), "the kernel has no %s" % kind)
        write(folder + "/verbose", 0)
        if module and os.path.exists(folder + "/require-start"):
            with open("/sys/module/%s/sections/.text" % module, encoding="ascii") as f:
                start = int(f.read(), 16)
            with open("/sys/module/%s/coresize" % module, encoding="ascii") as f:
                end = start + int(f.read())
            write(folder + "/require-start", "%#x" % start)
            write(folder + "/require-end", "%#x" % end)
            t.undo.append(lambda folder=folder: (write(folder + "/require-start", "0"),
                                                 write(folder + "/require-end", "%#x" % ((1 << 64) - 1))))
    write(DEBUG + "/failslab/ignore-gfp-wait", "N")
    write(DEBUG + "/fail_page_alloc/ignore-gfp-wait", "N")
    write(DEBUG + "/fail_page_alloc/min-order", 0)


def failnth(t, *operations, least=0, timeout=300):
    """Runs them, and says how many faults there were."""
    faults = 0
    for operation in operations:
        line = t.run(["failnth", operation], timeout=timeout).strip()
        print("# failnth: " + line, flush=True)
        faults += int(line.split()[1])
    print("# faults injected: %d" % faults)
    t.ok(faults >= least, "%d faults only" % faults)


@case(guest="faults", timeout=300, long=1200)
def ioctls(t):
    "ktrace(2), utrace(2), flush, statistics, forks, threads of who is traced: each allocation fails once, then none."
    arm(t, "ktrace")
    for path in "a", "b":
        t.path(path)
    t.sysctl("kern.ktrace.buffer_size", 65536)  # each page of a ring is an allocation
    failnth(t, "set", *["group"] * t.long, least=60)
    # Hooks are tried above: to take them away and set them again takes seconds each time.
    keeper = target(t)
    t.eq(Device().op(t.path("hooks.kt"), SET, F_ALL, keeper.pid), 0, "set")
    failnth(t, *KTRACE, least=100)
    keeper.kill()
    keeper.wait()
    t.until(lambda: t.module_users() == 0, "the end of all sessions")
    for path in "a", "b":
        whole_records(t, path, LOOSE, sessions=True)


@case(guest="faults", timeout=300)
def ktr(t):
    "debug.ktr and /dev/ktr: each allocation of a mask, a resize, ALQ, the console, a snapshot fails once, then none."
    arm(t, "ktr")
    t.undo.append(lambda: t.run(["sysctl", "-q", "-w", "debug.ktr.mask=0", "debug.ktr.entries=1024"]))
    failnth(t, *KTR, least=30)
    t.silence("ktr: ")


@case(guest="faults", timeout=600)
def load(t):
    "The modules are loaded while each allocation fails once: they are there, or it is an error, and they are not."
    arm(t)
    for module in "ktrace", "ktr":
        path = t.run(["modinfo", "-n", module]).strip()
        t.run(["rmmod", module])
        try:
            failnth(t, "load=" + path, least=50, timeout=600)
        finally:
            t.run(["modprobe", module])
    t.silence("ktr: |ktrace: ")


@case(guest="faults", timeout=120)
def storm(t):
    "Processes are forked while the module gets no memory: each is traced, or counted as lost, and the file says so."
    arm(t, "ktrace")
    d, path = Device(), t.path()
    p = t.start(["failnth", "forks=300"], stdin=subprocess.PIPE)
    t.eq(p.stdout.readline(), b"ready\n", "forks")
    t.eq(d.op(path, SET, F_ALL | INHERIT, p.pid), 0, "set")
    write("/proc/%d/make-it-fail" % p.pid, 1)
    for kind in KINDS[:2]:
        for name, value in ("task-filter", "Y"), ("times", -1), ("probability", 70):
            write(os.path.join(DEBUG, kind, name), value)
        t.undo.append(lambda kind=kind: write(os.path.join(DEBUG, kind, "probability"), 0))
    p.stdin.write(b"x")
    p.stdin.flush()
    made = int(re.fullmatch(rb"forks (\d+)\n", p.stdout.readline()).group(1))
    for kind in KINDS[:2]:
        write(os.path.join(DEBUG, kind, "probability"), 0)
    with open(path, "rb") as f:
        d.flush(f.fileno())
        lost = d.stats(f.fileno())["lost_memory"]
    p.stdin.close()
    p.wait()
    trace = whole_records(t, path, LOOSE)
    there = len(trace.of(PROCCTOR)) - 1
    print("# faults.storm: %d processes, %d traced, %d records lost for want of memory" % (made, there, lost))
    t.eq(there + lost, made, "processes traced, and lost")
    t.ok(made > 50 and (not lost or trace.drops), "%d processes, %d lost, %d flags" % (made, lost, trace.drops))
