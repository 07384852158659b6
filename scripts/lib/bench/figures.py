# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What results of a guest (tests/bench/guest-run) mean: costs above the same workload untraced."""


class Figures:
    """Of one tool with one workload, in instructions for each call, or for each round of a workload that has rounds.

    own       CPU time of the traced processes, above untraced
    total     of the whole machine, from the start of the tool until the file is complete, above untraced
    slowdown  how much longer the measured loop took, as a part of what it takes untraced
    bytes     of the files
    lost      of the events, as the tool counts them
    decode    of one event, to text; None where the file is text
    """

    def __init__(self, tool, workload, result, untraced):
        number = workload.number(result["work"], tool.short)
        self.own = (result["work"]["own"] - untraced["work"]["own"]) / number
        self.total = (result["run"]["busy"] - untraced["run"]["busy"]) / number
        self.slowdown = result["work"]["elapsed"] / untraced["work"]["elapsed"] - 1
        self.bytes = result["bytes"] / number
        self.events = tool.events(result)
        self.lost = tool.lost(result)
        self.decode = result["decode"]["busy"] / self.events if "decode" in result and self.events else None


def figures(tools, workloads, results):
    """{(workload's name, tool's name): Figures} of all that was measured."""
    found = {}
    for workload in workloads:
        for tool in tools:
            result = results.get("%s %s" % (workload.name, tool.name))
            untraced = results.get("%s %s" % (workload.name, "untraced, short" if tool.short else "untraced"))
            if result and untraced and "error" not in result and "error" not in untraced:
                found[workload.name, tool.name] = Figures(tool, workload, result, untraced)
    return found
