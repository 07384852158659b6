# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files that vanish, fill up and freeze; storms; CPUs that go away. Bounded waits, whole records, a silent kernel."""
import os
import random
import re
import shutil
import signal
import subprocess
import time

from cases.ops import calls_of, name, poke, target
import ktest
from ktest import CLEAR, CLEARFILE, DESCEND, F_ALL, F_C, F_PSIG, INHERIT, NR, PROCCTOR, PROCDTOR, SET, V1, Device, Skip, case, in_time


# Where points come and go, what belongs together need not be together.
LOOSE = "outside of a call|without CALL|after CALL|has no RET|before its PROCCTOR"


def whole_records(t, path, forgive="before its PROCCTOR", **options):
    """The trace from a file whose beginning may be missing: nothing else may be wrong."""
    trace = t.read(path, check=False, limit=1000000, **options)
    left = [p for p in trace.problems if not re.search(forgive, p[1])][:5]
    t.eq(left, [], "complaints")
    return trace


def one_line(t):
    """Exactly one line of the module in the kernel's log, and nothing else of note."""
    lines = [line for line in t.kernel_log() if "ktrace" in line]
    t.eq(len(lines), 1, "lines in the kernel log: %s" % lines)
    return lines[0]


@case(guest="rough")
def full_disk(t):
    "A 256 KiB tmpfs: tracing of the file ends with one kernel log line, whole records only, the program unharmed."
    os.mkdir(os.path.join(t.dir, "small"))
    t.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", "small"])
    t.undo.append(lambda: t.run(["umount", "-l", "small"], status=None))
    t.kernel_log()
    out = t.run(["ktrace", "-i", "-t", "ci", "-f", "small/k.kt", "sh", "-c", "/tests/bin/loop 20000; echo fine"])
    t.eq(out, "fine\n", "output of the program")
    trace = whole_records(t, "small/k.kt")
    size = os.path.getsize(os.path.join(t.dir, "small/k.kt"))
    t.ok(200000 < size <= 256 << 10, "size %d" % size)
    t.ok(trace.calls[(64, NR.getppid)] > 500, "records")
    one_line(t)
    t.until(lambda: t.module_users() == 0, "the end of tracing")
    # nothing in the file can say that it is cut short: kdump does, until the next trace to it
    said = t.run(["sh", "-c", "kdump -f small/k.kt 2>&1 >/dev/null"])
    t.ok(re.fullmatch(r"kdump: small/k.kt: writing to it failed \(No space left on device\): the trace ends there, "
                      r"[1-9]\d* records were lost\n", said), "what kdump says: %r" % said)
    stats = dict(line.split() for line in t.run(["kdump", "--stats", "-f", "small/k.kt"]).splitlines())
    t.eq((stats["sessions"], stats["error"]), ("0", "28"), "statistics")
    t.eq(int(stats["recorded"]) - int(stats["lost_write"]), int(stats["written"]), "recorded less lost")
    t.eq(int(stats["written"]), len(trace.records), "records in the file")
    t.run(["su", "user", "-c", "kdump --stats -f small/k.kt"], status=1)
    t.run(["ktrace", "-f", "small/k.kt", "true"])
    t.eq(t.run(["sh", "-c", "kdump -f small/k.kt 2>&1 >/dev/null"]), "", "what kdump says of the next trace")


@case(guest="rough")
def full_disk_ended(t):
    "After a write error the processes are not traced any more; another file can be set at once."
    os.mkdir(os.path.join(t.dir, "small"))
    t.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "small"])
    t.undo.append(lambda: t.run(["umount", "-l", "small"], status=None))
    d, p = Device(), target(t, 3000)
    path, other = t.path("small/k.kt"), t.path()
    t.kernel_log()
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    poke(p)
    with open(path, "rb") as f:
        t.until(lambda: d.stats(f.fileno())["processes"] == 0, "the end of tracing")
    one_line(t)
    poke(p)
    t.eq(d.op(other, SET, F_C, p.pid), 0, "set to another file")
    poke(p)
    t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
    t.eq(calls_of(t.read(other), p), 3000, "calls in the other file")
    whole_records(t, path)


