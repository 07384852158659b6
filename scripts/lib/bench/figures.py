# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What results of a guest (tests/bench/guest-run) mean: costs above the same workload untraced."""

from bench.tools import Untraced


class Figures:
    """Of one tool with one workload, in instructions for each call, or for each round of a workload that has rounds.

    own       CPU time of the traced processes, above untraced
    whole     of the whole machine, from the start of the tool until the file is complete, above untraced
    start     the part of that which is the start of the tool, in instructions, once
    total     the rest of it
    slowdown  how much longer the measured loop took, as a part of what it takes untraced
    bytes     of the files
    lost      events that are not in the trace; None: not known
    decode    of one event, to text; None where the file is text
    """

    def __init__(self, tool, workload, result, untraced, start):
        number = workload.number(result["work"], tool.short)
        self.own = (result["work"]["own"] - untraced["work"]["own"]) / number
        self.start = start
        self.whole = (result["run"]["busy"] - untraced["run"]["busy"]) / number
        self.total = self.whole - start / number
        self.slowdown = result["work"]["elapsed"] / untraced["work"]["elapsed"] - 1
        self.bytes = result["bytes"] / number
        self.events = tool.events(result)
        self.lost = tool.lost(result)
        self.decode = result["decode"]["busy"] / self.events if "decode" in result and self.events else None


def busy(results, job):
    """Instructions of the machine; 0 for what was not measured."""
    return results.get(job["name"], {}).get("run", {}).get("busy", 0)


def figures(tools, workloads, results):
    """{(workload's name, tool's name): Figures} of all that was measured."""
    found = {}
    for workload in workloads:
        for tool in tools:
            result = results.get("%s %s" % (workload.name, tool.name))
            untraced = results.get(tool.base(workload))
            if result and untraced and "error" not in result and "error" not in untraced:
                start = busy(results, tool.start(workload)) - busy(results, Untraced().start(workload))
                found[workload.name, tool.name] = Figures(tool, workload, result, untraced, start)
    return found
