# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""CSW: threads stop and resume, and the word says where. (ktparse checks that they take turns, and agree.)"""
import collections
import os
import signal
import subprocess

import ktest
from ktest import CALL, CLEAR, CSW, F_C, NR, PFLT, PRET, PROCCTOR, PROCDTOR, RET, SET, Device, case

PROGS = "csw", "csw32"


def slurp(path):
    with open(path, encoding="ascii") as f:
        return f.read().strip()


def asleep(t, pid, nr, states="SD"):
    """Waits until the process sleeps in that call; returns what the kernel says of where."""
    def look():
        wchan = ktest.wchan(pid)
        state = slurp("/proc/%d/stat" % pid).rpartition(")")[2].split()[0]
        call = slurp("/proc/%d/syscall" % pid).split()[0]
        again = ktest.wchan(pid)
        return wchan if state in states and nr in (-1, int(call) if call != "running" else -2) and \
            wchan == again != "0" and "pipe_write" not in (wchan if nr == -1 else "") else None
    return t.until(look, "sleep of %d in %d" % (pid, nr))


def pipe_read(t):
    """The word of who waits for a pipe: since 6.15 those without a name have functions of their own."""
    return "anon_pi" if t.kernel_has("anon_pipe_read") else "pipe_re"


def words(records):
    """What it stopped for, without what happened to it: preemptions."""
    return [r.csw[1:] for r in records if r.type == CSW and r.csw[0] and r.csw != (1, 1, "preempt")]


def sleeps(t, mode, release=lambda p: p.send_signal(signal.SIGUSR1), states="SD"):
    for prog in PROGS:
        path = t.path()
        p = t.start(["ktrace", "-f", path, "-t", "cw", "/tests/bin/" + prog, mode], stdin=-1)
        nr = int(p.stdout.readline().split()[1])
        wchan = asleep(t, p.pid, nr, states)
        release(p)
        t.eq(p.wait(), 0, "status of %s %s" % (prog, mode))
        trace = t.read(path)
        records = trace.of(tid=p.pid)
        if nr != -1:
            first = max(i for i, r in enumerate(records) if r.type == CALL and r.code == nr)
            last = next(i for i, r in enumerate(records) if i > first and r.type == RET)
            t.eq(set(words(records[first:last])), {(0, wchan[:7])}, "%s sleeps in %s, and its words" % (mode, wchan))
            t.eq(records[first + 1].type, CSW, "after CALL")
        else:
            t.ok((0, wchan[:7]) in words(records), "%s sleeps in %s: %s" % (mode, wchan, words(records)))
        stops = [r.csw for r in records if r.type == CSW]
        t.ok((0, 0, wchan[:7]) in stops, "it resumes")
        p.stdin.close()
        p.stdout.close()


@case()
def sleep(t):
    "nanosleep() and clock_nanosleep(): the word is the beginning of /proc/PID/wchan."
    sleeps(t, "nanosleep")
    sleeps(t, "clock_nanosleep")


@case()
def futex(t):
    "A thread that waits for a lock."
    sleeps(t, "futex")


@case()
def pipe(t):
    "An empty pipe, and a full one."
    sleeps(t, "read")
    sleeps(t, "write")


@case()
def poll(t):
    "poll() and epoll_wait()."
    sleeps(t, "poll")
    sleeps(t, "epoll_wait")


@case()
def waits(t):
    "Signals, children, file locks, sockets, messages: wherever one sleeps."
    for mode in "sigsuspend", "pause", "sigtimedwait", "wait4", "flock", "recvfrom", "msgrcv":
        sleeps(t, mode)


@case()
def vfork(t):
    "The parent of a vfork sleeps and cannot be interrupted; its resume is there, too."
    sleeps(t, "vfork", lambda p: p.stdin.close(), "D")


@case()
def stopped(t):
    "SIGSTOP is a stop, SIGCONT a resume."
    sleeps(t, "stop", lambda p: p.send_signal(signal.SIGCONT), "T")


