# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Loading and unloading the module."""
import ctypes
import errno
import os

from cases.ops import poke, target
from ktest import CLEAR, F_C, NR, SET, Device, case


def memory():
    """What the kernel holds, in kB: slabs that cannot be reclaimed, vmalloc, per-CPU memory."""
    with open("/proc/meminfo", encoding="ascii") as f:
        info = {line.split(":")[0]: int(line.split()[1]) for line in f}
    return info["SUnreclaim"] + info["VmallocUsed"] + info["Percpu"]


def loaded():
    return os.path.exists("/sys/module/ktrace")


@case(guest="load", timeout=240)
def fifty_times(t):
    "insmod, trace, `ktrace -C`, rmmod 50 times: no leak, no warning."
    levels = []
    for i in range(50):
        if not loaded():
            t.run(["modprobe", "ktrace"])
            t.until(lambda: os.path.exists("/dev/ktrace"), "/dev/ktrace")
        path = t.path("k.kt")
        p = target(t, 100)
        t.eq(Device().op(path, SET, F_C, p.pid), 0, "set in round %d" % i)
        poke(p)
        t.run(["ktrace", "-f", "sh.kt", "-i", "sh", "-c", "ls / | wc -l"])
        poke(p)
        t.run(["ktrace", "-C"])
        trace = t.read(path)
        t.eq(trace.calls[(64, NR.getppid)], 200, "calls in round %d" % i)
        t.run(["rmmod", "ktrace"])
        poke(p)
        p.kill()
        p.wait()
        if i >= 9:
            levels.append(memory())
    t.run(["modprobe", "ktrace"])
    # half a ring buffer a round would be 10 MB over 40 rounds
    grown = min(levels[-5:]) - min(levels[:5])
    print("# fifty_times: %d kB more after 40 rounds" % grown)
    # KASAN keeps what was freed for a while. There kmemleak finds each leak, when the guest ends.
    t.ok(grown < 2048 or os.path.exists("/sys/kernel/debug/kmemleak"), "the kernel holds %d kB more after 40 rounds" % grown)
    t.until(lambda: os.path.exists("/dev/ktrace"), "/dev/ktrace")
    t.eq(os.stat("/dev/ktrace").st_mode & 0o777, 0o666, "mode of /dev/ktrace")


@case(guest="load")
def in_use(t):
    "rmmod while tracing says in use; after ktrace -C it succeeds at once."
    p, path = target(t), t.path()
    d = Device()
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    d.close()
    t.run(["rmmod", "ktrace"], status=1)
    t.ok("in use" in t.stderr, "rmmod says %r" % t.stderr)
    poke(p)
    t.run(["ktrace", "-C"])
    t.run(["rmmod", "ktrace"])
    t.run(["modprobe", "ktrace"])


@case(guest="load", timeout=120)
def after_exit(t):
    "rmmod right after the last traced process has ended: works, or is refused while it is not over; no harm."
    for _ in range(20):
        t.run(["ktrace", "-t", "cnis", "-f", "k.kt", "true"])
        t.until(lambda: os.system("rmmod ktrace 2>/dev/null") == 0, "rmmod", seconds=5)
        t.run(["modprobe", "ktrace"])


@case(guest="load", timeout=120)
def deferred(t):
    "rmmod while traced processes are about to run deferred work: refused, or safe."
    d = Device()
    for _ in range(10):
        path = t.path("d.kt")
        p = t.start(["ktrace", "-a", "-i", "-t", "c", "-f", path, "/tests/bin/loop", "3000", "6"])
        t.until(lambda: os.path.getsize(path) > 10000 or p.poll() is not None, "some records")
        t.eq(d.op(None, CLEAR | 4, 0xffffff, 1), 0, "clear all")
        d.close()
        t.until(lambda: os.system("rmmod ktrace 2>/dev/null") == 0, "rmmod", seconds=10)
        p.wait()
        t.run(["modprobe", "ktrace"])
        t.until(lambda: os.path.exists("/dev/ktrace"), "/dev/ktrace")
        d = Device()
        t.read("d.kt")
        os.unlink(path)


@case(guest="load")
def not_loaded(t):
    "Without the module: ktrace tells a user in one line what to do, status 1; ktrace() is ENOSYS; kdump works."
    t.trace(["true"], "c", name="before.kt")
    t.run(["rmmod", "ktrace"])
    try:
        t.run(["ktrace", "true"], uid=1000, status=1)  # root gets the recorder with BPF: cases/bpf.py
        t.eq(len(t.stderr.splitlines()), 1, "lines on stderr: %s" % t.stderr)
        t.ok("modprobe" in t.stderr, "ktrace says %r" % t.stderr)
        lib = ctypes.CDLL("libktrace.so.0", use_errno=True)
        t.eq((lib.ktrace(b"/tmp/x", 0, 6, os.getpid()), ctypes.get_errno()), (-1, errno.ENOSYS), "ktrace()")
        t.run(["kdump", "-f", "before.kt"])
    finally:
        t.run(["modprobe", "ktrace"])


@case(guest="load")
def leftovers(t):
    "Unloaded, nothing is left: no device, no sysctls, no probes, no mounts."
    t.run(["rmmod", "ktrace"])
    try:
        t.until(lambda: not os.path.exists("/dev/ktrace"), "/dev/ktrace to go")
        t.ok(not os.path.exists("/proc/sys/kern/ktrace"), "sysctls are left")
        with open("/sys/kernel/debug/kprobes/list", encoding="ascii") as f:
            t.eq(f.read(), "", "kprobes")
    finally:
        t.run(["modprobe", "ktrace"])


@case(guest="load")
def idle_costs_nothing(t):
    "Hooks exist only while somebody has their point on: none when nobody traces; gone when the last is cleared."
    def probes():
        with open("/sys/kernel/debug/kprobes/list", encoding="ascii") as f:
            return f.read()
    t.until(lambda: probes() == "", "no kprobes at rest", seconds=5)
    p, path = target(t), t.path()
    d = Device()
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    t.eq(probes(), "", "kprobes for c alone")
    t.eq(d.op(path, SET, 1 << 3, p.pid), 0, "set n")
    t.ok("path_init" in probes(), "no kprobe for n")
    t.eq(d.op(None, CLEAR, 1 << 3, p.pid), 0, "clear n")
    t.eq(probes(), "", "kprobes after the last user of n was cleared")
    t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear c")
