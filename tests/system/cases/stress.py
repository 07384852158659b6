# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Everything at once, by many users, and what the machine does meanwhile. With -a: for a quarter of an hour."""
import ctypes
import fcntl
import os
import random
import signal
import struct
import subprocess
import time

from cases.exclusive import TRACING, Ftrace
from cases.ops import name
from cases.rough import keep_hooks
from ktest import CALL, CLEAR, CLEARFILE, DESCEND, F_ALL, F_C, INHERIT, NR, SET, V1, Device, Skip, case, slow

USERS = (0, 1000, 1001, 1002)
ROUND = 8           # seconds
LONG = 900
FREE = ("0", "ESRCH", "EPERM")
CPU1 = "/sys/devices/system/cpu/cpu1/online"


def totals(t):
    """kern.ktrace.stats as numbers."""
    return {key: int(value) for key, value in (w.split("=") for w in t.sysctl("kern.ktrace.stats").split())}


class Mills:
    """Storms of a user, each a process group of its own; what dies is started again."""

    def __init__(self, rng, nr):
        self.rng, self.nr, self.all = rng, nr, []

    def some(self):
        while len(self.all) < self.nr:
            self.all.append(subprocess.Popen(["/tests/bin/mill", str(self.rng.randrange(1 << 15))],
                                             start_new_session=True))
        return self.rng.choice(self.all)

    def kill(self, one):
        """kill -9, at any stage."""
        os.killpg(one.pid, signal.SIGKILL)
        one.wait()
        self.all.remove(one)

    def end(self):
        for one in list(self.all):
            self.kill(one)


def hand(seed, paths, seconds, others):
    """What one user does all the time. Returns how many operations, and what came that must not."""
    rng = random.Random(seed)
    mills, d = Mills(rng, 2), Device()
    end, done, odd = time.monotonic() + seconds, 0, []

    def op(path, ops, points, pid, good=FREE):
        result = name(d.op(path, ops, points, pid))
        if result not in good:
            odd.append((ops, points, pid, result))

    while time.monotonic() < end:
        one, path = mills.some(), rng.choice(paths)
        what = rng.randrange(24)
        pid = rng.choice((one.pid, one.pid, -one.pid))
        if what < 10:
            ops = SET | rng.choice((0, DESCEND)) | rng.choice((0, V1))
            op(path, ops, rng.choice((F_C, F_ALL, F_C | INHERIT, F_ALL | INHERIT)), pid, (*FREE, "ENOMEM"))
        elif what < 16:
            op(None, CLEAR | rng.choice((0, DESCEND)), rng.choice((F_C, 0xffffff)), pid)
        elif what < 18:
            op(path, CLEARFILE, 0, 0)
        elif what < 20:
            with open(path, "rb") as f:
                result = name(d.flush(f.fileno()))
                if result.startswith("E") and result != "ETIME":
                    odd.append(("flush", result))
        elif what == 20:
            with open(path, "rb") as f:
                if not isinstance(d.stats(f.fileno()), dict):
                    odd.append(("stats", path))
        elif what == 21:
            mills.kill(one)
        elif os.getuid():
            op(path, rng.choice((SET, CLEAR)), F_C, rng.choice(others), ("EPERM", "ESRCH", "ENOMEM"))
        done += 1
    mills.end()
    d.close()
    return done, odd


def disturb(t, rng, seconds):
    """What the machine does meanwhile: CPUs go and come, settings change, somebody wants the module away."""
    end = time.monotonic() + seconds
    busy = 0
    while time.monotonic() < end:
        what = rng.randrange(5)
        if what == 0 and os.path.exists(CPU1):
            with open(CPU1, "w", encoding="ascii") as f:
                f.write(rng.choice("01"))
        elif what == 1:
            t.sysctl("kern.ktrace.buffer_size", rng.choice((65536, 262144, 524288)))
        elif what == 2:
            t.sysctl("kern.ktrace.request_pool", rng.choice((500, 1048576)))
        elif what == 3:
            t.sysctl("kern.ktrace.exclusive", rng.choice((0, 1)))
        else:
            t.run(["rmmod", "ktrace"], status=1)
            busy += 1
        time.sleep(0.1)
    if os.path.exists(CPU1):
        with open(CPU1, "w", encoding="ascii") as f:
            f.write("1")
    return busy


