# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Traces of what processes do, call by call, for what kdump knows from records before."""
import struct

from craft import (ARGS, FREEBSD64, GENIO, LINUX32, LINUX64, NAMEI, NOW, PROCCTOR, PROCDTOR, PSIG, STRUCT, SYSCALL,
                   SYSRET, call, ctor, gio, psig, ret, v0)

X86_64 = {"read": 0, "write": 1, "open": 2, "close": 3, "ioctl": 16, "pipe": 22, "dup": 32, "dup2": 33, "nanosleep": 35,
          "getpid": 39, "socket": 41, "connect": 42, "accept": 43, "bind": 49, "getsockname": 51, "getpeername": 52,
          "socketpair": 53, "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "exit": 60, "fcntl": 72, "chdir": 80,
          "fchdir": 81, "creat": 85, "epoll_create": 213, "exit_group": 231, "mq_open": 240, "inotify_init": 253,
          "openat": 257, "unshare": 272, "signalfd": 282, "timerfd_create": 283, "eventfd": 284, "accept4": 288,
          "signalfd4": 289, "eventfd2": 290, "epoll_create1": 291, "dup3": 292, "pipe2": 293, "inotify_init1": 294,
          "perf_event_open": 298, "fanotify_init": 300, "open_by_handle_at": 304, "memfd_create": 319, "bpf": 321,
          "execveat": 322, "userfaultfd": 323, "io_uring_setup": 425, "open_tree": 428, "fsopen": 430, "fsmount": 432,
          "fspick": 433, "pidfd_open": 434, "clone3": 435, "close_range": 436, "openat2": 437, "pidfd_getfd": 438,
          "landlock_create_ruleset": 444, "memfd_secret": 447}
I386 = {"exit": 1, "fork": 2, "read": 3, "open": 5, "close": 6, "dup": 41, "dup2": 63, "socketcall": 102, "clone": 120,
        "fcntl64": 221, "openat": 295, "dup3": 330, "pipe2": 331, "socket": 359, "connect": 362}
FREEBSD = {"exit": 1, "fork": 2, "open": 5, "close": 6, "chdir": 12, "accept": 30, "dup": 41, "execve": 59, "ioctl": 54,
           "vfork": 66, "dup2": 90, "fcntl": 92, "socket": 97, "connect": 98, "bind": 104, "rfork": 251, "kqueue": 362,
           "shm_open2": 571, "fexecve": 492, "openat": 499, "closefrom": 509, "pdfork": 518, "pipe2": 542,
           "close_range": 575}
CALLS = {LINUX64: X86_64, LINUX32: I386, FREEBSD64: FREEBSD}

AT_FDCWD = 2**64 - 100
MINUS_1 = 2**64 - 1
EAGAIN, EBADF, EINPROGRESS = 35, 9, 36  # in the file


def inet(port, a, b, c, d):
    return struct.pack(">BBH4B8x", 16, 2, port, a, b, c, d)


def inet6(port, last):
    return struct.pack(">BBHI16sI", 28, 28, port, 0, bytes(15) + bytes([last]), 0)


def local(path):
    return struct.pack("BB", 2 + len(path), 1) + path


class Story:
    """Records in the order of the calls of its methods, a microsecond apart."""

    def __init__(self, abi=LINUX64, pid=700, comm=b"prog", make=v0):
        self.abi = abi
        self.comm = {}
        self.make = make
        self.data = b""
        self.now = 0
        self.begin(pid, comm)

    def at(self, microseconds):
        self.now = microseconds
        return self

    def record(self, kind, payload=b"", pid=700, tid=None):
        sec, usec = divmod(self.now, 1000000)
        fraction = {"usec": usec} if self.make is v0 else {"nsec": usec * 1000}
        self.data += self.make(kind, payload, pid=pid, tid=tid, comm=self.comm.get(pid, b"prog"), sec=NOW + sec,
                               **fraction)
        self.now += 1
        return self

    def begin(self, pid, comm=b"prog"):
        self.comm[pid] = comm
        return self.record(PROCCTOR, ctor(self.abi), pid)

    def end(self, pid):
        return self.record(PROCDTOR, b"", pid)

    def call(self, name, *args, pid=700, tid=None):
        return self.record(SYSCALL, call(CALLS[self.abi][name], *args), pid, tid)

    def ret(self, name, value=0, error=0, pid=700, tid=None):
        return self.record(SYSRET, ret(CALLS[self.abi][name], value, error), pid, tid)

    def path(self, path, pid=700, tid=None):
        return self.record(NAMEI, path, pid, tid)

    def structure(self, name, data, pid=700, tid=None):
        return self.record(STRUCT, name + b"\0" + data, pid, tid)

    def does(self, name, *args, gives=0, error=0, path=None, address=None, pid=700, tid=None):
        """All of a call."""
        self.call(name, *args, pid=pid, tid=tid)
        if path is not None:
            self.path(path, pid, tid)
        if address is not None:
            self.structure(b"sockaddr", address, pid, tid)
        return self.ret(name, gives, error, pid, tid)

    def opens(self, path, fd, flags=0, pid=700, tid=None):
        name, args = ("open", (1, flags)) if self.abi != LINUX64 else ("openat", (AT_FDCWD, 1, flags))
        return self.does(name, *args, gives=fd, path=path, pid=pid, tid=tid)

    def forks(self, child, parent=700, how="fork", args=()):
        self.call(how, *args, pid=parent)
        self.begin(child, self.comm[parent])
        self.ret(how, 0, pid=child)
        return self.ret(how, child, pid=parent)

    def executes(self, path, args, pid=700, how="execve", arguments=(1, 2, 3), comm=None):
        self.call(how, *arguments, pid=pid)
        self.path(path, pid)
        self.comm[pid] = comm or path.split(b"/")[-1]
        self.record(PROCCTOR, ctor(self.abi), pid)
        if args is not None:
            self.record(ARGS, b"".join(word + b"\0" for word in args), pid)
        return self.ret(how, 0, -2, pid)

    def exits(self, status, pid=700):
        self.call("exit_group" if self.abi == LINUX64 else "exit", status, pid=pid)
        return self.end(pid)

    def signal(self, signo, action=0, pid=700, tid=None):
        return self.record(PSIG, psig(signo, action), pid, tid)

    def look(self, *fds, pid=700, tid=None):
        """Records that show what is behind these descriptors, with --fds."""
        for fd in fds:
            self.record(GENIO, gio(fd, 0, b""), pid, tid)
        return self
