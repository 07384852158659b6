# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Filters: -e, --failed, --ok."""
from cases import CASES, F64, L64, LINE, NOTICES, case
from craft import (CSW, DROP, GENIO, LINUX32, LINUX64, NAMEI, NOW, PROCCTOR, PROCDTOR, PSIG, SYSCALL, SYSRET,
                   USER, call, ctor, gio, psig, ret, v0, v1)
import struct

READ, CLOSE, FUTEX, OPENAT, EXIT_GROUP, EXECVE = 0, 3, 202, 257, 231, 59
ENOENT, EAGAIN_FILE = 2, 35


def shown(*texts, line=LINE):
    return "".join(line + text + "\n" for text in texts)


def filtered(name, data, expressions, output, error=None, more=()):
    """Expressions may have spaces in them."""
    options = [word for text in expressions for word in (("-e", text) if not text.startswith("--") else (text,))]
    CASES.append(("filter." + name, data, options + list(more), output.encode(), error))


def failing(name, expression, error):
    CASES.append(("filter.error." + name, b"", ["-e", expression], b"", "-e %s: %s" % (expression, error)))


# A call of each kind, and what is outside of calls. Each entry: its records, its lines.
OPEN = (v0(SYSCALL, call(OPENAT, 0xffffff9c, 16, 0, 0), usec=1) + v0(NAMEI, b"/etc/passwd", usec=2) +
        v0(SYSRET, ret(OPENAT, 0, ENOENT), usec=20001),
        shown("CALL  openat(AT_FDCWD,0x10,0<O_RDONLY>)", 'NAMI  "/etc/passwd"',
              "RET   openat -1 errno 2 No such file or directory"))
SIGNAL = (v0(PSIG, psig(2), usec=20002), shown("PSIG  SIGINT SIG_DFL code=SI_USER"))
READING = (v0(SYSCALL, call(READ, 3, 32, 5), usec=30000) + v0(GENIO, gio(3, 0, b"hello"), usec=30001) +
           v0(SYSRET, ret(READ, 5), usec=30010),
           shown("CALL  read(0x3,0x20,0x5)", "GIO   fd 3 read 5 bytes\n       \"hello\"", "RET   read 5"))
AGAIN = (v0(SYSCALL, call(READ, 4, 32, 5), usec=40000) + v0(SYSRET, ret(READ, 0, EAGAIN_FILE), usec=40001),
         shown("CALL  read(0x4,0x20,0x5)", "RET   read -1 errno 11 Resource temporarily unavailable"))
RESTART = (v0(SYSCALL, call(READ, 5, 32, 5), usec=50000) + v0(PSIG, psig(30), usec=59999) +
           v0(SYSRET, ret(READ, 0, -1), usec=60000),
           shown("CALL  read(0x5,0x20,0x5)", "PSIG  SIGUSR1 SIG_DFL code=SI_USER", "RET   read RESTART"))
CLOSING = (v0(SYSCALL, call(CLOSE, 3), usec=70000) + v0(SYSRET, ret(CLOSE), usec=70001),
           shown("CALL  close(0x3)", "RET   close 0"))
UNENDED = (v0(SYSCALL, call(CLOSE, 9), usec=80000), shown("CALL  close(0x9)"))
ALL = {"open": OPEN, "signal": SIGNAL, "read": READING, "again": AGAIN, "restart": RESTART, "close": CLOSING,
       "unended": UNENDED}
TRACE = L64 + b"".join(part[0] for part in ALL.values())

