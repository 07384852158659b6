# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""SYSCALL and SYSRET: every argument, every form of result."""
import os

from ktest import CALL, NR, PROCCTOR, PROCDTOR, PSIG, RET, SV, SV32, case

ALL = "cnisu"


@case()
def plain(t):
    "CALL has the arguments exactly, as many as the call takes; RET its value or FreeBSD's errno."
    for prog in "calls", "calls32":
        trace = t.trace([prog, "plain"], ALL)
        t.expect(trace, t.out)


@case()
def v1(t):
    "Header v1 on request: nanoseconds and the CPU; everything else is the same."
    trace = t.trace(["calls", "plain"], ALL, ["--v1"])
    t.expect(trace, t.out)
    t.ok(all(r.version == 1 for r in trace.records), "a header is not v1")
    t.ok(all(r.cpu < os.cpu_count() for r in trace.records), "a CPU that is none of ours")
    t.ok(any(r.ns % 1000 for r in trace.records), "all times are whole microseconds")


@case()
def negative_success(t):
    "A result that is a negative number, and no error, stays one."
    trace = t.trace(["calls", "negative"], ALL)
    t.expect(trace, t.out)
    values = [r.retval for r in trace.records if r.type == RET and r.code == NR.lseek]
    t.ok(-0x10000 in values and -4096 in values, "no negative value in the file")


@case()
def unknown_numbers(t):
    "A number outside the table has 6 arguments; one that does not fit a positive short is -1, and aliases no other."
    for prog in "calls", "calls32":
        trace = t.trace([prog, "unknown"], ALL)
        t.expect(trace, t.out)


@case()
def errnos(t):
    "ktr_error is FreeBSD's for every Linux errno, 1000 + n for what it lacks. What seccomp refuses has CALL and RET."
    for prog in "calls", "calls32":
        trace = t.trace([prog, "errnos"], ALL)
        t.expect(trace, t.out)


@case()
def restart(t):
    "SIGALRM against nanosleep, and against read with SA_RESTART: RESTART; rt_sigreturn pairs with its RET."
    for prog in "calls", "calls32":
        trace = t.trace([prog, "restart"], ALL)
        t.expect(trace, t.out)


@case()
def resume(t):
    "Stopped and continued in nanosleep: RESTART, then restart_syscall."
    for prog in "calls", "calls32":
        trace = t.trace([prog, "resume"], ALL)
        pid = next(r.pid for r in trace.records if r.type == CALL and r.code == 700)
        t.expect(trace, t.out, pid=pid)


@case()
def exec_and_exit(t):
    "A successful execve is JUSTRETURN, a failed one an errno; exit_group has no RET."
    trace = t.trace(["sh", "-c", "exec /bin/true"], ALL)
    execs = [r for r in trace.records if r.type == RET and r.code == NR.execve]
    t.ok(len(execs) >= 2 and execs[-1].error == -2, "the last execve is no JUSTRETURN: %s" %
         [r.error for r in execs])
    last = trace.of(CALL, RET)[-1]
    t.eq((last.type, last.code), (CALL, NR.exit_group), "last call")
    t.eq(trace.records[-1].type, PROCDTOR, "last record")
    trace = t.trace(["sh", "-c", "exec /nothing"], ALL, status=127)
    failed = [r.linux_error for r in trace.records if r.type == RET and r.code == NR.execve]
    t.eq(failed[-1], 2, "execve of nothing")


@case()
def first_records(t):
    "ktrace executes the command itself: its own pid, PROCCTOR first, then the RET of the ioctl that had no CALL."
    t.run(["sh", "-c", "echo $$ >pid; exec ktrace -t c -f first.kt /bin/true"])
    with open(os.path.join(t.dir, "pid"), encoding="ascii") as f:
        pid = int(f.read())
    trace = t.read("first.kt")
    t.eq({r.pid for r in trace.records}, {pid}, "processes in the trace")
    t.eq([r.type for r in trace.records[:2]], [PROCCTOR, RET], "first records")
    t.eq((trace.records[1].code, trace.records[1].error), (NR.ioctl, 0), "the RET of ktrace's ioctl")


