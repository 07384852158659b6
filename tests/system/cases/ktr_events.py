# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktr.ko: the kernel's own events. Each class leaves what was done while it was on, and is not felt when it is off."""
import ctypes
import fcntl
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time

import ktrstream
from cases.ktr import user
from ktest import ARM, Skip, case

CLASSES = {
    "GEN": 0x1, "NET": 0x2, "LOCK": 0x8, "SMP": 0x10, "PMAP": 0x40, "MALLOC": 0x80, "TRAP": 0x100, "INTR": 0x200,
    "SIG": 0x400, "PROC": 0x1000, "SYSC": 0x2000, "INIT": 0x4000, "EVH": 0x20000, "VFS": 0x40000, "VOP": 0x80000,
    "VM": 0x100000, "INET": 0x200000, "RUNQ": 0x400000, "UMA": 0x1000000, "CALLOUT": 0x2000000, "GEOM": 0x4000000,
    "BUSDMA": 0x8000000, "INET6": 0x10000000, "SCHED": 0x20000000, "BUF": 0x40000000, "PTRACE": 0x80000000,
}
HEX = "0x[0-9a-f]+"


def store(name, value):
    with open("/proc/sys/debug/ktr/" + name, "w", encoding="ascii") as f:
        f.write(str(value))


def record(t, name, action):
    """What the action returns, and the texts of the events of a class (or several) that it leaves."""
    mask = sum(CLASSES[n] for n in name.split())
    t.sysctl("debug.ktr.mask", 0)
    t.sysctl("debug.ktr.entries", 16384)
    store("clear", 1)
    store("mask", hex(mask))
    try:
        result = action()
    finally:
        store("mask", 0)
    return result, ktrstream.read().texts


def has(t, texts, *patterns):
    for pattern in patterns:
        if not any(re.fullmatch(pattern, text) for text in texts):
            near = [x for x in texts if x.split()[0] == pattern.split()[0]] or texts
            t.ok(False, "no event is %r, of %d; there are: %s" % (pattern, len(texts), near[:6]))


def comm():
    """What the kernel calls us."""
    with open("/proc/self/comm", encoding="ascii") as f:
        return re.escape(f.read().strip())


def child(argv):
    """Runs a program; returns its PID and status."""
    p = subprocess.Popen(argv, stderr=subprocess.DEVNULL)
    return p.pid, p.wait()


# Processes


@case(guest="ktr")
def proc(t):
    "KTR_PROC: fork, exec and exit, with who and what."
    (pid, _), texts = record(t, "PROC", lambda: child(["/bin/false"]))
    has(t, texts, r"fork: thread %s \(pid %d, %s\) makes %s \(pid %d, tid %d\)" % (HEX, os.getpid(), comm(), HEX, pid, pid),
        r"exec: thread %s \(pid %d, false\) runs /bin/false" % (HEX, pid),
        r"rename: thread %s \(pid %d\) from %s to false" % (HEX, pid, comm()),
        r"exit: thread %s \(pid %d, tid %d, false\) status 0x100" % (HEX, pid, pid))


@case(guest="ktr")
def sysc(t):
    "KTR_SYSC: FreeBSD's start and stop with name, arguments, error and result."
    def calls():
        os.getppid()
        try:
            os.rmdir("/nowhere/at/all")
        except OSError:
            pass
    _, texts = record(t, "SYSC", calls)
    rmdir = "unlinkat" if ARM else "rmdir"
    line = 'KTRGRAPH group:"syscall", id:"%s", %s:0x[0-9A-F]+, attributes: pid:' + str(os.getpid()) + ", %s"
    args = "arg0:%s, arg1:%s, arg2:%s" % (HEX, HEX, HEX)
    has(t, texts, line % ("getppid", "start", args), line % (rmdir, "start", args),
        line % ("getppid", "stop", "error:0, retval0:0x%x, retval1:0x?0" % os.getppid()),
        line % (rmdir, "stop", "error:2, retval0:0xf{16}, retval1:0x?0"))
    keys = [re.search("(start|stop):(0x[0-9A-F]+).*pid:%d," % os.getpid(), x) for x in texts]
    t.eq(len({m.group(2) for m in keys if m}), 1, "keys of one thread")


