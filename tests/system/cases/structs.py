# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""STRUCT and STRUCT_ARRAY: what calls read and returned."""
import os

import ktparse
from ktest import PROCCTOR, PROCDTOR, case

BOTH = ("%s", "%s32")


def run(t, prog, *args, programs=BOTH, points="ct", genio=4096, options=()):
    t.sysctl("kern.ktrace.genio_size", genio)
    for name in programs:
        name = name % prog
        folder = os.path.join(t.dir, "-".join((name, points, *args)))
        os.mkdir(folder)
        trace = t.trace([name, *args], points, options, name=folder + ".kt", cwd=folder, genio=genio)
        t.expect(trace, t.out)


@case()
def stat(t):
    "stat lstat fstat newfstatat statx, i386's stat64, stat and old stat: FreeBSD's 224 bytes of what was returned."
    run(t, "struct_stat")


@case()
def addresses(t):
    "sockaddr of bind connect accept4 getsockname getpeername: families, errors, buffers that are too short."
    for mode in "inet", "local", "others":
        run(t, "struct_addr", mode)


@case()
def messages(t):
    "sockaddr of sendto recvfrom sendmsg recvmsg: none, cut, refused."
    run(t, "struct_addr", "messages")


@case()
def untouched_length(t):
    "A length that cannot be read when the call begins: the address is as long as the kernel says."
    run(t, "struct_addr", "untouched")


@case()
def socketcall(t):
    "An i386 program's socketcall leaves the structures of the calls that it stands for."
    run(t, "struct_addr", "socketcall", programs=["%s32"])


@case()
def times(t):
    "timespec and itimerval: what was read, also by calls that fail later; what was returned; 32-bit and 64-bit times."
    for mode in "long", "queues", "others":
        run(t, "struct_time", mode)
    for mode in "wide", "wide-queues", "wide-others":
        run(t, "struct_time", mode, programs=["%s32"])


@case()
def interrupted(t):
    "nanosleep's remainder only when it was written; poll and ppoll with what the kernel left when a signal came."
    run(t, "struct_time", "interrupted")


@case()
def others(t):
    "sigaction, sigset, rlimit, sched_param and attr, cap data, timex, utsname, open_how, clone_args (in the parent only)."
    run(t, "struct_misc")


@case()
def arrays(t):
    "pollfd, l_epoll_event, l_iovec: as many as the kernel read or returned, cut to genio_size; none where there are none."
    for size in 4096, 0, 15, 16, 100, 131072:
        run(t, "struct_array", str(size), genio=size)