@case()
def points_alone(t):
    "Each letter of -t records its own kind and no other; c is CALL and RET."
    for letter, kinds in (("c", {CALL, RET}), ("n", {3}), ("i", {4}), ("s", {PSIG}), ("u", {7})):
        trace = t.trace(["sh", "-c", "cat /etc/hostname; kill -USR1 $$"], letter, ["-i"], status=-10)
        have = {r.type for r in trace.records} - {PROCCTOR, PROCDTOR}
        t.ok(have == kinds or (letter == "u" and not have), "-t %s recorded %s" % (letter, have))


@case()
def default_set(t):
    "Without -t, the default set c i n p s t u y as far as it is there: CALL, RET, NAMI, GIO, PSIG."
    trace = t.trace(["sh", "-c", "cat /etc/hostname; kill -USR1 $$"], options=["-i"], status=-10)
    have = {r.type for r in trace.records}
    t.ok({CALL, RET, 3, 4, PSIG} <= have, "only %s" % have)


@case()
def compat_process(t):
    "A 32-bit process: its sv_flags (0x4103, of arm 0x103) from exec on, 0x203 again when it executes a 64-bit program."
    trace = t.trace(["calls32", "plain"], ALL)
    t.eq([r.sv_flags for r in trace.of(PROCCTOR)], [SV, SV32], "sv_flags")
    trace = t.trace(["life32", "exec", "2"], ALL)
    t.eq([r.sv_flags for r in trace.of(PROCCTOR)], [SV] + 3 * [SV32], "sv_flags of an exec chain")
    trace = t.trace(["life32", "clones"], ALL, ["-i"])
    true = trace.of(PROCCTOR, comm="true")
    t.ok(true and true[-1].sv_flags == SV, "a 64-bit program executed by a 32-bit one")


@case()
def blocked(t):
    "Tracing that begins in the middle of a call: RET with the right code, no invented CALL."
    p = t.start(["cat"], stdin=-1)
    begin = "%d " % NR.read
    t.until(lambda: open("/proc/%d/syscall" % p.pid, encoding="ascii").read().startswith(begin), "cat in read")
    path = t.path()
    t.run(["ktrace", "-f", path, "-t", "c", "-a", "-p", p.pid])
    p.stdin.write(b"x")
    p.stdin.close()
    t.eq(p.wait(), 0, "cat")
    trace = t.read(path)
    t.eq([(r.type, r.code) for r in trace.of(CALL, RET)[:2]], [(RET, NR.read), (CALL, NR.write)], "first records")
    t.eq(trace.of(RET)[0].retval, 1, "what read returned")


@case()
def ptrace_and_strace(t):
    "strace -f of the same program at the same time: both see every call."
    out = t.run(["strace", "-f", "-o", "s.out", "ktrace", "-t", "c", "-f", "k.kt", "/tests/bin/loop", "500"])
    trace = t.read("k.kt")
    with open(os.path.join(t.dir, "s.out"), encoding="utf-8", errors="replace") as f:
        count = sum("getppid()" in line for line in f)
    t.eq(count, 500, "getppid in strace")
    t.eq(trace.calls[(64, NR.getppid)], 500, "getppid in the trace")
    t.eq(out, "", "output")


@case()
def ptrace_changes(t):
    "A tracer that changes the number of a call: CALL and RET have the number that the kernel saw, and pair."
    inject = "inject=getppid:error=EACCES:when=3+3"
    t.run(["strace", "-f", "-o", "s.out", "-e", inject, "ktrace", "-t", "c", "-f", "k.kt", "/tests/bin/loop", "30"])
    trace = t.read("k.kt")
    # strace makes it -1, and the result what it likes only after the call
    t.eq((trace.calls[(64, NR.getppid)], trace.calls[(64, -1)]), (20, 10), "getppid calls left alone, and changed")
    t.eq([r.linux_error for r in trace.of(RET) if r.code == -1], 10 * [38], "results of those that were changed")


@case()
def sigsys(t):
    "SECCOMP_RET_TRAP and SECCOMP_RET_KILL: what was refused leaves whole, paired records; SIGSYS is FreeBSD's 12."
    trace = t.trace(["calls", "trap"], ALL)
    t.expect(trace, t.out)
    trace = t.trace(["calls", "kill"], ALL, status=-31)
    t.eq([r.psig[0] for r in trace.of(PSIG)], [31] if t.seccomp_signals() else [], "signals")
