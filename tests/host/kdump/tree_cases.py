# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""--tree: processes, who began them, and how they ended."""
import struct

from cases import NONE, NOTICES, case
from craft import ARGS, FREEBSD64, NAMEI, NOW, v0, v1
from story import Story

HEADER = "      begin        time end        process\n"
CLONE_THREAD = 0x10000


def tree(name, story, *rows, options=""):
    """Rows: (begin, time, end, the rest)."""
    case("tree." + name, story.data, "--tree " + options,
         HEADER + "".join("%11s %11s %-10s %s\n" % row for row in rows))


# A shell that runs a pipeline, one of whose programs is killed.
SHELL = Story(comm=b"sh").executes(b"/bin/sh", (b"sh", b"-c", b"make | cat"))
SHELL.at(100).forks(701, how="clone", args=(0x1200011,)).at(200).forks(702, how="clone", args=(0x1200011,))
SHELL.at(300).executes(b"/usr/bin/make", (b"make",), 701).at(400).executes(b"/bin/cat", (b"cat",), 702)
SHELL.at(500).call("vfork", pid=701).begin(703, b"make").ret("vfork", 0, pid=703)
SHELL.executes(b"/usr/bin/cc", (b"cc", b"-DX=\"a b\"", b""), 703).ret("vfork", 703, pid=701)
SHELL.at(1500000).signal(9, pid=703).end(703).at(2000000).exits(2, 701).at(2000100).exits(0, 702).at(2500000).exits(2)
tree("shell", SHELL,
     ("0.000000", "2.500001", "exit 2", "700 sh -c 'make | cat'"),
     ("0.000101", "1.999900", "exit 2", "|- 701 make"),
     ("0.000501", "1.499500", "SIGKILL", "|  `- 703 cc '-DX=\"a b\"' ''"),
     ("0.000201", "1.999900", "exit 0", "`- 702 cat"))
# Only what is below a process.
tree("pid", SHELL, ("0.000101", "1.999900", "exit 2", "701 make"), ("0.000501", "1.499500", "SIGKILL", "`- 703 cc "
     "'-DX=\"a b\"' ''"), options="-p 701")
case("tree.empty", b"", "--tree", HEADER)
case("tree.none", v0(NAMEI, b"/a"), "--tree -p 9", HEADER)
NOTICES["tree.none"] = NONE

# What it runs: arguments if there are any, else the path, else the name.
tree("commands", Story().begin(701).begin(702).begin(703, b"x\x1b").executes(b"/bin/ls", (b"ls", b"\x1b[2J"))
     .executes(b"/bin/ls", None, pid=701).does("chdir", 1, path=b"/usr/bin", pid=702)
     .executes(b"ls", None, pid=702),
     ("0.000000", "0.000008", "running", "700 ls '\\033[2J'"), ("0.000001", "0.000011", "running", "701 /bin/ls"),
     ("0.000002", "0.000017", "running", "702 /usr/bin/ls"), ("0.000003", "0.000000", "running", "703 (x\\033)"))

# In quotes, as a shell takes them.
tree("quotes", Story().executes(b"/bin/sh", (b"sh", b"-c", b"echo 'a' && x", b"'", b"b'c")),
     ("0.000000", "0.000005", "running", r"700 sh -c 'echo '\''a'\'' && x' ''\''' 'b'\''c'"))

# Out of range: the end, the begin, and the difference of them.
case("tree.limits", b"".join(v0(NAMEI, b"/a", pid=pid, sec=sec) for pid, sec in (
    (700, 0), (700, 2**62), (701, 2**62), (701, -2**62), (702, -9 * 10**9), (702, 9 * 10**9))), "--tree", HEADER + "".join(
        "%11s %11s %-10s %s\n" % row for row in (
            ("0.000000", "-", "running", "700 (prog)"), ("-", "-", "running", "701 (prog)"),
            ("-9000000000.000000", "-", "running", "702 (prog)"))))

# How it ended -------------------------------------------------------------------------------------------------------

ENDS = Story()
for PID in range(701, 710):
    ENDS.begin(PID)