@case(guest="rough")
def file_size_limit(t):
    "RLIMIT_FSIZE of the opener: ends at a record boundary within the limit; no SIGXFSZ for the program; one log line."
    t.kernel_log()
    script = "ulimit -f 100; ktrace -i -t c -f k.kt sh -c '/tests/bin/loop 20000; echo fine'"
    out = t.run(["sh", "-c", script], uid=1000)
    t.eq(out, "fine\n", "output of the program")
    size = os.path.getsize(os.path.join(t.dir, "k.kt"))
    block = 512 if size <= 51200 else 1024
    t.ok(100 * block - 200 < size <= 100 * block, "size %d" % size)
    whole_records(t, "k.kt")
    one_line(t)


@case(guest="rough")
def file_size_signal(t):
    "filesize_limit_signal: SIGXFSZ to the process whose record passed the limit, to no other, and only when set."
    t.kernel_log()
    script = ("ulimit -f 100; exec ktrace -i -t c -f $0 "
              "sh -c '/tests/bin/idle & w=$!; /tests/bin/loop 20000; echo $?; kill $w; wait $w; echo $?'")
    for setting, want in (0, ["0", "143"]), (1, [str(128 + signal.SIGXFSZ), "143"]):
        t.sysctl("kern.ktrace.filesize_limit_signal", setting)
        out = t.run(["sh", "-c", script, "s%d.kt" % setting], uid=1000)
        t.eq(out.split()[-2:], want, "exit statuses with %d" % setting)
        whole_records(t, "s%d.kt" % setting)
    t.eq(sum("failed (error -27)" in line for line in t.kernel_log()), 2, "lines in the log")


# A FUSE file system with one file, t, which it keeps in memory.
SERVER = r"""
import os, struct, sys
fd, data = int(sys.argv[1]), bytearray()
def attr(node):
    mode = 0o40755 if node == 1 else 0o100600
    return struct.pack("<6Q10I", node, len(data), 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 512, 0)
print("ready", flush=True)
while True:
    try:
        request = os.read(fd, 1 << 18)
    except OSError:
        break
    _, op, unique, node = struct.unpack_from("<IIQQ", request)
    error, reply = 0, b""
    if op == 26:                        # INIT
        reply = struct.pack("<IIIIHHI", 7, 31, 131072, 0, 16, 12, 131072) + bytes(40)
    elif op == 1 and request[40:] == b"t\0":    # LOOKUP
        reply = struct.pack("<4Q2I", 2, 0, 0, 0, 0, 0) + attr(2)
    elif op in (3, 4):                  # GETATTR, SETATTR
        reply = struct.pack("<QII", 0, 0, 0) + attr(node)
    elif op == 14:                      # OPEN, for direct I/O
        reply = struct.pack("<QII", 1, 1, 0)
    elif op == 16:                      # WRITE
        offset, size = struct.unpack_from("<QI", request, 48)
        data[offset:offset + size] = request[80:80 + size]
        reply = struct.pack("<II", size, 0)
    elif op == 15:                      # READ
        offset, size = struct.unpack_from("<QI", request, 48)
        reply = bytes(data[offset:offset + size])
    elif op in (2, 42):                 # FORGET
        continue
    elif op != 18:                      # RELEASE
        error = 2 if op == 1 else 38
    os.write(fd, struct.pack("<IiQ", 16 + len(reply), -error, unique) + reply)
"""


@case(guest="rough", timeout=120)
def served(t):
    "The traced process serves the file system of its own trace: no deadlock, bounded waits; killed, its trace ends."
    t.run(["modprobe", "fuse"])
    os.mkdir("m")
    fd = os.open("/dev/fuse", os.O_RDWR)
    t.run(["mount", "-i", "-t", "fuse", "-o", "fd=%d,rootmode=40000,user_id=0,group_id=0" % fd, "served", "m"],
          pass_fds=[fd])
    t.undo.append(lambda: t.run(["umount", "-l", "m"], status=None))
    server = t.start(["python3", "-c", SERVER, str(fd)], pass_fds=[fd])
    os.close(fd)
    t.eq(server.stdout.readline(), b"ready\n", "server")
    t.kernel_log()
    d = Device()
    t.eq(d.op("m/t", SET, F_ALL, server.pid), 0, "set")
    # each write of records makes the server do calls: it never runs dry
    t.until(lambda: os.stat("m/t").st_size > 20000, "records")
    began = time.monotonic()
    t.eq(d.op(None, CLEAR, F_ALL, server.pid), 0, "clear")
    t.ok(time.monotonic() - began < 15, "CLEAR took %.0f s" % (time.monotonic() - began))
    shutil.copy("m/t", "copy.kt")
    whole_records(t, "copy.kt", LOOSE)

    t.eq(d.op("m/t", SET, F_ALL, server.pid), 0, "set again")
    size = os.stat("m/t").st_size
    t.until(lambda: os.stat("m/t").st_size > size + 2000, "more records")
    server.kill()
    server.wait()
    d.close()
    t.until(lambda: t.module_users() == 0, "the end of tracing")
    t.ok(len([line for line in t.kernel_log() if "ktrace" in line]) <= 1, "more than one line in the log")