def one_round(t, seed, seconds):
    """A round of it; then all is ended, and accounted for."""
    rng = random.Random(seed)
    d = Device()    # holds the module, so that rmmod fails whenever it comes
    before = totals(t)
    strangers = t.idle()
    files, hands = [], []
    keep_hooks(t)
    files.append(os.path.join(t.dir, "hooks.kt"))
    t.kernel_log()
    for uid in USERS:
        mine = [os.path.join(folder, "%d-%d-%d" % (seed, uid, n)) for n, folder in enumerate((t.dir, t.dir, "small"))]
        for path in mine:
            with open(path, "wb"):
                pass
            os.chown(path, uid, uid)
            os.chmod(path, 0o600)
        files += mine
        hands.append(t.begin_as(lambda n=rng.random(), m=mine: hand(n, m, seconds, (strangers.pid, 1)), uid))
    refused = disturb(t, rng, seconds)
    results = [t.result(h) for h in hands]
    t.eq(d.op(None, CLEAR | DESCEND, 0xffffff, 1), 0, "clear all")
    d.close()
    strangers.kill()
    t.until(lambda: t.module_users() == 0, "the end of all sessions")
    after = totals(t)
    t.silence("write to .* failed")
    delta = {key: after[key] - before[key] for key in after}
    read = int(t.run(["records", *files]))
    print("# seed %d: %s operations, %d rmmods refused, %d records read, %s" %
          (seed, [n for n, _ in results], refused, read, delta), flush=True)
    t.eq([odd for _, odds in results for odd in odds], [], "what came that must not")
    t.eq(read, delta["records"] - delta["lost_write"], "records in the files, and made less those lost in writing")
    t.ok(read, "no records")
    for path in files:
        os.unlink(path)


@case(guest="hostile", timeout=180, long=LONG + 300)
def users(t):
    "Four users set, clear, flush and kill their storms, CPUs go off, settings change, a disk fills up: all is counted."
    os.mkdir("small")
    t.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=1777", "tmpfs", "small"])
    t.undo.append(lambda: t.run(["umount", "-l", "small"], status=None))
    os.chmod(t.dir, 0o777)
    end = time.monotonic() + (LONG if t.long else 1)
    seed = int(time.time()) if t.long else 1
    while time.monotonic() < end:
        one_round(t, seed, ROUND)
        seed += 1


def set_clock(seconds):
    """settimeofday(2), as far from now."""
    time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME) + seconds)


@case(guest="hostile")
def clock(t):
    "The clock is set back and forth: the trace goes on, by its own, and never back; nothing is lost."
    t.undo.append(lambda start=time.clock_gettime(time.CLOCK_REALTIME), base=time.monotonic():
                  time.clock_settime(time.CLOCK_REALTIME, start + time.monotonic() - base))
    path = t.path()
    p = t.start(["ktrace", "-a", "-i", "-t", "c", "-f", path, "/tests/bin/loop", "20000", "4"])
    steps = 0
    while p.poll() is None:
        set_clock((-7200, 3600, 0.3, 3599.7)[steps % 4])
        steps += 1
        time.sleep(0.02)
    t.eq(p.returncode, 0, "status")
    t.ok(steps > 4, "%d steps only" % steps)
    print("# clock: %d steps" % steps)
    t.run(["records", "-t", path])
    trace = t.read(path, dead=True)
    t.eq((trace.calls[(64, NR.getppid)], trace.drops), (80000, 0), "calls and drops")
    seconds = (trace.records[-1].ns - trace.records[0].ns) / 1e9
    t.ok(seconds < 600 * slow(), "the trace takes %d s" % seconds)


@case(guest="hostile")
def suspend(t):
    "Processes are frozen, as for a suspend, while they are traced, again and again: they can be, and nothing is lost."
    if not os.path.exists("/sys/power/pm_test"):
        raise Skip("the kernel has no pm_test")
    def write(path, text):
        with open(path, "w", encoding="ascii") as f:
            f.write(text)

    write("/sys/power/pm_test", "freezer")
    t.undo.append(lambda: write("/sys/power/pm_test", "none"))
    if os.path.exists("/sys/module/suspend/parameters/pm_test_delay"):
        write("/sys/module/suspend/parameters/pm_test_delay", "1")
    path = t.path()
    p = t.start(["ktrace", "-a", "-i", "-t", "ci", "-f", path, "/tests/bin/loop", "10000", "4"])
    rounds = 0
    while p.poll() is None and rounds < 3:
        write("/sys/power/state", "freeze")     # freezes, waits for a moment, thaws
        rounds += 1
    t.eq(p.wait(), 0, "status")
    t.ok(rounds, "it has never been frozen")
    trace = t.read(path, dead=True)
    t.eq((trace.calls[(64, NR.getppid)], trace.drops), (40000, 0), "calls and drops")


