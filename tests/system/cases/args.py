# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ARGS and ENVS: what a program is executed with."""
import os
import struct

from cases.access import program
from ktest import ARGS, BIN, CALL, ENVS, NR, PROCCTOR, RET, case

FORK, VFORK, EXECVEAT, THREAD, NULL_ARGV = range(5)
MOST = 131072
NOTHING = os.path.join(BIN, "nothing")


def packed(job):
    how, path, argv, envp = job
    words = struct.pack("<III", how, len(argv), len(envp))
    return words + b"".join(struct.pack("<I", len(s)) + s for s in [os.fsencode(path), *argv, *envp])


def flat(strings):
    return b"".join(s + b"\0" for s in strings)


def execute(t, jobs, points="ae", prog="execer", uid=0, options=(), status=0):
    "Executes (how, path, argv, envp) one after the other; returns for each the records of the new image's process."
    with open(os.path.join(t.dir, "jobs"), "wb") as f:
        f.write(b"".join(packed(job) for job in jobs))
    trace = t.trace([prog, "jobs"], points, ["-i", *options], uid=uid)
    children = [tuple(map(int, line.split())) for line in t.out.splitlines()]
    t.eq(len(children), len(jobs), "children")
    t.eq({s for _, s in children}, {status}, "their statuses")
    return [[r for r in trace.records if r.pid == pid] for pid, _ in children]


def same(t, jobs, most=MOST, want=None, **options):
    "Each job leaves PROCCTOR, ARGS and ENVS in a row, with its strings as they are, up to a size."
    found = execute(t, jobs, **options)
    for i, (job, records) in enumerate(zip(jobs, found)):
        kinds = [r.type for r in records if r.type in (PROCCTOR, ARGS, ENVS)]
        t.eq(kinds, [PROCCTOR, PROCCTOR, ARGS, ENVS], "job %d: records" % i)
        args, envs = (r.payload for r in records if r.type in (ARGS, ENVS))
        argv = job[2] if want is None else want[i]
        t.ok(args == flat(argv)[:most], "job %d: ARGS is %d bytes %r, not %d %r" %
             (i, len(args), args[:60], len(flat(argv)), flat(argv)[:60]))
        t.ok(envs == flat(job[3])[:most], "job %d: ENVS is %d bytes %r, not %d %r" %
             (i, len(envs), envs[:60], len(flat(job[3])), flat(job[3])[:60]))


