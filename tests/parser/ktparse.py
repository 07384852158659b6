#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktparse.py [options] FILE...: checks every byte of trace files that ktrace.ko wrote.

Independent of libktrace and kdump on purpose: it was written from the description of the format alone. It knows what
a file must look like, not only what can be read: a kdump that forgives is no reason for the module to be careless.

  --stats         counts by record type and by call
  --json          the records, one JSON object a line
  --genio N       largest payload of a GENIO record (kern.ktrace.genio_size); default 131072
  --narg FOLDER   has syscalls-x86_64.tbl, -i386, -arm64 and -arm: check the number of arguments of each call
  --sessions      several sessions wrote to the file: only processes and threads are ordered in time
  --dead          every process has ended: each must have its PROCDTOR

Exit status 0: not one complaint; 1: complaints, one a line, "FILE: OFFSET: TEXT"; 2: usage.

As a module: read(path, ...) and parse(data, ...) return a Trace with .records and .problems.
"""
import argparse
import collections
import json
import struct
import sys

DROP, VERSIONED = 0x8000, 0x4000
TYPES = {
    1: "CALL", 2: "RET", 3: "NAMI", 4: "GIO", 5: "PSIG", 6: "CSW", 7: "USER", 8: "STRU", 9: "SCTL", 10: "PROCCTOR",
    11: "PROCDTOR", 12: "CAP", 13: "PFLT", 14: "PRET", 15: "ARRAY", 16: "ARGS", 17: "ENVS",
}
CALL, RET, NAMI, GIO, PSIG, CSW, USER, STRU, SCTL, PROCCTOR, PROCDTOR, CAP, PFLT, PRET, ARRAY, ARGS, ENVS = range(1, 18)

# sv_flags -> architecture and bits.
ABIS = {0x203: ("x86", 64), 0x4103: ("x86", 32), 0x40000203: ("arm", 64), 0x103: ("arm", 32)}
RESTART, JUSTRETURN = -1, -2

# Linux errno -> FreeBSD errno, for x86 and arm; what is not here FreeBSD does not have.
ERRNO = {n: n for n in range(1, 35) if n != 11}
ERRNO.update({
    11: 35, 35: 11, 36: 63, 37: 77, 38: 78, 39: 66, 40: 62, 42: 83, 43: 82, 61: 87, 66: 71, 67: 91, 71: 92, 72: 90,
    74: 89, 75: 84, 84: 86, 87: 68, 88: 38, 89: 39, 90: 40, 91: 41, 92: 42, 93: 43, 94: 44, 95: 45, 96: 46, 97: 47,
    98: 48, 99: 49, 100: 50, 101: 51, 102: 52, 103: 53, 104: 54, 105: 55, 106: 56, 107: 57, 108: 58, 109: 59, 110: 60,
    111: 61, 112: 64, 113: 65, 114: 37, 115: 36, 116: 70, 117: 97, 122: 69, 125: 85, 130: 96, 131: 95,
})
LINUX_ERRNO = {v: k for k, v in ERRNO.items()}

# Linux signal -> FreeBSD signal.
SIGNAL = {n: n for n in range(1, 16)}
SIGNAL.update({7: 10, 10: 30, 12: 31, 16: 256 + 16, 17: 20, 18: 19, 19: 17, 20: 18, 21: 21, 22: 22, 23: 16, 24: 24,
               25: 25, 26: 26, 27: 27, 28: 28, 29: 23, 30: 256 + 30, 31: 12})
SIGNAL.update({n: n + 33 for n in range(32, 65)})
LINUX_SIGNAL = {v: k for k, v in SIGNAL.items()}
CATCHABLE = {v for k, v in SIGNAL.items() if k not in (9, 19) and v < 256}

TABLES = {("x86", 64): "x86_64", ("x86", 32): "i386", ("arm", 64): "arm64", ("arm", 32): "arm"}
EXEC = {("x86", 64): (59, 322), ("x86", 32): (11, 358), ("arm", 64): (221, 281), ("arm", 32): (11, 387)}
EXECS = {arch: EXEC[arch, 64] + EXEC[arch, 32] for arch in ("x86", "arm")}
SIGRETURN = {("x86", 64): (15,), ("x86", 32): (119, 173), ("arm", 64): (139,), ("arm", 32): (119, 173)}
EXIT = {("x86", 64): (60, 231), ("x86", 32): (1, 252), ("arm", 64): (93, 94), ("arm", 32): (1, 248)}

HEADER = struct.Struct("<iHHi20sqqq")
V1_TAIL = struct.Struct("<iI")
SYSRET = struct.Struct("<hhiq")
SYSCALL = struct.Struct("<hhI")
STRINGS = 131072
CAP_WORD0, CAP_WORD1 = 1 << 57, 1 << 58
PSIG_S = struct.Struct("<iIQi4II")


class Record:
    """One record: header fields, and by type: code, args, error, retval, text, data, fd, rw, signo, ..."""
    __slots__ = ("offset", "type", "drop", "version", "pid", "tid", "comm", "ns", "cpu", "size", "payload", "abi")

    def __init__(self, offset, typ, drop, version, pid, tid, comm, ns, cpu, payload, abi):
        self.offset, self.type, self.drop, self.version = offset, typ, drop, version
        self.pid, self.tid, self.comm, self.ns, self.cpu = pid, tid, comm, ns, cpu
        self.payload, self.abi = payload, abi
        self.size = len(payload)

    @property
    def name(self):
        return TYPES.get(self.type, str(self.type))

    @property
    def code(self):
        return struct.unpack_from("<h", self.payload)[0] if self.type in (CALL, RET) else None

    @property
    def args(self):
        return struct.unpack_from("<%dQ" % ((self.size - 8) // 8), self.payload, 8)

    @property
    def error(self):
        return SYSRET.unpack(self.payload)[2]

    @property
    def linux_error(self):
        """The error as Linux has it: a number, "RESTART" or "JUSTRETURN"."""
        error = self.error
        if error in (RESTART, JUSTRETURN):
            return "RESTART" if error == RESTART else "JUSTRETURN"
        return error - 1000 if error > 1000 else LINUX_ERRNO.get(error, error)

    @property
    def retval(self):
        return SYSRET.unpack(self.payload)[3]

    @property
    def text(self):
        return self.payload.decode("utf-8", "backslashreplace")

    @property
    def fd(self):
        return struct.unpack_from("<i", self.payload)[0]

    @property
    def rw(self):
        return struct.unpack_from("<i", self.payload, 4)[0]

    @property
    def data(self):
        return self.payload[8:] if self.type == GIO else self.payload

    @property
    def psig(self):
        """signo (Linux), action, code, set of blocked Linux signals."""
        signo, _, action, code, m0, m1, m2, m3, _ = PSIG_S.unpack(self.payload)
        bits = m0 | m1 << 32 | m2 << 64 | m3 << 96
        return (LINUX_SIGNAL.get(signo, signo), action, code,
                {LINUX_SIGNAL.get(n + 1, n + 1) for n in range(128) if bits >> n & 1})

    @property
    def sv_flags(self):
        return struct.unpack_from("<I", self.payload)[0]

    @property
    def csw(self):
        """out, user, wmesg"""
        out, user, wmesg = struct.unpack("<ii8s", self.payload)
        return out, user, wmesg.partition(b"\0")[0].decode("ascii", "backslashreplace")

    @property
    def fault(self):
        """Address, and 1 read, 2 write, 4 execute."""
        return struct.unpack_from("<Qi", self.payload)

    @property
    def result(self):
        return struct.unpack_from("<i", self.payload)[0]

    @property
    def cap(self):
        """Type, and the capabilities needed and held, without the index bits."""
        kind, = struct.unpack_from("<i", self.payload)
        needed, _, held = struct.unpack_from("<QQQ", self.payload, 16 if self.version else 8)
        return kind, needed & ~CAP_WORD0, held & ~CAP_WORD0

    @property
    def cap_code(self):
        return struct.unpack_from("<h", self.payload, 4)[0] if self.version else None

    @property
    def cap_flags(self):
        return struct.unpack_from("<I", self.payload, 8)[0] if self.version else None

    def as_dict(self):
        d = {"offset": self.offset, "type": self.name, "pid": self.pid, "tid": self.tid,
             "comm": self.comm, "ns": self.ns, "version": self.version}
        if self.drop:
            d["drop"] = True
        if self.version:
            d["cpu"] = self.cpu
        if self.type == CALL:
            d.update(code=self.code, args=list(self.args), abi=self.abi)
        elif self.type == RET:
            d.update(code=self.code, error=self.error, linux_error=self.linux_error, retval=self.retval, abi=self.abi)
        elif self.type in (NAMI, SCTL):
            d.update(text=self.text)
        elif self.type == GIO:
            d.update(fd=self.fd, rw=self.rw, data=self.data.hex())
        elif self.type == PSIG:
            signo, action, code, mask = self.psig
            d.update(signo=signo, action=action, code=code, mask=sorted(mask))
        elif self.type == CAP:
            kind, needed, held = self.cap
            d.update(kind=kind, needed=needed, held=held)
        elif self.type == PROCCTOR:
            d.update(sv_flags=self.sv_flags)
        elif self.type == CSW:
            d.update(zip(("out", "user", "wmesg"), self.csw))
        elif self.type == PFLT:
            d.update(zip(("address", "access"), self.fault))
        elif self.type == PRET:
            d.update(result=self.result)
        elif self.size:
            d.update(data=self.payload.hex())
        return d


class Thread:
    """What a thread may write next."""
    __slots__ = ("call", "known", "psig", "ns", "fault", "stop", "refused", "trap", "last")

    def __init__(self):
        self.call = None        # code of the CALL that has no RET yet
        self.psig = False       # the last CALL, RET or PSIG was a PSIG
        self.last = None        # the type of its last record
        self.refused = False    # its call has a CAP that says so
        self.ns = 0
        self.forget()

    def forget(self):
        """Records were lost, or tracing begins again: what came before counts for nothing."""
        self.known = False      # we saw a CALL or RET and lost nothing since
        self.trap = None        # where a RET says that the call was taken back: SIGSYS must follow
        self.fault = None       # is a page fault open? None: who knows
        self.stop = None        # user and wmesg of the stop that has no resume yet; False: it runs; None: who knows


class Process:
    __slots__ = ("threads", "alive", "abi", "thread_abi", "ns", "ctors", "dtors", "ends", "image")

    def __init__(self):
        self.threads = {}
        self.alive = False
        self.abi = 64
        self.thread_abi = {}
        self.ns = 0
        self.ctors = self.dtors = 0
        self.ends = False       # ends of page faults are traced
        self.image = False      # the last PROCCTOR may be that of an exec


class Trace:
    """Reads the records of a file and complains about whatever is wrong with them."""

    def __init__(self, genio=131072, narg=None, sessions=False, dead=False, keep=True, limit=100):
        self.records = []
        self.problems = []
        self.counts = collections.Counter()
        self.calls = collections.Counter()
        self.drops = 0
        self.processes = {}
        self.genio, self.narg = genio, narg
        self.several, self.must_die, self.keep, self.limit = sessions, dead, keep, limit
        self.comms = {}
        self.last_ns = {0: 0, 1: 0}
        self.check = {
            CALL: self.check_call, RET: self.check_ret, NAMI: self.check_nami, GIO: self.check_gio,
            PSIG: self.check_psig, CSW: self.check_csw, USER: self.check_user, STRU: self.check_stru,
            SCTL: self.check_sctl, PROCCTOR: self.check_procctor, PROCDTOR: self.check_procdtor, CAP: self.check_cap,
            PFLT: self.check_pflt, PRET: self.check_pret, ARRAY: self.check_array, ARGS: self.check_strings,
            ENVS: self.check_strings,
        }
        self.arch, self.abi = "x86", 64
        self.version = self.kind = 0
        self.drop = False

    def bad(self, offset, text):
        if len(self.problems) < self.limit:
            self.problems.append((offset, text))

    # The file

    def parse(self, data):
        off, end = 0, len(data)
        check, counts, comms, processes = self.check, self.counts, self.comms, self.processes
        unpack = HEADER.unpack_from
        while off < end:
            if end - off < 56:
                self.bad(off, "partial header: %d bytes at the end of the file" % (end - off))
                break
            length, typ, ver, pid, comm, sec, frac, tid = unpack(data, off)
            version = 0
            cpu = None
            start = off + 56
            self.at = off
            if typ & VERSIONED:
                if end - off < 64:
                    self.bad(off, "partial v1 header: %d bytes at the end of the file" % (end - off))
                    break
                version = 1
                start = off + 64
                cpu, pad = V1_TAIL.unpack_from(data, off + 56)
                if ver != 1:
                    self.bad(off, "ktr_version is %d" % ver)
                if pad:
                    self.bad(off + 60, "padding after ktr_cpu is not zero: %#x" % pad)
                if not 0 <= cpu < 8192:
                    self.bad(off + 56, "ktr_cpu is %d" % cpu)
            elif ver:
                self.bad(off + 6, "padding after ktr_type is not zero: %#x" % ver)
            if length < 0 or start + length > end:
                self.bad(off, "ktr_len is %d, the file has %d bytes left" % (length, end - start))
                break
            kind = typ & 0x3fff
            drop = bool(typ & DROP)
            name = comms.get(comm)
            if name is None:
                name = self.read_comm(off, comm)
            if pid <= 0 or tid <= 0:
                self.bad(off, "pid %d, tid %d" % (pid, tid))
            if not 0 <= frac < (1000000000 if version else 1000000):
                self.bad(off + 40, "ktr_time has a fraction of %d" % frac)
            if sec < 1000000000:
                self.bad(off + 32, "ktr_time is %d: no wall clock" % sec)
            ns = sec * 1000000000 + frac * (1 if version else 1000)
            if ns < self.last_ns[version]:
                if not self.several:
                    self.bad(off, "time goes back by %d ns in the file" % (self.last_ns[version] - ns))
            else:
                self.last_ns[version] = ns

            payload = data[start:start + length]
            process = processes.get(pid)
            if process is None:
                process = processes[pid] = Process()
            thread = process.threads.get(tid)
            if thread is None:
                thread = process.threads[tid] = Thread()
            if ns // 1000 < max(thread.ns, process.ns) // 1000:
                self.bad(off, "time goes back within %s of pid %d" % ("thread" if ns < thread.ns else "process", pid))
            thread.ns = process.ns = ns
            if drop:
                self.drops += 1
                for t in process.threads.values():
                    t.forget()
            if not process.alive and kind != PROCCTOR:
                if drop:
                    pass                    # the PROCCTOR may be what was lost
                elif process.ctors:
                    self.bad(off, "%s of pid %d after its PROCDTOR" % (TYPES.get(kind, kind), pid))
                else:
                    self.bad(off, "%s of pid %d before its PROCCTOR" % (TYPES.get(kind, kind), pid))
                    process.ctors = 1       # once is enough
                process.alive = True
            if thread.stop and kind not in (CSW, PROCCTOR):
                self.bad(off, "%s of tid %d, which has stopped" % (TYPES.get(kind, kind), tid))
                thread.stop = None
            self.version, self.drop, self.kind = version, drop, kind
            self.abi = process.thread_abi.get(tid, process.abi)
            counts[kind] += 1
            function = check.get(kind)
            if function is None:
                self.bad(off, "record type %d is not one of ours" % kind)
            else:
                function(start, payload, process, thread, pid, tid)
            thread.last = kind
            if self.keep:
                self.records.append(Record(off, kind, drop, version, pid, tid, name, ns, cpu, payload, self.abi))
            off = start + length
        for process in processes.values():
            for thread in process.threads.values():
                self.check_trap(thread)
        if self.must_die:
            for pid, process in processes.items():
                if process.alive:
                    self.bad(end, "no PROCDTOR of pid %d" % pid)
        return self

    def read_comm(self, off, comm):
        name, nul, tail = comm.partition(b"\0")
        if not nul:
            self.bad(off + 12, "ktr_comm has no NUL")
        if tail.strip(b"\0"):
            self.bad(off + 12, "ktr_comm has garbage after its NUL: %r" % comm)
        if len(name) > 15:
            self.bad(off + 12, "ktr_comm has %d bytes" % len(name))
        text = name.decode("utf-8", "backslashreplace")
        if len(self.comms) < 10000 and not tail.strip(b"\0"):
            self.comms[comm] = text
        return text

    def size(self, off, payload, want):
        if len(payload) == want:
            return True
        self.bad(self.at, "payload of %d bytes, not %d" % (len(payload), want))
        return False

    # Records, by type. off is the payload's place in the file.

    def check_call(self, off, payload, process, thread, pid, tid):
        if len(payload) < 8:
            self.bad(self.at, "CALL of %d bytes" % len(payload))
            return
        code, narg, pad = SYSCALL.unpack_from(payload)
        self.calls[(self.abi, code)] += 1
        if pad:
            self.bad(off + 4, "CALL: padding is not zero: %#x" % pad)
        if not 0 <= narg <= 6 or len(payload) != 8 + 8 * narg:
            self.bad(self.at, "CALL with ktr_narg %d has %d bytes" % (narg, len(payload)))
        if code < -1:
            self.bad(off, "CALL of number %d" % code)
        if self.narg:
            want = self.narg[self.arch, self.abi].get(code, 6)
            if narg != want:
                self.bad(self.at, "CALL %d (%d-bit) has %d arguments, not %d" % (code, self.abi, narg, want))
        if self.abi == 32:
            for i in range((len(payload) - 8) // 8):
                if payload[12 + 8 * i:16 + 8 * i] not in (b"\0\0\0\0", b"\xff\xff\xff\xff"):
                    self.bad(off + 8 + 8 * i, "argument %d of a 32-bit CALL is no 32-bit number" % i)
        if thread.known and thread.call is not None and thread.call not in EXIT[self.arch, self.abi]:
            self.bad(self.at, "CALL %d of tid %d while its CALL %d has no RET" % (code, tid, thread.call))
        thread.call, thread.known, thread.psig = code, True, False
        thread.refused = False
        self.check_trap(thread)

    def check_trap(self, thread):
        if thread.trap is not None:
            self.bad(thread.trap, "RET is JUSTRETURN: neither exec nor sigreturn, nor refused by seccomp")
        thread.trap = None

    def check_ret(self, off, payload, process, thread, pid, tid):
        if not self.size(off, payload, 16):
            return
        code, eosys, error, retval = SYSRET.unpack(payload)
        if eosys:
            self.bad(off + 2, "RET: ktr_eosys is %d" % eosys)
        if error and retval:
            self.bad(off + 8, "RET: error %d, but ktr_retval is %#x" % (error, retval))
        if not self.errno_ok(error):
            self.bad(off + 4, "RET: ktr_error %d is no FreeBSD errno" % error)
        if error == JUSTRETURN and code not in EXECS[self.arch] + SIGRETURN[self.arch, self.abi]:
            thread.trap = None if thread.refused else self.at
        if code < -1:
            self.bad(off, "RET of number %d" % code)
        if code in EXECS[self.arch] and tid == pid and (error == JUSTRETURN or thread.call != code):
            self.after_exec(process, thread, code, error)
        if thread.known:
            if thread.call is None:
                self.bad(self.at, "RET %d of tid %d without CALL" % (code, tid))
            elif thread.call != code:
                self.bad(self.at, "RET %d of tid %d after CALL %d" % (code, tid, thread.call))
        thread.call, thread.known, thread.psig = None, True, False

    @staticmethod
    def after_exec(process, thread, code, error):
        """Only the thread that called execve is left, and its number is the process's now, even if it fails so late."""
        callers = [t for t in process.threads.values() if t.call == code and t.known]
        if error != JUSTRETURN and not callers:
            return
        for tid in [n for n, t in process.threads.items() if t is not thread]:
            del process.threads[tid]
        if thread.call != code and callers:
            thread.call, thread.known = code, True

    @staticmethod
    def errno_ok(error):
        if error in (0, RESTART, JUSTRETURN):
            return True
        if error > 1000:
            return error - 1000 not in ERRNO and error <= 1000 + 4095
        return error in LINUX_ERRNO

    def in_call(self, what, thread, tid):
        if thread.known and thread.call is None and not thread.psig:
            self.bad(self.at, "%s of tid %d outside of a call" % (what, tid))

    def check_nami(self, off, payload, process, thread, pid, tid):
        if len(payload) > 4095:
            self.bad(self.at, "NAMI of %d bytes" % len(payload))
        if b"\0" in payload:
            self.bad(off, "NAMI with a NUL in its path")
        self.in_call("NAMI", thread, tid)

    def check_gio(self, off, payload, process, thread, pid, tid):
        if not 8 <= len(payload) <= 8 + self.genio:
            self.bad(self.at, "GIO of %d bytes" % len(payload))
            return
        fd, rw = struct.unpack_from("<ii", payload)
        if rw not in (0, 1):
            self.bad(off + 4, "GIO: ktr_rw is %d" % rw)
        if fd < 0:
            self.bad(off, "GIO: ktr_fd is %d" % fd)
        self.in_call("GIO", thread, tid)

    def check_psig(self, off, payload, process, thread, pid, tid):
        if not self.size(off, payload, 40):
            return
        signo, pad0, _, _, m0, m1, m2, m3, pad1 = PSIG_S.unpack(payload)
        if pad0 or pad1:
            self.bad(off + (4 if pad0 else 36), "PSIG: padding is not zero")
        if signo not in LINUX_SIGNAL:
            self.bad(off, "PSIG: signal %d" % signo)
        bits = m0 | m1 << 32 | m2 << 64 | m3 << 96
        wrong = [n + 1 for n in range(128) if bits >> n & 1 and n + 1 not in CATCHABLE]
        if wrong:
            self.bad(off + 20, "PSIG: mask has signals %s" % wrong)
        if signo == SIGNAL[31]:
            thread.trap = None
        self.check_trap(thread)
        if thread.known and thread.call is not None:
            self.bad(self.at, "PSIG of tid %d while its CALL %d has no RET" % (tid, thread.call))
            thread.known = False
        thread.psig = True

    def check_csw(self, off, payload, process, thread, pid, tid):
        if self.size(off, payload, 16):
            out, user = struct.unpack_from("<ii", payload)
            name, nul, tail = payload[8:].partition(b"\0")
            if out not in (0, 1) or user not in (0, 1):
                self.bad(off, "CSW: out %d, user %d" % (out, user))
            if not nul or tail.strip(b"\0") or not name:
                self.bad(off + 8, "CSW: wmesg is %r" % payload[8:])
            if out:
                if thread.stop:
                    self.bad(self.at, "CSW: tid %d stops, and has not resumed from %s" % (tid, thread.stop[1]))
                thread.stop = user, name.decode("ascii", "backslashreplace")
            else:
                if thread.stop is False:
                    self.bad(self.at, "CSW: tid %d resumes, and had not stopped" % tid)
                elif thread.stop and thread.stop != (user, name.decode("ascii", "backslashreplace")):
                    self.bad(off, "CSW: tid %d resumes from %d %r, and stopped in %s" % (tid, user, name, thread.stop))
                thread.stop = False

    def check_user(self, off, payload, process, thread, pid, tid):
        if len(payload) > 2048:
            self.bad(self.at, "USER of %d bytes" % len(payload))

    def check_name(self, off, payload, at):
        name, nul, rest = payload[at:].partition(b"\0")
        if not nul or not name or not name.replace(b"_", b"").isalnum():
            self.bad(off + at, "no structure name: %r" % payload[at:at + 40])
        return name, rest

    def check_stru(self, off, payload, process, thread, pid, tid):
        name, rest = self.check_name(off, payload, 0)
        if name == b"sockaddr":
            if len(rest) < 2 or rest[0] != len(rest):
                self.bad(off, "STRU sockaddr: %d bytes, sa_len says otherwise" % len(rest))
        elif name == b"stat":
            if len(rest) != 224 or rest[136:144] != bytes(8) or rest[144:].strip(b"\0"):
                self.bad(off, "STRU stat: %d bytes, or no zeros at its end" % len(rest))
        elif name in (b"itimerval", b"timespec"):
            if len(rest) != (32 if name == b"itimerval" else 16):
                self.bad(off, "STRU %s: %d bytes" % (name.decode(), len(rest)))
        elif not name.startswith(b"l_"):
            self.bad(off, "STRU %r is not one of ours" % name)

    def check_sctl(self, off, payload, process, thread, pid, tid):
        name, nul, rest = payload.partition(b"\0")
        if not name or not nul or rest or any(not part for part in name.split(b".")):
            self.bad(off, "SCTL %r" % payload[:80])
        self.in_call("SCTL", thread, tid)

    def check_procctor(self, off, payload, process, thread, pid, tid):
        if not self.size(off, payload, 4):
            return
        flags, = struct.unpack("<I", payload)
        if flags not in ABIS:
            self.bad(off, "PROCCTOR: sv_flags are %#x" % flags)
            return
        process.ctors += 1
        self.arch, abi = ABIS[flags]
        process.image = process.alive or self.drop
        if not process.alive:
            process.alive = True
            process.threads = {tid: thread}
            process.thread_abi = {}
            process.abi = abi
            thread.call, thread.psig = None, False
            thread.forget()
            return
        if any(t.known and t.call is not None and t.call in EXECS[self.arch] for t in process.threads.values()):
            process.abi = abi       # the call is an exec: the whole process changes
            process.thread_abi = {}
            for other in process.threads.values():
                other.fault = other.stop = None     # whoever called it has the number of another now
                if self.several:
                    other.known = False     # or the exec ended the trace, and the process was set again
            return
        process.image = not thread.known
        if abi != self.abi:
            process.thread_abi[tid] = abi   # before or after a 32-bit call of this thread
            return
        for other in process.threads.values():
            other.forget()                  # the process was set again, perhaps after a pause

    def check_procdtor(self, off, payload, process, thread, pid, tid):
        self.size(off, payload, 0)
        for t in process.threads.values():
            self.check_trap(t)
        process.alive = False
        process.dtors += 1
        process.threads = {}

    def check_cap(self, off, payload, process, thread, pid, tid):
        if not self.size(off, payload, 1040 if self.version else 40):
            return
        kind, pad = struct.unpack_from("<iI", payload)
        if kind not in (0, 2):
            self.bad(off, "CAP: type %d" % kind)
        at = 16 if self.version else 8
        if self.version:
            self.check_cap_call(off, payload, thread, tid)
        elif pad:
            self.bad(off + 4, "CAP: padding is not zero: %#x" % pad)
        if payload[at + 32:].strip(b"\0"):
            self.bad(off + at + 32, "CAP: no zeros at its end")
        words = struct.unpack_from("<4Q", payload, at)
        if kind == 2:
            thread.refused = True
            if thread.known and thread.call is None:
                self.bad(self.at, "CAP of tid %d: a refused system call, outside of a call" % tid)
            if words != ((0, 0, 0, 0) if self.version else (CAP_WORD0, CAP_WORD1) * 2):
                self.bad(off + at, "CAP: a refused system call with capabilities: %s" % (words,))
            return
        if words[0] & CAP_WORD0 != CAP_WORD0 or words[2] & CAP_WORD0 != CAP_WORD0 or words[1::2] != (CAP_WORD1,) * 2:
            self.bad(off + at, "CAP: index bits: %#x %#x %#x %#x" % words)
        needed, held = words[0] & ~CAP_WORD0, words[2] & ~CAP_WORD0
        if not needed or needed & (needed - 1) or needed >> 41:
            self.bad(off + at, "CAP: needed is %#x" % needed)
        if held >> 41:
            self.bad(off + at + 16, "CAP: held is %#x" % held)

    def check_cap_call(self, off, payload, thread, tid):
        code, pad0, flags, pad1 = struct.unpack_from("<hHII", payload, 4)
        if pad0 or pad1:
            self.bad(off + (6 if pad0 else 12), "CAP: padding is not zero")
        if flags not in ABIS:
            self.bad(off + 8, "CAP: sv_flags are %#x" % flags)
        elif thread.known and ABIS[flags] != (self.arch, self.abi):
            self.bad(off + 8, "CAP: sv_flags are %#x in a call of another ABI" % flags)
        if thread.known and thread.call is not None and code != thread.call:
            self.bad(off + 4, "CAP of call %d of tid %d in its CALL %d" % (code, tid, thread.call))

    def check_pflt(self, off, payload, process, thread, pid, tid):
        if self.size(off, payload, 16):
            _, kind, pad = struct.unpack("<QiI", payload)
            if kind not in (1, 2, 4) or pad:
                self.bad(off + 8, "PFLT: type %d, padding %#x" % (kind, pad))
        if thread.fault and process.ends:
            self.bad(self.at, "PFLT of tid %d, whose last one has no PRET" % tid)
        thread.fault = True

    def check_pret(self, off, payload, process, thread, pid, tid):
        if self.size(off, payload, 4):
            result, = struct.unpack("<i", payload)
            if result not in (0, 1, 2, 6):
                self.bad(off, "PRET: result %d" % result)
        if thread.fault is False:
            self.bad(self.at, "PRET of tid %d without PFLT" % tid)
        elif thread.fault:
            thread.fault = False
        process.ends = True

    def check_array(self, off, payload, process, thread, pid, tid):
        if len(payload) < 10:
            self.bad(self.at, "STRUCT_ARRAY of %d bytes" % len(payload))
            return
        size, = struct.unpack_from("<Q", payload)
        _, rest = self.check_name(off, payload, 8)
        if not size or len(rest) % size:
            self.bad(off, "STRUCT_ARRAY: %d bytes in elements of %d" % (len(rest), size))

    def check_strings(self, off, payload, process, thread, pid, tid):
        if len(payload) > STRINGS:
            self.bad(self.at, "strings of %d bytes" % len(payload))
        after = (PROCCTOR,) if self.kind == ARGS else (PROCCTOR, ARGS)
        if not self.drop and not (process.image and tid == pid and thread.last in after):
            self.bad(self.at, "strings of tid %d that do not follow the PROCCTOR of an exec" % tid)
        # Only what was cut has no NUL at its end; what can be cut has been longer than a page.
        if payload and payload[-1] and len(payload) < 4096:
            self.bad(off + len(payload), "strings without a NUL at their end")

    # Help for tests

    def of(self, *kinds, pid=None, tid=None, comm=None):
        """The records of these kinds (all: none given) of a process, thread or command."""
        return [r for r in self.records if (not kinds or r.type in kinds) and (pid is None or r.pid == pid) and
                (tid is None or r.tid == tid) and (comm is None or r.comm == comm)]


