# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktr.ko: what is recorded, what is kept, and who may say so. The events are those of tests/system/module/ktr_user.c."""
import errno
import os
import re
import subprocess
import time

import ktrstream
from ktest import ARM, BIN, case

# KTR_SUBSYS is what the test module records to: nothing of the kernel itself does.
OURS, GEN, SYSC, SCHED, INIT = 0x20, 0x1, 0x2000, 0x20000000, 0x4000
RUN = "/proc/ktr_user"
# What "nmis" leaves: where there are no such, of interrupts.
NMI = "context irq_work 1" if ARM else "context nmi 1"


def error(function, *args):
    """The name of the error that a call fails with, or None."""
    try:
        function(*args)
    except OSError as e:
        return errno.errorcode[e.errno]
    return None


def store(name, value):
    with open("/proc/sys/debug/ktr/" + name, "w", encoding="ascii") as f:
        f.write(str(value))


def user(t, name="ktr_user"):
    """Loads the module whose events they are."""
    t.run(["insmod", os.path.join(BIN, os.uname().release, name + ".ko")])
    t.undo.append(lambda: t.run(["rmmod", name], status=None))


def fresh(t, mask=0xffffffff, entries=1024):
    """Nothing is recorded yet, and then what the mask says."""
    t.sysctl("debug.ktr.mask", 0)
    t.sysctl("debug.ktr.entries", entries)
    t.sysctl("debug.ktr.mask", mask)
    store("clear", 1)


def do(what, cpu=None):
    """Has the module record; on one CPU, if one is named."""
    before = os.sched_getaffinity(0)
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})
    try:
        with open(RUN, "w", encoding="ascii") as f:
            f.write(what)
    finally:
        os.sched_setaffinity(0, before)


def background(t, what):
    return t.start(["sh", "-c", "echo %s >%s" % (what, RUN)])


def ended(t, process):
    t.eq(process.wait(), 0, "status of the recording process")


@case(guest="ktr")
def settings(t):
    "debug.ktr has FreeBSD's names and defaults; mask and compile are in hexadecimal; what is out of range is an error."
    t.eq(t.sysctl("debug.ktr.version"), "2", "version")
    t.eq(t.sysctl("debug.ktr.entries"), "1024", "entries")
    t.eq(t.sysctl("debug.ktr.mask"), "0x0", "mask")
    t.eq(t.sysctl("debug.ktr.compile"), "0xffffffff", "compile")
    t.eq(t.sysctl("debug.ktr.cpulist"), "0-1", "cpulist")
    t.eq(int(t.sysctl("debug.ktr.cpumask").replace(",", ""), 16), 3, "cpumask")
    t.eq(t.sysctl("debug.ktr.clear"), "0", "clear")
    t.eq(t.sysctl("debug.ktr.verbose"), "0", "verbose")
    for text, shown in ("0x20001200", "0x20001200"), ("4096", "0x1000"), ("0xFFFFFFFF", "0xffffffff"), ("0", "0x0"):
        t.sysctl("debug.ktr.mask", text)
        t.eq(t.sysctl("debug.ktr.mask"), shown, "mask of " + text)
    for name, text, want in [
            ("mask", "0x100000000", "ERANGE"), ("mask", "-1", "EINVAL"), ("mask", "GEN", "EINVAL"), ("mask", "", "EINVAL"),
            ("entries", "0", "EINVAL"), ("entries", "1048577", "EINVAL"), ("entries", "-5", "EINVAL"),
            ("entries", "99999999999", "ERANGE"), ("entries", "1k", "EINVAL"),
            ("cpumask", "0xg", "EINVAL"), ("cpumask", "", "EINVAL"), ("cpulist", "1-0", "EINVAL"),
            ("cpulist", "x", "EINVAL"), ("cpulist", "99999", "ERANGE"), ("cpumask", "1" * 2049, "ERANGE"),
            ("verbose", "3", "EINVAL"), ("verbose", "-1", "EINVAL"), ("clear", "maybe", "EINVAL"),
            # Longer than any value: what is cut off could say something else.
            ("mask", "0x1" + " " * 5000 + "x", "EINVAL"), ("mask", "0x1" + " " * 4100, "EINVAL"),
            ("cpulist", "0," * 3000 + "1", "EINVAL")]:
        t.eq(error(store, name, text + "\n"), want, "%s: %r" % (name, text[:20]))
    for name in "version", "compile", "lost":
        t.ok(error(store, name, "1") in ("EACCES", "EPERM"), name + " is read only")
    # In pieces: one that is not the first is none.
    with open("/proc/sys/debug/ktr/entries", "wb", buffering=0) as f:
        t.eq(error(os.pwrite, f.fileno(), b"5\n", 1), "EINVAL", "a write that is not at the beginning")
    t.eq(t.sysctl("debug.ktr.mask"), "0x0", "mask after the errors")
    t.eq(t.sysctl("debug.ktr.entries"), "1024", "entries after the errors")
    t.eq(t.sysctl("debug.ktr.cpulist"), "0-1", "cpulist after the errors")


