# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktruss(1): calls as they are made, processes that do not wait for it, and its ends."""
import os
import pty
import re
import select
import signal
import stat
import subprocess
import time

from cases.access import program
from cases.ops import poke, target
from ktest import Device, case, in_time

LIMIT = 20  # MiB of a file system of which half may wait


def waiting():
    """What ktruss keeps its records in."""
    return [os.path.join(d, n) for d in ("/dev/shm", "/tmp") if os.path.isdir(d) for n in os.listdir(d)
            if n.startswith("ktruss.")]


def nothing_left(t, what):
    t.until(lambda: not waiting(), "the records that waited to go, after " + what)
    t.until(lambda: os.popen("pgrep -c ktruss").read().strip() == "0", "ktruss to end, after " + what)
    t.until(lambda: t.module_users() == 0, "all traces to end, after " + what)


class Live:
    """ktruss, whose lines are read as they come."""

    def __init__(self, t, argv, uid=0, **options):
        self.t = t
        self.text = ""
        self.process = t.start(["ktruss", *argv], uid=uid, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, **options)

    def fd(self):
        return self.process.stderr.fileno()

    def wait_for(self, pattern, seconds=30):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text, re.M):
            ready, _, _ = select.select([self.fd()], [], [], max(0, end - time.monotonic()))
            data = os.read(self.fd(), 65536) if ready else b""
            self.t.ok(data, "waited for %r: %r" % (pattern, self.text[-500:]))
            self.text += data.decode()

    def end(self, signo=None):
        """Its status, as subprocess has it."""
        if signo:
            self.process.send_signal(signo)
        rest = self.process.communicate(timeout=60)[1]
        self.text += rest.decode()
        return self.process.returncode


@case()
def command(t):
    "Any user sees a command's calls, with paths and data, and the command's own output and status are as without."
    out = t.run(["ktruss", "cat", "/etc/hostname"], uid=1000)
    with open("/etc/hostname", encoding="ascii") as f:
        name = f.read()
    t.eq(out, name, "output of cat")
    lines = t.stderr.splitlines()
    t.ok(re.match(r'execve\("/usr/bin/cat", \["cat", "/etc/hostname"\], 0x[0-9a-f]+\) = 0', lines[0]), lines[0])
    data = '"%s\\n"' % name.strip()
    for want in (r'openat(AT_FDCWD, "/etc/hostname", O_RDONLY) = 3', "read(3, %s, 131072) = %d" % (data, len(name)),
                 "write(1, %s, %d) = %d" % (data, len(name), len(name)), 'read(3, "", 131072) = 0', "exit_group(0) = ?"):
        t.ok(want in lines, "%s is not in %s" % (want, t.stderr))
    t.eq(lines[-1], "+++ exited with 0 +++", "the last line")
    t.run(["ktruss", "-q", "-o", "file", "-e", "openat", "cat", "/etc/hostname"], uid=1000, cwd="/tmp")
    t.eq(t.stderr, "", "standard error with -o")
    with open("/tmp/file", encoding="ascii") as f:
        text = f.read().splitlines()
    t.eq((len([line for line in text if not line.startswith("openat(")]), stat.S_IMODE(os.stat("/tmp/file").st_mode)),
         (0, 0o600), "lines that are no openat, and the mode of the file")
    nothing_left(t, "a command")


@case()
def status(t):
    "The exit status is the command's, or its signal; 127 and 126 as of a shell; nothing is left behind."
    t.run(["ktruss", "sh", "-c", "exit 3"], status=3)
    t.run(["ktruss", "sh", "-c", "kill -KILL $$"], status=-signal.SIGKILL)
    t.ok(t.stderr.endswith("+++ killed by SIGKILL +++\n"), t.stderr[-200:])
    t.run(["ktruss", "no-such-command"], status=127)
    t.eq(t.stderr, "ktruss: no-such-command: command not found\n", "no such command")
    t.run(["ktruss", "/etc/passwd"], status=126)
    t.eq(t.stderr, "ktruss: /etc/passwd: cannot be executed: Permission denied\n", "no program")
    t.run(["ktruss", "-o", "/none/file", "true"], status=1)
    t.eq(t.stderr, "ktruss: -o /none/file: No such file or directory\n", "no such folder")
    # Not the mask or the ignored signals of ktruss.
    out = t.run(["ktruss", "-o", "/dev/null", "grep", "^Sig[BI]", "/proc/self/status"])
    t.eq(out, t.run(["grep", "^Sig[BI]", "/proc/self/status"]), "blocked and ignored signals")
    t.eq(t.run(["ktruss", "-o", "/dev/null", "ls", "/proc/self/fd"]), t.run(["ls", "/proc/self/fd"]), "descriptors")
    nothing_left(t, "commands that fail")


