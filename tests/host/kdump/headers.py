# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""kdump's names of Linux's constants against the headers of this machine: a C program compares what they have."""
import glob
import os
import shutil
import subprocess

COMPILER = shutil.which("cc") or shutil.which("gcc")

# Tables of scripts/data/names by the header that has their constants, and how many of them that of Linux 6.1 has (older
# and newer ones have others; that enough of them are found shows that the test looks at the right place).
HEADERS = {
    "fcntl.h": {"linux_splice_flags": 4},
    "linux/capability.h": {"linux_capabilities": 41},
    "linux/close_range.h": {"linux_close_range": 2},
    "linux/eventpoll.h": {"linux_epoll_create": 1, "linux_epoll_events": 16, "linux_epoll_op": 3},
    "linux/fadvise.h": {"linux_fadvice": 6},
    "linux/falloc.h": {"linux_falloc_mode": 7},
    "linux/fcntl.h": {
        "linux_at_access": 3, "linux_at_exec": 2, "linux_at_flags": 4, "linux_at_handle": 2, "linux_at_statx": 5,
        "linux_at_unlink": 1, "linux_dnotify": 7, "linux_dup3_flags": 1, "linux_fcntl_cmd": 31, "linux_fd_flags": 1,
        "linux_flock_operation": 8, "linux_lock_type": 3, "linux_open_flags": 20, "linux_seals": 5},
    "linux/fs.h": {"linux_rename_flags": 3, "linux_rwf": 5, "linux_sync_file_range": 3, "linux_whence": 5},
    "linux/mman.h": {
        "linux_map_flags": 26, "linux_mlock2_flags": 1, "linux_mlockall_flags": 3, "linux_mremap_flags": 3,
        "linux_msync_flags": 3, "linux_prot": 7},
    "linux/openat2.h": {"linux_resolve_flags": 6},
    "linux/pidfd.h": {"linux_pidfd_open": 1},
    "linux/poll.h": {"linux_pollfd_events": 13},
    "linux/resource.h": {"linux_priority_which": 3, "linux_rlimit_resource": 16, "linux_rusage_who": 4},
    "linux/sched.h": {
        "linux_clone_flags": 27, "linux_sched_flags": 7, "linux_sched_policy": 5, "linux_unshare_flags": 14},
    "linux/signal.h": {"linux_sa_flags": 9, "linux_sigmask_how": 3, "linux_signal_handler": 2},
    "linux/signalfd.h": {"linux_signalfd_flags": 2},
    "linux/stat.h": {"linux_statx_mask": 16},
    "linux/time.h": {"linux_itimer_which": 3},
    "linux/timex.h": {"linux_adj_modes": 13, "linux_sta_status": 16},
    "linux/wait.h": {"linux_id_type": 4, "linux_wait_options": 6, "linux_waitid_options": 8},
    "linux/watch_queue.h": {"linux_pipe2_flags": 4},
    "linux/xattr.h": {"linux_xattr_flags": 2},
    "sys/eventfd.h": {"linux_eventfd_flags": 3},
    "sys/socket.h": {"linux_sockaddr_family": 35},
    "sys/stat.h": {"linux_mode": 19},
    "unistd.h": {"linux_access_mode": 4},
}


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
                    current.append((value.partition("/")[0], name.strip()))
    return tables


def program(header, tables):
    """For each table it prints its name, the names that have another value, and how many names are known."""
    text = '#include <stdio.h>\n#include <%s>\nint main(void)\n{\nint known;\n' % header
    for table, rows in tables.items():
        text += 'known = 0;\nprintf("%s");\n' % table
        for value, name in rows:
            text += ('#ifdef %s\nknown++;\nif ((unsigned long long)(%s) != %sULL)\nprintf(" %s-is-not-%s");\n#endif\n' %
                     (name, name, value, name, value))
        text += 'printf(" %d\\n", known);\n'
    return text + 'return 0;\n}\n'


def errno_program(path):
    """Prints the errors that have another name or text."""
    text = '#include <errno.h>\n#include <stdio.h>\n#include <string.h>\nint main(void)\n{\n'
    with open(path, encoding="ascii") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line[0] != "#"]
    for number, name, _, words in rows:
        text += '#ifdef %s\nif (%s != %s)\nprintf("%s is not %s\\n");\n#endif\n' % (
            ("_" if name == "-" else name,) * 2 + (number, name, number))
        # The kernel's own are unknown to libc.
        if int(number) < 512:
            text += ('#ifdef __GLIBC__\nif (strcmp(strerror(%s), "%s") != 0)\nprintf("%s: %%s\\n", strerror(%s));\n'
                     '#endif\n' % (number, words, number, number))
    return text + 'return 0;\n}\n'


def output(source, path):
    """What a C program prints, and what is wrong with it or None; nothing without a compiler."""
    with open(path + ".c", "w", encoding="ascii") as f:
        f.write(source)
    built = subprocess.run([COMPILER, "-w", "-D_GNU_SOURCE", "-o", path, path + ".c"], stderr=subprocess.PIPE,
                           text=True)
    if built.returncode:
        return "", built.stderr
    return subprocess.run([path], stdout=subprocess.PIPE, text=True).stdout, None


def check(tree, folder):
    """Yields (name, what is wrong or None); nothing without a compiler."""
    if not COMPILER:
        return
    data = os.path.join(tree, "scripts", "data")
    path = os.path.join(folder, "names")
    tables = read_tables(os.path.join(data, "names"))
    for header, least in HEADERS.items():
        text, problem = output(program(header, {table: tables[table] for table in least}), path)
        if problem:
            yield header, problem
        for line in text.splitlines():
            table, *wrong, known = line.split()
            if not wrong and int(known) < least[table]:
                wrong = ["only %s of %d constants are in <%s>" % (known, len(tables[table]), header)]
            yield table, "; ".join(wrong) or None
    text, problem = output(errno_program(os.path.join(data, "errno.tbl")), path)
    yield "errno", problem or text or None
