# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""PROCCTOR and PROCDTOR: processes and threads that come and go in every way."""
import collections
import os
import signal

from ktest import CALL, NR, NR32, PROCCTOR, PROCDTOR, RET, case

ALL = "cnisu"


def numbers(out, what=None):
    pairs = [line.split() for line in out.splitlines()]
    return [int(n) for name, n in pairs if what in (None, name)]


def whole(t, trace, pids=None):
    """Each process has one PROCDTOR, at its end (the parser has seen to the rest)."""
    ends = collections.Counter(r.pid for r in trace.of(PROCDTOR))
    last = {}
    for r in trace.records:
        last[r.pid] = r.type
    for pid in pids or last:
        t.eq(ends[pid], 1, "PROCDTORs of pid %d" % pid)
        t.eq(last[pid], PROCDTOR, "last record of pid %d" % pid)


@case()
def clones(t):
    "fork, vfork, clone of every kind, clone3: PROCCTOR first, the child's RET without CALL, PROCDTOR last and once."
    for prog in "life", "life32":
        trace = t.trace([prog, "clones"], ALL, ["-i"])
        kids = numbers(t.out)
        t.ok(len(kids) >= 10, "children: %s" % t.out)
        whole(t, trace, kids + [trace.records[0].pid])
        for line in t.out.splitlines():
            variant, pid = line.split()[0], int(line.split()[1])
            mine = trace.of(pid=pid)
            t.eq(mine[0].type, PROCCTOR, "first record of " + variant)
            t.eq((mine[1].type, mine[1].error, mine[1].retval), (RET, 0, 0), "second record of " + variant)
            if variant not in ("vfork", "vfork-exec"):
                getppid = (NR32 if prog == "life32" else NR).getppid
                t.eq(sum(r.code == getppid for r in trace.of(CALL, pid=pid)), 1, "getppid of " + variant)


@case()
def threads(t):
    "Threads: a tid of their own, the process's pid; the first record of each is the RET of clone; one PROCDTOR."
    trace = t.trace(["life", "threads", "8", "100"], "c")
    whole(t, trace)
    tids = collections.Counter(r.tid for r in trace.of(CALL) if r.code == NR.getppid)
    t.eq(sorted(tids.values()), [100] * 8, "getppid calls by thread")
    for tid in tids:
        first = trace.of(tid=tid)[0]
        t.eq((first.type, first.retval), (RET, 0), "first record of a thread")
    t.eq(len({r.pid for r in trace.records}), 1, "pids")


@case(timeout=90)
def thousand_threads(t):
    "Many threads: none is lost."
    trace = t.trace(["life", "threads", "500", "10"], "c")
    whole(t, trace)
    tids = collections.Counter(r.tid for r in trace.of(CALL) if r.code == NR.getppid)
    t.eq((len(tids), set(tids.values())), (500, {10}), "threads and their calls")


@case()
def leader_first(t):
    "The leader exits before the others: the process lives on, PROCDTOR comes with the last of them."
    trace = t.trace(["life", "leader-first"], "c")
    whole(t, trace)
    tid = numbers(t.out)[0]
    t.eq(sum(r.code == NR.getppid for r in trace.of(CALL, tid=tid)), 50, "calls after the leader's end")
    t.eq(trace.records[-1].tid, tid, "who wrote PROCDTOR")


@case()
def exit_by_thread(t):
    "exit_group by a thread that is not the leader: CALL without RET, one PROCDTOR."
    trace = t.trace(["life", "exit-thread"], "c", status=5)
    whole(t, trace)
    calls = [r for r in trace.of(CALL) if r.code == NR.exit_group]
    t.ok(len(calls) == 1 and calls[0].tid != calls[0].pid, "exit_group")


@case()
def exec_chain(t):
    "A chain of execs: one process, one PROCDTOR, an execve JUSTRETURN for each."
    trace = t.trace(["life", "exec", "20"], ALL)
    whole(t, trace)
    t.eq(len({r.pid for r in trace.records}), 1, "processes")
    t.eq(sum(r.code == NR.execve and r.error == -2 for r in trace.of(RET)), 21, "execs")
    t.eq(len(trace.of(PROCCTOR)), 22, "PROCCTORs")


