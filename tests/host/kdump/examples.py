# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What kdump.1 shows of records has to be what kdump prints, for a file that has just these."""
import os
import re
import struct

from craft import (ARGS, CAPFAIL, CSW, ENVS, FAULT, FAULTEND, LINUX64, PROCCTOR, STRUCT, STRUCT_ARRAY, SYSCALL, SYSCTL,
                   array, call, capfail, capfail_new, ctor, v0, v1)
from story import Story, inet


def stru(name, layout, *values):
    return v0(STRUCT, name + b"\0" + struct.pack(layout, *values))


# In the order of the page.
TRACE = b"".join((
    v0(PROCCTOR, ctor(LINUX64)),
    *(v0(SYSCALL, call(*words)) for words in (
        (257, 2**64 - 100, 0x7f2a5c000000, 0o2000000, 0), (91, 3, 0o640), (10, 0x7f2a5c000000, 4096, 3), (72, 3, 2, 1),
        (8, 3, 0, 7), (8, 3, 2**64 - 5, 2), (291, 8), (62, 4711, 10), (157, 15, 0x7f2a5c000000), (54, 3, 6, 1, 0x7f2a5c000000, 4),
        (16, 1, 0x5401, 0x7f2a5c000000), (16, 3, 0x80105499, 0x7f2a5c000000))),
    *(v0(CSW, struct.pack("<ii8s", *switch)) for switch in (
        (1, 0, b"pipe_re"), (0, 0, b"pipe_re"), (1, 1, b"preempt"))),
    stru(b"sockaddr", "<BBBB4B8x", 16, 2, 0, 80, 127, 0, 0, 1),
    stru(b"l_rlimit", "<QQ", 1024, 2**64 - 1),
    v0(STRUCT_ARRAY, array(8, b"pollfd", struct.pack("<iHH", 3, 1, 0))),
    v0(SYSCTL, b"kernel.hostname\0"),
    v0(CAPFAIL, capfail(0, 1 << 21, 1)), v1(CAPFAIL, capfail_new(2, 165, LINUX64, b"")), v0(CAPFAIL, capfail(2, 0, 0)),
    v0(FAULT, struct.pack("<QiI", 0x7f2a5c000000, 2, 0)), v0(FAULTEND, struct.pack("<i", 0)),
    v0(ARGS, b"cat\0/etc/hostname\0"), v0(ENVS, b"HOME=/root\0LANG=C\0"),
    stru(b"sockaddr", "<BB5s", 7, 1, b"\0name"),
    stru(b"timespec", "<qq", 1, 500000000),
    stru(b"itimerval", "<4q", 0, 0, 0, 50000),
    stru(b"l_sigset_t", "<Q", 1 << 1 | 1 << 9),
    stru(b"l_sched_param", "<i", 50),
    stru(b"l_sched_attr", "<IIQiIQQQII", 56, 1, 0, 0, 50, 0, 0, 0, 0, 0),
    stru(b"l_open_how", "<QQQ", 0o2000000, 0, 8),
    stru(b"l_sigaction", "<4Q", 0x401230, 0x14000000, 0x7f2a5c3d1000, 1 << 1),
    stru(b"l_cap_data", "<6I", 1, 1 << 21 | 1, 0, 0, 0, 0),
    v0(STRUCT_ARRAY, array(12, b"l_epoll_event", struct.pack("<IQ", 1, 5))),
    v0(STRUCT_ARRAY, array(16, b"l_iovec", struct.pack("<QQ", 0x7f2a5c000000, 4096)))))


def cat():
    story = Story(pid=4711, comm=b"cat")
    for name, times, error in (("read", (12, 3, 1804, 2), 0), ("openat", (21, 9, 14), 0), ("openat", (7,), 2),
                               ("close", (1, 1, 2), 0), ("write", (31,), 0)):
        for time in times:
            story.call(name, pid=4711).at(story.now + time - 1).ret(name, 0, error, pid=4711)
    return story.call("exit_group", 0, pid=4711)


def shell():
    story = Story(pid=4711, comm=b"sh").executes(b"/bin/sh", (b"sh", b"-c", b"make | cat"), 4711)
    story.at(801).forks(4712, 4711).at(1203).forks(4713, 4711).executes(b"/bin/cat", (b"cat",), 4713)
    story.executes(b"/usr/bin/make", (b"make",), 4712).at(9120).forks(4714, 4712, "vfork")
    story.executes(b"/usr/bin/cc", (b"cc", b"-c", b"hello.c"), 4714).at(601022).signal(9, pid=4714).end(4714)
    return story.at(611000).exits(2, 4712).at(611210).exits(0, 4713).at(612014).exits(0, 4711)


def files():
    story = Story().does("chdir", 1, path=b"/home/kiwi").does("socket", 2, 1, 0, gives=3)
    story.does("connect", 3, 1, 16, address=inet(80, 10, 0, 0, 1))
    story.does("getsockname", 3, 1, 2, address=inet(4000, 10, 0, 0, 9)).does("pipe", 1).does("dup2", 5, 1, gives=1)
    story.opens(b"notes.txt", 6).call("read", 6, 2, 4096).look(6).ret("read", 0).call("write", 3, 2, 5)
    return story.call("write", 1, 2, 5)


# What the page shows of other views: options, and the trace.
VIEWS = ((["--fds", "-s", "-e", "openat,read,write"], files()), (["--summary"], cat()), (["--tree"], shell()),
         (["--truss"], shell()))


def page_of(tree):
    with open(os.path.join(tree, "docs", "kdump.1"), encoding="utf-8") as f:
        return f.read()


def shown(tree):
    """The page's lines that begin with a label; one that begins with spaces continues the one before."""
    page = page_of(tree)
    lines = []
    for block in re.findall(r"^\.Bd -literal\n(.*?)^\.Ed", page, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith("    "):
                lines[-1] += " " + line.strip()
            else:
                lines.append(line)
    return lines
