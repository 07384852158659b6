# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Memory of a machine, and what ktrdump finds in it."""
import os
import struct

import harness
from harness import core, expect, keep, refused, run
from streams import PAGE, SLOT_LEN, Memory, Stream, slot

FORMATS = [(b"number %d", b"a.c", 3, 1), (b"string %s", b"b.c", 4, 1), (b"not ready", b"c.c", 5, 0)]


def rings():
    """CPU 0 has gone round a ring of 8: it has 5 to 12. CPU 1 has one event."""
    return [[slot(n, 1000 + n * 10, 0, 1, [n]) for n in range(5, 13)], [slot(0, 1071, 1, 2, [0], {0: b"here"})]]


NEWEST_FIRST = b"".join(line + b"\n" for line in (
    b"     8   0             1120 number 12", b"     7   0             1110 number 11", b"     6   0             1100 number 10",
    b"     5   0             1090 number 9", b"     4   0             1080 number 8", b"     3   1             1071 string here",
    b"     2   0             1070 number 7", b"     1   0             1060 number 6", b"     0   0             1050 number 5"))


def lines(count):
    """The newest ones, counted anew."""
    kept = NEWEST_FIRST.splitlines()[:count]
    return b"".join(b"%6d%s\n" % (count - 1 - i, line[6:]) for i, line in enumerate(kept))


def known():
    """Of 9 events the newest 8: as many as one ring has."""
    m = Memory()
    m.recorder(rings(), FORMATS)
    expect(core(m.core(), "-ctq"), lines(8), "-M")
    for letter in "-m", "-M":
        expect(run("-ctq", letter, keep(m.core(), "core")).stdout, lines(8), letter)
    expect(core(m.core(), "-fq").splitlines()[5], b"     2 b.c:4                                    string here", "-f")


def entries():
    """debug.ktr.entries may be less than the slots of a ring, which are a power of two."""
    m = Memory()
    m.recorder(rings(), FORMATS, entries=5)
    expect(core(m.core(), "-ctq"), lines(5), "entries")


def many_pages():
    """A ring whose pages are apart, and slots that cross them."""
    m = Memory(size=1 << 21)
    count = 1000
    m.recorder([[slot(n, n, 0, 1, [n]) for n in range(count)]], FORMATS, ring_slots=1024)
    expect(core(m.core(), "-q"), b"".join(b"%6d number %d\n" % (n, n) for n in reversed(range(count))), "events")


def torn():
    """What was being written at the end is lost; what is no event of this ring is none."""
    all_rings = rings()
    all_rings[0][3] = slot(8, 1080, 0, 1, [8], sequence=2 * 8 + 1)
    all_rings[0][4] = slot(9, 1090, 1, 1, [9])  # another CPU
    m = Memory()
    m.recorder(all_rings, FORMATS)
    at = bytes(m.data).index(slot(5, 1050, 0, 1, [5]))
    m.data[at:at + 8] = (2 * 14 + 2).to_bytes(8, "little")  # the number of another slot's event
    process = run("-ctq", "-M", keep(m.core(), "core"))
    kept = [line[6:] for line in NEWEST_FIRST.splitlines() if not line.endswith((b"number 8", b"number 9", b"number 5"))]
    expect(process.stdout, b"".join(b"%6d%s\n" % (5 - i, line) for i, line in enumerate(kept)), "events")
    expect((process.returncode, process.stderr), (0, b"ktrdump: events were lost: 1\n"), "losses")


def formats():
    """One that is not ready, one beyond the pool, and strings beyond their memory."""
    m = Memory()
    m.recorder([[slot(0, 1, 0, 3, [1]), slot(1, 2, 0, 4, [1]), slot(2, 3, 0, 0), slot(3, 4, 0, 1, [6])]], FORMATS)
    expect(core(m.core(), "-q"), b"     3 number 6\n     2 (no room was left for its format) 0x0 0x0 0x0 0x0 0x0 0x0\n"
           b"     1 (format 4 is not in the stream) 0x1 0x0 0x0 0x0 0x0 0x0\n"
           b"     0 (format 3 is not in the stream) 0x1 0x0 0x0 0x0 0x0 0x0\n", "events")
    m = Memory()
    m.recorder([[slot(0, 1, 0, 1, [6])]], FORMATS, strings_used=4)
    expect(core(m.core(), "-fq"), b"     0 a.c:3                                    \n", "a description that is not there")


