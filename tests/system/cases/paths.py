# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""NAMEI by every call that takes a path, also where it leads nowhere, and on file systems that look things up themselves."""
import errno
import os
import struct
import threading

from ktest import CALL, NAMI, NR, RET, case

ALL = "cnisu"
BOTH = "paths", "paths32"


def run(t, mode, programs, where):
    for prog in programs:
        folder = os.path.join(where, prog)
        os.mkdir(folder)
        name = os.path.join(t.dir, "%s-%s.kt" % (prog, mode))
        trace = t.trace([prog, mode], ALL, name=name, cwd=folder)
        t.expect(trace, t.out)


@case()
def calls(t):
    "60 calls by file, by folder that is none, by odd ends, every byte and length, attributes, handles, sockets."
    run(t, "plain", BOTH, t.dir)


@case()
def mounts(t):
    "mount and its like, old and new, swap, accounting, quota, chroot and pivot_root: two paths in their order."
    run(t, "mounts", BOTH, t.dir)


@case()
def overlay(t):
    "On overlayfs: what it looks up below is its own, and leaves no record; the folders it is mounted from do."
    for name in "lower", "upper", "work", "top":
        os.mkdir(os.path.join(t.dir, name))
    trace = t.trace(["mount", "-i", "-t", "overlay", "-o", "lowerdir=lower,upperdir=upper,workdir=work", "none", "top"], "cn")
    t.undo.append(lambda: t.run(["umount", "-l", "top"], status=None))
    calls = NR.mount, NR.move_mount, NR.fsopen
    at = next(i for i, r in enumerate(trace.records) if r.type == CALL and r.code in calls)
    names = [r.text for r in trace.records[at:] if r.type == NAMI]
    t.ok({"lower", "upper", "work"} <= set(names), "folders of mount: %s" % names)
    run(t, "plain", BOTH, os.path.join(t.dir, "top"))


class Stale(threading.Thread):
    """A FUSE file system in which every name is stale: the kernel looks it up again, and asks for it again."""

    def __init__(self, fd):
        super().__init__(daemon=True)
        self.fd = fd
        self.lookups = 0

    def reply(self, unique, error=0, data=b""):
        os.write(self.fd, struct.pack("<IiQ", 16 + len(data), -error, unique) + data)

    def run(self):
        while True:
            try:
                request = os.read(self.fd, 1 << 17)
            except OSError:
                return      # unmounted
            _, opcode, unique, _ = struct.unpack_from("<IIQQ", request)
            if opcode == 26:        # INIT
                self.reply(unique, 0, struct.pack("<IIIIHHI", 7, 31, 4096, 0, 16, 12, 4096) + bytes(40))
            elif opcode == 3:       # GETATTR of its root
                attr = struct.pack("<QQQQQQ", 1, 0, 0, 0, 0, 0) + struct.pack("<10I", 0, 0, 0, 0o40755, 2, 0, 0, 0, 512, 0)
                self.reply(unique, 0, struct.pack("<QII", 0, 0, 0) + attr)
            elif opcode == 1:       # LOOKUP
                self.lookups += 1
                self.reply(unique, errno.ESTALE)
            elif opcode not in (2, 42):     # FORGET has no answer
                self.reply(unique, errno.ENOSYS)


@case()
def stale(t):
    "A name that is stale (ESTALE): the kernel tries again from the start, and it is still one lookup."
    t.run(["modprobe", "fuse"])
    os.mkdir(os.path.join(t.dir, "m"))
    fd = os.open("/dev/fuse", os.O_RDWR)
    t.run(["mount", "-i", "-t", "fuse", "-o", "fd=%d,rootmode=40000,user_id=0,group_id=0" % fd, "stale", "m"], pass_fds=[fd])
    t.undo.append(lambda: (t.run(["umount", "-l", "m"], status=None), os.close(fd)))
    server = Stale(fd)
    server.start()
    script = ("import os, sys\nfor f in os.stat, os.readlink, os.unlink, os.mkdir, os.rmdir, os.open:\n"
              "  try: f('m/' + f.__name__, *([0] if f is os.open else []))\n  except OSError as e: print(e.errno)\n"
              "try: os.rename('m/from', 'm/to')\nexcept OSError as e: print(e.errno)\n")
    trace = t.trace(["python3", "-c", script], "cn")
    t.eq(t.out.split(), [str(errno.ESTALE)] * 7, "errors")
    names = [r.text for r in trace.of(NAMI) if r.text.startswith("m/")]
    t.ok(server.lookups > 10, "%d lookups in the file system: nothing was tried again" % server.lookups)
    t.eq(names, ["m/" + n for n in ("stat", "readlink", "unlink", "mkdir", "rmdir", "open", "from", "to")], "paths")
    t.eq(len([r for r in trace.of(RET) if r.linux_error == errno.ESTALE]), 7, "RETs")
