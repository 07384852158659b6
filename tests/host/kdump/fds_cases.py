# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""--fds: what is behind descriptors."""
import struct

from cases import case
from craft import FREEBSD64, LINUX32, STRUCT
from story import AT_FDCWD, EAGAIN, EBADF, EINPROGRESS, MINUS_1, Story, inet, inet6, local

O_CLOEXEC = 0x80000
F_DUPFD, F_SETFD, F_DUPFD_CLOEXEC = 0, 2, 1030
CLONE_FILES, CLONE_THREAD = 0x400, 0x10000


def looks(name, story, *seen):
    """What the story's look() shows: (fd, what is behind it or None), for all of them, in order."""
    text = []
    for entry in seen:
        pid, comm, fd, what = entry if len(entry) == 4 else (700, "prog") + entry
        text.append("%6d %-8s GIO   fd %d%s read 0 bytes\n" % (pid, comm, fd, "" if what is None else "<%s>" % what))
    case("fds." + name, story.data, "--fds -s -t i", "".join(text))


# The lines of calls, results and data -------------------------------------------------------------------------------

LINES = Story().does("chdir", 1, path=b"/home/kiwi").opens(b"notes.txt", 3, O_CLOEXEC)
LINES.call("read", 3, 1, 2).look(3).ret("read").does("close", 3).does("close", 3, error=EBADF)
case("fds.lines", LINES.data, "--fds -s", "".join("   700 prog     %s\n" % line for line in (
    "CALL  chdir(0x1)", 'NAMI  "/home/kiwi"', "RET   chdir 0",
    "CALL  openat(AT_FDCWD</home/kiwi>,0x1,0x80000<O_RDONLY|O_CLOEXEC>)", 'NAMI  "notes.txt"',
    "RET   openat 3</home/kiwi/notes.txt>",
    "CALL  read(0x3</home/kiwi/notes.txt>,0x1,0x2)", "GIO   fd 3</home/kiwi/notes.txt> read 0 bytes", "RET   read 0",
    "CALL  close(0x3</home/kiwi/notes.txt>)", "RET   close 0", "CALL  close(0x3)",
    "RET   close -1 errno 9 Bad file descriptor")))
# With -n there are no arguments to show it at; without the option there is nothing.
case("fds.plain", Story().opens(b"/a", 3).call("close", 3).data, "--fds -n -t c",
     "   700 prog     CALL  openat(0xffffffffffffff9c,0x1,0)\n   700 prog     RET   openat 0x3</a>\n"
     "   700 prog     CALL  close(0x3)\n")
case("fds.off", Story().opens(b"/a", 3).look(3).data, "-s -t i", "   700 prog     GIO   fd 3 read 0 bytes\n")
# State comes from all records, also those that are not shown.
case("fds.composes", Story().opens(b"/a", 11).call("read", 11, tid=701).data, "--fds -d -p 701",
     "   700 prog     CALL  read(11</a>)\n")
looks("escaped", Story().opens(b"/\x1b[2J\xff\n", 3).look(3), (3, "/\\033[2J\\377\\012"))

# Paths --------------------------------------------------------------------------------------------------------------

looks("open", Story().does("open", 1, 0, path=b"/etc/passwd", gives=3).does("creat", 1, 0o644, path=b"/new", gives=4)
      .does("openat", 3, 1, 0, path=b"/absolute", gives=5).look(3, 4, 5, 6, 0),
      (3, "/etc/passwd"), (4, "/new"), (5, "/absolute"), (6, None), (0, None))
# What nobody said in the trace stays as the program gave it.
looks("relative", Story().opens(b"a", 3).opens(b"./b", 4).does("openat", 99, 1, 0, path=b"c", gives=5)
      .does("chdir", 1, path=b"unknown").opens(b"d", 6).does("chdir", 1, path=b"/home").opens(b".//e/../f", 7)
      .does("openat", 4, 1, 0, path=b"g", gives=8).does("chdir", 1, path=b"sub").opens(b"h", 9)
      .does("chdir", 1, path=b"/").opens(b"i", 10).opens(b".", 11).look(*range(3, 12)),
      (3, "a"), (4, "b"), (5, "c"), (6, "d"), (7, "/home/e/../f"), (8, "b/g"), (9, "/home/sub/h"), (10, "/i"),
      (11, "/"))
