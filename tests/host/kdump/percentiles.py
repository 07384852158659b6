# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The 99th percentile that --summary shows, against the exact one: within 1/64 of it."""
import random

from craft import LINUX64, PROCCTOR, SYSCALL, SYSRET, call, ctor, ret, v1

BILLION = 10**9


def trace(times):
    """A call for each of the times, in nanoseconds."""
    return v1(PROCCTOR, ctor(LINUX64)) + b"".join(
        v1(SYSCALL, call(0), sec=0) + v1(SYSRET, ret(0), sec=time // BILLION, nsec=time % BILLION) for time in times)


def distributions():
    rng = random.Random(99)
    for count in (1, 2, 99, 100, 101, 199, 1000, 5000):
        yield "log-%d" % count, [int(2 ** rng.uniform(0, 45)) for _ in range(count)]
    yield "uniform", [rng.randrange(10**6) for _ in range(3000)]
    yield "two-peaks", [rng.choice((1000, 10**9)) + rng.randrange(100) for _ in range(1000)]
    yield "one-in-a-hundred", [5 * 10**5] * 99 + [10**9]
    yield "powers", [2**n + d for n in range(12, 60) for d in (-1, 0, 1)]
    yield "ascending", list(range(100000, 101000))


def check(run):
    """run(options, input) is kdump. Yields (name, what is wrong or None)."""
    for name, times in distributions():
        process = run(["--summary", "-f", "-"], input=trace(times))
        row = [line.split() for line in process.stdout.decode().splitlines() if line.endswith(" read")]
        exact = sorted(times)[(99 * len(times) + 99) // 100 - 1] / 1000
        problem = None
        if len(row) != 1 or process.returncode != 0:
            problem = "%s" % process
        elif abs(float(row[0][6]) - exact) > exact / 64 + 0.05:
            problem = "p99 is %s us, but exactly %s" % (row[0][6], exact)
        elif abs(float(row[0][5]) - max(times) / 1000) > 0.051:
            problem = "max is %s us, but exactly %s" % (row[0][5], max(times) / 1000)
        yield name, problem