@case(guest="ktr")
def sig(t):
    "KTR_SIG: signals are made and delivered. KTR_TRAP: page faults, and what they come to."
    got = []
    old = signal.signal(signal.SIGUSR1, lambda *_: got.append(1))
    t.undo.append(lambda: signal.signal(signal.SIGUSR1, old))
    _, texts = record(t, "SIG", lambda: os.kill(os.getpid(), signal.SIGUSR1))
    has(t, texts, r"signal 10 \(code 0\) for pid %d \(%s\), result 0" % (os.getpid(), comm()),
        r"signal 10 \(code 0\) delivered to tid %d \(%s\), handler %s" % (os.getpid(), comm(), HEX))
    code = "import ctypes; ctypes.string_at(8)"
    (pid, status), texts = record(t, "TRAP", lambda: child([sys.executable, "-S", "-c", code]))
    t.eq(status, -signal.SIGSEGV, "status")
    has(t, texts, r"trap: pid %d \(python3\) gets signal 11 \(code 1\) at 0x8" % pid)
    if t.has_tracepoint("page_fault_user"):
        has(t, texts, r"page fault \(user\): pid %d \(python3\) at 0x8, code 0x4, ip %s" % (pid, HEX),
            r"page fault \(kernel\): pid %d \(.*\) at %s, code 0x[0-9a-f]+, ip %s" % (pid, HEX, HEX))


@case(guest="ktr")
def ptrace(t):
    "KTR_PTRACE: requests by name, whose and for whom, and results."
    libc = ctypes.CDLL(None)
    idle = t.idle()

    def attach():
        libc.ptrace(16, idle.pid, 0, 0)
        os.waitpid(idle.pid, 0)
        libc.ptrace(17, idle.pid, 0, 0)
        return libc.ptrace(17, 1, 0, 0)
    result, texts = record(t, "PTRACE", attach)
    idle.kill()
    idle.wait()
    t.eq(result, -1, "DETACH of somebody else")
    me = os.getpid()
    t.eq(texts, ["PTRACE_ATTACH (0x10): pid %d of pid %d, addr 0x0, data 0x0" % (me, idle.pid),
                 "ptrace: pid %d done, result 0, error 0" % me,
                 "PTRACE_DETACH (0x11): pid %d of pid %d, addr 0x0, data 0x0" % (me, idle.pid),
                 "ptrace: pid %d done, result 0, error 0" % me,
                 "PTRACE_DETACH (0x11): pid %d of pid 1, addr 0x0, data 0x0" % me,
                 "ptrace: pid %d done, result -1, error 3" % me], "events")


# Interrupts, timers, CPUs


def write(t, sync=os.fsync, size=65536):
    """Writes a file on the disk, to the disk."""
    path = "/var/tmp/ktr-%d" % os.getpid()
    t.undo.append(lambda: os.path.exists(path) and os.unlink(path))
    with open(path, "wb") as f:
        f.write(b"x" * size)
        f.flush()
        sync(f.fileno())
        st = os.fstat(f.fileno())
    return st


@case(guest="ktr")
def intr(t):
    "KTR_INTR: interrupts by number, handler and device, softirqs by name, vectors."
    _, texts = record(t, "INTR", lambda: (write(t), time.sleep(0.05)))
    has(t, texts, r"irq \d+: exec %s\(%s\) for virtio\d+-req\.\d+" % (HEX, HEX), r"irq \d+: handled for virtio\d+-req\.\d+",
        "softirq timer: raised", "softirq timer: begin", "softirq timer: end")
    if ARM:
        has(t, texts, r"irq \d+: exec %s\(%s\) for arch_timer" % (HEX, HEX), r"irq \d+: handled for arch_timer")
    else:
        has(t, texts, r"local_timer: begin \(vector 0xec\)", r"local_timer: end \(vector 0xec\)")


