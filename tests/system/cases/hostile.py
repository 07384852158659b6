# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What one user could do to the others, or to the machine: every resource that he can take has a bound, and is his."""
import ctypes
import os
import resource
import signal
import socket
import subprocess
import time

from cases.ops import name, poke, target
from cases.rough import SERVER
from ktest import CLEAR, DESCEND, F_ALL, F_C, F_GIO, GIO, NR, SET, STRU, Device, Skip, case, in_time

F_STRUCT = 1 << 8
LIBC = ctypes.CDLL(None, use_errno=True)


def create(path, uid=0, mode=0o600):
    with open(path, "wb"):
        pass
    os.chown(path, uid, uid)
    os.chmod(path, mode)
    return path


@case(guest="hostile")
def not_stored(t):
    "What looks like a file and is none (proc, sysfs, cgroups) is refused: the writer would speak for the machine."
    d, p = Device(), target(t)
    paths = ["/proc/%d/comm" % p.pid, "/proc/%d/mem" % p.pid, "/proc/%d/oom_score_adj" % p.pid,
             "/proc/sys/vm/swappiness", "/proc/sys/kern/ktrace/genio_size", "/sys/kernel/mm/ksm/run",
             "/sys/fs/cgroup/case/cgroup.procs", "/sys/kernel/debug/sched/verbose"]
    there = [path for path in paths if os.path.exists(path)]
    t.ok(len(there) >= 6, "only %s" % there)
    for path in there:
        t.eq(name(d.op(path, SET, F_C, p.pid)), "EACCES", path)
    t.eq(d.op(t.path(), SET, F_C, p.pid), 0, "an ordinary file")


@case(guest="hostile", timeout=120)
def stuck_server(t):
    "A user's file system never answers: his trace ends all the same, and the kernel has no task to complain of."
    t.run(["modprobe", "fuse"])
    t.sysctl("kernel.hung_task_check_interval_secs", 1)
    t.sysctl("kernel.hung_task_timeout_secs", 4)
    os.mkdir("m")
    fd = os.open("/dev/fuse", os.O_RDWR)
    t.run(["mount", "-i", "-t", "fuse", "-o", "fd=%d,rootmode=40000,user_id=0,group_id=0" % fd, "stuck", "m"],
          pass_fds=[fd])
    t.undo.append(lambda: t.run(["umount", "-l", "m"], status=None))
    # it reads the request to write, and forgets it
    forgets = SERVER.replace("elif op == 16:", "elif 0:").replace("op in (2, 42)", "op in (2, 42, 16)")
    server = t.start(["python3", "-c", forgets, str(fd)], pass_fds=[fd])
    os.close(fd)
    t.eq(server.stdout.readline(), b"ready\n", "server")
    d, p = Device(), target(t, 100)
    t.eq(d.op("m/t", SET, F_C, p.pid), 0, "set")
    poke(p)
    began = time.monotonic()
    p.kill()
    p.wait()
    d.close()
    in_time(t, began, "the traced process to end", 10, waits=5)
    time.sleep(10)  # the time in which the kernel would complain
    t.ok(t.module_users() > 0, "the session is over, and its writer waits?")
    server.kill()
    server.wait()
    t.until(lambda: t.module_users() == 0, "the end of the session")
    t.silence("write to .* failed")


@case(guest="count", timeout=120)
def families(t):
    "DESCEND on a large group beside a deep chain: the time grows with their sum, not with their product."
    family = t.start(["family", "600", "600"])
    groups = [int(word) for word in family.stdout.readline().split()]
    t.undo.append(lambda: [os.killpg(g, signal.SIGKILL) for g in groups])
    d, path = Device(), t.path()
    times = {}
    for what, ops, points in ("set", SET, F_C), ("set and descend", SET | DESCEND, F_C), \
            ("clear and descend", CLEAR | DESCEND, 0xffffff):
        began = time.monotonic()
        t.eq(d.op(path, ops, points, -groups[0]), 0, what)
        times[what] = time.monotonic() - began
    print("# families: %s" % {what: "%.3f s" % took for what, took in times.items()})
    with open(path, "rb") as f:
        t.eq(d.stats(f.fileno())["processes"], 0, "processes that are traced afterwards")
    # with each ancestor of each process compared with each of the group, half a second more
    t.ok(times["set and descend"] < times["set"] + 0.2, "descend: %s" % times)


