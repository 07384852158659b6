# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Where and how the working tree is built for a guest of scripts/vm: see guest-root."""
import os
import re
import shutil
import subprocess

from cache import TOP, Lock, digest, path_of
from process import run

LIB = os.path.dirname(os.path.realpath(__file__))
TREE = os.path.dirname(os.path.dirname(LIB))

# Made by a build. Asked only where git does not know.
PRODUCT = re.compile(r"\.(o|ko|a|so|so\.[0-9.]+|d|cmd|mod|mod\.c|order|symvers|pyc)$")


def tree_files():
    """Names of all files of the working tree that a build has not made."""
    try:
        listed = subprocess.run(["git", "-C", TREE, "ls-files", "-z", "-c", "-o", "--exclude-standard"],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        names = set(os.fsdecode(listed).split("\0")) - {""}
    except (OSError, subprocess.CalledProcessError):
        names = set()
        for top, folders, files in os.walk(TREE):
            folders[:] = [d for d in folders if d not in (".git", "build")]
            names |= {os.path.relpath(os.path.join(top, f), TREE) for f in files if not PRODUCT.search(f)}
    return sorted(name for name in names if os.path.isfile(os.path.join(TREE, name)))


def tree_lock():
    """Held by who builds: the builds for all kernels leave the tools in the same place of the tree."""
    return Lock(path_of("tree-%s.lock" % digest(TREE)))


def same(one, other):
    try:
        with open(one, "rb") as f, open(other, "rb") as g:
            return f.read() == g.read() and os.stat(one).st_mode == os.stat(other).st_mode
    except FileNotFoundError:
        return False


def copy_tree(folder):
    """Makes folder a copy of the tree's files. What has not changed keeps its time, and what was built there stays."""
    names = tree_files()
    memory = os.path.join(folder, ".copied")
    try:
        with open(memory, "rb") as f:
            gone = set(os.fsdecode(f.read()).split("\0")) - {""} - set(names)
    except FileNotFoundError:
        gone = set()
    for name in gone:
        if os.path.exists(os.path.join(folder, name)):
            os.unlink(os.path.join(folder, name))
    for name in names:
        source, target = os.path.join(TREE, name), os.path.join(folder, name)
        if not same(source, target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)
    with open(memory, "wb") as f:
        f.write(os.fsencode("\0".join(names)))


def build_tree(kernel, guest):
    """The tree to build in for a guest: this one, or a copy if another compiler will leave its products there. The caller
    has the lock."""
    if not any(os.path.exists(os.path.join(guest, part)) for part in ("root", "cross")):
        return TREE
    folder = os.path.join(TREE, "build", "guest-" + kernel)
    os.makedirs(folder, exist_ok=True)
    copy_tree(folder)
    return folder


def kernel_release(guest):
    with open(os.path.join(guest, "kver"), encoding="ascii") as f:
        return f.read().strip()


def module_folder(tree, guest):
    """Where in a tree from build_tree() the modules for a guest are built: what has not changed need not be, again."""
    return os.path.join(tree, "build", "stage", kernel_release(guest))


def make(guest, tree, *arguments):
    """Runs make in a tree from build_tree(), with the guest's compiler. It sees the whole of this tree, and the cache."""
    run([os.path.join(LIB, "guest-root"), guest, TREE, TOP, "--", "make", "-s", "-C", tree, *arguments],
        "make %s failed" % " ".join(arguments))