looks("fchdir", Story().opens(b"/srv", 3).does("fchdir", 3).opens(b"x", 4).does("fchdir", 17).opens(b"y", 5)
      .does("openat", 3, 1, 0, path=b"z", gives=6).look(4, 5, 6), (4, "/srv/x"), (5, "y"), (6, "/srv/z"))
looks("openat2", Story().call("openat2", AT_FDCWD, 1, 2, 24).path(b"/a")
      .structure(b"l_open_how", struct.pack("<QQQ", O_CLOEXEC, 0, 0)).ret("openat2", 3).opens(b"/b", 4)
      .look(3).executes(b"/bin/x", None, comm=b"prog").look(3, 4), (3, "/a"), (3, None), (4, "/b"))
looks("failed", Story().opens(b"/a", 3).does("openat", AT_FDCWD, 1, 0, error=2, path=b"/b")
      .does("dup2", 0, 3, error=EBADF).does("chdir", 1, path=b"/nowhere", error=2).opens(b"c", 4)
      .does("openat", AT_FDCWD, 1, 0, error=-1, path=b"/d").look(0, 3, 4), (0, None), (3, "/a"), (4, "c"))
looks("two-paths", Story().call("openat", AT_FDCWD, 1, 0).path(b"/link").path(b"/target").ret("openat", 3).look(3),
      (3, "/link"))
# Only the path of this call, and without NAMI records none.
looks("no-path", Story().does("openat", AT_FDCWD, 1, 0, gives=3).path(b"/other")
      .does("openat", AT_FDCWD, 1, 0, gives=4)
      .look(3, 4), (3, None), (4, None))
looks("long-path", Story().does("chdir", 1, path=b"/" + b"d" * 3000).opens(b"e" * 2000, 3).look(3), (3, None))

# Duplicates and ends ------------------------------------------------------------------------------------------------

looks("dup", Story().opens(b"/a", 3).does("dup", 3, gives=4).does("dup2", 3, 1, gives=1).does("close", 3)
      .does("dup3", 4, 60000, O_CLOEXEC, gives=60000).does("fcntl", 4, F_DUPFD, 100, gives=100)
      .does("dup2", 4, 4, gives=4).does("dup", 77, gives=3).does("dup2", 77, 100, gives=100)
      .look(1, 3, 4, 100, 60000), (1, "/a"), (3, None), (4, "/a"), (100, None), (60000, "/a"))
looks("close", Story().opens(b"/a", 3).opens(b"/b", 4).opens(b"/c", 5).does("close", 3).does("close", 4, error=4)
      .does("close", 5, error=EBADF).look(3, 4, 5), (3, None), (4, None), (5, "/c"))
# While close() is on its way another thread gets the same number.
looks("close-race", Story().opens(b"/a", 3).call("close", 3).opens(b"/b", 3, tid=701).ret("close").look(3), (3, "/b"))
looks("close_range", Story().opens(b"/a", 3).opens(b"/b", 40).opens(b"/c", 41).opens(b"/d", 1000)
      .does("close_range", 4, 40, 0).look(3, 40, 41).does("close_range", 41, 0xffffffff, 4)
      .executes(b"/x", None, comm=b"prog").look(3, 41, 1000).does("close_range", 0, 2**32 - 1, 0).look(3),
      (3, "/a"), (40, None), (41, "/c"), (3, "/a"), (41, None), (1000, None), (3, None))
looks("exec", Story().opens(b"/a", 3, O_CLOEXEC).opens(b"/b", 4).does("fcntl", 3, F_DUPFD_CLOEXEC, 0, gives=5)
      .does("dup", 3, gives=6).does("fcntl", 4, F_SETFD, 1).opens(b"/c", 7, O_CLOEXEC).does("fcntl", 7, F_SETFD, 0)
      .opens(b"/d", 8).does("ioctl", 8, 0x5451).opens(b"/e", 9, O_CLOEXEC).does("ioctl", 9, 0x5450)
      .does("execve", 1, 2, 3, error=2, path=b"/none").look(3).executes(b"/x", None, comm=b"prog")
      .look(*range(3, 10)),
      (3, "/a"), (3, None), (4, None), (5, None), (6, "/a"), (7, "/c"), (8, None), (9, "/e"))