def open_files():
    with open("/proc/sys/fs/file-nr", encoding="ascii") as f:
        return int(f.read().split()[0])


@case(guest="hostile")
def spares(t):
    "A process that goes from file to file leaves nothing behind in the sessions that stay."
    d, p = Device(), target(t)
    keepers = [target(t), target(t)]
    paths = [t.path(), t.path()]
    for path, keeper in zip(paths, keepers):
        t.eq(d.op(path, SET, F_C, keeper.pid), 0, "set")
    for path in paths * 2:
        t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    before = open_files()
    for i in range(60):
        t.eq(d.op(paths[i % 2], SET, F_C, p.pid), 0, "set")
    grown = open_files() - before
    print("# spares: %d more open files" % grown)
    t.ok(grown < 30, "%d more open files after 60 changes" % grown)


@case(guest="hostile", timeout=120)
def failures(t):
    "Who makes writes fail on purpose does not make the kernel forget of others that theirs did."
    t.kernel_log()
    os.chmod(t.dir, 0o777)

    def fail(number):
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        d, errors = Device(), []
        for i in range(number):
            path = "f%d-%d" % (os.getuid(), i)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            d.op(path, SET, F_C, os.getpid())
            with open(path, "rb") as f:
                end = time.monotonic() + 20
                while not d.stats(f.fileno())["error"] and time.monotonic() < end:
                    time.sleep(0.01)
                # And so it stays, while the session ends.
                seen = {d.stats(f.fileno())["error"] for _ in range(100)}
                errors.append(sorted(seen) if len(seen) > 1 else seen.pop())
        return errors

    t.eq(t.as_user(lambda: fail(1), uid=1001), [27], "error of a user's file")
    t.eq(t.as_user(lambda: fail(66), uid=1000), [27] * 66, "errors of the other's files")
    d = Device()
    with open("f1001-0", "rb") as f:
        t.eq(d.stats(f.fileno())["error"], 27, "error of the first one's file, still")
    d.close()
    t.until(lambda: t.module_users() == 0, "the end of all sessions")
    t.silence("write to .* failed")


@case(guest="hostile", timeout=120)
def namespace_memory(t):
    "max_user_memory: who has many uids in a user namespace of his own has no more memory than he has outside."
    t.sysctl("kern.ktrace.buffer_size", 8 << 20)
    one = (8 << 20) * os.cpu_count()
    t.sysctl("kern.ktrace.max_user_memory", 2 * one)
    os.chmod(t.dir, 0o777)
    for i in range(4):
        create("m%d" % i, mode=0o666)
    inside, mapped = os.pipe(), os.pipe()

    def user():
        if LIBC.unshare(0x10000000):
            return "no user namespace: %s" % os.strerror(ctypes.get_errno())
        os.write(inside[1], b"%d\n" % os.getpid())
        os.read(mapped[0], 1)
        results = []
        for i in range(4):
            r, w = os.pipe()
            if os.fork() == 0:
                os.setresgid(i + 1, i + 1, i + 1)
                os.setresuid(i + 1, i + 1, i + 1)
                os.write(w, name(Device().op("m%d" % i, SET, F_C, os.getpid())).encode() + b" ")
                os.closerange(3, 256)   # or whoever reads what we return would wait for us
                signal.pause()
            results.append(os.read(r, 100).decode().strip())
        return results

    begun = t.begin_as(user)
    os.close(inside[1])
    pid = os.read(inside[0], 20).strip().decode()
    if pid:
        for kind in "gid", "uid":
            with open("/proc/%s/%s_map" % (pid, kind), "w", encoding="ascii") as f:
                f.write("0 100000 65536")
        os.write(mapped[1], b"x")
    t.eq(t.result(begun), ["0", "0", "ENOMEM", "ENOMEM"], "SET by four uids of a namespace")
    # uids of nobody's namespace have their own, as ever
    outside = t.as_user(lambda: name(Device().op("m2", SET, F_C, os.getpid())), uid=100003)
    t.eq(outside, "0", "SET by one of them outside")


