# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""How cost and memory grow: with traced processes, trace files, possible CPUs, the length of a file."""
import os

from bench import measure
from bench.chart import Chart, svg
from bench.measure import TREE
from bench.tables import number, table
from bench.tools import lost
from bench.workloads import RUN, WORK

PICTURE = os.path.join(TREE, "docs", "growth.svg")

PROCESSES = [1, 2, 4, 8, 16, 32, 64]
CALLS = 64000  # of all processes
SESSIONS = [1, 10, 100, 1000]
POSSIBLE = [4, 16, 64, 256]
MANY = 10000
RING = 65536
LONG = (4 << 30) - 1000  # where a long file ends before more is appended
LOOP = [WORK, "getppid", "50000"]
TRACED = ["ktrace", "-t", "c", "-f", "/tmp/trace"]


def job(name, command, **more):
    return {"name": name, "command": command, "files": ["/tmp/trace"], **more}


def processes():
    """The same calls, by more and more processes."""
    plan = []
    for n in PROCESSES:
        command = [WORK, "processes", str(CALLS // n), str(n)]
        plan.append(job("processes %d untraced" % n, command))
        plan.append(job("processes %d ktrace" % n, ["ktrace", "-i", *TRACED[1:], *command]))
    return plan


def sleepers(n, traced):
    """Shell command that starts so many processes, each traced to a file of its own if at all, and says "ready"."""
    trace = "for pid in $(pgrep -P $!); do ktrace -t c -f /tmp/other/$pid -p $pid || exit; done;" if traced else ""
    return ("mkdir -p /tmp/other; mkfifo /tmp/other/said; %s idle %d 3000 >/tmp/other/said & "
            "read -r line </tmp/other/said; %s echo ready; wait" % (WORK, n + 1, trace))


def sessions():
    """The same calls, while more and more others are traced, each to a file of its own."""
    settings = ["kern.ktrace.buffer_size=%d" % RING, "kern.ktrace.max_user_memory=%d" % (1 << 30)]
    plan = [job("settings", ["sysctl", "-q", "-w", *settings]), job("loop", LOOP)]
    memory = {"memory": "grep MemFree /proc/meminfo", "users": "cat /sys/module/ktrace/refcnt; ls /tmp/other | wc -l"}
    for n in SESSIONS:
        for traced in (False, True):
            plan.append(job("sessions %d%s" % (n, " traced" if traced else ""), [*TRACED, *LOOP], ask=memory,
                            background=sleepers(n, traced), files=["/tmp/trace", "/tmp/other"],
                            before="echo 3 >/proc/sys/vm/drop_caches"))
    return plan


def many():
    """So many processes, traced and let go."""
    return [job("many", ["bash", "-c", "exec ktrace -d -t c -f /tmp/trace -p $(pgrep -o -x work)"],
                background="exec %s idle %d 3000" % (WORK, MANY), ask={"clear": RUN + " ktrace -C 2>&1"})]


def long_file():
    """Appended to a file that ends just below 4 GB, and to one that is short."""
    start = "ktrace -t c -f /tmp/trace true; truncate -s %s /tmp/trace"
    append = ["ktrace", "-a", *TRACED[1:], *LOOP]
    count = {"calls": "tail -c +%d /tmp/trace | kdump -f - | grep -c 'CALL  getppid'"}
    return [job("short file", append, before="ktrace -t c -f /tmp/trace true"),
            job("long file", append, before=start % LONG, ask={"calls": count["calls"] % (LONG + 1)})]


def possible():
    return [job("loop", LOOP), job("traced", [*TRACED, *LOOP])]


def above(results, name, base):
    """Instructions of the whole machine for each call, above untraced."""
    return (results[name]["run"]["busy"] - results[base]["run"]["busy"]) / results[name]["work"]["calls"]


def own(results, name, base):
    return (results[name]["work"]["own"] - results[base]["work"]["own"]) / results[name]["work"]["calls"]


def free(result):
    """Bytes."""
    return int(result["answers"]["memory"].split()[1]) * 1024


def memory(results, n):
    """Bytes that a session takes."""
    return (free(results["sessions %d" % n]) - free(results["sessions %d traced" % n])) / n


def charts(one, by_possible):
    """Of results with one CPU, and {possible CPUs: results}."""
    return [
        Chart("Cost of a call, by traced processes", "processes", "instructions, whole machine", {
            "total": [(n, above(one, "processes %d ktrace" % n, "processes %d untraced" % n)) for n in PROCESSES]}),
        Chart("Cost of a call, by other trace files", "trace files", "instructions", {
            "own": [(n, own(one, "sessions %d traced" % n, "loop")) for n in SESSIONS],
            "total": [(n, above(one, "sessions %d traced" % n, "loop")) for n in SESSIONS]}),
        # Of few, pages that CPUs keep in reserve say more.
        Chart("Memory of a trace file, one CPU", "trace files", "KiB", {
            "taken": [(n, memory(one, n) / 1024) for n in SESSIONS if n >= 100],
            "kern.ktrace.buffer_size": [(n, RING / 1024) for n in SESSIONS if n >= 100]}),
        Chart("Cost of a call, by possible CPUs", "CPUs that the kernel could have; one is there", "instructions", {
            "own": [(n, own(r, "traced", "loop")) for n, r in by_possible.items()],
            "total": [(n, above(r, "traced", "loop")) for n, r in by_possible.items()]}),
    ]


def two_rows(two):
    """With two CPUs nothing counts instructions, and times on a busy machine say nothing; but what was lost does."""
    lines = [("processes, on two CPUs", "records", "lost", "times held back")]
    for n in PROCESSES:
        stats = two["processes %d ktrace" % n]["stats"]
        lines.append(("%d" % n, number(stats["records"]), number(lost(stats)), number(stats["held"])))
    return lines


def rows(one):
    """What has no chart."""
    many_run, clear = one["many"], one["many"]["answers"]["clear"].split()
    return [("", "instructions, in millions"),
            ("ktrace -d of %d processes (%d records)" % (MANY, many_run["stats"]["records"]),
             number(many_run["run"]["busy"] / 1e6)),
            ("ktrace -C of them", number(int(clear[clear.index("busy") + 1]) / 1e6)),
            ("%s calls appended to a short file" % LOOP[2], number(one["short file"]["run"]["busy"] / 1e6, "%.1f")),
            ("... to one of 4 GB (%s read back)" % one["long file"]["answers"]["calls"],
             number(one["long file"]["run"]["busy"] / 1e6, "%.1f"))]


def check(*guests):
    for results in guests:
        for result in results.values():
            if "error" in result:
                raise measure.Failure("%s: %s" % (result["name"], result["error"]))


def grow():
    """Measures, prints tables, and draws docs/growth.svg."""
    measure.build()
    one = measure.run(processes() + long_file() + many() + sessions(), ("--icount", "-m", "3072"))
    two = measure.run(processes(), ("-c", "2"))
    by_possible = {n: measure.run(possible(), ("--icount", "--append", "possible_cpus=%d" % n)) for n in POSSIBLE}
    measure.keep("grow", [one, two, by_possible])
    check(one, two, *by_possible.values())
    drawn = charts(one, by_possible)
    for chart in drawn:
        names = list(chart.lines)
        print("%s (%s)\n" % (chart.title, chart.up))
        across = sorted({x for line in chart.lines.values() for x, _ in line})
        table([(chart.across, *names)] + [
            ("%d" % x, *(number(dict(chart.lines[name]).get(x)) for name in names)) for x in across])
        print()
    table(two_rows(two))
    print()
    table(rows(one))
    with open(PICTURE, "w", encoding="utf-8") as f:
        f.write(svg(drawn))
