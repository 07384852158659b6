# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What the system tests are made of.

A case is a function in cases/*.py, registered by one line:

    @case(timeout=30)
    def getppid(t):
        "Issue sentence that this proves."

Its name is FILE.FUNCTION, with - for _. It runs in the guest, as root, in a process and a cgroup of its own and in an
empty folder, t.dir. It fails by an exception: t.eq() and t.ok() raise, and so does t.read() of a trace file that
ktparse complains about. Trace files that a case leaves unread in its folder (*.kt, ktrace.out) are checked afterwards.
So is the kernel's log: whatever our modules say there fails the case, unless the case asks for it by t.kernel_log().
"""
import ctypes
import errno
import fcntl
import os
import pickle
import re
import struct
import subprocess
import sys
import time
import traceback
import zlib

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "parser"), os.path.join(HERE, "..", "..", "scripts", "lib")]
import ktparse  # noqa: E402
import races  # noqa: E402
CALL, RET, NAMI, GIO, PSIG, USER, PROCCTOR, PROCDTOR = (
    ktparse.CALL, ktparse.RET, ktparse.NAMI, ktparse.GIO, ktparse.PSIG, ktparse.USER, ktparse.PROCCTOR, ktparse.PROCDTOR)
STRU, ARRAY = ktparse.STRU, ktparse.ARRAY
CSW, PFLT, PRET = ktparse.CSW, ktparse.PFLT, ktparse.PRET
SCTL, CAP, ARGS, ENVS = ktparse.SCTL, ktparse.CAP, ktparse.ARGS, ktparse.ENVS

BIN = "/tests/bin"
DATA = "/tests/data"
ARM = os.uname().machine == "aarch64"
SV = 0x40000203 if ARM else 0x203       # sv_flags of our own ABI
SV32 = 0x103 if ARM else 0x4103         # ... and of 32-bit programs
OUT = "/var/tmp/out"
LOADER = "/lib/ld-linux-aarch64.so.1" if ARM else "/lib64/ld-linux-x86-64.so.2"     # of dynamic programs
# Has docs/ and README.md: on the host they are where they belong, a guest has copies.
TREE = "/tests/tree" if HERE.startswith("/tests/") else os.path.join(HERE, "..", "..")
NEXT_VERSION = "9.9.9"    # that the packages in /tests/deb-next claim to be
DEVICE = "/dev/ktrace"

SET, CLEAR, CLEARFILE, DESCEND, V1 = 0, 1, 2, 4, 0x100
F_CALL, F_RET, F_NAMI, F_GIO, F_PSIG, F_USER = 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 7
F_CTOR, F_DTOR = 1 << 10, 1 << 11
F_CSW, F_FAULT, F_FAULTEND = 1 << 6, 1 << 13, 1 << 14
F_C = F_CALL | F_RET
F_ALL = F_C | F_NAMI | F_GIO | F_PSIG | F_USER
INHERIT, ROOT, FAC_DROP = 0x40000000, 0x80000000, 0x20000000

IOC_VERSION, IOC_OP, IOC_UTRACE, IOC_FLUSH, IOC_STATS = 0xBD00, 0x4018BD01, 0x4010BD02, 0x4004BD03, 0xC078BD04
STATS = struct.Struct("<iI14Q")
STATS_NAMES = ("sessions processes recorded bytes written lost_full lost_pool lost_hook lost_memory lost_write "
               "short_data held error").split()

# What a guest is started with. Cases of the same guest share a boot.
GUESTS = {
    "main": {},
    "one": {"cpus": 1},
    "rough": {"share": True},
    "hostile": {},
    "load": {},
    "yama": {},
    "ktr": {},
    "locked": {},               # what is done to it cannot be undone
    "count": {"cpus": 1, "icount": True},
    # What these compile takes minutes. They find what of build/tests they need in /tests.
    "dkms": {"module": False},
    "deb": {"module": False, "files": ["deb", "deb-next"]},
    "packaged": {"files": ["deb", "deb-next"]},
    "bpf": {"module": False, "tools": True},
    "both": {"tools": True},    # the module, and the recorder with BPF
    "secure": {"module": False, "kernel": "6.1", "secure": True, "files": ["deb", "modules", "keys"],
               "with": ["keyutils", "mokutil", "openssl"]},    # Secure Boot is on
    "crash": {"dies": True},    # one for each case, which says by its console what is to be on the console
    "faults": {"kernel": "debug"},
    "kdb": {"kernel": "debug"},    # one for each case, whose dialog talks to the kernel's debugger
}

# Kernels on which everything takes longer, and how many times.
SLOW = {"debug": 8, "kcsan": 8, "arm64": 2}

# What ktr.ko says of a class when it is first on, on kernels that have less than the newest.
LACKS = re.compile(r"ktr: KTR_(\w+): this kernel (?:lacks((?: \w+)+)|has no tracepoints for it)$")

# What no line of the kernel's log should have.
COMPLAINT = re.compile(r"\bktrace:|\bktr:|WARNING|BUG|Oops|general protection|RCU|hung|blocked for more")

cases = {}


class Numbers:
    """System calls of an ABI: numbers as attributes."""

    def __init__(self, native, arm):
        self.table = arm if ARM else native

    def __getattr__(self, name):
        # On the host the cases are listed, and their numbers mean nothing.
        for folder in DATA, os.path.join(HERE, "..", "..", "scripts", "data"):
            path = os.path.join(folder, "syscalls-%s.tbl" % self.table)
            if os.path.exists(path):
                with open(path, encoding="ascii") as f:
                    vars(self).update((row[1], int(row[0])) for row in (line.split() for line in f) if row[0] != "#")
                break
        if name not in vars(self):
            raise AttributeError("%s has no call %s" % (self.table, name))
        return vars(self)[name]


NR, NR32 = Numbers("x86_64", "arm64"), Numbers("i386", "arm")


class Fail(Exception):
    pass


class Skip(Exception):
    pass


class Case:
    def __init__(self, function, name, guest, timeout, long, console, core, dialog):
        self.function, self.name, self.guest, self.timeout, self.long = function, name, guest, timeout, long
        self.console, self.core, self.dialog = console, core, dialog


def case(guest="main", timeout=60, long=None, console=None, core=None, dialog=None, x86=False):
    """Registers a case; guest may be several names, separated by spaces: the case runs in each.

    long: seconds that it may take when it does more, t.long being True (tests/system/run -a).
    console: of a case that crashes its guest: is called on the host with the lines of the kernel's console afterwards,
    and returns what is wrong with them, or nothing. core: likewise, with the path of the guest's memory as an ELF file.
    x86: of a case about something that other architectures do not have.
    dialog: of a case that enters the kernel's debugger: is called on the host meanwhile with a kdb.Kdb, and raises Fail.
    """
    def skip(t):
        raise Skip("it is about x86")

    def register(function):
        group = function.__module__.rpartition(".")[2]
        base = "%s.%s" % (group, function.__name__.replace("_", "-"))
        guests = guest.split()
        for g in guests:
            full = base if len(guests) == 1 else "%s.%s" % (base, g)
            assert full not in cases and g in GUESTS, full
            cases[full] = Case(skip if x86 and ARM else function, full, g, timeout, long, console, core, dialog)
        return function
    return register


def limit(case_, all_):
    """Seconds that a case may take on the usual kernel; all_: with -a."""
    return case_.long if all_ and case_.long else case_.timeout


def slow():
    """In a guest: how many times longer than usual things may take."""
    return SLOW.get(os.uname().release.rpartition("-")[2], 1)


def in_time(t, began, what, own, waits=0):
    """What began then took the seconds that the module may wait, and as many of its own as it needs on the usual kernel."""
    took, most = time.monotonic() - began, waits + own * slow()
    print("# %s: %.1f s of %d" % (what, took, most))
    t.ok(took < most, "%s took %.1f s, and may take %d" % (what, took, most))


def load_cases():
    folder = os.path.join(HERE, "cases")
    sys.path.insert(0, HERE)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            __import__("cases." + name[:-3])
    return cases


def _errno_name(number):
    return errno.errorcode.get(number, str(number))


def crc(data):
    return "%08x" % zlib.crc32(data)


def structure(r):
    """STRU name bytes, or ARRAY name size count bytes; more than 64 bytes as length:crc."""
    size = struct.unpack_from("<Q", r.payload)[0] if r.type == ARRAY else 0
    name, _, data = r.payload[8 if size else 0:].partition(b"\0")
    shown = data.hex() if len(data) <= 64 else "%d:%s" % (len(data), crc(data))
    what = "ARRAY %s %d %d" % (name.decode(), size, len(data) // size) if size else "STRU %s" % name.decode()
    return "%s %s" % (what, shown)


def lines(records):
    """Records as programs write down what they did: see prog/expect.h."""
    out = []
    for r in records:
        if r.type == CALL:
            mask = 0xffffffff if r.abi == 32 else 0xffffffffffffffff
            out.append(" ".join(["CALL %d" % r.code] + ["%x" % (a & mask) for a in r.args]))
        elif r.type == RET:
            error = r.linux_error
            if isinstance(error, str):
                out.append("RET %d %s" % (r.code, error))
            elif error:
                out.append("RET %d E%d" % (r.code, error))
            else:
                mask = 0xffffffff if r.abi == 32 else 0xffffffffffffffff
                out.append("RET %d %x" % (r.code, r.retval & mask))
        elif r.type == NAMI:
            out.append("NAMI %d %s" % (len(r.payload), crc(r.payload) if len(r.payload) > 200 else r.text))
        elif r.type == GIO:
            out.append("GIO %d %s %d %s" % (r.fd, "rw"[r.rw], len(r.data), crc(r.data)))
        elif r.type == PSIG:
            signo, action, code, mask = r.psig
            out.append("PSIG %d %x %d %s" % (signo, action, code, ",".join(map(str, sorted(mask))) or "-"))
        elif r.type == USER:
            out.append("USER %d %s" % (len(r.payload), crc(r.payload)))
        elif r.type in (STRU, ARRAY):
            out.append(structure(r))
        elif r.type == CSW:
            out.append("CSW %s %d %s" % (("resume", "stop")[r.csw[0]], *r.csw[1:]))
        elif r.type == PFLT:
            out.append("PFLT %x %d" % r.fault)
        elif r.type == PRET:
            out.append("PRET %d" % r.result)
        elif r.type == PROCCTOR:
            out.append("PROCCTOR %x" % r.sv_flags)
        elif r.type in (ARGS, ENVS):
            out.append("%s %d %s" % (r.name, r.size, crc(r.payload)))
        elif r.type == CAP:
            out.append("CAP %d %x %x" % r.cap)
        elif r.type == SCTL:
            out.append("SCTL %s" % r.text.rstrip("\0"))
        else:
            out.append(r.name)
    return out


def between_marks(records):
    """The records between a program's begin() and end(): see prog/expect.h."""
    begin = end = None
    for i, r in enumerate(records):
        if r.type == CALL and r.code == 700 and r.args[0] == 0xbe and begin is None:
            begin = i
        if r.type == CALL and r.code == 700 and r.args[0] == 0xed:
            end = i
    if begin is None or end is None:
        raise Fail("the program's marks are not in its trace (%d records)" % len(records))
    return records[begin + 2:end]


def compare(got, want):
    """Compares lines. In want, a line "?X" may be missing, and * stands for any word."""
    i = 0
    for n, line in enumerate(want):
        optional = line.startswith("?")
        words = line.lstrip("?").split(" ")
        have = got[i].split(" ") if i < len(got) else None
        if have is not None and len(have) == len(words) and all(w in ("*", h) for w, h in zip(words, have)):
            i += 1
        elif not optional:
            raise Fail("record %d is %r, not %r (line %d); before it: %s; after it: %s" %
                       (i, got[i] if i < len(got) else "missing", line, n, got[max(0, i - 3):i], got[i + 1:i + 4]))
    if i < len(got):
        raise Fail("%d records too many: %s" % (len(got) - i, got[i:i + 5]))


class Device:
    """/dev/ktrace without libktrace: returns 0 or more, or minus the errno."""
    fd = -1

    def __init__(self):
        self.fd = os.open(DEVICE, os.O_RDWR | os.O_CLOEXEC)

    def ioctl(self, number, data):
        try:
            return fcntl.ioctl(self.fd, number, data)
        except OSError as e:
            return -e.errno

    def op(self, path, ops, points, pid, zero=0):
        buf = None
        address = 0
        if isinstance(path, int):
            address = path
        elif path is not None:
            buf = ctypes.create_string_buffer(os.fsencode(path))
            address = ctypes.addressof(buf)
        return self.ioctl(IOC_OP, bytearray(struct.pack("<QiIiI", address, ops, points & 0xffffffff, pid, zero)))

    def utrace(self, address, length):
        return self.ioctl(IOC_UTRACE, bytearray(struct.pack("<QQ", address, length)))

    def flush(self, fd):
        return self.ioctl(IOC_FLUSH, bytearray(struct.pack("<i", fd)))

    def stats(self, fd):
        data = bytearray(STATS.pack(fd, 0, *[0] * 14))
        result = self.ioctl(IOC_STATS, data)
        if result < 0:
            return result
        values = STATS.unpack(data)
        if values[15:] != (0,):
            raise Fail("padding of the statistics is %s" % (values[15:],))
        return dict(zip(STATS_NAMES, values[2:]))

    def close(self):
        """An open descriptor keeps the module loaded."""
        if self.fd >= 0:
            os.close(self.fd)
        self.fd = -1

    __del__ = close


def wchan(pid):
    """The function that a process sleeps in, as the kernel says; "0": none, or it does not."""
    with open("/proc/%d/wchan" % pid, encoding="ascii") as f:
        name = f.read().strip()
    if name == "0":     # before 5.16 it looks for frame pointers, which kernels with ORC have not
        with open("/proc/%d/stack" % pid, encoding="ascii") as f:
            name = (re.findall(r"^\[<0>\] ([^+\s]+)", f.read()) or ["0"])[0]
    return name


class Test:
    """What a case is given."""

    def __init__(self, case_, folder, all_):
        self.case = case_
        self.long = bool(case_.long) and all_
        self.dir = folder
        self.narg = ktparse.load_narg(DATA)
        self.kmsg = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
        os.lseek(self.kmsg, 0, os.SEEK_END)
        self.seen = set()
        self.files = 0
        self.sysctls = {}
        self.undo = []

    # Judging

    def ok(self, good, what):
        if not good:
            raise Fail(what)

    def eq(self, got, want, what):
        if got != want:
            raise Fail("%s: %s, not %s" % (what, short(got), short(want)))

    def until(self, condition, what, seconds=30):
        """Polls until the condition holds: no sleep is ever a synchronisation."""
        end = time.monotonic() + seconds * slow()
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end:
                raise Fail("waited %d s for %s" % (seconds, what))
            time.sleep(0.01)

    # Running programs

    def command(self, argv, uid, options):
        argv = [argv] if isinstance(argv, str) else [str(a) for a in argv]
        if os.path.exists(os.path.join(BIN, argv[0])):
            argv[0] = os.path.join(BIN, argv[0])
        if uid:
            options.update(user=uid, group=uid, extra_groups=[])
            options.setdefault("env", dict(os.environ, HOME="/home/user", USER="user"))
        options.setdefault("cwd", self.dir)
        options.setdefault("stdin", subprocess.DEVNULL)
        return argv

    def run(self, argv, uid=0, status=0, timeout=None, **options):
        """Runs a command to its end; returns its stdout. Fails unless it exits with the status (None: any)."""
        argv = self.command(argv, uid, options)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        p = subprocess.run(argv, timeout=timeout and timeout * slow(), check=False, **options)
        self.stderr = (p.stderr or b"").decode("utf-8", "backslashreplace")
        self.status = p.returncode
        if status is not None and p.returncode != status:
            raise Fail("%s: status %d, not %d: %s" % (" ".join(argv)[:200], p.returncode, status,
                                                       self.stderr[-500:] or p.stdout))
        return (p.stdout or b"").decode("utf-8", "backslashreplace")

    def start(self, argv, uid=0, **options):
        """Starts a command that goes on by itself."""
        argv = self.command(argv, uid, options)
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.Popen(argv, **options)

    def idle(self, uid=0, prog="idle", **options):
        """Starts a process that sleeps in pause() until it is killed, and waits until it does."""
        p = self.start([prog], uid=uid, **options)
        line = p.stdout.readline()
        if line != b"ready\n":
            raise Fail("%s said %r" % (prog, line))
        return p

    def as_user(self, function, uid=1000):
        """Calls the function in a child with that uid; returns what it returns."""
        return self.result(self.begin_as(function, uid))

    def begin_as(self, function, uid=1000):
        """The same, but does not wait for it: result() does."""
        r, w = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(r)
                if uid:
                    os.setgroups([])
                    os.setresgid(uid, uid, uid)
                    os.setresuid(uid, uid, uid)
                    # setuid() makes a process undumpable: undo that, it is no subject here.
                    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
                result = (True, function())
            except BaseException:  # noqa: B902
                result = (False, traceback.format_exc())
            os.write(w, pickle.dumps(result))
            os._exit(0)
        os.close(w)
        return pid, r

    def result(self, begun):
        """What a function returned that begin_as() called."""
        pid, r = begun
        with os.fdopen(r, "rb") as f:
            data = f.read()
        os.waitpid(pid, 0)
        good, result = pickle.loads(data) if data else (False, "the child died")
        if not good:
            raise Fail(result)
        return result

    # Traces

    def path(self, name=None, uid=0):
        """A new, empty trace file."""
        if name is None:
            self.files += 1
            name = "trace%d.kt" % self.files
        path = os.path.join(self.dir, name)
        with open(path, "wb"):
            pass
        os.chown(path, uid, uid)
        os.chmod(path, 0o600)
        return path

    def read(self, path, genio=4096, check=True, **options):
        """Parses a trace file; any complaint of ktparse fails the case."""
        path = os.path.join(self.dir, path)
        self.seen.add(path)
        options.setdefault("narg", self.narg)
        trace = ktparse.read(path, genio=genio, **options)
        if check and trace.problems:
            self.keep(path)
            raise Fail("%s: %s" % (os.path.basename(path), "; ".join("%d: %s" % p for p in trace.problems[:4])))
        return trace

    def keep(self, path):
        """Copies a trace file to where the host finds it: for whoever looks into a failure."""
        os.makedirs(OUT, exist_ok=True)
        if os.path.getsize(path) < 64 << 20:
            name = "%s-%s" % (self.case.name, os.path.basename(path))
            with open(path, "rb") as f, open(os.path.join(OUT, name), "wb") as g:
                g.write(f.read())

    def trace(self, argv, points=None, options=(), uid=0, status=0, name=None, genio=4096, **run_options):
        """Runs `ktrace -t POINTS argv` and returns the trace. self.out has the command's stdout."""
        if name is None:
            self.files += 1
            name = "trace%d.kt" % self.files
        argv = [argv] if isinstance(argv, str) else list(argv)
        if os.path.exists(os.path.join(BIN, str(argv[0]))):
            argv[0] = os.path.join(BIN, argv[0])
        command = ["ktrace", "-f", name, *options]
        if points:
            command += ["-t", points]
        self.out = self.run([*command, *argv], uid=uid, status=status, **run_options)
        return self.read(name, genio=genio)

    def expect(self, trace, want, pid=None, tid=None, marks=True):
        """Compares the records of a process with the lines that it wrote down."""
        records = trace.of(pid=pid, tid=tid)
        if marks:
            records = between_marks(records)
        try:
            compare(lines(records), want.splitlines() if isinstance(want, str) else want)
        except Fail:
            for path in self.seen:
                self.keep(path)
            raise

    def later(self, path, **want):
        """Leaves a large file to the host, which checks it and its counts (calls, types, drops)."""
        import json
        os.makedirs(OUT, exist_ok=True)
        path = os.path.join(self.dir, path)
        name = "%s-%s" % (self.case.name, os.path.basename(path))
        self.seen.add(path)
        subprocess.run(["mv", path, os.path.join(OUT, name)], check=True)
        print("later %s %s" % (self.case.name, json.dumps({"file": name, "want": want})), flush=True)

    # The machine

    def sysctl(self, name, value=None):
        """Reads or writes a sysctl; what was there before comes back when the case ends."""
        path = "/proc/sys/" + name.replace(".", "/")
        with open(path, encoding="ascii") as f:
            old = f.read().strip()
        if value is None:
            return old
        self.sysctls.setdefault(path, old)
        with open(path, "w", encoding="ascii") as f:
            f.write(str(value))
        return old

    def counted(self, name):
        """A number of kern.ktrace.stats."""
        return int(re.search(r"\b%s=(\d+)" % name, self.sysctl("kern.ktrace.stats")).group(1))

    def kernel_log(self):
        """New lines of the kernel's log, without races that are none of ours. Whoever asks for them judges them."""
        out = []
        while True:
            try:
                line = os.read(self.kmsg, 8192)
            except BlockingIOError:
                return list(races.without_foreign(out, partial=False))
            except BrokenPipeError:
                continue
            out.append(line.decode("utf-8", "replace").partition(";")[2].splitlines()[0])

    def silence(self, but="$."):
        """Fails if the kernel has complained, or our modules have said anything but that."""
        bad = [line for line in self.kernel_log() if COMPLAINT.search(line) and not re.search(but, line) and
               not self.truly_lacks(line)]
        if bad:
            raise Fail("the kernel says: " + " | ".join(bad[:5]))

    def kernel_has(self, function):
        """Does the kernel have a symbol of that name, not counting those of modules?"""
        with open("/proc/kallsyms", encoding="ascii") as f:
            return any(line.split()[2:] == [function] for line in f)

    def seccomp_signals(self):
        """Is a process that seccomp kills sent the signal? Before 5.16 it just ends, as if of it."""
        return self.kernel_has("force_sig_seccomp")

    def has_tracepoint(self, name):
        # Its function: not all kernels have the names of data.
        return self.kernel_has("__traceiter_" + name)

    def truly_lacks(self, line):
        """Does ktr.ko say there what is so: the kernel has no such tracepoints?"""
        match = LACKS.search(line)
        if not match:
            return False
        if line.endswith("KTR_PMAP: this kernel has no tracepoints for it"):
            return ARM      # which has that of x86, and tells nobody by it
        names = (match.group(2) or {"LOCK": "contention_begin"}.get(match.group(1), "")).split()
        return bool(names) and not any(self.has_tracepoint(name) for name in names)

    def module_users(self):
        with open("/sys/module/ktrace/refcnt", encoding="ascii") as f:
            return int(f.read())

    def finish(self):
        """After the case: undoes what it set, reads what it left."""
        for function in reversed(self.undo):
            function()
        for path, old in self.sysctls.items():
            with open(path, "w", encoding="ascii") as f:
                f.write(old)
        for folder, _, names in os.walk(self.dir):
            for name in names:
                path = os.path.join(folder, name)
                if (name.endswith(".kt") or name == "ktrace.out") and path not in self.seen and os.path.isfile(path):
                    self.read(path, genio=131072)
        self.silence()


def short(value):
    text = repr(value)
    return text if len(text) < 300 else text[:300] + "..."