for NAME, EXPRESSIONS, WANTED in (
        ("name", ["openat"], "open"), ("names", ["openat,close"], "open close unended"), ("trace", ["trace=close"], "close unended"),
        ("not", ["!read"], "open signal close unended"), ("not-names", ["!read,close"], "open signal"),
        ("class", ["%file"], "open"), ("class-desc", ["%desc"], "open read again restart close unended"),
        ("class-none", ["%net"], ""), ("class-alias", ["%network,close"], "close unended"),
        ("regex", ["/^(re|op)/"], "open read again restart"), ("regex-comma", ["/^o.{2\\,4}at$/"], "open"),
        ("regex-equals", ["!/^[^=]*e/"], "signal"),
        ("and", ["%desc", "!openat", "!close"], "read again restart"), ("and-none", ["read", "close"], ""),
        ("failed", ["--failed"], "open again"), ("ok", ["--ok"], "read close"),
        ("status", ["status=failed"], "open again"), ("status-ok", ["status=ok"], "read close"),
        ("status-restart", ["status=restart,failed"], "open again restart"),
        ("status-not", ["!status=failed"], "signal read restart close unended"),
        ("errno", ["errno=ENOENT"], "open"), ("errno-linux", ["errno=EAGAIN"], "again"),
        ("errno-alias", ["errno=EWOULDBLOCK"], "again"), ("errno-number", ["errno=11"], "again"),
        ("errno-other-number", ["errno=35"], ""), ("errno-several", ["errno=EPERM,2,EAGAIN"], "open again"),
        ("errno-not", ["%desc", "!errno=EAGAIN"], "open read restart close unended"),
        ("slower", ["slower=9.9999ms"], "open restart"), ("slower-equal", ["slower=10ms"], "open"),
        ("slower-s", ["slower=0.01s"], "open"),
        ("slower-us", ["slower=9us"], "open read restart"), ("slower-ns", ["slower=8999.9ns"], "open read restart"),
        ("slower-m", ["slower=1m"], ""), ("slower-not", ["!slower=2us", "%desc"], "again close unended"),
        ("path", ["path=/etc"], "open"), ("path-whole", ["path=/etc/passwd"], "open"), ("path-below", ["path=/etc/"], "open"),
        ("path-root", ["path=/"], "open"), ("path-part", ["path=/et"], ""), ("path-longer", ["path=/etc/passwd/x"], ""),
        ("path-or", ["path=/usr,/etc"], "open"), ("path-and", ["path=/usr", "path=/etc"], ""),
        ("path-not", ["!path=/etc"], "signal read again restart close unended"),
        ("path-failed", ["path=/etc", "--failed"], "open"), ("path-ok", ["path=/etc", "--ok"], ""),
        ("all", ["%file", "--failed", "errno=ENOENT", "slower=1ms", "path=/etc", "pid=700", "comm=prog", "time=0.."],
         "open")):
    filtered(NAME, TRACE, EXPRESSIONS, "".join(ALL[part][1] for part in WANTED.split()))
CASES.append(("filter.error.both", TRACE, ["--failed", "--ok"], b"", "--failed and --ok: no call is both"))
for NAME, EXPRESSION, LITERAL in (("star", "path=/usr,/e*", "/e*"), ("question", "comm=pro?", "pro?")):
    filtered("pattern-" + NAME, TRACE, [EXPRESSION], "")
    NOTICES["filter.pattern-" + NAME] = (
        'kdump: no record was selected (in "%s" the "*" and "?" stand for themselves: there are no patterns)\n' % LITERAL)
filtered("t", TRACE, ["--failed"], shown('NAMI  "/etc/passwd"'), more=["-t", "n"])

# Of records ---------------------------------------------------------------------------------------------------------

WHO = L64 + b"".join(v0(NAMEI, b"/%d" % i, pid=pid, tid=tid, comm=comm) for i, (pid, tid, comm) in enumerate((
    (1, 1, b"init"), (1, 2, b"init"), (2, 3, b"gnome-terminal-"), (2, 1, b"x,y"))))
LINES = ('     1 init     NAMI  "/0"\n', '     1 init     NAMI  "/1"\n', '     2 gnome-terminal- NAMI  "/2"\n',
         '     2 x,y      NAMI  "/3"\n')
for NAME, EXPRESSION, WANTED in (("pid", "pid=1", "01"), ("pids", "pid=1,2", "0123"), ("pid-not", "!pid=1", "23"),
                                 ("tid", "tid=1", "03"), ("tids", "tid=2,3", "12"), ("comm", "comm=init", "01"),
                                 ("comm-cut", "comm=gnome-terminal-server", "2"), ("comm-part", "comm=gnome", ""),
                                 ("comm-comma", "comm=x\\,y", "3"), ("comm-not", "!comm=init,x\\,y", "2")):
    filtered(NAME, WHO, [EXPRESSION], "".join(LINES[int(i)] for i in WANTED))

