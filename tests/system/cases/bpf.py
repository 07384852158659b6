# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktrace --bpf: what the module records, recorded without it.

The guest has no module. The cases that prove what the module records prove it here of the recorder.
"""
import contextlib
import errno
import os
import re
import signal
import socket
import struct
import subprocess
import time
import traceback

from cases import ops
from ktest import BIN, CALL, CSW, NR, PROCCTOR, PROCDTOR, RET, Fail, Skip, Test, case, cases


RECORDER = "ktrace-bpf"


def keep_recorder(t):
    """It outlives the case: to load its programs takes longer than most cases."""
    t.run([RECORDER])
    with open("/sys/fs/cgroup/cgroup.procs", "w", encoding="ascii") as f:
        f.write(t.run(["pgrep", "-x", RECORDER]))


class RecorderDevice:
    """ktest.Device, but what is asked is asked of the recorder."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect("/run/ktrace-bpf/socket")

    def op(self, path, ops, points, pid):
        request = struct.pack("<IiIi", 4, ops, points & 0xffffffff, pid)
        if path is None:
            self.socket.send(request)
        else:
            file = os.open(path, os.O_WRONLY | os.O_APPEND)
            socket.send_fds(self.socket, [request], [file])
            os.close(file)
        return -struct.unpack("<iIQ", self.socket.recv(64))[0]

    def close(self):
        self.socket.close()


class Recorded(Test):
    """A test whose traces the recorder makes."""

    def command(self, argv, uid, options):
        ktruss = argv[0] == "ktruss"
        # Only root can: ktruss traces root's programs then, as it traces a user's with the module.
        argv = super().command(argv, 0 if ktruss else uid, options)
        if ktruss or argv[0] == "ktrace":
            argv.insert(1, "--bpf")
        return argv

    def trace(self, argv, points=None, options=(), uid=0, status=0, name=None, genio=4096, **run_options):
        if uid:
            return self.trace_user(argv, points, options, uid, status, name, genio)
        trace = super().trace(argv, points, options, uid, status, name, genio, **run_options)
        # It slept until it was traced.
        if len(trace.records) > 1 and trace.records[1].type == CSW and trace.records[1].csw == (0, 0, "-"):
            del trace.records[1]
        return trace

    def trace_user(self, argv, points, options, uid, status, name, genio):
        """Root traces a user's process: it stops itself, is set, and goes on as the program."""
        if name is None:
            self.files += 1
            name = "trace%d.kt" % self.files
        argv = self.command(argv, 0, {})
        p = self.start(["sh", "-c", 'kill -STOP $$; exec "$@"', "sh", *argv], uid=uid, stderr=subprocess.PIPE)

        self.until(lambda: state(p.pid) == "T", "stop")
        letters = ["-t", points] if points else []
        self.run(["ktrace", "-f", name, *options, *letters, "-p", p.pid])
        p.send_signal(signal.SIGCONT)
        out, err = p.communicate()
        self.out, self.stderr = (text.decode("utf-8", "backslashreplace") for text in (out, err))
        self.status = p.returncode
        if status is not None:
            self.eq(p.returncode, status, "status of %s: %s" % (argv, self.stderr))
        self.run(["ktrace", "-c", "-f", name])    # nobody waited for its records
        return self.read(name, genio=genio)

    def module_users(self):
        """Files of ktruss that the recorder writes."""
        open_ = []
        for pid in os.popen("pgrep -x " + RECORDER).read().split():
            for fd in os.listdir("/proc/%s/fd" % pid):
                with contextlib.suppress(FileNotFoundError):
                    open_.append(os.readlink("/proc/%s/fd/%s" % (pid, fd)))
        return sum("/ktruss." in path for path in open_)

    def counted(self, name):
        """There are no statistics: what they tell is not asked."""
        return 0

    def sysctl(self, name, value=None):
        """The recorder has no settings, and behaves as they are at first."""
        if name != "kern.ktrace.genio_size":
            return super().sysctl(name, value)
        if value not in (None, 4096):
            raise Skip("%s is %d" % (name, value))
        return "4096"


