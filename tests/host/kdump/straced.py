# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""kdump --fds against strace -y, which asks the kernel what is behind a descriptor.

Programs run under strace; what it printed becomes a trace file, as far as the file would have it: calls, results and
paths, but nothing of what strace knows of descriptors. At each read and write kdump has to find the same file.
"""
import os
import re
import shutil
import struct
import subprocess

from craft import PROCCTOR, ctor
from story import AT_FDCWD, Story, X86_64

SCRIPT = r"""
cd /usr
ls include | head -n 3 | sort > "$1/sorted"
exec 5< /etc/passwd 6>> "$1/sorted"
read line <&5
(cat /etc/passwd; echo "$line") | tr a b >&6
cat "$1/sorted" 2>&1 | wc -l
"$2" -c 'import os, subprocess
subprocess.run(["cat", "/etc/passwd"], stdout=subprocess.PIPE)
os.chdir("/etc")
file = open("passwd")
copy = os.dup(file.fileno())
file.close()
os.read(copy, 9)
if os.fork() == 0:
    os.close(copy)
    os.execvp("cat", ["cat", "group"])
os.wait()
os.read(copy, 9)'
"""

CALLS = ("openat open close dup dup2 dup3 fcntl pipe pipe2 execve clone clone3 vfork fork exit_group read write chdir "
         "fchdir close_range").split()
FORKS = ("clone", "clone3", "vfork", "fork")
CLONE = {"CLONE_VM": 0x100, "CLONE_FS": 0x200, "CLONE_FILES": 0x400, "CLONE_VFORK": 0x4000, "CLONE_THREAD": 0x10000}
FCNTL = {"F_DUPFD": 0, "F_SETFD": 2, "F_DUPFD_CLOEXEC": 1030}
O_CLOEXEC, CLOSE_RANGE_UNSHARE, CLOSE_RANGE_CLOEXEC = 0x80000, 2, 4
FAILED = 22  # the number does not matter


def run_strace(folder):
    """Its output, or None when it cannot be run here."""
    if not shutil.which("strace") or not shutil.which("python3") or os.uname().machine != "x86_64":
        return None
    path = os.path.join(folder, "strace")
    command = ["strace", "-f", "-y", "-o", path, "-e", "trace=" + ",".join(CALLS),
               "sh", "-c", SCRIPT, "sh", folder, shutil.which("python3")]
    process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             timeout=60)
    if process.returncode != 0:
        return None
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def number(text):
    match = re.match(r"\s*(-?\d+)", text)
    return int(match.group(1)) & (2**64 - 1) if match else 0


def clone_flags(text):
    return sum(bit for name, bit in CLONE.items() if re.search(name + r"\b", text))


def arguments(name, text):
    """Those that kdump looks at."""
    parts = re.split(r",\s*(?![^<]*>)", text) + [""] * 3
    cloexec = O_CLOEXEC if "O_CLOEXEC" in text else 0
    if name == "openat":
        return (AT_FDCWD if text.startswith("AT_FDCWD") else number(text), 1, cloexec)
    if name in ("dup2", "dup3"):
        return (number(parts[0]), number(parts[1]), cloexec)
    if name == "fcntl":
        return (number(parts[0]), FCNTL.get(parts[1].strip(), 99), "FD_CLOEXEC" in parts[2] or number(parts[2]))
    if name == "close_range":
        last = 2**32 - 1 if "~0" in parts[1] else number(parts[1])
        return (number(parts[0]), last, (CLOSE_RANGE_UNSHARE if "UNSHARE" in parts[2] else 0) |
                (CLOSE_RANGE_CLOEXEC if "CLOEXEC" in parts[2] else 0))
    if name == "clone":
        return (clone_flags(text) | 17,)
    return (1, cloexec) if name in ("open", "pipe2") else (number(text), 1, 1)


class Translator:
    """Makes a story of strace's lines. expected has (descriptor, what strace says of it) for each read and write."""

    def __init__(self, text):
        self.story = Story()
        self.story.data = b""
        self.expected = []
        self.alive = set()
        self.calls = {}  # pid: (name, text of the arguments)
        for line in text.splitlines():
            pid, line = line.split(None, 1)
            self.line(int(pid), line)

    def line(self, pid, line):
        if line.startswith("---"):
            return
        self.begin_process(pid)
        resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", line)
        unfinished = re.match(r"(\w+)\((.*?)\s*<unfinished \.\.\.>$", line)
        if line.startswith("+++"):
            self.story.end(pid)
            self.alive.discard(pid)
        elif resumed:
            self.end(pid, resumed.group(1))
        elif unfinished:
            self.begin(pid, *unfinished.groups())
        else:
            name, rest = line.split("(", 1)
            at = rest.rindex(") ")
            self.begin(pid, name, rest[:at])
            self.end(pid, rest[at:])

    def begin_process(self, pid):
        if pid not in self.alive:
            self.alive.add(pid)
            self.story.record(PROCCTOR, ctor(self.story.abi), pid)

    def begin(self, pid, name, text):
        self.calls[pid] = (name, text)
        self.story.call(name, *arguments(name, text), pid=pid)
        path = re.search(r'"((?:[^"\\]|\\.)*)"', text)
        if name in ("openat", "open", "execve", "chdir") and path:
            self.story.path(path.group(1).encode(), pid)
        descriptor = re.match(r"(\d+)<(.*?)>(?:,| |$)", text)
        if name in ("read", "write") and descriptor:
            self.expected.append((int(descriptor.group(1)), descriptor.group(2)))
            self.story.look(int(descriptor.group(1)), pid=pid)

    def end(self, pid, text):
        name, begun = self.calls.pop(pid)
        value, error = re.search(r"\) *= (-?\d+|\?)(?:<[^>]*>)?(?: (E[A-Z]+))?", text).groups()
        if value == "?":
            return
        if name in FORKS and not error:
            self.begin_process(int(value))
        if name == "clone3":
            self.story.structure(b"l_clone_args", struct.pack("<11Q", clone_flags(begun + text), *[0] * 10), pid)
        if error:
            self.story.ret(name, 0, FAILED, pid)
        elif name == "execve":
            self.story.record(PROCCTOR, ctor(self.story.abi), pid).ret(name, 0, -2, pid)
        else:
            self.story.ret(name, int(value), 0, pid)


