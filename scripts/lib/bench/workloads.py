# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What is traced: fixed numbers of calls, so that runs can be compared. The programs are in tests/bench."""

WORK = "/bench/work"
RUN = "/bench/run"


class Workload:
    """One of W1 to W8.

    name   as in the tables
    what   in words
    work   arguments of /bench/work: name, times, size
    points letters of ktrace -t; none: the default
    inherit  children are traced, too
    rounds what a cost is given for: each call, or each time (a "round" makes several calls)
    short  by how much fewer times are enough for a tool that is slow
    """

    def __init__(self, name, what, work, points="", inherit=False, rounds=False, short=10):
        self.name, self.what, self.work, self.points = name, what, work, points
        self.inherit, self.rounds, self.short = inherit, rounds, short

    def command(self, short=False):
        kind, times, *size = self.work
        return [WORK, kind, str(times // self.short if short else times), *map(str, size)]

    def times(self, short=False):
        return int(self.command(short)[2])

    def number(self, work, short=False):
        """Of calls or rounds in a measurement, whose cost is given for each."""
        return self.times(short) if self.rounds else work["calls"]


W1 = Workload("W1", "getppid()", ("getppid", 200000), "c")
W2 = Workload("W2", "read and write 1 byte", ("rw", 100000, 1), "ci")
W3 = Workload("W3", "read and write 4096 bytes", ("rw", 50000, 4096), "ci", short=25)
W4 = Workload("W4", "stat()", ("stat", 100000), "cn")
W5 = Workload("W5", "fork, exec, wait", ("fork", 500), inherit=True, rounds=True)
W6 = Workload("W6", "getppid() in 8 threads", ("threads", 20000, 8))
W7 = Workload("W7", "socket server and client, 1024 bytes", ("socket", 10000, 1024), inherit=True)
W8 = Workload("W8", "make of a small project", ("make", 1), inherit=True, rounds=True, short=1)

ONE_CALL = [WORK, "getppid", "1"]  # what is left of a tool's cost is its start
CALLS = [W1, W2, W3, W4, W5]
ALL = [*CALLS, W6, W7, W8]
