# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""A running guest of scripts/vm: QEMU, what comes out of it, and how it ends."""
import os
import re
import select
import selectors
import signal
import socket
import subprocess
import time

import secureboot
from guest import architecture, parameters, slowness
from process import Failure, die_with_parent
from qmp import Monitor
from races import without_foreign

BOOT_SECONDS = 180  # from the start of QEMU to the start of the command
KILL_SECONDS = 15  # from a timeout to the end of the command, which is killed
END_SECONDS = 300  # from the end of the command to the end of the guest, copying out included

# How the kernel log tells that something went wrong. User programs that crash do not match: "segfault at",
# "traps: ... general protection fault ip:".
DAMAGE = re.compile(rb"""
    Kernel\ panic | WARNING:\  | BUG:\  | kernel\ BUG\ at | Oops | general\ protection\ fault[:,] | stack\ guard\ page
    | KASAN | KCSAN | UBSAN | KFENCE | DEBUG_LOCKS_WARN | refcount_t:\  | Bad\ page\ state | scheduling\ while\ atomic
    | INFO:\ (task\ .*\ blocked | rcu | possible | trying\ to\ register | inconsistent) | possible\ \S+\ locking
    | suspicious\ RCU | sleeping\ function\ called | unreferenced\ object | suspected\ memory\ leaks | [Ll]eaked
    | self-detected\ stall | detected\ stalls | soft\ lockup | hard\ LOCKUP | nobody\ cared
    """, re.X)
# What the kernel says when a guest looks, after a timeout, for tasks that do not go on.
BLOCKED = re.compile(rb"sysrq: Show Blocked State")
DAMAGE_LINES = 100  # of the log that are shown from the first such line on
LAST_LINES = 40  # that are shown where none is found


def write_all(fd, data):
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view):]
        except BlockingIOError:
            select.select([], [fd], [])


# With 32-bit programs, and without what takes emulation long: signed pointers, and vectors of any length.
ARM_CPU = "max,pauth=off,sve=off"