def bound(t):
    """A memory cgroup: its folder."""
    group = "/sys/fs/cgroup/bound"
    with open("/sys/fs/cgroup/cgroup.subtree_control", "w", encoding="ascii") as f:
        f.write("+memory")
    os.mkdir(group)
    t.undo.append(lambda: t.until(lambda: os.system("rmdir " + group) == 0, "the cgroup to be empty"))
    return group


def enter(group, **limits):
    """From here on this process is in it."""
    for what, value in limits.items():
        with open("%s/memory.%s" % (group, what), "w", encoding="ascii") as f:
            f.write(str(value))
    with open(group + "/cgroup.procs", "w", encoding="ascii") as f:
        f.write("0")


def in_group(group, what):
    """A number of memory.stat, or memory.WHAT if there is none."""
    with open(group + "/memory.stat", encoding="ascii") as f:
        stat = dict(line.split() for line in f)
    if what not in stat:
        with open("%s/memory.%s" % (group, what), encoding="ascii") as f:
            return int(f.read())
    return int(stat[what])


@case(guest="hostile")
def memory_cgroup(t):
    "What a trace needs is charged to the memory cgroup of who sets it: beyond its limit ENOMEM, and nobody is killed."
    group, path = bound(t), t.path()
    t.sysctl("kern.ktrace.buffer_size", 16 << 20)

    def inside():
        enter(group, max=16 << 20)
        d = Device()
        first = name(d.op(path, SET, F_C, os.getpid()))
        t.sysctl("kern.ktrace.buffer_size", 1 << 20)
        before = in_group(group, "current")
        second = name(d.op(path, SET, F_C, os.getpid()))
        return first, second, in_group(group, "current") - before

    first, second, more = t.as_user(inside, uid=0)
    t.eq((first, second), ("ENOMEM", "0"), "SET with rings larger than the limit, and smaller")
    print("# memory_cgroup: %d bytes charged" % more)
    t.ok(more >= os.cpu_count() << 20, "only %d bytes were charged" % more)


@case(guest="hostile", timeout=120)
def memory_high(t):
    "Who is above memory.high sleeps while SET takes memory for him: nobody else waits meanwhile."
    group, path = bound(t), t.path()
    t.sysctl("kern.ktrace.buffer_size", 1 << 20)

    def inside():
        d = Device()
        enter(group, high=4096)
        began = time.monotonic()
        return name(d.op(path, SET, F_C, os.getpid())), time.monotonic() - began

    longest, reads, end = 0, 0, time.monotonic() + 6
    slow_one = t.begin_as(inside, 0)
    while time.monotonic() < end:
        began = time.monotonic()
        t.sysctl("kern.ktrace.stats")
        longest = max(longest, time.monotonic() - began)
        reads += 1
        time.sleep(0.02)
    result, took = t.result(slow_one)
    print("# memory_high: SET took %.1f s, the longest of %d reads %.3f s" % (took, reads, longest))
    t.eq(result, "0", "SET")
    t.ok(took > 4, "SET did not sleep")
    t.ok(longest < 1.5, "reading the statistics took %.1f s" % longest)


