# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The command ktr of the kernel's debugger."""
import re

import ktrstream
from cases.ktr import OURS, do, fresh, user
from kdb import MORE, PROMPT
from ktest import Fail, case

EVENT = re.compile(r"cpu(\d) many (\d+)$")
WITH_TIME = re.compile(r"cpu(\d) \d+\.\d{9} many (\d+)$")
WITH_ALL = re.compile(r"cpu(\d) \d+\.\d{9} \S*ktr_user\.c\.\d+ many (\d+)$")
END = "--- End of trace buffer ---"
# What record() leaves, newest first.
NEWEST = [(0, n) for n in reversed(range(5))] + [(1, n) for n in reversed(range(60))]


def check(got, want, what):
    if got != want:
        raise Fail("%s: %s, not %s" % (what, got, want))


def events(lines, pattern=EVENT):
    """(CPU, number) of each line that is an event; a line that begins like one must be one."""
    out = []
    for line in lines:
        if line.startswith("cpu"):
            match = pattern.match(line)
            if not match:
                raise Fail("no event: %r" % line)
            out.append((int(match.group(1)), int(match.group(2))))
    return out


def ask(kdb, command, pattern=EVENT):
    """Gives a command; returns its events up to the pager's question, or the prompt, and all lines, and whether it asks."""
    kdb.send(command)
    lines, ending = kdb.until(MORE, PROMPT)
    return events(lines, pattern), lines, ending is MORE


def pages(kdb):
    "A page at first, Enter gives one more, a blank a page, any other key ends it."
    seen, _, more = ask(kdb, "ktr\r")
    check((len(seen) in (10, 11, 12), more), (True, True), "page of %d" % len(seen))
    page = len(seen)
    for key, size in ("\r", 1), ("\r", 1), (" ", page), ("\r", 1), (" ", page):
        got, _, more = ask(kdb, key)
        check((abs(len(got) - size) <= (size > 1), more), (True, True), "after %r: %d" % (key, len(got)))
        seen += got
    check(seen, NEWEST[:len(seen)], "events")
    for key in "x", "q", "\x1b":
        got, lines, more = ask(kdb, key)
        check((got, more, END in lines), ([], False, False), "after %r" % key)
        got, _, more = ask(kdb, "ktr\r")
        check((got, more, abs(len(got) - page) <= 1), (NEWEST[:len(got)], True, True), "once more")
    ask(kdb, "q")


def forms(kdb):
    for command, pattern in ("ktr /V", WITH_TIME), ("ktr /v", WITH_ALL), ("ktr  /V /v", WITH_ALL):
        got, _, more = ask(kdb, command + "\r", pattern)
        check((got, more), (NEWEST[:len(got)], True), command)
        check(ask(kdb, "q")[2], False, "the end of " + command)
    for command, pattern in ("ktr /a", EVENT), ("ktr /va", WITH_ALL), ("ktr /a /V", WITH_TIME):
        kdb.send(command + "\r")
        lines, _ = kdb.until(PROMPT)
        check(events(lines, pattern), NEWEST, command)
        check(END in lines, True, "the end of " + command)
    for command in "ktr /x", "ktr v", "ktr 5":
        got, lines, more = ask(kdb, command + "\r")
        check((got, more, "usage: ktr [/v|/V] [/a]" in lines), ([], False, True), command)


def talk(kdb):
    kdb.wait()
    ask(kdb, "set LINES=12\r")
    pages(kdb)
    forms(kdb)
    kdb.send("go\r")


@case(guest="kdb", dialog=talk)
def events_of(t):
    "In kdb, ktr shows the events, newest first, a page at a time or all, with time and place if asked for; and goes on."
    user(t)
    fresh(t, OURS, 100)
    do("many 60", cpu=1)
    do("many 5", cpu=0)
    with open("/proc/sysrq-trigger", "w", encoding="ascii") as f:
        f.write("g")
    do("many 2", cpu=0)
    t.eq(ktrstream.read().texts, ["many %d" % n for n in [*range(5), 0, 1, *range(60)]], "events afterwards, CPU by CPU")
