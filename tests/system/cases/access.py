# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Who may trace whom, and when that ends."""
import errno
import os
import shutil
import signal
import threading
import time

from cases.ops import calls_of, name, poke, target
from ktest import CALL, CLEAR, DESCEND, F_ALL, F_C, INHERIT, NR, PROCCTOR, PROCDTOR, RET, SET, Device, Skip, case

PLACE = "/var/tmp/access"       # /tmp is mounted nosuid


def by(t, uid, function):
    return t.as_user(function, uid)


def program(t, mode, uid=0, gid=0, caps=None, of="loop"):
    """A copy of a program with rights of its own. Returns its path."""
    os.makedirs(PLACE, exist_ok=True)
    os.chmod(PLACE, 0o755)
    path = os.path.join(PLACE, t.case.name)
    shutil.copy("/tests/bin/" + of, path)
    os.chown(path, uid, gid)
    os.chmod(path, mode)
    if caps:
        t.run(["setcap", caps, path])
    t.undo.append(lambda: os.unlink(path))
    return path


def traced_exec(t, path, uid=1000, wrap=""):
    """A user's shell executes the program under ktrace -i. Returns how many of its getppid calls were recorded."""
    trace = t.trace(["sh", "-c", "%s %s 77; exit 0" % (wrap, path)], "cn", ["-i"], uid=uid)
    count = sum(r.code == NR.getppid for r in trace.of(CALL, comm=os.path.basename(path)[:15]))
    return count, trace


@case()
def plain_exec(t):
    "The test of the tests: an ordinary program is traced across exec."
    t.eq(traced_exec(t, program(t, 0o755))[0], 77, "getppid calls")


@case()
def setuid(t):
    "Tracing ends at exec of a set-uid program: no record of the new image, not even the RET of execve."
    path = program(t, 0o4755)
    count, trace = traced_exec(t, path)
    t.eq(count, 0, "getppid calls of the new image")
    t.eq(trace.of(comm=os.path.basename(path)[:15]), [], "records of the new image")
    t.ok(any(r.code == NR.execve for r in trace.of(CALL)), "no execve in the trace")


@case()
def setgid(t):
    "... of a set-gid program."
    t.eq(traced_exec(t, program(t, 0o2755, gid=5))[0], 0, "getppid calls of the new image")


@case()
def capabilities(t):
    "... of a program with file capabilities."
    t.eq(traced_exec(t, program(t, 0o755, caps="cap_net_raw+ep"))[0], 0, "getppid calls of the new image")


@case()
def unreadable(t):
    "... of a program that the user may not read."
    t.eq(traced_exec(t, program(t, 0o711))[0], 0, "getppid calls of the new image")


REFUSED = """
import ctypes, os
libc = ctypes.CDLL(None)
for i in range(60):
    pid = os.fork()
    if not pid:
        libc.syscall(-1)
        os._exit(0)
    os.waitpid(pid, 0)
"""


@case()
def nothing_left_behind(t):
    "What is remembered of an exec that ends the trace is no other thread's: calls numbered -1 get their own result."
    path = program(t, 0o4755, of="idle")
    idle = [t.start(["ktrace", "-t", "c", "-f", "s%d.kt" % i, path], uid=1000) for i in range(40)]
    t.until(lambda: t.module_users() == 0, "the exec of all")
    time.sleep(2)  # the hooks stay for a second; nothing shows that they are gone
    for p in idle:
        p.kill()
        p.wait()
    t.run(["ktrace", "-i", "-t", "c", "-f", "m.kt", "python3", "-c", REFUSED])
    wrong = [r for r in t.read("m.kt").of(RET) if r.code == -1]
    t.eq((len(wrong), {r.linux_error for r in wrong}), (60, {38}), "results of calls that do not exist")


@case()
def setuid_to_self(t):
    "A set-uid program of the user's own gains nothing: tracing may go on or end, but it records whole traces."
    traced_exec(t, program(t, 0o4755, uid=1000, gid=1000))


