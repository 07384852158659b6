# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What tracing costs: ktrace beside others, in one guest that counts instructions."""
import json
import os

from bench import measure, targets, tools, workloads
from bench.figures import figures
from bench.peers import quoted
from bench.tables import number, percent, table


# Who records the calls, but not the data or names that they are about.
PARTLY = {(workload, tool.name) for tool in tools.ALL for workload in tool.without}
PARTLY |= {("W2", "lttng"), ("W2", "sysdig")}


def jobs(traced, chosen, decoded):
    """All measurements of these tools with these workloads, some of which are decoded, too."""
    plan = []
    for workload in chosen:
        bases = [tools.Untraced()]
        if any(tool.short for tool in traced) and workload.short > 1:
            bases.append(tools.UntracedShort())
        plan += filter(None, (tool.job(workload, workload in decoded) for tool in [*bases, *traced]))
    return plan


def starts(traced, chosen):
    """The tools without work, each way of starting one once."""
    found = (tool.start(workload) for workload in chosen for tool in [tools.Untraced(), *traced])
    return list({job["name"]: job for job in found if job}.values())


def best(found, workload, tool, what):
    """The lowest figure of the others with this workload, of those that record what it is about."""
    others = [getattr(f, what) for (w, t), f in found.items()
              if w == workload and t != tool and (w, t) not in PARTLY]
    return min((value for value in others if value is not None), default=None)


def lost(figures):
    """In the table: how many events are missing, and how much of all that is."""
    if not figures.lost or not figures.events:
        return number(figures.lost)
    return "%s, %.1f %%" % (number(figures.lost), 100 * figures.lost / (figures.lost + figures.events))


def ratio(value, other):
    return "%.2f" % (value / other) if other and value is not None else ""


def cost_rows(found, results, traced, chosen):
    """The table of all tools: what was measured, and what others measured of the rest."""
    lines = [("", "", "own", "total", "loop takes", "start, millions", "bytes", "lost", "decode",
              "own, of the best other", "total, of it")]
    whole = {**quoted(), **found}
    for workload in chosen:
        work = results.get(workload.name + " untraced", {}).get("work")
        if work:
            lines.append(("%s %s" % (workload.name, workload.what), "untraced",
                          "(%s)" % number(work["own"] / workload.number(work)), *[""] * 8))
        for tool in traced:
            f = found.get((workload.name, tool.name))
            if f:
                lines.append(("", tool.name + (", without" if workload.name in tool.without else ""), number(f.own),
                              number(f.total), percent(f.slowdown), number(f.start / 1e6, "%.1f"), number(f.bytes),
                              lost(f), number(f.decode),
                              ratio(f.own, best(whole, workload.name, tool.name, "own")),
                              ratio(f.total, best(whole, workload.name, tool.name, "total"))))
        for (name, tool), f in whole.items():
            if name == workload.name and (name, tool) not in found:
                lines.append(("", tool + (", without" if (name, tool) in PARTLY else "") + ", quoted", number(f.own),
                              number(f.total), percent(f.slowdown), "", "", f.lost, "", "", ""))
    return lines


def remember(name, found):
    """Keeps the numbers of this run; returns those of the run before."""
    path = os.path.join(measure.BUILD, measure.label(name) + ".json")
    try:
        with open(path, encoding="utf-8") as f:
            before = json.load(f)
    except (OSError, ValueError):
        before = {}
    with open(path, "w", encoding="utf-8") as f:
        json.dump(found, f, indent=1)
    return before


def versions(traced):
    """Asks for the versions of the tools."""
    commands = {tool.name: tool.version_command for tool in traced if tool.version_command}
    return {"name": "versions", "command": ["true"], "ask": {"Linux": "echo Linux $(uname -r)", **commands}}


def compare(name, traced, chosen, decoded):
    """Measures on one CPU, prints both tables, and returns the results."""
    measure.build()
    packages = sorted({package for tool in traced for package in tool.packages})
    options = ["--icount", *(word for package in packages for word in ("--with", package))]
    results = measure.run([versions(traced), *jobs(traced, chosen, decoded), *starts(traced, chosen), *targets.jobs()],
                          options)
    measure.keep(name, results)
    found = figures(traced, chosen, results)
    aims = targets.values(found, results)
    print("; ".join(results["versions"].get("answers", {}).values()) + "; " + measure.emulator() + "\n")
    table(cost_rows(found, results, traced, chosen), left=2)
    print()
    table(targets.rows(aims, remember(name, aims), measure.kernel))
    for result in results.values():
        if "error" in result:
            print("\n%s: not measured: %s" % (result["name"], result["error"]))
    return results


def losses():
    """All workloads with two CPUs: what was recorded, and what was lost."""
    tool = tools.Ktrace()
    results = measure.run([tool.job(workload, False) for workload in workloads.ALL], ["-c", "2"])
    rows = [("ktrace on two CPUs", "records", "lost")]
    for workload in workloads.ALL:
        result = results["%s %s" % (workload.name, tool.name)]
        rows.append(("%s %s" % (workload.name, workload.what), number(tool.events(result)), number(tool.lost(result))))
    print()
    table(rows)


def quick():
    """ktrace and strace, in under three minutes on an idle machine."""
    compare("quick", tools.QUICK, workloads.CALLS, [workloads.W1])


def usual():
    """With perf, and all workloads."""
    compare("usual", tools.USUAL, workloads.ALL, [workloads.W1, workloads.W2, workloads.W4])
    losses()


def everything():
    """With all others, as far as their modules can be built."""
    compare("all", tools.ALL, workloads.ALL, [workloads.W1, workloads.W2, workloads.W4])
    losses()
