# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Memory that does not grow with the file: files twice as large as what kdump may have, in every view."""
import os
import resource
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
sys.path.insert(0, os.path.join(TREE, "scripts", "lib"))
import workload  # noqa: E402

SECONDS = 120
MEMORY = 64 << 20  # of address space, programs and libraries included
SIZE = 2 * MEMORY

VIEWS = {
    "text": [],
    "fds": ["--fds"],
    "filter": ["-e", "status=failed"],
    "json": ["--json"],
    "summary": ["--summary=process"],
    "tree": ["--tree"],
    "truss": ["--truss"],
    "html": ["--html"],
    "perfetto": ["--perfetto"],
}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def make(path):
    """Programs that go on and on, and processes that begin and end."""
    with open(path, "wb") as f:
        workload.write(f, 100000)
        size = f.tell()
    with open(path, "rb") as f:
        data = f.read()
    with open(path, "ab") as f:
        for _ in range(SIZE // size):
            f.write(data)


def check(kdump, env, folder):
    """(name, what is wrong or None) of each view."""
    path = os.path.join(folder, "much")
    make(path)
    for name, options in VIEWS.items():
        process = subprocess.run([kdump, "-f", path] + options, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, env=env, timeout=SECONDS, preexec_fn=limit)
        problem = None
        if process.returncode or process.stderr:
            problem = "status %d, %s" % (process.returncode, process.stderr.decode("utf-8", "backslashreplace"))
        yield name, problem
    os.unlink(path)
