# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""QEMU's monitor, as far as scripts/vm needs it: the memory of a guest that has crashed, as an ELF file."""
import json


class Monitor:
    """The other end of QEMU's -mon. QEMU stops a guest that ends, where it stands; then its memory is written."""

    def __init__(self, socket, core):
        self.socket, self.core = socket, core
        self.said = b""
        self.finished = False  # there is nothing more to come: the core is there, or never will be
        self.error = None
        self.send("qmp_capabilities")

    def send(self, command, **arguments):
        self.socket.send(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")

    def listen(self, data):
        """Takes what QEMU says."""
        *lines, self.said = (self.said + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if message.get("event") == "SHUTDOWN":
                self.send("dump-guest-memory", paging=False, protocol="file:" + self.core, detach=True)
            elif message.get("event") == "DUMP_COMPLETED":
                self.finished = True
                self.error = message["data"].get("error")
            elif "error" in message:
                self.finished = True
                self.error = message["error"]["desc"]