@case(guest="ktr")
def smp(t):
    "KTR_SMP: what CPUs ask of each other; a CPU goes and comes."
    def cpu1(on):
        with open("/sys/devices/system/cpu/cpu1/online", "w", encoding="ascii") as f:
            f.write(str(on))
    t.undo.append(lambda: cpu1(1))
    _, texts = record(t, "SMP", lambda: (cpu1(0), cpu1(1)))
    has(t, texts, r"cpu 1: to state \d+, step \d+ \(%s\)" % HEX, r"cpu 1: in state \d+, step \d+, result 0")
    if ARM:
        for what in "Rescheduling interrupts", "Function call interrupts":
            has(t, texts, r"ipi: raised \(%s\) for 1 CPUs, the first is [01]" % what, r"ipi: begin \(%s\)" % what,
                r"ipi: end \(%s\)" % what)
    else:
        has(t, texts, r"reschedule: begin \(vector 0xfd\)", r"reschedule: end \(vector 0xfd\)",
            r"call_function_single: begin \(vector 0xfb\)")


@case(guest="ktr")
def callout(t):
    "KTR_CALLOUT: timers are set, run and cancelled."
    class Interrupted(Exception):
        pass

    def interrupt(*_):
        if waits:
            raise Interrupted

    waits = []
    old = signal.signal(signal.SIGALRM, interrupt)
    t.undo.append(lambda: signal.signal(signal.SIGALRM, old))

    def timers():
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        signal.pause()
        time.sleep(0.02)
        # What waits with a limit in ticks: one that is over, and one that a signal ends.
        a, b = socket.socketpair()
        for limit, alarm in (20000, 0), (900000, 0.02):
            a.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, limit))
            waits.append(alarm)
            signal.setitimer(signal.ITIMER_REAL, alarm)
            try:
                a.recv(1)
            except (BlockingIOError, Interrupted):
                pass
        a.close()
        b.close()
    _, texts = record(t, "CALLOUT", timers)
    timer = r"callout (%s): " % HEX
    has(t, texts, r"itimer 0 of pid %d: 0 s 20000\d{3} ns, expires \d+" % os.getpid(),
        r"itimer 0 of pid %d: expired, now \d+" % os.getpid(),
        r"hrtimer %s: scheduled, func %s at \d+ ns" % (HEX, HEX), r"hrtimer %s: exec func %s, now \d+ ns" % (HEX, HEX),
        r"hrtimer %s: finished" % HEX, timer + r"scheduled, func %s in -?\d+ ticks" % HEX,
        timer + "exec func %s" % HEX, timer + "finished", timer + "cancelled")


@case(guest="ktr", timeout=120)
def lock(t):
    "KTR_LOCK: who waits for a lock, and gets it; schedgraph has him as blocked, with the kind of lock."
    if not t.has_tracepoint("contention_begin"):
        raise Skip("the kernel tells of locks since 5.19")
    # A write has its file's inode locked to its end, and there are more writers than CPUs.
    code = "import os\nf = os.open('locked', os.O_WRONLY | os.O_CREAT)\nwhile True: os.pwrite(f, bytes(8 << 20), 0)"
    jobs = [t.start([sys.executable, "-S", "-c", code]) for _ in range(4)]

    def stop():
        for job in jobs:
            job.kill()
            job.wait()
    t.undo.append(stop)
    seen = []

    def contested():
        texts = record(t, "LOCK SCHED", lambda: time.sleep(0.2))[1]
        seen.extend(x for x in texts if "contested" in x or '"blocked"' in x)
        return any('"blocked"' in x for x in seen) and any("acquired" in x for x in seen)
    t.until(contested, "a lock that is contested", 60)
    kinds = "(mutex|rwsem|percpu_rwsem|rtmutex|rwlock|spinlock|lock)"
    has(t, seen, r"%s contested \(lock=%s\) by tid \d+ \(.*\)" % (kinds, HEX),
        r"contested lock acquired \(lock=%s\) by tid \d+ \(.*\)" % HEX,
        r'KTRGRAPH group:"thread", id:"python3 tid \d+", state:"blocked", attributes: prio:120, wmesg:"[^"]{1,7}", '
        r'lockname:"(mutex|rwsem)"')


