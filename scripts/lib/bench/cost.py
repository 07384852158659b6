# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What tracing costs: ktrace beside others, in one guest that counts instructions."""
import json
import os

from bench import measure, targets, tools, workloads
from bench.figures import figures
from bench.tables import number, percent, table


def jobs(traced, chosen, decoded):
    """All measurements of these tools with these workloads, some of which are decoded, too."""
    plan = []
    for workload in chosen:
        bases = [tools.Untraced()]
        if any(tool.short for tool in traced) and workload.short > 1:
            bases.append(tools.UntracedShort())
        plan += filter(None, (tool.job(workload, workload in decoded) for tool in [*bases, *traced]))
    return plan


def best(found, workload, tool, what):
    """The lowest figure of the others with this workload."""
    return min((getattr(f, what) for (w, t), f in found.items() if w == workload and t != tool), default=None)


def ratio(value, other):
    return "%.2f" % (value / other) if other else ""


def cost_rows(found, results, traced, chosen):
    """The table of all tools."""
    lines = [("", "", "own", "total", "loop takes", "bytes", "lost", "decode", "own, of the best other", "total, of it")]
    for workload in chosen:
        work = results.get(workload.name + " untraced", {}).get("work")
        if work:
            lines.append(("%s %s" % (workload.name, workload.what), "untraced",
                          "(%s)" % number(work["own"] / workload.number(work)), *[""] * 7))
        for tool in traced:
            f = found.get((workload.name, tool.name))
            if f:
                lines.append(("", tool.name, number(f.own), number(f.total), percent(f.slowdown), number(f.bytes),
                              number(f.lost), number(f.decode),
                              ratio(f.own, best(found, workload.name, tool.name, "own")),
                              ratio(f.total, best(found, workload.name, tool.name, "total"))))
    return lines


def remember(name, found):
    """Keeps the numbers of this run; returns those of the run before."""
    path = os.path.join(measure.BUILD, name + ".json")
    try:
        with open(path, encoding="utf-8") as f:
            before = json.load(f)
    except (OSError, ValueError):
        before = {}
    with open(path, "w", encoding="utf-8") as f:
        json.dump(found, f, indent=1)
    return before


def compare(name, traced, chosen, decoded):
    """Measures, and prints both tables."""
    measure.build()
    results = measure.run(jobs(traced, chosen, decoded) + targets.jobs())
    found = figures(traced, chosen, results)
    aims = targets.values(found, results)
    table(cost_rows(found, results, traced, chosen), left=2)
    print()
    table(targets.rows(aims, remember(name, aims)))
    for result in results.values():
        if "error" in result:
            print("\n%s: not measured: %s" % (result["name"], result["error"]))


def quick():
    """ktrace and strace, in under three minutes on an idle machine."""
    compare("quick", tools.QUICK, workloads.CALLS, [workloads.W1])