@case()
def su(t):
    "The user's `ktrace -i su` yields no record of the new image."
    trace = t.trace(["su", "-c", "/tests/bin/loop 5"], "cn", ["-i"], uid=1000, status=None)
    t.eq(trace.of(comm="su"), [], "records of su")


@case()
def no_new_privs(t):
    "Under no_new_privs the exec gains nothing and tracing goes on."
    t.eq(traced_exec(t, program(t, 0o4755), wrap="setpriv --no-new-privs")[0], 77, "getppid calls")


@case()
def root_traces(t):
    "Root's trace goes on through a set-uid exec, of root's own process and of a user's."
    path = program(t, 0o4755)
    t.eq(traced_exec(t, path, uid=0)[0], 77, "getppid calls of root's process")
    count, _ = traced_exec(t, path, uid=0, wrap="setpriv --reuid 1000 --regid 1000 --clear-groups")
    t.eq(count, 77, "getppid calls of a user's process")


@case()
def credentials_of_the_setter(t):
    "Root traces into a file that A can write; A sets himself into that file and execs su: the new image is not in it."
    path = t.path("shared.kt", uid=1000)
    roots = target(t)
    t.eq(Device().op(path, SET, F_C | INHERIT, roots.pid), 0, "set by root")
    prog = program(t, 0o4755)
    script = "ktrace -a -i -t c -f %s %s 33" % (path, prog)
    t.run(["sh", "-c", script], uid=1000, status=None)
    poke(roots)
    t.eq(Device().op(path, CLEAR | DESCEND, 0xffffff, 1), 0, "clear")
    trace = t.read(path, sessions=True)
    t.eq(calls_of(trace, roots), 3, "calls of root's process")
    t.eq(trace.of(comm=os.path.basename(prog)[:15]), [], "records of the set-uid image")


@case(timeout=120)
def set_against_setuid_exec(t):
    "SET again and again of a process that execs a set-uid program again and again: never a record of that image."
    suid = program(t, 0o4755, of="suid")
    path = t.path("race.kt", uid=1000)
    p = t.start(["suid", "400", "/tests/bin/suid", suid], uid=1000)

    def attack():
        d, results = Device(), set()
        while errno.ESRCH not in results:
            results.add(-d.op(path, SET, F_ALL | INHERIT, p.pid))
        return results
    results = t.as_user(attack)
    t.eq(p.wait(), 0, "exit status of the program")
    t.ok({0, errno.EPERM} <= results <= {0, errno.EPERM, errno.ESRCH, errno.EINTR}, "results: %s" % results)
    trace = t.read(path, sessions=True)
    # an exec changes the name a moment before it is decided that it ends the trace which a SET just began
    records = [r.as_dict() for r in trace.of(comm=os.path.basename(suid)[:15]) if r.type != PROCCTOR]
    t.eq(records, [], "records of the set-uid image")
    t.ok(trace.of(comm="suid"), "no records at all")
    t.eq(sum(r.code == NR.getppid for r in trace.of(CALL)), 0, "calls of the set-uid image")


@case()
def setuid_by_thread(t):
    "Tracing ends at exec of a set-uid program by a thread that is not the leader, and by a child of vfork."
    path = program(t, 0o4755)
    for how in "execthread", "vfork":
        prog = ("import os, threading\n"
                "def run():\n"
                "    os.execv(%r, [%r, '77'])\n"
                "threading.Thread(target=run).start()\n"
                "threading.Event().wait()\n" % (path, path)) if how == "execthread" else (
                    "import subprocess\nsubprocess.run([%r, '77'])\n" % path)
        trace = t.trace(["python3", "-c", prog], "cn", ["-i"], uid=1000, name=how + ".kt")
        t.eq(trace.of(comm=os.path.basename(path)[:15]), [], "records of the new image (%s)" % how)
        t.ok(any(r.code == NR.execve for r in trace.of(CALL)), "no execve in the trace (%s)" % how)


