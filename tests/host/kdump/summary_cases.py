# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""--summary: how many calls there were, and how long they took."""
from cases import L64, case
from craft import DROP, FREEBSD64, LINUX32, LINUX64, NAMEI, NOW, PROCCTOR, SYSCALL, SYSRET, call, ctor, ret, v0, v1
from story import EBADF, Story

COLUMNS = ("total s", "calls", "errors", "mean us", "min us", "max us", "p99 us")


def table(what, *rows):
    """As kdump prints it: columns to the right, two spaces between them, and the name."""
    cells = [COLUMNS + (what,)] + [row.split(None, 7) for row in rows]
    width = [max(len(row[i]) for row in cells) for i in range(7)]
    return "".join("".join("%*s  " % pair for pair in zip(width, row)) + row[7] + "\n" for row in cells)


def timed(name, *microseconds, error=0, pid=700, make=v0, flags=LINUX64):
    """Calls that take so long."""
    story = Story(flags, pid, make=make)
    story.data = b""
    for time in microseconds:
        story.at(0).call(name, pid=pid).at(time).ret(name, 0, error, pid=pid)
    return story.data


def summary(name, data, options, text, what="call"):
    case("summary." + name, L64 + data if what == "call" else data, options, text)


# Numbers ------------------------------------------------------------------------------------------------------------

MIX = timed("read", 10, 20, 33) + timed("close", 5) + timed("close", 2, 3, error=EBADF) + timed("getpid", 1)
ROWS = {"read": "0.000063 3 0 21.0 10.0 33.0 33.0 read", "close": "0.000010 3 2 3.3 2.0 5.0 5.0 close",
        "getpid": "0.000001 1 0 1.0 1.0 1.0 1.0 getpid", "total": "0.000074 7 2 10.6 1.0 33.0 33.0 total"}


def rows(*names):
    return table("call", *[ROWS[name] for name in names])


summary("default", MIX, "--summary", rows("read", "close", "getpid", "total"))
summary("call", MIX, "--summary=call", rows("read", "close", "getpid", "total"))
for KEY, NAMES in (("time", "read close getpid"), ("calls", "read close getpid"), ("errors", "close read getpid"),
                   ("name", "close getpid read"), ("max", "read close getpid"), ("mean", "read close getpid"),
                   ("p99", "read close getpid")):
    summary("sort-" + KEY, MIX, "--summary --sort " + KEY, rows(*NAMES.split(), "total"))
# Keys that differ: many short calls, a long one, one that is long on average.
KEYS = timed("read", *[1] * 4) + timed("close", 1, 1, 90) + timed("getpid", 60, 60, 60)
for KEY, NAMES in (("time", "getpid close read"), ("calls", "read getpid close"), ("mean", "getpid close read"),
                   ("max", "close getpid read"), ("p99", "close getpid read")):
    case("summary.keys-" + KEY, L64 + KEYS, "--summary --sort " + KEY, table("call", *[{
        "read": "0.000004 4 0 1.0 1.0 1.0 1.0 read", "close": "0.000092 3 0 30.7 1.0 90.0 90.0 close",
        "getpid": "0.000180 3 0 60.0 60.0 60.0 60.0 getpid"}[name] for name in NAMES.split()],
        "0.000276 10 0 27.6 1.0 90.0 90.0 total"))
summary("empty", b"", "--summary", table("call", "- 0 0 - - - - total"))
# Nanoseconds are rounded to tenths of a microsecond; long times do not spoil the columns.
summary("v1", v1(SYSCALL, call(0)) + v1(SYSRET, ret(0, 1), nsec=1249) + v1(SYSCALL, call(0)) +
        v1(SYSRET, ret(0, 1), sec=NOW + 123456, nsec=50), "--summary",
        table("call", "123456.000001 2 0 61728000000.6 1.2 123456000000.1 123456000000.1 read",
              "123456.000001 2 0 61728000000.6 1.2 123456000000.1 123456000000.1 total"))
