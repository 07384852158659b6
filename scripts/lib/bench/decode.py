# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""How fast kdump is, in several ways: see decode()."""
import os
import platform
import re
import resource
import shutil
import subprocess
import tempfile

import workload
from bench.measure import TREE
from bench.tables import table

KDUMP = os.path.abspath(os.environ.get("KDUMP", os.path.join(TREE, "tools", "kdump")))

RECORDS = 1000000
COUNTED = 50000  # records for which instructions are counted: valgrind takes 50 times as long
RUNS = 5
BLOCK = 256 << 10  # what kdump writes at once

# What is run, and what --help must have for it.
MODES = [
    ("", ""), ("-n", ""), ("-HTA", ""), ("-s", ""), ("-t c", ""), ("-p 1", ""),
    ("-e status=failed", "-e "), ("--duration", "--duration"), ("--fds", "--fds"), ("--summary", "--summary"),
    ("--tree", "--tree"), ("--json", "--json"), ("--perfetto", "--perfetto"), ("--html", "--html"),
]

# Measured on a stock Debian 12 kernel in QEMU, one CPU: millions of events a second, decoded to text.
PEERS = [("perf script", "6.1.192", "0.76-0.84"), ("babeltrace2", "2.0.4", "0.60-0.70"),
         ("trace-cmd report", "3.1.6", "0.52-0.78"), ("sysdig -r", "0.29.3", "0.44-0.55")]


def cpu_seconds(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def run(command, path):
    """Seconds of CPU time, with its output in the file."""
    with open(path, "wb") as f:
        before = cpu_seconds(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=f, check=True)
        return cpu_seconds(resource.RUSAGE_CHILDREN) - before


def write(data, path):
    """Seconds of CPU time that writing takes, and nothing else."""
    with open(path, "wb", buffering=0) as f:
        before = cpu_seconds(resource.RUSAGE_SELF)
        for at in range(0, len(data), BLOCK):
            f.write(data[at:at + BLOCK])
        return cpu_seconds(resource.RUSAGE_SELF) - before


def perf_count(command):
    process = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "--", *command], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    match = re.search(r"^(\d+),", process.stderr, re.M)
    return int(match.group(1)) if match else None


def valgrind_count(command):
    process = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    match = re.search(r"Collected : (\d+)", process.stderr)
    return int(match.group(1)) if match else None


def find_counter():
    """(function, name), or (None, why not)"""
    if shutil.which("perf") and perf_count(["true"]):
        return perf_count, "perf stat -e instructions:u"
    if shutil.which("valgrind") and valgrind_count(["true"]):
        return valgrind_count, "valgrind --tool=callgrind"
    return None, "nothing here counts instructions (Debian: apt install valgrind)"


def instructions(count, options, folder, records):
    """Of one record: what an empty trace takes is taken off."""
    numbers = [count([KDUMP, *options, "-f", os.path.join(folder, name)]) for name in ("counted", "empty")]
    return (numbers[0] - numbers[1]) / records["counted"]


def make_traces(folder):
    """How many records each has."""
    records = {}
    for name, least in (("trace", RECORDS), ("counted", COUNTED), ("empty", 0)):
        with open(os.path.join(folder, name), "wb") as f:
            records[name] = workload.write(f, least)
    return records


def modes():
    text = subprocess.run([KDUMP, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [options.split() for options, needs in MODES if needs in text]


def version(command):
    try:
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        return said.split("\n")[0]
    except OSError:
        return "not installed"


def processor():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
            return re.search(r"model name\s*: (.*)", f.read()).group(1)
    except (OSError, AttributeError):
        return platform.machine()


def measure(options, folder, records, count):
    """A row of the table."""
    trace, output = os.path.join(folder, "trace"), os.path.join(folder, "output")
    seconds = min(run([KDUMP, *options, "-f", trace], output) for _ in range(RUNS))
    with open(output, "rb") as f:
        data = f.read()
    writing = min(write(data, output) for _ in range(RUNS))
    return ("kdump " + " ".join(options), "%.2f" % (records["trace"] / seconds / 1e6), "%.1f" % (len(data) / 1e6),
            # Less than a few milliseconds is too little to compare with.
            "%.1f" % (seconds / writing) if writing > 0.004 else "",
            "%d" % instructions(count, options, folder, records) if count else "")


def decode():
    """Prints kdump's table: of a trace of a million records, and of others."""
    count, how = find_counter()
    # In memory, if that can be: a disk would be measured too.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        records = make_traces(folder)
        size = os.path.getsize(os.path.join(folder, "trace"))
        print("%s; %s; Linux %s; %s. A trace of %d records, %.1f MB. Instructions: %s.\n" %
              (version([KDUMP, "--version"]), processor(), platform.release(), version(["gcc", "--version"]),
               records["trace"], size / 1e6, how))
        rows = [("", "million records/s", "MB written", "CPU time, of writing as much", "instructions/record")]
        rows += [measure(options, folder, records, count) for options in modes()]
        table(rows)
    print("\nOthers, decoding to text, as measured on a virtual machine with one CPU (docs/PERFORMANCE.md):\n")
    table([("", "million events/s")] + [("%s %s" % (name, number), speed) for name, number, speed in PEERS])