def pattern(n, salt=0):
    "Bytes that are no NUL, and different at the same place of two pages."
    return (bytes(1 + (i * 7 + salt) % 251 for i in range(251)) * (n // 251 + 1))[:n]


@case()
def commands(t):
    "The command that ktrace executes has its own; each letter alone records its own kind; the default set has neither."
    env = {"PATH": os.environ["PATH"], "A": "1", "B": "", "C": "x y\nz"}
    trace = t.trace(["sh", "-c", "exec /bin/echo 'a b' '' c"], "cae", env=env)
    args, envs = trace.of(ARGS), trace.of(ENVS)
    # Where ktrace searched for the command, the execs that failed left none.
    t.eq([r.payload for r in args], [flat([b"sh", b"-c", b"exec /bin/echo 'a b' '' c"]),
                                     flat([b"/bin/echo", b"a b", b"", b"c"])], "ARGS")
    for s in b"A=1", b"B=", b"C=x y\nz":
        t.ok(all(s in r.payload.split(b"\0") for r in envs) and len(envs) == 2, "%r in %r" % (s, envs[0].payload))
    for letter, kind in ("a", ARGS), ("e", ENVS):
        trace = t.trace(["true"], letter)
        t.eq(set(trace.counts), {kind, 10, 11}, "-t " + letter)
    trace = t.trace(["true"])
    t.ok(not trace.of(ARGS, ENVS), "in the default set")


@case(timeout=120)
def sizes(t):
    "Every size of a vector from an empty one to 128 KiB is there whole, whatever page it begins or ends on."
    around = [n + d for n in (4096, 8192, 65536, 98304, 131072) for d in (-9, -2, -1, 0, 1)]
    lengths = sorted({*range(0, 40), *range(41, 130000, 6007), *(n for n in around if n < MOST)})
    jobs = [(FORK, NOTHING, [pattern(n)], [pattern(lengths[-1 - i], 1)]) for i, n in enumerate(lengths)]
    same(t, jobs)
    # The same stack at another place: every alignment of the strings.
    same(t, [(FORK, NOTHING, [b"n", pattern(5000 + n)], [b"E" * n]) for n in range(0, 64, 3)])
    jobs = [(FORK, NOTHING, [pattern(n)], [pattern(n, 3)]) for n in (0, 1, 4095, 4096, 100000, 131071)]
    for prog in "execer", "execer32":
        same(t, [(how, path, argv, envp) for _, path, argv, envp in jobs for how in (FORK, VFORK)], prog=prog)


@case()
def odd(t):
    "Empty vectors and strings, many small ones, bytes that are no text, a huge environment."
    same(t, [(FORK, NOTHING, [b"x"], []),
             (FORK, NOTHING, [b""], [b""]),
             (FORK, NOTHING, 1000 * [b""], 1000 * [b""]),
             (FORK, NOTHING, [b"%d" % i for i in range(20000)], [b"V%d=%d" % (i, i) for i in range(9000)]),
             (FORK, NOTHING, [bytes(range(1, 256)), b"\xff\xfe", b"\xc3\x28", "\u65e5\u672c".encode(), b"\n\t\x1b[31m"],
              [b"no equal sign", b"=", b"A=\xff"])])


@case()
def no_argv(t):
    "argc 0: the kernel makes it one empty string, and so it is recorded. (Before 5.18 it stayed empty.)"
    same(t, [(FORK, NOTHING, [], [b"A=1"]), (NULL_ARGV, NOTHING, [], [])], want=[[b""], [b""]])


@case()
def too_long(t):
    "What is longer than 128 KiB, or half a ring, is cut there, and ends without a NUL; nothing is lost of the trace."
    big = [pattern(100000), pattern(60000, 1), pattern(100000, 2)]
    jobs = [(FORK, NOTHING, big, [b"A=1"]), (FORK, NOTHING, [b"a"], big), (FORK, NOTHING, big, big),
            (FORK, NOTHING, [pattern(131071)], [pattern(131071)])]
    same(t, jobs)
    for size in 65536, 131072:
        t.sysctl("kern.ktrace.buffer_size", size)
        # A ring has room for one of them at a time.
        found = execute(t, jobs, points="a")
        for job, records in zip(jobs, found):
            have = [r.payload for r in records if r.type == ARGS]
            t.ok(have == [flat(job[2])[:min(MOST, size // 2 - 64)]], "half of %d: %s" % (size, [len(h) for h in have]))


@case()
def ways(t):
    "By execveat, after vfork, by a thread that is not the first, of a 32-bit program, of a script and its interpreter."
    argv, envp = [b"first", b"", b"last arg"], [b"A=1", b"LONG=" + pattern(9000)]
    for prog in "execer", "execer32":
        same(t, [(how, path, argv, envp) for how in (FORK, VFORK, EXECVEAT, THREAD)
                 for path in (NOTHING, NOTHING + "32")], prog=prog)
    script, outer = os.path.join(t.dir, "script"), os.path.join(t.dir, "outer")
    for path, text in (script, "#!%s  one arg \n" % NOTHING), (outer, "#!%s two\n" % script):
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        os.chmod(path, 0o755)
    inner = [os.fsencode(NOTHING), b"one arg", os.fsencode(script)]
    same(t, [(FORK, script, argv, envp), (THREAD, script, argv, envp), (FORK, outer, argv, envp)],
         want=[inner + argv[1:], inner + argv[1:], [*inner, b"two", os.fsencode(outer), *argv[1:]]])


@case()
def order(t):
    "CALL of exec, PROCCTOR, ARGS, ENVS, RET; with headers of v1, too."
    for options in [], ["--v1"]:
        records, = execute(t, [(FORK, NOTHING, [b"x"], [b"A=1"])], "cae", options=options)
        kinds = [r.type for r in records]
        at = kinds.index(ARGS)
        t.eq(kinds[at - 2:at + 3], [CALL, PROCCTOR, ARGS, ENVS, RET], "records")
        t.eq((records[at - 2].code, records[at + 2].code, records[at + 2].error), (NR.execve, NR.execve, -2), "exec")


@case()
def failed(t):
    "An exec that fails leaves neither, however far it came: no file, no permission, no program, too long."
    with open(os.path.join(t.dir, "text"), "wb") as f:
        f.write(b"\x7fELF no program")
    os.chmod(os.path.join(t.dir, "text"), 0o755)
    long = [pattern(131072)]
    for job in ((FORK, "/no/such/file", [b"x"], []), (FORK, "/etc/passwd", [b"x"], []), (FORK, t.dir, [b"x"], []),
                (FORK, os.path.join(t.dir, "text"), [b"x"], []), (FORK, NOTHING, long, []),
                (FORK, NOTHING, [b"x"], long)):
        records, = execute(t, [job], status=127)
        t.eq([r.type for r in records], [10, 11], "records of %s" % job[1])


@case()
def ended(t):
    "An exec that ends the trace (set-user-ID, by a user) leaves nothing of the new image; root's trace goes on."
    job = (FORK, program(t, 0o4755, of="nothing"), [b"secret"], [b"A=secret"])
    records, = execute(t, [job], uid=1000)
    t.eq([r.type for r in records], [PROCCTOR], "records")
    same(t, [job])


@case()
def kdump(t):
    "kdump prints the strings between quotes."
    t.trace(["/bin/echo", "a b", "", "c"], "a", name="k.kt")
    text = t.run(["kdump", "-f", "k.kt"])
    t.ok(text.endswith('ARGS  "/bin/echo", "a b", "", "c"\n'), text)
