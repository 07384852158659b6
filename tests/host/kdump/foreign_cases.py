# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files that are not in FreeBSD's format, and what kdump says of them; and trace files that look like them."""
import struct

from cases import LINE, case
from craft import FREEBSD64, GENIO, NAMEI, PROCCTOR, USER, ctor, gio, v0, v1

DIFFERENT = ", whose format is a different one"


def refused(name, data, text):
    case("foreign." + name, data, "", "", text + "\n")


# Other systems. NetBSD: len, type, version, pid, 17 bytes of name, time of 12 (32-bit) or 16 bytes, thread.
def netbsd32(kind, payload, version):
    return struct.pack("<ihhi17s3xqii", len(payload), kind, version, 99, b"ls", 1700000000, 5, 1) + payload


def netbsd64(kind, payload, version):
    return struct.pack("<ihhi17s3xqqi4x", len(payload), kind, version, 99, b"ls", 1700000000, 5, 1) + payload


for VERSION in (1, 2):
    refused("netbsd32-v%d" % VERSION, netbsd32(7, b"netbsd32", VERSION) * 2, "this is a NetBSD trace file" + DIFFERENT)
    refused("netbsd64-v%d" % VERSION, netbsd64(7, b"netbsd", VERSION) * 2, "this is a NetBSD trace file" + DIFFERENT)
refused("netbsd-big-endian", struct.pack(">ihhi17s3xqqi4x", 6, 2, 7, 99, b"ls", 1700000000, 5, 1) + b"netbsd",
        "this is a big-endian trace file" + DIFFERENT)
OLD = "this is a trace file of NetBSD or an old OpenBSD" + DIFFERENT
refused("netbsd-v0", struct.pack("<ihhi17s3xiqq", 6, 7, 0, 99, b"ls", 1700000000, 5, 0) + b"netbsd", OLD)
refused("openbsd-old", struct.pack("<ihhi17s3xqqq", 6, 7, 0, 99, b"ls", 1700000000, 5, 0) + b"native", OLD)
refused("openbsd-old-32", struct.pack("<ihhi17s3xiii", 6, 7, 0, 99, b"ls", 1700000000, 5, 0) + b"native", OLD)
# KTR_START, pid, tid, time, name, length.
refused("openbsd-64", struct.pack("<Iiiiqq24sQ", 0x4b545200, 99, 1, 0, 1700000000, 5, b"ls", 0),
        "this is an OpenBSD trace file" + DIFFERENT)
refused("openbsd-big-endian", struct.pack(">Iiiiqq24sQ", 0x4b545200, 99, 1, 0, 1700000000, 5, b"ls", 0),
        "this is an OpenBSD trace file" + DIFFERENT)
refused("big-endian-32", struct.pack(">ihHi20siii", 4, 10, 0, 99, b"ls", 1700000000, 5, 1) + struct.pack(">I", 9),
        "this is a big-endian trace file" + DIFFERENT)
refused("macos", struct.pack("<II", 0x55aa0300, 3) + bytes(100), "this is a macOS trace file" + DIFFERENT)

# Compressed, and other files one may have at hand.
for NAME, MAGIC in (("gzip", b"\x1f\x8b\x08"), ("xz", b"\xfd7zXZ\0"), ("zstd", b"\x28\xb5\x2f\xfd"),
                    ("bzip2", b"BZh91AY"), ("lz4", b"\x04\x22\x4d\x18")):
    for LENGTH in (20, 200):
        refused("%s-%d" % (NAME, LENGTH), MAGIC.ljust(LENGTH, b"\xa5"),
                "this is a file that %s compressed: decompress it first" % NAME)
refused("zip", b"PK\x03\x04" + bytes(range(200)), "this is a ZIP archive: unpack it first")
for MAGIC in (b"PERFILE2", b"2ELIFREP"):
    refused("perf-" + MAGIC.decode(), MAGIC + struct.pack("<QQ", 104, 136) + bytes(100),
            "this is a file of perf-record(1): perf script prints it")
refused("trace-cmd", b"\x17\x08Dtracing6\0" + bytes(100),
        "this is a file of trace-cmd-record(1): trace-cmd report prints it")
for NAME, MAGIC in (("pcap", b"\xd4\xc3\xb2\xa1"), ("pcapng", b"\n\r\r\n")):
    refused(NAME, MAGIC + struct.pack("<HHQII", 2, 4, 0, 65535, 1) + bytes(50),
            "this is a packet capture, no trace file")
refused("sqlite", b"SQLite format 3\0" + bytes(100), "this is a SQLite database, no trace file")
for NAME, TYPE, TEXT in (("core", 4, "core dump"), ("program", 2, "program or library"),
                         ("library", 3, "program or library")):
    refused(NAME, struct.pack("<4sBBB9xHHI", b"\x7fELF", 2, 1, 1, TYPE, 62, 1) + bytes(100),
            "this is a %s, no trace file" % TEXT)
refused("strace", b'execve("/bin/ls", ["ls"], 0x7ffd6e0 /* 21 vars */) = 0\nbrk(NULL) = 0x55\n',
        "this is text, no trace file")
refused("kdump-output", b"   700 prog     CALL  read(0x3,0x1000,0x10)\n" * 3, "this is text, no trace file")
refused("json", '{"pid":1,"comm":"é"}\n'.encode(), "this is text, no trace file")
refused("zeros", bytes(4096), "this is a file of zeros, no trace file")
case("foreign.random", bytes((i * 37 + 11) % 256 for i in range(200)), "", "", "(not a trace file?)")

# Trace files whose first bytes are those of another: the length of the first record.
for NAME, LENGTH in (("gzip", 0x048b1f), ("bzip2", 0x685a42)):
    case("foreign.not-" + NAME, v0(NAMEI, b"/" + bytes(LENGTH - 1)), "", LINE + 'NAMI  "/"\n')
# A program's own record first, of any other text or not of FreeBSD's oldest type.
case("foreign.not-emul", v0(USER, b"natives"), "", LINE + "USER  7  6e 61 74 69 76 65 73\n")
case("foreign.not-emul-later", v0(PROCCTOR, ctor(FREEBSD64)) + v0(USER, b"native"), "",
     LINE + "USER  6  6e 61 74 69 76 65\n")
case("foreign.not-zeros", v0(0, b"", pid=1, sec=0, comm=b"") + v1(NAMEI, b"/a"), "",
     "     1          UNKNOWN(0)  \n" + LINE + 'NAMI  "/a"\n')
case("foreign.not-text", v0(GENIO, gio(1, 1, b"execve(\n")), "",
     LINE + 'GIO   fd 1 wrote 8 bytes\n       "execve(\n       "\n')
