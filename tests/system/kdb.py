# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The kernel's debugger, kdb, at the other end of a guest's serial line (KTRACE_VM_SERIAL of scripts/vm)."""
import re
import select
import socket
import time

from ktest import Fail

PROMPT = re.compile(r"\[\d+\]kdb> $")
MORE = re.compile(r"more> $")


class Kdb:
    """A line to the guest of the process vm; all of its life takes no more than so many seconds."""

    def __init__(self, path, vm, seconds):
        self.vm = vm
        self.end = time.monotonic() + seconds
        self.text = ""    # what has come since the last send()
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                break
            except OSError:
                self.socket.close()
            self.check()
            time.sleep(0.1)

    def check(self):
        if self.vm.poll() is not None:
            raise Fail("the guest has ended, after %r" % self.text[-1000:])
        if time.monotonic() > self.end:
            raise Fail("too late, after %r" % self.text[-1000:])

    def send(self, text):
        self.text = ""
        self.socket.sendall(text.encode())

    def until(self, *patterns):
        """Waits until what has come since the last send() ends with one of them. Returns its lines and which of them."""
        while True:
            for pattern in patterns:
                if pattern.search(self.text):
                    return self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), pattern
            self.check()
            if select.select([self.socket], [], [], 0.1)[0]:
                data = self.socket.recv(65536)
                if not data:
                    raise Fail("the line is cut, after %r" % self.text[-1000:])
                self.text += data.decode(errors="replace")

    def wait(self):
        """Waits for the debugger to be entered."""
        self.until(PROMPT)
