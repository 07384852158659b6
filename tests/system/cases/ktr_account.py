# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktr.ko's accounts: of the events that were made, each is written, in the ring, overwritten, or counted as lost.

The test module makes events of KTR_SUBSYS, numbered by CPU and source, and says how many there were. Their class stays
on; the mask changes by others, which patches the kernel and moves hooks all the same. A program counts what is there.
"""
import os
from collections import Counter

from cases.ktr import OURS, RUN, background, ended, fresh, store, user
from cases.ktr_alq import folder, off
from ktest import case

EACH = 50000    # events of each CPU's thread in a round,
SLOW = 5000    # or, where they are some time apart, so that much happens meanwhile
ROOM = 65536    # more than a CPU makes in such a round, with those of its timer
# Ours always, and classes of which nothing happens meanwhile and that all kernels have: NET, INET, PTRACE.
MASKS = (OURS | 0x2, OURS | 0x80200000, OURS)


def made():
    """Events of the last flood: by CPU, of the thread and of the timer."""
    with open(RUN, encoding="ascii") as f:
        return {int(cpu): (int(tasks), int(timers)) for cpu, tasks, timers in (line.split() for line in f)}


def found(t, *streams):
    """What is in some streams: (events, first, last) by CPU and source, and lost by CPU."""
    events, lost = {}, {}
    for line in t.run(["floodcount", *streams]).splitlines():
        word, cpu, *rest = line.split()
        if word == "events":
            events[int(cpu), rest[0]] = tuple(int(n) for n in rest[1:])
        else:
            lost[int(cpu)] = int(rest[0])
    return events, lost


def number(events, cpu):
    return sum(events.get((cpu, source), (0,))[0] for source in ("task", "timer"))


def alter(name, *values):
    for value in values:
        store(name, value)


def kept(t, path):
    """ALQ on and off, rings that have room for all: written, in the ring, or counted as lost, to the last one."""
    alter("entries", ROOM)
    store("clear", 1)
    files, written, failed, rounds = [], 0, 0, 0
    go = background(t, "flood %d 200" % SLOW)
    while go.poll() is None or rounds < 2:
        files.append("%s.%d" % (path, rounds))
        store("alq_file", files[-1])
        store("alq_depth", 20000 if rounds % 2 else 100)
        store("alq_enable", 1)
        alter("mask", *MASKS)
        alter("entries", ROOM + ROOM // 2, ROOM)
        n, lost = off()
        written, failed = written + n, failed + lost
        alter("mask", *MASKS)
        alter("entries", ROOM * 2, ROOM)
        rounds += 1
    ended(t, go)
    events, lost = found(t, *files, "/dev/ktr")
    in_files = found(t, *files)
    t.eq((sum(n for n, _, _ in in_files[0].values()), sum(in_files[1].values())), (written, failed),
         "alq_cnt and alq_failed")
    for cpu, wanted in made().items():
        t.eq(number(events, cpu) + lost.get(cpu, 0), sum(wanted), "CPU %d: events, and those counted as lost" % cpu)
    for name in files:
        os.unlink(name)
    return Counter(lost=sum(lost.values()), written=written, kept=sum(n for n, _, _ in events.values()) - written)


def filed(t, path):
    """All to a file, while rings that are not used are cleared and resized: written or failed, to the last one."""
    store("alq_file", path)
    store("alq_depth", 3000)
    store("clear", 1)
    store("alq_enable", 1)
    go = background(t, "flood %d" % EACH)
    rounds = 0
    while go.poll() is None or rounds < 2:
        alter("entries", 1, 3000)
        alter("clear", 1)
        alter("mask", *MASKS)
        rounds += 1
    ended(t, go)
    written, failed = off()
    events, lost = found(t, path)
    t.eq((sum(n for n, _, _ in events.values()), sum(lost.values())), (written, failed), "alq_cnt and alq_failed")
    for cpu, wanted in made().items():
        t.eq(number(events, cpu) + lost.get(cpu, 0), sum(wanted), "CPU %d: events, and those counted as lost" % cpu)
    t.eq(found(t, "/dev/ktr"), ({}, {}), "the rings")
    os.unlink(path)
    return Counter(lost=failed, written=written)


def overwritten(t, path):
    """Small rings, resized and cleared: from the oldest there to the newest, none is missing that is not counted."""
    go = background(t, "flood %d" % EACH)
    while go.poll() is None:
        store("clear", 1)
        alter("entries", 1, 3000)
        alter("mask", *MASKS)
        alter("entries", 500)
        found(t, "/dev/ktr")
    ended(t, go)
    events, lost = found(t, "/dev/ktr")
    old = 0
    for cpu, wanted in made().items():
        if (cpu, "task") not in events:
            return overwritten(t, path)    # It was cleared just after its last event.
        t.eq(events[cpu, "task"][2], wanted[0] - 1, "CPU %d: the newest event of its thread" % cpu)
        missing = 0
        for source, n in zip(("task", "timer"), wanted):
            have, first, _ = events.get((cpu, source), (0, n, n - 1))
            missing += n - first - have
            old += first
        t.ok(0 <= missing <= lost.get(cpu, 0),
             "CPU %d: %d are missing, %s counted as lost" % (cpu, missing, lost.get(cpu, 0)))
    return Counter(lost=sum(lost.values()), overwritten=old, kept=sum(n for n, _, _ in events.values()))


@case(guest="ktr", timeout=300, long=7200)
def exact(t):
    "Of millions of events of both CPUs while entries, clear, mask and ALQ change, each is there, overwritten or counted."
    user(t)
    fresh(t, OURS, 1000)
    for name in "alq_file", "alq_depth":
        t.sysctl("debug.ktr." + name, t.sysctl("debug.ktr." + name))
    t.undo.append(lambda: store("alq_enable", 0))
    path = os.path.join(folder(t), "out")
    total, rounds = Counter(), 0
    while total["made"] < (10000000 if t.long else 300000):
        total += (kept, filed, overwritten)[rounds % 3](t, path)
        total["made"] += sum(sum(n) for n in made().values())
        rounds += 1
    print("# %d rounds: %s" % (rounds, ", ".join("%d %s" % (n, what) for what, n in sorted(total.items()))))
    t.ok(total["kept"] and total["written"] and total["overwritten"], "not all that was to happen did")