def is_same(found, expected, pipes):
    """Names of one pipe are the same throughout."""
    if found.startswith("pipe:"):
        return expected.startswith("pipe:") and pipes.setdefault(expected, found) == found
    if found.startswith("/proc/"):
        return expected.startswith("/proc/")  # /proc/self has another name by now
    return expected in (found, os.path.realpath(found))


def check(run, folder):
    """What is wrong, or None; False when strace cannot be run. run(options, input) is kdump."""
    text = run_strace(folder)
    if text is None:
        return False
    translated = Translator(text)
    process = run(["--fds", "-s", "-t", "i", "-f", "-"], input=translated.story.data)
    lines = process.stdout.decode().splitlines()
    if len(lines) != len(translated.expected):
        return "%d lines for %d reads and writes" % (len(lines), len(translated.expected))
    problems, known, pipes = [], 0, {}
    for line, (descriptor, expected) in zip(lines, translated.expected):
        found = re.search(r"fd \d+(?:<(.*)>)? read", line).group(1)
        if found is None:
            if descriptor > 2:
                problems.append("nothing is known of %d<%s>" % (descriptor, expected))
        elif is_same(found, expected, pipes):
            known += 1
        else:
            problems.append("%d<%s> is said to be %s" % (descriptor, expected, found))
    if not problems and known < 50:
        problems.append("just %d descriptors were looked at" % known)
    return "\n".join(problems) or None


assert set(CALLS) <= set(X86_64)