def again(t, names):
    """Runs cases of the module."""
    keep_recorder(t)
    ops.Device = RecorderDevice
    wrong = []
    for name in names.split():
        folder = os.path.join(t.dir, name)
        os.mkdir(folder)
        os.chmod(folder, 0o777)
        os.chdir(folder)
        recorded = Recorded(cases[name], folder, t.long)
        began = time.monotonic()
        try:
            cases[name].function(recorded)
            recorded.finish()
        except Skip as e:
            wrong.append("%s: %s" % (name, e))
        except Fail as e:
            wrong.append("%s: %s" % (name, e))
        except Exception:
            wrong.append("%s: %s" % (name, traceback.format_exc()))
        print("# %s %.1f s%s" % (name, time.monotonic() - began, ": " + wrong[-1] if wrong and
                                 wrong[-1].startswith(name) else ""), flush=True)
    t.eq(wrong, [], "cases that are not as with the module")


@case(guest="bpf", timeout=600)
def command(t):
    "A command and its children: each has PROCCTOR first and PROCDTOR last; the status is the command's."
    t.run(["ktrace", "--bpf", "-i", "-t", "cn", "sh", "-c", "cat /etc/hostname; ls / | wc -l; exit 3"], status=3)
    trace = t.read("ktrace.out", dead=True)
    pids = {r.pid for r in trace.records}
    t.ok(len(pids) >= 4, "only %d processes" % len(pids))
    for pid in pids:
        records = trace.of(pid=pid)
        t.eq((records[0].type, records[-1].type), (PROCCTOR, PROCDTOR), "first and last record")
    t.ok(trace.of(CALL) and trace.of(RET), "no calls")
    t.run(["kdump"])
    t.run(["ktrace", "--bpf", "sh", "-c", "kill -11 $$"], status=-11)


@case(guest="bpf", timeout=600)
def by_itself(t):
    "Where there is no module root gets the recorder, and a line that says so; others get what they always got."
    t.run(["ktrace", "true"])
    t.eq(t.stderr, "ktrace: /dev/ktrace is not there: recording with BPF, as with --bpf\n", "stderr")
    t.run(["ktrace", "-f", "/tmp/user.out", "true"], uid=1000, status=1)
    t.ok("modprobe ktrace" in t.stderr, "stderr: %s" % t.stderr)
    t.run(["ktrace", "--bpf", "-f", "/tmp/user.out", "true"], uid=1000, status=1)
    t.ok("root" in t.stderr and len(t.stderr.splitlines()) == 1, "stderr: %s" % t.stderr)


@case(guest="bpf", timeout=900)
def data(t):
    "GENIO as the module records it: 64-bit and 32-bit programs."
    again(t, "genio.plain genio.edges genio.vectors genio.sockets genio.others genio.socketcall genio.v1 genio.i-alone "
             "moves.partial moves.tcp moves.memory")


@case(guest="bpf", timeout=600)
def structures(t):
    "STRUCT and STRUCT_ARRAY as the module records them."
    again(t, "structs.stat structs.addresses structs.messages structs.untouched-length structs.socketcall structs.times "
             "structs.interrupted structs.others structs.refused structs.int80 structs.unknown-numbers "
             "structs.threads structs.t-alone structs.with-data")


@case(guest="bpf", timeout=600)
def signals(t):
    "PSIG as the module records it."
    again(t, "psig.codes psig.numbers psig.faults psig.ignored psig.fatal psig.fatal-codes psig.threads psig.threads-end")


@case(guest="bpf", timeout=600)
def calls(t):
    "CALL and RET as the module records them, of both ABIs."
    again(t, "calls.plain calls.v1 calls.negative-success calls.unknown-numbers calls.errnos calls.restart calls.resume "
             "calls.exec-and-exit calls.points-alone calls.default-set calls.compat-process calls.sigsys "
             "abis.plain abis.threads abis.forks abis.thread-ends abis.execs abis.sigreturn "
             "odd.refused odd.notified odd.interrupted odd.nested odd.bad-frame odd.bad-exec")


@case(guest="bpf", timeout=600, long=900)
def life(t):
    "Threads, forks and execs as the module records them; arguments and environment."
    again(t, "life.clones life.threads life.leader-first life.exit-by-thread life.exec-chain life.exec-by-thread "
             "tasks.makes tasks.thread-execs tasks.broken-exec tasks.scripts "
             "args.commands args.sizes args.odd args.no-argv args.ways args.order args.failed" + " life.exit-race" * t.long)