@case(guest="rough")
def unlinked(t):
    "A file unlinked while tracing: tracing goes on, nobody notices."
    d, p, path = Device(), target(t, 1000), t.path("gone")
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    with open(path, "rb") as f:
        poke(p)
        os.unlink(path)
        poke(p)
        t.eq(d.flush(f.fileno()), 1, "flush")
        data = f.read()
        t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
    with open(t.path(), "wb") as f:
        f.write(data)
    t.eq(calls_of(t.read(f.name), p), 2000, "calls")


@case(guest="rough")
def truncated(t):
    "A file truncated while tracing: records go on at its new end, whole ones."
    d, p, path = Device(), target(t, 1000), t.path("cut")
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    with open(path, "rb") as f:
        for _ in range(20):
            poke(p)
            t.eq(d.flush(f.fileno()), 1, "flush")
            os.truncate(path, 0)
            poke(p)
            t.eq(d.flush(f.fileno()), 1, "flush")
            trace = whole_records(t, path)
            t.eq(calls_of(trace, p), 1000, "calls since then")
    # and at any moment
    for _ in range(50):
        p.send_signal(signal.SIGUSR1)
        os.truncate(path, 0)
        p.stdout.readline()
    os.truncate(path, 0)
    t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
    whole_records(t, path)


@case(guest="rough")
def read_only(t):
    "A file system remounted read-only under the trace is refused by the kernel, or ends it; no harm either way."
    os.mkdir(os.path.join(t.dir, "m"))
    t.run(["mount", "-t", "tmpfs", "tmpfs", "m"])
    t.undo.append(lambda: t.run(["umount", "-l", "m"], status=None))
    d, p, path = Device(), target(t, 100), t.path("m/k.kt")
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    poke(p)
    t.run(["mount", "-o", "remount,ro", "m"], status=None)
    poke(p)
    t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
    whole_records(t, path)
    t.kernel_log()


def freezable(t):
    """A folder on a file system that can be frozen, and where it is mounted."""
    folder = "/var/tmp/freeze"
    os.makedirs(folder, exist_ok=True)
    t.undo.append(lambda: t.run(["fsfreeze", "-u", "/var/tmp"], status=None))
    return folder, "/var/tmp"


@case(guest="rough", timeout=120)
def freeze(t):
    "The traced process freezes the file system of its own trace: bounded waits, no hang; all is well afterwards."
    folder, where = freezable(t)
    path = folder + "/freeze.kt"
    began = time.monotonic()
    script = "fsfreeze -f %s; /tests/bin/loop 30000; echo in between; fsfreeze -u %s; echo done" % (where, where)
    out = t.run(["ktrace", "-i", "-t", "c", "-f", path, "sh", "-c", script], timeout=100)
    in_time(t, began, "freeze", 40, waits=20)
    t.eq(out, "in between\ndone\n", "output")
    t.until(lambda: t.module_users() == 0, "the end of tracing", seconds=20)
    whole_records(t, path)


@case(guest="rough")
def frozen_exits(t):
    "While the file system is frozen, the first exit waits for its records; who comes after it does not."
    folder, where = freezable(t)
    script = "fsfreeze -f %s; for i in 1 2 3 4 5 6; do /bin/true; done; fsfreeze -u %s" % (where, where)
    began = time.monotonic()
    t.run(["ktrace", "-i", "-t", "c", "-f", folder + "/exits.kt", "sh", "-c", script])
    in_time(t, began, "frozen_exits", 10, waits=5)
    t.until(lambda: t.module_users() == 0, "the end of tracing", seconds=20)
    whole_records(t, folder + "/exits.kt")