@case()
def follow(t):
    "-f: the calls of children, each line with its process; -d: the time since the first line."
    t.run(["ktruss", "-f", "-d", "sh", "-c", "cat /etc/hostname | wc -c; exit 2"], uid=1000, status=2)
    lines = t.stderr.splitlines()
    for line in lines:
        t.ok(re.match(r" *\d+: -?\d+\.\d{9} (\w+\(|<\.\.\. |--- |\+\+\+ )", line), "not a line: %r" % line)
    ends = [line for line in lines if "+++ exited" in line]
    t.eq(len({line.split(":")[0] for line in ends}), 3, "processes that ended")
    t.ok(ends[-1].endswith("+++ exited with 2 +++"), "the last end: " + ends[-1])
    t.ok(lines[0].split()[1] == "0.000000000", "the first time: " + lines[0])
    without = t.run(["ktruss", "-q", "sh", "-c", "/bin/true; exit 0"], uid=1000)
    t.ok("true" not in without, "a child without -f")


@case()
def attach(t):
    "-p, several: SIGINT ends the traces and ktruss, by the signal; the processes go on, untraced."
    p, q = target(t, 5, uid=1000), target(t, 2, uid=1000)
    t.sysctl("kernel.yama.ptrace_scope", 0) if os.path.exists("/proc/sys/kernel/yama") else None
    live = Live(t, ["-p", str(p.pid), "-p", str(q.pid)], uid=1000)
    live.wait_for("process %d attached\n" % q.pid)
    poke(p)
    poke(q)
    live.wait_for(r"^ *%d: getppid\(\)(.*\n)+ *%d: getppid\(\)" % (p.pid, q.pid))
    t.eq(live.end(signal.SIGINT), -signal.SIGINT, "status")
    t.eq((live.text.count("%d: getppid() = " % p.pid), live.text.count("%d: getppid() = " % q.pid)), (5, 2), "getppid")
    t.ok("ktruss: process %d detached\n" % p.pid in live.text, "no word of detaching: " + live.text)
    nothing_left(t, "SIGINT")
    poke(p)
    live = Live(t, ["-c", "-p", str(p.pid)], uid=1000)
    live.wait_for("attached")
    poke(p)
    t.eq(live.end(signal.SIGTERM), -signal.SIGTERM, "status with -c")
    t.ok(re.search(r" 5 +0 .* getppid\n", live.text), "the summary: " + live.text)
    # A process that ends.
    live = Live(t, ["-p", str(q.pid)], uid=1000)
    live.wait_for("attached")
    q.kill()
    t.eq(live.end(), 0, "status when the process ends")
    t.ok("+++ killed by SIGKILL +++\n" in live.text, live.text)
    nothing_left(t, "the process's end")


@case()
def refused(t):
    "Processes that may not be traced, or are not there: a line that says so, and nothing is traced or left behind."
    mine, others = target(t, uid=1000), target(t)
    t.run(["ktruss", "-p", mine.pid, "-p", others.pid], uid=1000, status=1)
    t.eq(t.stderr, "ktruss: -p %d: not permitted: the process is not yours to trace; ask root\n" % others.pid, "another's")
    t.run(["ktruss", "-p", "4194303"], status=1)
    t.eq(t.stderr, "ktruss: -p 4194303: no such process\n", "no such process")
    for bad in ([], ["-p", "1", "true"], ["-p", "x"], ["-z", "true"], ["-t", "z", "true"], ["-e", "nonesuch", "true"],
                ["-c", "-d", "true"], ["--failed", "--ok", "true"], ["-s", "-1", "true"]):
        t.run(["ktruss", *bad], status=1)
        t.ok(t.stderr and t.stderr.startswith(("ktruss: ", "usage: ")), "%s: %r" % (bad, t.stderr))
    nothing_left(t, "refusals")


@case()
def unfinished(t):
    "A call that goes on is shown while it does, and completed when it returns; records come within a fifth of a second."
    live = Live(t, ["-e", "read", "cat"], stdin=subprocess.PIPE)
    live.wait_for(r"read\(0, $", 10)
    began = time.monotonic()
    live.process.stdin.write(b"hello\n")
    live.process.stdin.flush()
    live.wait_for(r'^read\(0, "hello\\n", 131072\) = 6$', 10)
    in_time(t, began, "the record", 1)
    live.process.stdin.close()
    live.process.stdin = None
    t.eq(live.end(), 0, "status")
    live = Live(t, ["-q", "-e", "nanosleep,clock_nanosleep,getppid", "sh", "-c", "sleep 3600 & /tests/bin/loop 1; kill $!", "-f"])
    t.eq(live.end(), 0, "status without -f")