# The rank is rounded up: 1 of 100 is above it, 1 of 99 is not. It is exact to 1/64 when it is not the largest.
summary("p99-100", timed("read", *[10] * 99, 50), "--summary",
        table("call", "0.001040 100 0 10.4 10.0 50.0 10.1 read", "0.001040 100 0 10.4 10.0 50.0 10.1 total"))
summary("p99-99", timed("read", *[10] * 98, 50), "--summary",
        table("call", "0.001030 99 0 10.4 10.0 50.0 50.0 read", "0.001030 99 0 10.4 10.0 50.0 50.0 total"))

# Rows ---------------------------------------------------------------------------------------------------------------

summary("names", timed("read", 5) + v0(SYSCALL, call(999)) + v0(SYSRET, ret(999), usec=1) + v0(SYSCALL, call(-1)) +
        v0(SYSRET, ret(-1), usec=2), "--summary",
        table("call", "0.000005 1 0 5.0 5.0 5.0 5.0 read", "0.000002 1 0 2.0 2.0 2.0 2.0 [-1]",
              "0.000001 1 0 1.0 1.0 1.0 1.0 [999]", "0.000008 3 0 2.7 1.0 5.0 5.0 total"))
# The same name of several ABIs.
summary("abis", timed("read", 5) + v0(PROCCTOR, ctor(LINUX32), pid=701) + timed("read", 7, pid=701, flags=LINUX32) +
        v0(PROCCTOR, ctor(FREEBSD64), pid=702) + timed("close", 9, pid=702, flags=FREEBSD64), "--summary",
        table("call", "0.000009 1 0 9.0 9.0 9.0 9.0 close F64", "0.000007 1 0 7.0 7.0 7.0 7.0 read L32",
              "0.000005 1 0 5.0 5.0 5.0 5.0 read L64", "0.000021 3 0 7.0 5.0 9.0 9.0 total"))
UNNAMED = b"".join(v0(SYSCALL, call(n)) + v0(SYSRET, ret(n), usec=1) for n in range(2000, 3100))
summary("others", UNNAMED, "--summary", table(
    "call", "0.000076 76 0 1.0 1.0 1.0 1.0 (others)",
    *["0.000001 1 0 1.0 1.0 1.0 1.0 [%d]" % n for n in range(2000, 3024)], "0.001100 1100 0 1.0 1.0 1.0 1.0 total"))
# Filters
summary("pid", timed("read", 5) + v0(PROCCTOR, ctor(LINUX64), pid=701) + timed("read", 7, pid=701), "--summary -p 701",
        table("call", "0.000007 1 0 7.0 7.0 7.0 7.0 read", "0.000007 1 0 7.0 7.0 7.0 7.0 total"))
summary("no-calls", v0(NAMEI, b"/a"), "--summary", table("call", "- 0 0 - - - - total"))

summary("failed", MIX, "--summary --failed", table("call", "0.000005 2 2 2.5 2.0 3.0 3.0 close",
                                                     "0.000005 2 2 2.5 2.0 3.0 3.0 total"))
summary("calls", MIX, "--summary -e read,getpid --sort name", table(
    "call", ROWS["getpid"], ROWS["read"], "0.000064 4 0 16.0 1.0 33.0 33.0 total"))

PROCESSES = Story(comm=b"sh").at(0).call("read").at(10).ret("read").forks(701).at(20)
PROCESSES.does("close", 3, error=EBADF, pid=701).executes(b"/bin/a\x1b", None, pid=701).at(100).exits(0, 701)
PROCESSES.begin(701, b"new").at(200).call("read", pid=701).at(290).ret("read", pid=701)
summary("process", PROCESSES.data, "--summary=process", table(
    "process", "0.000090 1 0 90.0 90.0 90.0 90.0 701 new", "0.000013 2 0 6.5 3.0 10.0 10.0 700 sh",
    "0.000004 2 1 2.0 1.0 3.0 3.0 701 a\\033", "0.000107 5 1 21.4 1.0 90.0 90.0 total") +
    "1 call did not return, and is not counted\n", "process")