looks("pid-reuse", Story().opens(b"/a", 3).does("chdir", 1, path=b"/x").end(700).begin(700).look(3).opens(b"b", 4)
      .look(4), (3, None), (4, "b"))

# Also of a thread that had its own.
looks("tid-reuse", Story().does("getpid", tid=701).does("unshare", CLONE_FILES).opens(b"/a", 3).look(3).end(700)
      .begin(700)
      .look(3), (3, "/a"), (3, None))

# Other files --------------------------------------------------------------------------------------------------------

KINDS = (("eventfd", (0,), "eventfd", False), ("eventfd2", (0, O_CLOEXEC), "eventfd", True),
         ("epoll_create", (1,), "epoll", False), ("epoll_create1", (O_CLOEXEC,), "epoll", True),
         ("timerfd_create", (0, O_CLOEXEC), "timerfd", True), ("signalfd", (MINUS_1, 1, 8), "signalfd", False),
         ("signalfd4", (MINUS_1, 1, 8, O_CLOEXEC), "signalfd", True), ("memfd_create", (1, 1), "memfd", True),
         ("memfd_create", (1, 2), "memfd", False), ("memfd_secret", (0,), "memfd_secret", False),
         ("inotify_init", (), "inotify", False), ("inotify_init1", (O_CLOEXEC,), "inotify", True),
         ("pidfd_open", (4711, 0), "pidfd:4711", True), ("pidfd_getfd", (3, 4, 0), None, True),
         ("io_uring_setup", (8, 1), "io_uring", True), ("userfaultfd", (0,), "userfaultfd", False),
         ("perf_event_open", (1, 0, 0, 0, 8), "perf_event", True),
         ("perf_event_open", (1, 0, 0, 0, 0), "perf_event", False), ("fanotify_init", (1, 0), "fanotify", True),
         ("bpf", (0, 1, 72), "bpf", True), ("landlock_create_ruleset", (1, 8, 0), "landlock", True),
         ("fsopen", (1, 1), "fsopen", True), ("fsmount", (3, 0, 0), "fsmount", False),
         ("fspick", (3, 1, 1), "fspick", True), ("mq_open", (1, 0), "mqueue", True),
         ("open_by_handle_at", (3, 1, 0), "open_by_handle_at", False))
STORY = Story()
for FD, (NAME, ARGUMENTS, _, _) in enumerate(KINDS, 3):
    STORY.does(NAME, *ARGUMENTS, gives=FD)
STORY.look(*range(3, 3 + len(KINDS))).executes(b"/x", None, comm=b"prog").look(*range(3, 3 + len(KINDS)))
looks("kinds", STORY, *[(fd, kind[2]) for fd, kind in enumerate(KINDS, 3)],
      *[(fd, None if kind[3] else kind[2]) for fd, kind in enumerate(KINDS, 3)])
# Results that are no descriptors: bpf() of other commands, a version of landlock, a signalfd that is there.
looks("no-files", Story().opens(b"/a", 3).does("bpf", 1, 1, 72, gives=3)
      .does("landlock_create_ruleset", 0, 0, 1, gives=3).look(3).does("signalfd4", MINUS_1, 1, 8, 0, gives=4)
      .does("signalfd4", 4, 1, 8, 0, gives=4).look(4),
      (3, "/a"), (4, "signalfd"))

# Sockets ------------------------------------------------------------------------------------------------------------

looks("client", Story().does("socket", 2, 0x80801, 0, gives=3)
      .does("connect", 3, 1, 16, address=inet(80, 10, 0, 0, 1), error=EINPROGRESS).look(3)
      .does("getsockname", 3, 1, 2, address=inet(4000, 10, 0, 0, 9)).look(3).does("socket", 10, 2, 0, gives=4)
      .does("connect", 4, 1, 28, address=inet6(53, 1)).look(4)
      .does("connect", 4, 1, 16, address=bytes((16, 0)) + bytes(14)).look(4)
      .does("connect", 4, 1, 24, address=bytes((24,)) + inet6(53, 1)[1:24]).does("socket", 2, 1, 0, gives=5)
      .does("connect", 5, 1, 16, address=inet(80, 1, 2, 3, 4), error=61).look(5)
      .executes(b"/x", None, comm=b"prog").look(3, 4),
      (3, "TCP ->10.0.0.1:80"), (3, "TCP 10.0.0.9:4000->10.0.0.1:80"), (4, "UDPv6 ->[::1]:53"), (4, "UDPv6"),
      (5, "TCP"), (3, None), (4, "UDPv6 ->[::1]:53"))