# From the first record that is shown, without filters; both ends are in.
TIMES = v0(PROCCTOR, ctor(LINUX64), sec=NOW - 9) + v0(NAMEI, b"/0", usec=250000) + v0(NAMEI, b"/1", sec=NOW + 1) + \
    v1(NAMEI, b"/2", sec=NOW + 1, nsec=750000001)
for NAME, EXPRESSION, WANTED in (
        ("time", "time=0.75..1.5", "1"), ("time-from", "time=0.75..", "12"), ("time-to", "time=..0.75", "01"),
        ("time-ends", "time=0..1.500000001", "012"), ("time-fraction", "time=1.5..1.500000001", "2"),
        ("time-several", "time=0..0.1,1.4..9", "02"), ("time-not", "!time=0.5..1", "02"),
        ("time-absolute", "time=@1700000001..@1700000001.75", "1"), ("time-absolute-from", "time=@1700000001.7..", "2"),
        ("time-absolute-to", "time=..@1700000000.25", "0"), ("time-late", "time=9000000000..", "")):
    filtered(NAME, TIMES, [EXPRESSION], "".join(LINE + 'NAMI  "/%s"\n' % i for i in WANTED))
# Times that differ by more than 64 bits have.
filtered("time-limits", v0(NAMEI, b"/a", sec=-2**63) + v0(NAMEI, b"/b", sec=2**63 - 1), ["time=1.."],
         shown('NAMI  "/b"'))

# Several threads ----------------------------------------------------------------------------------------------------

# What is held comes when it is decided: at the RET, or at a path.
TWO = (L64 + v0(SYSCALL, call(READ, 3, 0, 1), tid=1) + v0(SYSCALL, call(READ, 4, 0, 1), tid=2) +
       v0(PSIG, psig(2), tid=1) + v0(SYSRET, ret(READ, 0, ENOENT), tid=2) + v0(CSW, struct.pack("<ii", 1, 0), tid=1) +
       v0(SYSRET, ret(READ, 0, ENOENT), tid=1))
filtered("threads", TWO, ["--failed"], shown(
    "CALL  read(0x4,0,0x1)", "RET   read -1 errno 2 No such file or directory", "CALL  read(0x3,0,0x1)",
    "PSIG  SIGINT SIG_DFL code=SI_USER", "CSW   stop kernel", "RET   read -1 errno 2 No such file or directory"))
filtered("threads-one", TWO, ["--failed", "tid=2"], shown(
    "CALL  read(0x4,0,0x1)", "RET   read -1 errno 2 No such file or directory"))
filtered("streams", TWO, ["read"], shown(
    "CALL  read(0x3,0,0x1)", "CALL  read(0x4,0,0x1)", "PSIG  SIGINT SIG_DFL code=SI_USER",
    "RET   read -1 errno 2 No such file or directory", "CSW   stop kernel",
    "RET   read -1 errno 2 No such file or directory"))
PATHS = (L64 + v0(SYSCALL, call(OPENAT, 3, 0, 0), tid=1) + v0(NAMEI, b"/a", tid=1) + v0(NAMEI, b"/b\0/c", tid=1) +
         v0(NAMEI, b"/outside", tid=2) + v0(GENIO, gio(1, 1, b"x"), tid=1) + v0(SYSRET, ret(OPENAT, 4), tid=1))
SHOWN = shown("CALL  openat(0x3,0,0<O_RDONLY>)", 'NAMI  "/a"', 'NAMI  "/b"', 'GIO   fd 1 wrote 1 byte\n       "x"',
              "RET   openat 4")
filtered("paths-first", PATHS, ["path=/a"], SHOWN)
filtered("paths-both", PATHS, ["path=/a", "path=/b"], SHOWN)
filtered("paths-nul", PATHS, ["path=/c"], "")
filtered("paths-order", PATHS, ["!path=/c"], shown('NAMI  "/outside"') + SHOWN)

# Calls without an end, ends without a call, records that were lost between.
filtered("ret-only", L64 + v0(SYSRET, ret(READ, 0, ENOENT)), ["read", "--failed"],
         shown("RET   read -1 errno 2 No such file or directory"))
