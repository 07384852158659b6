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
    os.rename(os.path.join(t.dir, "run"), os.path.join(t.dir, "run%s" % number))
    return out.splitlines(), t.status, re.sub(r"[0-9]+", "0", t.stderr)


def difference(untraced, traced):
    """The first word that is the same in all untraced runs, and another in the traced one."""
    if len(set(map(len, untraced))) > 1:
        return None     # it does not do the same each time: nothing to compare with
    if len(traced) != len(untraced[0]):
        return "%d lines, not %d" % (len(traced), len(untraced[0]))
    for now, *lines in zip(traced, *untraced):
        words = [line.split(" ") for line in lines]
        if len(set(map(len, words))) > 1:
            continue
        have = now.split(" ")
        if len(have) != len(words[0]) or any(len(set(w)) == 1 and w[0] != h for h, *w in zip(have, *words)):
            return "%r, not %r" % (now, lines[0])
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
        what = difference([one[0], two[0]], three[0])
        if what:    # the address of a 32-bit program is the same once in 256 times
            more = [run(t, argv, "%d-%d" % (n, i))[0] for i in range(3)]
            what = difference([one[0], two[0], *more], three[0])
        if what or (one[1:] == two[1:] != three[1:]):
            wrong.append("%s: %s" % (" ".join(argv), what or "%s, not %s" % (three[1:], one[1:])))
        drops = t.read(trace, dead=True).drops
        if drops:
            wrong.append("%s: %d times records were lost" % (" ".join(argv), drops))
    t.eq(wrong, [], "programs that behave otherwise")
    t.ok(compared > 3000, "only %d lines were compared" % compared)
