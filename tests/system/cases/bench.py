# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What scripts/bench measures with: its workloads do what they say, and its guest-run tells what happened."""
import collections
import json
import os

from ktest import ARM, BIN, NAMI, NR, case

BENCH = os.path.join(BIN, "bench")
WORK = os.path.join(BENCH, "work")

STAT = "newfstatat" if ARM else "stat"

# Arguments, and what must be in the trace: calls by name, GENIO records, names by path.
WORKLOADS = [
    (("getppid", 300), {"getppid": 300}, 0, {}),
    (("rw", 50, 4096), {"read": 50, "write": 50}, 100, {"/dev/zero": 1, "/dev/null": 1}),
    (("stat", 40), {STAT: 40}, 0, {"/etc/passwd": 40}),
    (("fork", 3), {"execve": 3}, 0, {"/bin/true": 3}),
    (("threads", 20, 8), {"getppid": 160}, 0, {}),
    (("processes", 20, 5), {"getppid": 100}, 0, {}),
    (("socket", 10, 1024), {"read": 20, "write": 20}, 40, {}),
]


def said(line):
    words = line.split()
    return dict(zip(words[::2], map(int, words[1::2])))


@case()
def workloads(t):
    "make bench: each workload makes the calls that it says, as the independent parser counts them."
    for work, calls, data, names in WORKLOADS:
        trace = t.trace([WORK, *map(str, work)], "cni", options=["-i"])
        for name, number in calls.items():
            extra = trace.calls[(64, getattr(NR, name))] - number
            # The program prints a line, to what it looks at once; true, which is executed 3 times, has its library read.
            most = 1 if name in ("write", "execve", "newfstatat") else 0
            t.ok(0 <= extra <= most, "%s: %d calls %s" % (work[0], number + extra, name))
        t.ok(data < trace.counts[4] <= data + 10, "%s: %d records of data" % (work[0], trace.counts[4]))
        seen = collections.Counter(r.text for r in trace.records if r.type == NAMI)
        # A security module (TOMOYO) walks the path of a program once more by itself.
        programs = 2 if seen[WORK] == 2 else 1
        for path, number in names.items():
            t.eq(seen[path], number * (programs if path == "/bin/true" else 1), "%s: lookups of %s" % (work[0], path))
        t.eq(trace.drops, 0, "%s: drops" % work[0])
        numbers = said(t.out)
        t.ok(sum(calls.values()) <= numbers["calls"] <= sum(calls.values()) + 6, "%s says %s" % (work[0], numbers))
        t.ok(0 < numbers["own"] and 0 < numbers["elapsed"], "%s says %s" % (work[0], numbers))


@case()
def marks(t):
    "make bench: the workload of utrace(2) leaves its records, of the size that it was told."
    trace = t.trace([WORK, "utrace", "30", "64"], "u")
    t.eq([len(r.payload) for r in trace.records if r.type == 7], [64] * 31, "records")


@case(timeout=240)
def small_project(t):
    "make bench: the small project is built, under ktrace as without."
    t.trace([WORK, "make", "1"], options=["-i"])
    t.ok("calls 0 own " in t.out, "says %r" % t.out)


@case()
def guest_run(t):
    "make bench: what is measured is told as it was: calls, time, bytes, records, answers; and a failure as a failure."
    trace = os.path.join(t.dir, "trace")
    plan = [
        {"name": "a", "command": ["ktrace", "-t", "c", "-f", trace, WORK, "getppid", "500"], "files": [trace],
         "decode": "kdump -f %s | tee text" % trace, "ask": {"size": "stat -c %%s %s" % trace}},
        {"name": "b", "command": [WORK, "getppid", "500"], "before": "touch made", "files": [trace + "*"],
         "background": "exec ktrace -t c -f %s.b %s idle 0 300" % (trace, WORK)},
        {"name": "c", "command": ["false"]},
        {"name": "d", "command": [WORK, "getppid", "1"], "background": "echo broken"},
    ]
    with open(os.path.join(t.dir, "plan"), "w", encoding="utf-8") as f:
        json.dump(plan, f)
    out = t.run([os.path.join(BENCH, "guest-run"), "plan"])
    a, b, c, d = (json.loads(line) for line in out.splitlines())
    t.eq((a["name"], a["work"]["calls"], a["run"]["status"]), ("a", 500, 0), "calls")
    t.ok(0 < a["work"]["own"] < a["run"]["busy"], "own %d, busy %d" % (a["work"]["own"], a["run"]["busy"]))
    t.eq(a["answers"], {"size": str(a["bytes"])}, "size of the file")
    t.eq(a["stats"]["bytes"], a["bytes"], "bytes, as the module counts them")
    with open(os.path.join(t.dir, "text"), encoding="utf-8") as f:
        t.eq(f.read().count("CALL  getppid"), 500, "calls that kdump printed")
    t.ok(1000 <= a["stats"]["records"] < 1200, "records: %d" % a["stats"]["records"])
    t.ok(a["decode"]["busy"] > 0, "decoding took nothing")
    t.eq(b["stats"]["records"], 0, "records of a process that sleeps")
    t.ok(b["bytes"] > 0, "the process in the background left no trace")
    t.ok(os.path.exists(os.path.join(t.dir, "made")), "what is to come before was not done")
    t.ok("error" not in a and "error" not in b, "errors: %s" % out)
    t.ok("false: status 1" in c["error"] and "broken" in d["error"], "errors: %s, %s" % (c, d))
    t.eq([name for name in os.listdir(t.dir) if name.startswith("trace")], [], "files that are left")
