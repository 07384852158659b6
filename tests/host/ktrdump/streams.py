# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Streams of ktr's events and memory images, made byte by byte: include/ktr_format.h."""
import struct

MAGIC = b"KTRstrm\n"
RING, ALQ, CORE = 1, 2, 3
FORMAT, EVENT, LOST = 1, 2, 3
CUT = 0x80000000
WALL = 1700000000 * 10**9


def pad(data, to=8):
    return data + bytes(-len(data) % to)


def header(entries=1024, cpus=2, mask=0x20001200, source=ALQ, version=1, length=104, magic=MAGIC):
    return pad(struct.pack("<8sIIIIIIq64s", magic, version, length, cpus, entries, mask, source, WALL, b"6.1.0-test"))


def chunk(kind, payload, length=None):
    payload = pad(payload)
    return struct.pack("<IHH", 8 + len(payload) if length is None else length, kind, 0) + payload


def format_chunk(number, desc, file=b"kern_synch.c", line=7, file_len=None, desc_len=None):
    return chunk(FORMAT, struct.pack("<IIHHI", number, line, len(file) if file_len is None else file_len,
                                     len(desc) if desc_len is None else desc_len, 0) + file + desc)


def event_chunk(number, time, parms=(), cpu=0, thread=0xffff888012345678, pid=10, strings=(), cut=False):
    """strings: {parameter: bytes}, or a bit mask and bytes."""
    mask, text = 0, b""
    if isinstance(strings, dict):
        for parm in sorted(strings):
            mask |= 1 << parm
            text += strings[parm] + b"\0"
    elif strings:
        mask, text = strings
    words = [value & 2**64 - 1 for value in parms] + [0] * (6 - len(parms))
    return chunk(EVENT, struct.pack("<IiQQ6QIi", number, cpu, time, thread, *words, mask | (CUT if cut else 0), pid) + text)


def lost_chunk(count, cpu=-1):
    return chunk(LOST, struct.pack("<iIQ", cpu, 0, count))


class Stream:
    """Events with their formats, as a kernel would write them."""

    def __init__(self, **options):
        self.data = bytearray(header(**options))
        self.formats = {}

    def add(self, time, desc, *parms, file=b"kern_synch.c", line=7, **more):
        """parms: numbers, or bytes for %s."""
        key = (desc, file, line)
        if key not in self.formats:
            self.formats[key] = len(self.formats) + 1
            self.data += format_chunk(self.formats[key], desc, file, line)
        strings = {i: value for i, value in enumerate(parms) if isinstance(value, bytes)}
        words = [0xffffffff81000000 + i if isinstance(value, bytes) else value for i, value in enumerate(parms)]
        self.data += event_chunk(self.formats[key], time, words, strings=strings, **more)
        return self


# Memory -------------------------------------------------------------------------------------------------------------

ANCHOR_MAGIC = (0x72746b2d726f6863, 0x6e612d72746b2d58)
SLOT_LEN = 192
PAGE = 4096


def slot(number, time, cpu, fmt, parms=(), strings={}, pid=10, sequence=None, thread=0xffff888012345678):
    mask, text = 0, b""
    for parm in sorted(strings):
        mask |= 1 << parm
        text += strings[parm] + b"\0"
    words = [value & 2**64 - 1 for value in parms] + [0] * (6 - len(parms))
    return struct.pack("<QQiiQQQ6QIIiI80s", 2 * number + 2 if sequence is None else sequence, time, cpu, 7, 0, 0, thread,
                       *words, fmt, mask, pid, 0, text)


class Memory:
    """Physical memory with a recorder in it."""

    def __init__(self, base=0x100000, size=1 << 20):
        self.base = base
        self.data = bytearray(size)
        self.next = base + PAGE

    def put(self, phys, data):
        self.data[phys - self.base:phys - self.base + len(data)] = data

    def take(self, data, align=PAGE):
        phys = self.next + -self.next % align
        self.put(phys, data)
        self.next = phys + len(data)
        return phys

    def recorder(self, ring_lists, pool_formats, entries=None, ring_slots=None, **values):
        """ring_lists: lists of slots by number, cut into pages that are not side by side. Returns where the anchor is."""
        slots = ring_slots or 1 << max(0, max(len(ring) for ring in ring_lists) - 1).bit_length()
        extents, count = b"", 0
        for ring in ring_lists:
            content = bytearray(slots * SLOT_LEN)
            for one in ring:
                sequence, = struct.unpack_from("<Q", one)
                at = ((sequence + 1) // 2 - 1) % slots * SLOT_LEN
                content[at:at + SLOT_LEN] = one
            pages = [content[i:i + PAGE] for i in range(0, len(content), PAGE)]
            count = len(pages)
            for page in pages:
                extents += struct.pack("<QQ", self.take(page), len(page))
                self.next += PAGE
        strings, pool = b"\0", b""
        for desc, file, line, ready in pool_formats:
            pool += struct.pack("<IIII", line, len(strings), len(strings) + len(file) + 1, ready)
            strings += file + b"\0" + desc + b"\0"
        fields = dict(magic0=ANCHOR_MAGIC[0], magic1=ANCHOR_MAGIC[1], version=1, len=184, generation=2, cpus=len(ring_lists),
                      entries=entries or slots, slots=slots, slot_len=SLOT_LEN, mask=0x20001200, ring_extents=count,
                      rings=(self.take(extents), len(extents)), formats=(self.take(pool), len(pool)),
                      formats_used=len(pool_formats), strings=(self.take(strings), len(strings)), strings_used=len(strings))
        fields.update(values)
        f = fields
        anchor = struct.pack("<QQIIIIIIIIq64sQQIIQQIIQQ", f["magic0"], f["magic1"], f["version"], f["len"], f["generation"],
                             f["cpus"], f["entries"], f["slots"], f["slot_len"], f["mask"], WALL, b"6.1.0-test",
                             *f["rings"], f["ring_extents"], 0, *f["formats"], f["formats_used"], f["strings_used"],
                             *f["strings"])
        return self.take(anchor, 64)

    def core(self, parts=None, cut=0, **ehdr):
        """An ELF core; parts: (begin, end) of what is in it, and, if not there, where the zeros behind it end."""
        parts = parts or [(self.base, self.base + len(self.data))]
        fields = dict(ident=b"\x7fELF\2\1\1" + bytes(9), type=4, phentsize=56, phnum=len(parts), phoff=64, shoff=0)
        fields.update(ehdr)
        f = fields
        offset = 64 + 56 * len(parts)
        head = struct.pack("<16sHHIQQQIHHHHHH", f["ident"], f["type"], 62, 1, 0, f["phoff"], f["shoff"], 0, 64,
                           f["phentsize"], f["phnum"], 64, 0, 0)
        body = b""
        for begin, end, *memory_end in parts:
            head += struct.pack("<IIQQQQQQ", 1, 4, offset + len(body), 0, begin, end - begin, (memory_end or [end])[0] - begin, 0)
            body += self.data[begin - self.base:end - self.base]
        data = head + body
        return data[:len(data) - cut]