filtered("ret-only-slower", L64 + v0(SYSRET, ret(READ), sec=NOW + 9), ["slower=1s"], "")
filtered("ret-only-not-slower", L64 + v0(SYSRET, ret(READ), sec=NOW + 9), ["!slower=1s"], shown("RET   read 0"))
LOST = L64 + v0(SYSCALL, call(READ, 3, 0, 1)) + v0(SYSRET | DROP, ret(CLOSE, 0, 9)) + v0(SYSCALL, call(CLOSE, 1)) + \
    v0(SYSCALL, call(CLOSE, 2)) + v0(SYSRET, ret(CLOSE, 0, 9))
filtered("lost", LOST, ["--failed"], shown("Events dropped.", line=LINE) + shown(
    "RET   close -1 errno 9 Bad file descriptor", "CALL  close(0x2)", "RET   close -1 errno 9 Bad file descriptor"))
filtered("lost-not", LOST, ["!status=failed"], shown("CALL  read(0x3,0,0x1)", "Events dropped.", "CALL  close(0x1)"))
filtered("exit", L64 + v0(SYSCALL, call(EXIT_GROUP, 0)) + v0(SYSCALL, call(EXIT_GROUP, 1), tid=1) +
         v0(PROCDTOR) + v0(NAMEI, b"/x", tid=3), ["!slower=1s"],
         shown("CALL  exit_group(0)", "CALL  exit_group(1)", 'NAMI  "/x"'))
filtered("killed", L64 + v0(SYSCALL, call(READ, 3, 0, 1)) + v0(PROCDTOR) + L64 + v0(NAMEI, b"/x", tid=3), ["!slower=1s"],
         shown("CALL  read(0x3,0,0x1)", 'NAMI  "/x"'))
filtered("threads-in-order", L64 + b"".join(v0(SYSCALL, call(READ, i, 0, 1), tid=i) for i in (1, 2, 3)) +
         b"".join(v0(SYSRET, ret(READ, 0, ENOENT), tid=i) for i in (1, 3, 2)), ["--failed"],
         "".join(shown("CALL  read(%#x,0,0x1)" % i, "RET   read -1 errno 2 No such file or directory") for i in (1, 3, 2)))
# All threads of a process end with it.
filtered("killed-threads", L64 + v0(SYSCALL, call(READ, 3, 0, 1), tid=1) + v0(SYSCALL, call(READ, 4, 0, 1), tid=2) +
         v0(SYSCALL, call(READ, 5, 0, 1), pid=701) + v0(PROCDTOR, tid=3) + v0(NAMEI, b"/x", tid=4), ["!slower=1s"],
         shown("CALL  read(0x3,0,0x1)", "CALL  read(0x4,0,0x1)", 'NAMI  "/x"') +
         "   701 prog     CALL  syscall(0x5,0,0x1)\n")
filtered("backwards", L64 + v0(SYSCALL, call(CLOSE, 1), usec=9) + v0(SYSRET, ret(CLOSE), usec=3), ["slower=0ns"], "")
# A successful execve is one that returned, under the new ABI.
EXEC = L64 + v0(SYSCALL, call(EXECVE, 1, 2, 3)) + v0(NAMEI, b"/bin/x") + v0(PROCCTOR, ctor(LINUX32)) + \
    v0(SYSRET, ret(EXECVE, 0, -2)) + v0(SYSCALL, call(6, 3)) + v0(SYSRET, ret(6))
EXECVED = shown("CALL  execve(0x1,0x2,0x3)", 'NAMI  "/bin/x"', "RET   execve JUSTRETURN")
filtered("exec", EXEC, ["--ok", "execve"], EXECVED)
filtered("exec-all", EXEC, ["--ok"], EXECVED + shown("CALL  close(0x3)", "RET   close 0"))
filtered("exec-failed", EXEC, ["--failed"], "")

# Numbers are those of the ABI: 6 is lstat, close or close, and 35 EAGAIN or EDEADLOCK.
SIX = v0(SYSCALL, call(6, 1)) + v0(SYSRET, ret(6, 0, 35))
MIXED = L64 + SIX + v0(PROCDTOR) + F64 + SIX
filtered("abi-linux", MIXED, ["lstat"], shown(
    "CALL  lstat(0x1)", "RET   lstat -1 errno 11 Resource temporarily unavailable"))