@case(guest="ktr")
def access(t):
    "Settings are read by all and written by root; /dev/ktr is root's, with its capability; four readers at a time."
    t.eq(os.stat("/dev/ktr").st_mode & 0o777, 0o400, "mode of /dev/ktr")
    t.eq(t.as_user(lambda: error(store, "mask", "1")), "EACCES", "a user sets the mask")
    t.eq(t.as_user(lambda: t.sysctl("debug.ktr.mask")), "0x0", "a user reads the mask")
    t.eq(t.as_user(lambda: error(os.open, "/dev/ktr", os.O_RDONLY)), "EACCES", "a user opens /dev/ktr")
    code = "import os\ntry: os.open('/dev/ktr', 0)\nexcept OSError as e: print(e.errno)"
    got = t.run(["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", "python3", "-c", code])
    t.eq(got.strip(), str(errno.EPERM), "root without CAP_SYS_ADMIN opens /dev/ktr")
    code = "try: open('/proc/sys/debug/ktr/%s', 'wb', 0).write(b'1')\nexcept OSError as e: print(e.errno)"
    for name in "mask", "entries", "clear", "verbose", "crash", "alq_enable", "alq_max":
        got = t.run(["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", "python3", "-c", code % name])
        t.eq(got.strip(), str(errno.EPERM), "root without CAP_SYS_ADMIN sets " + name)
    got = t.run(["unshare", "-Ur", "python3", "-c", code % "mask"], uid=1000)
    t.eq(got.strip(), str(errno.EACCES), "root of a namespace sets the mask")
    code = "import os\ntry: os.open('/dev/ktr', 0)\nexcept OSError as e: print(e.errno)"
    # Neither is the root of a user namespace root, when somebody lets him see the device.
    os.chmod("/dev/ktr", 0o444)
    t.undo.append(lambda: os.chmod("/dev/ktr", 0o400))
    t.eq(t.as_user(lambda: error(os.open, "/dev/ktr", os.O_RDONLY)), "EPERM", "a user opens it with mode 444")
    got = t.run(["unshare", "-Ur", "python3", "-c", code], uid=1000)
    t.eq(got.strip(), str(errno.EPERM), "root of a namespace opens /dev/ktr")
    files = [open("/dev/ktr", "rb") for _ in range(4)]
    t.eq(error(os.open, "/dev/ktr", os.O_RDONLY), "EBUSY", "a fifth reader")
    for f in files:
        f.close()
    t.eq(len(ktrstream.read().release) > 3, True, "release")