# Memory


@case(guest="ktr")
def memory(t):
    "KTR_MALLOC and KTR_UMA: what is allocated and freed, and of what cache. KTR_VM: pages. KTR_PMAP: page tables."
    def pipes():
        for end in os.pipe():
            os.close(end)
    _, texts = record(t, "MALLOC", pipes)
    has(t, texts, r"malloc: %s size \d+ of \d+ flags %s from %s" % (HEX, HEX, HEX), r"free: %s from %s" % (HEX, HEX))
    # 16 pipe buffers of 40 bytes
    made = {x.split()[1] for x in texts if " size 640 of 1024 " in x}
    t.ok(made & {x.split()[1] for x in texts if x.startswith("free: ")}, "a pipe's buffers, and their end: %s" % made)
    _, texts = record(t, "UMA", lambda: os.stat("/etc/passwd"))
    with open("/sys/kernel/tracing/events/kmem/kmem_cache_free/format", encoding="ascii") as f:
        named = "] name;" in f.read()       # not on 5.10
    names = r"%%s: %s zone names_cache\(%s\) %%sfrom %s" % (HEX, HEX, HEX)
    if named:
        has(t, texts, names % ("uma_zalloc", "flags 0xcc0 "), names % ("uma_zfree", ""))
    else:
        has(t, texts, r"uma_zalloc: %s size 4096 of 4096 flags 0xcc0 from %s" % (HEX, HEX), r"uma_zfree: %s from %s" % (HEX, HEX))

    def touch():
        with open("/dev/zero", "rb") as f:
            return len(f.read(8 << 20))
    _, texts = record(t, "VM", touch)
    has(t, texts, r"page alloc: pfn %s order \d flags %s type \d" % (HEX, HEX), r"page free: pfn %s order \d" % HEX)
    pages = sum(1 << int(x.split()[5]) for x in texts if x.startswith("page alloc: "))
    t.ok(pages >= 2048, "pages allocated: %d, for 2048" % pages)
    _, texts = record(t, "PMAP", lambda: child(["true"]))
    if ARM:
        t.eq(texts, [], "what an architecture says that does not tell of its TLB")
    else:
        has(t, texts, "tlb flush: task switch, pages -1")


# Files


def pages(texts, inode, what):
    """Those of a file of which it is said: one by one, or as the large folio that they are in."""
    found = set()
    for text in texts:
        match = re.fullmatch(inode + r"pages? (\d+)(?: to (\d+))? %s in the cache" % what, text)
        if match:
            found.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return found


@case(guest="ktr")
def files(t):
    "KTR_VFS, KTR_BUF, KTR_GEOM and KTR_VOP: a file is written, cached, brought to the disk, and locked."
    write(t)
    os.sync()
    st, texts = record(t, "VFS", lambda: write(t, lambda _: os.sync()))
    inode = "inode %d:%d %d: " % (os.major(st.st_dev), os.minor(st.st_dev), st.st_ino)
    has(t, texts, inode + "dirty, flags 0x[0-9a-f]+", inode + r"writeback begins, at most \d+ pages",
        inode + r"writeback ends, \d+ pages")
    _, texts = record(t, "BUF", lambda: write(t))
    for what in "now", "dirty", "no more":
        t.eq(pages(texts, inode, what), set(range(16)), "pages %s in the cache" % what)
    has(t, texts, r"buffer %d:%d: block \d+ size 4096 touched" % (os.major(st.st_dev), os.minor(st.st_dev)))
    _, texts = record(t, "GEOM", lambda: write(t))
    disk = r"%d:%d: write sector \d+ bytes 65536" % (os.major(st.st_dev), os.minor(st.st_dev))
    has(t, texts, "bio " + disk, "request " + disk + " issued", "request " + disk + " done")

    def locks():
        with open("/var/tmp/ktr-%d" % os.getpid(), "rb+") as f:
            fcntl.flock(f, fcntl.LOCK_SH)
            fcntl.flock(f, fcntl.LOCK_UN)
            fcntl.lockf(f, fcntl.LOCK_EX)
            fcntl.lockf(f, fcntl.LOCK_UN)
    _, texts = record(t, "VOP", locks)
    t.eq([x for x in texts if x.startswith(inode)][:4],
         [inode + x + " by pid %d, result 0" % os.getpid()
          for x in ("flock: read lock", "flock: unlock", "fcntl: write lock", "fcntl: unlock")], "locks")


