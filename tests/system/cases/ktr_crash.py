# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktr.ko's events on the console: with debug.ktr.verbose, and in a crash."""
import os
import re
import subprocess

import ktrcore
import ktrstream
from cases.ktr import OURS, do, error, fresh, store, user
from ktest import Fail, case

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
EVENT = re.compile(r"ktr: cpu(\d) \d+\.\d{9} \S*ktr_user\.c\.\d+ many (\d+)$")


@case(guest="ktr")
def verbose(t):
    "With verbose 1 messages and CPUs go to the console, with 2 also file and line, with 0 nothing; control bytes do not."
    user(t)
    fresh(t, OURS)
    t.sysctl("debug.ktr.verbose", 1)
    do("many 3", cpu=1)
    do("strings", cpu=0)
    said = t.until(lambda: wait(t, "string second"), "messages on the console")
    t.eq(said[:5], ["cpu1 many 0", "cpu1 many 1", "cpu1 many 2", "cpu0 string kept and constant", "cpu0 string null (null)"],
         "messages")
    t.sysctl("debug.ktr.verbose", 2)
    do("many 2", cpu=1)
    said = t.until(lambda: wait(t, "many 1"), "messages on the console")
    t.ok(len(said) == 2 and all(re.match(r"cpu1 \S*ktr_user\.c\.\d+ many %d$" % i, line) for i, line in enumerate(said)),
         "the kernel says %s" % said)
    store("verbose", 0)
    do("many 2", cpu=1)
    t.eq(t.kernel_log(), [], "messages with verbose 0")


lines = []


def wait(t, last):
    """Collects lines of the kernel's log; returns them when there is one with that text."""
    lines.extend(t.kernel_log())
    found = [i for i, line in enumerate(lines) if last in line]
    if not found:
        return None
    said = lines[:]
    lines.clear()
    return said


@case(guest="ktr")
def torrent(t):
    "Events that are too many for the console are counted there, and all are in the ring."
    user(t)
    fresh(t, OURS, 20000)
    t.sysctl("debug.ktr.verbose", 1)
    do("many 10000", cpu=1)
    store("verbose", 0)
    said = t.kernel_log()
    shown = [line for line in said if line.startswith("cpu1 many ")]
    lost = sum(int(line.split()[1]) for line in said if "too fast for the console" in line)
    t.ok(lost > 0, "none was too many")
    t.eq(len(shown) + lost, 10000, "shown and counted")


@case(guest="ktr", timeout=180)
def busy(t):
    "With verbose 1 and all classes, the scheduler's and the locks', too, both CPUs and the console go on."
    with open("/proc/sys/kernel/printk", encoding="ascii") as f:
        before = f.read()
    t.sysctl("kernel.printk", "8 4 1 7")
    fresh(t, 0xffffffff)
    t.undo.append(lambda: store("mask", 0))
    t.sysctl("debug.ktr.verbose", 1)
    for cpu in "0", "1":
        t.run(["taskset", "-c", cpu, "sh", "-c", "for i in 1 2 3; do sleep 0.01; ls / >/dev/null; done"])
    store("mask", 0)
    store("verbose", 0)
    t.sysctl("kernel.printk", before)
    said = t.kernel_log()
    for cpu in "0", "1":
        t.ok(any(line.startswith("cpu%s KTRGRAPH group:\"thread\"" % cpu) for line in said), "no switches of CPU " + cpu)
    t.ok(any("too fast for the console" in line for line in said), "nothing was too much")


@case(guest="ktr")
def setting(t):
    "debug.ktr.crash is 0 at first, and a number."
    t.eq(t.sysctl("debug.ktr.crash"), "0", "crash")
    for text, want in ("-1", "EINVAL"), ("x", "EINVAL"), ("99999999999", "ERANGE"):
        t.eq(error(store, "crash", text), want, text)
    t.sysctl("debug.ktr.crash", 500)
    t.eq(t.sysctl("debug.ktr.crash"), "500", "crash")


