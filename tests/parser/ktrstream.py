# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Reads ktr's stream (include/ktr_format.h), strictly, and without any of the project's code."""
import re
import struct

HEADER = struct.Struct("<8sIIIIIIq64s")
CHUNK = struct.Struct("<IHH")
FORMAT = struct.Struct("<IIHHI")
EVENT = struct.Struct("<IiQQ6QIi")
LOST = struct.Struct("<iIQ")
CUT = 0x80000000

CONVERSION = re.compile(r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?(hh|h|ll|l|j|q|t|z)?([a-zA-Z%])")
BITS = {"hh": 8, "h": 16, None: 32}


class Problem(Exception):
    pass


class Event:
    def __init__(self, file, line, desc, fields):
        self.file, self.line, self.desc = file, line, desc
        self.format, self.cpu, self.timestamp, self.thread = fields[:4]
        self.parms = fields[4:10]
        self.pid = fields[11]
        self.cut = bool(fields[10] & CUT)
        self.strings = {}

    @property
    def text(self):
        """The message, as far as the tests' formats need it."""
        parms = list(enumerate(self.parms))

        def convert(match):
            flags, width, precision, length, kind = match.groups()
            if kind == "%":
                return "%"
            if width == "*":
                width = str(parms.pop(0)[1])
            if precision == "*":
                precision = str(parms.pop(0)[1])
            nr, value = parms.pop(0)
            how = "%" + flags + (width or "") + ("." + precision if precision else "")
            if kind == "s":
                return (how + "s") % self.strings.get(nr, "?")
            if kind == "p":
                return "0x%x" % value
            bits = BITS.get(length, 64)
            value &= (1 << bits) - 1
            if kind in "di" and value >> bits - 1:
                value -= 1 << bits
            return (how + ("d" if kind == "u" else kind)) % value
        return CONVERSION.sub(convert, self.desc)


class Stream:
    def __init__(self, data, whole=True):
        """whole: it is not cut short."""
        if len(data) < HEADER.size:
            raise Problem("no header")
        magic, version, self.header_len, self.cpus, self.entries, self.mask, self.source, self.wall, release = \
            HEADER.unpack_from(data)
        if magic != b"KTRstrm\n" or version != 1 or self.header_len != HEADER.size:
            raise Problem("bad header")
        self.release = release.partition(b"\0")[0].decode()
        self.events, self.lost, self.formats = [], {}, {}
        at = self.header_len
        while at < len(data):
            at += self.chunk(data, at, whole) or len(data)

    @property
    def texts(self):
        return [e.text for e in self.events]

    def chunk(self, data, at, whole):
        if len(data) - at < CHUNK.size:
            if whole:
                raise Problem("cut short at %d" % at)
            return 0
        size, kind, flags = CHUNK.unpack_from(data, at)
        if size % 8 or size < 16 or flags:
            raise Problem("bad chunk at %d: length %d, flags %x" % (at, size, flags))
        if at + size > len(data):
            if whole:
                raise Problem("cut short at %d" % at)
            return 0
        body = data[at + CHUNK.size:at + size]
        {1: self.format, 2: self.event, 3: self.count}[kind](body)
        return size

    def format(self, body):
        nr, line, file_len, desc_len, pad = FORMAT.unpack_from(body)
        rest = body[FORMAT.size:]
        if not nr or nr in self.formats or pad or file_len + desc_len > len(rest) or len(rest) - file_len - desc_len > 7 \
                or rest[file_len + desc_len:].strip(b"\0"):
            raise Problem("bad format %d" % nr)
        self.formats[nr] = (rest[:file_len].decode(), line, rest[file_len:file_len + desc_len].decode())

    def event(self, body):
        fields = EVENT.unpack_from(body)
        if fields[0] and fields[0] not in self.formats:
            raise Problem("event before its format %d" % fields[0])
        event = Event(*self.formats.get(fields[0], ("", 0, "")), fields)
        if not 0 <= event.cpu < self.cpus:
            raise Problem("cpu %d" % event.cpu)
        rest = body[EVENT.size:]
        for nr in range(6):
            if fields[10] >> nr & 1:
                text, nul, rest = rest.partition(b"\0")
                if not nul:
                    raise Problem("a string does not end")
                event.strings[nr] = text.decode("utf-8", "backslashreplace")
        if len(rest) > 7 or rest.strip(b"\0"):
            raise Problem("bytes after the strings: %r" % rest)
        self.events.append(event)

    def count(self, body):
        cpu, pad, count = LOST.unpack_from(body)
        if pad or not count:
            raise Problem("bad count of lost events")
        self.lost[cpu] = self.lost.get(cpu, 0) + count


def read(path="/dev/ktr", whole=True):
    with open(path, "rb") as f:
        return Stream(f.read(), whole)