# The network


@case(guest="ktr")
def net(t):
    "KTR_NET: packets of a device. KTR_INET and KTR_INET6: connections, each its own."
    def datagram():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as a, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as b:
            b.bind(("127.0.0.1", 0))
            a.sendto(b"hi", b.getsockname())
            return b.recv(10)
    _, texts = record(t, "NET", datagram)
    # Ethernet 14, IP 20, UDP 8
    has(t, texts, "lo: queues packet %s len 44 protocol 0x800" % HEX, "lo: sends packet %s len 44 protocol 0x800" % HEX,
        "lo: takes packet %s len 30 protocol 0x800" % HEX, "lo: receives packet %s len 30 protocol 0x800" % HEX,
        "lo: sent packet %s len 44, result 0" % HEX, r"(lo|none): polled, \d+ of 64 packets")

    def connection(family, address):
        with socket.socket(family) as server:
            server.bind((address, 0))
            server.listen()
            with socket.create_connection(server.getsockname()[:2]) as a:
                b = server.accept()[0]
                names = [s.getsockname()[1] for s in (server, a)]
                b.close()
        try:
            socket.create_connection((address, 1))
        except OSError:
            pass
        return names
    for name, other, family, address, shown in (("INET", "INET6", socket.AF_INET, "127.0.0.1", r"127\.0\.0\.1"),
                                                ("INET6", "INET", socket.AF_INET6, "::1", r"\[::1\]")):
        (port, mine), texts = record(t, name, lambda a=family, b=address: connection(a, b))
        has(t, texts, "tcp state: CLOSE to LISTEN, %s:%d .*:0" % (shown, port),
            "tcp state: SYN_SENT to ESTABLISHED, %s:%d %s:%d" % (shown, mine, shown, port),
            "tcp receives: segment of .*", "route: table 255 protocol .*")
        if t.has_tracepoint("inet_sk_error_report"):    # since 5.14
            has(t, texts, "tcp error: 111, %s:0 %s:1" % (shown, shown))
        _, texts = record(t, other, lambda a=family, b=address: connection(a, b))
        t.eq([x for x in texts if ":%d" % port in x or re.search(shown + ":", x) and "tcp state" in x], [],
             "what KTR_%s has of %s" % (other, name))


# The rest


@case(guest="ktr")
def system(t):
    "KTR_INIT: a module comes and goes. KTR_EVH: a request to the power management. KTR_GEN: work, and a cgroup."
    _, texts = record(t, "INIT", lambda: (t.run(["modprobe", "dummy"]), t.run(["rmmod", "dummy"])))
    has(t, texts, "module dummy: loaded at %s" % HEX, "initcall %s: begins" % HEX, "initcall %s: done, result 0" % HEX,
        "module dummy: unloaded")

    def latency():
        with open("/dev/cpu_dma_latency", "wb", 0) as f:
            f.write(struct.pack("<i", 20))
    _, texts = record(t, "EVH", latency)
    t.eq(texts, ["cpu latency: request -1 added", "cpu latency: request changed to 20", "cpu latency: request -1 removed"],
         "events")
    with open("/proc/self/cgroup", encoding="ascii") as f:
        group = f.read().strip().rpartition(":")[2].rstrip("/")
    folder = t.run(["findmnt", "-n", "-o", "TARGET", "-t", "cgroup2"]).strip() + group + "/ktr"
    _, texts = record(t, "GEN", lambda: (os.mkdir(folder), os.rmdir(folder), time.sleep(1)))
    has(t, texts, "cgroup %s/ktr: made" % group, "cgroup %s/ktr: removed" % group, "work %s: exec %s" % (HEX, HEX),
        "work %s: finished %s" % (HEX, HEX))