BIG = "import time; x = bytearray(192 << 20); print('ready', flush=True); time.sleep(1000)"


@case(timeout=120)
def clear_of_exiting(t):
    "User A cannot end the trace of B's process while it exits, either: its PROCDTOR is there."
    os.chmod(t.dir, 0o777)

    def attack():
        d, results = Device(), set()
        while errno.ESRCH not in results:
            results.add(-d.op(None, CLEAR, 0xffffff, p.pid))
        return results

    for i in range(8):
        p = t.start(["ktrace", "-f", "b%d.kt" % i, "-t", "c", "python3", "-c", BIG], uid=1001)
        t.eq(p.stdout.readline(), b"ready\n", "start")
        # it takes a while to free what the process has
        killer = threading.Timer(0.3, p.kill)
        killer.start()
        # whoever is found at the end is a zombie until it is waited for below
        results = t.as_user(attack)
        killer.join()
        p.wait()
        t.ok(errno.EPERM in results, "results: %s" % results)
        t.until(lambda: t.module_users() == 0, "the end of tracing")
        t.eq(len(t.read("b%d.kt" % i, dead=True).of(PROCDTOR)), 1, "PROCDTOR of run %d" % i)


@case()
def users(t):
    "User A can neither trace, stop, flush nor learn of user B's traces; root can."
    a, b = target(t, uid=1000), target(t, uid=1001)
    path_a, path_b = t.path(uid=1000), t.path(uid=1001)
    os.chmod(path_b, 0o666)
    os.chmod(t.dir, 0o777)
    t.eq(name(by(t, 1000, lambda: Device().op(path_a, SET, F_C, b.pid))), "EPERM", "A sets B")
    t.eq(name(by(t, 1001, lambda: Device().op(path_b, SET, F_C, b.pid))), "0", "B sets B")
    poke(b)

    def spy():
        d = Device()
        with open(path_b, "rb") as f:
            return d.flush(f.fileno()), d.stats(f.fileno())["sessions"], d.stats(f.fileno())["recorded"]
    t.eq(by(t, 1000, spy), (0, 0, 0), "what A learns")
    t.eq(name(by(t, 1000, lambda: Device().op(None, CLEAR, F_C, b.pid))), "EPERM", "A clears B")
    t.ok(name(by(t, 1000, lambda: Device().op(None, CLEAR | DESCEND, F_C, 1))) in ("EPERM", "0"), "A clears all")
    by(t, 1000, lambda: Device().op(path_b, 2, 0, 0))       # CLEARFILE of a file that A can write
    t.eq(by(t, 1001, spy)[:2], (1, 1), "what B learns")
    t.eq(spy()[:2], (1, 1), "what root learns")
    # A writes to the same file; each sees his own
    t.eq(name(by(t, 1000, lambda: Device().op(path_b, SET, F_C, a.pid))), "0", "A sets A into B's file")
    poke(a)
    t.eq(by(t, 1000, spy)[:2], (1, 1), "what A learns")
    t.eq(spy()[:2], (2, 2), "what root learns")
    poke(b)
    t.eq(name(by(t, 1001, lambda: Device().op(None, CLEAR | DESCEND, 0xffffff, 1))), "0", "B clears")
    t.eq(spy()[:2], (1, 1), "what root learns")
    t.eq(name(Device().op(None, CLEAR | DESCEND, 0xffffff, 1)), "0", "root clears")
    t.eq(spy()[:2], (0, 0), "what root learns")
    trace = t.read(path_b, sessions=True)
    t.eq((calls_of(trace, a), calls_of(trace, b)), (3, 6), "calls")


