# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktrace(1): its options, its files, what it says when it cannot."""
import os

from cases.ops import poke, target
from ktest import CALL, NAMI, NR, case


def refuses(t, argv, *words, uid=0, status=1):
    t.run(["ktrace", *argv], uid=uid, status=status)
    t.eq(len(t.stderr.splitlines()), 1, "lines on stderr of ktrace %s: %s" % (argv, t.stderr))
    for word in words:
        t.ok(word in t.stderr, "ktrace %s says %r, nothing of %s" % (argv, t.stderr, word))


@case()
def default_file(t):
    "ktrace.out by default, mode 0600, recreated unless -a."
    t.run(["ktrace", "-t", "c", "/tests/bin/loop", "5"], uid=1000)
    path = os.path.join(t.dir, "ktrace.out")
    t.eq(os.stat(path).st_mode & 0o7777, 0o600, "mode")
    first = os.stat(path).st_ino
    keep = os.open(path, os.O_RDONLY)
    t.run(["ktrace", "-t", "c", "/tests/bin/loop", "7"], uid=1000)
    t.ok(os.stat(path).st_ino != first, "not made anew")
    t.eq(t.read(path).calls[(64, NR.getppid)], 7, "calls")
    t.run(["ktrace", "-a", "-t", "c", "/tests/bin/loop", "20"], uid=1000)
    t.eq(t.read(path).calls[(64, NR.getppid)], 27, "calls with -a")
    os.close(keep)


@case()
def strange_files(t):
    "A regular file or symbolic link is replaced; anything else is refused, with a line that says why."
    os.mkdir(os.path.join(t.dir, "dir"))
    os.mkfifo(os.path.join(t.dir, "fifo"))
    for name in "dir", "fifo", "/dev/null":
        refuses(t, ["-f", name, "true"], name)
        refuses(t, ["-a", "-f", name, "true"], name)
    t.ok(os.path.isdir(os.path.join(t.dir, "dir")), "dir is gone")
    os.symlink("target", os.path.join(t.dir, "link"))
    t.run(["ktrace", "-f", "link", "true"])
    t.ok(not os.path.islink(os.path.join(t.dir, "link")), "still a link")
    t.ok(not os.path.exists(os.path.join(t.dir, "target")), "the link was followed")
    t.read("link")
    refuses(t, ["-f", "missing/file", "true"], "missing/file")


@case()
def append_owner(t):
    "-a refuses a file that the caller does not own, or a symbolic link."
    path = t.path("others", uid=1001)
    os.chmod(path, 0o666)
    refuses(t, ["-a", "-f", "others", "true"], "others", uid=1000)
    t.path("mine", uid=1000)
    os.symlink("mine", os.path.join(t.dir, "link"))
    refuses(t, ["-a", "-f", "link", "true"], "link", uid=1000)


@case()
def pids(t):
    "-p, -g, -c, -C, -d: set and clear the processes of that number."
    p = target(t, 5, start_new_session=True)
    t.run(["ktrace", "-t", "c", "-p", p.pid])
    poke(p)
    t.run(["ktrace", "-c", "-t", "c", "-p", p.pid])
    poke(p)
    t.eq(t.read("ktrace.out").calls[(64, NR.getppid)], 5, "calls")
    t.run(["ktrace", "-t", "c", "-g", p.pid])
    poke(p)
    t.run(["ktrace", "-c", "-g", p.pid])
    poke(p)
    t.eq(t.read("ktrace.out").calls[(64, NR.getppid)], 5, "calls of the group")
    t.run(["ktrace", "-d", "-t", "c", "-p", p.pid])
    poke(p)
    t.run(["ktrace", "-C"])
    poke(p)
    t.eq(t.read("ktrace.out").calls[(64, NR.getppid)], 5, "calls until -C")
    t.run(["ktrace", "-t", "c", "-p", p.pid])
    poke(p)
    t.run(["ktrace", "-c"])
    poke(p)
    t.eq(t.read("ktrace.out").calls[(64, NR.getppid)], 5, "calls until -c of the file")


@case()
def letters(t):
    "Letters of -t that there are not are refused; + is the default set; nonsense is refused."
    for bad in "z", "cz", "", "C":
        t.run(["ktrace", "-t", bad, "true"], status=1)
        t.ok(t.stderr, "nothing on stderr for -t %r" % bad)
    plus = t.trace(["/tests/bin/loop", "3"], "+")
    default = t.trace(["/tests/bin/loop", "3"])
    t.eq([r.type for r in plus.records], [r.type for r in default.records], "types with +")
    t.ok(plus.of(NAMI) and plus.of(CALL), "+ has no NAMI or CALL")


@case()
def complaints(t):
    "Not permitted, no such process, no such command: one line that says so."
    p = target(t)
    refuses(t, ["-t", "c", "-p", str(p.pid)], str(p.pid), uid=1000)
    refuses(t, ["-t", "c", "-p", "4194303"], "4194303")
    refuses(t, ["-t", "c", "-g", "4194303"], "4194303")
    refuses(t, ["-t", "c", "-p", "x"], "x")
    for bad in ([], ["-p", "1", "true"], ["-p", "1", "-g", "1"], ["-z"], ["-c", "true"]):
        t.run(["ktrace", *bad], status=1)
        t.ok(t.stderr, "nothing on stderr for %s" % bad)
    t.run(["ktrace", "no-such-command"], status=None)
    t.ok(t.status not in (0, None) and "no-such-command" in t.stderr, "no-such-command: %d %r" % (t.status, t.stderr))
    out = t.run(["ktrace", "--help"])
    t.ok("--v1" in out and not t.stderr, "--help")
    t.ok(t.run(["ktrace", "--version"]).strip(), "--version")


@case()
def option_order(t):
    "Options end at the command: its own are its own."
    out = t.run(["ktrace", "-t", "c", "sh", "-c", "echo $0 $1", "-i", "-f"])
    t.eq(out, "-i -f\n", "output")


@case()
def leaves_nothing(t):
    "A command that cannot be executed leaves no session behind."
    t.run(["ktrace", "no-such-command"], status=None)
    t.until(lambda: t.module_users() == 0, "the end of tracing")


@case()
def compat_name(t):
    "The command is also there as ktrace-compat."
    t.run(["ktrace-compat", "-t", "c", "true"])
    t.read("ktrace.out", dead=True)
