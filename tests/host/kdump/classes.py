# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""scripts/data/classes.tbl: every call is in it, and what takes a path or a descriptor in the classes of those."""
import os
import shutil
import subprocess

from signatures import load_generator

# A type of arguments -> the class that calls with one are in.
CLASSES = {"ARG_PATH": "file", "ARG_FD": "desc", "ARG_ATFD": "desc"}
# They take a descriptor for some of their many operations.
SELDOM = {"kcmp", "keyctl", "prctl", "waitid"}

# What is done to the file, and what is said then.
REFUSED = (
    ("missing", ("file: access ", "file: "), "syscalls-x86_64.tbl:24: access is in none of classes.tbl"),
    ("unknown", ("file: access ", "file: acess access "), "no ABI has a call acess"),
    ("none-too", ("none: _sysctl ", "none: _sysctl access "), "access is in a class and in none of classes.tbl"),
    ("alias", ("alias network net", "alias network nett"), "classes.tbl:8: there is no class nett"),
    ("line", ("alias network net", "alias network"), "classes.tbl:8: not CLASS: CALL..., and not alias NAME CLASS"),
)


def disagreements(generator):
    """Yields what is wrong."""
    syscalls = generator.read_syscalls()
    calls = generator.read_calls(generator.read_names(), syscalls)
    classes, masks = generator.read_classes(syscalls)
    yield from generator.problems
    for abi, known in calls.items():
        for number, call in known.items():
            name, _ = syscalls[abi][number]
            kinds = {argument.kind for variant in [call.plain] + call.variants for argument in variant.arguments}
            for kind in kinds & set(CLASSES):
                if not masks[abi][number] & classes.bits[CLASSES[kind]] and name not in SELDOM:
                    yield "%s of %s takes what makes it one of %%%s" % (name, abi, CLASSES[kind])


def refused(tree, folder):
    """Yields (name, what is wrong or None)."""
    scripts, out = os.path.join(folder, "classes"), os.path.join(folder, "classes-out")
    shutil.copytree(os.path.join(tree, "scripts"), os.path.join(scripts, "scripts"))
    path = os.path.join(scripts, "scripts", "data", "classes.tbl")
    with open(path, encoding="utf-8") as f:
        good = f.read()
    for name, (old, new), said in REFUSED:
        with open(path, "w", encoding="utf-8") as f:
            f.write(good.replace(old, new, 1))
        process = subprocess.run([os.path.join(scripts, "scripts", "gen-decode"), out], stderr=subprocess.PIPE, text=True)
        right = process.returncode == 1 and said in process.stderr and not os.path.exists(out)
        yield name, None if right else "status %d, stderr lacks \"%s\": %s" % (process.returncode, said, process.stderr)


def check(tree, folder):
    """Yields (name, what is wrong or None)."""
    yield "arguments", "\n".join(disagreements(load_generator(tree))) or None
    yield from refused(tree, folder)
