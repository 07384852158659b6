# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""GENIO: every size around what a record holds, by every call, from memory of every kind."""
import os

from ktest import CALL, GIO, NR, RET, case

BOTH = "moves", "moves32"


def both(t, mode, most=4096, folder=None, more=()):
    for prog in BOTH:
        where = os.path.join(folder or t.dir, "%s-%s-%d" % (prog, mode, most))
        os.mkdir(where)
        name = os.path.join(t.dir, os.path.basename(where) + ".kt")
        trace = t.trace([prog, mode, str(most), *more], "ci", name=name, cwd=where, genio=most)
        t.expect(trace, t.out)


def short_data(t):
    return t.counted("short_data")


@case(timeout=120)
def sizes(t):
    "ktr_len is the bytes moved, or genio_size + 8: each size around 0, 1, 4096 and 131072, by 18 calls, both ABIs."
    before = short_data(t)
    for most in 0, 1, 4096, 131072:
        t.sysctl("kern.ktrace.genio_size", most)
        both(t, "sizes", most)
    t.eq(short_data(t), before, "data that could not be read")


@case()
def small_ring(t):
    "A record takes half a ring at most: with the smallest rings, exactly 32696 bytes of data."
    t.sysctl("kern.ktrace.genio_size", 131072)
    t.sysctl("kern.ktrace.buffer_size", 65536)
    both(t, "sizes", 32768 - 64 - 8, more=["single"])


@case()
def partial(t):
    "1 MB, 1024 pieces, pieces that are all empty, pipes and sockets that take only a part: what was moved, no more."
    both(t, "partial")


@case()
def partial_long(t):
    "The same, with the longest records."
    t.sysctl("kern.ktrace.genio_size", 131072)
    both(t, "partial", 131072)


@case()
def tcp(t):
    "MSG_TRUNC on TCP throws data away: nothing was moved into the buffer, and nothing of it is recorded."
    both(t, "tcp")


@case()
def memory(t):
    "Memory that was never touched, O_DIRECT, the end of a mapping: exact; process_vm_readv, splice and tee: no GIO."
    folder = "/var/tmp/moves"
    t.run(["rm", "-rf", folder])
    os.mkdir(folder)
    before = short_data(t)
    both(t, "memory", folder=folder)
    t.eq(short_data(t), before, "data that could not be read")


@case()
def unread(t):
    "What /dev/null is given it does not read: data that is not in memory is left out, and counted."
    for prog in BOTH:
        before = short_data(t)
        folder = os.path.join(t.dir, prog)
        os.mkdir(folder)
        trace = t.trace([prog, "unread"], "ci", name=folder + ".kt", cwd=folder)
        t.expect(trace, t.out)
        t.eq(short_data(t) - before, 4, "records that are short")


@case()
def thief(t):
    "A buffer that another thread takes away: a whole record for every call that succeeds, never too long."
    trace = t.trace(["moves", "thief"], "ci")
    records = trace.of(tid=trace.records[0].pid)
    good = [r for r in records if r.type == RET and r.code == NR.pread64 and not r.error]
    gios = [records[i - 1] for i, r in enumerate(records) if r.type == RET and r.code == NR.pread64 and not r.error]
    t.ok(good and all(r.type == GIO and len(r.data) <= 4096 for r in gios), "a record for each of %d" % len(good))
    t.eq(sum(r.code == NR.pread64 for r in trace.of(CALL)), 1500, "calls")
