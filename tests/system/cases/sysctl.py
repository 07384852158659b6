# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""SYSCTL: every read and write of a file in /proc/sys, by whatever way it was opened."""
import os

from ktest import RET, SCTL, case

POINTS = "cny"


def names(trace, **which):
    return [r.payload for r in trace.of(SCTL, **which)]


@case()
def reads_and_writes(t):
    "Each read and each write leaves the name, between CALL and RET, with one NUL; an open that fails leaves none."
    for prog in "sctl", "sctl32":
        for options in [], ["--v1"]:
            trace = t.trace([prog, "plain"], POINTS, options)
            t.expect(trace, t.out)
    t.ok(b"net.ipv4.conf.default.forwarding\0" in names(trace), "the NUL at the end of a name")


@case()
def refused(t):
    "A write that fails (EINVAL, EFAULT, EPERM) leaves its name, too; what fails before it comes to the file does not."
    trace = t.trace(["sctl", "refused"], POINTS)
    t.expect(trace, t.out)
    t.ok({r.linux_error for r in trace.of(RET)} >= {22, 14, 9}, "EINVAL, EFAULT and EBADF")
    trace = t.trace(["sctl", "dropped"], POINTS)
    t.expect(trace, t.out)
    t.ok(1 in {r.linux_error for r in trace.of(RET)}, "no EPERM")
    trace = t.trace(["sctl", "user"], POINTS, uid=1000)
    t.expect(trace, t.out)


@case()
def every_call(t):
    "Byte by byte, pread, readv and sendfile: one record for each; stat, getdents and other files of procfs leave none."
    for prog in "sctl", "sctl32":
        trace = t.trace([prog, "many"], POINTS)
        t.expect(trace, t.out)
        t.eq(len(names(trace)), 11, "records")


@case()
def other_ways(t):
    "The name is the same from a directory's descriptor, from another mount of procfs, in a chroot, after it was moved."
    trace = t.trace(["sctl", "at"], POINTS)
    t.expect(trace, t.out)
    root = os.path.join(t.dir, "root")
    os.makedirs(root + "/proc")
    t.run(["mount", "-t", "proc", "proc", root + "/proc"])
    t.undo.append(lambda: t.run(["umount", "-l", root + "/proc"]))
    for mode in "plain", "at", "chroot":
        trace = t.trace(["sctl", mode, root], POINTS)
        t.expect(trace, t.out)
    # A part of it, mounted where nothing says what it is.
    os.mkdir(os.path.join(t.dir, "part"))
    t.run(["mount", "--bind", "/proc/sys/kernel/random", "part"])
    t.undo.append(lambda: t.run(["umount", "-l", "part"]))
    trace = t.trace(["cat", "part/uuid"], POINTS)
    t.eq(names(trace), 2 * [b"kernel.random.uuid\0"], "of the part")


@case()
def links(t):
    "An interface whose name has a dot is shown as by sysctl(8), with a slash; each network namespace has its own."
    for interface, shown in ("eth0", "eth0"), ("eth0.100", "eth0/100"), ("a..b", "a//b"), ("x-_@1", "x-_@1"):
        wanted = t.run(["unshare", "-n", "sh", "-c", "ip link set lo name %s && sysctl -aN --pattern conf" % interface])
        t.ok("net.ipv4.conf.%s.forwarding" % shown in wanted.split(), "sysctl(8) does not call it %s" % shown)
        out = t.run(["unshare", "-n", "ktrace", "-t", POINTS, "-f", "link.kt", "/tests/bin/sctl", "link", "",
                     interface, shown])
        t.expect(t.read("link.kt"), out)


@case()
def sysctl8(t):
    "What `sysctl -a` prints is what it leaves: every name that it can read, in its order; and what it writes."
    out = t.run(["ktrace", "-t", "y", "-f", "a.kt", "sysctl", "-a"], status=None)
    said = list(dict.fromkeys(line.partition(" = ")[0] for line in out.splitlines() if " = " in line))
    left = list(dict.fromkeys(name.rstrip(b"\0").decode() for name in names(t.read("a.kt"))))
    t.ok(len(said) > 300, "only %d names" % len(said))
    missing = [name for name in said if name not in set(left)]
    t.eq(missing, [], "names that it printed, and that are not in the trace")
    # What it could not read it did not print.
    printed = set(said)
    t.eq([name for name in left if name in printed], said, "their order")
    for name in left:
        t.ok(os.path.exists("/proc/sys/" + name.translate({46: 47, 47: 46})), "no such sysctl: " + name)
    trace = t.trace(["sysctl", "-q", "-w", "vm.swappiness=60"], "y")
    t.eq(names(trace), [b"vm.swappiness\0"], "a write")


@case()
def only_the_traced(t):
    "Other processes leave nothing, nor does the module; without -t y there is none; with it alone nothing else."
    trace = t.trace(["sh", "-c", "read a </proc/sys/kernel/hostname; cat /proc/sys/kernel/ostype"], "y")
    t.eq({r.payload for r in trace.of(SCTL)}, {b"kernel.hostname\0"}, "a child that is not traced")
    t.eq(set(trace.counts), {9, 10, 11}, "types")
    trace = t.trace(["sh", "-c", "read a </proc/sys/kernel/hostname; cat /proc/sys/kernel/ostype"], "y", ["-i"])
    t.eq({r.payload for r in trace.of(SCTL)}, {b"kernel.hostname\0", b"kernel.ostype\0"}, "and one that is")
    trace = t.trace(["cat", "/proc/sys/kernel/hostname"], "cnisu")
    t.eq(trace.counts[SCTL], 0, "without -t y")
    trace = t.trace(["cat", "/proc/sys/kernel/hostname"])
    t.eq(trace.counts[SCTL], 2, "in the default set")


@case()
def kdump(t):
    "kdump prints it as SCTL, without the NUL."
    t.trace(["cat", "/proc/sys/kernel/hostname"], "y", name="k.kt")
    lines = [line.split(None, 2)[2] for line in t.run(["kdump", "-f", "k.kt"]).splitlines()]
    t.eq(lines, 2 * ['SCTL  "kernel.hostname"'], "kdump")