@case()
def killed(t):
    "When ktruss is killed, or nobody reads its output any more, the trace ends, and nothing of it is left."
    p = target(t, 5)
    live = Live(t, ["-p", str(p.pid)])
    live.wait_for("attached")
    t.eq(live.end(signal.SIGKILL), -signal.SIGKILL, "status")
    nothing_left(t, "SIGKILL")
    poke(p)
    live = Live(t, ["-p", str(p.pid)])
    live.wait_for("attached")
    live.process.stderr.close()
    live.process.stderr = None
    t.eq(live.process.wait(60), 1, "status without a reader")
    nothing_left(t, "the reader's end")
    t.run(["ktruss", "-o", "/dev/full", "true"], status=1)
    t.eq(t.stderr, "ktruss: /dev/full: No space left on device\n", "a full disk")
    nothing_left(t, "a full disk")


@case()
def privileges(t):
    "A user's trace ends when the program gains rights: that is said, and the command's status is its own."
    suid = program(t, 0o4755, of="loop")
    t.run(["ktruss", "-f", "sh", "-c", "%s 7; /tests/bin/loop 3; exit 4" % suid], uid=1000, status=4)
    # The shell may make one, too.
    t.ok(t.stderr.count("getppid() = ") in (3, 4), "getppid: %d" % t.stderr.count("getppid() = "))
    t.ok(re.search(r'execve\("%s", <unfinished' % suid, t.stderr), "its execve: " + t.stderr[-600:])
    t.run(["ktruss", suid, "7"], uid=1000)
    t.ok("goes on, but not its trace" in t.stderr or "getppid" not in t.stderr, "the set-user-ID program: " + t.stderr[-400:])
    nothing_left(t, "set-user-ID")


@case()
def interrupt(t):
    "SIGTERM, which the command does not get, ends the trace of it at once; it goes on."
    live = Live(t, ["sh", "-c", "exec /tests/bin/idle 2>/dev/null"])
    live.wait_for(r"^write\(1, \"ready")
    t.eq(live.end(signal.SIGTERM), -signal.SIGTERM, "status")
    t.until(lambda: os.popen("pgrep -c idle").read().strip() != "0", "idle to go on")
    t.run(["pkill", "idle"])
    nothing_left(t, "SIGTERM")


@case()
def terminal(t):
    "Of the terminal's SIGINT, which the command gets too, the end of the command is seen, and its status is kept."
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp("ktruss", ["ktruss", "--color=never", "sh", "-c", "trap 'exit 5' INT; while :; do sleep 0.1; done"])
    text = b""
    while b"wait4(" not in text:
        text += os.read(fd, 65536)
    os.write(fd, b"\3")
    while True:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        text += data
    t.eq(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 5, "status")
    os.close(fd)
    t.ok(b"--- SIGINT caught" in text and b"+++ exited with 5 +++" in text, text[-600:])
    nothing_left(t, "the terminal's SIGINT")


@case(timeout=240)
def flood(t):
    "A hundred thousand calls: each a line, in memory that is given back as they are read."
    calls = 100000
    most = 0
    p = t.start(["ktruss", "-q", "-t", "c", "-o", "lines", "/tests/bin/loop", str(calls)])
    while p.poll() is None:
        for path in waiting():
            try:
                most = max(most, os.stat(path).st_blocks * 512)
            except FileNotFoundError:
                pass
        time.sleep(0.05)
    t.eq(p.returncode, 0, "status")
    t.eq(int(t.run("grep -c ^getppid lines".split())), calls, "lines")
    print("# at most %d MiB waited" % (most >> 20))
    nothing_left(t, "a flood")


@case(timeout=240)
def nobody_reads(t):
    "A reader that takes nothing stops neither the program, nor fills the memory: the trace ends, and that is said."
    folder = os.path.join(t.dir, "small")
    os.mkdir(folder)
    t.run(["mount", "-t", "tmpfs", "-o", "size=%dm" % LIMIT, "none", folder])
    t.undo.append(lambda: subprocess.run(["umount", "-l", folder], check=True))
    calls = 150000
    began = time.monotonic()
    p = t.start(["sh", "-c", "TMPDIR=%s ktruss -q -t c /tests/bin/loop %d; echo $?" % (folder, calls)], stderr=subprocess.PIPE)
    t.until(lambda: os.popen("pgrep -x loop").read(), "loop to begin")
    # ktruss, which waits for its reader, leaves a zombie of it.
    t.until(lambda: not os.popen("pgrep -x -r R,S,D loop").read(), "loop to end", 150)
    print("# loop ended after %.1f s" % (time.monotonic() - began))
    used = sum(os.stat(os.path.join(folder, n)).st_blocks for n in os.listdir(folder)) * 512
    t.ok(used <= LIMIT << 20, "%d bytes wait" % used)
    out, text = p.communicate(timeout=120)
    text = text.decode()
    t.eq(out, b"0\n", "status")
    t.ok("ktruss: the trace ended early: %d MiB waited" % (LIMIT // 2) in text or "records were left out" in text,
         "no word of it: " + text[-300:])
    t.eq(Device().stats(os.open("/etc/hostname", os.O_RDONLY))["sessions"], 0, "sessions")