def record(t, entries):
    user(t)
    fresh(t, OURS, 100)
    store("crash", entries)
    do("many 5", cpu=0)
    do("many 8", cpu=1)
    do("many 30", cpu=0)
    do("many 3", cpu=1)


def events(lines_):
    return [(int(m.group(1)), int(m.group(2))) for m in map(EVENT.match, lines_) if m]


def newest(lines_):
    """The 20 newest of record(), in their order, and no others."""
    found = events(lines_)
    want = [(0, n) for n in range(13, 30)] + [(1, n) for n in range(3)]
    return "" if found == want else "events on the console: %s, not %s" % (found, want)


def newest_panic(lines_):
    start = [i for i, line in enumerate(lines_) if "Kernel panic" in line]
    first = [i for i, line in enumerate(lines_) if EVENT.match(line)]
    if not start or not first or first[0] < start[0]:
        return "no panic before the events"
    return newest(lines_)


def oops_and_panic(lines_):
    """The oops's, and the panic's which go on where those ended."""
    if not any("Kernel panic" in line for line in lines_) or not any("Oops" in line for line in lines_):
        return "no oops and panic"
    return newest(lines_)


def none(lines_):
    found = events(lines_)
    if not any("Kernel panic" in line for line in lines_):
        return "no panic"
    return "events on the console: %s" % found if found else ""


def memory(path):
    """All of record() is in the guest's memory, and nothing that came later."""
    core = ktrcore.Core(path)
    want = [(0, "many %lu", n) for n in range(5)] + [(1, "many %lu", n) for n in range(8)]
    want += [(0, "many %lu", n) for n in range(30)] + [(1, "many %lu", n) for n in range(3)]
    if core.anchors != 1:
        return "%d anchors" % core.anchors
    if core.events != want:
        return "events in memory: %s" % core.events
    return by_ktrdump(path, [(cpu, text % n) for cpu, text, n in want])


def by_ktrdump(path, want):
    """What "ktrdump -M" makes of it: the newest come first."""
    subprocess.run(["make", "-s", "-C", TREE, "tools/ktrdump"], check=True)
    ktrdump = subprocess.run([os.path.join(TREE, "tools", "ktrdump"), "-cq", "-M", path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False)
    rows = [line.split(None, 2) for line in ktrdump.stdout.splitlines()]
    found = [(int(cpu), text) for _, cpu, text in reversed(rows)]
    if ktrdump.returncode or ktrdump.stderr or found != want:
        return "ktrdump -M: status %d, %s%s" % (ktrdump.returncode, ktrdump.stderr, found)
    return ""


def trigger():
    with open("/proc/sysrq-trigger", "w", encoding="ascii") as f:
        f.write("c")
    raise Fail("the machine goes on")


@case(guest="crash", console=newest_panic)
def panic(t):
    "On panic the newest N entries of all CPUs are on the console, in their order."
    record(t, 20)
    trigger()


@case(guest="crash", console=none)
def panic_off(t):
    "With debug.ktr.crash 0, none are."
    record(t, 0)
    trigger()


@case(guest="crash", console=oops_and_panic)
def oops_panic(t):
    "On an oops that panics, they are there once."
    record(t, 20)
    do("oops")
    t.until(lambda: False, "the machine to panic")


@case(guest="crash", console=newest)
def oops(t):
    "On an oops after which the machine goes on, they are there, and recording goes on."
    record(t, 20)
    t.sysctl("kernel.panic_on_oops", 0)
    do("oops")
    t.until(lambda: any("ktr: cpu1" in line for line in t.kernel_log()), "the events")
    store("clear", 1)
    do("many 3", cpu=0)
    t.eq(ktrstream.read().texts, ["many 0", "many 1", "many 2"], "events afterwards")


@case(guest="crash", core=memory)
def core(t):
    "A dump of the memory of a guest that panicked has the events."
    record(t, 0)
    trigger()
