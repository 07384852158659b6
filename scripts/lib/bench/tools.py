# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The tracers: how each is run for a workload, and what it says of itself."""

TRACE = "/tmp/trace"


class Tool:
    """A tracer. What is not as here is told by the derived classes."""

    name = ""
    packages = ()  # of Debian, for the guest
    short = False  # so slow that fewer calls must do
    version_command = ""
    files = [TRACE]
    before = ""

    def command(self, workload, argv):
        """What is measured, or None where the tool cannot do it."""
        raise NotImplementedError

    def decode(self, _workload):
        """Shell command that prints the trace as text; "" where it is text already."""
        return ""

    def ask(self, _workload):
        """Shell commands by name, whose output lost() and events() understand."""
        return {}

    def lost(self, _result):
        """How many events it says that it lost."""
        return 0

    def events(self, _result):
        """How many the trace has; None where that is not asked."""
        return None

    def job(self, workload, decode):
        """For tests/bench/guest-run, with decoding or without; None where the tool cannot do it."""
        command = self.command(workload, workload.command(self.short))
        if not command:
            return None
        return {"name": "%s %s" % (workload.name, self.name), "command": command, "before": self.before,
                "files": self.files, "decode": self.decode(workload) if decode else "", "ask": self.ask(workload)}


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

    def decode(self, _workload):
        return "kdump -f " + TRACE

    def lost(self, result):
        return sum(value for name, value in result["stats"].items() if name.startswith("lost_"))

    def events(self, result):
        return result["stats"]["records"]


class Strace(Tool):
    name = "strace -f"
    short = True
    version_command = "strace --version | head -n 1"

    def command(self, workload, argv):
        size = ["-s", str(workload.work[2])] if workload.work[0] == "rw" and workload.work[2] > 32 else []
        return ["strace", "-f", *size, "-o", TRACE, *argv]

    def ask(self, _workload):
        return {"lines": "wc -l <%s" % TRACE}

    def events(self, result):
        return int(result["answers"]["lines"])


QUICK = [Ktrace(), Strace()]