@case(guest="ktr")
def macros(t):
    "CTR0-6, TR0-6, ITR0-6, KTR_EVENT, STATE, COUNTER, POINT, START and STOP: messages, file and line, in their order."
    user(t)
    fresh(t)
    do("macros", cpu=1)
    stream = ktrstream.read()
    want = ["tr%d%s" % (n, "".join(" %d" % i for i in range(1, n + 1))) for n in range(7)]
    want += ["itr%d%s" % (n, "".join(" %d" % i for i in range(1, n + 1))) for n in (0, 1, 6)]
    graph = [("g", "i", 'point:"p"', "none"), ("thread", "a", 'state:"running"', "none"),
             ("thread", "a", 'state:"sleep"', 'a:1, b:2, c:3, linkedto:"b"'), ("cpu", "CPU 0 load", "counter:7", "none"),
             ("cpu", "CPU 0 load", "counter:8", "a:1"), ("thread", "a", 'point:"wakeup"', "none"),
             ("thread", "a", 'point:"wakeup"', "a:1, b:2"), ("io", "disk", "start:0xABC", "none"),
             ("io", "disk", "start:0xABC", "a:1, b:2, c:3"), ("io", "disk", "stop:0xABC", "none"),
             ("io", "disk", "stop:0xABC", "a:1")]
    want += ['KTRGRAPH group:"%s", id:"%s", %s, attributes: %s' % g for g in graph]
    events = [e for e in stream.events if "ktr_user" in e.file]
    t.eq([e.text for e in events], want, "messages")
    t.eq({e.cpu for e in events}, {1}, "CPU")
    t.eq({e.pid for e in events}, {os.getpid()}, "process")
    lines = [e.line for e in events]
    t.ok(lines == sorted(set(lines)), "lines %s" % lines)
    t.eq({os.path.basename(e.file) for e in events}, {"ktr_user.c"}, "file")
    t.eq(stream.lost, {}, "lost events")


@case(guest="ktr")
def classes(t):
    "Each class alone is recorded while its bit is on and no other; a mask of several by any of them; none with mask 0."
    user(t)
    for bit in range(32):
        fresh(t, 1 << bit)
        do("classes")
        want = ["class %d" % bit]
        want += ["net or inet"] * (bit in (1, 21)) + ["vm or ptrace"] * (bit in (20, 31))
        t.eq([e.text for e in ktrstream.read().events if "ktr_user" in e.file], want, "mask %#x" % (1 << bit))
    fresh(t, 0)
    do("classes")
    t.eq(ktrstream.read().texts, [], "mask 0")


@case(guest="ktr")
def strings(t):
    "What %s points to is copied at once; NULL and addresses that are none are told; what is too long is cut, and says so."
    user(t)
    fresh(t, OURS)
    do("strings")
    events = [e for e in ktrstream.read().events if e.text.startswith("string")]
    t.eq([(e.text, e.cut) for e in events], [
        ("string kept and constant", False), ("string null (null)", False), ("string bad (fault)", False),
        ("string worse (fault)", False), ("string hole (fault)", False),
        ("string vsyscall (fault)", False), ("string long " + "x" * 79, True),
        ("string mixed 5 one     two", False), ("string second is cut %s %s" % ("x" * 69, "x" * 9), True)], "messages")


@case(guest="ktr")
def contexts(t):
    "Events of tasks, with interrupts off, of timers, of hard and soft interrupts, from other CPUs, and of NMIs if there are."
    user(t)
    fresh(t, OURS)
    before = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    do("contexts")
    after = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    stream = ktrstream.read()
    events = [e for e in stream.events if e.text.startswith("context")]
    t.eq(sorted(e.text for e in events), ["context " + x for x in (
        "hrtimer 1", "ipi 0", "ipi 1", "irq_work 1", "irqs off 1", *["nmi 1"] * (not ARM), "process 1", "timer 1")],
         "contexts")
    t.ok(all(before <= e.timestamp <= after for e in events), "timestamps are not of CLOCK_MONOTONIC")
    wall = events[0].timestamp + stream.wall
    t.ok(abs(wall - time.time_ns()) < 10e9, "wall clock is off by %d ns" % (wall - time.time_ns()))
    t.eq(stream.lost, {}, "lost events")


def numbers(stream, cpu=None):
    return [int(e.text.split()[1]) for e in stream.events if e.text.startswith("many") and cpu in (None, e.cpu)]


