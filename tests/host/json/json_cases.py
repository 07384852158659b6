# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files of our own, and the objects that kdump --json makes of them: (name, file, options, objects, common).

Without common the objects are to be without the members that most have.
"""
import base64
import struct

from craft import (ARGS, CAPFAIL, CSW, DROP, ENVS, EXTERR, FAULT, FAULTEND, FREEBSD64, GENIO, LINUX32, LINUX64, NAMEI,
                   PROCCTOR, PROCDTOR, PSIG, STRUCT, STRUCT_ARRAY, SYSCALL, SYSCTL, SYSRET, USER, array, call, call32,
                   capfail, capfail_new, ctor, exterr, gio, i386, psig, ret, ret32, v0, v1)

CASES = []
L64 = v0(PROCCTOR, ctor(LINUX64))
F64 = v0(PROCCTOR, ctor(FREEBSD64))
START = {"type": "process", "event": "start"}
U64_MAX = 2**64 - 1
EXACT = 2**53  # what is beyond is no double


def case(name, data, options, *objects, common=False):
    CASES.append((name, data, options.split(), list(objects), common))


def b64(data):
    return base64.b64encode(data).decode()


def data_of(record):
    """The bytes that a record has as data."""
    if record["encoding"] == "base64":
        return base64.b64decode(record["data"], validate=True)
    return record["data"].encode()


def namei(path, **more):
    return {"type": "namei", "path": path, **more}


def flags(value, *names, **more):
    return {"value": value, "flags": list(names), **more}


def symbol(value, name):
    return {"value": value, "symbol": name}


# What all have ------------------------------------------------------------------------------------------------------

case("common.v0", v0(NAMEI, b"/a", usec=250000, tid=701), "",
     {"type": "namei", "time": {"sec": 1700000000, "nsec": 250000000}, "pid": 700, "tid": 701, "comm": "prog",
      "abi": "U00", "path": "/a"}, common=True)
case("common.v1", L64 + v1(NAMEI, b"/a", nsec=123456789, cpu=3), "-t n",
     {"type": "namei", "time": {"sec": 1700000000, "nsec": 123456789}, "pid": 700, "tid": 700, "comm": "prog",
      "cpu": 3, "abi": "L64", "path": "/a"}, common=True)
case("common.numbers", v0(NAMEI, b"", pid=-1, tid=2**63 - 1), "",
     {"type": "namei", "time": {"sec": 1700000000, "nsec": 0}, "pid": -1, "tid": 2**63 - 1, "comm": "prog",
      "abi": "U00", "path": ""}, common=True)
for name, header, time in (("before-1970", {"sec": -1, "usec": 999999}, {"sec": -1, "nsec": 999999000}),
                           ("negative", {"sec": 0, "usec": -1}, {"sec": -1, "nsec": 999999000}),
                           ("first", {"sec": -2**63}, {"sec": -9223372037, "nsec": 145224192}),
                           ("last", {"sec": 2**63 - 1}, {"sec": 9223372036, "nsec": 854775807})):
    case("common.time-" + name, v0(NAMEI, b"/a", **header), "",
         {"type": "namei", "time": time, "pid": 700, "tid": 700, "comm": "prog", "abi": "U00", "path": "/a"},
         common=True)
case("common.comm", v0(NAMEI, b"/a", comm=b'\x1b"\xff\\'), "",
     {"type": "namei", "time": {"sec": 1700000000, "nsec": 0}, "pid": 700, "tid": 700, "comm": '\x1b"\ufffd\\',
      "comm_base64": b64(b'\x1b"\xff\\'), "abi": "U00", "path": "/a"}, common=True)
case("empty", b"", "")

# Text ---------------------------------------------------------------------------------------------------------------

CONTROLS = bytes(range(1, 32)) + b"\x7f\"\\/"
case("text.controls", v0(NAMEI, CONTROLS), "", namei(CONTROLS.decode()))
ODD = "é 日本 😀 \u0080\u009b\u061c\u200b\u202e\u2028\u2029\ufeff\ufffd\ufffe\uffff\ufdd0\U000e0001\U0010ffff"
case("text.utf8", v0(NAMEI, ODD.encode()), "", namei(ODD))
for name, path, shown in (("lone", b"a\xffb", "a\ufffdb"), ("cut", b"\xe2\x82", "\ufffd\ufffd"),
                          ("surrogate", b"\xed\xa0\x80", "\ufffd" * 3), ("long-2", b"\xc0\xaf", "\ufffd" * 2),
                          ("long-3", b"\xe0\x80\xaf", "\ufffd" * 3), ("long-4", b"\xf0\x80\x80\xaf", "\ufffd" * 4),
                          ("beyond", b"\xf4\x90\x80\x80", "\ufffd" * 4),
                          ("all", bytes(range(128, 256)), "\ufffd" * 128)):
    case("text.invalid-" + name, v0(NAMEI, path), "", namei(shown, path_base64=b64(path)))
case("text.nul", v0(NAMEI, b"/a\0\xff") + v0(SYSCTL, b"kern.x\0"), "", namei("/a"),
     {"type": "sysctl", "name": "kern.x"})
case("text.sysctl", v0(SYSCTL, b"\xff"), "", {"type": "sysctl", "name": "\ufffd", "name_base64": "/w=="})

# Calls --------------------------------------------------------------------------------------------------------------


def syscall(name, number, *args):
    return {"type": "call", **({"name": name} if name else {}), "number": number, "args": list(args)}


def returned(name, number, **more):
    return {"type": "return", **({"name": name} if name else {}), "number": number, **more}


ENOENT = {"value": 2, "symbol": "ENOENT", "text": "No such file or directory"}
OPENAT = v0(SYSCALL, call(257, 2**64 - 100, 0x7ffd1e3f, 0o2000101, 0o644))
DIRFD, PATH = {"name": "dirfd", "value": -100, "symbol": "AT_FDCWD"}, {"name": "path", "value": "0x7ffd1e3f"}
case("call.openat", L64 + OPENAT + v0(NAMEI, b"/a") + v0(SYSRET, ret(257, 0, 2), usec=3), "",
     START, syscall("openat", 257, DIRFD, PATH,
                    {"name": "flags", "value": 0o2000101, "flags": ["O_WRONLY", "O_CREAT", "O_CLOEXEC"]},
                    {"name": "mode", "value": 0o644, "octal": "0644",
                     "flags": ["S_IRUSR", "S_IWUSR", "S_IRGRP", "S_IROTH"]}),
     namei("/a", call="openat"), returned("openat", 257, error=ENOENT, duration_ns=3000))
# The fourth is there, but means nothing without O_CREAT.
case("call.hidden", L64 + v0(SYSCALL, call(257, 3, 0, 0, 0o644)), "-t c",
     syscall("openat", 257, {"name": "dirfd", "value": 3}, {"name": "path", "value": "0x0"},
             {"name": "flags", "value": 0, "flags": ["O_RDONLY"]}))
case("call.rest", L64 + v0(SYSCALL, call(257, 3, 0, 1 << 30)), "-t c",
     syscall("openat", 257, {"name": "dirfd", "value": 3}, {"name": "path", "value": "0x0"},
             {"name": "flags", "value": 1 << 30, "flags": ["O_RDONLY"], "rest": 1 << 30}))
case("call.plain", L64 + OPENAT + v0(SYSRET, ret(257, 0, 2)), "-n -t c",
     syscall("openat", 257, {"name": "dirfd", "value": -100}, PATH, {"name": "flags", "value": 0o2000101},
             {"name": "mode", "value": 0o644}),
     returned("openat", 257, error={"value": 2}, duration_ns=0))
# Nobody knows what these are; a number beyond the table; more than are described.
case("call.unknown", L64 + v0(SYSCALL, call(999, 0, 1, U64_MAX)) + v0(NAMEI, b"/a") + v0(SYSRET, ret(999, 0, 78)), "",
     START, syscall(None, 999, {"value": "0x0"}, {"value": "0x1"}, {"value": "0xffffffffffffffff"}), namei("/a"),
     returned(None, 999, duration_ns=0,
              error={"value": 38, "symbol": "ENOSYS", "text": "Function not implemented"}))
case("call.no-arguments", L64 + v0(SYSCALL, call(39)) + v0(SYSCALL, call(-1)), "-t c", syscall("getpid", 39),
     syscall(None, -1))
case("call.extra", L64 + v0(SYSCALL, call(257, 3, 0, 0, 0, 7, 8)), "-t c",
     syscall("openat", 257, {"name": "dirfd", "value": 3}, {"name": "path", "value": "0x0"},
             {"name": "flags", "value": 0, "flags": ["O_RDONLY"]}, {"value": "0x7"}, {"value": "0x8"}))
case("call.few", L64 + v0(SYSCALL, call(257, 3)), "-t c", syscall("openat", 257, {"name": "dirfd", "value": 3}))
case("call.32-bit", v0(PROCCTOR, ctor(LINUX32)) + v0(SYSCALL, call(295, 0xffffff9c, 0xfffffff0, 0)) +
     v0(SYSRET, ret(295, -2**31)), "-t c",
     syscall("openat", 295, DIRFD, {"name": "path", "value": "0xfffffff0"},
             {"name": "flags", "value": 0, "flags": ["O_RDONLY"]}),
     returned("openat", 295, value=-2**31, duration_ns=0))
FD = {"name": "fd", "value": 3}
case("call.32-bit-offsets", v0(PROCCTOR, ctor(LINUX32)) + v0(SYSCALL, call(19, 3, 2**32 - 1, 0)) +
     v0(SYSCALL, call(180, 3, 0x1000, 5, 2**32 - 1, 1, 7)), "-t c",
     syscall("lseek", 19, FD, {"name": "offset", "value": -1}, {"name": "whence", **symbol(0, "SEEK_SET")}),
     syscall("pread64", 180, FD, {"name": "buf", "value": "0x1000"}, {"name": "count", "value": 5},
             {"name": "offset", "value": 0x1ffffffff}, {"value": "0x7"}))
case("call.offset", L64 + v0(SYSCALL, call(8, 3, U64_MAX - 1, 1)), "-t c",
     syscall("lseek", 8, FD, {"name": "offset", "value": -2}, {"name": "whence", **symbol(1, "SEEK_CUR")}))
case("call.files", L64 + OPENAT + v0(NAMEI, b"/\xff") + v0(SYSRET, ret(257, 3)) + v0(SYSCALL, call(0, 3, 0, 9)) +
     v0(GENIO, gio(3, 0, b"x")) + v0(GENIO, gio(4, 0, b"x")), "--fds -t ci",
     syscall("openat", 257, DIRFD, PATH,
             {"name": "flags", "value": 0o2000101, "flags": ["O_WRONLY", "O_CREAT", "O_CLOEXEC"]},
             {"name": "mode", "value": 0o644, "octal": "0644", "flags": ["S_IRUSR", "S_IWUSR", "S_IRGRP", "S_IROTH"]}),
     returned("openat", 257, value=3, file="/\\377", duration_ns=0),
     syscall("read", 0, {**FD, "file": "/\\377"}, {"name": "buf", "value": "0x0"}, {"name": "count", "value": 9}),
     {"type": "genio", "call": "read", "fd": 3, "file": "/\\377", "op": "read", "length": 1, "data": "x",
      "encoding": "utf8"},
     {"type": "genio", "call": "read", "fd": 4, "op": "read", "length": 1, "data": "x", "encoding": "utf8"})
case("call.signals", L64 + v0(SYSCALL, call(62, 700, 10)) + v0(SYSCALL, call(56, 0x1211, 0, 0, 0, 0)), "-t c",
     syscall("kill", 62, {"name": "pid", "value": 700}, {"name": "sig", **symbol(10, "SIGUSR1")}),
     syscall("clone", 56, {"name": "flags", "value": 0x1211, "flags": ["CLONE_FS", "CLONE_PIDFD"], "signal": "SIGCHLD"},
             {"name": "stack", "value": "0x0"}, {"name": "parent_tid", "value": "0x0"}, {"name": "child_tid",
             "value": "0x0"}, {"name": "tls", "value": "0x0"}))
case("filter", L64 + OPENAT + v0(SYSRET, ret(257, 3)) + v0(SYSRET, ret(0, 0, 9)), "--failed",
     returned("read", 0, error={"value": 9, "symbol": "EBADF", "text": "Bad file descriptor"}))
case("call.i386", i386(SYSCALL, call32(999, 2**32 - 1)) + i386(SYSRET, ret32(999, -1)), "",
     syscall(None, 999, {"value": "0xffffffff"}), returned(None, 999, value=-1, duration_ns=0))

# Returns ------------------------------------------------------------------------------------------------------------

for name, value in (("zero", 0), ("negative", -1), ("address", 0x7f2a5c000000), ("exact", EXACT + 1),
                    ("largest", 2**63 - 1), ("smallest", -2**63)):
    case("return." + name, L64 + v0(SYSRET, ret(9, value)), "-t c", returned("mmap", 9, value=value))
case("return.restart", L64 + v0(SYSRET, ret(0, 0, -1)) + v0(SYSRET, ret(59, 0, -2)), "-t c",
     returned("read", 0, restart=True), returned("execve", 59, just_return=True))
case("return.errnos", L64 + v0(SYSRET, ret(0, 0, 35)) + v0(SYSRET, ret(0, 0, 1041)) + v0(SYSRET, ret(0, 0, 88)), "-t c",
     returned("read", 0, error={"value": 11, "symbol": "EAGAIN", "text": "Resource temporarily unavailable"}),
     returned("read", 0, error={"value": 41, "text": "Unknown error 41"}),
     returned("read", 0, error={"value": 22, "symbol": "EINVAL", "text": "Invalid argument"}))
case("return.freebsd", F64 + v0(SYSRET, ret(3, 0, 35)) + v0(SYSRET, ret(3, 0, 999)) + v0(SYSRET, ret(3, 0, -3)), "-t c",
     returned("read", 3, error={"value": 35, "symbol": "EAGAIN", "text": "Resource temporarily unavailable"}),
     returned("read", 3, error={"value": 999, "text": "Unknown error: 999"}),
     returned("read", 3, error={"value": -3, "text": "Unknown error: -3"}))
case("return.clock-back", L64 + v0(SYSCALL, call(39), usec=9) + v0(SYSRET, ret(39, 5), usec=2), "-t c",
     syscall("getpid", 39), returned("getpid", 39, value=5, duration_ns=-7000))
# Beyond the range of times.
case("return.limits", L64 + v0(SYSCALL, call(39), sec=2**62) + v0(SYSRET, ret(39, 5), sec=2**62), "-t c",
     syscall("getpid", 39), returned("getpid", 39, value=5))
# Records between were lost: it is not known how long it took.
case("return.other-call", L64 + v0(SYSCALL, call(39)) + v0(SYSRET, ret(0, 5)), "-t c", syscall("getpid", 39),
     returned("read", 0, value=5))

# Data ---------------------------------------------------------------------------------------------------------------


def genio(fd, op, data, encoding="utf8", length=None):
    return {"type": "genio", "fd": fd, "op": op, "length": len(data) if length is None else length, "data": data,
            "encoding": encoding}


def binary(fd, op, data):
    return genio(fd, op, b64(data), "base64", len(data))


case("genio.text", v0(GENIO, gio(3, 0, b"kiwi\n")) + v0(GENIO, gio(-1, 1, b"")) +
     v0(GENIO, gio(1, 1, "\x1b[1mé\u2028\"\\\r\t\x0b\x0c\x08\x07".encode())), "",
     genio(3, "read", "kiwi\n"), genio(-1, "write", ""),
     genio(1, "write", "\x1b[1mé\u2028\"\\\r\t\x0b\x0c\x08\x07", length=17))
for size in range(6):
    case("genio.base64-%d" % size, v0(GENIO, gio(0, 0, b"\0" + b"\xfb\xff\xfeabc"[:size])), "",
         binary(0, "read", b"\0" + b"\xfb\xff\xfeabc"[:size]))
for byte in (0x00, 0x01, 0x06, 0x0e, 0x1a, 0x1c, 0x7f, 0x80, 0xff):
    case("genio.binary-%02x" % byte, v0(GENIO, gio(0, 0, b"a" + bytes([byte]))), "",
         binary(0, "read", b"a" + bytes([byte])))
case("genio.none", v0(GENIO, gio(3, 0, b"kiwi\n")), "-s", {"type": "genio", "fd": 3, "op": "read", "length": 5})
EUROS = "a€€".encode()
for most, shown in ((1, "a"), (2, "a"), (3, "a"), (4, "a€"), (5, "a€"), (7, "a€€"), (8, "a€€"), (0, "a€€")):
    case("genio.most-%d" % most, v0(GENIO, gio(3, 0, EUROS)), "-m %d" % most, genio(3, "read", shown, length=7))
case("genio.most-binary", v0(GENIO, gio(3, 0, b"\xff" * 9)), "-m 3", genio(3, "read", "////", "base64", 9))
case("genio.most-continuations", v0(GENIO, gio(3, 0, b"\x80" * 9)), "-m 5",
     genio(3, "read", b64(b"\x80" * 2), "base64", 9))

case("user.text", v0(USER, b"step 1") + v0(USER, b"") + v0(USER, b"\1\2"), "",
     {"type": "user", "length": 6, "data": "step 1", "encoding": "utf8"},
     {"type": "user", "length": 0, "data": "", "encoding": "utf8"},
     {"type": "user", "length": 2, "data": "AQI=", "encoding": "base64"})
MALLOC = struct.pack("<3Q", 0, 16, 0x8001000)
case("user.malloc", v0(USER, MALLOC), "", {"type": "user", "length": 24, "data": b64(MALLOC), "encoding": "base64",
                                           "text": "0x8001000 = malloc(16)"})
case("user.malloc-n", v0(USER, MALLOC), "-n", {"type": "user", "length": 24, "data": b64(MALLOC), "encoding": "base64"})
RTLD = b"RTLD" + struct.pack("<i3Qi", 13, 0, 0, 0, 0) + b"no \x1b\xff".ljust(1028, b"\0")
case("user.rtld", v0(USER, RTLD), "", {"type": "user", "length": 1064, "data": b64(RTLD), "encoding": "base64",
                                       "text": "RTLD: error: no \\033\\377"})

# Signals, switches, faults ------------------------------------------------------------------------------------------


def signal(value, name, code, action="default", **more):
    return {"type": "psig", "signal": symbol(value, name), "action": action, **more, "code": code}


# SIGUSR1 is 10 to a Linux process, and 30 in the file.
case("psig.linux", L64 + v0(PSIG, psig(30)) + v0(PSIG, psig(30, 0x401230, 0x10006, 1 << 1 | 1 << 29)) +
     v0(PSIG, psig(65, 1)) + v0(PSIG, psig(272, 0, 7)), "-t s",
     signal(10, "SIGUSR1", symbol(0x10001, "SI_USER")),
     signal(10, "SIGUSR1", symbol(0x10006, "SI_KERNEL"), "caught", handler="0x401230", mask=["SIGINT", "SIGUSR1"]),
     signal(32, "SIGRT0", symbol(0x10001, "SI_USER"), "caught", handler="0x1", mask=[]),
     signal(16, "SIGSTKFLT", {"value": 7}))
case("psig.freebsd", F64 + v0(PSIG, psig(30)) + v0(PSIG, psig(-5)), "-t s",
     signal(30, "SIGUSR1", symbol(0x10001, "SI_USER")), signal(-5, "SIG -5", symbol(0x10001, "SI_USER")))
case("psig.plain", L64 + v0(PSIG, psig(30, 2)), "-n -t s",
     {"type": "psig", "signal": {"value": 10}, "action": "caught", "handler": "0x2", "code": {"value": 0x10001}})
case("csw", v0(CSW, struct.pack("<ii8s", 1, 0, b"futex_w")) + v0(CSW, struct.pack("<ii8s", 0, 1, b"\xff\x1b")) +
     v0(CSW, struct.pack("<ii", 0, 0)), "",
     {"type": "csw", "event": "stop", "mode": "kernel", "wmesg": "futex_w"},
     {"type": "csw", "event": "resume", "mode": "user", "wmesg": "\ufffd\x1b", "wmesg_base64": "/xs="},
     {"type": "csw", "event": "resume", "mode": "kernel"})
case("faults", v0(FAULT, struct.pack("<QiI", U64_MAX, 6, 0)) + v0(FAULT, struct.pack("<QiI", 0, -2**31, 0)) +
     v0(FAULTEND, struct.pack("<i", 1)) + v0(FAULTEND, struct.pack("<i", -7)), "",
     {"type": "fault", "address": "0xffffffffffffffff", "access": flags(6, "VM_PROT_WRITE", "VM_PROT_EXECUTE")},
     {"type": "fault", "address": "0x0", "access": flags(2**31, rest=2**31)},
     {"type": "faultend", "result": symbol(1, "KERN_INVALID_ADDRESS")}, {"type": "faultend", "result": {"value": -7}})

# Programs, processes ------------------------------------------------------------------------------------------------

case("args", v0(ARGS, b"ls\0\0-l") + v0(ARGS, b"") + v0(ENVS, b"A=\xff\0B=\x1b\0"), "",
     {"type": "args", "argv": ["ls", "", "-l"]}, {"type": "args", "argv": []},
     {"type": "envs", "env": ["A=\ufffd", "B=\x1b"], "env_base64": [b64(b"A=\xff"), b64(b"B=\x1b")]})
case("process", v0(PROCCTOR, ctor(FREEBSD64)) + v0(SYSCALL, call(59)) + v0(PROCCTOR, ctor(LINUX64)) +
     v0(SYSRET, ret(59, 0, -2), usec=1) + v0(PROCCTOR, ctor(LINUX32)) + v0(SYSCALL, call(20)) +
     v0(SYSRET, ret(20, 700)) + v0(PROCCTOR, ctor(LINUX64)) + v0(PROCDTOR), "",
     START, syscall("execve", 59), {"type": "process", "event": "exec", "call": "execve"},
     returned("execve", 59, just_return=True, duration_ns=1000),
     {"type": "process", "event": "abi"}, syscall("getpid", 20), returned("getpid", 20, value=700, duration_ns=0),
     {"type": "process", "event": "abi"}, {"type": "process", "event": "exit"})
case("process.abi", v0(PROCCTOR, ctor(LINUX32)), "",
     {"type": "process", "time": {"sec": 1700000000, "nsec": 0}, "pid": 700, "tid": 700, "comm": "prog", "abi": "L32",
      "event": "start"}, common=True)
case("process.not-wanted", L64 + v0(NAMEI, b"/a") + v0(PROCDTOR, pid=3) + v0(PROCDTOR), "-p 700", START, namei("/a"),
     {"type": "process", "event": "exit"})
case("drop", v0(NAMEI | DROP, b"/a", pid=3) + v0(NAMEI | DROP, b"/b") + v0(NAMEI, b"/c"), "-p 700", {"type": "drop"},
     {"type": "drop"}, namei("/b"), namei("/c"))
case("drop.common", v1(NAMEI | DROP, b"/a", pid=3, tid=4, cpu=5), "",
     {"type": "drop", "time": {"sec": 1700000000, "nsec": 0}, "pid": 3, "tid": 4, "comm": "prog", "cpu": 5,
      "abi": "U00"}, {"type": "namei", "time": {"sec": 1700000000, "nsec": 0}, "pid": 3, "tid": 4, "comm": "prog", "cpu": 5,
                      "abi": "U00", "path": "/a"}, common=True)
case("unknown", v0(77, b"\1\2") + v0(0, b""), "",
     {"type": "unknown", "type_number": 77, "length": 2, "data": "AQI=", "encoding": "base64"},
     {"type": "unknown", "type_number": 0, "length": 0, "data": "", "encoding": "utf8"})
case("exterr", v0(EXTERR, exterr(22, 1, 2**32 - 1, 0, U64_MAX, b"%s%n\xff\0x")) +
     v0(EXTERR, exterr(999, 1000, 5, 1, 16, b"")), "",
     {"type": "exterr", "error": symbol(22, "EINVAL"), "file": "sys/vm/vm_mmap.c", "line": 2**32 - 1,
      "message": "%s%n\ufffd", "message_base64": b64(b"%s%n\xff"), "text": "%s%n\\377", "category": 1, "p1": "0x0",
      "p2": "0xffffffffffffffff"},
     {"type": "exterr", "error": {"value": 999}, "line": 5, "message": "", "text": "", "category": 1000, "p1": "0x1",
      "p2": "0x10"})

# Capabilities -------------------------------------------------------------------------------------------------------


def lacking(reason, text, **more):
    return {"type": "capfail", "reason": reason, **more, "text": text}


case("capfail.linux", L64 + v0(CAPFAIL, capfail(0, 1 << 21, 1 | 1 << 56)) + v0(CAPFAIL, capfail(2, 0, 0)) +
     v1(CAPFAIL, capfail_new(2, 165, LINUX64, b"")) + v1(CAPFAIL, capfail_new(2, -1, LINUX64, b"")), "-t p",
     lacking("not_capable", "operation requires CAP_SYS_ADMIN, process holds CAP_CHOWN,56",
             needed=flags(1 << 21, "CAP_SYS_ADMIN"), held=flags(1 | 1 << 56, "CAP_CHOWN", rest=1 << 56)),
     lacking("syscall", "disallowed system call"),
     lacking("syscall", "system call not allowed: mount", name="mount", number=165),
     lacking("syscall", "system call not allowed: [-1]", number=-1))
RIGHTS = struct.pack("<4Q", 1 | 1 << 57, 1 << 58, 2 | 1 << 57, 1 << 58)
case("capfail.freebsd", v1(CAPFAIL, capfail_new(1, 3, FREEBSD64, RIGHTS)) +
     v1(CAPFAIL, capfail_new(0, 3, FREEBSD64, bytes(32))) +
     v1(CAPFAIL, capfail_new(3, 37, FREEBSD64, struct.pack("<i", 30))) +
     v1(CAPFAIL, capfail_new(4, 97, FREEBSD64, struct.pack("<i", 6))) +
     v1(CAPFAIL, capfail_new(5, 98, FREEBSD64, struct.pack("<BBBB4B8x", 16, 2, 0, 80, 127, 0, 0, 1))) +
     v1(CAPFAIL, capfail_new(6, 5, FREEBSD64, b"/\xff")) + v1(CAPFAIL, capfail_new(7, 5, FREEBSD64, b"")) +
     v1(CAPFAIL, capfail_new(99, 5, FREEBSD64, b"")), "-t p",
     lacking("increase", "attempt to increase capabilities from CAP_WRITE to CAP_READ",
             needed={"value": ["0x200000000000001", "0x400000000000000"], "flags": ["CAP_READ"]},
             held={"value": ["0x200000000000002", "0x400000000000000"], "flags": ["CAP_WRITE"]}),
     lacking("not_capable", "operation requires invalid cap_rights_t, descriptor holds invalid cap_rights_t",
             needed={"value": ["0x0", "0x0"], "flags": []}, held={"value": ["0x0", "0x0"], "flags": []}),
     lacking("signal", "kill: signal delivery not allowed: SIGUSR1", name="kill", number=37,
             signal=symbol(30, "SIGUSR1")),
     lacking("protocol", "socket: protocol not allowed: IPPROTO_TCP", name="socket", number=97,
             protocol=symbol(6, "IPPROTO_TCP")),
     lacking("sockaddr", "connect: restricted address lookup: struct sockaddr { AF_INET, 127.0.0.1:80 }",
             name="connect", number=98,
             sockaddr={"family": symbol(2, "AF_INET"), "address": "127.0.0.1", "port": 80}),
     lacking("lookup", "open: restricted VFS lookup: /\\377", name="open", number=5, path="/\ufffd",
             path_base64="L/8="),
     lacking("cpuset", "open: restricted cpuset operation", name="open", number=5),
     lacking("unknown", "open: unknown capability failure", name="open", number=5))
case("capfail.old", v0(CAPFAIL, capfail(3, 0, 0)) + v0(CAPFAIL, capfail(9, 1, 2)), "",
     lacking("lookup", "restricted VFS lookup"), lacking("unknown", "unknown capability failure: CAP_READ CAP_WRITE"))
case("capfail.plain", L64 + v0(CAPFAIL, capfail(0, 1 << 21, 1)), "-n -t p",
     {"type": "capfail", "reason": "not_capable", "needed": {"value": 1 << 21}, "held": {"value": 1}})

# Structures ---------------------------------------------------------------------------------------------------------


def struct_case(name, begin, structure, data, fields, options=""):
    case("struct." + name, begin + v0(STRUCT, structure + b"\0" + data), options + " -t t",
         {"type": "struct", "name": structure.decode(), "fields": fields})


def time(sec, nsec):
    return {"sec": sec, "nsec": nsec}


STAT = struct.pack("<QQQHHIIIQ8qqqIIQ80x", U64_MAX, 2, 1, 0o104755, 0, 2**32 - 1, 0, 0, 5, 1, 2, 3, 999999999, -1, 0,
                   0, 0, 2**63 - 1, -1, 4096, 0x10, 0)
FIELDS = {"dev": U64_MAX, "ino": 2, "mode": 0o104755, "mode_octal": "0104755", "nlink": 1, "uid": 2**32 - 1, "gid": 0,
          "rdev": 5, "atime": time(1, 2), "mtime": time(3, 999999999), "ctime": time(-1, 0), "birthtime": None,
          "size": 2**63 - 1, "blksize": 4096, "blocks": -1, "flags": 16}
struct_case("stat", L64, b"stat", STAT, FIELDS)
struct_case("stat-freebsd", F64, b"stat", STAT, {**FIELDS, "birthtime": time(0, 0)})
struct_case("stat-words", L64, b"stat", STAT, {
    **FIELDS, "mode_text": "-rwsr-xr-x", "gid_name": "root",
    **{key: {**FIELDS[key], "text": text} for key, text in (
        ("atime", "Jan  1 00:00:01 1970"), ("mtime", "Jan  1 00:00:03 1970"),
        ("ctime", "Dec 31 23:59:59 1969"))}}, "-r")
struct_case("stat-plain", L64, b"stat", STAT,
            {key: value for key, value in FIELDS.items() if key != "mode_octal"}, "-n")
struct_case("itimerval", F64, b"itimerval", struct.pack("<4q", 0, -1, 2**63 - 1, 50000),
            {"interval": {"sec": 0, "usec": -1}, "value": {"sec": 2**63 - 1, "usec": 50000}})
struct_case("timespec", L64, b"timespec", struct.pack("<qq", -1, 5), time(-1, 5))
struct_case("timespec-now", L64, b"timespec", struct.pack("<qq", 0, 0x3fffffff),
            {"sec": 0, "nsec": 0x3fffffff, "nsec_symbol": "UTIME_NOW"})
struct_case("timespec-plain", L64, b"timespec", struct.pack("<qq", 0, 0x3fffffff), time(0, 0x3fffffff), "-n")
struct_case("sigset", L64, b"l_sigset_t", struct.pack("<Q", 1 << 1 | 1 << 9 | 1 << 63),
            {"set": {"value": 1 << 1 | 1 << 9 | 1 << 63, "signals": ["SIGINT", "SIGUSR1", "SIGRT32"]}})
struct_case("sigset-empty", L64, b"l_sigset_t", bytes(8), {"set": {"value": 0, "signals": []}})
struct_case("sigset-plain", L64, b"l_sigset_t", struct.pack("<Q", 2), {"set": {"value": 2}}, "-n")
struct_case("rlimit", L64, b"l_rlimit", struct.pack("<QQ", EXACT + 1, U64_MAX),
            {"cur": EXACT + 1, "max": U64_MAX, "max_symbol": "RLIM_INFINITY"})
struct_case("sigaction", L64, b"l_sigaction", struct.pack("<QQQQ", 1, 0x94000001 | 1 << 63, U64_MAX, 2),
            {"handler": "0x1", "handler_symbol": "SIG_IGN",
             "flags": flags(0x94000001 | 1 << 63, "SA_NOCLDSTOP", "SA_RESTORER", "SA_RESTART", "SA_RESETHAND",
                            rest=1 << 63),
             "restorer": "0xffffffffffffffff", "mask": {"value": 2, "signals": ["SIGINT"]}})
struct_case("sched-attr", L64, b"l_sched_attr", struct.pack("<IIQiIQQQII", 48, 6, 4, -20, 99, U64_MAX, 20, 30, 0, 0),
            {"size": 48, "policy": symbol(6, "SCHED_DEADLINE"), "flags": flags(4, "SCHED_FLAG_DL_OVERRUN"),
             "nice": -20, "priority": 99, "runtime": U64_MAX, "deadline": 20, "period": 30})
struct_case("sched-attr-plain", L64, b"l_sched_attr", struct.pack("<IIQiIQQQII", 48, 77, 4, 0, 0, 0, 0, 0, 0, 0),
            {"size": 48, "policy": {"value": 77}, "flags": {"value": 4}, "nice": 0, "priority": 0, "runtime": 0,
             "deadline": 0, "period": 0}, "-n")
struct_case("cap-data", L64, b"l_cap_data", struct.pack("<6I", 1, 2, 0, 1 << 8, 1 << 31, 0),
            {"effective": flags(1 << 40 | 1, "CAP_CHOWN", "CAP_CHECKPOINT_RESTORE"),
             "permitted": flags(1 << 63 | 2, "CAP_DAC_OVERRIDE", rest=1 << 63), "inheritable": flags(0)})
CLONE = {"pidfd": "0x0", "child_tid": "0x0", "parent_tid": "0x0", "stack": "0x4000", "stack_size": 20480, "tls": "0x0",
         "set_tid": "0x0", "set_tid_size": 0, "cgroup": 0}
for name, signo, found in (("", 17, symbol(17, "SIGCHLD")), ("-none", 0, {"value": 0}), ("-odd", 65, {"value": 65})):
    struct_case("clone-args" + name, L64, b"l_clone_args",
                struct.pack("<11Q", 0x1000, 0, 0, 0, signo, 0x4000, 20480, 0, 0, 0, 0),
                {**CLONE, "flags": flags(0x1000, "CLONE_PIDFD"), "exit_signal": found})
struct_case("open-how", L64, b"l_open_how", struct.pack("<QQQ", 0o2000101, 0o644, 0x48),
            {"flags": flags(0o2000101, "O_WRONLY", "O_CREAT", "O_CLOEXEC"), "mode": 0o644, "mode_octal": "0644",
             "resolve": flags(0x48, "RESOLVE_BENEATH", rest=0x40)})
struct_case("utsname", L64, b"l_utsname",
            b"".join(s.ljust(65, b"\0") for s in (b"Linux", b"kiwi\0x", b"6.1", b"#1", b"x86_64", b"\xff")),
            {"sysname": "Linux", "nodename": "kiwi", "release": "6.1", "version": "#1", "machine": "x86_64",
             "domainname": "\ufffd", "domainname_base64": "/w=="})


def address(name, family, family_name, data, fields, begin=L64):
    struct_case("sockaddr-" + name, begin, b"sockaddr", bytes([len(data) + 2, family]) + data,
                {"family": symbol(family, family_name), **fields})


address("inet", 2, "AF_INET", struct.pack(">H4B8x", 65535, 127, 0, 0, 1), {"address": "127.0.0.1", "port": 65535})
address("inet6", 28, "AF_INET6", struct.pack(">HI16sI", 443, 0, bytes(15) + b"\1", 0), {"address": "::1", "port": 443})
address("local", 1, "AF_LOCAL", b"/tmp/\xff\0x", {"path": "/tmp/\ufffd", "path_base64": b64(b"/tmp/\xff")})
address("unnamed", 1, "AF_LOCAL", b"", {"path": ""})
address("abstract", 1, "AF_LOCAL", b"\0na\0me", {"abstract": "na\0me"})
address("abstract-binary", 1, "AF_LOCAL", b"\0\xff\0", {"abstract": "\ufffd\0", "abstract_base64": b64(b"\xff\0")})
address("local-freebsd", 1, "AF_LOCAL", b"\0name", {"path": ""}, F64)
address("netlink", 38, "AF_NETLINK", struct.pack("<HII", 0, 2**32 - 1, 5), {"pid": 2**32 - 1, "groups": 5})
address("packet", 145, "AF_PACKET", struct.pack(">H", 0x800) + struct.pack("<iHBB", -1, 1, 4, 3) + b"\2\0\xfe",
        {"protocol": 0x800, "ifindex": -1, "hatype": 1, "pkttype": 4, "addr": "02:00:fe"})
address("vsock", 168, "AF_VSOCK", struct.pack("<HII", 0, 1234, 2), {"cid": 2, "port": 1234})


def problem(case_name, kind, payload, what, data, **more):
    encoded = {"data": data.decode(), "encoding": "utf8"} if data.isalnum() or not data else {
        "data": b64(data), "encoding": "base64"}
    case("problem." + case_name, L64 + v0(STRUCT if kind == "struct" else STRUCT_ARRAY, payload), "-t t",
         {"type": kind, **more, "problem": what, **encoded})


problem("unknown", "struct", b"cookie\0\1\2\3", "unknown structure", b"\1\2\3", name="cookie")
problem("no-name", "struct", b"cookie", "invalid record", b"cookie")
problem("empty", "struct", b"", "invalid record", b"")
problem("bad-name", "struct", b"\x1b\xff\0abc", "invalid record", b"abc", name="\x1b\ufffd",
        name_base64=b64(b"\x1b\xff"))
problem("no-data", "struct", b"stat\0", "invalid record", b"", name="stat")
for size in (1, 95, 223, 225):
    problem("stat-%d" % size, "struct", b"stat\0" + bytes(size), "invalid record", bytes(size), name="stat")
problem("sockaddr-length", "struct", b"sockaddr\0\x05\1abc9", "invalid record", b"\x05\1abc9",
        name="sockaddr")
problem("sockaddr-short", "struct", b"sockaddr\0\x04\2ab", "invalid", b"\4\2ab", name="sockaddr",
        fields={"family": symbol(2, "AF_INET")})
problem("sockaddr-family", "struct", b"sockaddr\0\x04\xffab", "unknown address family", b"\4\xffab",
        name="sockaddr", fields={"family": {"value": 255}})


struct_case("rights", F64, b"caprights", struct.pack("<QQ", 1 | 1 << 57, 1 << 58),
            {"rights": {"value": ["0x200000000000001", "0x400000000000000"], "flags": ["CAP_READ"]}})
struct_case("cpuset", F64, b"cpuset_t", struct.pack("<QQ", 5, 1 << 63), {"cpus": [0, 2, 127]})


def elements(name, begin, size, structure, data, *found, options=""):
    case("array." + name, begin + v0(STRUCT_ARRAY, array(size, structure, data)), options + " -t t",
         {"type": "struct_array", "name": structure.decode(), "size": size, "elements": list(found)})


elements("pollfd", L64, 8, b"pollfd", struct.pack("<iHHiHH", -1, 1, 0, 4, 0x8005, 1) + b"\1",
         {"fd": -1, "events": flags(1, "POLLIN"), "revents": flags(0)},
         {"fd": 4, "events": flags(0x8005, "POLLIN", "POLLOUT", rest=0x8000), "revents": flags(1, "POLLIN")})
elements("none", L64, 8, b"pollfd", b"")
elements("nothing-unknown", L64, U64_MAX, b"cookie", b"")
elements("epoll", L64, 12, b"l_epoll_event", struct.pack("<IQ", 1, U64_MAX),
         {"events": flags(1, "EPOLLIN"), "data": "0xffffffffffffffff"})
elements("iovec", L64, 16, b"l_iovec", struct.pack("<QQ", 0x7f0000001000, U64_MAX),
         {"base": "0x7f0000001000", "len": U64_MAX})


def kevent(ident, filt, flag, fflags, data, udata):
    return struct.pack("<QhHIqQ32x", ident, filt, flag, fflags, data, udata)


elements("kevent", F64, 64, b"kevent",
         kevent(EXACT + 1, -1, 1, 1, -1, U64_MAX) + kevent(2, -6, 0, 0, 0, 0) + kevent(9, -11, 1, 0xc1000005, 0, 0) +
         kevent(U64_MAX, -99, 0, 3, 2**63 - 1, 0),
         {"ident": EXACT + 1, "filter": symbol(-1, "EVFILT_READ"), "flags": flags(1, "EV_ADD"),
          "fflags": flags(1, "NOTE_LOWAT"), "data": -1, "udata": "0xffffffffffffffff"},
         {"ident": symbol(2, "SIGINT"), "filter": symbol(-6, "EVFILT_SIGNAL"), "flags": flags(0), "fflags": flags(0),
          "data": 0, "udata": "0x0"},
         {"ident": 9, "filter": symbol(-11, "EVFILT_USER"), "flags": flags(1, "EV_ADD"),
          "fflags": flags(0xc1000005, "NOTE_TRIGGER", "NOTE_FFCOPY", rest=5), "data": 0, "udata": "0x0"},
         {"ident": U64_MAX, "filter": {"value": -99}, "flags": flags(0), "fflags": flags(3, rest=3),
          "data": 2**63 - 1, "udata": "0x0"})
problem("array-size", "struct_array", array(U64_MAX, b"pollfd", b"abc"), "bad size", b"abc",
        name="pollfd", size=U64_MAX)
problem("array-unknown", "struct_array", array(3, b"cookie", b"abc"), "unknown structure", b"abc",
        name="cookie", size=3)
problem("array-short", "struct_array", b"abc", "invalid record", b"abc")
problem("array-name", "struct_array", array(8, b"poll fd", b"\xff"), "invalid record",
        array(8, b"poll fd", b"\xff"), name="poll fd")
