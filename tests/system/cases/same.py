# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""With all points on, programs behave as they do untraced: the same output, the same results, the same status.

The programs of the tests write down what each of their calls returned. Each runs twice untraced and once traced: what
differs between the first two runs (addresses, pids, times) is masked in the third.
"""
import os
import re

from ktest import BIN, case

POINTS = "+wfae"

# Program and arguments. Of most there is a 32-bit twin: NAME32.
COMMANDS = """
calls plain, calls negative, calls unknown, calls errnos, calls restart, calls resume, calls trap, calls kill, int80,
genio plain 4096, genio edges 4096, genio vectors 4096, genio sockets 4096, genio others 4096, genio socketcall 4096,
life clones, life threads 8 50, life leader-first, life exec 5, life exec-thread, life exit-thread, life storm 20,
namei, stats 100 /etc/passwd, loop 100 4 4,
psig codes, psig numbers, psig faults, psig ignored, psig die 11, psig die maperr, psig die accerr, psig many 15,
odd nested, odd interrupted, odd bad-exec, odd bad-frame, odd refused, tasks makes, tasks exec-thread,
tasks broken, moves sizes 4096, moves partial 4096, moves memory 4096, moves tcp 4096, paths plain, struct_addr,
struct_array, struct_misc, struct_stat, struct_time, struct_odd refused, fault anonymous, fault cow, fault minor,
fault signals, fault stack, fault threads 16, csw naps, csw vfork, csw ring 5 20, secc errno, secc trap, secc kill-thread,
secc kill-alone, secc log, secc notify-value, cap, sctl
"""


def commands():
    for command in re.split(r",\s*", " ".join(COMMANDS.split())):
        words = command.split()
        for prog in words[0], words[0] + "32":
            if os.path.exists(os.path.join(BIN, prog)):
                yield [os.path.join(BIN, prog), *words[1:]]


def run(t, argv, number):
    folder = os.path.join(t.dir, "run", "x")        # the same name each time: programs show it
    os.makedirs(folder)
    os.chmod(folder, 0o777)
    out = t.run(argv, status=None, cwd=folder)
    os.rename(os.path.join(t.dir, "run"), os.path.join(t.dir, "run%d" % number))
    return out.splitlines(), t.status, re.sub(r"[0-9]+", "0", t.stderr)


def difference(first, second, traced):
    """The first word that is the same in both untraced runs, and another in the traced one."""
    if len(first) != len(second):
        return None     # it does not do the same each time: nothing to compare with
    if len(traced) != len(first):
        return "%d lines, not %d" % (len(traced), len(first))
    for a, b, c in zip(first, second, traced):
        words = [line.split(" ") for line in (a, b, c)]
        if len(words[0]) != len(words[1]):
            continue
        if len(words[2]) != len(words[0]) or any(x == y != z for x, y, z in zip(*words)):
            return "%r, not %r" % (c, a)
    return None


@case(timeout=240)
def programs(t):
    "With all points on, every program of the tests behaves as it does untraced: output, results of calls, status."
    wrong = []
    compared = 0
    for n, argv in enumerate(commands()):
        trace = "%s/%d.kt" % (t.dir, n)
        one, two = run(t, argv, 3 * n), run(t, argv, 3 * n + 1)
        three = run(t, ["ktrace", "-i", "-t", POINTS, "-f", trace, *argv], 3 * n + 2)
        compared += len(one[0])
        what = difference(one[0], two[0], three[0])
        if what or (one[1:] == two[1:] != three[1:]):
            wrong.append("%s: %s" % (" ".join(argv), what or "%s, not %s" % (three[1:], one[1:])))
        drops = t.read(trace, dead=True).drops
        if drops:
            wrong.append("%s: %d times records were lost" % (" ".join(argv), drops))
    t.eq(wrong, [], "programs that behave otherwise")
    t.ok(compared > 3000, "only %d lines were compared" % compared)
