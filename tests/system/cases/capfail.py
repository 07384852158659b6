# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""CAPFAIL: checks of capabilities that fail, and system calls that seccomp refuses."""
import os

from cases.args import FORK, execute
from ktest import ARM, BIN, CALL, CAP, CLEAR, F_NAMI, NR, NR32, PROCDTOR, PSIG, RET, SET, SV, SV32, Device, case

POINTS = "cnp"
NOTCAPABLE, SYSCALL = 0, 2
FULL = (1 << 41) - 1
F_CAP = 1 << CAP


def files(t):
    "What the program cap expects in its folder."
    with open(os.path.join(t.dir, "secret"), "wb"):
        pass
    os.chmod(os.path.join(t.dir, "secret"), 0o600)
    os.mkdir(os.path.join(t.dir, "closed"), 0o700)
    for name in "secret", "closed":
        os.chown(os.path.join(t.dir, name), 1, 1)


def pausing():
    "How /proc/PID/syscall begins of who is in pause(), which arm64 has no call for."
    return "%d " % (NR.ppoll if ARM else NR.pause)


def checks(trace, **which):
    "Capabilities that were lacking: their numbers."
    return [(r.cap[1]).bit_length() - 1 for r in trace.of(CAP, **which)]


@case()
def user(t):
    "An unprivileged user: each check that fails leaves one record, with the capability and what the process holds."
    files(t)
    for prog in "cap", "cap32":
        for options in [], ["--v1"]:
            trace = t.trace([prog, "all"], POINTS, options, uid=1000)
            t.expect(trace, t.out)
            found = set(checks(trace))
            t.ok(len(found) >= 17, "only %s" % sorted(found))
            t.eq({r.cap[2] for r in trace.of(CAP)}, {0}, "held")


@case()
def root(t):
    "Root, who has them all: no record, whatever was asked."
    files(t)
    trace = t.trace(["cap", "all"], POINTS)
    t.expect(trace, t.out)
    t.eq(checks(trace), [], "records")


@case()
def dropped(t):
    "Root without some: those that are lacking, and no others; held is what is left."
    files(t)
    for drop in (7, 21), (1, 2, 3), (8,), (10, 13, 17, 18):
        names = ",".join("cap_%d" % n for n in drop)
        out = t.run(["setpriv", "--bounding-set=" + ",".join("-cap_%d" % n for n in drop), "ktrace", "-t", POINTS, "-f",
                     "d.kt", os.path.join(BIN, "cap"), "all"])
        trace = t.read("d.kt")
        t.expect(trace, out)
        t.eq(set(checks(trace)) & set(drop), set(drop), "lacking, without " + names)
        t.ok(set(checks(trace)) <= set(drop), "more than without %s: %s" % (names, checks(trace)))
        held = FULL & ~sum(1 << n for n in drop)
        t.eq({r.cap[2] for r in trace.of(CAP)}, {held}, "held")
        for name in "node", "d.kt":
            if os.path.exists(os.path.join(t.dir, name)):
                os.remove(os.path.join(t.dir, name))


@case()
def namespace(t):
    "Root of a user namespace holds all, there: what belongs to the machine is refused nevertheless, and says so."
    files(t)
    trace = t.trace(["cap", "ns"], POINTS, uid=1000)
    t.expect(trace, t.out)
    found = trace.of(CAP)
    t.eq({r.cap[2] for r in found if r.cap[2]}, {FULL}, "held")
    t.ok(21 in checks(trace) and 7 not in checks(trace), "sethostname, and not setuid: %s" % checks(trace))


@case()
def count(t):
    "As many records as checks that failed; the same as the audit would count; none is made twice."
    trace = t.trace(["cap", "count", "2000"], POINTS, uid=1000)
    t.expect(trace, t.out)
    t.eq(checks(trace), 2000 * [5], "records")
    trace = t.trace(["cap", "count", "2000"], "p", uid=1000)
    t.eq((checks(trace), set(trace.counts)), (2000 * [5], {CAP, 10, 11}), "with -t p alone")
    trace = t.trace(["cap", "count", "20"], "cni", uid=1000)
    t.eq(trace.counts[CAP], 0, "without -t p")
    trace = t.trace(["cap", "count", "20"], uid=1000)
    t.eq(trace.counts[CAP], 20, "in the default set")


@case()
def access(t):
    "access(2) asks for the real user: held is what it made of the credentials, not what the process holds otherwise."
    files(t)
    trace = t.trace(["cap", "access"], POINTS)
    t.expect(trace, t.out)
    t.eq(len(trace.of(CAP)), 2, "records")


