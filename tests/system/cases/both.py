# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The module and the recorder with BPF look at the same programs; somebody who is neither counts what they record."""
import collections
import ctypes
import os
import re
import shutil
import signal
import subprocess

from cases.bpf import keep_recorder
from ktest import (ARGS, ARM, ARRAY, BIN, CALL, CAP, ENVS, GIO, NAMI, NR, NR32, PROCCTOR, PROCDTOR, PSIG, RET, SCTL, STRU,
                    Fail, Skip, case)

ADDR_NO_RANDOMIZE = 0x0040000

# What is run: command, options, and the status that it ends with.
PROGRAMS = [
    (["calls", "plain"], (), 0),
    (["calls32", "plain"], (), 0),
    (["calls", "errnos"], ("--v1",), 0),
    (["calls32", "unknown"], (), 0),
    (["int80"], (), 0),
    (["genio", "plain", "4096"], (), 0),
    (["genio32", "plain", "4096"], (), 0),
    (["genio", "vectors", "4096"], ("--v1",), 0),
    (["struct_addr", "messages"], (), 0),
    (["struct_addr32", "messages"], (), 0),
    (["psig", "codes"], (), 0),
    (["psig32", "codes"], (), 0),
    (["psig", "die", "11"], (), -11),
    (["namei"], (), 0),
    (["namei32"], (), 0),
    (["sctl", "plain"], (), 0),
    (["secc", "errno"], ("--v1",), 0),
    (["secc32", "trap"], (), 0),
    (["odd", "refused"], (), 0),
    (["life", "clones"], ("-i",), 0),
    (["life32", "clones"], ("-i",), 0),
    (["life", "exec", "3"], (), 0),
    (["tasks", "makes"], ("-i",), 0),
    (["sh", "-c", "cd /; read x <etc/hostname; echo $x >&2; exec ls -d bin nothing"], (), 2),
    (["env", "PYTHONHASHSEED=0", "python3", "-P", "-c", "import json; print(json.dumps({'a': [1]}))"], ("-i", "--v1"), 0),
]

PARENT = {(64, NR.getppid), (32, NR32.getppid)}
BIRTHS = {(64, NR.clone), (64, NR.clone3), *(() if ARM else ((64, NR.fork), (64, NR.vfork))),
          (32, NR32.clone), (32, NR32.fork), (32, NR32.vfork), (32, NR32.clone3)}

# Structures that have times in them, or numbers of files and processes: of those only the name and the size are
# compared. What is in them is compared with what the program saw, in the cases of each recorder.
OTHER_EACH_TIME = {"stat", "timespec", "timeval", "itimerval", "rusage", "tms", "sysinfo", "statfs", "siginfo", "timex"}


def straight():
    """In the child, before it executes: the same addresses each time."""
    ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE)


class Story:
    """What a trace tells of each thread, by a name that says whose child it is: "0", its children "0.1", "0.2", ..."""

    def __init__(self, trace):
        records = trace.records
        # From where the program begins: what comes before is ktrace's own.
        first = records[0].tid
        start = [i for i, r in enumerate(records) if r.tid == first and r.type == PROCCTOR][1]
        records = records[start:]
        self.names = {first: "0", os.getpid(): "outside"}
        born = collections.Counter()
        for r in records:
            # A child may be there before its parent knows, but it is made by a call all the same.
            if r.tid == first and r.type == RET and (r.abi, r.code) in PARENT:
                self.names[r.retval] = "outside"    # ktrace, or who executed it
            if r.type == RET and (r.abi, r.code) in BIRTHS and r.error == 0 and r.retval > 0:
                born[r.tid] += 1
                self.names[r.retval] = (r.tid, born[r.tid])
        self.names = {tid: self.name(tid) for tid in self.names}
        self.threads = collections.defaultdict(list)
        for r in records:
            self.threads[self.names.get(r.tid, "?")].append(r)

    def meant(self, word):
        """The threads whose number a word of a text may be, decimal or hexadecimal."""
        names = [self.names.get(int(word, 16))] if re.fullmatch(rb"[0-9a-f]{1,8}", word) else []
        names += [self.names.get(int(word))] if re.fullmatch(rb"[0-9]{1,8}", word) else []
        return set(filter(None, names))

    def name(self, tid):
        of = self.names[tid]
        return of if isinstance(of, str) else "%s.%d" % (self.name(of[0]), of[1])


def fields(r):
    """What a record says: numbers and bytes."""
    head = [r.type, r.comm, r.version, r.abi]
    if r.type == CALL:
        return [*head, r.code, *r.args]
    if r.type == RET:
        return [*head, r.code, r.error, r.retval]
    if r.type == GIO:
        return [*head, r.fd, r.rw, r.data]
    if r.type in (STRU, ARRAY):
        name, _, data = r.payload[8 if r.type == ARRAY else 0:].partition(b"\0")
        if name == b"sockaddr" and data[1:2] == b"\2":
            data = data[:2] + data[4:]    # the kernel may have chosen the port
        return [*head, name, len(data), b"" if name.decode() in OTHER_EACH_TIME else data]
    if r.type == CAP and r.version:
        return [*head, r.cap_code, r.cap_flags, *r.cap]
    if r.type in (PROCCTOR, PROCDTOR, PSIG, NAMI, SCTL, ARGS, ENVS, CAP):
        return [*head, r.payload]
    raise Fail("a record of type %d" % r.type)


