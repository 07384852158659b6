# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktrace --bpf: what the module records, recorded without it.

The guest has no module. The cases that prove what the module records prove it here of the recorder.
"""
import os
import signal
import subprocess
import time
import traceback

from ktest import CALL, CSW, PROCCTOR, PROCDTOR, RET, Fail, Skip, Test, case, cases


RECORDER = "ktrace-bpf"


def keep_recorder(t):
    """It outlives the case: to load its programs takes longer than most cases."""
    t.run([RECORDER])
    with open("/sys/fs/cgroup/cgroup.procs", "w", encoding="ascii") as f:
        f.write(t.run(["pgrep", "-x", RECORDER]))


class Recorded(Test):
    """A test whose traces the recorder makes."""

    def command(self, argv, uid, options):
        argv = super().command(argv, uid, options)
        if argv[0] == "ktrace":
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

        def stopped():
            with open("/proc/%d/stat" % p.pid, encoding="ascii") as f:
                return f.read().rpartition(")")[2].split()[0] == "T"
        self.until(stopped, "stop")
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


@case(guest="bpf", timeout=600)
def life(t):
    "Threads, forks and execs as the module records them; arguments and environment."
    again(t, "life.clones life.threads life.leader-first life.exit-by-thread life.exec-chain life.exec-by-thread "
             "life.exit-race tasks.makes tasks.thread-execs tasks.broken-exec tasks.scripts "
             "args.commands args.sizes args.odd args.no-argv args.ways args.order args.failed")


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