ENDS.at(100).exits(0x1ff, 700).signal(15, 0x401000, 701).signal(20, pid=701).end(701)  # a handler; SIGCHLD is ignored
ENDS.signal(11, pid=702).end(702).signal(17, pid=703).call("getpid", pid=703)  # SIGSTOP
ENDS.signal(15, pid=704).call("getpid", pid=704).end(704)  # it was not the end
ENDS.call("exit", 3, pid=705).end(705).call("exit", 3, pid=706, tid=1706).end(706)  # its last thread; another thread
ENDS.call("exit_group", 4, pid=707).signal(9, pid=707).signal(98, pid=708).end(708)
ENDS.signal(17, pid=709).end(709)
tree("ends", ENDS,
     ("0.000000", "0.000101", "exit 255", "700 (prog)"), ("0.000001", "0.000103", "ended", "701 (prog)"),
     ("0.000002", "0.000104", "SIGSEGV", "702 (prog)"), ("0.000003", "0.000105", "running", "703 (prog)"),
     ("0.000004", "0.000107", "ended", "704 (prog)"), ("0.000005", "0.000108", "exit 3", "705 (prog)"),
     ("0.000006", "0.000109", "ended", "706 (prog)"), ("0.000007", "0.000110", "exit 4", "707 (prog)"),
     ("0.000008", "0.000111", "SIGRT33", "708 (prog)"), ("0.000009", "0.000112", "ended", "709 (prog)"))

# Of several threads: the first end of all of them counts, else that of the main thread.
tree("thread-ends", Story().begin(701).begin(702).call("exit", 3, tid=1700).call("exit", 4).call("exit_group", 5, tid=1701)
     .call("exit_group", 6, tid=1702).end(700).signal(11, pid=701, tid=1701).call("getpid", pid=701)
     .call("exit_group", 7, pid=701).end(701).call("exit", 8, pid=702).signal(9, pid=702, tid=1702).end(702),
     ("0.000000", "0.000007", "exit 5", "700 (prog) [4 threads]"),
     ("0.000001", "0.000010", "SIGSEGV", "701 (prog) [2 threads]"),
     ("0.000002", "0.000012", "SIGKILL", "702 (prog) [2 threads]"))

# Whose child --------------------------------------------------------------------------------------------------------

tree("pid-reuse", Story().forks(701).at(10).exits(1, 701).forks(701).at(20).exits(2, 701).end(700)
     .begin(700).forks(702),
     ("0.000000", "0.000022", "ended", "700 (prog)"), ("0.000002", "0.000009", "exit 1", "|- 701 (prog)"),
     ("0.000013", "0.000008", "exit 2", "`- 701 (prog)"), ("0.000023", "0.000004", "running", "700 (prog)"),
     ("0.000025", "0.000001", "running", "`- 702 (prog)"))
# Its end was lost, but its number is another's now.
tree("pid-lost", Story().begin(701, b"old").does("fork", gives=701),
     ("0.000000", "0.000003", "running", "700 (prog)"), ("0.000003", "0.000000", "not traced", "`- 701 (prog)"),
     ("0.000001", "0.000000", "ended", "701 (old)"))
tree("not-traced", Story().does("fork", gives=701).does("fork", error=35).does("fork", gives=702).begin(702, b"x"),
     ("0.000000", "0.000006", "running", "700 (prog)"), ("0.000002", "0.000000", "not traced", "|- 701 (prog)"),
     ("0.000006", "0.000001", "running", "`- 702 (x)"))
tree("threads", Story().does("clone", CLONE_THREAD, gives=701).does("getpid", tid=701).call("clone3", 1, 88)
     .structure(b"l_clone_args", struct.pack("<11Q", CLONE_THREAD, *[0] * 10)).ret("clone3", 702)
     .call("getpid", tid=702),
     ("0.000000", "0.000008", "running", "700 (prog) [3 threads]"))
# Without the structure it may be a thread or a process: only one that is seen is a child.
tree("clone3", Story().does("clone3", 1, 88, gives=701).call("clone3", 1, 88).begin(702, b"x").ret("clone3", 702),
     ("0.000000", "0.000005", "running", "700 (prog)"), ("0.000004", "0.000000", "running", "`- 702 (x)"))