def same_value(a, b, one, other):
    """Equal; or the numbers of the same thread, in a word or in a text."""
    if a == b:
        return True
    if isinstance(a, int) and isinstance(b, int):
        return a in one.names and one.names[a] == other.names.get(b)
    if not isinstance(a, bytes) or not isinstance(b, bytes):
        return False
    # What a program writes down of an address has the port, too: see fields().
    words = [re.split(rb"(\W+)", re.sub(rb"sockaddr \S+", b"sockaddr", text)) for text in (a, b)]
    return len(words[0]) == len(words[1]) and all(x == y or one.meant(x) & other.meant(y) for x, y in zip(*words))


def shown(values, others):
    """Values of a record for a message: of long ones the part where they begin to differ."""
    out = []
    for i, v in enumerate(values or ()):
        w = others[i] if others and i < len(others) else None
        if isinstance(v, bytes) and isinstance(w, bytes) and len(v) > 60:
            at = next((n for n, (x, y) in enumerate(zip(v, w)) if x != y), 0)
            v = "%d bytes, at %d %r" % (len(v), at, v[at:at + 40])
        out.append(v)
    return out


def differences(module, bpf):
    """Lines that say what is not the same in two stories."""
    if set(module.threads) != set(bpf.threads):
        return ["threads: %s, and with BPF %s" % (sorted(module.threads), sorted(bpf.threads))]
    out = []
    for name in sorted(module.threads):
        a, b = [list(map(fields, story.threads[name])) for story in (module, bpf)]
        for i in range(max(len(a), len(b))):
            x, y = (s[i] if i < len(s) else None for s in (a, b))
            if x is None or y is None or len(x) != len(y) or not all(same_value(v, w, module, bpf) for v, w in zip(x, y)):
                out.append("thread %s, record %d: %s, and with BPF %s" % (name, i, shown(x, y), shown(y, x)))
                break
    return out


def program(argv):
    return [os.path.join(BIN, argv[0]), *argv[1:]] if os.path.exists(os.path.join(BIN, argv[0])) else argv


def record(t, argv, options, status, folder, recorder):
    """The story of a program, in an empty folder that has the same name each time."""
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    path = os.path.join(t.dir, "trace.kt")
    flags = ["--bpf"] if recorder == "bpf" else []
    t.run(["ktrace", *flags, "-f", path, *options, "-t", "cnistypae", *program(argv)], status=status, cwd=folder,
          preexec_fn=straight)
    return Story(t.read(path, dead=True))


@case(guest="both", timeout=900)
def same(t):
    "The same programs, recorded by the module and with BPF: the same records of each thread, in every field but times."
    keep_recorder(t)
    wrong = []
    n = 0
    for argv, options, status in PROGRAMS:
        stories = [record(t, argv, options, status, os.path.join(t.dir, "run"), recorder) for recorder in ("module", "bpf")]
        found = differences(*stories)
        n += sum(map(len, stories[0].threads.values()))
        for line in found:
            wrong.append("%s: %s" % (" ".join(argv), line))
            print("# %s" % wrong[-1], flush=True)
    print("# %d programs, %d records" % (len(PROGRAMS), n), flush=True)
    t.eq(wrong, [], "what is not the same")


def observed(t, name, argv, seconds):
    """The module records what a third one counts."""
    path = t.path(name)
    # It waits in a call that neither sees begin.
    p = t.start(["sh", "-c", 'read go; exec "$@"', "sh", *program(argv)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                start_new_session=True)
    t.until(lambda: open("/proc/%d/syscall" % p.pid, encoding="ascii").read().startswith("%d " % NR.read), "its wait")
    observer = t.start(["observe", str(p.pid)], stdin=subprocess.PIPE)
    t.eq(observer.stdout.readline(), b"ready\n", "the observer")
    t.run(["ktrace", "-i", "-t", "c", "-f", path, "-p", p.pid])
    p.stdin.write(b"go\n")
    p.stdin.close()
    if seconds:
        try:
            p.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
    p.wait()
    t.run(["ktrace", "-c", "-f", path])    # who is not waited for may still end
    out = observer.communicate()[0].decode()
    t.eq(observer.returncode, 0, "status of the observer")
    counts = {"%s:%s" % (bits, number): int(n) for bits, number, n in (line.split() for line in out.splitlines())}
    print("# %s: %d calls of %d kinds" % (name, sum(counts.values()), len(counts)), flush=True)
    t.ok(sum(counts.values()) > 1000, "only %s" % counts)
    t.later(path, counts={**counts, "CALL": sum(counts.values()), "DROP": 0}, options={"dead": True})


@case(guest="both", timeout=600, x86=True)
def counts(t):
    "What the module records of forks, threads and many calls is what a BPF program of nobody's counted, by call."
    if not os.path.exists(os.path.join(BIN, "observe")):
        raise Skip("it takes clang and bpftool to build the observer")
    t.sysctl("kern.ktrace.buffer_size", 4 << 20)
    observed(t, "loop.kt", ["loop", "500", "6", "4"], 0)
    observed(t, "tasks.kt", ["tasks32", "many", "200", "fork"] if t.long else ["life32", "storm", "100"], 0)
    observed(t, "mill.kt", ["mill", "17"], 60 if t.long else 8)
