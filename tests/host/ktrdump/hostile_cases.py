# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files made to cost ktrdump far more than they should: each takes some seconds at most, and bounded memory and output."""
import base64
import itertools
import json
import os
import re
import resource
import struct

import harness
from harness import expect, keep, run
from streams import SLOT_LEN, Memory, Stream, event_chunk, format_chunk, slot

import page_tests

CPU_SECONDS = 10
WAIT_SECONDS = 200  # on a busy machine
MEMORY = 256 << 20  # address space
FILE = 512 << 20  # of output
PICTURES = ("--schedgraph", "--perfetto")
# Operation and length of the text in a page's data; the operation END follows.
NOTE = re.compile(rb"\x0e[\x80-\xff]?[\0-\x7f](\d+ (?:events|states|starts)[^\0]*)\0")

# With one of each pair after the other, the 64-bit FNV-1a of "3 " and the text is the same in the bits that tables of
# names once looked at.
PAIRS = [(b"rbzt2wlazemt", b"uxasbdec5e4q"), (b"azy0ykmjxurh", b"anst4ik1ilnt"), (b"2gcfaw3uruzn", b"npictfxcypng")] + \
    [(b"hr53qdpyi0uh", b"zlu0acdja3xw"), (b"tdbcr3y0x4ak", b"ppy4vz4g2oa5"), (b"5snqvwds4jl0", b"uxgsnuxwnn1m")] * 4


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))


def read(path, what, *options):
    """What is said of a file, and the file that was written."""
    out = os.path.join(harness.folder, "out")
    process = run(*options, out, *what, path, preexec_fn=limit, seconds=WAIT_SECONDS)
    expect((process.returncode, process.stdout), (0, b""), "%s: status and output (%s)" % (options, process.stderr[:300]))
    return process.stderr.decode(), out


def text(data, what="-i"):
    return read(keep(data, "hostile"), [what], "-q", "-f", "-o")


def pictures(data):
    """Both of them: (view, what is said, file)."""
    path = keep(data, "hostile")
    for view in PICTURES:
        yield (view, *read(path, ["-i"], view))


STATE = b'KTRGRAPH group:"thread", id:"%s", state:"s", attributes: none'
NAMES = b'KTRGRAPH group:"thread", id:"x", state:"%s", attributes: none'
LONG = b'KTRGRAPH group:"thread", id:"%d", state:"s", attributes: ' + b"x" * 3000
START = b'KTRGRAPH group:"disk", id:"%d", start:0x%x, attributes: ' + b"x" * 3000


def events(fmt, parms):
    """One after the other, with one format. parms: words, or bytes for a string."""
    data = [bytes(Stream().data), format_chunk(1, fmt)]
    for time, one in enumerate(parms):
        words = [1 if isinstance(value, bytes) else value for value in one]
        data.append(event_chunk(1, time, words, strings={i: value for i, value in enumerate(one) if isinstance(value, bytes)}))
    return b"".join(data)


def colliding_names():
    """Names of lanes that are in one place of a table that anybody can compute."""
    names = [b"".join(parts) for parts in itertools.product(*PAIRS)]
    assert len(names) == 1 << 15
    for view, said, out in pictures(events(STATE, [(name,) for name in names * 8])):
        expect(said, "", view)
        expect(os.path.getsize(out) > len(names) * 100, True, view)


def too_much(out, view):
    """What a picture says of what it leaves out."""
    with open(out, "rb") as f:
        data = f.read()
    if view == "--perfetto":
        return json.loads(data)["otherData"].get("note", "")
    last = base64.b64decode(page_tests.DATA.findall(data)[-1])
    found = NOTE.search(last)
    return found.group(1).decode() if found else ""


def expect_note(data, *parts):
    """Both pictures, and what is said about them, tell that much."""
    for view, said, out in pictures(data):
        expect(said.startswith("ktrdump: the picture is not complete: ") and said.count("\n") == 1, True, "%s: %r" % (view, said))
        for part in parts:
            expect((part in said, part in too_much(out, view)), (True, True), "%s: %r in %r and %r" % (view, part, said, too_much(out, view)))