summary("process-name", PROCESSES.data, "--summary=process --sort name", table(
    "process", "0.000004 2 1 2.0 1.0 3.0 3.0 701 a\\033", "0.000090 1 0 90.0 90.0 90.0 90.0 701 new",
    "0.000013 2 0 6.5 3.0 10.0 10.0 700 sh", "0.000107 5 1 21.4 1.0 90.0 90.0 total") +
    "1 call did not return, and is not counted\n", "process")

# What the rows do not say -------------------------------------------------------------------------------------------

READ = "0.000005 1 0 5.0 5.0 5.0 5.0 "
summary("unreturned", timed("read", 5) + v0(SYSCALL, call(0)) + v0(SYSCALL, call(0), tid=701), "--summary",
        table("call", READ + "read", READ + "total") + "2 calls did not return, and are not counted\n")
summary("no-begin", v0(SYSRET, ret(1, 0, 9)) + timed("read", 5), "--summary",
        table("call", READ + "read", "- 1 1 - - - - write", READ.replace("1 0", "2 1", 1) + "total") +
        "1 call began before the trace: it is counted without a time\n")
summary("restarts", timed("nanosleep", 5, 5, error=-1), "--summary",
        table("call", "0.000010 2 0 5.0 5.0 5.0 5.0 nanosleep", "0.000010 2 0 5.0 5.0 5.0 5.0 total") +
        "2 calls were interrupted by signals, and began again or failed with EINTR\n")
summary("clock", timed("read", 5) + v0(SYSCALL, call(0), usec=10) + v0(SYSRET, ret(0), usec=9), "--summary",
        table("call", READ.replace("1 0", "2 0", 1) + "read", READ.replace("1 0", "2 0", 1) + "total") +
        "1 call is counted without a time: the clock was set back\n")
summary("drops", timed("read", 5) + v0(SYSRET | DROP, ret(0)) + v0(PROCCTOR | DROP, ctor(LINUX64)), "--summary",
        table("call", READ.replace("1 0", "2 0", 1) + "read", READ.replace("1 0", "2 0", 1) + "total") +
        "1 call began before the trace: it is counted without a time\n2 times records were lost\n")
summary("limits", v0(SYSCALL, call(0), sec=-2**62) + v0(SYSRET, ret(0), sec=2**62), "--summary",
        table("call", "- 1 0 - - - - read", "- 1 0 - - - - total") + "1 call is counted without a time: it is out of range\n")
summary("limits-back", v0(SYSCALL, call(0), sec=2**62) + v0(SYSRET, ret(0), sec=-2**62), "--summary",
        table("call", "- 1 0 - - - - read", "- 1 0 - - - - total") + "1 call is counted without a time: it is out of range\n")
# The sum of times may be more than any of them can be.
LONG = "9000000000000000.0 9000000000000000.0 9000000000000000.0 9000000000000000.0 "
summary("long", (v0(SYSCALL, call(0), sec=0) + v0(SYSRET, ret(0), sec=9000000000)) * 3, "--summary",
        table("call", "27000000000.000000 3 0 " + LONG + "read", "27000000000.000000 3 0 " + LONG + "total"))

for NAME, OPTIONS, ERROR in (("sort", "--summary --sort size", "--sort size: not one of time, calls, errors, mean"),
                             ("sort-alone", "--sort time", "--sort is for --summary only"),
                             ("rows", "--summary=user", "--summary=user: the rows are by"),
                             ("sort-empty", "--summary --sort", "option '--sort' needs an argument"),
                             ("stats", "--summary --stats", "--stats: only one of it and --summary at once")):
    case("summary.bad-" + NAME, b"", OPTIONS, "", ERROR)
