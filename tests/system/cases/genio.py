# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""GENIO: the bytes that were moved."""
import os

from ktest import GIO, case

MODES = ("plain", "vectors", "sockets", "others", "copies")


def run(t, modes, size=4096, programs=("genio", "genio32"), options=()):
    t.sysctl("kern.ktrace.genio_size", size)
    for prog in programs:
        for mode in modes:
            folder = os.path.join(t.dir, "%s-%s" % (prog, mode))
            os.mkdir(folder)
            trace = t.trace([prog, mode, str(size)], "ci", options, name=folder + ".kt", cwd=folder, genio=size)
            t.expect(trace, t.out)


@case()
def plain(t):
    "read write pread64 pwrite64: bytes actually moved, at most genio_size; 64-bit and 32-bit callers."
    run(t, ["plain"])


@case()
def edges(t):
    "Pages not yet touched, memory that ends: the record is still written, with what could be read."
    run(t, ["edges"])


@case()
def vectors(t):
    "readv writev preadv[2] pwritev[2]: gathered from the iovecs; short counts never read past what was moved."
    run(t, ["vectors"])


@case()
def sockets(t):
    "recvfrom sendto recvmsg sendmsg recvmmsg sendmmsg; MSG_TRUNC never reads past what was moved."
    run(t, ["sockets"])


@case()
def others(t):
    "getdents64, mq_timedsend, mq_timedreceive; sendfile, splice and copy_file_range leave CALL and RET only."
    run(t, ["others", "copies"])


@case(x86=True)
def socketcall(t):
    "An i386 program's socketcall moves data like the calls that it stands for."
    run(t, ["socketcall"], programs=["genio32"])


@case()
def sizes(t):
    "kern.ktrace.genio_size 0, 1, 100, 131072: read by all, honoured from the next record on."
    for size in 0, 1, 100, 131072:
        t.sysctl("kern.ktrace.genio_size", size)
        folder = os.path.join(t.dir, str(size))
        os.mkdir(folder)
        for mode in "plain", "vectors", "sockets":
            trace = t.trace(["genio", mode, str(size)], "ci", name=folder + mode + ".kt", cwd=folder, genio=size)
            t.expect(trace, t.out)


@case()
def alias(t):
    "kern.ktrace.geniosize is the same sysctl under its FreeBSD name."
    t.sysctl("kern.ktrace.geniosize", 17)
    t.eq(t.sysctl("kern.ktrace.genio_size"), "17", "genio_size")
    trace = t.trace(["genio", "plain", "17"], "ci", genio=17)
    t.expect(trace, t.out)


@case()
def v1(t):
    "The same data with v1 headers."
    run(t, ["plain", "vectors", "sockets"], programs=["genio"], options=["--v1"])


@case()
def i_alone(t):
    "Point i without c: the data of a pipeline, whole."
    trace = t.trace(["sh", "-c", "echo one two three | cat | wc -c"], "i", ["-i"])
    t.eq(t.out.strip(), "14", "output")
    wrote = [r.data for r in trace.of(GIO) if r.rw == 1]
    t.eq(wrote.count(b"one two three\n"), 2, "records of what echo and cat wrote")
    t.ok(b"14\n" in wrote, "what wc wrote")


@case()
def sysctl_range(t):
    "genio_size is 0-131072: anything else is refused (EINVAL), by users always."
    for value in "131073", "-1", "x", "99999999999999999999":
        try:
            t.sysctl("kern.ktrace.genio_size", value)
        except OSError:
            continue
        t.ok(False, "genio_size took %s" % value)

    def write():
        try:
            with open("/proc/sys/kern/ktrace/genio_size", "w", encoding="ascii") as f:
                f.write("1")
            return "written"
        except PermissionError:
            with open("/proc/sys/kern/ktrace/genio_size", encoding="ascii") as f:
                return f.read().strip()
    t.eq(t.as_user(write), t.sysctl("kern.ktrace.genio_size"), "a user")


@case()
def sysctls(t):
    "The sysctls of DESIGN.md: their defaults, their ranges."
    for name, default, good, bad in (
            ("genio_size", "4096", ("0", "131072"), ("131073",)),
            ("filesize_limit_signal", "0", ("1", "0"), ("2", "-1")),
            ("exclusive", "0", ("0", "1"), ("2",)),
            ("request_pool", "1048576", ("1", "16777216"), ("0", "16777217")),
            ("buffer_size", str(512 << 10), (str(64 << 10), str(64 << 20)), (str(32 << 10), str(128 << 20), "0"))):
        t.eq(t.sysctl("kern.ktrace." + name), default, name)
        for value in good:
            t.sysctl("kern.ktrace." + name, value)
            t.eq(t.sysctl("kern.ktrace." + name), value, name)
        for value in bad:
            try:
                t.sysctl("kern.ktrace." + name, value)
            except OSError:
                continue
            t.ok(False, "%s took %s" % (name, value))
    memory = int(t.sysctl("kern.ktrace.max_user_memory"))
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    t.ok(abs(memory - max(total // 32, 32 << 20)) < (8 << 20), "max_user_memory is %d of %d" % (memory, total))
    t.ok(t.sysctl("kern.ktrace.stats"), "no stats")