@case(guest="bpf", timeout=600)
def names(t):
    "NAMEI and SYSCTL as the module records them."
    again(t, "namei.calls namei.script namei.n-alone paths.calls paths.mounts sysctl.reads-and-writes sysctl.refused "
             "sysctl.every-call sysctl.other-ways")


@case(guest="bpf", timeout=600)
def refused(t):
    "CAPFAIL as the module records it."
    again(t, "capfail.user capfail.root capfail.namespace capfail.count capfail.access capfail.layouts "
             "capfail.seccomp-refuses capfail.seccomp-kills capfail.seccomp-alone")


@case(guest="bpf", timeout=600)
def faults(t):
    "FAULT and FAULTEND as the module records them; context switches of every thread."
    again(t, "fault.anonymous fault.minor fault.stack fault.signals fault.cow fault.threads fault.interrupted "
             "fault.resumed fault.fatal csw.alone csw.children csw.threads")


@case(guest="bpf", timeout=600)
def targets(t):
    "-p, -g, -d, -i, -c, -C, -a, -f as with the module: whom they set and clear, and what becomes of the file."
    again(t, "tool.strange-files tool.pids tool.letters tool.option-order ops.other-file ops.group ops.clearfile "
             "ops.not-inherited")
    # -a, in the caller's file only
    for options, want in ((), 5), (("-a",), 12), ((), 7):
        t.run(["ktrace", "--bpf", *options, "-t", "c", os.path.join(BIN, "loop"), str(7 if want != 5 else 5)])
        t.eq(t.read("ktrace.out").calls[(64, NR.getppid)], want, "calls with %s" % (options,))
    t.path("others", uid=1000)
    t.run(["ktrace", "--bpf", "-a", "-f", "others", "true"], status=1)
    t.ok("others" in t.stderr and len(t.stderr.splitlines()) == 1, t.stderr)
    # A zombie is nobody, and a process whose first thread has ended is somebody, however long it lives on.
    p = t.start(["true"])
    t.until(lambda: state(p.pid) == "Z", "the zombie")
    for clear in (), ("-c",):
        t.run(["ktrace", "--bpf", *clear, "-t", "c", "-p", p.pid], status=1)
        t.ok("no such process" in t.stderr, t.stderr)
    program = "import threading, ctypes, os\nlibc = ctypes.CDLL(None)\n" \
              "threading.Thread(target=lambda: [libc.usleep(300000) for _ in range(8)]).start()\n" \
              "libc.syscall(%d, 0)\n" % NR.exit
    p = t.start(["python3", "-c", program])
    t.until(lambda: state(p.pid) == "Z", "the end of its first thread")
    t.run(["ktrace", "--bpf", "-t", "c", "-f", "first.kt", "-p", p.pid])
    t.eq(p.wait(), 0, "status")
    t.run(["ktrace", "--bpf", "-c", "-f", "first.kt"])
    trace = t.read("first.kt", dead=True)
    t.ok(trace.records[-1].type == PROCDTOR and len(trace.of(PROCDTOR)) == 1 and trace.of(RET) and not trace.drops,
         "records: %s" % [r.type for r in trace.records])
    # -d: who is there; -i: who comes
    script = "%s/idle 2 & echo $!; (%s/idle 2 & echo $!; wait) & wait" % (BIN, BIN)
    p = t.start(["sh", "-c", script])
    lines = [p.stdout.readline() for _ in range(4)]
    kids = [int(x) for x in lines if x.strip().isdigit()]

    def calls(*options):
        t.run(["ktrace", "--bpf", "-t", "c", "-f", "kids.kt", *options, "-p", p.pid])
        for kid in kids:
            os.kill(kid, signal.SIGUSR1)
            t.eq(p.stdout.readline(), b"done\n", "child")
        t.run(["ktrace", "--bpf", "-cd", "-p", p.pid])
        trace = t.read("kids.kt")
        return len({r.pid for r in trace.records}), [sum(r.code == NR.getppid for r in trace.of(CALL, pid=kid)) for kid in kids]
    t.eq(calls("-d"), (4, [2, 2]), "processes, and calls of the descendants")
    t.eq(calls(), (1, [0, 0]), "without -d")
    t.eq(calls("-i"), (1, [0, 0]), "with -i: only children that come")
    loops = os.path.join(BIN, "loop")
    for options, want in ((), 0), (("-i",), 9):
        t.run(["ktrace", "--bpf", *options, "-t", "c", "-f", "i.kt", loops, "3", "3"])
        t.eq(t.read("i.kt").calls[(64, NR.getppid)], want, "calls with %s" % (options,))


