# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""FAULT and FAULTEND: each page fault of user mode, with its address, access and result."""
import collections
import os
import signal

from ktest import CALL, CSW, F_FAULT, F_FAULTEND, PFLT, PRET, PROCDTOR, PSIG, SET, Device, Skip, case

PROGS = "fault", "fault32"


def known(t, *mode, letters="cfs"):
    """Runs the program in both ABIs; everything that it did is in its trace, and nothing else."""
    for prog in PROGS:
        trace = t.trace([prog, *mode], letters, status=None)
        if t.status == 77:
            raise Skip(t.stderr.strip())
        t.eq(t.status, 0, "status of %s: %s" % (prog, t.stderr))
        t.expect(trace, t.out, tid=trace.records[0].pid)


def within(t, records):
    """Faults in the area that the program told, with their results: (tid, address, access, result)."""
    lines = [line.split() for line in t.out.splitlines()]
    low, high = next((int(w[1], 16), int(w[2], 16)) for w in lines if w[0] == "area")
    found, opened = [], {}
    for r in records:
        if r.type == PFLT:
            opened[r.tid] = r.fault
        elif r.type == PRET:
            address, access = opened.pop(r.tid)
            if low <= address < high:
                found.append((r.tid, address, access, r.result))
    t.eq(opened, {}, "faults without an end")
    return lines, found


@case()
def anonymous(t):
    "First touch by read and by write, copy of the page of zeros; as many as getrusage() says; none of the kernel's own."
    known(t, "anonymous")


@case()
def minor(t):
    "Pages of a file in memory: shared, private, and code, which is an access of its own."
    known(t, "minor", "/var/tmp/minor")     # a file system that wants to know of the first write
    os.unlink("/var/tmp/minor")


@case()
def major(t):
    "A page that must come from the disk is one fault, however often the kernel tries."
    known(t, "major", "/var/tmp/major")
    os.unlink("/var/tmp/major")


@case()
def stack(t):
    "The stack grows."
    known(t, "stack")


@case()
def signals(t):
    "Faults that become SIGSEGV or SIGBUS: invalid address 1, protection failure 2, the end before the PSIG."
    known(t, "signals")


@case()
def cow(t):
    "Copy on write after fork: a write fault in the parent and one for each page in the child."
    for prog in PROGS:
        trace = t.trace([prog, "cow"], "f", ["-i"])
        lines, found = within(t, trace.records)
        parent = trace.records[0].pid
        for who in "parent", "child":
            want = [(int(w[1], 16), int(w[2]), 0) for w in lines if w[0] == who]
            got = [f[1:] for f in found if (f[0] == parent) == (who == "parent")]
            if who == "parent":
                got = got[-1:]      # before it forked it filled the pages
            else:
                got = [g for g in got if g[1] == 2]
            t.eq(got, want, "%s of %s" % (who, prog))
        t.eq(len([f for f in found if f[0] == parent]), 3, "faults of the parent")


@case()
def threads(t):
    "Threads that touch the same page at once: each fault is its thread's own, and their number is the kernel's."
    for prog in PROGS:
        trace = t.trace([prog, "threads", "16"], "cf")
        _, found = within(t, trace.records)
        count = collections.Counter(f[0] for f in found)
        t.eq({f[2:] for f in found}, {(2, 0)}, "access and result")
        touched = {f[1] for f in found}
        t.eq(len(touched), 50, "pages touched")
        for r in trace.of(CALL):
            if r.code == 701:
                t.ok(count[r.tid] <= r.args[0], "thread %d: %d faults, and the kernel says %d" %
                     (r.tid, count[r.tid], r.args[0]))
        t.ok(sum(count.values()) >= 50, "each page has a fault")


@case()
def userfault(t):
    "A fault that waits for userfaultfd ends when the page is there."
    known(t, "userfault")


@case()
def interrupted(t):
    "A signal whose handler runs ends the fault that it interrupts (resource shortage); the next try is a new one."
    known(t, "userfault", "interrupted")


