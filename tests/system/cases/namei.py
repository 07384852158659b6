# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""NAMEI: every path that is looked up, once, in order."""
import os

from ktest import CALL, LOADER, NAMI, NR, PROCCTOR, PROCDTOR, RET, case


@case()
def calls(t):
    "NAMEI: every path handed to the path walk, once per lookup and in order, also of lookups that fail."
    for prog in "namei", "namei32":
        folder = os.path.join(t.dir, prog)
        os.mkdir(folder)
        trace = t.trace([prog], "cnisu", name=folder + "/../" + prog + ".kt", cwd=folder)
        t.expect(trace, t.out)


@case()
def script(t):
    "The interpreter of a script and of an ELF file are looked up, too."
    path = os.path.join(t.dir, "script")
    with open(path, "w", encoding="ascii") as f:
        f.write("#!%s/interpreter\n" % t.dir)
    os.chmod(path, 0o755)
    os.symlink("/bin/true", os.path.join(t.dir, "interpreter"))
    trace = t.trace([path], "cn")
    records = trace.records
    at = next(i for i, r in enumerate(records) if r.type == CALL and r.code == NR.execve)
    end = next(i for i, r in enumerate(records) if r.type == RET and r.code == NR.execve and r.error == -2)
    paths = [r.text for r in records[at:end] if r.type == NAMI]
    # a security module (TOMOYO) walks the path of a program once more by itself
    t.run(["mount", "-t", "securityfs", "securityfs", "/sys/kernel/security"], status=None)
    with open("/sys/kernel/security/lsm", encoding="ascii") as f:
        if "tomoyo" in f.read() and paths[0] == paths[1]:
            del paths[1]
    t.eq(paths, [path, t.dir + "/interpreter", LOADER], "paths of execve")


@case()
def n_alone(t):
    "Point n without c: the same paths, and nothing else."
    both = t.trace(["ls", "/"], "cn")
    alone = t.trace(["ls", "/"], "n")
    t.eq([r.text for r in alone.of(NAMI)], [r.text for r in both.of(NAMI)], "paths")
    t.eq({r.type for r in alone.records}, {NAMI, PROCCTOR, PROCDTOR}, "types")


@case()
def own_opens(t):
    "The module's own opens (trace file, PID/mem) are never recorded."
    p = t.idle()
    path = t.path()
    # The one who sets is traced, and sets another process.
    trace = t.trace(["ktrace", "-a", "-f", path, "-t", "c", "-p", str(p.pid)], "cn")
    in_call = False
    for r in trace.records:
        if r.type in (CALL, RET) and r.code == NR.ioctl:
            in_call = r.type == CALL
        if r.type == NAMI:
            t.ok(not in_call and not r.text.endswith("/mem"), "NAMI %s in the ioctl" % r.text)


@case()
def retries(t):
    "A lookup that the kernel begins again, because somebody renames what it walks through, is still one lookup."
    swapper = t.start(["swapper"])
    t.eq(swapper.stdout.readline(), b"ready\n", "swapper")
    t.run(["ktrace", "-t", "cn", "-f", "k.kt", "/tests/bin/stats", "20000", "a/sub/../../a/sub/../../a/sub"])
    swapper.kill()      # or it would take the CPU from whoever reads that
    trace = t.read("k.kt")
    t.eq(trace.calls[(64, NR.newfstatat)], 20000, "calls")
    paths = [r for r in trace.of(NAMI) if r.text.startswith("a/sub")]
    t.eq(len(paths), 20000, "NAMI records")