@case(guest="rough")
def forged_log_line(t):
    "The kernel's log of a failed write has no line and no control byte of the user's making, and not very many lines."
    t.kernel_log()
    evil = "x\n[    0.000000] FORGED \x1b[31mred"
    began = time.monotonic()
    for _ in range(30):
        t.run(["sh", "-c", 'ulimit -f 0; exec ktrace -f "$0" true', evil], status=None)
    log = t.kernel_log()
    lines = [line for line in log if "write to" in line]
    most = 10 * (2 + int((time.monotonic() - began) / 5))     # DEFAULT_RATELIMIT_*: ten in five seconds
    t.ok(1 <= len(lines) <= most, "%d lines, not %d at most" % (len(lines), most))
    t.ok(all("FORGED" in line for line in lines), "the name: %r" % lines[0])
    # /dev/kmsg shows a control byte so, and a backslash that is meant as \\x5c
    t.ok(not any(c in line for line in log for c in ("\\x0a", "\\x1b")), "a control byte: %r" % lines[0])


@case(guest="rough", timeout=120)
def frozen_clear(t):
    "With the trace's file system frozen, CLEAR waits at most its bound; thawed, the file is complete."
    folder, where = freezable(t)
    d, p, path = Device(), target(t, 1000), folder + "/clear.kt"
    with open(path, "wb"):
        pass
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    poke(p)
    t.run(["fsfreeze", "-f", where])
    poke(p)
    began = time.monotonic()
    d.op(None, CLEAR, F_C, p.pid)
    in_time(t, began, "CLEAR", 3, waits=5)
    t.run(["fsfreeze", "-u", where])
    t.until(lambda: calls_of(whole_records(t, path), p) == 2000, "all records in the file")


@case(guest="rough", timeout=120)
def frozen_kill(t):
    "A fatal signal ends the wait for a frozen file system: kill -9 of the traced process works at once."
    folder, where = freezable(t)
    path = folder + "/kill.kt"
    with open(path, "wb"):
        pass
    p = t.start(["ktrace", "-a", "-t", "c", "-f", path, "/tests/bin/loop", "100000000"])
    t.until(lambda: os.path.getsize(path) > 100000, "some records")
    t.run(["fsfreeze", "-f", where])
    # in the wait, or still on its way there
    t.until(lambda: "ktrace" in ktest.wchan(p.pid), "the process to be held")
    began = time.monotonic()
    p.kill()
    p.wait()
    # it is still drained, which has a bound of its own
    in_time(t, began, "to die", 3, waits=5)
    t.run(["fsfreeze", "-u", where])
    t.until(lambda: t.module_users() == 0, "the end of tracing", seconds=20)
    whole_records(t, path)


@case(guest="rough")
def offline(t):
    "CPUs go off and on while tracing: nothing is lost."
    switch = "/sys/devices/system/cpu/cpu1/online"
    if not os.path.exists(switch):
        raise Skip("one CPU")

    def online(value):
        with open(switch, "w", encoding="ascii") as f:
            f.write(str(value))
    t.undo.append(lambda: online(1))
    path = t.path()
    p = t.start(["ktrace", "-a", "-i", "-t", "c", "-f", path, "/tests/bin/loop", "15000", "4"])
    rounds = 0
    while p.poll() is None:
        online(rounds % 2)
        rounds += 1
    t.eq(p.returncode, 0, "program")
    t.ok(rounds > 2, "CPU 1 was switched %d times" % rounds)
    trace = t.read(path, dead=True)
    t.eq((trace.calls[(64, NR.getppid)], trace.drops), (60000, 0), "calls and drops")
    # a session that begins with the CPU off gets a ring for it before it comes on
    online(0)
    path = t.path()
    p = t.start(["ktrace", "-a", "-i", "-t", "c", "-f", path, "--v1", "/tests/bin/loop", "10000", "4"])
    online(1)
    t.eq(p.wait(), 0, "program")
    trace = t.read(path, dead=True)
    t.eq((trace.calls[(64, NR.getppid)], trace.drops), (40000, 0), "calls and drops")
    t.kernel_log()