@case()
def preempted(t):
    "A loop beside another one on the same CPU: user 1, and the word preempt."
    def one_cpu():
        os.sched_setaffinity(0, {0})
    other = t.start(["csw", "compute", "1000000"], preexec_fn=one_cpu)
    for prog in PROGS:
        trace = t.trace([prog, "preempted"], "w", preexec_fn=one_cpu)
        stops = [r.csw[1:] for r in trace.of(CSW) if r.csw[0]]
        count = collections.Counter(stops)
        t.ok(count[1, "preempt"] >= 10, "preemptions: %s" % count)
        t.ok(not [c for c in count if c[0] and c[1] != "preempt"], "preempted elsewhere: %s" % count)
    other.kill()
    other.wait()


@case()
def counts(t):
    "As many voluntary stops and preemptions as the kernel counts for getrusage()."
    other = t.start(["csw", "compute", "1000000"])
    for prog in PROGS:
        records = t.trace([prog, "mixed"], "cw").records
        calls = [i for i, r in enumerate(records) if r.type == CALL and r.code == 702]
        t.eq(len(calls), 2, "counts told")
        # The kernel counted somewhere between the CALL and the RET of getrusage().
        ends = [max(i for i in range(c) if records[i].type == RET) for c in calls]
        begins = [max(i for i in range(e) if records[i].type == CALL) for e in ends]
        for user in 0, 1:
            delta = records[calls[1]].args[user] - records[calls[0]].args[user]
            least, most = (len([r for r in records[a:b] if r.type == CSW and r.csw[:2] == (1, user)])
                           for a, b in ((ends[0], begins[1]), (begins[0], ends[1])))
            t.ok(least <= delta <= most and most - least < 10, "stops with user %d: %d to %d, and the kernel says %d" %
                 (user, least, most, delta))
            # a sleep may be over before it begins
            t.ok(delta >= (25, 5)[user], "stops with user %d: %d" % (user, delta))
    other.kill()
    other.wait()


@case()
def alone(t):
    "-t w alone: nothing but stops, resumes, and the life of the process."
    for prog in PROGS:
        for options in (), ("--v1",):
            trace = t.trace([prog, "naps"], "w", options)
            t.eq({r.type for r in trace.records}, {CSW, PROCCTOR, PROCDTOR}, "types")
            t.ok(len(trace.of(CSW)) > 90, "stops and resumes: %d" % len(trace.of(CSW)))


@case()
def attached(t):
    "A process that slept when tracing began: it resumes from who knows where."
    idle = t.idle()
    path = t.path()
    t.until(lambda: slurp("/proc/%d/stat" % idle.pid).rpartition(")")[2].split()[0] == "S", "sleep")
    t.run(["ktrace", "-f", path, "-t", "w", "-p", str(idle.pid)])
    idle.send_signal(signal.SIGTERM)
    idle.wait()
    trace = t.read(path)
    t.eq(trace.of(CSW)[0].csw, (0, 0, "-"), "first record")


@case()
def children(t):
    "A new thread or process does not resume before it has stopped; there is nothing of a thread that exits."
    trace = t.trace(["csw", "storm", "200"], "w", ["-i"])
    first = {}
    last = {}
    for r in trace.records:
        if r.type == CSW:
            first.setdefault(r.tid, r.csw[0])
            last[r.tid] = r.csw[0]
    mine = trace.records[0].tid
    t.ok(len(first) > 20, "children that stopped: %d" % len(first))
    t.eq({first[tid] for tid in first if tid != mine}, {1}, "first record of each child")
    t.eq(set(last.values()), {0}, "last record of each: who exits does not stop")


@case(timeout=120)
def threads(t):
    "Hundreds of threads: each stop has its resume, and the resume the word of its stop."
    for prog, letters in (("csw", "w"), ("csw32", "cw")):
        trace = t.trace([prog, "ring", "300", "3"], letters)
        t.eq(trace.drops, 0, "drops")
        stops = collections.Counter(r.tid for r in trace.of(CSW) if r.csw[0])
        resumes = collections.Counter(r.tid for r in trace.of(CSW) if not r.csw[0])
        t.eq(stops, resumes, "stops and resumes of each thread")
        t.ok(len(stops) >= 300, "threads")
        t.eq([r for r in trace.of(CSW) if r.csw[2] == "-"], [], "resumes without a word")
        t.ok(pipe_read(t) in {r.csw[2] for r in trace.of(CSW)}, "words")


