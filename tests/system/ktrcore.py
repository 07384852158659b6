# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Reads ktr's rings out of an ELF file of a machine's memory (include/ktr_format.h), without any of the project's code."""
import mmap
import struct

MAGIC = struct.pack("<QQ", 0x72746b2d726f6863, 0x6e612d72746b2d58)
ANCHOR = struct.Struct("<16s8Iq64sQQIIQQIIQQ")
EXTENT = struct.Struct("<QQ")
FORMAT = struct.Struct("<IIII")
SLOT = struct.Struct("<QQiiQQQ6QIIiI80s")


class Memory:
    """Physical memory."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
        offset, = struct.unpack_from("<Q", self.data, 32)
        size, count = struct.unpack_from("<HH", self.data, 54)
        self.parts = []
        for i in range(count):
            kind, _, at, _, phys, length = struct.unpack_from("<IIQQQQ", self.data, offset + i * size)
            if kind == 1:
                self.parts.append((phys, at, length))

    def read(self, phys, length):
        for start, at, size in self.parts:
            if start <= phys and phys + length <= start + size:
                return self.data[at + phys - start:at + phys - start + length]
        raise ValueError("no memory at %#x" % phys)

    def find(self, text, step):
        """Physical addresses, multiples of step, at which there is a text."""
        for start, at, size in self.parts:
            found = self.data.find(text, at, at + size)
            while found >= 0:
                if (found - at + start) % step == 0:
                    yield found - at + start
                found = self.data.find(text, found + 1, at + size)


def text(data, at):
    return data[at:data.index(b"\0", at)].decode()


class Core:
    """anchors: how many there are. events: of all CPUs, by time, as (cpu, format's text, first parameter)."""

    def __init__(self, path):
        memory = Memory(path)
        found = []
        for phys in memory.find(MAGIC, 64):
            anchor = ANCHOR.unpack(memory.read(phys, ANCHOR.size))
            if anchor[1:3] == (1, ANCHOR.size) and anchor[3] % 2 == 0 and anchor[7] == SLOT.size:
                found.append(anchor)
        self.anchors = len(found)
        self.events = []
        if found:
            self.read(memory, found[0])

    def read(self, memory, anchor):
        cpus, slots, slot_len = anchor[4], anchor[6], anchor[7]
        rings, rings_len, each, _ = anchor[11:15]
        extents = list(EXTENT.iter_unpack(memory.read(rings, rings_len)))
        formats, strings = memory.read(*anchor[15:17]), memory.read(*anchor[19:21])
        events = []
        for cpu in range(cpus):
            ring = b"".join(memory.read(*e) for e in extents[cpu * each:(cpu + 1) * each])
            for slot in SLOT.iter_unpack(ring[:slots * slot_len]):
                sequence, nr = slot[0], slot[13]
                if sequence and sequence % 2 == 0:
                    desc = text(strings, FORMAT.unpack_from(formats, (nr - 1) * FORMAT.size)[2])
                    events.append((slot[1], slot[2], desc, slot[7]))
        self.events = [e[1:] for e in sorted(events)]
