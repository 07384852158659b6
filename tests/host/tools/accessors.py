#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""accessors.py PROGRAM FOLDER: what accessors_test.c has to say of records in every layout; prints what it says else.

Every field has a value of its own, so that no two can be mistaken for each other.
"""
import os
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "kdump"))
from craft import (ARGS, CAPFAIL, CSW, ENVS, FAULT, FAULTEND, LINUX64, NAMEI, STRUCT, STRUCT_ARRAY,  # noqa: E402
                   SYSCTL, array, capfail, capfail_new, i386, i386_v1, v0, v1)

TIMES = (3, 4, -5, 6, 7, 8, -1, 0)
STAT = struct.pack("<QQQHHIIIQ8qqqIIQ80x", 101, 102, 103, 0o100644, 0, 105, 106, 0, 107, *TIMES,
                   108, 109, 110, 111, 112)
# Each time is a 32-bit word of its own for seconds, with the upper one in front.
STAT_I386 = struct.pack("<QQQHHIIIQ12iqqIIQ80x", 101, 102, 103, 0o100644, 0, 105, 106, 0, 107,
                        0, 3, 4, -1, -5, 6, 0, 7, 8, -1, -1, 0, 108, 109, 110, 111, 112)
OLD = (101, 102, 0o100644, 103, 105, 106, 107)
STAT_OLD = struct.pack("<IIHHIII6qqqIIIiqq", *OLD, *TIMES[:6], 108, 109, 110, 111, 112, 0, *TIMES[6:])
STAT_OLD_I386 = struct.pack("<IIHHIII6iqqIIIiii8x", *OLD, *TIMES[:6], 108, 109, 110, 111, 112, 0, *TIMES[6:])
assert [len(data) for data in (STAT, STAT_I386, STAT_OLD, STAT_OLD_I386)] == [224, 208, 120, 96]
STAT_TEXT = ("dev 101 ino 102 nlink 103 mode 100644 uid 105 gid 106 rdev 107 atim 3.4 mtim -5.6 ctim 7.8 birthtim -1.0 "
             "size 108 blocks 109 blksize 110 flags 111 gen 112")


def stru(name, data):
    return name + b"\0" + data


STRUCTS = [
    (STRUCT, stru(b"stat", STAT), "stat 224 " + STAT_TEXT),
    (STRUCT, stru(b"stat", STAT_I386), "stat 208 " + STAT_TEXT),
    (STRUCT, stru(b"stat", STAT_OLD), "stat 120 " + STAT_TEXT),
    (STRUCT, stru(b"stat", STAT_OLD_I386), "stat 96 " + STAT_TEXT),
    (STRUCT, stru(b"stat", STAT[:-1]), "stat 223 invalid"),
    (STRUCT, stru(b"stat", bytes(120)), "stat 120 invalid"),
    (STRUCT, stru(b"stat", b""), "stat 0 invalid"),
    (STRUCT, stru(b"itimerval", struct.pack("<4q", 1, -2, 3, 4)), "itimerval 32 1 -2 3 4"),
    (STRUCT, stru(b"itimerval", struct.pack("<4i", 1, -2, 3, 4)), "itimerval 16 1 -2 3 4"),
    (STRUCT, stru(b"itimerval", bytes(31)), "itimerval 31 invalid"),
    (STRUCT, stru(b"timespec", struct.pack("<2q", -1, 999999999)), "timespec 16 time -1.999999999"),
    (STRUCT, stru(b"timespec", bytes(8)), "timespec 8 invalid"),
    (STRUCT, b"no end", "no name"),
    (STRUCT, b"", "no name"),
]
STRINGS = [(b"ls\0-l\0", "<ls> <-l>"), (b"ls\0-l", "<ls> <-l>"), (b"a\0\0b\0\0", "<a> <> <b> <>"), (b"\0", "<>"),
           (b"", "")]
OTHERS = [(CSW, struct.pack("<ii8s", 1, 2, b"12345678"), "out 1 user 2 wmesg 1 <12345678>"),
          (CSW, struct.pack("<ii", 1, 2), "out 1 user 2 wmesg 0 <>"),
          (FAULTEND, struct.pack("<i", 6), "result 6"),
          (NAMEI, b"/path", "</path>"), (SYSCTL, b"kernel.x\0", "<kernel.x>"), (SYSCTL, b"a\0b", "<a>"),
          (SYSCTL, b"", "<>"),
          *((kind, data, text) for kind in (ARGS, ENVS) for data, text in STRINGS)]
WORDS = (1 | 1 << 57, 1 << 58, 2 | 1 << 57, 1 << 58)
CAP_TEXT = "needed 200000000000001 400000000000000 held 200000000000002 400000000000000"

LP64 = STRUCTS + OTHERS + [
    (FAULT, struct.pack("<QiI", 2**64 - 4096, 4, 9), "vaddr fffffffffffff000 type 4"),
    (STRUCT_ARRAY, array(8, b"pollfd", bytes(23)), "pollfd 23 size 8 elements 2"),
    (STRUCT_ARRAY, array(0, b"pollfd", bytes(23)), "pollfd 23 size 0 elements 0"),
    (STRUCT_ARRAY, array(2**64 - 1, b"l_iovec", bytes(16)), "l_iovec 16 size 18446744073709551615 elements 0"),
    (STRUCT_ARRAY, bytes(7), "no name"),
    (CAPFAIL, capfail(2, 1, 2), "type 2 code 0 svflags 0 %s size 0" % CAP_TEXT),
    (CAPFAIL, capfail_new(0, 92, LINUX64, struct.pack("<4Q", *WORDS)),
     "type 0 code 92 svflags 203 %s size 1024" % CAP_TEXT)]
ILP32 = STRUCTS + OTHERS + [
    (FAULT, struct.pack("<Ii", 0xfffff000, 2), "vaddr fffff000 type 2"),
    (STRUCT_ARRAY, struct.pack("<I", 20) + stru(b"kevent", bytes(41)), "kevent 41 size 20 elements 2"),
    (STRUCT_ARRAY, bytes(3), "no name"),
    (CAPFAIL, struct.pack("<i4Q", 1, *WORDS), "type 1 code 0 svflags 0 %s size 0" % CAP_TEXT),
    (CAPFAIL, struct.pack("<ihHI", 0, 92, 0, 0x4109) + struct.pack("<4Q", *WORDS).ljust(1024, b"\0"),
     "type 0 code 92 svflags 4109 %s size 1024" % CAP_TEXT)]


def main():
    program, folder = sys.argv[1:]
    path = os.path.join(folder, "accessors")
    for make, rows in ((v0, LP64), (v1, LP64), (i386, ILP32), (i386_v1, ILP32)):
        with open(path, "wb") as f:
            f.write(b"".join(make(kind, data) for kind, data, _ in rows))
        found = subprocess.run([program, path], stdout=subprocess.PIPE, text=True).stdout.splitlines()
        expected = [("%d %s" % (kind, text)).strip() for kind, _, text in rows]
        if len(found) != len(expected):
            print("%s: %d lines, not %d; the last is %s" % (make.__name__, len(found), len(expected), found[-1:]))
        for got, wanted in zip(found, expected):
            if got != wanted:
                print("%s: '%s', not '%s'" % (make.__name__, got, wanted))


if __name__ == "__main__":
    main()