# In a namespace of its own it has another number.
tree("namespace", Story().call("fork").begin(701).ret("fork", 0, pid=701).ret("fork", 5),
     ("0.000000", "0.000004", "running", "700 (prog)"), ("0.000002", "0.000001", "running", "`- 701 (prog)"))
tree("wrong-guess", Story().call("fork").begin(701).begin(702).ret("fork", 702),
     ("0.000000", "0.000004", "running", "700 (prog)"), ("0.000003", "0.000000", "running", "`- 702 (prog)"),
     ("0.000002", "0.000000", "running", "701 (prog)"))
# 900 is taken for a child of 700, then 901 for one of 800, which has another one.
tree("two-wrong-guesses", Story().begin(800).call("fork").begin(900).call("fork", pid=800).begin(901).ret("fork", 901)
     .begin(902).ret("fork", 902, pid=800),
     ("0.000000", "0.000006", "running", "700 (prog)"), ("0.000005", "0.000000", "running", "`- 901 (prog)"),
     ("0.000001", "0.000007", "running", "800 (prog)"), ("0.000007", "0.000000", "running", "`- 902 (prog)"),
     ("0.000003", "0.000000", "running", "900 (prog)"))
tree("many-forks", Story().begin(800).call("fork").call("fork", pid=800).begin(701).begin(801).ret("fork", 701)
     .ret("fork", 801, pid=800),
     ("0.000000", "0.000006", "running", "700 (prog)"), ("0.000004", "0.000000", "running", "`- 701 (prog)"),
     ("0.000001", "0.000006", "running", "800 (prog)"), ("0.000005", "0.000000", "running", "`- 801 (prog)"))
tree("forks-of-threads", Story().does("getpid", tid=701).call("fork").call("fork", tid=701).begin(801).begin(802)
     .ret("fork", 801).ret("fork", 802, tid=701),
     ("0.000000", "0.000008", "running", "700 (prog) [2 threads]"),
     ("0.000005", "0.000000", "running", "|- 801 (prog)"), ("0.000006", "0.000000", "running", "`- 802 (prog)"))
tree("own-child", Story().does("fork", gives=700), ("0.000000", "0.000002", "running", "700 (prog)"))
tree("freebsd", Story(FREEBSD64).forks(701, how="vfork").executes(b"/bin/ls", (b"ls",), 701).at(100).exits(1, 701)
     .forks(702, how="rfork", args=(0x14,)),
     ("0.000000", "0.000105", "running", "700 (prog)"), ("0.000002", "0.000099", "exit 1", "|- 701 ls"),
     ("0.000103", "0.000001", "running", "`- 702 (prog)"))

# Times and odd files ------------------------------------------------------------------------------------------------

case("tree.v1", v1(NAMEI, b"/a", nsec=5) + v1(NAMEI, b"/a", pid=701, sec=NOW - 1, nsec=5) + v0(NAMEI, b"/a"), "--tree",
     "         begin           time end        process\n"
     "   0.000000000   -0.000000005 running    700 (prog)\n  -1.000000000    0.000000000 running    701 (prog)\n")
tree("odd-args", Story().record(ARGS, b"").begin(701).record(ARGS, b"a\0" * 5000, pid=701).begin(702)
     .record(ARGS, b"no-nul", pid=702),
     ("0.000000", "0.000001", "running", "700 (prog)"),
     ("0.000002", "0.000001", "running", "701 " + " ".join("a" * 2048) + "..."),
     ("0.000004", "0.000001", "running", "702 no-nul"))
DEEP = Story(pid=1000)
for PID in range(1000, 1100):
    DEEP.forks(PID + 1, PID)
tree("deep", DEEP, *[("0.%06d" % (max(0, 4 * n - 2)), "0.%06d" % ((4 if n == 0 else 6) if n < 100 else 1), "running",
                      "   " * (min(n, 64) - 1) + "`- " * (n > 0) + "%d (prog)" % (1000 + n)) for n in range(101)])

for NAME, OPTIONS, ERROR in (("two-views", "--tree --summary", "--summary: only one of it and --tree at once"),
                             ("views", "--html --tree", "--tree: only one of it and --html at once")):
    case("tree." + NAME, b"", OPTIONS, "", ERROR)