class Machine:
    """One QEMU. After follow():

    started    the command was started
    status     its exit status, None if it has not ended
    timed_out  it was killed because it took too long
    done       the guest came to its end in order
    reasons    what the guest found wrong with itself
    copied     number of a CopyOut: (kind, first byte on the output disk)
    """

    def __init__(self, opts, guest, folder):
        self.folder = folder
        self.seconds = opts.seconds
        self.x86 = architecture(guest) == "amd64"
        self.slow = slowness(opts.kernel)
        self.started = self.timed_out = self.done = False
        self.status = None
        self.reasons = []
        self.copied = {}
        self.received = [0, 0]  # bytes of stdout and stderr, here ...
        self.expected = [0, 0]  # ... and as the guest counted them
        self.said = b""
        core = os.environ.get("KTRACE_VM_CORE")
        pairs = [socket.socketpair() for _ in range(4 if core else 3)]
        (self.control, *self.streams), theirs = zip(*pairs)
        self.monitor = Monitor(self.streams.pop(), os.path.realpath(core)) if core else None
        fds = [s.fileno() for s in theirs]
        with open(folder("qemu"), "wb") as log:
            self.process = subprocess.Popen(
                self.command_line(opts, guest, fds), stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=fds,
                start_new_session=True, preexec_fn=die_with_parent(signal.SIGKILL),
                env=dict(os.environ, TMPDIR=folder.path))  # that is where snapshots grow
        for s in theirs:
            s.close()

    def command_line(self, opts, guest, fds):
        # Debian's own command line, then: all messages on the console, and any damage ends the guest.
        append = ["root=/dev/vda", "ro", "quiet", "ignore_loglevel", "panic=-1", "oops=panic", "panic_on_warn=1"]
        # A busy host must not make the guest distrust its clock, or (the slower one) take its CPUs for hung, or (whose timers
        # tick while a loop of some length runs is up to the host) its timers for broken; self-tests of ciphers take a third
        # of a second.
        append += ["console=ttyS0", "tsc=reliable", "no_timer_check"] if self.x86 else ["console=ttyAMA0", "watchdog_thresh=60"]
        append += ["cryptomgr.notests"]
        # The firmware's variables are kept where only its own code, in system management mode, can write.
        board = "q35,smm=on" if opts.secure else "pc"
        argv = ["qemu-system-x86_64", "-M", board] if self.x86 else ["qemu-system-aarch64", "-M", "virt"]
        argv += ["-m", str(opts.mb), "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
        if opts.icount:
            # While the guest is idle its clock leaps: whoever waits for a disk seems to wait for minutes.
            append += ["clocksource=tsc"] * self.x86 + ["sysctl.kernel.hung_task_timeout_secs=0"]
            argv += ["-accel", "tcg", "-icount", "shift=0,sleep=off", "-cpu", "max,erms=off,fsrm=off" if self.x86 else ARM_CPU]
            plugin = os.environ.get("KTRACE_VM_PLUGIN")
            argv += ["-plugin", plugin] if plugin else []
        else:
            # One thread for all CPUs, which take turns: with a thread for each, QEMU before 8.1 now and then goes on
            # executing kernel text as it was before the kernel patched it (a tracepoint that is switched on and off
            # does), and CPUs hang. Seen without any module of ours. It boots no slower.
            argv += ["-accel", "tcg,thread=single", "-cpu", "max" if self.x86 else ARM_CPU]
        serial = os.environ.get("KTRACE_VM_SERIAL")
        if serial:
            append.append("kgdboc=ttyS1")
        append += parameters(opts.kernel) + opts.append
        if opts.secure:
            argv += secureboot.arguments(self.folder, guest, " ".join(append), opts.enrolled)
        else:
            argv += ["-kernel", os.path.join(guest, "vmlinux"), "-initrd", self.folder("initramfs"), "-append", " ".join(append)]
        argv += ["-smp", str(opts.cpus), "-serial", "file:" + self.comma(self.folder("console"))]
        if serial:
            argv += ["-serial", "unix:%s,server=on,wait=off" % self.comma(os.path.realpath(serial))]
        # All devices are functions of one slot: they share an interrupt line, and each line takes 150 ms to set up.
        argv += ["-device", "virtio-serial-pci,multifunction=on,addr=4.0"]
        if self.monitor:
            argv += ["-no-shutdown", "-chardev", "socket,id=monitor,fd=%d" % fds[3], "-mon", "chardev=monitor,mode=control"]
        for nr, fd in enumerate(fds[:3], 1):
            argv += ["-chardev", "socket,id=port%d,fd=%d" % (nr, fd),
                     "-device", "virtserialport,chardev=port%d,nr=%d" % (nr, nr)]
        disks = [(os.path.join(guest, "root.img"), "snapshot=on"), (os.path.join(guest, "var-tmp.img"), "snapshot=on"),
                 (self.folder("in"), "readonly=on"), (self.folder("out"), "cache=unsafe")]
        for nr, (path, how) in enumerate(disks):
            if os.path.exists(path):
                argv += ["-drive", "if=none,id=disk%d,format=raw,%s,file=%s" % (nr, how, self.comma(path)),
                         "-device", "virtio-blk-pci,addr=4.%d,drive=disk%d" % (nr + 1, nr)]
        if opts.share:
            argv += ["-fsdev", "local,id=share,security_model=none,path=" + self.comma(os.path.realpath(opts.share)),
                     "-device", "virtio-9p-pci,addr=4.7,fsdev=share,mount_tag=share"]
        return argv

    @staticmethod
    def comma(path):
        return path.replace(",", ",,")

    def follow(self):
        """Passes the outputs of the command on. Returns when the guest has ended, or was ended."""
        deadline = time.monotonic() + BOOT_SECONDS * self.slow
        selector = selectors.DefaultSelector()
        selector.register(self.control, selectors.EVENT_READ, 0)
        for fd, stream in enumerate(self.streams, 1):
            selector.register(stream, selectors.EVENT_READ, fd)
        if self.monitor:
            selector.register(self.monitor.socket, selectors.EVENT_READ, self.monitor)
        while selector.get_map() and not (self.done and self.received == self.expected) and \
                not (self.monitor and self.monitor.finished):
            left = deadline - time.monotonic()
            if left <= 0:
                if not self.started or self.timed_out or self.status is not None:
                    break
                self.timed_out = True
                deadline += KILL_SECONDS * self.slow
                try:
                    self.control.send(b"time is up\n")
                except OSError:
                    break
                continue
            for key, _ in selector.select(left):
                try:
                    data = key.fileobj.recv(1 << 20)
                except ConnectionError:
                    data = b""
                if not data:
                    selector.unregister(key.fileobj)
                elif key.data is self.monitor:
                    self.monitor.listen(data)
                elif key.data:
                    self.received[key.data - 1] += len(data)
                    write_all(key.data, data)
                else:
                    deadline = self.listen(data, deadline)
        self.kill()

    def listen(self, data, deadline):
        """Takes what guest.sh and vm-init say. Returns the new deadline."""
        *lines, self.said = (self.said + data).split(b"\n")
        for line in lines:
            word, _, rest = line.decode(errors="replace").partition(" ")
            if word == "start":
                self.started = True
                deadline = time.monotonic() + self.seconds
            elif word == "exit":
                self.status, *self.expected = (int(n) for n in rest.split())
                deadline = time.monotonic() + END_SECONDS * self.slow
            elif word == "out":
                nr, kind, start = rest.split()
                self.copied[int(nr)] = (kind, int(start))
            elif word == "bad":
                self.reasons.append(rest)
            elif word == "broken":
                raise Failure(rest + "\n" + self.log())
            elif word == "done":
                self.done = True
        return deadline

    def kill(self):
        self.process.kill()
        self.process.wait()

    def console(self):
        """What the kernel wrote to its console so far, as lines; without races that are none of ours."""
        try:
            with open(self.folder("console"), "rb") as f:
                lines = f.read().replace(b"\r", b"").decode(errors="surrogateescape").split("\n")
        except OSError:
            return []
        return [line.encode(errors="surrogateescape") for line in without_foreign(lines)]

    def damage(self):
        """The first line of the kernel log that tells of damage, or None."""
        for line in self.console():
            if DAMAGE.search(line):
                return line.decode(errors="replace")
        return None

    def log(self):
        """The part of the console's log that shows what happened, after whatever QEMU said."""
        lines = self.console()
        shown = lines[-LAST_LINES:]
        for pattern in (DAMAGE, BLOCKED):
            first = next((n for n, line in enumerate(lines) if pattern.search(line)), None)
            if first is not None:
                shown = lines[max(0, first - 3):first + DAMAGE_LINES]
                break
        with open(self.folder("qemu"), "rb") as f:
            return (f.read() + b"\n".join(shown)).decode(errors="replace").strip("\n")