@case()
def layouts(t):
    "v0: 40 bytes; v1: 1040, with the call's number and ABI, also of an exec, and with -t p alone."
    files(t)
    for prog, flags in ("cap", SV), ("cap32", SV32):
        plain = t.trace([prog, "all"], "cp", uid=1000).of(CAP)
        other = t.trace([prog, "all"], "cp", ["--v1"], uid=1000)
        t.eq([r.cap for r in plain], [r.cap for r in other.of(CAP)], "v0 and v1")
        call = {}
        for r in other.of(CALL, CAP):
            if r.type == CALL:
                call[r.tid] = r.code
            else:
                t.eq((r.cap_code, r.cap_flags), (call[r.tid], flags), "call of a record")
        alone = t.trace([prog, "all"], "p", ["--v1"], uid=1000).of(CAP)
        t.eq([(r.cap, r.cap_code, r.cap_flags) for r in alone],
             [(r.cap, r.cap_code, r.cap_flags) for r in other.of(CAP)], "with -t p alone")
    # An exec that a check stops: in the second of two threads' calls there is nothing else to say.
    trace = t.trace(["sh", "-c", "exec ./closed/x"], "cp", ["--v1"], uid=1000, status=None)
    found = [r for r in trace.of(CAP) if r.cap_code == NR.execve]
    t.eq([r.cap[1].bit_length() - 1 for r in found], [2, 1], "an exec that is refused")
    for prog, nr in ("execer", NR.execve), ("execer32", NR32.execve):
        records, = execute(t, [(FORK, "closed/x", [b"x"], [])], "p", prog, 1000, ["--v1"], 127)
        t.eq([r.cap_code for r in records if r.type == CAP], [nr, nr], "%s: an exec that is refused" % prog)


@case()
def our_own(t):
    "What the module asks on its own behalf, while a traced process calls ktrace(2), leaves nothing."
    files(t)
    os.chmod(t.dir, 0o777)
    script = "ktrace -t c -f own.kt -p 1; ktrace -C; ktrace -t c -f secret -a -p $$; ktrace -t c -f y.kt true"
    t.run(["ktrace", "-t", "cp", "--v1", "-i", "-f", "outer.kt", "sh", "-c", script], uid=1000, status=None)
    trace = t.read("outer.kt", check=False)
    ours = [r for r in trace.of(CAP) if r.cap_code == NR.ioctl]
    t.ok(len([r for r in trace.of(CALL) if r.code == NR.ioctl]) >= 3, "ktrace(2) was not called")
    t.eq([r.cap for r in ours], [], "records of our ioctls")


@case()
def kdump(t):
    "kdump names both, and a refused call of a v1 file."
    files(t)
    t.trace(["cap", "count", "1"], "p", uid=1000, name="k.kt")
    text = t.run(["kdump", "-f", "k.kt"])
    t.ok("CAP   operation requires CAP_KILL, process holds \n" in text, text)
    for options, want in ([], "CAP   disallowed system call\n"), (["--v1"], "system call not allowed: getppid\n"):
        t.trace(["secc", "errno"], "p", options, name="s.kt")
        text = t.run(["kdump", "-f", "s.kt"])
        t.ok(text.count(want) == 3, text)


# System calls that seccomp refuses.

SECC = "cisp"


def refusals(trace):
    return [r for r in trace.of(CAP) if r.cap[0] == SYSCALL]


@case()
def seccomp_refuses(t):
    "A call that seccomp does not let through: CALL, then CAP, then RET with the answer; what it lets through, none."
    modes = {"errno": 3, "zero": 1, "trap": 2, "trap-write": 1, "trace": 1, "log": 0, "allow": 0, "exec": 1,
             "sigreturn": 1, "notify-error": 2, "notify-value": 2, "notify-go": 0}
    for prog in "secc", "secc32":
        for mode, n in modes.items():
            for options in ([], ["--v1"]) if mode in ("errno", "trap") else ([],):
                trace = t.trace([prog, mode], SECC, options, timeout=30)
                first = trace.records[0].pid
                t.expect(trace, t.out, tid=first)
                t.eq(len(refusals(trace)), n, "%s: refusals" % mode)
    t.eq(trace.counts[CAP], 0, "other CAP records")


@case()
def seccomp_with_tracer(t):
    "A tracer that skips the call is as if it was refused; one that lets it go on is not there."
    for prog in "secc", "secc32":
        for mode, n in ("skip", 1), ("go", 0):
            trace = t.trace([prog, mode], "cp", ["-i"], timeout=30)
            child = max(r.pid for r in trace.records)
            t.expect(trace, t.out, pid=child)
            t.eq(len(refusals(trace)), n, mode)


