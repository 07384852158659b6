# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What kdump tells of its progress, and whom."""
import os
import pty
import re
import subprocess
import threading
import time

from craft import NAMEI, v0

SECONDS = 30
SLOW = 1.2  # for which nobody takes the output: longer than progress waits
SIZE = 9 << 20
LINE = re.compile(rb"\rkdump: (\d+) %, (\d+) records, \d+ a second *")


class Terminal:
    """A terminal, and what was written to it."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        self.said = b""
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:  # nobody has it open any more
                break
            if not data:
                break
            self.said += data

    def end(self):
        """All of it, once it was closed by those who were given it."""
        os.close(self.slave)
        self.thread.join(SECONDS)
        os.close(self.master)
        return self.said


def run(kdump, env, path, stdout="pipe", stderr="terminal", options=()):
    """(status, what came to stderr) of a kdump whose output is taken late."""
    errors = Terminal()
    output = Terminal() if stdout == "terminal" else None
    process = subprocess.Popen([kdump, "-f", path, *options], stdin=subprocess.DEVNULL, env=env,
                               stdout=output.slave if output else subprocess.PIPE,
                               stderr=errors.slave if stderr == "terminal" else subprocess.PIPE)
    time.sleep(SLOW)
    said = process.communicate(timeout=SECONDS)[1]
    if output:
        output.end()
    return process.returncode, errors.end() or said or b""


def on_screen(said):
    """What a terminal shows of it: lines, of which the last may be empty."""
    shown = []
    for line in said.replace(b"\r\n", b"\n").split(b"\n"):
        cells = bytearray()
        for part in line.split(b"\r"):
            cells[:len(part)] = part
        shown.append(bytes(cells).rstrip())
    return shown


def shown_and_erased(kdump, env, folder, path):
    status, said = run(kdump, env, path)
    found = LINE.search(said)
    if status or not found or int(found.group(1)) > 100 or int(found.group(2)) == 0:
        return "status %d, stderr %s" % (status, said)
    return None if on_screen(said) == [b""] else "on the terminal stays %s" % on_screen(said)


def erased_before_error(kdump, env, folder, path):
    cut = os.path.join(folder, "progress-cut")
    with open(path, "rb") as f, open(cut, "wb") as g:
        g.write(f.read()[:-1])
    status, said = run(kdump, env, cut)
    lines = on_screen(said)
    good = status == 1 and LINE.search(said) and len(lines) == 2 and lines[0].startswith(b"kdump: " + cut.encode()) and \
        b"ends within a record" in lines[0] and b"%" not in lines[0]
    return None if good else "status %d, stderr %s" % (status, said)


def erased_when_nobody_reads(kdump, env, folder, path):
    errors = Terminal()
    process = subprocess.Popen([kdump, "-f", path], stdin=subprocess.DEVNULL, env=env, stdout=subprocess.PIPE,
                               stderr=errors.slave)
    time.sleep(SLOW)
    while not LINE.search(errors.said) and process.stdout.read(65536):
        time.sleep(0.02)  # so that there is more to come when the line is there
    process.stdout.close()
    status, said = process.wait(SECONDS), errors.end()
    return None if status == 1 and on_screen(said) == [b""] else "status %d, stderr %s" % (status, said)


def silent(**how):
    def case(kdump, env, folder, path):
        size = how.get("size")
        if size:
            small = os.path.join(folder, "progress-small")
            with open(path, "rb") as f, open(small, "wb") as g:
                g.write(f.read(size))
            path = small
        options = {key: value for key, value in how.items() if key != "size"}
        status, said = run(kdump, env, path, **options)
        return None if status == 0 and not said else "status %d, stderr %s" % (status, said)
    return case


CASES = {
    "shown-and-erased": shown_and_erased,
    "erased-before-error": erased_before_error,
    "erased-when-nobody-reads": erased_when_nobody_reads,
    "not-on-terminal": silent(stdout="terminal"),
    "not-without-terminal": silent(stderr="pipe"),
    "not-of-small-file": silent(size=63 * 40000),
}


def check(kdump, env, folder):
    """(name, what is wrong or None) of each case."""
    path = os.path.join(folder, "progress")
    with open(path, "wb") as f:
        f.write(v0(NAMEI, b"/tmp/xx") * (SIZE // 63))
    for name, case in CASES.items():
        yield name, case(kdump, env, folder, path)
