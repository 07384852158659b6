# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Processes and threads that are made, and end, in odd ways; tracing that begins while they wait."""
import os
import signal
import stat

from cases.life import numbers, whole
from ktest import ARM, CALL, LOADER, NAMI, NR, NR32, PROCCTOR, PROCDTOR, PSIG, RET, case

ALL = "cnisu"
GETPPID = {"tasks": NR.getppid, "tasks32": NR32.getppid}


def words(records):
    """Records in short: type, and what of it matters here."""
    out = []
    for r in records:
        if r.type == RET:
            out.append(("RET", r.code, r.linux_error or r.retval))
        elif r.type == PSIG:
            out.append(("PSIG", r.psig[0]))
        else:
            out.append((r.name, r.code) if r.type == CALL else (r.name,))
    return out


@case()
def makes(t):
    "fork and vfork by a thread, CLONE_PARENT, CLONE_PIDFD, namespaces, 30 generations: each is whole, with its calls."
    for prog in "tasks", "tasks32":
        trace = t.trace([prog, "makes"], ALL, ["-i"])
        for what in "fork", "parent", "pidfd", "namespaces":
            pid, = numbers(t.out, what)
            mine = trace.of(pid=pid)
            t.eq([r.type for r in mine[:2]], [PROCCTOR, RET], "first records of " + what)
            t.eq(sum(r.code == GETPPID[prog] for r in mine if r.type == CALL), 1, "getppid of " + what)
            t.eq({r.tid for r in mine}, {pid}, "threads of " + what)
        nested = numbers(t.out, "nested")
        t.eq(len(nested), 30, "generations")
        whole(t, trace, numbers(t.out, "fork") + numbers(t.out, "vfork") + numbers(t.out, "parent") +
              numbers(t.out, "pidfd") + numbers(t.out, "namespaces") + nested)
        t.eq(len(trace.of(PROCCTOR)), len({r.pid for r in trace.records}) + 1, "PROCCTORs")
        t.eq(trace.drops, 0, "drops")


@case()
def thread_execs(t):
    "execve by a thread, and then a thread with its number: that one's first record is its own."
    for prog in "tasks", "tasks32":
        trace = t.trace([prog, "exec-thread"], ALL)
        tid, again = numbers(t.out)
        t.eq(again, tid, "the thread's number")
        records = trace.of(tid=tid)
        code = (NR if prog == "tasks" else NR32).execve
        at = next(i for i, r in enumerate(records) if r.type == CALL and r.code == code)
        after = records[at + 1:]
        after = after[next(i for i, r in enumerate(after) if r.type != NAMI):]
        t.eq((after[0].type, after[0].error, after[0].retval), (RET, 0, 0), "first record of the other thread")
        calls = [r.code for r in after if r.type == CALL]
        t.ok(GETPPID[prog] in calls, "its calls: %s" % calls)
        t.ok(not any(r.error == -2 for r in after if r.type == RET), "a RET of the exec under its number")
        whole(t, trace)


@case()
def broken_exec(t):
    "execve that fails when the old image is gone: RET with an errno under tid == pid, SIGSEGV, PROCDTOR."
    for prog, code in (("tasks", NR.execve), ("tasks32", NR32.execve)):
        for bits in "64", "32":
            for by in [], ["thread"]:
                trace = t.trace([prog, "broken", bits, *by], ALL, status=None)
                what = " ".join([prog, bits, *by])
                t.eq(t.status, -signal.SIGSEGV, "status of %s: %s" % (what, t.out))
                tid, = numbers(t.out)
                pid = trace.records[0].pid
                t.eq(tid == pid, not by, "thread")
                at = max(i for i, r in enumerate(trace.records) if r.type == CALL and r.code == code)
                t.eq(trace.records[at].tid, tid, "who called")
                rest = [r for r in trace.records[at + 1:] if r.type != NAMI and r.tid in (pid, tid)]
                have = words(rest)
                # the leader's call may return while it is killed
                if by and have[0][1] != code:
                    del have[0], rest[0]
                t.eq([have[0][:2], *have[1:]], [("RET", code), ("PSIG", 11), ("PROCDTOR",)], "the end of " + what)
                t.ok(isinstance(have[0][2], int) and have[0][2] > 0, "error %s" % (have[0],))
                t.eq(rest[0].tid, pid, "who returned")
                t.eq(len(trace.of(PROCCTOR)), 2, "PROCCTORs of " + what)