# The scheduler

# How FreeBSD's tools/sched/schedgraph.py reads a line of ktrdump -ct.
QUOTED = r'"([^"]*)"'
COMMA = "(?:" + QUOTED + "|([^,]+))"
LINE = re.compile(r"\s*(\d+)\s+(\d+)\s+(\d+)\s+KTRGRAPH group:" + QUOTED + ", id:" + QUOTED + ", ([^:]+):" + COMMA +
                  ", attributes: (.*)")
ATTRIBUTE = re.compile("(?:" + QUOTED + r"|([^:]+))\s*:\s*(?:" + COMMA + ", (.*)|" + QUOTED + "|(.*))")
STATES = {"running", "idle", "yielding", "suspended", "iwait", "sleep", "blocked", "runq add", "runq rem", "thread exit",
          "proc exit"}


def graph(t, events):
    """The events as schedgraph has them: (cpu, group, id, type, data, {attribute: value})."""
    out = []
    for n, e in enumerate(events):
        match = LINE.match("%d %d %d %s" % (n, e.cpu, e.timestamp, e.text))
        t.ok(match, "schedgraph cannot parse %r" % e.text)
        _, cpu, _, group, name, kind, quoted, plain, rest = match.groups()
        t.ok(kind in ("state", "counter", "point"), "schedgraph knows no %s" % kind)
        attributes = {}
        while rest is not None and rest != "none":
            match = ATTRIBUTE.match(rest.strip())
            t.ok(match, "attributes of %r" % e.text)
            key, key2, value, value2, rest, end, end2 = match.groups()
            attributes[key or key2] = next(v for v in (value, value2, end, end2) if v is not None)
        out.append((int(cpu), group, name, kind, plain if quoted is None else quoted, attributes))
    return out


