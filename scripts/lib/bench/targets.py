# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What ktrace is to cost, what it does cost, and what is measured for that beside the workloads of all tools."""
from bench.tables import number, percent
from bench.workloads import W1, W2, W3, W4, W5, WORK, Workload

LOOKUPS = Workload("W4 names elsewhere", "stat()", ("stat", 100000))
CALLS = Workload("W1 calls elsewhere", "getppid()", ("getppid", 200000))
UTRACE = Workload("utrace", "utrace() of 64 bytes", ("utrace", 100000, 64), "u")
SPARE = "/tmp/elsewhere"
UNLOAD, LOAD = "rmmod ktrace", "modprobe ktrace"


def beside(workload, points):
    """The workload untraced, while another process, that sleeps, is traced."""
    return {"name": workload.name, "command": workload.command(), "files": [SPARE],
            "background": "exec ktrace -t %s -f %s %s idle 0 3000" % (points, SPARE, WORK)}


def jobs():
    """For tests/bench/guest-run, beside those of the tools."""
    return [
        {"name": "W1 unloaded", "command": W1.command(), "before": UNLOAD},
        {"name": "W4 unloaded", "command": W4.command()},
        {"name": "utrace untraced", "command": UTRACE.command(), "before": LOAD},
        {"name": "utrace ktrace", "command": ["ktrace", "-t", "u", "-f", SPARE, *UTRACE.command()], "files": [SPARE]},
        beside(CALLS, "c"),
        beside(LOOKUPS, "n"),
    ]


def above(results, name, base):
    """CPU time of the process for each call, above another measurement."""
    one, other = results[name]["work"], results[base]["work"]
    return (one["own"] - other["own"]) / one["calls"]


def own(workload):
    return lambda figures, _results: figures[workload.name, "ktrace"].own


def total(workload):
    return lambda figures, _results: figures[workload.name, "ktrace"].whole


def slowdown(workload):
    return lambda figures, _results: figures[workload.name, "ktrace"].slowdown


def difference(name, base):
    return lambda _figures, results: above(results, name, base)


def lost(figures, results):
    """Of all workloads of ktrace, in this guest."""
    return sum(f.lost for (_, tool), f in figures.items() if tool == "ktrace")


# What the hooks alone cost on other kernels, above 6.1: for each call that is recorded, or not; a path that is recorded; and one
# that is not. (Measured with empty probes; newest: on 7.2; paths on 5.10 were not measured.)
HOOKS = {"5.10": (-8, 0, 0), "6.12": (4, 50, 43), "newest": (26, 67, 65)}
CALL, PATH, LOOKUP = (1, 0, 0), (1, 1, 0), (0, 0, 1)
NONE = (0, 0, 0)
WITHIN = 1.15  # of those sums, for kernels other than 6.1


# What, required, stretch, the best of the others (docs/PERFORMANCE.md), the hooks in it, how it is found, how it is
# shown.
TARGETS = [
    ("getppid(), CALL and RET (-t c): own", 450, 380, "1,018 lossy, 1,355 lossless", CALL, own(W1), number),
    ("... total, with the file written", 700, 600, "1,699", CALL, total(W1), number),
    ("1 byte read or written, with data (-t ci): own", 780, 650, "1,324 without data", CALL, own(W2), number),
    ("4096 bytes read or written, all data (-t ci): own", 1350, 1200, "2,146 lossy", CALL, own(W3), number),
    ("... total", 3500, 3000, "12,544 lossy", CALL, total(W3), number),
    ("stat() with its path (-t cn): own", 1100, 950, "1,020 lossy, 2,997 lossless", PATH, own(W4), number),
    ("fork, exec and wait, default points: slowdown", 0.05, 0.04, "+5.6 %, no paths, no data", NONE, slowdown(W5), percent),
    ("untraced, while another is traced", 105, 95, "129", CALL, difference(CALLS.name, "W1 untraced"), number),
    ("... for names (-t n), for each lookup of a path", 260, 240, "", LOOKUP, difference(LOOKUPS.name, "W4 untraced"), number),
    ("untraced, module loaded, nothing traced", 0, 0, "0", NONE, difference("W1 untraced", "W1 unloaded"), number),
    ("utrace() of 64 bytes", 900, 700, "", CALL, difference("utrace ktrace", "utrace untraced"), number),
    ("records lost, all workloads", 0, 0, "0-91 %", NONE, lost, number),
]


def values(figures, results):
    """{what: number}, without what was not measured."""
    found = {}
    for what, *_, find, _show in TARGETS:
        try:
            found[what] = find(figures, results)
        except KeyError:
            pass
    return found


def verdict(value, required, stretch):
    """How far a number is from the aims. What is measured has a grain: half of what is shown counts as nothing."""
    grain = 0.5 if required >= 1 or required == 0 else 0.0005
    if value <= stretch + grain:
        return "yes, and the stretch"
    if value <= required + grain:
        return "yes"
    return "NO: %.2f times" % (value / required) if required else "NO"


def aim(value, hooks, kernel):
    """What is required of a kernel, from what is of 6.1."""
    if kernel == "6.1" or not value or value < 1:
        return value
    return WITHIN * (value + sum(n * more for n, more in zip(hooks, HOOKS.get(kernel, NONE))))


def rows(found, before, kernel="6.1"):
    """The table of targets; before has the numbers of an earlier run, or is empty."""
    lines = [("instructions for each call, above untraced", "required", "stretch", "measured", "met", "run before",
              "best of the others")]
    for what, required, stretch, best, hooks, _find, show in TARGETS:
        if what in found:
            value = found[what]
            required, stretch = aim(required, hooks, kernel), aim(stretch, hooks, kernel)
            lines.append((what, show(required), show(stretch), show(value), verdict(value, required, stretch),
                          show(before.get(what)), best))
    return lines