def many_lanes():
    """One is CPU 0's. Those that were there before are still found."""
    numbers = [(b"t%d" % n,) for n in range(70000)] + [(b"t0",)] * 5
    expect_note(events(STATE, numbers), '4465 events of lanes beyond 65536 are on lanes "others"')


def many_groups():
    groups = [(b"g%d" % n,) for n in range(3000)] + [(b"g0",)] * 5
    expect_note(events(b'KTRGRAPH group:"%s", id:"x", state:"s", attributes: none', groups),
                '2003 events of groups beyond 1000 are in the group "others"')


def long_attributes():
    """Every lane is in a state about which much is said."""
    expect_note(events(LONG, [(n,) for n in range(60000)]), "states are without their attributes: they are too long")


def starts():
    """Nothing stops."""
    expect_note(events(START, [(n % 1500, n) for n in range(300000)]), "starts are left out: too much has no stop")


def starts_of_one():
    """Looking for what stops must not look at all of it."""
    data = events(b'KTRGRAPH group:"disk", id:"d", start:0x%x, attributes: none', [(n,) for n in range(1000)])
    expect_note(data, "744 starts are left out: too much has no stop")


def many_names():
    """Each state has another name: pages count them."""
    data = events(NAMES, [(b"state %d" % n,) for n in range(200000)])
    for view, said, out in pictures(data):
        note = '134464 states and points with names beyond 65536 are called "others"'
        expected = note if view == "--schedgraph" else ""
        expect((said, too_much(out, view)), ("ktrdump: the picture is not complete: %s\n" % note if expected else "", expected), view)


def long_format():
    """A format that is shown for each of many events."""
    for one in b"x", b"\1", b"%d":
        data = bytes(Stream().data) + format_chunk(1, one * (65000 // len(one)), file=one * (60000 // len(one)))
        data += event_chunk(1, 1, (7,) * 6) * 20000
        _, out = text(data)
        if os.path.getsize(out) > 100 * len(data):
            raise AssertionError("%r: %d bytes of text for %d" % (one, os.path.getsize(out), len(data)))


# Memory -------------------------------------------------------------------------------------------------------------

def long_ring():
    """A ring of many extents, each of which is looked at for each slot: nearly all of them are empty."""
    m = Memory(size=48 << 20)
    slots, extents = 1 << 17, 1 << 16
    ring = m.take(slot(slots - 1, 5, 0, 1, [5]))
    table = struct.pack("<QQ", 0, 0) * (extents - 1) + struct.pack("<QQ", 1 << 60, slots * SLOT_LEN)
    m.recorder([[slot(0, 1, 0, 1, [1])]], [(b"number %d", b"a.c", 1, 1)], slots=slots, entries=slots, ring_extents=extents,
               rings=(m.take(table), len(table)))
    expect(ring > 0, True, "a ring")
    said, out = read(keep(m.core(), "hostile"), ["-M"], "-q", "-o")
    expect(os.path.getsize(out), 0, "events")
    expect("%d slots of CPU 0's ring are not in it" % slots in said, True, said)


def shared_strings():
    """Many formats whose texts are the same long one."""
    m = Memory(size=8 << 20)
    m.recorder([[slot(0, 1, 0, 1, [1])]], [(b"x" * 60000, b"y" * 60000, 1, 1)])
    pool = b"".join(struct.pack("<IIII", n, 1, 60002, 1) for n in range(100000))
    at = m.take(pool)
    m.recorder([[slot(0, 9, 0, 1, [1])]], [(b"x" * 60000, b"y" * 60000, 1, 1)], formats=(at, len(pool)), formats_used=100000)
    _, out = read(keep(m.core(), "hostile"), ["-M"], "-q", "-o")
    expect(os.path.getsize(out) > 100, True, "events")


def tests(_tree, _here):
    for test in (colliding_names, many_lanes, many_groups, long_attributes, starts, starts_of_one, many_names, long_format, long_ring,
                 shared_strings):
        yield "hostile/" + test.__name__.replace("_", "-"), test