@case(guest="ktr", timeout=120)
def sched(t):
    "KTR_SCHED: schedgraph.py understands every line, and they are true. KTR_RUNQ: the run queues alone."
    def busy():
        os.sched_setaffinity(0, {0})
        a = subprocess.Popen(["sh", "-c", "read x; exit 3"], stdin=subprocess.PIPE)
        time.sleep(0.3)
        os.sched_setaffinity(a.pid, {0})
        loops = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(2)]
        time.sleep(0.5)
        for loop in loops:
            loop.kill()
            loop.wait()
        a.communicate(b"x\n")
        os.sched_setaffinity(0, {0, 1})
        return a.pid, [loop.pid for loop in loops]
    t.sysctl("debug.ktr.mask", 0)
    t.sysctl("debug.ktr.entries", 16384)
    store("clear", 1)
    store("mask", hex(CLASSES["SCHED"]))
    try:
        reader, loops = busy()
    finally:
        store("mask", 0)
    stream = ktrstream.read()
    t.eq([e.text for e in stream.events if e.cut], [], "events that were cut")
    events = graph(t, sorted(stream.events, key=lambda e: e.timestamp))
    t.eq({e[1] for e in events}, {"thread", "load", "callout"}, "groups")
    states = {e[4] for e in events if e[1] == "thread" and e[3] == "state"}
    t.ok(states <= STATES, "states %s" % states)
    t.ok({"running", "idle", "sleep", "yielding", "runq add", "proc exit"} <= states, "states %s" % states)
    t.eq({e[4] for e in events if e[1] == "callout"}, {"running", "idle"}, "states of callouts")

    def of(pid):
        return [e for e in events if e[1] == "thread" and e[2].endswith(" tid %d" % pid)]
    mine = [e for e in of(reader) if e[3] == "state"]
    t.eq(mine[-1][4], "proc exit", "the last state of a process")
    sleeps = [e[5]["wmesg"] for e in mine if e[4] == "sleep"]
    t.ok("anon_pi" in sleeps if t.kernel_has("anon_pipe_read") else "pipe_re" in sleeps, "it read from a pipe: %s" % sleeps)
    # A woken thread was woken by somebody, who says so.
    woken = [e for e in mine if e[4] == "runq add" and e[5]["linkedto"].endswith(" tid %d" % os.getpid())]
    t.ok(woken, "who wakes it")
    t.ok(any(e[4] == "wokeup" and e[5]["linkedto"] == woken[-1][2] for e in of(os.getpid())), "the point of it")
    # Two loops on one CPU take turns.
    for pid in loops:
        kinds = [e[4] for e in of(pid) if e[3] == "state"]
        t.ok(kinds.count("yielding") > 3 and kinds.count("running") > 3, "states of a loop: %s" % kinds)
        t.eq({e[0] for e in of(pid) if e[4] == "running"}, {0}, "the CPU of a loop")
    loads = [(e[2], int(e[4])) for e in events if e[3] == "counter"]
    t.eq({name for name, _ in loads}, {"CPU 0 load", "CPU 1 load"}, "counters")
    t.ok(max(n for name, n in loads if name == "CPU 0 load") >= 2, "load of a CPU with two loops: %s" % loads[:20])
    t.ok(all(0 <= n < 20 for _, n in loads), "loads: %s" % loads[:20])
    # Who runs on a CPU runs until the same CPU says what became of it.
    running = {}
    for cpu, group, name, kind, data, _ in events:
        if group != "thread" or kind != "state" or data in ("runq add", "runq rem"):
            continue
        # A name changes with exec; there are idle threads of the same number.
        name = name if data == "idle" or name.startswith("swapper/") else name.rpartition(" ")[2]
        if data == "running":
            t.ok(cpu not in running, "%s runs on CPU %d, where %s did" % (name, cpu, running.get(cpu)))
            running[cpu] = name
        else:
            t.eq(running.pop(cpu, name), name, "who stops on CPU %d" % cpu)
    _, texts = record(t, "RUNQ", busy)
    kinds = {re.search(' (state|counter|point):("[^"]*"|)', x).group() for x in texts}
    t.ok({' state:"runq add"', " counter:"} <= kinds <= {' state:"runq add"', ' state:"runq rem"', " counter:"},
         "what KTR_RUNQ has: %s" % kinds)


# All of them


def attached_now():
    """Tracepoints that somebody listens to, as the test module finds them."""
    with open("/proc/ktr_attached", encoding="ascii") as f:
        return set(f.read().split())


FEEDS = {
    "GEN": "workqueue_execute_start", "NET": "netif_receive_skb", "LOCK": "contention_begin", "SMP": "reschedule_entry",
    "PMAP": "tlb_flush", "MALLOC": "kmalloc", "TRAP": "page_fault_user", "INTR": "irq_handler_entry",
    "SIG": "signal_deliver", "PROC": "sched_process_fork", "SYSC": "sys_enter", "INIT": "module_load",
    "EVH": "pm_qos_add_request", "VFS": "writeback_single_inode", "VOP": "flock_lock_inode", "VM": "mm_page_alloc",
    "INET": "inet_sock_set_state", "RUNQ": "sched_switch", "UMA": "kmem_cache_alloc", "CALLOUT": "timer_start",
    "GEOM": "block_rq_issue", "BUSDMA": "swiotlb_bounced", "INET6": "fib6_table_lookup", "SCHED": "sched_wakeup",
    "BUF": "mm_filemap_add_to_page_cache", "PTRACE": "sys_exit",
}