def keep_hooks(t):
    """
    One process that is traced for everything all the time, so that the kernel does not patch its text for every SET and
    CLEAR. Where QEMU has a thread for each CPU, it executes patched text in its old form now and then, for ever (a CPU
    hangs at the int3 of a tracepoint that is no longer there, or jumps to 0 from one in path_init), with stock kernels
    and no module of ours just so. The same case on one CPU does without.
    """
    if os.cpu_count() > 1:
        t.eq(Device().op(t.path("hooks.kt"), SET, F_ALL, target(t).pid), 0, "set")


@case(guest="rough one", timeout=120)
def set_and_clear(t):
    "SET and CLEAR with -d against a fork-and-exec storm: no leaked session, no hang, whole records."
    keep_hooks(t)
    storms = [t.start(["life", "forever"], start_new_session=True) for _ in range(3)]
    d = Device()
    paths = [t.path() for _ in range(3)]
    random.seed(7)
    end = time.monotonic() + 20
    rounds = 0
    while time.monotonic() < end:
        p = random.choice(storms)
        path = random.choice(paths)
        what = random.randrange(6)
        if what < 3:
            result = d.op(path, SET | random.choice((0, DESCEND)), random.choice((F_C, F_ALL, F_ALL | INHERIT)), p.pid)
        elif what < 5:
            result = d.op(None, CLEAR | random.choice((0, DESCEND)), random.choice((F_C, 0xffffff)), p.pid)
        else:
            result = d.op(path, CLEARFILE, 0, 0)
        t.ok(name(result) in ("0", "ESRCH", "EPERM"), "operation: %s" % name(result))
        rounds += 1
    print("# set_and_clear: %d operations" % rounds)
    t.eq(name(d.op(None, CLEAR | DESCEND, 0xffffff, 1)), "0", "clear all")
    d.close()
    t.until(lambda: t.module_users() == 0, "the end of all sessions")
    for p in storms:
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()
    for path in paths:
        whole_records(t, path, LOOSE, sessions=True)


@case(guest="rough", timeout=120)
def newborn(t):
    "A child is found by SET before its fork() is done: it is traced once, as its parent is, and leaves no session behind."
    keep_hooks(t)
    d, path, other = Device(), t.path(), t.path()
    p = t.start(["newborn"], stdout=subprocess.PIPE)
    t.eq(p.stdout.readline(), b"ready\n", "newborn")
    t.eq(d.op(path, SET, F_PSIG | INHERIT, p.pid), 0, "set")
    end = time.monotonic() + 10
    rounds = 0
    while time.monotonic() < end:
        t.eq(name(d.op(other, SET | DESCEND, F_PSIG | INHERIT, p.pid)), "0", "set with descendants")
        t.eq(name(d.op(path, SET | DESCEND, F_PSIG | INHERIT, p.pid)), "0", "set with descendants")
        rounds += 1
    p.kill()
    p.wait()
    t.eq(d.op(t.path("hooks.kt"), CLEARFILE, 0, 0), 0, "clear what kept the hooks")
    d.close()
    t.until(lambda: t.module_users() == 0, "the end of all sessions")
    trace = whole_records(t, path, LOOSE, sessions=True)
    children = {r.pid for r in trace.of(PROCCTOR)} - {p.pid}
    print("# newborn: %d rounds, %d children" % (rounds, len(children)))
    t.ok(rounds > 5 and len(children) > 20, "%d rounds, %d children" % (rounds, len(children)))


@case(guest="rough", timeout=120)
def kill_everything(t):
    "kill -9 of everything in the middle of a traced storm: sessions end, whole records, PROCDTOR of everybody."
    for _ in range(5):
        path = t.path()
        p = t.start(["ktrace", "-a", "-i", "-t", "cnis", "-f", path, "/tests/bin/life", "forever"],
                    start_new_session=True)
        t.until(lambda: os.path.getsize(path) > 500000, "half a megabyte", seconds=30)
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()
        t.until(lambda: t.module_users() == 0, "the end of tracing")
        trace = t.read(path, dead=True)
        t.ok(len(trace.of(PROCDTOR)) > 5, "processes")