@case(guest="ktr")
def entries(t):
    "The newest entries of each CPU are kept, through changes of their number, as far as there is room; clear empties."
    user(t)
    fresh(t, OURS, 100)
    do("many 1000", cpu=0)
    do("many 50", cpu=1)
    stream = ktrstream.read()
    t.eq(stream.entries, 100, "entries of the stream")
    t.eq(numbers(stream, 0), list(range(900, 1000)), "events of CPU 0")
    t.eq(numbers(stream, 1), list(range(50)), "events of CPU 1")
    for size in 1000, 60, 2000, 60, 10:
        t.sysctl("debug.ktr.entries", size)
        have = numbers(ktrstream.read(), 0)
        least = min(size, 60 if size < 100 or have[0] > 900 else 100)
        t.ok(len(have) >= least and have == list(range(1000 - len(have), 1000)), "%d entries: %s" % (size, have))
        t.eq(numbers(ktrstream.read(), 1), list(range(50 - min(50, size), 50)), "CPU 1, %d entries" % size)
    store("clear", 0)
    t.eq(len(numbers(ktrstream.read())), 20, "events after 0 to clear")
    store("clear", 1)
    t.eq(ktrstream.read().texts, [], "events after clear")
    do("many 3")
    t.eq(numbers(ktrstream.read()), [0, 1, 2], "events after clear, and three more")


@case(guest="ktr")
def largest(t):
    "As many entries as there may be: they are there, or it is an error and nothing has changed."
    user(t)
    fresh(t, OURS, 100)
    do("many 10", cpu=0)
    for size in 1048576, 1000:
        got = error(store, "entries", size)
        t.ok(got in (None, "ENOMEM"), got)
        t.eq(t.sysctl("debug.ktr.entries"), "100" if got else str(size), "entries after %s" % got)
        t.eq(numbers(ktrstream.read()), list(range(10)), "events after %s" % got)


@case(guest="ktr")
def cpumask(t):
    "Only the CPUs of cpumask are recorded: hexadecimal words, or a list; CPUs that are not there do not count."
    user(t)
    fresh(t, OURS)
    t.sysctl("debug.ktr.cpulist", "0-1")
    for name, text, want, mask in [
            ("cpumask", "2", [1], 2), ("cpumask", "0x1", [0], 1), ("cpulist", "1", [1], 2), ("cpumask", "0", [], 0),
            ("cpulist", "0-1", [0, 1], 3), ("cpumask", "ffffffff,fffffffe", [1], 2), ("cpulist", "0,5-9", [0], 1),
            ("cpumask", "f" * 8 + ",00000000", [], 0), ("cpumask", "3", [0, 1], 3)]:
        t.sysctl("debug.ktr." + name, text)
        t.eq(int(t.sysctl("debug.ktr.cpumask").replace(",", ""), 16), mask, "cpumask of " + text)
        store("clear", 1)
        for cpu in 0, 1:
            do("many 3", cpu=cpu)
        t.eq([e.cpu for e in ktrstream.read().events], [c for c in want for _ in range(3)], "CPUs with " + text)


FLOOD = re.compile(r"flood (timer )?cpu (\d) event (\d+)$")


def floods(t, stream):
    """Checks order (in time) and texts; returns the numbers of the events, by CPU and source."""
    found = {}
    for e in sorted(stream.events, key=lambda e: e.timestamp):
        match = FLOOD.match(e.text)
        t.ok(match and int(match.group(2)) == e.cpu, "not an event: %r of CPU %d" % (e.text, e.cpu))
        found.setdefault((e.cpu, bool(match.group(1))), []).append(int(match.group(3)))
    for key, have in found.items():
        t.ok(all(a < b for a, b in zip(have, have[1:])), "order of %s" % (key,))
    return found


@case(guest="ktr", timeout=180)
def resize(t):
    "Rings are resized while both CPUs and their timers record: every event is there, or counted as lost."
    user(t)
    count = 3000
    fresh(t, OURS, 16384)
    process = background(t, "flood %d 200" % count)
    rounds = 0
    while process.poll() is None or rounds < 3:
        for size in 32768, 16384:
            store("entries", size)
        rounds += 1
    ended(t, process)
    stream = ktrstream.read()
    found = floods(t, stream)
    t.eq(sorted(k for k in found if not k[1]), [(0, False), (1, False)], "CPUs")
    for cpu in 0, 1:
        timers = found.get((cpu, True), [])
        missing = count - len(found[cpu, False]) + (timers[-1] + 1 - len(timers) if timers else 0)
        # The last events of the timers may be among the lost: how many there were is not known.
        t.ok(missing <= stream.lost.get(cpu, 0), "CPU %d: %d are missing, %d counted as lost" % (
            cpu, missing, stream.lost.get(cpu, 0)))
    print("# resized %d times, %d timer events, lost %s" % (
        2 * rounds, sum(len(v) for k, v in found.items() if k[1]), stream.lost))