looks("server", Story().does("socket", 2, 1, 0, gives=3).does("bind", 3, 1, 16, address=inet(80, 0, 0, 0, 0))
      .does("accept", 3, 1, 2, address=inet(5000, 127, 0, 0, 1), gives=4)
      .does("accept4", 3, 1, 2, O_CLOEXEC, address=inet(5001, 127, 0, 0, 1), gives=5).does("accept", 9, 0, 0, gives=6)
      .does("accept", 3, 1, 2, error=EAGAIN).does("dup", 4, gives=7)
      .does("getsockname", 4, 1, 2, address=inet(80, 127, 0, 0, 1)).look(3, 4, 5, 6, 7)
      .executes(b"/x", None, comm=b"prog").look(4, 5),
      (3, "TCP 0.0.0.0:80"), (4, "TCP 127.0.0.1:80->127.0.0.1:5000"), (5, "TCP 0.0.0.0:80->127.0.0.1:5001"),
      (6, "socket"), (7, "TCP 127.0.0.1:80->127.0.0.1:5000"),
      (4, "TCP 127.0.0.1:80->127.0.0.1:5000"), (5, None))
looks("local", Story().does("socket", 1, 1, 0, gives=3).does("connect", 3, 1, 10, address=local(b"/run/s\0garbage"))
      .does("socket", 1, 2, 0, gives=4).does("bind", 4, 1, 10, address=local(b"\0ab\x1b"))
      .does("socket", 1, 5, 0, gives=5).does("accept", 3, 1, 2, address=local(b""), gives=6).look(3, 4, 5, 6),
      (3, "UNIX-STREAM ->/run/s"), (4, "UNIX-DGRAM @ab\\033"), (5, "UNIX-SEQPACKET"), (6, "UNIX-STREAM"))
looks("families", Story().does("socket", 16, 3, 0, gives=3).does("socket", 17, 3, 0, gives=4)
      .does("socket", 40, 1, 0, gives=5).does("socket", 2, 3, 1, gives=6).does("socket", 31, 3, 1, gives=7)
      .does("socket", 10, 1, 0, gives=8).does("socket", 2, 9, 0, gives=9).look(*range(3, 10)),
      (3, "NETLINK"), (4, "PACKET"), (5, "VSOCK"), (6, "RAW"), (7, "socket"), (8, "TCPv6"), (9, "INET"))
# An address of a file that is no socket, and one that is too short.
looks("addresses", Story().opens(b"/a", 3).does("bind", 3, 1, 16, address=inet(80, 1, 2, 3, 4)).look(3)
      .does("socket", 2, 1, 0, gives=4).does("bind", 4, 1, 16, address=inet(80, 1, 2, 3, 4)[:15])
      .does("bind", 4, 1, 1, address=b"\x10").look(4).call("bind", 4, 1, 16)
      .structure(b"sockaddr", inet(80, 1, 2, 3, 4))
      .structure(b"sockaddr", inet(81, 5, 6, 7, 8)).ret("bind").look(4), (3, "/a"), (4, "TCP"), (4, "TCP 1.2.3.4:80"))

# Pairs: their numbers are not in the trace --------------------------------------------------------------------------

looks("pipe", Story().opens(b"/a", 3).does("pipe", 1).does("pipe2", 1, O_CLOEXEC).does("close", 4)
      .does("dup", 5, gives=4).look(4, 5, 6, 7, 8).does("pipe", 1, error=24).look(8)
      .executes(b"/x", None, comm=b"prog").look(5, 6),
      (4, "pipe:[1]?"), (5, "pipe:[1]?"), (6, "pipe:[2]?"), (7, "pipe:[2]?"), (8, None), (8, None),
      (5, "pipe:[1]?"), (6, None))
# Numbers below one that was given out are in use, whatever they are; one that was closed is free.
looks("pipe-numbers", Story().opens(b"/a", 6).does("close", 0).does("close", 4).does("pipe", 1).look(0, 3, 4, 5, 7)
      .opens(b"/b", 7).look(7), (0, "pipe:[1]?"), (3, None), (4, "pipe:[1]?"), (5, None), (7, None), (7, "/b"))