@case()
def resumed(t):
    "A fault that is interrupted by a signal that nobody gets (a debugger takes it) goes on, and has one FAULT."
    for prog in PROGS:
        trace = t.trace([prog, "debugged"], "cfs", ["-i"], status=None)
        if t.status == 77:
            raise Skip("no userfaultfd")
        t.eq(t.status, 0, "status of %s: %s" % (prog, t.stderr))
        debugged, = {r.pid for r in trace.records} - {trace.records[0].pid}
        t.expect(trace, t.out, tid=debugged)


@case()
def killed(t):
    "A thread that is killed in a fault: the fault has its end, and the process its PROCDTOR."
    for prog in PROGS:
        path = t.path()
        p = t.start(["ktrace", "-f", path, "-t", "f", "/tests/bin/" + prog, "forever"])
        line = p.stdout.readline()
        if not line:
            raise Skip("no userfaultfd")
        address = int(line, 16)
        t.until(lambda: [r for r in t.read(path).of(PFLT) if r.fault[0] == address], "the fault")
        p.send_signal(signal.SIGKILL)
        p.wait()
        trace = t.read(path, dead=True)
        t.eq([r.name for r in trace.records[-3:]], ["PFLT", "PRET", "PROCDTOR"], "the last records")
        t.eq((trace.records[-3].fault, trace.records[-2].result), ((address, 1), 6), "the fault")


@case()
def alone(t):
    "FAULT without FAULTEND, and FAULTEND without FAULT."
    device = Device()
    counts = {}
    for points, there, absent in ((F_FAULT, PFLT, PRET), (F_FAULTEND, PRET, PFLT)):
        path = t.path()

        def run(path=path, points=points):
            pid = os.getpid()
            if device.op(path, SET, points, pid):
                os._exit(3)
            os.execv("/tests/bin/fault", ["fault", "anonymous"])
        pid = os.fork()
        if pid == 0:
            os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
            run()
        t.eq(os.waitpid(pid, 0)[1], 0, "status")
        trace = t.read(path)
        t.eq(len(trace.of(absent)), 0, "records that nobody asked for")
        counts[there] = len(trace.of(there))
    t.ok(counts[PFLT] > 20, "faults")
    t.ok(abs(counts[PFLT] - counts[PRET]) < 10, "as many ends as faults: %s" % counts)
    device.close()


@case()
def others(t):
    "Processes that are not traced leave none, and a trace of other points has none."
    idle = t.idle()
    trace = t.trace(["fault", "cow"], "f")     # its child is not traced
    t.eq(len({r.pid for r in trace.records}), 1, "processes in the trace")
    trace = t.trace(["fault", "anonymous"], "cnisu")
    t.eq(len(trace.of(PFLT, PRET, CSW)), 0, "faults in a trace of other points")
    idle.kill()
    idle.wait()


@case()
def fatal(t):
    "A fault that kills: FAULT, FAULTEND, PSIG, PROCDTOR."
    for prog, how, result in (("psig", "maperr", 1), ("psig32", "maperr", 1), ("psig", "accerr", 2)):
        trace = t.trace([prog, "die", how], "fs", status=-11)
        t.eq([r.type for r in trace.records[-4:]], [PFLT, PRET, PSIG, PROCDTOR], "the last records")
        t.eq((trace.records[-4].fault[1], trace.records[-3].result), (2, result), how)


@case()
def unwatched(t):
    "Without kprobes faults have no ends in the file, and it says so; where they have no tracepoint, there are none at all."
    t.run(["mount", "-t", "debugfs", "none", "/sys/kernel/debug"], status=None)
    switch = "/sys/kernel/debug/kprobes/enabled"
    t.undo.append(lambda: open(switch, "w", encoding="ascii").write("1"))
    with open(switch, "w", encoding="ascii") as f:
        f.write("0")
    t.run(["ktrace", "-f", "u.kt", "-t", "f", "/tests/bin/fault", "anonymous"])
    with open(switch, "w", encoding="ascii") as f:
        f.write("1")
    trace = t.read("u.kt", check=False)
    t.eq([r.result for r in trace.of(PRET) if r.result not in (1, 2)], [], "ends that no signal tells")
    if t.has_tracepoint("page_fault_user"):
        t.ok(len(trace.of(PFLT)) > 20, "faults")
        t.ok(trace.drops > 0, "no flag")
    else:
        t.eq(len(trace.of(PFLT)), len(trace.of(PRET)), "faults that no signal tells")