def load_narg(folder):
    """Argument counts by architecture and bits, from syscalls-*.tbl: lines of number, name, count."""
    tables = {}
    for abi, name in TABLES.items():
        tables[abi] = {}
        with open("%s/syscalls-%s.tbl" % (folder, name), encoding="ascii") as f:
            for line in f:
                if line[0] != "#":
                    number, _, narg = line.split()
                    tables[abi][int(number)] = int(narg)
    return tables


def parse(data, **options):
    return Trace(**options).parse(data)


def read(path, **options):
    with open(path, "rb") as f:
        return parse(f.read(), **options)


def main():
    parser = argparse.ArgumentParser(description="checks every byte of a trace file")
    parser.add_argument("--stats", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--genio", type=int, default=131072)
    parser.add_argument("--narg")
    parser.add_argument("--sessions", action="store_true")
    parser.add_argument("--dead", action="store_true")
    parser.add_argument("file", nargs="+")
    args = parser.parse_args()
    status = 0
    for path in args.file:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as f:
                data = f.read()
        trace = parse(data, genio=args.genio, narg=load_narg(args.narg) if args.narg else None, sessions=args.sessions,
                      dead=args.dead, keep=args.json)
        if args.json:
            for record in trace.records:
                print(json.dumps(record.as_dict()))
        if args.stats:
            for kind, count in sorted(trace.counts.items()):
                print("%-8s %d" % (TYPES.get(kind, kind), count))
            for (abi, code), count in trace.calls.most_common():
                print("CALL %d/%d %d" % (code, abi, count))
            print("DROP     %d" % trace.drops)
        for offset, text in trace.problems:
            print("%s: %d: %s" % (path, offset, text), file=sys.stderr if args.json or args.stats else sys.stdout)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