@case()
def seccomp_kills(t):
    "A process or a thread that seccomp kills: CALL and CAP are there, once; RET only where the call ended."
    sigsys = [31] if t.seccomp_signals() else []
    for prog in "secc", "secc32":
        nr = (NR if prog == "secc" else NR32).getppid
        for mode, status, psig in ("kill-process", -31, sigsys), ("kill-alone", -31, sigsys), ("strict", -9, []):
            trace = t.trace([prog, mode], SECC, status=status)
            t.eq([r.psig[0] for r in trace.of(PSIG)], psig, "%s: signals" % mode)
            last = [(r.type, r.code if r.type != CAP else r.cap[0]) for r in trace.of(CALL, CAP, RET)][-3:]
            want = [(CALL, nr), (CAP, SYSCALL)]
            if not psig:    # it died inside
                t.eq(last[1:], want, mode)
            else:
                t.eq(last, [*want, (RET, nr)], mode)
                t.eq(trace.of(RET)[-1].linux_error, "JUSTRETURN", "%s: result" % mode)
            t.eq(len(refusals(trace)), 1, "%s: refusals" % mode)
            t.eq(trace.records[-1].type, PROCDTOR, "%s: the last record" % mode)
        trace = t.trace([prog, "kill-thread"], SECC)
        tid = max(r.tid for r in trace.records)
        of = [(r.type, r.code if r.type != CAP else r.cap[0]) for r in trace.of(tid=tid) if r.type in (CALL, CAP, RET)]
        t.eq(of[-2:], [(CALL, nr), (CAP, SYSCALL)], "the thread that was killed")
        t.eq(len(refusals(trace)), 1, "refusals")
        t.ok(tid != trace.records[0].pid, "no thread was killed")


@case()
def seccomp_after_fork(t):
    "A new process whose first call is refused: the RET of the call that made it, then CALL, CAP and RET of that."
    for prog, nr, flags in ("secc", NR, SV), ("secc32", NR32, SV32):
        trace = t.trace([prog, "fork"], "cp", ["-i"])
        child, = {r.pid for r in trace.records} - {trace.records[0].pid}
        want = ["PROCCTOR %x" % flags, "RET %d 0" % nr.clone, "CALL %d" % nr.getppid, "CAP 2 0 0",
                "RET %d E18" % nr.getppid, "CALL %d 0" % nr.exit_group, "PROCDTOR"]
        t.expect(trace, want, pid=child, marks=False)


@case()
def seccomp_alone(t):
    "With -t p alone the refusals are there all the same, and nothing else; -t i alone has no data of refused calls."
    for mode, n in ("errno", 3), ("trap", 2), ("notify-error", 2), ("allow", 0), ("kill-thread", 1):
        trace = t.trace(["secc", mode], "p")
        t.eq((len(refusals(trace)), set(trace.counts) - {CAP}), (n, {10, 11}), mode)
    trace = t.trace(["secc", "trap-write"], "i")
    t.eq([r.data for r in trace.of(4) if r.fd == 1 and len(r.data) < 8], [], "data of a write that was refused")
    t.eq(trace.counts[4], 1, "GIO records")


@case()
def seccomp_attached(t):
    "After an attach to a thread that waits in a call, all that is refused from then on has its records."
    p = t.start(["secc", "wait"])
    t.eq(p.stdout.readline(), b"ready\n", "secc")
    t.until(lambda: open("/proc/%d/syscall" % p.pid, encoding="ascii").read().startswith(pausing()), "secc in pause")
    t.run(["ktrace", "-t", "cp", "-f", t.path("a.kt"), "-a", "-p", p.pid])
    os.kill(p.pid, 10)
    t.eq(p.wait(), 0, "secc")
    trace = t.read("a.kt")
    t.eq(trace.calls[(64, NR.getppid)], 5, "calls")
    t.eq(len(refusals(trace)), 5, "refusals")


@case()
def seccomp_again(t):
    "CAPFAIL is cleared and set again while other points stay: a call that nobody saw begin was not refused for that."
    device, path = Device(), t.path("a.kt")
    p = t.start(["secc", "spin"])
    t.eq(p.stdout.readline(), b"ready\n", "secc")

    def until(what):
        t.until(lambda: open("/proc/%d/syscall" % p.pid, encoding="ascii").read().startswith(what), "secc: " + what)

    until(pausing())
    t.eq(device.op(path, SET, F_CAP | F_NAMI, p.pid), 0, "SET")
    os.kill(p.pid, 10)
    until("running")
    t.eq(device.op(path, CLEAR, F_CAP, p.pid), 0, "CLEAR")
    os.kill(p.pid, 10)
    until(pausing())
    t.eq(device.op(path, SET, F_CAP, p.pid), 0, "SET again")
    os.kill(p.pid, 10)
    t.eq(p.wait(), 0, "secc")
    trace = t.read(path)
    t.eq(trace.counts[CAP], 0, "CAP records")
    t.eq(trace.records[-1].type, PROCDTOR, "the last record")


@case()
def seccomp_not_at_fault(t):
    "A call that is not let through because its process is killed: CALL and RET as ever, but it was not seccomp."
    inject = "inject=getppid:signal=KILL"
    t.run(["strace", "-f", "-o", "s.out", "-e", inject, "ktrace", "-t", "cp", "-f", "k.kt", "/tests/bin/secc", "allow"],
          status=None)
    trace = t.read("k.kt")
    nr = -1 if ARM else NR.getppid      # arm64 forgets the number before it tells anybody
    t.eq([(r.type, r.code) for r in trace.of(CALL, RET)][-2:], [(CALL, nr), (RET, nr)], "the last records")
    t.eq(refusals(trace), [], "refusals")