@case(guest="hostile")
def file_pages(t):
    "The pages of a trace file on tmpfs are charged to the memory cgroup of who set the trace."
    if tuple(map(int, os.uname().release.split(".")[:2])) < (5, 14):
        raise Skip("before 5.14 the kernel charges what its threads write to nobody")
    group, path = bound(t), t.path()

    def inside():
        enter(group)
        d, data = Device(), bytes(4096)
        before = in_group(group, "shmem")
        result = name(d.op(path, SET, F_GIO, os.getpid()))
        with open("/dev/null", "wb", buffering=0) as null, open(path, "rb") as f:
            for _ in range(2000):
                null.write(data)
            d.flush(f.fileno())
        return result, in_group(group, "shmem") - before

    result, more = t.as_user(inside, uid=0)
    print("# file_pages: %d bytes charged, of %d" % (more, os.path.getsize(path)))
    t.eq(result, "0", "SET")
    t.ok(more >= 8000000, "only %d bytes were charged" % more)


@case(guest="hostile")
def many_vectors(t):
    "A call with very many iovecs: those looked at with preemption off have a bound; what is left out is counted."
    prog = r"""
import ctypes, socket
class Iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("len", ctypes.c_size_t)]
class Message(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("namelen", ctypes.c_uint), ("iov", ctypes.c_void_p),
                ("iovlen", ctypes.c_size_t), ("control", ctypes.c_void_p), ("controllen", ctypes.c_size_t),
                ("flags", ctypes.c_size_t), ("moved", ctypes.c_size_t)]
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
s.connect(s.getsockname())
data = ctypes.create_string_buffer(b"y" * 1024, 1024)
vectors = (Iovec * 1024)(*[(ctypes.addressof(data) + i, 1) for i in range(1024)])
messages = (Message * 64)(*[Message(iov=ctypes.addressof(vectors), iovlen=1024) for _ in range(64)])
assert ctypes.CDLL(None).sendmmsg(s.fileno(), ctypes.byref(messages), 64, 0) == 64
"""
    trace = t.trace(["python3", "-c", prog], "i")
    # each message's are looked at twice: for its length, and for its data
    sizes = [len(r.data) for r in trace.of(GIO) if r.rw == 1]
    t.eq(sizes, [1024] * 32 + [0] * 32, "bytes of the messages")


RECEIVER = r"""
import ctypes, os, socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("server")
print("ready", flush=True)
os.read(0, 1)
for room in 3, 110:
    size = ctypes.c_int(room)
    ctypes.CDLL(None).recvfrom(s.fileno(), ctypes.create_string_buffer(1), 1, 0, ctypes.create_string_buffer(110),
                               ctypes.byref(size))
    print("got", flush=True)
os.read(0, 1)
"""


@case(guest="hostile")
def struct_again(t):
    "STRUCT is cleared while a call waits, and set while a later one does: what was kept of the first is forgotten."
    p = t.start(["python3", "-c", RECEIVER], stdin=subprocess.PIPE)
    t.eq(p.stdout.readline(), b"ready\n", "server")
    client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    client.bind("a-client")
    d, path = Device(), t.path()

    def in_call(number):
        with open("/proc/%d/syscall" % p.pid, encoding="ascii") as f:
            return f.read().split()[0] == str(number)

    t.eq(d.op(path, SET, F_C | F_STRUCT, p.pid), 0, "set")
    p.stdin.write(b"x")
    p.stdin.flush()
    t.until(lambda: in_call(NR.recvfrom), "recvfrom()")
    t.eq(d.op(None, CLEAR, F_STRUCT, p.pid), 0, "clear of STRUCT alone")
    client.sendto(b"x", "server")
    t.eq(p.stdout.readline(), b"got\n", "server")
    t.until(lambda: in_call(NR.recvfrom), "recvfrom() again")
    t.eq(d.op(path, SET, F_STRUCT, p.pid), 0, "set of STRUCT")
    client.sendto(b"x", "server")
    t.eq(p.stdout.readline(), b"got\n", "server")
    t.until(lambda: in_call(NR.read), "read()")
    t.eq(d.op(None, CLEAR, 0xffffff, p.pid), 0, "clear")
    found = [r.payload for r in t.read(path).of(STRU)]
    t.ok(len(found) == 1 and b"a-client" in found[0], "structures: %s" % found)


