# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files that scripts/vm copies into a guest and out of it, as tar archives on raw disks."""
import os
import re
import shutil
import tempfile

from process import Failure, run

GUEST_CWD = "/tmp"


class CopyIn:
    """-f HOST[:GUEST]"""

    def __init__(self, arg):
        host, guest = self.split(arg)
        self.host = os.path.realpath(host)
        if not os.path.isfile(self.host) and not os.path.isdir(self.host):
            raise Failure("-f %s: neither a file nor a folder" % host)
        if not os.access(self.host, os.R_OK):
            raise Failure("-f %s: may not be read" % host)
        name = os.path.basename(os.path.normpath(host))
        if name in ("", ".", ".."):
            name = os.path.basename(self.host)
        if not guest or guest.endswith("/"):
            guest += name
        self.guest = os.path.normpath(os.path.join(GUEST_CWD, guest))

    @staticmethod
    def split(arg):
        """HOST is the whole if that exists, else it ends at the first colon that makes it exist."""
        parts = arg.split(":")
        for n in [len(parts)] + list(range(1, len(parts))):
            host = ":".join(parts[:n])
            if os.path.lexists(host):
                return host, ":".join(parts[n:])
        raise Failure("-f %s: no such file or folder" % arg)

    def append_to(self, disk):
        """Appends an archive whose members are named as in the guest."""
        name = re.sub(r"([\\&|])", r"\\\1", self.guest.lstrip("/") or ".")
        if os.path.isdir(self.host):
            folder, old, what = self.host, r"^\.", "."
        else:
            folder, old, what = os.path.dirname(self.host), "^.*$", "./" + os.path.basename(self.host)
        run(["tar", "-c", "-S", "--owner=root:0", "--group=root:0", "--warning=no-file-ignored",
             "--warning=no-file-changed", "-C", folder, "--transform", "flags=rhS;s|%s|%s|" % (old, name), what],
            "-f %s: could not be read" % self.host, stdout=disk, allowed=(0, 1))


class CopyOut:
    """-o GUEST[:HOST]"""

    def __init__(self, arg):
        guest, _, host = arg.partition(":")
        self.guest = os.path.normpath(os.path.join(GUEST_CWD, guest))
        self.host = os.path.abspath(host or os.path.basename(self.guest) or "root")

    def extract(self, disk, kind, start):
        """Makes self.host from the archive of a file or folder that begins at byte start of the disk.

        A file replaces one that is there; a folder is merged into one that is there.
        """
        if kind == "file" and os.path.isdir(self.host):
            raise Failure("%s is a folder here and a file in the guest" % self.host)
        parent = self.host if kind == "folder" else os.path.dirname(self.host)
        os.makedirs(parent, exist_ok=True)
        into = parent if kind == "folder" else tempfile.mkdtemp(prefix=".vm.", dir=parent)
        try:
            with open(disk, "rb") as f:
                f.seek(start)
                run(["tar", "-x", "-p", "--no-same-owner", "-C", into], "could not write %s" % self.host, stdin=f)
            if kind == "file":
                os.rename(os.path.join(into, os.listdir(into)[0]), self.host)
        finally:
            if kind == "file":
                shutil.rmtree(into, ignore_errors=True)