@case(guest="ktr", timeout=180)
def snapshots(t):
    "Snapshots while both CPUs record: every event in them is whole and in order."
    user(t)
    fresh(t, OURS, 2000)
    process, total, rounds = None, 0, 0
    while rounds < 20 or total <= 2000 or process.poll() is None:
        if process is None or process.poll() is not None:
            store("clear", 1)
            process = background(t, "flood 1000000")
        total += sum(len(v) for v in floods(t, ktrstream.read()).values())
        rounds += 1
    ended(t, process)
    found = floods(t, ktrstream.read())
    for cpu in 0, 1:
        have = found[cpu, False]
        t.eq(have, list(range(1000000 - len(have), 1000000)), "the last events of CPU %d" % cpu)
    print("# %d snapshots, %d events" % (rounds, total))


@case(guest="ktr", timeout=400)
def rough(t):
    "Everything at once: NMIs, resizing, clearing, masks, CPUs, snapshots, while both CPUs record ten million events."
    user(t)
    fresh(t, OURS, 1000)
    processes = [background(t, what) for what in ("flood 5000000", "flood 20000 100", "nmis 3000")]
    t.sysctl("debug.ktr.cpumask", "3")
    rounds = 0
    while any(p.poll() is None for p in processes):
        for name, value in [("entries", 1), ("clear", 1), ("entries", 3000), ("mask", 0), ("cpumask", 1), ("mask", OURS),
                            ("entries", 500), ("cpumask", 2), ("clear", 1), ("cpumask", 3)]:
            store(name, value)
        for e in ktrstream.read().events:
            t.ok(FLOOD.match(e.text) or e.text == NMI, "not an event: %r" % e.text)
        rounds += 1
    for p in processes:
        ended(t, p)
    store("clear", 1)
    do("many 5", cpu=1)
    t.eq(numbers(ktrstream.read()), list(range(5)), "events afterwards")
    print("# %d rounds" % rounds)


@case(guest="ktr")
def unload(t):
    "Messages of a module that is gone stay as they were; ktr.ko is in use by it, and goes when nobody needs it."
    user(t)
    fresh(t, OURS | INIT)
    do("many 2")
    t.run(["rmmod", "ktr"], status=1)
    for _ in range(3):
        t.run(["rmmod", "ktr_user"])
        # Other modules where it was.
        t.run(["modprobe", "-a", "loop", "dummy"], status=None)
        t.run(["modprobe", "-r", "loop", "dummy"], status=None)
        user(t)
    texts = [e.text for e in sorted(ktrstream.read().events, key=lambda e: e.timestamp)]
    t.eq([x for x in texts if x.startswith("many")], ["many 0", "many 1"], "messages of before")
    t.eq([x for x in texts if x.startswith("user of")], ["user of ktr: exit", "user of ktr: init"] * 3, "coming and going")
    # One place in the source is one format, however often its module comes.
    formats = [f for f in ktrstream.read().formats.values() if f[2] == "user of ktr: init"]
    t.eq(len(formats), 1, "formats")


@case(guest="ktr", timeout=240)
def unload_busy(t):
    "rmmod while system calls, locks and the scheduler are recorded, to a file and the console: an open device holds it."
    os.chmod(t.dir, 0o755)
    path = os.path.join(t.dir, "ktr.out")
    t.undo.append(lambda: t.run(["sh", "-c", "modprobe -r ktr; modprobe ktr"]))
    others = [t.start(["sh", "-c", "while :; do cat /proc/sys/debug/ktr/* >/dev/null 2>&1; done"]) for _ in range(2)]
    t.run(["modprobe", "-r", "ktr"])
    for _ in range(3):
        t.run(["modprobe", "ktr", "mask=0x20002008", "verbose=1", "alq_enable=1", "alq_file=" + path])
        with open("/dev/ktr", "rb") as f:
            t.run(["rmmod", "ktr"], status=1)
            t.eq(f.read(8), b"KTRstrm\n", "the device")
        t.run(["rmmod", "ktr"])
        t.ok(os.path.getsize(path) > 1000, "no events in the file")
    for p in others:
        p.kill()
        p.wait()
    t.sysctls.clear()
    t.kernel_log()


