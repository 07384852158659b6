# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The tracers: how each is run for a workload, and what it says of itself."""

from bench.workloads import ONE_CALL

TRACE = "/tmp/trace"
TEXT = "/tmp/text"  # what it is decoded to


def lost(stats):
    """Records, of the module's statistics."""
    return sum(value for name, value in stats.items() if name.startswith("lost_"))


class Tool:
    """A tracer. What is not as here is told by the derived classes."""

    name = ""
    packages = ()  # of Debian, for the guest
    short = False  # so slow that fewer calls must do
    without = ()  # the workloads whose data or names it does not record
    version_command = ""
    files = [TRACE]  # whose sizes are its bytes
    before = ""  # shell command, not measured
    per_call = 2  # events that a call leaves, at least

    def command(self, workload, argv):
        """What is measured, or None where the tool cannot do it."""
        raise NotImplementedError

    def decode(self):
        """Shell command that prints the trace as text; "" where it is text already."""
        return ""

    def ask(self, decoded):
        """Shell commands by name, whose output lost() and events() understand."""
        return {"lines": "wc -l <%s" % TEXT} if decoded else {}

    def events(self, result):
        """How many the trace has; None where that was not asked."""
        return int(result["answers"]["lines"]) if "lines" in result["answers"] else None

    def lost(self, result):
        """How many events are missing; None where that is not known."""
        calls, events = result["work"].get("calls"), self.events(result)
        return max(0, self.per_call * calls - events) if calls and events is not None else None

    def base(self, workload):
        """Name of the measurement that its cost is above."""
        return "%s untraced%s" % (workload.name, ", short" if self.short and workload.short > 1 else "")

    def start(self, workload):
        """The tool as for that workload, with next to nothing to trace. Workloads may have the same."""
        command = self.command(workload, ONE_CALL)
        return command and {"name": "start " + " ".join(command), "command": command, "before": self.before,
                            "files": self.files}

    def job(self, workload, decode):
        """For tests/bench/guest-run, with decoding or without; None where the tool cannot do it."""
        command = self.command(workload, workload.command(self.short))
        if not command:
            return None
        print_it = self.decode() if decode else ""
        return {"name": "%s %s" % (workload.name, self.name), "command": command, "before": self.before,
                "files": self.files, "decode": "%s >%s" % (print_it, TEXT) if print_it else "",
                "ask": self.ask(bool(print_it))}


class Untraced(Tool):
    """The programs alone."""

    name = "untraced"
    files = []

    def command(self, _workload, argv):
        return argv

    def job(self, workload, decode):
        """The first time, files come from the disk."""
        return {**super().job(workload, decode), "before": " ".join(workload.command(short=True))}


class UntracedShort(Untraced):
    """As often as the slow tools do it."""

    name = "untraced, short"
    short = True


class Ktrace(Tool):
    name = "ktrace"
    version_command = "ktrace --version"

    def command(self, workload, argv):
        return ["ktrace", *(["-i"] if workload.inherit else []), *(["-t", workload.points] if workload.points else []),
                "-f", TRACE, *argv]

    def decode(self):
        return "kdump -f " + TRACE

    def lost(self, result):
        return lost(result["stats"])

    def events(self, result):
        return result["stats"]["records"]


class Strace(Tool):
    name = "strace -f"
    short = True
    version_command = "strace --version | head -n 1"
    per_call = 1  # a line, or two

    def command(self, workload, argv):
        size = ["-s", str(workload.work[2])] if workload.work[0] == "rw" and workload.work[2] > 32 else []
        return ["strace", "-f", *size, "-o", TRACE, *argv]

    def ask(self, decoded):
        return {"lines": "wc -l <%s" % TRACE}


class PerfRecord(Tool):
    name = "perf record"
    without = ("W2", "W3", "W4")
    packages = ["linux-perf"]
    version_command = "perf --version"

    def command(self, workload, argv):
        return ["perf", "record", "-B", "-N", "-m", "2048", "-e", "raw_syscalls:*", "-o", TRACE, *argv]

    def decode(self):
        return "perf script -i " + TRACE


class PerfTrace(Tool):
    name = "perf trace"
    packages = ["linux-perf"]
    without = ("W2", "W3")
    per_call = 1

    def command(self, workload, argv):
        return ["perf", "trace", "-m", "4096", "-o", TRACE, *argv]

    def ask(self, decoded):
        return {"lines": "grep -c ' = ' " + TRACE}


class TraceCmd(Tool):
    name = "trace-cmd"
    without = ("W2", "W3", "W4")
    packages = ["trace-cmd"]
    version_command = "trace-cmd 2>&1 | grep -m 1 version"

    def command(self, workload, argv):
        return ["trace-cmd", "record", "-e", "raw_syscalls", "-F", "-c", "--compression", "none", "-b", "16384",
                "-o", TRACE, *argv]

    def decode(self):
        return "trace-cmd report -i " + TRACE


class Bpftrace(Tool):
    name = "bpftrace"
    without = ("W2", "W3", "W4")
    packages = ["bpftrace"]
    short = True
    version_command = "bpftrace --version"
    program = """
tracepoint:raw_syscalls:sys_enter /pid == cpid/ {
    printf("%d %d enter %d %lx %lx %lx\\n", nsecs, tid, args->id, args->args[0], args->args[1], args->args[2]);
}
tracepoint:raw_syscalls:sys_exit /pid == cpid/ {
    printf("%d %d exit %d %ld\\n", nsecs, tid, args->id, args->ret);
}
"""

    def command(self, workload, argv):
        return ["bpftrace", "-o", TRACE, "-e", self.program, "-c", " ".join(argv)]

    def ask(self, decoded):
        return {"lines": "grep -c -e ' enter ' -e ' exit ' " + TRACE}


QUICK = [Ktrace(), Strace()]
USUAL = [*QUICK, PerfRecord(), PerfTrace()]
ALL = [*USUAL, TraceCmd(), Bpftrace()]