@case()
def root_only(t):
    "What root set, only root changes: KTRFAC_ROOT."
    p = target(t, uid=1000)
    mine, roots = t.path(uid=1000), t.path()
    t.eq(name(Device().op(roots, SET, F_C, p.pid)), "0", "root sets")
    t.eq(name(by(t, 1000, lambda: Device().op(mine, SET, F_C, p.pid))), "EPERM", "the user sets")
    t.eq(name(by(t, 1000, lambda: Device().op(None, CLEAR, F_C, p.pid))), "EPERM", "the user clears")
    t.ok(name(by(t, 1000, lambda: Device().op(None, CLEAR | DESCEND, 0xffffff, 1))) in ("0", "EPERM"), "all")
    poke(p)
    t.eq(name(Device().op(None, CLEAR, F_C, p.pid)), "0", "root clears")
    t.eq(calls_of(t.read(roots), p), 3, "calls")
    t.eq(name(by(t, 1000, lambda: Device().op(mine, SET, F_C, p.pid))), "0", "then the user may")
    t.eq(name(Device().op(roots, SET, F_C, p.pid)), "0", "and root takes it over")
    poke(p)
    t.eq(name(by(t, 1000, lambda: Device().op(None, CLEAR, F_C, p.pid))), "EPERM", "the user clears")
    t.eq(name(Device().op(None, CLEAR, 0xffffff, p.pid)), "0", "root clears")


@case()
def own_process_of_root(t):
    "A user's process that root traces cannot change that itself."
    path = t.path(uid=1000)

    def run():
        r, w = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.setresgid(1000, 1000, 1000)
            os.setresuid(1000, 1000, 1000)
            d = Device()
            os.write(w, b"x")
            os.kill(os.getpid(), signal.SIGSTOP)
            os.write(w, name(d.op(None, CLEAR, F_C, os.getpid())).encode() + b" " +
                     name(d.op(path, SET, F_C, os.getpid())).encode())
            os._exit(0)
        os.read(r, 1)
        return r, pid
    r, pid = run()
    roots = t.path()
    t.eq(name(Device().op(roots, SET, F_C, pid)), "0", "root sets")
    os.waitpid(pid, os.WUNTRACED)
    os.kill(pid, signal.SIGCONT)
    t.eq(os.read(r, 100), b"EPERM EPERM", "clear and set of itself")
    os.waitpid(pid, 0)


@case()
def dropped_privileges(t):
    "A program that dropped its privileges does not become traceable by that user."
    path = t.path(uid=1000)
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setgroups([])
        os.setresgid(1000, 1000, 1000)
        os.setresuid(1000, 1000, 1000)
        os.write(w, b"x")
        signal.pause()
    os.read(r, 1)
    t.eq(name(by(t, 1000, lambda: Device().op(path, SET, F_C, pid))), "EPERM", "setresuid")
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    # set-uid program that goes back to its caller's id for a while
    pid = os.fork()
    if pid == 0:
        os.setresuid(1000, 1000, 0)
        os.write(w, b"x")
        signal.pause()
    os.read(r, 1)
    t.eq(name(by(t, 1000, lambda: Device().op(path, SET, F_C, pid))), "EPERM", "seteuid")
    os.kill(pid, 9)
    os.waitpid(pid, 0)


@case()
def unprivileged(t):
    "A user traces his own processes, those already running too."
    p, path = target(t, uid=1000), t.path(uid=1000)
    t.eq(name(by(t, 1000, lambda: Device().op(path, SET, F_ALL, p.pid))), "0", "set")
    poke(p)
    t.eq(name(by(t, 1000, lambda: Device().op(None, CLEAR, F_ALL, p.pid))), "0", "clear")
    t.eq(calls_of(t.read(path), p), 3, "calls")


