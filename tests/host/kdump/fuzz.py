# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files that no kernel writes: known ones, damaged at random, and the same for the same seed.

Whatever a file has in it, kdump ends by itself with status 0 or 1, one line on stderr at most, and nothing in its
output that a terminal would take for a command.
"""
import glob
import os
import random
import re
import struct

import cases
from craft import (ARGS, CAPFAIL, CSW, ENVS, EXTERR, FAULT, FAULTEND, FREEBSD32, FREEBSD64, GENIO, LINUX32, LINUX64,
                   LINUX_ARM64, LINUX_ARM32, NAMEI, PROCCTOR, PROCDTOR, PSIG, STRUCT, STRUCT_ARRAY, SYSCALL, SYSCTL,
                   SYSRET, USER, VERSIONED)

# Controls but TAB and newline, C1 controls, and the characters that out.c does not show either.
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef"
                       "\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]")
REPORT = re.compile(rb"Sanitizer|runtime error")

KINDS = (SYSCALL, SYSRET, NAMEI, GENIO, PSIG, CSW, USER, STRUCT, SYSCTL, PROCCTOR, PROCDTOR, CAPFAIL, FAULT, FAULTEND,
         STRUCT_ARRAY, ARGS, ENVS, EXTERR)
STRUCTS = {"sockaddr": (2, 16, 28, 12, 20, 110, 128), "stat": (224, 208, 120, 96), "itimerval": (32, 16),
           "timespec": (16,), "l_sigset_t": (8,), "l_rlimit": (16,), "l_sigaction": (32,), "l_timex": (208,),
           "l_utsname": (390,), "l_sched_param": (4,), "l_sched_attr": (56,), "l_cap_data": (12, 24),
           "l_clone_args": (88,), "l_open_how": (24,), "caprights": (16,), "cpuset_t": (32, 128), "inotify": (16, 32),
           "splice": (32, 20), "thrparam": (104, 52)}
ARRAYS = {"pollfd": 8, "l_epoll_event": 12, "l_iovec": 16, "kevent": 64, "kevent_freebsd11": 32, "kevent32": 56,
          "kevent32_freebsd11": 20, "freebsd11_kevent": 32, "freebsd11_kevent32": 20}
FAMILIES = (0, 1, 2, 28, 38, 145, 168, 166, 200)
SIZES = (0, 1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 56, 64, 88, 96, 120, 128, 208, 224, 256, 390, 1024, 1040)
NUMBERS = (0, 1, 2, 7, 8, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32,
           1 << 57, 1 << 58, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
MAX_FILE = 1 << 16  # larger ones are no more use, and slow


def corpus(here):
    """Contents of known files, in an order that does not change."""
    found = []
    for path in sorted(glob.glob(os.path.join(here, "golden", "*.ktrace"))):
        with open(path, "rb") as f:
            found.append(f.read())
    found += [data for _, data, _, _, _ in cases.CASES]
    return sorted({data for data in found if 0 < len(data) <= MAX_FILE})


def split(data):
    """The records of a file with 64-bit headers, or None when it is anything else."""
    records = []
    while data:
        length, kind = struct.unpack_from("<iH", data.ljust(6, b"\0"))
        end = (64 if kind & VERSIONED else 56) + length
        if length < 0 or end > len(data):
            return None
        records.append(bytearray(data[:end]))
        data = data[end:]
    return records


# What a reader asks of a payload, or ends there.
LEAST = {SYSCALL: 8, SYSRET: 16, GENIO: 8, PSIG: 40, CSW: 8, PROCCTOR: 4, CAPFAIL: 40, FAULT: 12, FAULTEND: 4,
         EXTERR: 200}


def mend(record):
    """Makes a record long enough for its type."""
    kind, = struct.unpack_from("<H", record, 4)
    size = 64 if kind & VERSIONED else 56
    kind &= 0x3fff
    record += bytes(max(0, size + LEAST.get(kind, 0) - len(record)))
    if kind == SYSCALL:
        arguments, = struct.unpack_from("<H", record, size + 2)
        struct.pack_into("<H", record, size + 2, min(arguments, (len(record) - size - 8) // 8))
    struct.pack_into("<i", record, 0, len(record) - size)


EXPRESSIONS = ("read,close,open", "%file", "!%desc", "/^(o|r)/", "errno=ENOENT", "!errno=2", "status=failed",
               "status=ok,restart", "slower=1us", "!slower=0.5ms", "path=/", "!path=/a,b", "pid=700", "tid=701", "comm=prog",
               "time=0..1", "!time=@1700000000..", "time=..0.000005")

# The options that views refuse.
REFUSED = {
    "--tree": [*"AcEHRTSdnrsmte", "duration", "fds", "failed", "ok"],
    "--summary": [*"AcEHRTSdnrsmt", "duration", "fds"],
    "--json": [*"AcEHRTSd", "duration"],
    "--truss": [*"AcHd"],
}


class Fuzzer:
    def __init__(self, files):
        self.files = files
        self.records = [records for records in map(split, files) if records]

    @staticmethod
    def content(rng, size):
        """Bytes, or mostly zeros, which more decoders take for something."""
        if rng.random() < 0.6:
            return bytearray(rng.randbytes(size))
        data = bytearray(size)
        for _ in range(rng.randrange(4)):
            number = struct.pack("<Q", rng.choice(NUMBERS))
            at = rng.randrange(size + 1)
            data[at:at + 8] = number[:len(data) - at]
        return data

    def structure(self, rng):
        name = rng.choice(sorted(STRUCTS))
        data = self.content(rng, max(0, rng.choice(STRUCTS[name]) + rng.choice((0,) * 8 + (-1, 1))))
        if name == "sockaddr" and len(data) > 1 and rng.random() < 0.9:
            data[:2] = min(len(data), 255), rng.choice(FAMILIES)
        return STRUCT, name.encode() + b"\0" + data

    def array(self, rng):
        name = rng.choice(sorted(ARRAYS))
        size = ARRAYS[name]
        data = self.content(rng, max(0, size * rng.randrange(5) + rng.choice((0,) * 8 + (-1, 1))))
        if rng.random() < 0.1:
            size = rng.choice(SIZES + NUMBERS)
        return STRUCT_ARRAY, struct.pack("<Q", size) + name.encode() + b"\0" + data

    def payload(self, rng):
        """One that might be taken for a structure."""
        kind, payload = self.structure(rng) if rng.random() < 0.6 else self.array(rng)
        if rng.random() < 0.05:
            payload = rng.randbytes(rng.randrange(6)) + payload
        return kind, payload

    def make_record(self, rng):
        header = bytearray(rng.choice(self.records)[0])
        v1 = struct.unpack_from("<H", header, 4)[0] & VERSIONED
        header = header[:64 if v1 else 56]
        choice = rng.random()
        if choice < 0.5:
            kind, payload = self.payload(rng)
        elif choice < 0.65:
            kind = PROCCTOR
            payload = struct.pack("<I", rng.choice((LINUX64, LINUX32, LINUX_ARM64, LINUX_ARM32, FREEBSD64, FREEBSD32, 0,
                                                    0xffffffff)))
        else:
            kind, payload = rng.choice(KINDS), rng.randbytes(rng.choice(SIZES))
        struct.pack_into("<iHH", header, 0, len(payload), kind | (VERSIONED if v1 else 0), 1 if v1 else 0)
        return header + payload

    def change_payload(self, rng, record):
        """The header goes on telling the truth."""
        size = 64 if struct.unpack_from("<H", record, 4)[0] & VERSIONED else 56
        payload = record[size:]
        choice = rng.randrange(6)
        if choice == 0 and payload:
            payload[rng.randrange(len(payload))] ^= 1 << rng.randrange(8)
        elif choice == 1 and payload:
            number = struct.pack("<Q", rng.choice(NUMBERS))[:rng.choice((1, 2, 4, 8))]
            at = rng.randrange(len(payload))
            payload[at:at + len(number)] = number
        elif choice == 2:
            del payload[rng.randrange(len(payload) + 1):]
        elif choice == 3:
            payload += rng.randbytes(rng.choice(SIZES))
        elif choice == 4:
            payload = bytearray(rng.choice(rng.choice(self.records))[size:])
        else:
            payload = rng.choice((b"\x1b[2J", b"\x9b", b"\xff", b"\r", b"\0")) * rng.randrange(1, 64) + payload
        del record[size:]
        record += payload
        struct.pack_into("<i", record, 0, len(payload))
        if rng.random() < 0.2:
            kind, = struct.unpack_from("<H", record, 4)
            struct.pack_into("<H", record, 4, kind & 0xc000 | rng.choice(KINDS))

    def change_header(self, rng, record):
        choice = rng.randrange(4)
        if choice == 0:
            struct.pack_into("<I", record, 0, rng.choice(NUMBERS) & 0xffffffff)
        elif choice == 1:
            struct.pack_into("<H", record, 4, rng.randrange(1 << 16))
        else:
            record[rng.randrange(56)] = rng.randrange(256)

    def damage(self, rng, records):
        at = rng.randrange(len(records))
        choice = rng.random()
        if choice < 0.45:
            self.change_payload(rng, records[at])
        elif choice < 0.75:
            records.insert(at, self.make_record(rng))
        elif choice < 0.85:
            records.insert(at, bytearray(rng.choice(rng.choice(self.records))))
        elif choice < 0.9:
            records.insert(at, bytearray(records[at]))
        elif len(records) > 1:
            del records[at]

    def spliced(self, rng):
        """Parts of several files, in which all headers are right, but for one at most."""
        records = []
        for _ in range(rng.randrange(1, 5)):
            source = rng.choice(self.records)
            start = rng.randrange(len(source))
            records += [bytearray(record) for record in source[start:start + 50]]
        for _ in range(rng.randrange(1, 40)):
            self.damage(rng, records)
        if rng.random() < 0.9:
            for record in records:
                mend(record)
        if rng.random() < 0.1:
            self.change_header(rng, rng.choice(records))
        return bytearray(b"".join(records))

    def flipped(self, rng):
        """One file, of any kind, with some bits changed."""
        data = bytearray(rng.choice(self.files))
        for _ in range(rng.randrange(1, 64)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return data

    def file(self, rng):
        data = self.spliced(rng) if rng.random() < 0.85 else self.flipped(rng)
        choice = rng.random()
        if choice < 0.1:
            del data[rng.randrange(len(data) + 1):]
        elif choice < 0.15:
            data[rng.randrange(len(data) + 1):] = rng.choice(self.files)
        return bytes(data)

    @staticmethod
    def options(rng):
        found = [option for option in "ndrHATERcSs" if rng.random() < 0.3]
        found = ["-" + "".join(found)] if found else []
        if rng.random() < 0.2:
            found += ["-m", str(rng.choice((0, 1, 2, 5, 16, 17, 4096, 2**31 - 1)))]
        if rng.random() < 0.2:
            found += ["-t", "".join(rng.sample("acefinpstuwxy+", rng.randrange(1, 6)))]
        if rng.random() < 0.05:
            found += ["-p", str(rng.choice((1, 700, 701, 1234, 2**31 - 1)))]
        if rng.random() < 0.3:
            found.append(rng.choice(("--fds", "--fds", "--duration", "--tree", "--truss", "--truss", "--summary", "--summary=process")))
        while rng.random() < 0.25:
            found += ["-e", rng.choice(EXPRESSIONS)]
        return suited(found)

    def make(self, seed):
        """The file and the options of a seed."""
        rng = random.Random("kdump %d" % seed)
        return self.file(rng), self.options(rng)


NONE = b"kdump: no record was selected\n"


def suited(options):
    """Without those that the view among them refuses."""
    view = next((option.split("=")[0] for option in options if option.split("=")[0] in REFUSED), None)
    if not view:
        return options
    found, words = [], iter(options)
    for word in words:
        value = [next(words)] if word in ("-m", "-t", "-p", "-e") else []
        if word.startswith("--"):
            found += [word] if word[2:] not in REFUSED[view] else []
        elif value:
            found += [word] + value if word[1] not in REFUSED[view] else []
        else:
            left = "".join(letter for letter in word[1:] if letter not in REFUSED[view])
            found += ["-" + left] if left else []
    return found


def problem(process):
    """What is wrong with what came of such a file, or None."""
    if REPORT.search(process.stderr):
        return process.stderr.decode("ascii", "backslashreplace")
    if process.returncode not in (0, 1):
        return "status %d, stderr: %s" % (process.returncode, process.stderr)
    if (process.returncode == 1) != bool(process.stderr) and process.stderr != NONE:
        return "status %d, stderr: %s" % (process.returncode, process.stderr)
    for name, data in (("stdout", process.stdout), ("stderr", process.stderr)):
        try:
            match = FORBIDDEN.search(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            return "%s is no UTF-8: %s" % (name, error)
        if match:
            at = match.start()
            return "%s has %r in %r" % (name, match.group(), data.decode("utf-8")[max(0, at - 60):at + 20])
    if process.stderr and (not process.stderr.startswith(b"kdump: ") or process.stderr.count(b"\n") != 1):
        return "stderr: %s" % process.stderr
    if process.stdout and not process.stdout.endswith(b"\n"):
        return "the last line does not end: %s" % process.stdout[-80:]
    return None