def parts():
    """Memory in several parts, in any order, some of it twice."""
    m = Memory(base=1 << 32)
    m.recorder(rings(), FORMATS)
    middle = m.base + 9 * PAGE + 100
    end = m.base + len(m.data)
    for pieces in ([(m.base, middle), (middle, end)], [(middle, end), (m.base, middle)],
                   [(m.base, end), (m.base, middle), (middle - 50, end)]):
        expect(core(m.core(pieces), "-ctq"), lines(8), pieces)


def zeros():
    """makedumpfile leaves out pages that are all zero, and says so by a length in memory that is larger."""
    m = Memory()
    slots = [slot(n, 1000 + n, 0, 1, [n]) for n in (0, 1, 2, 60, 61, 62)]
    m.recorder([slots], FORMATS, ring_slots=64)
    pages = [m.base + i for i in range(0, len(m.data), PAGE)]
    kept = [page for page in pages if any(m.data[page - m.base:page - m.base + PAGE])]
    assert 4 < len(kept) < len(pages) - 100
    parts = [(page, page + PAGE, following) for page, following in zip(kept, kept[1:] + [m.base + len(m.data)])]
    expect(core(m.core(parts), "-q"), b"".join(b"%6d number %d\n" % pair for pair in zip(range(5, -1, -1), (62, 61, 60, 2, 1, 0))), "events")


def several():
    """The one that recorded last: others are left over, or copies of the anchor."""
    m = Memory(size=1 << 20)
    m.recorder([[slot(0, 500, 0, 1, [111])]], FORMATS)
    m.recorder(rings(), FORMATS)
    m.recorder([[slot(0, 600, 0, 1, [222])]], FORMATS)
    m.recorder([[]], FORMATS, ring_slots=8)
    expect(core(m.core(), "-ctq"), lines(8), "events")


def not_an_anchor():
    """What has the magic, and cannot be."""
    for name, values in (("version", dict(version=2)), ("len", dict(len=100)), ("changing", dict(generation=3)),
                         ("no CPUs", dict(cpus=0)), ("CPUs", dict(cpus=100000)), ("no slots", dict(slots=0)),
                         ("slots", dict(slots=12)), ("slot", dict(slot_len=100)), ("long slot", dict(slot_len=1 << 20)),
                         ("odd slot", dict(slot_len=193)), ("extents", dict(ring_extents=0)), ("many extents", dict(ring_extents=2**32 - 1)),
                         ("rings", dict(rings=(0x100000, 8))), ("formats", dict(formats=(0, 16), formats_used=1000)),
                         ("strings", dict(strings=(0, 10), strings_used=11)), ("magic", dict(magic1=0))):
        m = Memory()
        m.recorder(rings(), FORMATS, **values)
        path = keep(m.core(), "core")
        process = run("-M", path)
        expect((name, process.returncode, process.stdout), (name, 1, b""), "status")
        expect(process.stderr.decode(), "ktrdump: %s: ktr is not in this memory: ktr.ko was not loaded, or kernel memory was "
               "left out of the core\n" % path, name)


def missing():
    """Memory that the core leaves out."""
    m = Memory()
    m.recorder(rings(), FORMATS)
    end = m.base + len(m.data)
    second = m.base + 2 * PAGE  # the pages are two apart: after CPU 0's ring comes a hole, then CPU 1's
    path = keep(m.core([(second, end)]), "core")
    process = run("-ctq", "-M", path)
    expect(process.stdout, b"     0   1             1071 string here\n", "events")
    expect(process.stderr.decode(), "ktrdump: %s: 8 slots of CPU 0's ring are not in it\n" % path, "message")
    data = m.core(cut=1)
    expect(core(data, "-ctq"), lines(8), "cut behind everything")
    for cut in range(1, len(data), 997):
        process = run("-M", keep(data[:-cut], "core"))
        if process.returncode not in (0, 1):
            raise AssertionError("cut by %d: status %d" % (cut, process.returncode))
    refused(path + ": it is cut short: its program headers are missing", "-M", keep(data[:100], "core"))