filtered("abi-freebsd", MIXED, ["close"], shown(
    "CALL  close(0x1)", "RET   close -1 errno 35 Resource temporarily unavailable"))
filtered("abi-errno-number", MIXED, ["errno=35"], shown(
    "CALL  close(0x1)", "RET   close -1 errno 35 Resource temporarily unavailable"))
filtered("abi-errno", MIXED, ["errno=EAGAIN"], shown(
    "CALL  lstat(0x1)", "RET   lstat -1 errno 11 Resource temporarily unavailable",
    "CALL  close(0x1)", "RET   close -1 errno 35 Resource temporarily unavailable"))
filtered("abi-class", MIXED, ["%file"], shown(
    "CALL  lstat(0x1)", "RET   lstat -1 errno 11 Resource temporarily unavailable"))
filtered("no-name", L64 + v0(SYSCALL, call(5000)) + v0(SYSRET, ret(5000)) + v0(SYSCALL, call(-1)), ["!read"],
         shown("CALL  [5000]", "RET   [5000] 0", "CALL  [-1]"))

# Views and what is followed -----------------------------------------------------------------------------------------

# A call that is held is shown with what was true at it.
SLOW = (L64 + v0(SYSCALL, call(OPENAT, 0xffffff9c, 16, 0, 0), usec=1) + v0(NAMEI, b"/x", usec=2) +
        v0(SYSRET, ret(OPENAT, 3), usec=3) + v0(SYSCALL, call(CLOSE, 3), usec=4) + v0(NAMEI, b"/y", tid=9, usec=5) +
        v0(SYSRET, ret(CLOSE), usec=20004))
filtered("fds", SLOW, ["slower=1ms"], shown("CALL  close(0x3</x>)", "RET   close 0"), more=["--fds"])
filtered("duration", SLOW, ["slower=1ms"], shown("CALL  close(0x3)", "RET   close 0 <0.020000>"), more=["--duration"])
filtered("times", SLOW, ["!slower=1ms"], "".join(
    "   700 prog     0.%06d 0.%06d %s\n" % line for line in (
        (0, 0, "CALL  openat(AT_FDCWD,0x10,0<O_RDONLY>)"), (1, 1, 'NAMI  "/x"'), (2, 1, "RET   openat 3"),
        (4, 2, 'NAMI  "/y"'))), more=["-ER"])
filtered("summary", TRACE, ["--failed"], (
    " total s  calls  errors  mean us   min us   max us   p99 us  call\n"
    "0.020000      1       1  20000.0  20000.0  20000.0  20000.0  openat\n"
    "0.000001      1       1      1.0      1.0      1.0      1.0  read\n"
    "0.020001      2       2  10000.5      1.0  20000.0  20000.0  total\n"), more=["--summary"])

# Too much to hold ---------------------------------------------------------------------------------------------------

WARNING = ("kdump: -e: too much was recorded during a call of process 700: it is shown before its end is known, and so "
           "are others like it\n")
MEGABYTE = v0(USER, bytes(1 << 20))
MEGABYTE_TEXT = shown("USER  1048576 " + " 00" * (1 << 20))
FOUR = (L64 + v0(SYSCALL, call(CLOSE, 1)) + MEGABYTE * 4 + v0(PSIG, psig(2)) + v0(SYSRET, ret(CLOSE)),
        shown("CALL  close(0x1)") + MEGABYTE_TEXT * 4 + SIGNAL[1] + shown("RET   close 0"))


def many():
    """More than 64 MiB, of several threads: the oldest ones go, until half is left. None of the calls fails."""
    threads, given_up = range(1, 65), range(1, 34)
    data = L64 + b"".join(v0(SYSCALL, call(CLOSE, i), tid=i) + v0(GENIO, gio(i, 0, bytes(1 << 20)), tid=i)
                          for i in threads) + b"".join(v0(SYSRET, ret(CLOSE), tid=i) for i in threads)
    return data, ("".join(shown("CALL  close(%#x)" % i, "GIO   fd %d read 1048576 bytes" % i) for i in given_up) +
                  shown("RET   close 0") * len(given_up))