@case()
def others(t):
    "A process that is not traced has no record, whoever it shares a CPU with."
    idle = t.idle()
    trace = t.trace(["csw", "storm", "20"], "w")
    t.eq({r.pid for r in trace.records}, {trace.records[0].pid}, "processes")
    t.eq(len(t.trace(["csw", "naps"], "cnisuf").of(CSW)), 0, "CSW in a trace of other points")
    idle.kill()
    idle.wait()


@case(guest="load", timeout=240)
def stress(t):
    "Fork storms and hundreds of threads under -t wf and -t +wf -i on two CPUs, while hooks come and go."
    t.sysctl("kern.ktrace.buffer_size", 4 << 20)
    jobs = []
    for name, letters, argv in (("storm", "wf", ["csw", "storm", "400"]), ("plus", "+wf", ["csw", "storm", "200"]),
                                ("ring", "+wf", ["csw", "ring", "200", "6"]), ("fault", "wf", ["fault", "threads", "32"])):
        argv[0] = "/tests/bin/" + argv[0]
        jobs.append(t.start(["ktrace", "-i", "-f", name + ".kt", "-t", letters, *argv], stdout=subprocess.DEVNULL))
    other = t.start(["csw", "endless"])
    n = 0
    while n < 12 or any(job.poll() is None for job in jobs):
        # Sets and clears what runs all the time: each begins and ends in the middle of switches and faults.
        path = t.path("set.kt")
        t.run(["ktrace", "-f", path, "-t", "wf", "-p", str(other.pid)])
        t.run(["ktrace", "-c", "-t", "f", "-p", str(other.pid)])
        t.run(["ktrace", "-c", "-t", "w", "-p", str(other.pid)])
        t.read(path)
        n += 1
    for job in jobs:
        t.eq(job.wait(), 0, "status")
    other.kill()
    other.wait()
    for name in "storm", "plus", "ring", "fault":
        trace = t.read(name + ".kt", dead=True)
        t.ok(trace.counts[CSW] > 100 and trace.counts[PFLT] > 100, "%s: %s" % (name, trace.counts))
        if not trace.drops:
            t.ok(abs(trace.counts[PFLT] - trace.counts[PRET]) == 0, "%s: faults and ends: %s" % (name, trace.counts))
        print("# %s: %d records, %d drops" % (name, len(trace.records), trace.drops))


AGAIN = "import os, time; os.read(0, 1); os.read(0, 1); print('sleeps', flush=True); time.sleep(3)"


@case()
def set_again(t):
    "A stop from before the point was cleared is not that of a later resume."
    d, path, f_csw, word = Device(), t.path(), 1 << 6, pipe_read(t)
    p = t.start(["python3", "-c", AGAIN], stdin=subprocess.PIPE)
    asleep(t, p.pid, NR.read)
    t.eq(d.op(path, SET, F_C | f_csw, p.pid), 0, "set")
    p.stdin.write(b"1")
    p.stdin.flush()
    with open(path, "rb") as f:
        def stops():
            t.eq(d.flush(f.fileno()), 1, "flush")
            return [r for r in t.read(path, check=False).of(CSW) if r.csw == (1, 0, word)]
        t.until(stops, "the second stop")
    t.eq(d.op(None, CLEAR, f_csw, p.pid), 0, "clear")
    p.stdin.write(b"2")
    p.stdin.flush()
    t.eq(p.stdout.readline(), b"sleeps\n", "output")
    asleep(t, p.pid, -1, "S")
    before = len(t.read(path, check=False).of(CSW))
    t.eq(d.op(path, SET, f_csw, p.pid), 0, "set again")
    t.eq(p.wait(), 0, "status")
    # ktparse cannot know that the point was cleared while the thread had stopped
    later = t.read(path, check=False).of(CSW)[before:]
    t.eq(later[0].csw, (0, 0, "-"), "the first record of the second time")
