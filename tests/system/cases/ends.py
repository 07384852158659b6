# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The end of a process: whoever waits for it, and is not in its trace, finds its records in the file."""
import os
import signal
import struct

from cases.drain import session
from cases.life import whole
from ktest import CLEAR, F_C, INHERIT, PROCCTOR, PROCDTOR, SET, Device, case

TRACED = ["ktrace", "-a", "-i", "-t", "c", "-f"]


def ends(t, mode, *command):
    """Runs the command, traced into a session that goes on. Returns the file, and how many ends were watched."""
    path = t.path()
    _, end = session(t, path)
    waited, missing = map(int, t.run(["ends", path, mode, *TRACED, path, *command], timeout=50).split())
    t.eq(missing, 0, "PROCDTORs that were not in the file yet, of %d" % waited)
    end()
    return path, waited


def all_ended(t, path):
    """Whoever began has ended, but for the process that kept the session."""
    trace = t.read(path)
    whole(t, trace, {r.pid for r in trace.of(PROCCTOR) if r.comm != "idle"})
    return trace


@case(guest="main one", timeout=300, long=3600)
def trees(t):
    "Trees of processes that begin, wait and end by chance, with threads, orphans and reapers: the PROCDTOR was there."
    watched = 0
    for seed in range(2000 if t.long else 60):
        path, waited = ends(t, "watch", "/tests/bin/ends", "-", "tree", seed)
        all_ended(t, path)
        os.unlink(path)
        watched += waited
    t.ok(watched > 60, "only %d ends were watched" % watched)


@case(timeout=120)
def deep(t):
    "30 generations, of which each waits for the next: all of them are in the file when the first has been waited for."
    shell = "n=$1; test $n = 0 || sh -c \"$0\" \"$0\" $((n - 1)); :"
    for _ in range(5):
        path, waited = ends(t, "watch", "sh", "-c", shell, shell, 30)
        t.eq(waited, 1, "ends that were watched")
        t.eq(len(all_ended(t, path).of(PROCDTOR)), 31, "PROCDTORs")


@case(guest="main one", timeout=120)
def orphans(t):
    "A process's child is dead, and not waited for, when it ends: whoever gets the child finds its PROCDTOR, too."
    for mode in ("orphan", "ring") * 20:
        path, waited = ends(t, "watch", "/tests/bin/ends", "-", mode)
        t.eq(waited, 2, "ends that were watched")
        all_ended(t, path)


@case(guest="main one")
def other_session(t):
    "The parent is traced, too, but into another file: the child's end is in its own when it has been waited for."
    for _ in range(20):
        path, other = t.path(), t.path()
        _, end = session(t, path)
        out = t.run(["ktrace", "-t", "c", "-f", other, "/tests/bin/ends", path, "watch", *TRACED, path, "true"])
        t.eq(out, "1 0\n", "ends that were watched, and PROCDTORs that were not there")
        end()


@case(guest="main one")
def debugger(t):
    "A debugger that is not traced has waited for a process whose parent is: its PROCDTOR is in the file."
    for _ in range(20):
        ends(t, "seize", "/tests/bin/ends", "-", "victim")


class Parent:
    """A process with children without end."""
    def __init__(self, t):
        self.pids = os.path.join(t.dir, "pids")
        with open(self.pids, "wb"):
            pass
        self.t = t
        self.process = t.start(["ends", "-", "parent", self.pids])

    def waited(self):
        """Children that it has waited for."""
        with open(self.pids, "rb") as f:
            data = f.read()
        return {pid for pid, in struct.iter_unpack("=i", data)}

    def more(self):
        n = len(self.waited())
        self.t.until(lambda: len(self.waited()) > n + 10, "children")


def behind(t, path, waited):
    """Those that were waited for have ended in the file, if they began there. Returns how many."""
    trace = t.read(path)
    began = {r.pid for r in trace.of(PROCCTOR)} & waited
    t.eq(began - {r.pid for r in trace.of(PROCDTOR)}, set(), "children without PROCDTOR, of %d" % len(began))
    return len(began)


@case(guest="main one", timeout=120)
def cleared(t):
    "The parent's trace is cleared while children end: those that it has waited for are in the file, now and later."
    d, p = Device(), Parent(t)
    for _ in range(10):
        path = t.path()
        _, end = session(t, path)
        t.eq(d.op(path, SET, F_C | INHERIT, p.process.pid), 0, "set")
        p.more()
        t.eq(d.op(None, CLEAR, 0xffffff, p.process.pid), 0, "clear")
        for _ in range(2):
            t.ok(behind(t, path, p.waited()) >= 5, "children")
        end()
    p.process.kill()


@case(guest="main one", timeout=120)
def replaced(t):
    "The parent is traced into another file while children end: those that it has waited for are in the first."
    d, p = Device(), Parent(t)
    paths = [t.path() for _ in range(10)]
    keepers = [session(t, path)[1] for path in paths]
    t.eq(d.op(paths[0], SET, F_C | INHERIT, p.process.pid), 0, "set")
    for path, following in zip(paths, paths[1:]):
        p.more()
        t.eq(d.op(following, SET, F_C | INHERIT, p.process.pid), 0, "set")
        # Else the next file grows for as long as this one takes to read, and so on.
        p.process.send_signal(signal.SIGSTOP)
        for _ in range(2):
            t.ok(behind(t, path, p.waited()) >= 5, "children")
        p.process.send_signal(signal.SIGCONT)
    p.process.kill()
    p.process.wait()
    for end in keepers:
        end()