if ARM:
    FEEDS["SMP"] = "ipi_entry"
    del FEEDS["PMAP"]


@case(guest="ktr", timeout=180)
def attached(t):
    "A tracepoint has a probe while a class needs it, and none before and after."
    user(t)
    t.sysctl("debug.ktr.mask", 0)
    before = attached_now()
    for name, point in FEEDS.items():
        if not t.has_tracepoint(point):     # then ktr.ko says so
            continue
        t.ok(point not in before, "%s before" % point)
        store("mask", hex(CLASSES[name]))
        now = attached_now()
        t.ok(point in now, "%s: KTR_%s is on, and there are %s" % (point, name, now - before))
        store("mask", 0)
        t.eq(attached_now() - before, set(), "KTR_%s is off" % name)
    # One of two classes that need it goes.
    store("mask", hex(CLASSES["SYSC"] | CLASSES["PTRACE"]))
    store("mask", hex(CLASSES["PTRACE"]))
    t.ok("sys_enter" in attached_now(), "sys_enter for one class of two")
    # What module users record has no tracepoints.
    store("mask", "0x24")
    t.eq(attached_now() - before, set(), "KTR_DEV and KTR_SUBSYS")
    store("mask", "0xffffffff")
    t.ok(len(attached_now() - before) > 100, "all classes: %d tracepoints" % len(attached_now() - before))
    store("mask", 0)
    t.eq(attached_now() - before, set(), "all off")


@case(guest="ktr", timeout=240)
def together(t):
    "All classes at once under load, on and off, with rings that change: no word from the kernel."
    t.sysctl("debug.ktr.mask", 0)
    t.sysctl("debug.ktr.entries", 4096)
    source = "int f(int x) { return x; }\n" + "\n".join("int f%d(int x) { return f(x) + %d; }" % (i, i) for i in range(400))
    with open("big.c", "w", encoding="ascii") as f:
        f.write(source)
    net_code = ("import socket\nwhile True:\n for f, a in ((2, '127.0.0.1'), (10, '::1')):\n  s = socket.socket(f)\n"
                "  s.bind((a, 0)); s.listen(); c = socket.create_connection(s.getsockname()[:2]); d = s.accept()[0]\n"
                "  c.sendall(b'x' * 10000); d.recv(10000); c.close(); d.close(); s.close()")
    jobs = [["sh", "-c", "while :; do gcc -O1 -c big.c -o $$.o; done"], ["sh", "-c", "while :; do /bin/true; done"],
            [sys.executable, "-c", net_code], ["sh", "-c", "while :; do dd if=/dev/zero of=/var/tmp/ktr.$$ bs=64k count=20 "
                                               "conv=fsync; done 2>/dev/null"]]
    running = [t.start(job, start_new_session=True) for job in jobs]

    def stop():
        for job in running:
            if job.poll() is None:
                os.killpg(job.pid, signal.SIGKILL)
                job.wait()
        subprocess.run("rm -f /var/tmp/ktr.*", shell=True, check=True)
    t.undo.append(stop)
    # To attach all probes to a busy machine takes half a minute where CPUs are emulated: once.
    files_seen = set()
    store("mask", "0xffffffff")
    for entries in 500, 2000, 1000:
        store("entries", entries)
        time.sleep(1)
        files_seen |= {os.path.basename(e.file) for e in ktrstream.read().events}
    for name in "PROC", "GEOM", "SYSC":
        store("mask", hex(0xffffffff & ~CLASSES[name]))
        store("clear", 1)
        store("mask", "0xffffffff")
    t.ok(all(job.poll() is None for job in running), "jobs that run")
    store("mask", 0)
    stop()
    t.ok({"probe_%s.c" % x for x in "sched syscall intr timer mem".split()} <= files_seen,
         "files whose events are there: %s" % files_seen)