looks("socketpair", Story().does("socketpair", 1, 0x80001, 0, 1).look(3, 4), (3, "UNIX-STREAM?"), (4, "UNIX-STREAM?"))

# Processes ----------------------------------------------------------------------------------------------------------

looks("fork", Story().opens(b"/a", 3).does("chdir", 1, path=b"/d").forks(701).opens(b"p", 4).opens(b"c", 4, pid=701)
      .does("close", 3).look(3, 4).look(3, 4, pid=701),
      (3, None), (4, "/d/p"), (701, "prog", 3, "/a"), (701, "prog", 4, "/d/c"))
# The parent's result comes when the child has ended: it is known all the same.
VFORK = Story().opens(b"/a", 3, O_CLOEXEC).opens(b"/b", 4).call("vfork").begin(701).ret("vfork", 0, pid=701)
VFORK.look(3, pid=701).executes(b"/x", None, pid=701, comm=b"prog").look(3, 4, pid=701).exits(0, 701)
looks("vfork", VFORK.ret("vfork", 701).look(3), (701, "prog", 3, "/a"), (701, "prog", 3, None),
      (701, "prog", 4, "/b"),
      (3, "/a"))
# Two processes of one name fork at once: whose child it is, the result tells.
TWO = Story().begin(800).opens(b"/a", 3).opens(b"/b", 3, pid=800).does("dup2", 3, 1, gives=1, pid=800)
TWO.call("fork").call("fork", pid=800).begin(801)
TWO.look(3, pid=801).ret("fork", 801, pid=800).look(1, 3, pid=801).begin(702).look(3, pid=702).ret("fork", 702)
looks("forks-at-once", TWO, (801, "prog", 3, None), (801, "prog", 1, "/b"), (801, "prog", 3, "/b"),
      (702, "prog", 3, "/a"))
# Two threads of one process do: the child is the process's, and what it closed stays closed.
THREADS = Story().opens(b"/a", 3).does("getpid", tid=701).call("fork").call("fork", tid=701).begin(801).begin(802)
for CHILD in (801, 802):
    THREADS.does("close", 3, pid=CHILD).opens(b"/b", 4, pid=CHILD)
THREADS.ret("fork", 801).ret("fork", 802, tid=701)
looks("forks-of-threads", THREADS.look(3, 4, pid=801).look(3, 4, pid=802), (801, "prog", 3, None),
      (801, "prog", 4, "/b"), (802, "prog", 3, None), (802, "prog", 4, "/b"))
# A process of another name is not taken for the child.
looks("fork-other", Story().opens(b"/a", 3).call("fork").begin(801, b"other").look(3, pid=801).ret("fork", error=11),
      (801, "other", 3, None))
# The result corrects what was taken for the child.
WRONG = Story().opens(b"/a", 3).call("fork").begin(801).begin(802).ret("fork", 802)
looks("fork-wrong", WRONG.look(3, pid=802), (802, "prog", 3, "/a"))
looks("clone-shares", Story().opens(b"/a", 3).forks(701, how="clone", args=(CLONE_FILES | 17,))
      .opens(b"/c", 4, pid=701).does("close", 3).look(4).look(3, pid=701).executes(b"/x", None, 701, comm=b"prog")
      .does("close", 4).look(4).look(4, pid=701),
      (4, "/c"), (701, "prog", 3, None), (4, None), (701, "prog", 4, "/c"))


def clone3(flags):
    story = Story().opens(b"/a", 3).call("clone3", 1, 88).begin(701).ret("clone3", 0, pid=701)
    return story.structure(b"l_clone_args", struct.pack("<11Q", flags, *[0] * 10)).ret("clone3", 701)


looks("clone3", clone3(0).opens(b"/c", 4, pid=701).look(4).look(3, pid=701), (4, None), (701, "prog", 3, "/a"))
looks("clone3-shares", clone3(CLONE_FILES).opens(b"/c", 4, pid=701).look(4), (4, "/c"))
looks("threads", Story().opens(b"/a", 3).does("clone", CLONE_FILES | CLONE_THREAD, gives=701).opens(b"/b", 4, tid=701)
      .look(4).does("unshare", CLONE_FILES, tid=701).does("close", 3, tid=701).opens(b"/c", 3, tid=701)
      .look(3).look(3, 4, tid=701), (4, "/b"), (3, "/a"), (3, "/c"), (4, "/b"))