@case()
def exec_by_thread(t):
    "execve by a thread that is not the leader: CALL under the old tid, RET under tid == pid, tracing goes on."
    for prog in "life", "life32":
        trace = t.trace([prog, "exec-thread"], "c")
        whole(t, trace)
        tid = numbers(t.out)[0]
        nr = NR if prog == "life" else NR32
        code = nr.execve
        calls = [r for r in trace.of(CALL, tid=tid) if r.code == code]
        t.eq(len(calls), 1, "execve of thread %d" % tid)
        pid = calls[0].pid
        after = trace.records[trace.records.index(calls[0]) + 1:]
        ret = next(r for r in after if r.type == RET and r.code == code)
        t.eq((ret.tid, ret.error), (pid, -2), "its RET")
        t.eq([r for r in after if r.tid == tid], [], "records under the old tid")
        t.ok(any(r.code == nr.getppid for r in after if r.type == CALL), "nothing after exec")


def children(p):
    with open("/proc/%d/task/%d/children" % (p.pid, p.pid), encoding="ascii") as f:
        return [int(pid) for pid in f.read().split()]


@case()
def killed(t):
    "kill -9 at any moment: whole records, PROCDTOR last."
    for _ in range(10):
        path = t.path()
        p = t.start(["ktrace", "-a", "-i", "-t", "c", "-f", path, "/tests/bin/loop", "100000000", "3"])
        t.until(lambda: len(open(path, "rb").read(20000)) >= 20000, "some records")
        t.until(lambda: len(children(p)) == 3, "all of its children")
        pids = children(p) + [p.pid]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        p.wait()
        t.until(lambda: t.module_users() == 0, "the end of tracing")
        whole(t, t.read(path), pids)


@case(guest="main one")
def storm(t):
    "200 processes at once that exit, exec and are killed: one PROCCTOR first, one PROCDTOR last, for each."
    trace = t.trace(["life", "storm", "200"], "c", ["-i"])
    kids = numbers(t.out)
    t.eq(len(kids), 200, "children")
    whole(t, trace)
    t.eq(len({r.pid for r in trace.records}), 1 + 200 + 50, "processes")
    t.eq(trace.drops, 0, "drops")


@case()
def vfork_and_clear(t):
    "vfork: the parent sleeps uninterruptibly; neither SET nor `ktrace -C` waits for it."
    for prog in "life", "life32":
        path = t.path()
        p = t.start(["ktrace", "-a", "-i", "-t", "c", "-f", path, "/tests/bin/" + prog, "vfork-sleep"])
        t.eq(p.stdout.readline(), b"ready\n", "program")
        t.run(["ktrace", "-a", "-t", "n", "-f", path, "-p", p.pid], timeout=5)
        t.run(["ktrace", "-C"], timeout=5)
        t.until(lambda: t.module_users() == 0, "the end of tracing")
        t.read(path)


@case()
def exit_race(t):
    "Threads that end all at once: PROCDTOR comes once, and last, whoever is the last of them."
    for _ in range(40):
        whole(t, t.trace(["life", "threads", "12", "0"], "c", name="race.kt"))


@case()
def pid_reuse(t):
    "Pid reuse: a new process with an old pid is never traced by accident."
    trace = t.trace(["true"], "c")
    pid = trace.records[0].pid
    size = trace.records[-1].offset
    for _ in range(5):
        with open("/proc/sys/kernel/ns_last_pid", "w", encoding="ascii") as f:
            f.write(str(pid - 1))
        p = t.start(["/tests/bin/loop", "10"])
        p.wait()
        if p.pid == pid:
            break
    t.eq(p.pid, pid, "the pid that was to be used again")
    t.eq(t.read("trace1.kt").records[-1].offset, size, "size of the trace")


@case()
def exec_comm(t):
    "ktr_comm is the name of the program that runs, from exec on."
    trace = t.trace(["sh", "-c", "exec /tests/bin/loop 5"], "c")
    t.eq(list(dict.fromkeys(r.comm for r in trace.records)), ["ktrace", "sh", "loop"], "names in order")


@case()
def namespaces(t):
    "Pid namespaces: the numbers are those seen in the namespace of whoever set the trace."
    t.run(["unshare", "-pf", "--mount-proc", "ktrace", "-i", "-t", "c", "-f", "inner.kt", "sh", "-c",
           "/tests/bin/loop 5; :"])
    trace = t.read("inner.kt")
    t.ok(all(r.pid < 20 and r.tid < 20 for r in trace.records), "pids %s" % {r.pid for r in trace.records})
    t.eq(len({r.pid for r in trace.records}), 2, "processes")
    trace = t.trace(["unshare", "-pf", "--mount-proc", "sh", "-c", "/tests/bin/loop 5; :"], "c", ["-i"])
    t.ok(all(r.pid > 20 for r in trace.records), "pids %s" % {r.pid for r in trace.records})
    t.eq(sum(r.code == NR.getppid for r in trace.of(CALL, comm="loop")), 5, "getppid calls")
