# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What kdump-json.5 shows has to be what kdump prints, for a file that has just these records; and its commands have to
do what it says."""
import json
import os
import re
import struct

from craft import (ARGS, CAPFAIL, CSW, DROP, ENVS, EXTERR, FAULT, FAULTEND, GENIO, LINUX64, NAMEI, PROCCTOR, PROCDTOR,
                   PSIG, STRUCT, STRUCT_ARRAY, SYSCALL, SYSCTL, SYSRET, USER, array, call, capfail, capfail_new, ctor,
                   exterr, gio, psig, ret, v1)

COMMON = ("type", "time", "pid", "tid", "comm", "cpu", "abi", "call")

STAT = struct.pack("<QQQHHIIIQ8qqqIIQ80x", 65024, 131, 1, 0o100644, 0, 0, 0, 0, 0, 1699999999, 5, 1699999999, 5,
                   1699999999, 5, 0, 0, 5, 8, 4096, 0, 0)
TRACE = b"".join((
    v1(NAMEI, b"/tmp/\xff"),
    v1(PROCCTOR, ctor(LINUX64)),
    v1(SYSCALL, call(257, 2**64 - 100, 0x7ffd1e3f, 0x80000), nsec=123456789, cpu=1),
    v1(NAMEI, b"/etc/hostname", nsec=123460000, cpu=1),
    v1(SYSRET, ret(257, 3), nsec=123471789, cpu=1),
    v1(SYSRET, ret(257, 0, 2), nsec=200000000),
    v1(GENIO, gio(3, 0, b"kiwi\n")),
    v1(GENIO, gio(3, 0, b"\x7fELF\2\1")),
    v1(PSIG, psig(2, 0x401230, 0x10001, 1 << 14)),
    v1(CSW, struct.pack("<ii8s", 1, 0, b"pipe_re")),
    v1(USER, b"step 1"),
    v1(STRUCT, b"stat\0" + STAT),
    v1(STRUCT, b"sockaddr\0" + struct.pack("<BBBB4B8x", 16, 2, 0, 80, 127, 0, 0, 1)),
    v1(STRUCT, b"cookie\0" + b"\1\2\3\4"),
    v1(STRUCT_ARRAY, array(8, b"pollfd", struct.pack("<iHHiHH", 3, 1, 0, 4, 5, 1))),
    v1(SYSCTL, b"kernel.hostname\0"),
    v1(CAPFAIL, capfail(0, 1 << 21, 1)),
    v1(CAPFAIL, capfail_new(2, 165, LINUX64, b"")),
    v1(FAULT, struct.pack("<QiI", 0x7f2a5c000000, 2, 0)),
    v1(FAULTEND, struct.pack("<i", 0)),
    v1(ARGS, b"cat\0/etc/hostname\0"),
    v1(ENVS, b"HOME=/root\0LANG=C\0"),
    v1(EXTERR, exterr(22, 1, 5, 0, 16, b"no such mapping")),
    v1(77, b"\1\2"),
    v1(PROCDTOR | DROP),
))

# What the page's commands print for that, by a word that is in them.
COMMANDS = {
    ".path": b"/etc/hostname\n",
    "uniq": b"      1 openat ENOENT\n",
    "duration_ns": b'[700,"openat",15000]\n',
}
PYTHON = b"kiwi\n\x7fELF\2\1"

BLOCK = re.compile(r"^\.Bd -literal(?: -offset indent)?\n(.*?)^\.Ed$", re.DOTALL | re.MULTILINE)
ITEM = re.compile(r"^\.It Li (.*)$", re.MULTILINE)


def page(tree):
    with open(os.path.join(tree, "docs", "kdump-json.5"), encoding="utf-8") as f:
        return f.read()


def block_text(text):
    return text.replace("\\[uFFFD]", "\N{REPLACEMENT CHARACTER}").replace("\\e", "\\")


def objects(text):
    """The objects in a block, which may go over several lines."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        found, at = decoder.raw_decode(text, at)
        yield found


def canonical(pairs):
    return sorted(json.dumps(pair, sort_keys=True) for pair in pairs)


def shown(tree):
    """Pairs of types and an object of one of them, as the page shows them."""
    text = page(tree)
    end = text.index("\n.Ss Options")
    pairs = []
    for match in BLOCK.finditer(text, 0, end):
        items = ITEM.findall(text, 0, match.start())
        pairs += [(items[-1] if items else "namei", found) for found in objects(block_text(match.group(1)))]
    return canonical(pairs)


def printed(tree, records):
    """The same, of what kdump printed; but for one path, which is in another place."""
    items = {name: item for item in ITEM.findall(page(tree)) for name in item.split(" , ")}
    return canonical((items[record["type"]], {key: value for key, value in record.items() if key not in COMMON})
                     for record in records)


def commands(tree):
    """The page's commands: (word, options of kdump, what its output goes into)."""
    for match in BLOCK.finditer(page(tree)):
        text = block_text(match.group(1))
        if not text.startswith("$ kdump --json"):
            continue
        kdump, _, rest = text[len("$ kdump --json"):].partition("|")
        word, = (word for word in COMMANDS if word in rest)
        yield word, kdump.split(), rest


def program(tree):
    """The page's program in Python."""
    found, = (match.group(1) for match in BLOCK.finditer(page(tree)) if match.group(1).startswith("import "))
    return block_text(found)
