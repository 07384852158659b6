# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktrdump with a kernel: the running one's rings, and the same found in its memory. ktr.py has what is recorded."""
import os
import signal

from cases import ktr
from ktest import case


def texts(output):
    """Messages of ktr_user's events, without the index before each."""
    return [line[7:] for line in output.splitlines()]


@case(guest="ktr")
def ktrdump_live(t):
    "Without options the rings of the running kernel, newest first; -l the oldest first; a user may not."
    ktr.user(t)
    ktr.fresh(t, ktr.GEN | ktr.SCHED)
    ktr.do("macros", cpu=1)
    t.sysctl("debug.ktr.mask", 0)
    lines = t.run(["ktrdump", "-ctf"]).splitlines()
    t.eq(lines[:2], ["%-6s %-3s %-16s %-40s trace" % ("index", "cpu", "timestamp", "file and line"),
                     "%s %s %s %s ----- " % ("-" * 6, "-" * 3, "-" * 16, "-" * 40)], "heading")
    rows = [line.split(None, 4) for line in lines[2:] if "ktr_user.c:" in line]
    t.eq([rows[-1][4], rows[-2][4]], ["tr0", "tr1 1"], "the oldest ones")
    t.ok(rows[0][4].startswith('KTRGRAPH group:"io", id:"disk", stop:0xABC'), "the newest one: " + rows[0][4])
    t.eq({row[1] for row in rows}, {"1"}, "CPU")
    times = [int(row[2]) for row in rows]
    t.eq(times, sorted(times, reverse=True), "times")
    file = "/tmp/ktr.snapshot"
    t.run(["sh", "-c", "cat /dev/ktr >" + file])
    t.eq(texts(t.run(["ktrdump", "-q", "-i", file])), texts(t.run(["ktrdump", "-q"]))[::-1], "a copy of the device")
    os.chmod(file, 0o644)
    t.run(["ktrdump", "-i", file, "--schedgraph", "/tmp/ktr.html"])
    t.ok(os.path.getsize("/tmp/ktr.html") > 10000, "the page")
    t.run(["ktrdump"], uid=1000, status=1)
    t.eq(t.stderr, "ktrdump: /dev/ktr: Permission denied: only root may read it\n", "what a user is told")


@case(guest="ktr")
def ktrdump_follow(t):
    "-l shows what is there, then each event once as it comes."
    ktr.user(t)
    ktr.fresh(t, ktr.GEN)
    ktr.do("macros", cpu=0)
    with open("/tmp/ktr.follow", "wb") as out:
        process = t.start(["ktrdump", "-lq"], stdout=out)

        def count():
            with open("/tmp/ktr.follow", encoding="utf-8") as f:
                return f.read().count("tr6 1 2 3 4 5 6")

        for rounds in 1, 2, 3:
            t.until(lambda rounds=rounds: count() == rounds, "%d rounds of macros" % rounds)
            ktr.do("macros", cpu=1)
        t.until(lambda: count() == 4, "4 rounds of macros")
        process.send_signal(signal.SIGINT)
        process.wait()
    t.eq(count(), 4, "each once")


@case(guest="ktr", timeout=120)
def ktrdump_kcore(t):
    "-M finds the rings in /proc/kcore, and has the same as the device; also after they were resized."
    ktr.user(t)
    for entries in 1024, 100, 5000:
        ktr.fresh(t, ktr.OURS, entries)
        ktr.do("strings", cpu=0)
        ktr.do("strings", cpu=1)
        t.sysctl("debug.ktr.mask", 0)
        live = t.run(["ktrdump", "-ctfH"])
        t.eq(live.count("string kept and constant"), 2, "events")
        t.eq(t.run(["ktrdump", "-ctfH", "-M", "/proc/kcore"]), live, "memory, with %d entries" % entries)
        t.eq(t.stderr, "", "errors")
