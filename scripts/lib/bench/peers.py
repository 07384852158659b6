# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What others cost, as measured once on a stock Debian 12 kernel 6.1.0-57 in the same kind of guest.

They stand in the tables in place of what is not measured, marked as quoted: strace 6.1, perf 6.1.192, bpftrace 0.17,
lttng 2.13.9, trace-cmd 3.1.6, sysdig 0.29.3 with its driver.
"""


class Quoted:
    """The same figures as bench.figures.Figures, as far as there are any; lost is text."""

    def __init__(self, own=None, total=None, slowdown=None, lost=""):
        self.own, self.total, self.slowdown, self.lost = own, total, slowdown, lost


LOST = {"strace -f": "0", "perf trace": "59-81 %", "perf record": "0", "bpftrace": "79-90 %", "lttng": "2 %",
        "trace-cmd": "0", "sysdig": "10-91 %"}

# Tool: getppid own and total, 1 byte own, 4 KiB own and total, stat own, fork slowdown.
COSTS = {
    "strace -f": (8564, 28104, 8565, 8594, 187630, 8566, 1.34),
    "perf trace": (4397, 14082, 4399, None, None, 4388, 1.58),
    "perf record": (3020, 3261, 3020, None, None, None, 0.19),
    "bpftrace": (4516, 38841, 4516, None, None, None, 2.24),
    "lttng": (1945, 1994, 2146, None, None, 2997, 0.086),
    "trace-cmd": (1355, 1699, 1355, None, None, None, 0.056),
    "sysdig": (1018, 3683, 1324, 2146, 12544, 1020, 0.35),
}


def quoted():
    """{(workload's name, tool's name): Quoted}"""
    found = {}
    for tool, (own1, total1, own2, own3, total3, own4, slowdown) in COSTS.items():
        lost = LOST[tool]
        found["W1", tool] = Quoted(own1, total1, lost=lost)
        found["W2", tool] = Quoted(own2, lost=lost)
        if own3:
            found["W3", tool] = Quoted(own3, total3, lost=lost)
        if own4:
            found["W4", tool] = Quoted(own4, lost=lost)
        found["W5", tool] = Quoted(slowdown=slowdown, lost=lost)
    return found