TOO_MUCH = [(name, data, text.encode()) for name, data, text in (
    ("call", FOUR[0] * 2, FOUR[1] * 2), ("calls", *many()))]  # with --failed -s
filtered("large", L64 + v0(SYSCALL, call(CLOSE, 1)) + MEGABYTE * 3 + v0(SYSRET, ret(CLOSE)), ["--failed"], "")

# What is wrong with an expression -----------------------------------------------------------------------------------

for NAME, EXPRESSION, ERROR in (
        ("not-empty", "!", "there is nothing to look for"),
        ("comma", "read,", "there is nothing after a comma"), ("value-empty", "path=", "there is nothing to look for"),
        ("call", "opnat", 'there is no system call "opnat" (did you mean openat?)\n'),
        ("call-several", "opn", 'there is no system call "opn" (did you mean open'),
        ("call-unlike", "xyzzyplugh", 'there is no system call "xyzzyplugh"\n'),
        ("call-swapped", "close,raed", 'there is no system call "raed" (did you mean read'),
        ("class", "%fil", "there is no class %fil (%file, %desc, %net, %process, %memory, %signal, %ipc, %network)\n"),
        ("regex", "/(/", "(: Unmatched ( or \\(\n"), ("regex-end", "/etc", "a regular expression is /.../"),
        ("regex-none", "/^xyzzy$/", "^xyzzy$: matches the name of no system call\n"),
        ("key", "file=/etc", 'there is no filter "file" (comm, errno, path, pid, slower, status, tid, time)\n'),
        ("status", "status=bad", 'there is no status "bad" (ok, failed, restart)\n'),
        ("call-case", "OpenAt", 'there is no system call "OpenAt" (did you mean openat?)'),
        ("call-near-case", "OPNAT", 'there is no system call "OPNAT" (did you mean openat?)'),
        ("errno-case", "errno=enoent", 'there is no errno "enoent" (did you mean ENOENT?)'),
        ("call-bar", "read|write", 'there is no system call "read|write" (between several names there is a comma, and nothing else)'),
        ("call-blank", "read write", 'there is no system call "read write" (between several names there is a comma, and nothing else)'),
        ("call-comma-blank", "read, write", 'there is no system call " write" (between several names there is a comma, and nothing else)'),
        ("not-trace", "trace=!read,write", 'the "!" stands before all of it: !trace=read,write\n'),
        ("not-status", "status=!ok", 'the "!" stands before all of it: !status=ok\n'),
        ("not-later", "read,!write", 'there is no system call "!write" (a "!" is for all of the expression, and stands before it)'),
        ("errno", "errno=ENOENTT", 'there is no errno "ENOENTT" (did you mean ENOENT'),
        ("errno-unknown", "errno=999", 'there is no errno "999"\n'),
        ("errno-zero", "errno=0", 'there is no errno "0"\n'), ("errno-large", "errno=99999999999", "there is no errno"),
        ("pid", "pid=x", '"x" is not a number\n'), ("pid-fraction", "pid=1.5", '"1.5" is not a number\n'),
        ("tid", "tid=-1", '"-1" is not a number\n'), ("pid-large", "pid=9223372036854775808", '"9223372036854775808" is not a number'),
        ("slower", "slower=10", '"10" is not a time with its unit (ns, us, ms, s, m), like 10ms\n'),
        ("slower-unit", "slower=10h", '"10h" is not a time'), ("slower-large", "slower=9223372037s", '"9223372037s" is not a time'),
        ("time", "time=5", '"5" is not a range of seconds'), ("time-dots", "time=..", '".." is not a range'),
        ("time-order", "time=2..1", '"2..1" is not a range'), ("time-mixed", "time=1..@2", '"1..@2" is not a range'),
        ("time-three", "time=1..2..3", '"1..2..3" is not a range'), ("time-words", "time=now..", '"now.." is not a range')):
    failing(NAME, EXPRESSION, ERROR)
case("filter.most", TRACE, " ".join(["-e close"] * 64), CLOSING[1] + UNENDED[1])
case("filter.too-many", TRACE, " ".join(["-e close"] * 65), "", "-e close: more than 64 expressions")