@case(guest="rough")
def clear_all(t):
    "ktrace -C reaches everything; the module can then be unloaded at once."
    storms = [t.start(["ktrace", "-a", "-i", "-f", t.path(), "/tests/bin/life", "forever"], start_new_session=True)
              for _ in range(3)]
    t.until(lambda: all(os.path.getsize(os.path.join(t.dir, "trace%d.kt" % n)) > 100000 for n in (1, 2, 3)), "traces",
            seconds=30)
    t.run(["ktrace", "-C"])
    t.run(["rmmod", "ktrace"])
    t.run(["modprobe", "ktrace"])
    for p in storms:
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()


@case(guest="rough")
def mixed(t):
    "Sessions of both versions, of root and of a user, to one file, under load: whole records, all of them."
    path = t.path("mixed", uid=1000)
    os.chmod(path, 0o666)
    d = Device()
    a, b = target(t, 2000), target(t, 2000)
    c = target(t, 2000, uid=1000)
    t.eq(d.op(path, SET, F_C, a.pid), 0, "set")
    t.eq(d.op(path, SET | V1, F_C, b.pid), 0, "set v1")
    t.eq(t.as_user(lambda: Device().op(path, SET, F_C, c.pid)), 0, "set by a user")
    for _ in range(5):
        for p in a, b, c:
            p.send_signal(signal.SIGUSR1)
        for p in a, b, c:
            p.stdout.readline()
    t.eq(d.op(path, CLEARFILE, 0, 0), 0, "clearfile")
    trace = t.read(path, sessions=True)
    t.eq([calls_of(trace, p) for p in (a, b, c)], [10000] * 3, "calls")


@case(guest="rough")
def file_systems(t):
    "The trace file on ext4, tmpfs, overlayfs and 9p: complete when the command has ended; flushed, and counted."
    for folder in "lower", "upper", "work", "overlay", "share", "/var/tmp/ext4":
        os.makedirs(os.path.join(t.dir, folder), exist_ok=True)
    os.makedirs("/var/tmp/ext4/u", exist_ok=True)
    os.makedirs("/var/tmp/ext4/w", exist_ok=True)
    options = "lowerdir=lower,upperdir=/var/tmp/ext4/u,workdir=/var/tmp/ext4/w"
    t.run(["mount", "-t", "overlay", "-o", options, "overlay", "overlay"])
    t.undo.append(lambda: t.run(["umount", "-l", "overlay"], status=None))
    t.run(["mount", "-t", "9p", "share", "share"])
    t.undo.append(lambda: t.run(["umount", "-l", "share"], status=None))
    for folder in ".", "/var/tmp/ext4", "overlay", "share":
        path = os.path.join(t.dir, folder, "fs.kt")
        t.run(["ktrace", "-t", "c", "-f", path, "/tests/bin/loop", "1000"])
        t.eq(t.read(path, dead=True).calls[(64, NR.getppid)], 1000, "calls in " + folder)
        d, p = Device(), target(t, 10)
        t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
        poke(p)
        with open(path, "rb") as f:
            t.eq((d.flush(f.fileno()), d.stats(f.fileno())["sessions"]), (1, 1), "flush and sessions in " + folder)
        t.eq(d.op(path, CLEARFILE, 0, 0), 0, "clearfile")
        t.eq(calls_of(t.read(path), p), 10, "calls in " + folder)


@case(guest="rough one")
def set_against_exec(t):
    "SET and CLEAR against a process that execs all the time: every one works, and is in effect."
    keep_hooks(t)
    d, path = Device(), t.path()
    p = t.start(["life", "exec", "1000000000"])
    end = time.monotonic() + 8
    rounds = 0
    while time.monotonic() < end:
        t.eq(name(d.op(path, SET, F_ALL, p.pid)), "0", "set")
        with open(path, "rb") as f:
            t.eq(d.stats(f.fileno())["processes"], 1, "processes after SET")
            t.eq(name(d.op(None, CLEAR, 0xffffff, p.pid)), "0", "clear")
            t.eq(d.stats(f.fileno())["processes"], 0, "processes after CLEAR")
        rounds += 1
    print("# set_against_exec: %d rounds" % rounds)
    p.kill()
    trace = whole_records(t, path, LOOSE)
    t.ok(len(trace.of(PROCDTOR)) == 0 and trace.calls, "calls")