# quotactl(2) for users, by device
Q_SETQUOTA, Q_QUOTAON = 0x800008 << 8, 0x800002 << 8


@case(guest="hostile")
def quota(t):
    "A user's quota and the blocks that are root's: the trace ends where his own writing would, at a whole record."
    image = "/var/tmp/quota.img"
    with open(image, "wb") as f:
        f.truncate(8 << 20)
    t.run(["mkfs.ext4", "-q", "-O", "quota", "-E", "quotatype=usrquota", image])
    os.mkdir("m")
    t.run(["modprobe", "-a", "loop", "quota_v2"], status=None)
    t.run(["mount", "-o", "loop,usrquota", image, "m"], status=None)
    if t.status:
        raise Skip("no ext4 with quotas: %s; %s" % (t.stderr.strip(), t.kernel_log()[-3:]))
    t.undo.append(lambda: t.run(["umount", "-l", "m"], status=None))
    os.chmod("m", 0o777)
    with open("/proc/self/mounts", encoding="ascii") as f:
        device = [line.split()[0] for line in f if line.split()[1] == os.path.join(t.dir, "m")][0]
    # dqb_bhardlimit and dqb_bsoftlimit in KiB, dqb_valid: limits of blocks
    limit = struct.pack("<8QI4x", 200, 200, 0, 0, 0, 0, 0, 0, 1)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(NR.quotactl, Q_SETQUOTA, device.encode(), 1000, limit):
        raise Skip("quotactl: %s" % os.strerror(ctypes.get_errno()))
    t.kernel_log()
    for name_, uid, least, most in ("m/quota.kt", 1000, 150 << 10, 200 << 10), ("m/full.kt", 1001, 1 << 20, 8 << 20):
        out = t.run(["ktrace", "-i", "-t", "c", "-f", name_, "sh", "-c", "/tests/bin/loop 60000; echo fine"], uid=uid)
        t.eq(out, "fine\n", "output of the program")
        size = os.path.getsize(name_)
        t.ok(least <= size <= most, "%s has %d bytes" % (name_, size))
        t.run(["records", "-t", name_])
        t.seen.add(os.path.join(t.dir, name_))
        with open("/proc/self/mounts", encoding="ascii"):
            free = os.statvfs("m")
        t.ok(free.f_bfree > 0, "root has blocks left")
    t.eq(len([line for line in t.kernel_log() if "write to" in line]), 2, "lines in the log")
    t.until(lambda: t.module_users() == 0, "the end of tracing")


@case(guest="hostile", timeout=300)
def memory_pressure(t):
    "A storm in a memory cgroup that is too small, traced: some are killed for want of memory, and all is counted."
    group = "/sys/fs/cgroup/pressure"
    with open("/sys/fs/cgroup/cgroup.subtree_control", "w", encoding="ascii") as f:
        f.write("+memory")
    os.mkdir(group)
    t.undo.append(lambda: t.until(lambda: os.system("rmdir " + group) == 0, "the cgroup to be empty"))
    with open(group + "/memory.max", "w", encoding="ascii") as f:
        f.write(str(12 << 20))
    t.sysctl("vm.oom_dump_tasks", 0)  # the console is slow
    before = totals(t)
    t.sysctl("kern.ktrace.buffer_size", 262144)
    path = t.path()
    script = ("echo 0 >%s/cgroup.procs; for i in 1 2 3; do /tests/bin/mill $i & p=\"$p $!\"; done; "
              "for i in 1 2 3 4; do head -c 20m /dev/zero | tail -c 15m >/dev/null; done; kill $p" % group)
    p = t.start(["ktrace", "-a", "-i", "-t", "cnis", "-f", path, "sh", "-c", script], stderr=subprocess.DEVNULL)
    p.stdout.read()     # until nobody of them is left
    with open(group + "/memory.events", encoding="ascii") as f:
        events = dict(line.split() for line in f)
    p.wait()
    t.until(lambda: t.module_users() == 0, "the end of all sessions")
    after = totals(t)
    delta = {key: after[key] - before[key] for key in after}
    print("# memory_pressure: %s, %s" % (events, delta))
    t.ok(int(events["max"]) > 0, "there was no pressure")
    t.eq(int(t.run(["records", "-t", path])), delta["records"] - delta["lost_write"], "records in the file")
    t.seen.add(path)
    t.silence("oom|Memory cgroup|Killed process")