@case(guest="bpf", timeout=600)
def refuses(t):
    "What cannot be is refused with one line, and leaves the old file; an exit status is the command's."
    keep_recorder(t)
    for argv, *words in ((["-p", "4194303"], "-p", "4194303"), (["-g", "4194303"], "-g", "4194303"), (["-p", "2"], "kernel thread"),
                         (["no-such-command"], "no-such-command"), (["-c", "-C"], "-C"), (["-c", "-p", "4194303"], "4194303"),
                         (["-f", "missing/file", "true"], "missing/file"), (["-t", "z", "true"], "z")):
        with open("ktrace.out", "w", encoding="ascii"):
            pass
        t.run(["ktrace", "--bpf", *argv], status=1)
        t.eq(len(t.stderr.splitlines()), 1, "lines for %s: %s" % (argv, t.stderr))
        for word in words:
            t.ok(word in t.stderr, "%s: %s" % (argv, t.stderr))
        t.ok(os.path.exists("ktrace.out"), "the old file is gone: %s" % argv)
    t.run(["ktrace", "--bpf", "-t", "c", "sh", "-c", "exit 7"], status=7)
    t.run(["ktrace", "--bpf", "-t", "c", "sh", "-c", "kill -9 $$"], status=-9)


CONTAINER = """
import os, socket, sys
for address in sys.argv[1:]:
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        s.connect(address.replace("@", chr(0)))
        print(address, "answers")
    except OSError as e:
        print(address, e.errno)
"""


@case(guest="bpf", timeout=600)
def hears_root_only(t):
    "Neither a user nor the root of a container with the machine's network gets at the recorder, nor can they take its place."
    keep_recorder(t)
    # What a container has: another /run, no capabilities, and the network.
    shell = "mount -t tmpfs tmpfs /run && exec setpriv --bounding-set=-all --inh-caps=-all python3 -c \"$0\" @ktrace-bpf %s"
    address = "/run/ktrace-bpf/socket"
    t.eq(t.run(["unshare", "-mp", "--fork", "sh", "-c", shell % address, CONTAINER]),
         "@ktrace-bpf %d\n%s %d\n" % (errno.ECONNREFUSED, address, errno.ENOENT), "root of a container")
    t.eq(t.run(["python3", "-c", CONTAINER, address], uid=1000), "%s %d\n" % (address, errno.EACCES), "a user")
    t.eq(t.run(["python3", "-c", CONTAINER, address]), address + " answers\n", "root")
    # One that was killed leaves its socket, which is in nobody's way.
    end_recorder(t)
    t.ok(os.path.exists(address), "no socket is left")
    t.run(["ktrace", "--bpf", "-t", "c", "true"])
    t.ok(t.read("ktrace.out", dead=True).counts[1], "no calls")


