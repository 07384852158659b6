# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""kdump's names of Linux's constants against the headers of this machine: a C program compares what they have."""
import glob
import os
import shutil
import subprocess

# Table of scripts/data/names, the header that has its constants, and how many of them the header of Linux 6.1 has
# (older and newer ones have others; that enough of them are found shows that the test looks at the right place).
TABLES = (
    ("linux_capabilities", "linux/capability.h", 41),
    ("linux_sockaddr_family", "sys/socket.h", 35),
    ("linux_sa_flags", "linux/signal.h", 9),
    ("linux_adj_modes", "linux/timex.h", 13),
    ("linux_sta_status", "linux/timex.h", 16),
    ("linux_sched_policy", "linux/sched.h", 5),
    ("linux_sched_flags", "linux/sched.h", 7),
    ("linux_clone_flags", "linux/sched.h", 27),
    ("linux_open_flags", "linux/fcntl.h", 20),
    ("linux_resolve_flags", "linux/openat2.h", 6),
    ("linux_epoll_events", "linux/eventpoll.h", 16),
    ("linux_pollfd_events", "linux/poll.h", 13),
)


def read_tables(folder):
    """Table name -> list of (value, name), both text."""
    tables = {}
    for path in glob.glob(os.path.join(folder, "*.tbl")):
        with open(path, encoding="ascii") as f:
            for line in f:
                if line.startswith("table "):
                    current = tables.setdefault(line.split()[1], [])
                elif line.strip() and not line.startswith("#"):
                    value, name = line.split(None, 1)
                    current.append((value.partition("/")[0], name))
    return tables


def program(header, rows):
    """Prints the names that have another value, and how many it knows."""
    text = '#include <stdio.h>\n#include <%s>\nint main(void)\n{\nint known = 0;\n' % header
    for value, name in rows:
        name = name.strip()
        text += ('#ifdef %s\nknown++;\nif ((unsigned long long)(%s) != %sULL)\nprintf("%s is not %s\\n");\n#endif\n' %
                 (name, name, value, name, value))
    return text + 'printf("%d\\n", known);\nreturn 0;\n}\n'


def check(tree, folder):
    """Yields (name, what is wrong or None); nothing without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        return
    tables = read_tables(os.path.join(tree, "scripts", "data", "names"))
    path = os.path.join(folder, "names")
    for table, header, least in TABLES:
        with open(path + ".c", "w", encoding="ascii") as f:
            f.write(program(header, tables[table]))
        built = subprocess.run([compiler, "-w", "-o", path, path + ".c"], stderr=subprocess.PIPE, text=True)
        if built.returncode:
            yield table, built.stderr
            continue
        *wrong, known = subprocess.run([path], stdout=subprocess.PIPE, text=True).stdout.splitlines()
        if not wrong and int(known) < least:
            wrong = ["only %s of %d constants are in <%s>" % (known, len(tables[table]), header)]
        yield table, "; ".join(wrong) or None