@case(guest="ktr")
def parameters(t):
    "modprobe ktr with entries, mask, cpumask and verbose, as the loader's tunables; wrong ones are refused."
    t.undo.append(lambda: t.run(["sh", "-c", "modprobe -r ktr; modprobe ktr"]))
    t.run(["modprobe", "-r", "ktr"])
    t.ok(not os.path.exists("/dev/ktr") and not os.path.exists("/proc/sys/debug/ktr"), "something is left")
    t.run(["modprobe", "ktr", "entries=5000", "mask=0x20", "cpumask=0x2"])
    t.eq(t.sysctl("debug.ktr.entries"), "5000", "entries")
    t.eq(t.sysctl("debug.ktr.mask"), "0x20", "mask")
    t.eq(t.sysctl("debug.ktr.cpulist"), "1", "cpulist")
    user(t)
    for cpu in 0, 1:
        do("many 2", cpu=cpu)
    t.eq([e.cpu for e in ktrstream.read().events], [1, 1], "CPUs of the events")
    t.run(["rmmod", "ktr_user"])
    t.run(["modprobe", "-r", "ktr"])
    for bad in "entries=0", "entries=1048577", "mask=0x100000000", "cpumask=x", "formats=1", "format_text=1":
        t.run(["modprobe", "ktr", bad], status=1)
    t.ok(any("ktr: " in line for line in t.kernel_log()), "the kernel's log says nothing")
    # No room for the formats: events without, and a count.
    t.run(["modprobe", "ktr", "mask=0x21", "formats=16", "format_text=4096"])
    user(t)
    do("macros")
    do("classes")
    do("strings")
    do("contexts")
    store("mask", 0)
    stream = ktrstream.read()
    t.ok(len(stream.formats) <= 16, "formats")
    none = sum(e.format == 0 for e in stream.events)
    t.ok(none > 5, "%d events have no format" % none)
    t.eq(t.sysctl("debug.ktr.lost"), "nested=0 format=%d" % none, "what the counter says")
    t.run(["rmmod", "ktr_user"])
    t.sysctls.clear()


@case(guest="ktr")
def options(t):
    "KTR_ENTRIES, KTR_MASK, KTR_CPUMASK, KTR_COMPILE, KTR_VERBOSE and KTR_ALQ of the build are the settings at first."
    t.undo.append(lambda: t.run(["sh", "-c", "rmmod ktr_user; rmmod ktr; modprobe ktr; rm -f /tmp/ktr.out"]))
    t.run(["modprobe", "-r", "ktr"])
    t.run(["insmod", os.path.join(BIN, os.uname().release, "options", "ktr.ko")])
    for name, want in [("entries", "2222"), ("mask", "0x24"), ("cpulist", "1"), ("compile", "0xffffdfff"), ("verbose", "2"),
                       ("alq_enable", "1"), ("alq_file", "/tmp/ktr.out"), ("alq_depth", "2222")]:
        t.eq(t.sysctl("debug.ktr." + name), want, name)
    store("verbose", 0)
    t.run(["insmod", os.path.join(BIN, os.uname().release, "ktr_user.ko")])
    for cpu in 0, 1:
        do("many 3", cpu=cpu)
    store("alq_enable", 0)
    t.eq([(e.cpu, e.text) for e in ktrstream.read("/tmp/ktr.out").events], [(1, "many %d" % i) for i in range(3)], "events")
    # What was not compiled in: the module's own events of a class.
    store("mask", SYSC)
    t.run(["true"])
    store("mask", 0)
    t.eq([e.text for e in ktrstream.read().events], [], "events of KTR_SYSC")
    # A parameter goes before an option.
    t.run(["rmmod", "ktr_user", "ktr"])
    t.run(["insmod", os.path.join(BIN, os.uname().release, "options", "ktr.ko"), "alq_enable=0", "entries=77", "mask=0",
           "cpumask=3", "verbose=0"])
    for name, want in [("entries", "77"), ("mask", "0x0"), ("cpulist", "0-1"), ("verbose", "0"), ("alq_enable", "0")]:
        t.eq(t.sysctl("debug.ktr." + name), want, name + " as a parameter")


