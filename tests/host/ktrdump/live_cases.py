# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The device, by a library that is preloaded: fakedev.c."""
import os
import shutil
import signal
import subprocess
import time

import harness
from harness import Skip, expect, keep, run
from streams import RING, Stream, header, lost_chunk

library = None


def snapshots(*streams):
    """The environment in which the device gives these, one after the other."""
    for n, data in enumerate(streams):
        keep(data, "ktr.%d" % n)
    leftover = os.path.join(harness.folder, "ktr.%d" % len(streams))
    if os.path.exists(leftover):
        os.unlink(leftover)
    return {**harness.ENV, "LD_PRELOAD": library, "FAKE_KTR": os.path.join(harness.folder, "ktr")}


def ring(*events, entries=4, lost=0):
    s = Stream(entries=entries, source=RING)
    for moment, text, cpu in events:
        s.add(moment, b"%s", text, cpu=cpu)
    if lost:
        s.data += lost_chunk(lost)
    return s.data


def newest_first():
    """As many as a ring has, of all CPUs, newest first."""
    data = ring((10, b"a", 0), (20, b"b", 0), (30, b"c", 0), (40, b"d", 0), (15, b"e", 1), (35, b"f", 1))
    expect(run("-ctr", env=snapshots(data)).stdout, b"index  cpu timestamp        trace\n------ --- ---------------- ----- \n"
           b"     3   0                0 d\n     2   1                5 f\n     1   0                5 c\n"
           b"     0   0               10 b\n", "events")
    expect(run("-q", env=snapshots(header(source=RING))).stdout, b"", "no events")


def follow(count, *streams, options=("-ctlq",)):
    """What -l prints in so many lines, and says; it is ended then."""
    process = subprocess.Popen([harness.KTRDUMP, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=snapshots(*streams))
    try:
        os.set_blocking(process.stdout.fileno(), False)
        output, deadline = b"", time.monotonic() + harness.SECONDS
        while output.count(b"\n") < count and time.monotonic() < deadline:
            output += process.stdout.read() or b""
            time.sleep(.01)
        time.sleep(.2)  # it must print no more
        output += process.stdout.read() or b""
    finally:
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=harness.SECONDS)
    return output, errors


def follows():
    """Oldest first, then what is new: also what has an older time, and what is like another but for its CPU."""
    first = ring((10, b"a", 0), (20, b"b", 0), (20, b"b", 1))
    second = ring((10, b"a", 0), (20, b"b", 0), (20, b"b", 1), (15, b"late", 0), (20, b"b", 2), (30, b"c", 1))
    third = ring((20, b"b", 0), (30, b"c", 1), (40, b"d", 0))
    output, errors = follow(7, first, second, second, third)
    expect(output, b"     0   0               10 a\n     1   0               20 b\n     2   1               20 b\n"
           b"     3   0               15 late\n     4   2               20 b\n     5   1               30 c\n"
           b"     6   0               40 d\n", "events")
    expect(errors, b"", "errors")


def follows_newest():
    """It begins with no more than without -l, and does not show the older ones later."""
    first = ring((10, b"a", 0), (20, b"b", 0), (5, b"x", 1), (6, b"y", 1), entries=2)
    second = ring((20, b"b", 0), (30, b"c", 0), (5, b"x", 1), (6, b"y", 1), entries=2)
    output, _ = follow(3, first, second, options=("-lqr",))
    expect(output, b"     0 a\n     1 b\n     2 c\n", "events")


def follows_relative():
    output, _ = follow(5, ring((10, b"a", 0), (20, b"b", 0)), ring((20, b"b", 0), (50, b"c", 0)), options=("-trl",))
    expect(output, b"index  timestamp        trace\n------ ---------------- ----- \n     0                0 a\n"
           b"     1               10 b\n     2               30 c\n", "events")


def overrun():
    """A ring that has gone round between two looks, beside one that has not."""
    first = ring((10, b"a", 0), (10, b"z", 1), entries=2)
    second = ring((20, b"b", 0), (30, b"c", 0), (10, b"z", 1), entries=2)
    _, errors = follow(4, first, second, second)
    expect(errors, b"ktrdump: CPU 0 was too fast: enlarge debug.ktr.entries, some events were not seen\n", "message")


def cleared():
    """After debug.ktr.clear there is nothing in common, and nothing to complain of."""
    output, errors = follow(2, ring((10, b"a", 0), entries=2), ring(entries=2), ring((30, b"c", 0), entries=2))
    expect((output, errors), (b"     0   0               10 a\n     1   0               30 c\n", b""), "events")


def losses():
    _, errors = follow(2, ring((10, b"a", 0), lost=3), ring((10, b"a", 0), (20, b"b", 0), lost=5))
    expect(errors, b"ktrdump: events were lost: 3\nktrdump: events were lost: 2\n", "messages")


def refusals():
    for number, text in ((2, "No such file or directory: load the module, modprobe ktr"), (13, "Permission denied: only root may read it"),
                         (1, "Operation not permitted: only root may read it"), (12, "Cannot allocate memory"), (16, "Device or resource busy")):
        env = {**harness.ENV, "LD_PRELOAD": library, "FAKE_ERRNO": str(number)}
        harness.refused("/dev/ktr: " + text, env=env)
    harness.refused("/dev/ktr: this is not a file of ktr's events", env=snapshots(b"something else"))


def kept_output():
    """A file is not emptied when there is no device."""
    path = keep(b"precious", "out")
    harness.refused("/dev/ktr: Permission denied: only root may read it", "-l", "-o", path, env={**harness.ENV, "LD_PRELOAD": library, "FAKE_ERRNO": "13"})
    with open(path, "rb") as f:
        expect(f.read(), b"precious", "file")
    process = subprocess.Popen([harness.KTRDUMP, "-lq", "-o", path], env=snapshots(ring((10, b"a", 0))))
    try:
        found, deadline = b"", time.monotonic() + harness.SECONDS
        while found != b"     0 a\n" and time.monotonic() < deadline:
            time.sleep(.01)
            with open(path, "rb") as f:
                found = f.read()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
    expect(found, b"     0 a\n", "a file that is written as events come")


def build(here):
    global library
    compiler = shutil.which("gcc") or shutil.which("cc")
    if not compiler:
        raise Skip("there is no compiler")
    library = os.path.join(harness.folder, "fakedev.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-D_GNU_SOURCE", "-o", library, os.path.join(here, "fakedev.c")], check=True)


def tests(_tree, here):
    yield "live/build", lambda: build(here)
    for test in (newest_first, follows, follows_newest, follows_relative, overrun, cleared, losses, refusals, kept_output):
        yield "live/" + test.__name__.replace("_", "-"), test
