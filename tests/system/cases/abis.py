# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Both ABIs in one process: int 0x80 from 64-bit code, alone, between threads, and where a call does not return."""
import os
import re

from ktest import CALL, PROCCTOR, PROCDTOR, RET, case, compare, lines

ALL = "cnisu"


def sections(out):
    """What a program wrote of itself, and of others after lines of "== number"."""
    first, others, pid = [], {}, None
    for line in out.splitlines():
        if line.startswith("=="):
            pid = int(line[3:]) if line[3:] else None
        elif pid is None:
            first.append(line)
        else:
            others.setdefault(pid, []).append(line)
    return first, others


@case(x86=True)
def plain(t):
    "A 32-bit call of a 64-bit process: i386 number and arguments, a PROCCTOR before and after; -1 for odd numbers."
    trace = t.trace(["int80"], ALL)
    t.expect(trace, t.out)


@case(x86=True)
def genio(t):
    "Data moved by int 0x80, by every call that moves any: exact, as by other calls."
    for size in 4096, 100:
        t.sysctl("kern.ktrace.genio_size", size)
        trace = t.trace(["int80", "genio", str(size)], ALL, genio=size)
        t.expect(trace, t.out)


@case(x86=True)
def threads(t):
    "A thread waits in int 0x80 while another makes 64-bit calls: each has its own ABI, also for kdump."
    trace = t.trace(["int80", "threads"], ALL)
    main, others = sections(t.out)
    (tid, want), = others.items()
    pid = trace.records[0].pid
    t.expect(trace, main, tid=pid)
    t.expect(trace, want, tid=tid)
    called = next(r.offset for r in trace.of(CALL, tid=tid) if r.abi == 32)
    back = next(r.offset for r in trace.of(RET, tid=tid) if r.abi == 32)
    between = [r for r in trace.of(CALL, tid=pid) if called < r.offset < back]
    t.ok(sum(r.code == 110 for r in between) == 3, "calls of the other thread meanwhile")
    text = t.run(["kdump", "-H", "-t", "c", "-f", "trace1.kt"])
    names = re.findall(r"^ *%d +%d +\S+ +CALL +(\w+)" % (pid, tid), text, re.M)
    t.ok("read" in names and names.count("getppid") == 2, "calls of the thread in kdump: %s" % names)


@case(x86=True)
def forks(t):
    "A child of fork or vfork through int 0x80 begins with the RET of that call, in its ABI; exit_group through it."
    trace = t.trace(["int80", "forks"], ALL, ["-i"])
    main, others = sections(t.out)
    t.eq(len(others), 2, "children")
    t.expect(trace, main, pid=trace.records[0].pid)
    for pid, want in others.items():
        t.expect(trace, want, pid=pid, marks=False)


@case(x86=True)
def thread_ends(t):
    "A thread that int 0x80 made and ended leaves no ABI behind, for the next thread with its number or for readers."
    trace = t.trace(["int80", "thread-ends"], ALL)
    main, others = sections(t.out)
    t.expect(trace, main, tid=trace.records[0].pid)
    for tid, want in others.items():
        t.expect(trace, want, tid=tid, marks=False)
    text = t.run(["kdump", "-t", "c", "-f", "trace1.kt"])
    t.eq(text.count("CALL  getppid"), 6, "getppid in kdump")


@case(x86=True)
def execs(t):
    "execve through int 0x80: one that fails, one that succeeds; then exit_group through it: CALL without RET."
    trace = t.trace(["/tests/bin/int80", "exec"], ALL)
    records = trace.records
    begin = next(i for i, r in enumerate(records) if r.type == CALL and r.code == 700)
    end = next(i for i, r in enumerate(records) if i > begin and r.type == RET and r.error == -2)
    compare(lines(records[begin + 2:end + 1]), t.out.splitlines())
    after = trace.records[-3:]
    t.eq([(r.type, r.abi) for r in after], [(PROCCTOR, after[0].abi), (CALL, 32), (PROCDTOR, after[2].abi)], "the end")
    t.eq(after[1].code, 252, "the last call")
    text = t.run(["kdump", "-t", "c", "-f", "trace1.kt"])
    t.eq(re.findall(r"RET   execve (\S+)", text), ["JUSTRETURN", "-1", "-1", "JUSTRETURN"], "execve in kdump")


@case(x86=True)
def sigreturn(t):
    "rt_sigreturn through int 0x80: JUSTRETURN, in the ABI of the call, whatever it returns."
    trace = t.trace(["int80", "sigreturn"], ALL)
    t.expect(trace, t.out)


@case(x86=True)
def attached(t):
    "Tracing that begins within an int 0x80: RET with the right code, between PROCCTORs of its own, no invented CALL."
    p = t.start(["int80", "waits"], stdin=-1)
    t.eq(p.stdout.readline(), b"ready\n", "program")
    t.until(lambda: open("/proc/%d/syscall" % p.pid, encoding="ascii").read().startswith("3 "), "it in read")
    path = t.path()
    t.run(["ktrace", "-f", path, "-t", "ci", "-a", "-p", p.pid])
    p.stdin.write(b"x")
    p.stdin.close()
    p.wait()
    trace = t.read(path)
    have = [(r.name, r.code if r.type in (CALL, RET) else r.sv_flags if r.type == PROCCTOR else r.data)
            for r in trace.records[:7]]
    t.eq(have, [("PROCCTOR", 0x203), ("PROCCTOR", 0x4103), ("GIO", b"x"), ("RET", 3), ("PROCCTOR", 0x203),
                ("CALL", 110), ("RET", 110)], "first records")
    text = t.run(["kdump", "-t", "c", "-f", os.path.basename(path)])
    t.ok("RET   read 1" in text, "RET in kdump: %s" % text[:200])