@case()
def symlink_trace_file(t):
    "A symbolic link as trace file is refused by the kernel, replaced by ktrace(1)."
    precious = t.path("precious", uid=1000)
    with open(precious, "w", encoding="ascii") as f:
        f.write("precious")
    os.symlink("precious", os.path.join(t.dir, "ktrace.out"))
    t.run(["ktrace", "-t", "c", "true"], uid=1000)
    t.ok(not os.path.islink(os.path.join(t.dir, "ktrace.out")), "ktrace.out is still a link")
    with open(precious, encoding="ascii") as f:
        t.eq(f.read(), "precious", "what the link pointed to")
    t.read("ktrace.out")


def scope(t, value):
    path = "/proc/sys/kernel/yama/ptrace_scope"
    if not os.path.exists(path):
        raise Skip("no Yama in this kernel")
    with open(path, "w", encoding="ascii") as f:
        f.write(str(value))


def yama_row(t):
    """A user's: another process of his, his child, himself; root's: the user's process. Then all is cleared."""
    p, path, roots = target(t, uid=1000), t.path(uid=1000), t.path()
    other = target(t, uid=1000)

    def run():
        d = Device()
        result = [name(d.op(path, SET, F_C, p.pid))]
        pid = os.fork()
        if pid == 0:
            signal.pause()
        result.append(name(d.op(path, SET, F_C, pid)))
        result.append(name(d.op(path, SET, F_C, os.getpid())))
        result.append(name(d.op(None, CLEAR | DESCEND, 0xffffff, 1)))
        with open(path, "rb") as f:
            result.append(d.stats(f.fileno())["processes"])
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        return result
    got = by(t, 1000, run)
    got.append(name(Device().op(roots, SET, F_C, other.pid)))
    t.eq(name(Device().op(None, CLEAR | DESCEND, 0xffffff, 1)), "0", "root clears all")
    for q in p, other:
        q.kill()
        q.wait()
    return got


@case(guest="yama")
def yama_clear(t):
    "Under Yama 1 and 2 a user still stops his own traces, set before."
    p, path = target(t, uid=1000), t.path(uid=1000)
    for value in 1, 2:
        scope(t, 0)
        t.eq(name(by(t, 1000, lambda: Device().op(path, SET, F_C, p.pid))), "0", "set")
        scope(t, value)
        t.eq(name(by(t, 1000, lambda: Device().op(None, CLEAR, F_C, p.pid))), "0", "clear under %d" % value)
        with open(path, "rb") as f:
            t.eq(Device().stats(f.fileno())["processes"], 0, "traced")
    scope(t, 0)


@case(guest="yama")
def yama(t):
    "Yama's ptrace_scope 0-3 is honoured; one's own process may be set, and a user stops his own traces, always."
    for value, want in ((0, ["0", "0", "0", "0", 0, "0"]), (1, ["EPERM", "0", "0", "0", 0, "0"]),
                        (2, ["EPERM", "EPERM", "0", "0", 0, "0"]), (3, ["EPERM", "EPERM", "0", "0", 0, "EPERM"])):
        scope(t, value)
        t.eq(yama_row(t), want, "ptrace_scope %d" % value)
    # there is no way back from 3: this is the last case of its guest
    trace = t.trace(["true"], "c", uid=1000)
    t.ok(trace.of(PROCCTOR) and trace.of(RET), "ktrace true under ptrace_scope 3")


@case()
def user_namespace(t):
    "Root of a user namespace is root there only: what he sets, the machine's root changes, he does not trace others."
    path = t.path(uid=1000)
    p = target(t)
    out = t.run(["unshare", "-Ur", "ktrace", "-a", "-f", path, "-t", "c", "-p", str(p.pid)], uid=1000, status=None)
    t.ok(t.status != 0 and not out, "a process of the machine's root was set")
    inner = t.path(uid=1000)
    t.run(["unshare", "-Ur", "ktrace", "-a", "-i", "-f", inner, "-t", "c", "sh", "-c", "/tests/bin/loop 7"], uid=1000)
    t.eq(sum(r.code == NR.getppid for r in t.read(inner).of(CALL, comm="loop")), 7, "getppid calls inside")