@case(guest="hostile", timeout=120)
def many_sessions(t):
    "As many traces as max_user_memory has room for, then ENOMEM; when they end, as many again. Nobody else notices."
    t.sysctl("kern.ktrace.buffer_size", 65536)
    one = 65536 * os.cpu_count()
    t.sysctl("kern.ktrace.max_user_memory", 20 * one)
    os.chmod(t.dir, 0o777)

    def user():
        d, results, children = Device(), [], []
        for i in range(22):
            pid = os.fork()
            if pid == 0:
                signal.pause()
            children.append(pid)
            path = "s%d-%d" % (os.getuid(), i)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            results.append(name(d.op(path, SET, F_ALL, pid)))
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        return results

    for _ in range(2):
        t.eq(t.as_user(user), ["0"] * 20 + ["ENOMEM"] * 2, "SET of 22 files")
        t.until(lambda: t.module_users() == 0, "the end of all sessions")
    begun = [t.begin_as(user, uid) for uid in (1000, 1001)]
    for one in begun:
        t.eq(t.result(one), ["0"] * 20 + ["ENOMEM"] * 2, "SET of 22 files, by two users at once")


@case(guest="hostile")
def few_files(t):
    "Where the machine has no more open files for users, SET is an error, and nothing is half set."
    path = t.path(uid=1000)
    t.sysctl("fs.file-max", open_files() + 300)

    def user(room):
        d, held = Device(), []
        try:
            while True:
                held.append(os.open("/dev/null", os.O_RDONLY))
        except OSError as e:
            full = name(-e.errno)
        for fd in held[:room]:
            os.close(fd)
        return full, name(d.op(path, SET, F_C, os.getpid()))

    # The kernel's number of open files is one of its CPUs' counts, which come together late, but exact where there are too many.
    seen = []
    for room in range(100):
        seen.append(t.as_user(lambda room=room: user(room)))
        t.until(lambda: t.module_users() == 0, "no session to be left")
        if seen[-1][1] == "0":
            break
    print("# few_files: with room for 0, 1, ...: %s" % seen)
    t.eq({full for full, _ in seen}, {"ENFILE"}, "the machine is full")
    t.eq(seen[-1][1], "0", "SET with files enough")
    t.ok(len(seen) > 1, "SET needs no file")
    t.ok({result for _, result in seen[:-1]} <= {"ENOMEM", "ENFILE"}, "SET: %s" % seen)


DROPPER = r"""
import os
for i in range(150):
    pid = os.fork()
    if pid == 0:
        os.setgroups([])
        os.setresgid(1000, 1000, 1000)
        os.setresuid(1000, 1000, 1000)
        for _ in range(30):
            os.getppid()
        os._exit(0)
    os.waitpid(pid, 0)
"""


@case(guest="hostile", timeout=120)
def set_against_setuid(t):
    "SET by a user of processes that root makes, at any moment while they become that user's: never a record of one."
    path = t.path(uid=1000)
    p = t.start(["python3", "-c", DROPPER])

    def user():
        d, results, tries = Device(), set(), 0
        while not os.path.exists("over"):
            try:
                with open("/proc/%d/task/%d/children" % (p.pid, p.pid), encoding="ascii") as f:
                    pids = [int(word) for word in f.read().split()]
            except OSError:
                continue
            for pid in pids:
                results.add(name(d.op(path, SET, F_ALL, pid)))
                tries += 1
        return results, tries

    begun = t.begin_as(user)
    t.eq(p.wait(), 0, "status")
    with open("over", "wb"):
        pass
    results, tries = t.result(begun)
    print("# set_against_setuid: %d tries, %s" % (tries, sorted(results)))
    # 0 is what one gets for a process that exits just then, and no record
    t.ok(tries and results <= {"0", "EPERM", "ESRCH"}, "%d tries: %s" % (tries, results))
    t.eq(os.path.getsize(path), 0, "size of the file")