def headers():
    m = Memory()
    m.recorder(rings(), FORMATS)
    path = os.path.join(harness.folder, "core")

    def refuse(what, data):
        keep(data, "core")
        refused("%s: %s" % (path, what), "-M", path)

    refuse("this is a compressed kdump file: save it with makedumpfile -E, as ELF", b"KDUMP   " + bytes(100))
    refuse("this is flattened by makedumpfile -F: let makedumpfile -R put it in order first", b"makedumpfile\0" + bytes(100))
    refuse("this is compressed: use unxz first", b"\xfd7zXZ\0" + bytes(100))
    refuse("this is a file of ktr's events: give it to -i", Stream().data)
    refuse("not an ELF core", b"")
    refuse("not an ELF core", b"nothing of that")
    other = "of a machine that is not 64-bit little-endian: ktr does not run there"
    refuse(other, m.core(ident=b"\x7fELF\1\1\1" + bytes(9)))
    refuse(other, m.core(ident=b"\x7fELF\2\2\1" + bytes(9)))
    refuse("an ELF file, but no core; a vmlinux is for -N", m.core(type=2))
    refuse("its ELF header is damaged", m.core(phentsize=55))
    refuse("there is no memory in it", m.core(phnum=0))
    refuse("it is cut short: its program headers are missing", m.core(phoff=2**63))
    refuse("its ELF header is damaged", m.core(phnum=0xffff, shoff=2**62))
    refused("/nonexistent/core: No such file or directory", "-M", "/nonexistent/core")


def many_headers():
    """More parts than e_phnum has room for: their number is in a section header."""
    m = Memory()
    m.recorder(rings(), FORMATS)
    data = bytearray(m.core(phnum=0xffff, shoff=0))
    struct.pack_into("<Q", data, 40, len(data))
    data += struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, 1, 0, 0)
    expect(core(data, "-ctq"), lines(8), "events")


def hostile():
    """Sizes that would take for ever, or all memory."""
    for values in (dict(slots=1 << 26), dict(cpus=8192, ring_extents=60000), dict(strings=(0x100000, 2**63), strings_used=2**32 - 1),
                   dict(entries=2**32 - 1), dict(formats=(0x100000, 2**63), formats_used=2**32 - 1)):
        m = Memory()
        for _ in range(30):
            m.recorder(rings(), FORMATS, **values)
        process = run("-M", keep(m.core(), "core"), preexec_fn=harness.limit_memory)
        if process.returncode not in (0, 1):
            raise AssertionError("%s: status %d" % (values, process.returncode))


def slot_longer():
    """A newer recorder's slots may have more in them."""
    m = Memory()
    m.recorder([[slot(0, 1, 0, 1, [5])]], FORMATS, ring_slots=1)
    first = bytes(m.data).index(slot(0, 1, 0, 1, [5]))
    at = bytes(m.data).index(struct.pack("<QQ", 0x72746b2d726f6863, 0x6e612d72746b2d58))
    struct.pack_into("<I", m.data, at + 40, SLOT_LEN + 64)
    extent, = struct.unpack_from("<Q", m.data, at + 16 + 32 + 8 + 64)
    struct.pack_into("<QQ", m.data, extent - m.base, m.base + first, PAGE)
    expect(core(m.core(), "-q"), b"     0 number 5\n", "events")


def tests(_tree, _here):
    for test in (known, entries, many_pages, torn, formats, parts, zeros, several, not_an_anchor, missing, headers, many_headers,
                 hostile, slot_longer):
        yield "core/" + test.__name__.replace("_", "-"), test