@case()
def scripts(t):
    "A chain of scripts: each interpreter is looked up once; one too many is ELOOP; none of them leaves a PROCCTOR."
    for n in range(7):
        path = os.path.join(t.dir, "s%d" % n)
        with open(path, "w", encoding="ascii") as f:
            f.write("#!%s\n" % (os.path.join(t.dir, "s%d" % (n - 1)) if n else "/bin/true"))
        os.chmod(path, 0o755)

    def paths(trace):
        at = next(i for i, r in enumerate(trace.records) if r.type == CALL and r.code == NR.execve)
        out = []
        for r in trace.records[at:]:
            if r.type == RET and r.code == NR.execve:
                break
            if r.type == NAMI and (not out or out[-1] != r.text):   # TOMOYO looks again
                out.append(r.text)
        return out
    script = [os.path.join(t.dir, "s%d" % n) for n in range(7)]
    trace = t.trace([script[3]], "cn")
    t.eq(paths(trace), script[3::-1] + ["/bin/true", LOADER], "paths")
    t.eq(len(trace.of(PROCCTOR)), 2, "PROCCTORs")
    trace = t.trace(["sh", "-c", "exec " + script[6]], "cn", status=None)
    failed = [r.linux_error for r in trace.of(RET) if r.code == NR.execve]
    t.eq(failed, ["JUSTRETURN", 40], "execve of seven scripts")


def binfmt(t, name, magic, interpreter, flags=""):
    root = "/proc/sys/fs/binfmt_misc"
    t.run(["modprobe", "binfmt_misc"])
    if not os.path.exists(root + "/register"):
        t.run(["mount", "-t", "binfmt_misc", "none", root])
        t.undo.append(lambda: t.run(["umount", "-l", root], status=None))
    with open(root + "/register", "w", encoding="ascii") as f:
        f.write(":%s:M::%s::%s:%s" % (name, magic, interpreter, flags))

    def gone():
        with open(root + "/" + name, "w", encoding="ascii") as f:
            f.write("-1")
    t.undo.append(gone)


@case()
def binfmt_misc(t):
    "A format of binfmt_misc: its interpreter is looked up as that of a script; opened beforehand, it is not."
    interpreter = os.path.join(t.dir, "interpreter")
    os.symlink("/bin/true", interpreter)
    path = os.path.join(t.dir, "program")
    for name, flags, want in (("one", "", [path, interpreter]), ("two", "F", [path])):
        with open(path, "w", encoding="ascii") as f:
            f.write("MAGIC-%s" % name)
        os.chmod(path, 0o755)
        binfmt(t, name, "MAGIC-%s" % name, interpreter, flags)
        trace = t.trace([path], "cn", name=name + ".kt")
        at = next(i for i, r in enumerate(trace.records) if r.type == CALL and r.code == NR.execve)
        end = next(i for i, r in enumerate(trace.records) if r.type == RET and r.code == NR.execve and i > at)
        have = [r.text for r in trace.records[at:end] if r.type == NAMI]
        if have[:2] == [path, path]:    # TOMOYO looks again
            del have[0]
        t.eq(have, want + [LOADER], "paths")


@case()
def attached(t):
    "Tracing that begins in a call that waits, in either ABI and in any thread: its RET first, with the right code."
    for prog in "tasks", "tasks32":
        for mode in "waits", "thread-waits":
            p = t.start([prog, mode, "read"], stdin=-1)
            tid = int(p.stdout.readline().split()[1])
            number = {"tasks": NR.read, "tasks32": NR32.read}[prog]
            where = "/proc/%d/task/%d/syscall" % (p.pid, tid)
            t.until(lambda: open(where, encoding="ascii").read().startswith("%d " % number), "read")
            path = t.path()
            t.run(["ktrace", "-f", path, "-t", "c", "-a", "-p", p.pid])
            p.stdin.write(b"abc")
            p.stdin.close()
            p.wait()
            trace = t.read(path)
            t.eq(words(trace.of(CALL, RET, tid=tid))[:2], [("RET", number, 3), ("CALL", GETPPID[prog])],
                 "first records of %s %s" % (prog, mode))


