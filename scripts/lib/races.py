# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Data races in a kernel's log, as KCSAN reports them."""
import re

OURS = re.compile(r"\[ktr\w*\]")  # behind a function: its module
BEGIN = "BUG: KCSAN: "
END = "=" * 66
# Another CPU's message may lie between a report's lines, which are:
LINE = re.compile(r"^(\[ *[0-9.]+\] )?(|%s.*|(race at unknown origin, with )?(assert no accesses|\S+( \S+)*) to 0x.*:|  *\S.*"
                  r"|value changed: .*|Reported by Kernel Concurrency Sanitizer on:|(CPU|Hardware name|Workqueue): .*|%s)$"
                  % (BEGIN, END))


def without_foreign(lines, partial=True):
    """Gives the lines of a log, but for reports in whose stacks no function of ours is; partial: with one at the end that
    goes on."""
    report = None
    for line in lines:
        if report is None and BEGIN in line:
            report = []
        if report is None:
            yield line
            continue
        report.append(line)
        if line.endswith(END):
            ours = any(OURS.search(entry) for entry in report)
            yield from (entry for entry in report if ours or not LINE.match(entry))
            report = None
    if partial:
        yield from report or ()
