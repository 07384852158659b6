# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktrace(2): who, what, into which file, and every errno."""
import ctypes
import errno
import os
import signal
import socket

from ktest import (CALL, CLEAR, CLEARFILE, DESCEND, DEVICE, FAC_DROP, F_ALL, F_C, F_CTOR, F_DTOR, F_GIO, F_NAMI,
                   INHERIT, IOC_VERSION, NR, PROCCTOR, PROCDTOR, RET, ROOT, SET, V1, Device, Fail, case)


class Library:
    """libktrace, as Device: 0 or minus the errno."""

    def __init__(self):
        self.lib = ctypes.CDLL("libktrace.so.0", use_errno=True)
        self.lib.ktrace.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int]

    def op(self, path, ops, points, pid):
        if isinstance(path, str):
            buf = ctypes.create_string_buffer(os.fsencode(path))
            path = ctypes.addressof(buf)
        points = points - (1 << 32) if points & ROOT else points
        return -ctypes.get_errno() if self.lib.ktrace(path, ops, points, pid) else 0


def name(result):
    return errno.errorcode.get(-result, str(result)) if result < 0 else str(result)


def asleep(pid):
    with open("/proc/%d/stat" % pid, encoding="ascii") as f:
        return ") S" in f.read()


def poke(p):
    p.send_signal(signal.SIGUSR1)
    if p.stdout.readline() != b"done\n":
        raise Fail("the target is gone")
    # its last call is made: counts hold still
    while not asleep(p.pid):
        pass


def target(t, calls=3, uid=0, **options):
    """A process that makes some getppid calls when it is poked."""
    p = t.start(["idle", str(calls)], uid=uid, **options)
    t.eq(p.stdout.readline(), b"ready\n", "target")
    t.until(lambda: asleep(p.pid), "the target to sleep")
    return p


def calls_of(trace, p):
    return sum(r.code == NR.getppid for r in trace.of(CALL, pid=p.pid))


def setup_files(t):
    """Files of every kind in the folder; returns their names, relative."""
    os.chmod(t.dir, 0o755)
    for n, mode in (("good", 0o666), ("readonly", 0o444), ("secret", 0o600), ("dir/file", 0o666),
                    ("closed/file", 0o666)):
        path = os.path.join(t.dir, n)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb"):
            pass
        os.chmod(path, mode)
    os.chmod(os.path.join(t.dir, "closed"), 0o700)
    os.mkfifo(os.path.join(t.dir, "fifo"))
    os.chmod(os.path.join(t.dir, "fifo"), 0o666)
    os.symlink("good", os.path.join(t.dir, "link"))
    os.symlink("nothing", os.path.join(t.dir, "dangling"))
    os.symlink("loop", os.path.join(t.dir, "loop"))
    os.symlink("dir", os.path.join(t.dir, "dirlink"))
    s = socket.socket(socket.AF_UNIX)
    s.bind(os.path.join(t.dir, "socket"))
    os.chmod(os.path.join(t.dir, "socket"), 0o666)
    s.close()
    os.mkdir(os.path.join(t.dir, "ro"))
    t.run(["mount", "-t", "tmpfs", "tmpfs", "ro"])
    with open(os.path.join(t.dir, "ro", "file"), "wb"):
        pass
    os.chmod(os.path.join(t.dir, "ro", "file"), 0o666)
    t.run(["mount", "-o", "remount,ro", "ro"])
    t.undo.append(lambda: t.run(["umount", "-l", "ro"], status=None))


