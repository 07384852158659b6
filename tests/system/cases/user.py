# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""utrace(2), by ioctl and through libktrace."""
import os

from ktest import NR, USER, case

SIZES = (0, 1, 12, 24, 100, 2047, 2048)


def contents(size):
    return bytes((i * 7 + i // 256) & 0xff for i in range(size))


def check_traced(t, trace):
    got = [r.payload for r in trace.of(USER)]
    want = [contents(n) for n in SIZES] + [contents(100), b""]
    t.eq([len(g) for g in got], [len(w) for w in want], "sizes")
    t.ok(got == want, "contents differ")


@case()
def untraced(t):
    "utrace: untraced returns 0, before anything else is looked at."
    t.run(["user", "untraced"])
    t.run(["user32", "untraced"])
    # traced, but not for USER
    t.trace(["user", "untraced"], "c")


@case()
def traced(t):
    "Then over 2048 bytes EINVAL, then a bad pointer EFAULT; the bytes are in the file; 32-bit callers too."
    for prog in "user", "user32":
        check_traced(t, t.trace([prog, "traced"], "u"))
        check_traced(t, t.trace([prog, "traced"], "u", ["--v1"]))


@case()
def pairing(t):
    "A USER record stands between the CALL and the RET of its ioctl."
    trace = t.trace(["user", "traced"], "cu")
    check_traced(t, trace)
    kinds = "".join({1: "C", 2: "R", 7: "U"}.get(r.type, "") for r in trace.records)
    t.eq(kinds.count("CUR"), len(SIZES) + 2, "utrace calls")


def library(t):
    """Compiles the program as a user would; returns its path."""
    prog = os.path.join(t.dir, "user-lib")
    t.run(["gcc", "-o", prog, "-DLIBRARY", "-pthread", "/tests/system/prog/user.c", "-lktrace"])
    return prog


@case()
def libktrace(t):
    "A C program linked with -lktrace: order of checks, contents, threads, fork."
    prog = library(t)
    t.run([prog, "untraced"])
    check_traced(t, t.trace([prog, "traced"], "u"))
    trace = t.trace([prog, "threads"], "u")
    t.eq(sorted(r.payload for r in trace.of(USER)), sorted(b"%d.%d" % (i, n) for i in range(8) for n in range(100)),
         "what the threads said")
    t.eq(len({r.tid for r in trace.of(USER)}), 8, "threads")
    for tid in {r.tid for r in trace.of(USER)}:
        said = [int(r.payload.partition(b".")[2]) for r in trace.of(USER, tid=tid)]
        t.eq(said, sorted(said), "order in thread %d" % tid)
    trace = t.trace([prog, "fork"], "u", ["-i"])
    t.eq([(r.payload, r.pid == trace.records[0].pid) for r in trace.of(USER)],
         [(b"parent", True), (b"child", False), (b"after", True)], "across fork")


@case()
def descriptor(t):
    "utrace may keep a descriptor: opened at first use, close-on-exec, the highest free number; reused: reopened."
    prog = library(t)
    trace = t.trace([prog, "descriptor"], "u")
    t.eq([r.payload for r in trace.of(USER)], [b"one", b"two", b"three", b"four"], "what was said")


@case()
def user_process(t):
    "utrace by uid 1000."
    check_traced(t, t.trace(["user", "traced"], "u", uid=1000))


SYNOPSIS = """\
#include <sys/param.h>
#include <sys/types.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/ktrace.h>
#include <err.h>
#include <fcntl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	close(open(argv[1], O_CREAT | O_WRONLY, 0600));
	if (ktrace(argv[1], KTROP_SET, KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_USER, getpid()) == -1)
		err(1, "ktrace");
	getppid();
	if (utrace("hello", 5) == -1)
		err(1, "utrace");
	if (ktrace(0, KTROP_CLEAR, KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_USER, getpid()) == -1)
		err(1, "ktrace");
	getppid();
	return 0;
}
"""


@case()
def synopsis(t):
    "The program in the manual page's synopsis compiles unchanged with -lktrace; C++ too; static and by pkg-config."
    for name in "s.c", "s.cc":
        with open(os.path.join(t.dir, name), "w", encoding="ascii") as f:
            f.write(SYNOPSIS)
    t.run(["gcc", "-Wall", "-Werror", "-o", "s1", "s.c", "-lktrace"])
    t.run(["gcc", "-Wall", "-Werror", "-static", "-o", "s2", "s.c", "-lktrace"])
    t.run("sh -c".split() + ["gcc -fsyntax-only -Wall -Werror $(pkg-config --cflags libktrace 2>/dev/null) s.c"])
    for prog in "./s1", "./s2":
        t.run([prog, prog + ".kt"], uid=0)
        trace = t.read(prog + ".kt")
        t.eq(trace.calls[(64, NR.getppid)], 1, "getppid between set and clear")
        t.eq([r.payload for r in trace.of(USER)], [b"hello"], "USER")
