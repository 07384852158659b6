# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""STRUCT and STRUCT_ARRAY: what calls read and returned."""
import collections
import os
import select
import struct

from ktest import ARM, ARRAY, GIO, PROCCTOR, PROCDTOR, RET, SET, STRU, Device, between_marks, case, compare, lines

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


@case(x86=True)
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


@case()
def refused(t):
    "A call that seccomp answers has no structures: the kernel read and wrote none. With t alone, too."
    run(t, "struct_odd", "refused")
    trace = t.trace(["struct_odd", "refused"], "t")
    names = [line.split()[1] for line in lines(trace.of(STRU))]
    # the last one is the C library's look at stdout, by the call that is refused on arm64
    want = 3 * ["l_rlimit"] + ["stat"] * (not ARM)
    t.eq(names[-len(want):], want, "structures at the end")


@case(x86=True)
def int80(t):
    "A 32-bit call of a 64-bit program has 32-bit structures, its 64-bit calls 64-bit ones."
    run(t, "struct_odd", "int80", programs=["%s"])


@case()
def unknown_numbers(t):
    "x32 numbers, and numbers that no call has, leave no structures."
    run(t, "struct_odd", "numbers", programs=["%s"])


@case()
def threads(t):
    "Each thread's structures are its own, and its room for an address is not another's."
    trace = t.trace(["struct_odd", "threads"], "ct")
    records = collections.defaultdict(list)
    for r in trace.of(STRU):
        records[r.tid].append(r)
    seen = set()
    for tid in records:
        sleeps = [struct.unpack("<qq", r.payload[9:])[1] for r in records[tid] if r.payload.startswith(b"timespec")]
        rooms = {r.payload[9] for r in records[tid] if r.payload.startswith(b"sockaddr")}
        if len(sleeps) < 300:
            continue
        n = sleeps[0] // 1000
        seen.add(n)
        t.eq(sleeps, list(range(1000 * n, 1000 * n + 300)), "what thread %d slept" % n)
        t.eq(rooms, {2 + n}, "addresses of thread %d" % n)
    t.eq(seen, set(range(8)), "threads")


@case()
def t_alone(t):
    "Point t without c: the same structures, and nothing else."
    for prog, args in (("struct_misc", ()), ("struct_misc32", ()), ("struct_addr", ("messages",)),
                       ("struct_addr32", ("messages",)), ("struct_array", ("4096",))):
        folder = os.path.join(t.dir, "-".join((prog, *args)))
        os.mkdir(folder)
        trace = t.trace([prog, *args], "t", name=folder + ".kt", cwd=folder)
        want = [line for line in t.out.splitlines() if line.split()[0] in ("STRU", "ARRAY")]
        got = lines(trace.of(STRU, ARRAY))
        t.eq({r.type for r in trace.records} - {STRU, ARRAY, PROCCTOR, PROCDTOR}, set(), "types of others")
        # before and after it there are those of the C library
        start = next((i for i in range(len(got)) if got[i:i + 10] == want[:10]), 0)
        compare(got[start:start + len(want)], want)


@case()
def with_data(t):
    "Structures come before the data of the same call, and both before its RET."
    trace = t.trace(["struct_addr", "messages"], "cit")
    calls = []
    for r in between_marks(trace.records):
        if r.type in (STRU, GIO):
            calls[-1].append(r.type)
        elif r.type != RET:
            calls.append([])
    t.eq({tuple(c) for c in calls}, {(), (STRU,), (GIO,), (STRU, GIO)}, "records within calls")
    t.ok(calls.count([STRU, GIO]) > 12, "calls with both: %s" % calls)


@case()
def same_results(t):
    "A program's results and errors are the same with -t t and without."
    for prog, args in (("struct_misc", ()), ("struct_misc32", ()), ("struct_addr", ("messages",)),
                       ("struct_time", ("long",)), ("struct_time32", ("long",)), ("struct_array", ("4096",)),
                       ("struct_stat", ()), ("struct_stat32", ())):
        results = []
        for traced in False, True:
            folder = os.path.join(t.dir, "-".join((prog, *args, str(traced))))
            os.mkdir(folder)
            if traced:
                t.trace([prog, *args], "t", name=folder + ".kt", cwd=folder)
            else:
                t.out = t.run([prog, *args], cwd=folder)
            # values are descriptors and process numbers
            results.append([line if " E" in line else line.rpartition(" ")[0]
                            for line in t.out.splitlines() if line.startswith("RET")])
        t.ok(len(results[0]) > 20, "%s has %d results" % (prog, len(results[0])))
        compare(results[1], results[0])


@case()
def each_point(t):
    "STRUCT and STRUCT_ARRAY are two points: each is recorded without the other."
    for points, kinds in ((1 << STRU, {STRU}), (1 << ARRAY, {ARRAY}), (1 << STRU | 1 << ARRAY, {STRU, ARRAY})):
        path = t.path()
        r, w = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.read(r, 1)
            for _ in range(20):
                os.stat("/")
                p = select.poll()
                p.register(w, select.POLLOUT)
                p.poll()
            os._exit(0)
        device = Device()
        t.eq(device.op(path, SET, points, pid), 0, "SET")
        os.write(w, b"x")
        os.waitpid(pid, 0)
        device.close()
        os.close(r)
        os.close(w)
        trace = t.read(path)
        t.eq({r.type for r in trace.records} - {PROCCTOR, PROCDTOR}, kinds, "types with points %#x" % points)
        if STRU in kinds:
            t.eq(sum(r.payload.startswith(b"stat\0") for r in trace.of(STRU)), 20, "stat")
        if ARRAY in kinds:
            t.eq([r.payload[8:15] for r in trace.of(ARRAY)], 20 * [b"pollfd\0"], "pollfd")