@case()
def attached_restart(t):
    "Tracing that begins in a call that a stop then interrupts: RESTART, PSIG, and restart_syscall has its own CALL."
    for prog, nr in ("tasks", NR), ("tasks32", NR32):
        sleep, restart = nr.nanosleep, nr.restart_syscall
        p = t.start([prog, "waits", "nanosleep"])
        p.stdout.readline()
        t.until(lambda: open("/proc/%d/syscall" % p.pid, encoding="ascii").read().startswith("%d " % sleep), "sleep")
        path = t.path()
        t.run(["ktrace", "-f", path, "-t", "cs", "-a", "-p", p.pid])
        for _ in range(2):
            os.kill(p.pid, signal.SIGSTOP)
            t.until(lambda: ") T" in open("/proc/%d/stat" % p.pid, encoding="ascii").read(), "the stop")
            os.kill(p.pid, signal.SIGCONT)
            t.until(lambda: ") S" in open("/proc/%d/stat" % p.pid, encoding="ascii").read(), "its end")
        p.kill()
        p.wait()
        want = [("PROCCTOR",), ("RET", sleep, "RESTART"), ("PSIG", 19), ("CALL", restart), ("RET", restart, "RESTART"),
                ("PSIG", 19), ("CALL", restart)]
        t.eq(words(t.read(path).records)[:7], want, prog)


@case(timeout=120)
def many(t):
    "1000 threads that end by exit_group, SIGKILL or a dump: calls without RET, one PROCDTOR, and it is last."
    t.sysctl("kernel.core_pattern", os.path.join(t.dir, "core"))
    for how, status in (("exit", 0), ("kill", -9), ("abort", -6)):
        trace = t.trace(["tasks", "many", "999", how], "cs", status=status)
        whole(t, trace)
        pid = trace.records[0].pid
        began = [r.tid for r in trace.of(RET) if r.code in (NR.clone, NR.clone3) and r.tid != pid]
        t.eq((len(began), len(set(began))), (999, 999), "threads: " + how)
        t.eq([r.psig[0] for r in trace.of(PSIG)], [-status] if status else [], "signals: " + how)
        t.eq(trace.drops, 0, "drops")


@case()
def dumps(t):
    "A dump of core: PSIG, then the name of the file, which the kernel looks up for the process, then PROCDTOR."
    t.sysctl("kernel.core_pattern", os.path.join(t.dir, "core"))
    trace = t.trace(["sh", "-c", "ulimit -c unlimited; kill -QUIT $$"], ALL, status=-3)
    at = next(i for i, r in enumerate(trace.records) if r.type == PSIG)
    last = trace.records[at + 1:]
    t.eq({r.type for r in last[:-1]}, {NAMI}, "records between PSIG and PROCDTOR")
    # TOMOYO looks again
    t.ok(all(r.text.startswith(os.path.join(t.dir, "core")) for r in last[:-1]) and len(last) < 4,
         "names: %s" % [r.text for r in last])
    t.ok(any(name.startswith("core") and stat.S_ISREG(os.lstat(os.path.join(t.dir, name)).st_mode)
             for name in os.listdir(t.dir)), "a core file")
    t.sysctl("kernel.core_pattern", "|/bin/true")
    trace = t.trace(["sh", "-c", "ulimit -c unlimited; kill -QUIT $$"], ALL, status=-3)
    t.eq([r.type for r in trace.records[-2:]], [PSIG, PROCDTOR], "last records with a helper")


def forked(trace):
    """What fork returned to processes named unshare."""
    calls = (NR.clone,) if ARM else (NR.clone, NR.fork, NR.vfork)
    return {r.retval for r in trace.of(RET, comm="unshare") if r.code in calls and r.retval}


@case()
def pid_namespaces(t):
    "Pid namespaces in each other: numbers are those of the namespace that the trace was set in, at every depth."
    inner = "ktrace -i -t c -f %s/inner.kt sh -c 'unshare -pf --mount-proc /tests/bin/loop 7; :'" % t.dir
    trace = t.trace(["unshare", "-pf", "--mount-proc", "sh", "-c", "unshare -pf --mount-proc /tests/bin/loop 5; :"],
                    "c", ["-i"], name="outer.kt")
    loops = trace.of(CALL, comm="loop")
    t.eq(sum(r.code == NR.getppid for r in loops), 5, "getppid calls")
    t.ok(all(r.pid > 20 and r.tid == r.pid for r in loops), "numbers of the innermost")
    t.eq(len({r.pid for r in trace.records}), 4, "processes")
    whole(t, trace)
    t.ok(any(n < 20 for n in forked(trace)), "what fork returned to the inner unshare: %s" % forked(trace))
    t.run(["unshare", "-pf", "--mount-proc", "sh", "-c", inner])
    trace = t.read("inner.kt")
    loops = trace.of(CALL, comm="loop")
    t.eq(sum(r.code == NR.getppid for r in loops), 7, "getppid calls")
    t.ok(all(1 < r.pid < 20 for r in trace.records), "numbers %s" % {r.pid for r in trace.records})
    whole(t, trace)
    # what fork returns is no number of ours: it is as the caller sees it
    t.eq(forked(trace), {r.pid for r in loops}, "what fork returned to unshare")