@case(guest="locked")
def lockdown(t):
    "In lockdown (confidentiality) nobody is shown events: not by /dev/ktr, a file or the console."
    t.sysctl("debug.ktr.mask", SCHED)
    store("crash", 5)
    security = "/sys/kernel/security"
    t.run(["sh", "-c", "mountpoint -q %s || mount -t securityfs securityfs %s" % (security, security)])
    with open(security + "/lockdown", "w", encoding="ascii") as f:
        f.write("confidentiality")
    t.eq(error(os.open, "/dev/ktr", os.O_RDONLY), "EPERM", "/dev/ktr")
    for name in "alq_enable", "verbose", "crash":
        t.eq(error(store, name, 1), "EPERM", name)
    for name, want in ("alq_enable", "0"), ("verbose", "0"), ("crash", "5"):
        t.eq(t.sysctl("debug.ktr." + name), want, name + " afterwards")
        store(name, 0)
    t.sysctls.clear()
    store("mask", 0)
    t.kernel_log()      # what lockdown says


@case(guest="ktr", timeout=120)
def offline(t):
    "A CPU that is taken out keeps its events, through a change of their number, and records again when it is back."
    path = "/sys/devices/system/cpu/cpu1/online"

    def online(value):
        with open(path, "w", encoding="ascii") as f:
            f.write(str(value))

    user(t)
    fresh(t, OURS)
    do("many 5", cpu=1)
    online(0)
    t.undo.append(lambda: online(1))
    t.eq(numbers(ktrstream.read(), 1), list(range(5)), "events of a CPU that is out")
    store("entries", 3)
    t.eq(numbers(ktrstream.read(), 1), [2, 3, 4], "events after a change")
    online(1)
    do("many 1", cpu=1)
    t.eq(numbers(ktrstream.read(), 1), [3, 4, 0], "events when it is back")


@case(guest="ktr")
def pieces(t):
    "The stream is the same in whatever pieces it is read; reading again needs another open."
    user(t)
    fresh(t, OURS)
    do("strings")
    with open("/dev/ktr", "rb", buffering=0) as f, open("/dev/ktr", "rb", buffering=0) as g:
        whole = b"".join(iter(lambda: f.read(1 << 20), b""))
        single = b"".join(iter(lambda: g.read(7), b""))
        t.eq(f.read(100), b"", "read at the end")
        t.eq(error(f.seek, 0), "ESPIPE", "seek")
    # The headers differ in the clock's offset.
    t.eq(single[104:], whole[104:], "the stream in pieces of 7 bytes")
    t.eq(len(ktrstream.Stream(whole).events), 9, "events")
    with open("/dev/ktr", "rb", buffering=0) as f:
        pid = subprocess.Popen(["cat"], stdin=f, stdout=subprocess.PIPE)
        t.eq(pid.communicate()[0][104:], whole[104:], "cat")


@case(guest="count", timeout=120)
def cost(t):
    "In instructions: an event whose class is off costs a jump; one that is recorded less than ftrace's and trace_printk()."
    def measure():
        with open("/sys/module/ktr_cost/parameters/ns", encoding="ascii") as f:
            return {name: int(value) / 1000 for name, value in map(str.split, f)}

    user(t, "ktr_cost")
    t.run(["sh", "-c", "mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing"])
    with open("/sys/kernel/tracing/events/ktr_cost/enable", "w", encoding="ascii") as f:
        f.write("1")
    off = measure()
    fresh(t, OURS)
    on = measure()
    print("# off: %s" % off)
    print("# on: %s" % on)
    for name in "ctr0", "ctr2", "ctr6", "ctr2_string":
        t.ok(off[name] <= 5, "%s, off: %g" % (name, off[name]))
    t.eq(len(numbers(ktrstream.read())), 0, "other events")
    t.eq(len(ktrstream.read().events), 1024, "events")
    for name, others in [("ctr2", ("trace_event", "trace_printk")), ("ctr6", ("trace_event", "trace_printk")),
                         ("ctr2_string", ("trace_event_string", "trace_printk_string"))]:
        for other in others:
            t.ok(on[name] < on[other], "%s: %g, %s: %g" % (name, on[name], other, on[other]))
    t.kernel_log()      # that trace_printk() is used