# Other tracers, without their programs: perf_event_open(2), bpf(2), tracefs, ptrace by strace.

class Perf:
    """Counts a tracepoint's events on all CPUs; with a BPF program that runs at each."""

    def __init__(self, t, point, bpf):
        with open(TRACING + "/events/%s/id" % point, encoding="ascii") as f:
            number = int(f.read())
        libc = ctypes.CDLL(None, use_errno=True)
        attr = struct.pack("<IIQQQQQ", 2, 112, number, 1, 0, 0, 0) + bytes(64)    # PERF_TYPE_TRACEPOINT, period 1
        self.fds = []
        for cpu in range(os.cpu_count()):
            fd = libc.syscall(NR.perf_event_open, attr, -1, cpu, -1, 8)
            t.ok(fd >= 0, "perf_event_open: %s" % os.strerror(ctypes.get_errno()))
            self.fds.append(fd)
        if bpf:
            code = ctypes.create_string_buffer(struct.pack("<BBhiBBhi", 0xb7, 0, 0, 1, 0x95, 0, 0, 0))   # r0 = 1; exit
            gpl = ctypes.create_string_buffer(b"GPL")
            load = struct.pack("<IIQQIIQ", 5, 2, ctypes.addressof(code), ctypes.addressof(gpl), 0, 0, 0) + bytes(80)
            prog = libc.syscall(NR.bpf, 5, load, len(load))    # BPF_PROG_LOAD, BPF_PROG_TYPE_TRACEPOINT
            t.ok(prog >= 0, "bpf: %s" % os.strerror(ctypes.get_errno()))
            for fd in self.fds[:1]:
                fcntl.ioctl(fd, 0x40042408, prog)       # PERF_EVENT_IOC_SET_BPF
            self.fds.append(prog)

    def count(self):
        return sum(struct.unpack("<Q", os.read(fd, 8))[0] for fd in self.fds[:os.cpu_count()])

    def close(self):
        for fd in self.fds:
            os.close(fd)


@case(guest="hostile", timeout=180)
def tracers(t):
    "perf, BPF, ftrace, a kprobe where ours are, strace and ktr, all at once on what is traced: each sees all."
    keep_hooks(t)
    ftrace = Ftrace(t)
    t.undo.append(ftrace.close)
    fd = os.open(TRACING + "/kprobe_events", os.O_WRONLY | os.O_APPEND)     # Python's "a" seeks, which it refuses
    os.write(fd, b"p:stress path_init\nr:stress_return path_init\n")
    os.close(fd)
    t.undo.append(lambda: open(TRACING + "/kprobe_events", "w", encoding="ascii").close())
    perf = [Perf(t, "raw_syscalls/sys_enter", False), Perf(t, "raw_syscalls/sys_exit", True),
            Perf(t, "kprobes/stress", False), Perf(t, "sched/sched_switch", True)]
    t.sysctl("debug.ktr.mask", "0x20003000")
    count = 500
    for i in range(4):
        before = [p.count() for p in perf]
        path = "all%d.kt" % i
        argv = ["ktrace", "-i", "-f", path, "-t", "+wf", "/tests/bin/loop", count, "2"]
        if i % 2:
            argv = ["strace", "-f", "-o", "strace%d" % i, *argv]
        t.run(argv, timeout=100)
        trace = t.read(path, dead=True)
        t.eq(trace.calls[(64, NR.getppid)], 2 * count, "calls that ktrace saw")
        seen = [p.count() - b for p, b in zip(perf, before)]
        print("# tracers: %s" % seen)
        t.ok(min(seen[:2]) >= 2 * count and min(seen) > 0, "what perf counted: %s" % seen)
        if i % 2:
            with open("strace%d" % i, encoding="utf-8", errors="replace") as f:
                t.eq(sum("getppid(" in line for line in f), 2 * count, "calls that strace saw")
        pids = {r.pid for r in trace.of(CALL) if r.code == NR.getppid}
        t.eq(sum(ftrace.of(pid) for pid in pids), 2 * count, "calls that ftrace saw")
    for p in perf:
        p.close()