looks("unshare", Story().opens(b"/a", 3).forks(701, how="clone", args=(CLONE_FILES | 17,))
      .does("close_range", 3, 3, 2, pid=701).look(3).look(3, pid=701), (3, "/a"), (701, "prog", 3, None))
looks("thread-exec", Story().opens(b"/a", 3, O_CLOEXEC).opens(b"/b", 4).call("execve", 1, 2, 3, tid=702)
      .path(b"/x", tid=702).ret("execve", 0, -2).look(3, 4), (3, None), (4, "/b"))

# Other ABIs ---------------------------------------------------------------------------------------------------------

looks("linux32", Story(LINUX32).opens(b"/a", 3).does("fcntl64", 3, F_DUPFD, 10, gives=10)
      .does("openat", 2**32 - 100, 1, O_CLOEXEC, gives=4, path=b"/b").does("pipe2", 1, 0)
      .does("socketcall", 1, 99, gives=7).does("socketcall", 5, 99, gives=8, address=inet(80, 1, 2, 3, 4))
      .does("socketcall", 8, 99).does("socketcall", 3, 99).does("socket", 2, 1, 0, gives=11)
      .does("connect", 11, 1, 16, address=inet(80, 1, 2, 3, 4)).does("close", 3)
      .look(3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
      (3, None), (4, "/b"), (5, "pipe:[1]?"), (6, "pipe:[1]?"), (7, "socket"), (8, "socket ->1.2.3.4:80"),
      (9, "socket?"), (10, "/a"), (11, "TCP ->1.2.3.4:80"), (12, None))
FREE = Story(FREEBSD64).opens(b"/a", 3, 0x100000).opens(b"/b", 4, 0x80000).does("socket", 28, 0x10000001, 0, gives=5)
FREE.does("connect", 5, 1, 28, address=inet6(80, 2)).does("kqueue", gives=6).does("fcntl", 4, 17, 0, gives=7)
FREE.does("fcntl", 4, 10, 20, gives=20).does("shm_open2", 1, 2, 3, path=b"/shm", gives=8).look(3, 4, 5, 6, 7, 8, 20)
FREE.executes(b"/x", None, comm=b"prog").look(3, 4, 5, 7, 20).does("closefrom", 5).look(4, 20).forks(701)
FREE.look(4, pid=701)
FREE.does("rfork", 0x10, gives=0).call("rfork", 0x10).begin(702).ret("rfork", 702).does("close", 4, pid=702).look(4)
looks("freebsd", FREE, (3, "/a"), (4, "/b"), (5, "TCPv6 ->[::2]:80"), (6, "kqueue"), (7, "/b"), (8, "/shm"),
      (20, "/b"),
      (3, None), (4, "/b"), (5, None), (7, None), (20, "/b"), (4, "/b"), (20, None), (701, "prog", 4, "/b"),
      (4, None))

# Hostile files ------------------------------------------------------------------------------------------------------

looks("odd-numbers", Story().does("openat", AT_FDCWD, 1, 0, path=b"/a", gives=2**31 - 1).look(2**31 - 1)
      .does("openat", AT_FDCWD, 1, 0, path=b"/b", gives=-1).does("dup2", 2**31 - 1, 2**31, gives=2**31)
      .does("close_range", 2**31, 2**32 - 1, 0).does("close_range", 5, 4, 0).look(2**31 - 1, -1),
      (2**31 - 1, "/a"), (2**31 - 1, "/a"), (-1, None))
# More descriptors than are remembered.
MANY = Story().opens(b"/a", 3)
for FD in range(64, 64 + 32 * 2100, 32):
    MANY.does("dup2", 3, FD, gives=FD)
looks("many", MANY.look(64, 64 + 32 * 2099), (64, "/a"), (64 + 32 * 2099, None))
# A structure without a name, or cut.
looks("odd-structs", Story().call("openat2", AT_FDCWD, 1, 2, 24).record(STRUCT, b"l_open_how")
      .structure(b"l_open_how", b"\0\0\x08").path(b"/a").ret("openat2", 3).executes(b"/x", None, comm=b"prog")
      .look(3),
      (3, "/a"))
