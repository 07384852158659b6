# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Options that mean nothing to a view are refused; those that mean something are not."""
from cases import case

LINES = ("-A", "-c", "-E", "-H", "-R", "-T", "--duration")
VALUES = ("-n", "-r", "-s", "-m 3", "--fds")
FILTERS = ("-e read", "--failed", "--ok")
# View: options that it refuses, of those that it takes some.
VIEWS = (
    ("--tree", LINES + VALUES + FILTERS + ("-S", "-d", "-t c")),
    ("--summary", LINES + VALUES + ("-S", "-d", "-t c")),
    ("--summary=process", LINES + VALUES + ("-S", "-d", "-t c")),
    ("--json", LINES + ("-S", "-d")),
    ("--truss", ("-A", "-c", "-H", "-d")),
    ("--html", LINES),
    ("--perfetto", LINES),
    ("--stats", LINES + VALUES + FILTERS + ("-S", "-d", "-t c", "-p 1", "-l", "--until-exit")),
)
ALL = LINES + VALUES + FILTERS + ("-S", "-d", "-t c", "-p 1")


for VIEW, REFUSED in VIEWS:
    for OPTION in REFUSED:
        for OPTIONS in ("%s %s" % (VIEW, OPTION), "%s %s" % (OPTION, VIEW)):
            case("view.refused %s" % OPTIONS, b"", OPTIONS, "", "kdump: %s has no effect with %s: leave it out\n" %
                 (OPTION.split()[0], VIEW.split("=")[0]))
case("view.abbreviated", b"", "--dur --tree", "", "--duration has no effect with --tree: leave it out")
for OPTION in ALL:
    case("view.text %s" % OPTION, b"", OPTION, "")
for OPTION in VALUES + FILTERS + ("-t c", "-p 1"):
    case("view.truss %s" % OPTION, b"", "--truss " + OPTION, "")
    case("view.json %s" % OPTION, b"", "--json " + OPTION, "")