def state(pid):
    """As ps has it."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as f:
        return f.read().rpartition(")")[2].split()[0]


def end_recorder(t):
    for pid in t.run(["pgrep", "-x", RECORDER], status=None).split():
        os.kill(int(pid), signal.SIGKILL)
        t.until(lambda pid=pid: not os.path.exists("/proc/" + pid), "the recorder's end")


def small_recorder(t):
    """A recorder whose buffer overflows soon: its PID. Stopped or not, no other case is to have it."""
    end_recorder(t)
    t.run(["ktrace", "--bpf", "true"], env=dict(os.environ, KTRACE_BPF_BUFFER="1"))
    t.undo.append(lambda: end_recorder(t))
    return int(t.run(["pgrep", "-x", RECORDER]))


@case(guest="bpf", timeout=600)
def losses(t):
    "A buffer that overflows: what is in the file and what ktrace counts as lost is what was made; the file has KTR_DROP."
    recorder = small_recorder(t)
    loop = os.path.join(BIN, "loop")
    made = {}
    for calls in 2000, 50000:    # less than it holds, and more
        if made:
            os.unlink("many.kt")
        # The events of the whole program: the recorder gets to none of them before its end.
        script = "read go; exec %s %d" % (loop, calls)
        p = t.start(["ktrace", "--bpf", "-t", "c", "-f", "many.kt", "sh", "-c", script], stdin=-1, stderr=-1)
        t.until(lambda: os.path.exists("many.kt") and t.read("many.kt").of(CALL), "the beginning of the trace")
        os.kill(recorder, signal.SIGSTOP)
        with open("/proc/%d/task/%d/children" % (p.pid, p.pid), encoding="ascii") as f:
            child = int(f.read())
        p.stdin.write(b"go\n")
        p.stdin.close()
        t.until(lambda child=child: not os.path.exists("/proc/%d" % child), "the program's end", 300)
        os.kill(recorder, signal.SIGCONT)
        stderr = p.stderr.read().decode()
        t.eq(p.wait(), 0, "status")
        trace = t.read("many.kt", dead=True)
        said = re.fullmatch("ktrace: many.kt: ([0-9]+) events came faster than they were written, and are not there\n", stderr)
        t.eq(trace.records[-1].type, PROCDTOR, "the last record")
        if not made:
            t.eq((stderr, trace.drops), ("", 0), "stderr and drops")
        else:
            t.ok(said, "stderr: %r" % stderr)
            t.ok(trace.drops >= 1, "no KTR_DROP")
            t.ok("Events dropped" in t.run(["kdump", "-f", "many.kt"]), "kdump says nothing of it")
            t.ok(int(said.group(1)) > 50000, "only %s lost" % said.group(1))
            # Each call has two, whatever became of it; all else is as it was.
            t.eq(len(trace.records) + int(said.group(1)), made[2000] + 2 * (calls - 2000), "recorded and lost")
        made[calls] = len(trace.records)


@case(guest="bpf", timeout=900)
def ktruss(t):
    "ktruss --bpf: commands, children, processes, the ends of each and its own, as with the module."
    again(t, "ktruss.command ktruss.status ktruss.follow ktruss.attach ktruss.unfinished ktruss.killed ktruss.interrupt "
             "ktruss.flood")


@case(guest="bpf", timeout=600)
def ktruss_by_itself(t):
    "ktruss where there is no module: root gets the recorder, and a line that says so; others are told what to do."
    keep_recorder(t)
    t.eq(t.run(["ktruss", "-q", "-e", "exit_group", "echo", "hi"]), "hi\n", "output")
    t.eq(t.stderr, "ktruss: /dev/ktrace is not there: recording with BPF, as with --bpf\nexit_group(0) = ?\n", "stderr")
    t.run(["ktruss", "true"], uid=1000, status=1)
    t.eq(t.stderr, "ktruss: /dev/ktrace is not there: load the module as root, with 'modprobe ktrace'\n", "a user")
    t.run(["ktruss", "--bpf", "true"], uid=1000, status=1)
    t.ok(re.fullmatch("ktruss: --bpf: needs root; .*\n", t.stderr), "a user with --bpf: " + t.stderr)
    for argv, status, said in ((["-p", "2"], 1, "-p 2: not permitted: a kernel thread, .*"),
                               (["-p", "4194303"], 1, "-p 4194303: no such process"),
                               (["no-such-command"], 127, "no-such-command: command not found")):
        t.run(["ktruss", "--bpf", *argv], status=status)
        t.ok(re.fullmatch("ktruss: %s\n" % said, t.stderr), "%s: %s" % (argv, t.stderr))
    t.run(["unshare", "-pf", "--mount-proc", "ktruss", "--bpf", "true"], status=1)
    t.ok("first pid namespace" in t.stderr, "in a pid namespace: " + t.stderr)


@case(guest="both", timeout=600)
def ktruss_beside_module(t):
    "ktruss uses the module where there is one, and the recorder if asked: both print the same of the same program."
    end_recorder(t)
    program = ["ktruss", "-q", "-e", "openat,read,write,exit_group", "cat", "/etc/hostname"]
    t.run(program, uid=1000)
    with_module = t.stderr
    t.eq(t.run(["pgrep", "-x", RECORDER], status=None), "", "the recorder, which nobody asked for")
    t.run([program[0], "--bpf", *program[1:]])
    t.eq(t.stderr, with_module, "what is printed")
    end_recorder(t)


def child_of(pid, name):
    """A child that executes that program."""
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as f:
        for child in f.read().split():
            with open("/proc/%s/comm" % child, encoding="ascii") as comm:
                if comm.read().strip() == name:
                    return int(child)
    return None


def text_of(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="ascii") as f:
        return f.read()


@case(guest="bpf", timeout=600)
def ktruss_losses(t):
    "ktruss --bpf when the buffer overflows: how many events were lost is said at the end, and where in the text."
    recorder = small_recorder(t)
    calls = 50000
    script = "read go; exec %s %d" % (os.path.join(BIN, "loop"), calls)
    p = t.start(["ktruss", "--bpf", "-q", "-t", "c", "-o", "lines", "sh", "-c", script], stdin=-1, stderr=-1)
    t.until(lambda: "read(0" in text_of("lines"), "the shell to read")
    child = child_of(p.pid, "sh")
    os.kill(recorder, signal.SIGSTOP)
    p.stdin.write(b"go\n")
    p.stdin.close()
    t.until(lambda: state(child) == "Z", "the program's end", 300)
    os.kill(recorder, signal.SIGCONT)
    stderr = p.stderr.read().decode()
    t.eq(p.wait(), 0, "status")
    said = re.fullmatch("ktruss: the trace: ([0-9]+) events came faster than they were written, and are not there\n", stderr)
    t.ok(said and int(said.group(1)) > calls, "stderr: %r" % stderr)
    text = text_of("lines")
    t.ok("--- events dropped ---" in text, "nothing in the text: " + text[-500:])
    t.ok(0 < text.count("getppid() = ") < calls, "%d calls" % text.count("getppid() = "))


@case(guest="bpf", timeout=600)
def ktruss_ended(t):
    "When another ends the trace of ktruss --bpf it says that, and why that may be."
    keep_recorder(t)
    p = t.start(["ktruss", "--bpf", "-q", "-o", "lines", "sh", "-c", "read go; exit 5"], stdin=-1, stderr=-1)
    t.until(lambda: "read(0" in text_of("lines"), "the shell to read")
    t.run(["ktrace", "--bpf", "-C"])
    t.ok(re.fullmatch(rb"ktruss: process \d+ goes on, but not its trace: another ended it, or it could not be written.*\n",
                      p.stderr.readline()), "what it says")
    p.stdin.write(b"go\n")
    p.stdin.close()
    t.eq(p.wait(60), 5, "status")


@case(guest="bpf", timeout=600)
def file_sizes(t):
    "The limit on file sizes of whoever starts the recorder is not that of its files, which are of the whole machine."
    end_recorder(t)
    calls = 3000
    loop = os.path.join(BIN, "loop")
    t.run(["sh", "-c", "ulimit -f 8; ktruss --bpf -q -t c %s %d 2>&1 | grep -c ^getppid >count" % (loop, calls)])
    t.eq(text_of("count"), "%d\n" % calls, "calls that ktruss prints")
    t.run(["ktrace", "--bpf", "-t", "c", "-f", "later.kt", loop, str(calls)])
    t.eq(t.read("later.kt", dead=True).calls[(64, NR.getppid)], calls, "calls in the file of another who uses it")


@case(guest="bpf", timeout=600)
def ktruss_without_recorder(t):
    "When the recorder is killed ktruss says so, and waits for its command, which goes on; nothing is left."
    t.run([RECORDER])
    p = t.start(["ktruss", "--bpf", "-q", "-o", "lines", "sh", "-c", "read go; exit 5"], stdin=-1, stderr=-1)
    t.until(lambda: "read(0" in text_of("lines"), "the shell to read")
    end_recorder(t)
    t.eq(p.stderr.readline(), b"ktruss: the trace ended early: ktrace-bpf has ended\n", "what it says")
    p.stdin.write(b"go\n")
    p.stdin.close()
    t.eq(p.wait(60), 5, "status")
    t.until(lambda: not [n for n in os.listdir("/dev/shm") if n.startswith("ktruss.")], "the records that waited to go")