def dotted(path, size):
    """A path of that size which leads to the file."""
    rest = size - len(path)
    return "./" * (rest // 2) + "/" * (rest % 2) + path


def table(t, pid, gone, running):
    """ops, points, path, pid, the errno for root, for a user."""
    long_name = "n" * 256
    rows = [
        (SET, F_C, "good", pid, 0, 0),
        (SET, 0x00ffffff, "good", pid, 0, 0),
        (SET, F_ALL | INHERIT, "good", pid, 0, 0),
        (SET, F_C | ROOT | FAC_DROP, "good", pid, 0, 0),
        (SET | DESCEND, F_C, "good", pid, 0, 0),
        (CLEAR, F_C, None, pid, 0, 0),
        (CLEAR, F_C, "nothing", pid, 0, 0),
        (CLEAR, F_C, 16, pid, 0, 0),
        (CLEAR | DESCEND, 0x00ffffff, None, pid, 0, 0),
        (CLEARFILE, 0, "good", 0, 0, 0),
        (CLEARFILE, F_C, "good", gone, 0, 0),
        # what to do
        (3, F_C, "good", pid, "EINVAL", "EINVAL"),
        (SET | 8, F_C, "good", pid, "EINVAL", "EINVAL"),
        (SET | 0x1000, F_C, "good", pid, "EINVAL", "EINVAL"),
        (SET | 0x40000000, F_C, "good", pid, "EINVAL", "EINVAL"),
        (-1, F_C, "good", pid, "EINVAL", "EINVAL"),
        (SET, 0, "good", pid, "EINVAL", "EINVAL"),
        (SET, ROOT, "good", pid, "EINVAL", "EINVAL"),
        (SET, FAC_DROP, "good", pid, "EINVAL", "EINVAL"),
        (SET, ROOT | FAC_DROP, "good", pid, "EINVAL", "EINVAL"),
        (CLEAR, 0, None, pid, "EINVAL", "EINVAL"),
        (CLEAR, ROOT, None, pid, "EINVAL", "EINVAL"),
        # the file
        (SET, F_C, "nothing", pid, "ENOENT", "ENOENT"),
        (SET, F_C, "nothing/x", pid, "ENOENT", "ENOENT"),
        (SET, F_C, "", pid, "ENOENT", "ENOENT"),
        (SET, F_C, "good/x", pid, "ENOTDIR", "ENOTDIR"),
        (SET, F_C, "good/", pid, "ENOTDIR", "ENOTDIR"),
        (SET, F_C, "link", pid, "ELOOP", "ELOOP"),
        (SET, F_C, "dangling", pid, "ELOOP", "ELOOP"),
        (SET, F_C, "loop", pid, "ELOOP", "ELOOP"),
        (SET, F_C, "loop/x", pid, "ELOOP", "ELOOP"),
        (SET, F_C, "dirlink/file", pid, 0, 0),
        (SET, F_C, "dir", pid, "EISDIR", "EISDIR"),
        (SET, F_C, ".", pid, "EISDIR", "EISDIR"),
        (SET, F_C, "fifo", pid, "EACCES", "EACCES"),
        (SET, F_C, "socket", pid, "EACCES", "EACCES"),
        (SET, F_C, "/dev/null", pid, "EACCES", "EACCES"),
        (SET, F_C, "/dev/tty", pid, "EACCES", "EACCES"),
        (SET, F_C, "/dev/vda", pid, "EACCES", "EACCES"),
        (SET, F_C, "readonly", pid, 0, "EACCES"),
        (SET, F_C, "secret", pid, 0, "EACCES"),
        (SET, F_C, "closed/file", pid, 0, "EACCES"),
        (SET, F_C, "ro/file", pid, "EROFS", "EROFS"),
        (SET, F_C, running, pid, "ETXTBSY", "EACCES"),
        (SET, F_C, long_name, pid, "ENAMETOOLONG", "ENAMETOOLONG"),
        (SET, F_C, "dir/" + long_name, pid, "ENAMETOOLONG", "ENAMETOOLONG"),
        (SET, F_C, "n" * 255, pid, "ENOENT", "ENOENT"),
        (SET, F_C, dotted("good", 1022), pid, 0, 0),
        (SET, F_C, dotted("good", 1023), pid, 0, 0),
        (SET, F_C, dotted("good", 1024), pid, "ENAMETOOLONG", "ENAMETOOLONG"),
        (SET, F_C, dotted("good", 4000), pid, "ENAMETOOLONG", "ENAMETOOLONG"),
        (SET, F_C, "x/" * 3000, pid, "ENAMETOOLONG", "ENAMETOOLONG"),
        (SET, F_C, None, pid, "EFAULT", "EFAULT"),
        (SET, F_C, 16, pid, "EFAULT", "EFAULT"),
        (CLEARFILE, 0, None, 0, "EFAULT", "EFAULT"),
        (CLEARFILE, 0, "nothing", 0, "ENOENT", "ENOENT"),
        (CLEARFILE, 0, "dir", 0, "EISDIR", "EISDIR"),
        (CLEARFILE, 0, "fifo", 0, "EACCES", "EACCES"),
        # who
        (SET, F_C, "good", gone, "ESRCH", "ESRCH"),
        (SET, F_C, "good", -gone, "ESRCH", "ESRCH"),
        (SET, F_C, "good", 0, "ESRCH", "ESRCH"),
        (SET, F_C, "good", 0x7fffffff, "ESRCH", "ESRCH"),
        (SET, F_C, "good", -0x7fffffff, "ESRCH", "ESRCH"),
        (SET, F_C, "good", -0x80000000, "ESRCH", "ESRCH"),
        (CLEAR, F_C, None, gone, "ESRCH", "ESRCH"),
        (CLEAR, F_C, None, -gone, "ESRCH", "ESRCH"),
        (SET, F_C, "good", 2, "EPERM", "EPERM"),
        (SET, F_C, "nothing", gone, "ENOENT", "ENOENT"),
    ]
    return rows


def run_table(t, uid, make):
    """Returns the rows that came out otherwise."""
    p = target(t, uid=uid)
    dead = t.start(["true"])
    dead.wait()
    rows = table(t, p.pid, dead.pid, "/tests/bin/idle")

    def run():
        os.chdir(t.dir)
        device = make()
        wrong = []
        for ops, points, path, pid, for_root, for_user in rows:
            want = str(for_user if uid else for_root)
            got = name(device.op(path, ops, points, pid))
            if got != want:
                shown = path[:40] if isinstance(path, str) else path
                wrong.append("ops %#x points %#x path %r pid %d: %s, not %s" % (ops, points, shown, pid, got, want))
        return wrong
    wrong = t.as_user(run, uid)
    p.kill()
    return wrong


@case()
def errnos_root(t):
    "Every errno of ktrace(2) for root: by ioctl and by libktrace."
    setup_files(t)
    t.eq(run_table(t, 0, Device) + run_table(t, 0, Library), [], "rows that differ")


@case()
def errnos_user(t):
    "Every errno of ktrace(2) for a user: by ioctl and by libktrace."
    setup_files(t)
    t.eq(run_table(t, 1000, Device) + run_table(t, 1000, Library), [], "rows that differ")


@case()
def device(t):
    "/dev/ktrace is 0666; VERSION is 1; unknown ioctls ENOTTY; bad argument EFAULT; nonzero zero EINVAL; FLUSH EBADF."
    t.eq(os.stat(DEVICE).st_mode & 0o777, 0o666, "mode")

    def run():
        d = Device()
        path = os.path.join(t.dir, "good")
        null = os.open("/dev/null", os.O_RDONLY)
        wonly = os.open(path, os.O_WRONLY)
        got = [d.ioctl(IOC_VERSION, 0), name(d.ioctl(0xBD63, 0)), name(d.ioctl(0x5401, 0)),
               name(d.op(path, SET, F_C, os.getpid(), zero=1)), name(d.flush(999)), name(d.flush(wonly)),
               d.flush(null), name(d.stats(999)), name(d.stats(wonly))]
        return got
    with open(os.path.join(t.dir, "good"), "wb"):
        pass
    os.chmod(os.path.join(t.dir, "good"), 0o666)
    want = [1, "ENOTTY", "ENOTTY", "EINVAL", "EBADF", "EBADF", 0, "EBADF", "EBADF"]
    t.eq(run(), want, "root")
    t.eq(t.as_user(run), want, "user")
    libc = ctypes.CDLL(None, use_errno=True)
    d = Device()
    for number in 0x4018BD01, 0x4010BD02, 0x4004BD03, 0xC078BD04:
        result = libc.ioctl(d.fd, number, ctypes.c_void_p(16))
        # utrace: not traced, so 0 whatever the argument
        want = (0, 0) if number == 0x4010BD02 else (-1, errno.EFAULT)
        t.eq((result, ctypes.get_errno() if result else 0), want, "ioctl %#x at a bad address" % number)


@case()
def adds_points(t):
    "Setting again adds points; CLEAR removes them; with no point left tracing ends, whatever else was built in."
    d, p, path = Device(), target(t), t.path()
    t.eq(d.op(path, SET, F_NAMI, p.pid), 0, "set")
    poke(p)
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    poke(p)
    t.eq(d.op(None, CLEAR, F_NAMI | F_GIO, p.pid), 0, "clear")
    poke(p)
    with open(path, "rb") as f:
        t.eq(d.stats(f.fileno())["processes"], 1, "traced processes")
        # PROCCTOR and PROCDTOR do not count as points left
        t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
        t.eq(d.stats(f.fileno())["sessions"], 0, "sessions")
    poke(p)
    t.eq(calls_of(t.read(path), p), 6, "getppid calls")
    t.until(lambda: t.module_users() == 0 or t.module_users() == 1 and d.fd, "the session's end")


@case()
def ctor_points(t):
    "PROCCTOR and PROCDTOR alone are points, too."
    d, p, path = Device(), target(t), t.path()
    t.eq(d.op(path, SET, F_CTOR | F_DTOR, p.pid), 0, "set")
    poke(p)
    p.kill()
    p.wait()
    t.eq([r.type for r in t.read(path).records], [PROCCTOR, PROCDTOR], "records")


@case()
def other_file(t):
    "Another file replaces the first, which has then everything that was recorded before."
    d, p = Device(), target(t)
    one, two = t.path(), t.path()
    for _ in range(20):
        t.eq(d.op(one, SET, F_C, p.pid), 0, "set")
        poke(p)
        t.eq(d.op(two, SET, F_C, p.pid), 0, "set")
        size = os.path.getsize(one)
        poke(p)
        t.eq(os.path.getsize(one), size, "size of the first file")
    t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
    first, second = t.read(one), t.read(two)
    t.eq((calls_of(first, p), calls_of(second, p)), (60, 60), "getppid calls")


@case()
def appends(t):
    "Records are appended, always: behind what is there, and behind what others append meanwhile."
    d, p, path = Device(), target(t), t.path("appends")
    with open(path, "ab") as f:
        f.write(b"first\n")
        f.flush()
        t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
        poke(p)
        with open(path, "rb") as r:
            t.ok(d.flush(r.fileno()) == 1, "flush")
        f.write(b"second\n")
        f.flush()
        poke(p)
        t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
    with open(path, "rb") as f:
        data = f.read()
    t.ok(data.startswith(b"first\n"), "the beginning was overwritten")
    one, found, two = data[6:].partition(b"second\n")
    t.ok(found, "what was appended was overwritten")
    with open(t.path(), "wb") as f:
        f.write(one + two)
    t.eq(calls_of(t.read(f.name), p), 6, "getppid calls")


@case()
def own_process(t):
    "A process sets and clears itself."
    path = t.path()

    def run():
        d = Device()
        results = [d.op(path, SET, F_C, os.getpid())]
        for _ in range(5):
            os.getppid()
        results.append(d.op(None, CLEAR, F_C, os.getpid()))
        os.getppid()
        return results, os.getpid()
    results, pid = t.as_user(run, 0)
    t.eq(results, [0, 0], "results")
    trace = t.read(path)
    t.eq(sum(r.code == NR.getppid for r in trace.of(CALL, pid=pid)), 5, "getppid calls")


@case()
def descend(t):
    "KTRFLAG_DESCEND: the process and all its descendants, to set and to clear."
    d, path = Device(), t.path()
    script = "/tests/bin/idle 2 & echo $!; (/tests/bin/idle 2 & echo $!; wait) & wait"
    p = t.start(["sh", "-c", script])
    lines = [p.stdout.readline() for _ in range(4)]
    kids = [int(x) for x in lines if x.strip().isdigit()]
    t.eq(len(kids), 2, "children")
    t.eq(d.op(path, SET | DESCEND, F_C, p.pid), 0, "set")
    with open(path, "rb") as f:
        t.eq(d.stats(f.fileno())["processes"], 4, "traced processes")
        for kid in kids:
            os.kill(kid, signal.SIGUSR1)
            t.eq(p.stdout.readline(), b"done\n", "child")
        t.eq(d.op(None, CLEAR | DESCEND, F_C, p.pid), 0, "clear")
        t.eq(d.stats(f.fileno())["processes"], 0, "traced processes")
    trace = t.read(path)
    for kid in kids:
        t.eq(sum(r.code == NR.getppid for r in trace.of(CALL, pid=kid)), 2, "calls of a descendant")
    t.eq(len({r.pid for r in trace.records}), 4, "processes in the file")
    # without the flag, the process alone
    other = t.path()
    t.eq(d.op(other, SET, F_C, p.pid), 0, "set")
    os.kill(kids[0], signal.SIGUSR1)
    t.eq(p.stdout.readline(), b"done\n", "child")
    t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
    t.eq({r.pid for r in t.read(other).records}, {p.pid}, "processes without the flag")


@case()
def group(t):
    "A negative pid is a process group: all of its members, of its own, and of nobody else."
    d, path = Device(), t.path()
    leader = target(t, start_new_session=True)
    script = "/tests/bin/idle 2 & echo $!; /tests/bin/idle 2 & echo $!; wait"
    p = t.start(["sh", "-c", script], start_new_session=True)
    lines = [p.stdout.readline() for _ in range(4)]
    kids = [int(x) for x in lines if x.strip().isdigit()]
    t.eq(d.op(path, SET, F_C, -p.pid), 0, "set")
    poke(leader)
    for kid in kids:
        os.kill(kid, signal.SIGUSR1)
        t.eq(p.stdout.readline(), b"done\n", "child")
    t.eq(d.op(None, CLEAR, F_C, -p.pid), 0, "clear")
    for kid in kids:
        os.kill(kid, signal.SIGUSR1)
        t.eq(p.stdout.readline(), b"done\n", "child")
    trace = t.read(path)
    for kid in kids:
        t.eq(sum(r.code == NR.getppid for r in trace.of(CALL, pid=kid)), 2, "calls of a member")
    t.eq({r.pid for r in trace.records}, {p.pid, *kids}, "processes in the file")


@case()
def group_mixed(t):
    "Of a group, those that may be set are set; it is EPERM only when there is none."
    path = t.path(uid=1000)
    # a group of root's process and a user's
    script = "/tests/bin/idle 2 & setpriv --reuid 1000 --regid 1000 --clear-groups /tests/bin/idle 2 & wait"
    p = t.start(["sh", "-c", script], start_new_session=True)
    t.eq([p.stdout.readline() for _ in range(2)], [b"ready\n"] * 2, "members")
    t.eq(name(t.as_user(lambda: Device().op(path, SET, F_C, -p.pid))), "0", "set by the user")
    os.killpg(p.pid, signal.SIGUSR1)
    for _ in range(2):
        if p.stdout.readline() != b"done\n":
            break
    alone = t.start(["sh", "-c", "/tests/bin/idle 2 & wait"], start_new_session=True)
    t.eq(alone.stdout.readline(), b"ready\n", "member")
    t.eq(name(t.as_user(lambda: Device().op(path, SET, F_C, -alone.pid))), "EPERM", "set of root's processes")
    t.eq(Device().op(path, CLEARFILE, 0, 0), 0, "clearfile")
    trace = t.read(path)
    t.eq(len({r.pid for r in trace.records}), 1, "processes in the file")


@case()
def clearfile(t):
    "CLEARFILE ends all tracing to that file, and to no other; it drains before it returns."
    d = Device()
    one, two = t.path(), t.path()
    a, b, c = target(t), target(t), target(t)
    for p, path in ((a, one), (b, one), (c, two)):
        t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
        poke(p)
    t.eq(d.op(one, CLEARFILE, 0, 0), 0, "clearfile")
    size = os.path.getsize(one)
    trace = t.read(one)
    t.eq((calls_of(trace, a), calls_of(trace, b)), (3, 3), "calls, right after CLEARFILE")
    for p in a, b, c:
        poke(p)
    t.eq(d.op(two, CLEARFILE, 0, 0), 0, "clearfile")
    t.eq(calls_of(t.read(two), c), 6, "calls in the other file")
    t.eq(os.path.getsize(one), size, "size of the file")


@case()
def zombie(t):
    "A zombie is ESRCH; a process whose leader alone has ended is none."
    d, path = Device(), t.path()
    p = t.start(["true"])
    t.until(lambda: ") Z" in open("/proc/%d/stat" % p.pid, encoding="ascii").read(), "the zombie")
    t.eq(name(d.op(path, SET, F_C, p.pid)), "ESRCH", "set of a zombie")
    t.eq(name(d.op(path, CLEAR, F_C, p.pid)), "ESRCH", "clear of a zombie")
    p.wait()
    # the leader has ended, another thread lives on
    prog = "import threading, time, ctypes\nthreading.Thread(target=time.sleep, args=(1000,)).start()\n" \
           "ctypes.CDLL(None).syscall(%d, 0)\n" % NR.exit
    p = t.start(["python3", "-c", prog])
    t.until(lambda: ") Z" in open("/proc/%d/stat" % p.pid, encoding="ascii").read(), "the leader's end")
    t.eq(name(d.op(path, SET, F_C, p.pid)), "0", "set of a process without leader")
    p.kill()
    p.wait()
    records = t.read(path, dead=True).records
    t.ok([r.type for r in records if r.type != RET] == [PROCCTOR, PROCDTOR], "records")


@case()
def strange_targets(t):
    "Kernel threads EPERM; pid 1: root yes, a user EPERM; never a hang."
    d, path = Device(), t.path()
    t.eq(name(d.op(path, SET, F_C, 2)), "EPERM", "kthreadd")
    kernel = [int(p) for p in os.listdir("/proc") if p.isdigit() and not os.path.exists("/proc/%s/exe" % p)]
    t.ok(len(kernel) > 5, "no kernel threads?")
    for pid in kernel[:20]:
        t.ok(name(d.op(path, SET, F_C, pid)) in ("EPERM", "ESRCH"), "kernel thread %d" % pid)
    user_path = t.path(uid=1000)
    t.eq(name(t.as_user(lambda: Device().op(user_path, SET, F_C, 1))), "EPERM", "pid 1 by a user")
    t.eq(name(d.op(path, SET, F_C, 1)), "0", "pid 1 by root")
    t.eq(name(d.op(path, CLEAR, F_C, 1)), "0", "clear")


@case()
def descend_from_one(t):
    "DESCEND on pid 1 by a user sets nothing that is not his; CLEAR there reaches his own."
    path = t.path(uid=1000)
    mine, other = target(t, uid=1000), target(t)

    def run():
        d = Device()
        result = [name(d.op(path, SET | DESCEND, F_C, 1))]
        with open(path, "rb") as f:
            result.append(d.stats(f.fileno())["processes"] >= 1)
            result.append(name(d.op(None, CLEAR | DESCEND, 0x00ffffff, 1)))
            result.append(d.stats(f.fileno())["processes"])
        return result
    t.eq(t.as_user(run), ["0", True, "0", 0], "set, processes, clear, processes")
    pids = {r.pid for r in t.read(path).records}
    t.ok(mine.pid in pids and other.pid not in pids, "processes in the file")


@case()
def two_versions(t):
    "v0 and v1 sessions write to one file: whole records, each process in order."
    d, path = Device(), t.path("both")
    a, b = target(t, 500), target(t, 500)
    t.eq(d.op(path, SET, F_C, a.pid), 0, "set")
    t.eq(d.op(path, SET | V1, F_C, b.pid), 0, "set v1")
    with open(path, "rb") as f:
        t.eq(d.stats(f.fileno())["sessions"], 2, "sessions")
    for _ in range(5):
        for p in a, b:
            p.send_signal(signal.SIGUSR1)
        for p in a, b:
            p.stdout.readline()
    t.eq(d.op(path, CLEARFILE, 0, 0), 0, "clearfile")
    trace = t.read(path, sessions=True)
    t.eq({(r.pid, r.version) for r in trace.records}, {(a.pid, 0), (b.pid, 1)}, "versions")
    t.eq((calls_of(trace, a), calls_of(trace, b)), (2500, 2500), "getppid calls")


@case()
def stats(t):
    "STATS: recorded, bytes and written agree with the file; sessions and processes are counted."
    d, p, path = Device(), target(t, 50), t.path()
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    poke(p)
    with open(path, "rb") as f:
        t.eq(d.flush(f.fileno()), 1, "sessions flushed")
        s = d.stats(f.fileno())
        trace = t.read(path)
        t.eq((s["sessions"], s["processes"]), (1, 1), "sessions and processes")
        t.eq(s["written"], len(trace.records), "written")
        t.eq(s["recorded"], len(trace.records), "recorded")
        t.eq(s["bytes"], os.path.getsize(path), "bytes")
        t.eq([v for k, v in s.items() if k.startswith("lost")], [0] * 5, "lost")
    # any descriptor of the same file will do
    os.link(path, path + ".link")
    with open(path + ".link", "rb") as f:
        t.eq(d.stats(f.fileno())["sessions"], 1, "sessions through another name")


@case()
def not_inherited(t):
    "Without KTRFAC_INHERIT children are not traced; with it they are, and theirs."
    for options, want in ((["-t", "c"], 1), (["-t", "c", "-i"], 4)):
        t.run(["ktrace", "-f", "i.kt", *options, "sh", "-c", "(/bin/true; /bin/true; :); :"])
        t.eq(len({r.pid for r in t.read("i.kt").records}), want, "processes with %s" % options)


@case()
def enough(t):
    "RET alone and CALL alone are points of their own."
    d = Device()
    for points, kind in ((1 << 1, CALL), (1 << 2, RET)):
        p, path = target(t), t.path()
        t.eq(d.op(path, SET, points, p.pid), 0, "set")
        poke(p)
        t.eq(d.op(None, CLEAR, 0xffffff, p.pid), 0, "clear")
        trace = t.read(path, check=False)
        have = {r.type for r in trace.records}
        t.ok(have == {PROCCTOR, kind}, "types %s" % have)
