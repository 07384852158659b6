# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Events whose pictures are known, and such as nobody should trust."""
import random

from streams import Stream

STATE = b'KTRGRAPH group:"thread", id:"%s tid %d", state:"%s", attributes: prio:%d'
LOAD = b'KTRGRAPH group:"load", id:"CPU %d load", counter:%d, attributes: none'
POINT = b'KTRGRAPH group:"thread", id:"%s tid %d", point:"%s", attributes: linkedto:"%s tid %d"'
START = b'KTRGRAPH group:"disk", id:"sda", start:0x%jX, attributes: "none"'
STOP = b'KTRGRAPH group:"disk", id:"sda", stop:0x%jX, attributes: "none"'


def known():
    """Two CPUs, two threads, a counter, a request of a disk, and an event that is none of schedgraph's."""
    s = Stream()
    s.add(1000000, STATE, b"sh", 10, b"running", 120, cpu=0)
    s.add(1000000, LOAD, 0, 1, cpu=0)
    s.add(1001000, STATE, b"make", 11, b"runq add", 120, cpu=0)
    s.add(1001500, LOAD, 1, 2, cpu=0)
    s.add(1002000, POINT, b"sh", 10, b"wokeup", b"make", 11, cpu=0)
    s.add(1003000, STATE, b"make", 11, b"running", 120, cpu=1)
    s.add(1004000, START, 0xabc, cpu=1)
    s.add(1005000, b"fork: %d -> %d", 10, 11, cpu=0)
    s.add(1006000, STATE, b"sh", 10, b"sleep", 120, cpu=0)
    s.add(1007000, STOP, 0xabc, cpu=1)
    s.add(1008000, LOAD, 0, 0, cpu=0)
    s.add(1009000, STATE, b"make", 11, b"proc exit", 120, cpu=1)
    s.add(1010000, STATE, b"sh", 10, b"running", 120, cpu=1)
    s.add(1020000, LOAD, 1, 4, cpu=1)
    return s


def linked():
    """A thread that wakes another one, twice; one that is not in the trace; and a disk that is linked to a thread."""
    state = STATE + b', linkedto:"%s tid %d"'
    s = Stream()
    s.add(1000000, STATE, b"sh", 10, b"running", 120, cpu=0)
    s.add(1000100, STATE, b"make", 11, b"sleep", 120, cpu=1)
    for time in 1005000, 1025000:
        s.add(time, POINT, b"sh", 10, b"wokeup", b"make", 11, cpu=0)
        s.add(time + 300, state, b"make", 11, b"runq add", 120, b"sh", 10, cpu=0)
        s.add(time + 400, STATE, b"make", 11, b"running", 120, cpu=1)
        s.add(time + 3000, STATE, b"make", 11, b"sleep", 120, cpu=1)
    s.add(1030000, POINT, b"sh", 10, b"wokeup", b"gone", 99, cpu=0)
    s.add(1031000, b'KTRGRAPH group:"disk", id:"sda", state:"busy", attributes: linkedto:"%s tid %d"', b"make", 11, cpu=1)
    s.add(1040000, STATE, b"sh", 10, b"sleep", 120, cpu=0)
    return s


def busy(events=20000, threads=40, cpus=4):
    """Threads that run, sleep and wait, as a scheduler would have them; the same each time."""
    rng, s, time = random.Random(1), Stream(cpus=cpus), 10**9
    names = [b"cc1", b"make", b"sh", b"ld", b"kworker/0:1"]
    running, load = [None] * cpus, [0] * cpus
    ready, asleep = [], list(range(threads))
    while events > 0:
        time += rng.randrange(500, 40000)
        cpu = rng.randrange(cpus)

        def state(thread, name):
            s.add(time, STATE, names[thread % len(names)], 100 + thread, name, 120, cpu=cpu)

        if asleep and rng.random() < .4:
            thread = asleep.pop(rng.randrange(len(asleep)))
            state(thread, b"runq add")
            ready.append(thread)
            load[cpu] += 1
        else:
            if running[cpu] is not None:
                thread, load[cpu] = running[cpu], max(0, load[cpu] - 1)
                choice = rng.choice(["sleep", "blocked", "runq add"])
                state(thread, choice.encode())
                (ready if choice == "runq add" else asleep).append(thread)
            running[cpu] = ready.pop(0) if ready else None
            if running[cpu] is not None:
                state(running[cpu], b"running")
        s.add(time, LOAD, cpu, load[cpu], cpu=cpu)
        events -= 2
    return s


NASTY = [b"</script><script>window.pwned=1</script>", b"<img src=x onerror=window.pwned=1>", b"\x1b]0;x\x07\x9b", b"\xff\xfe\xc0\x80",
         b"\", \"", b"\\", b"%s%n", b"'\"`${window.pwned=1}\\", "\u2028\u202e\ufeff".encode(), b"__proto__", b"constructor", b"x" * 3000]


def nasty():
    """Names that would do something in a page, a script or a terminal."""
    s, time = Stream(), 1000
    for text in NASTY:
        for fmt in (b'KTRGRAPH group:"%s", id:"%s", state:"%s", attributes: %s', b'KTRGRAPH group:"%s", id:"%s", point:"%s", attributes: %s',
                    b'KTRGRAPH group:"%s", id:"%s", counter:%s, attributes: %s', b"%s %s %s %s"):
            time += 10
            s.add(time, fmt, text, text, text, text)
        time += 10
        s.add(time, text.replace(b"\0", b""))
        s.add(time, b'KTRGRAPH group:"thread", id:"%s", state:"running", attributes: none', text, cpu=-2**31)
    s.add(2**64 - 1, b"the end of time")
    return s
