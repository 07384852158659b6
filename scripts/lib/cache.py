# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The cache of scripts/vm: folders named KIND-KEY, where KEY is a digest of all that the contents were made from.

A folder is built as KIND-KEY.new.* and renamed when it is whole, so whatever is there can be used. KIND-KEY.lock is held
by who builds or removes that folder, shared by all who use it: concurrent runs build once, and nothing goes away
under them. run/ has one folder for each run, removed at its end, or by a later run if it was killed.
"""
import fcntl
import hashlib
import os
import shutil
import tempfile
import time

TOP = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "ktrace")
UNUSED_SECONDS = 24 * 3600  # what was not used for so long is removed when a newer one of its kind is built


def digest(*parts):
    """A key for texts and bytes, in this order."""
    h = hashlib.sha256()
    for part in parts:
        part = os.fsencode(part)
        h.update(b"%d:" % len(part) + part)
    return h.hexdigest()[:16]


def contents(folder, *names):
    """Name and contents of each file, for digest()."""
    parts = []
    for name in names:
        with open(os.path.join(folder, name), "rb") as f:
            parts += [name, f.read()]
    return parts


class Lock:
    """flock on a file, made if need be, from the constructor to close() or the end of the with statement.

    Fails with BlockingIOError if wait is false and somebody else has it.
    """

    def __init__(self, path, shared=False, wait=True):
        how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
        while True:
            self.fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.flock(self.fd, how)
                if os.path.samestat(os.fstat(self.fd), os.stat(path)):
                    return
            except FileNotFoundError:
                pass
            except BaseException:
                self.close()
                raise
            self.close()  # somebody has removed it in between

    def close(self):
        os.close(self.fd)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def path_of(*names):
    os.makedirs(TOP, exist_ok=True)
    return os.path.join(TOP, *names)


def cached(kind, key, build, used):
    """Returns the folder KIND-KEY, after build(folder) made it if it was not there.

    A lock that keeps it there is added to the list used, and held until the process ends.
    """
    path = path_of("%s-%s" % (kind, key))
    while True:
        lock = Lock(path + ".lock", shared=True)
        if os.path.isdir(path):
            os.utime(path)
            used.append(lock)
            return path
        lock.close()
        with Lock(path + ".lock"):
            if not os.path.isdir(path):
                make(path, build)
                remove_unused(kind)


def make(path, build):
    """Builds a folder. The caller has its lock."""
    top, prefix = os.path.split(path + ".new.")
    for name in os.listdir(top):
        if name.startswith(prefix):  # of a build that was killed
            shutil.rmtree(os.path.join(top, name), ignore_errors=True)
    new = tempfile.mkdtemp(prefix=prefix, dir=top)
    try:
        os.chmod(new, 0o755)
        build(new)
        os.rename(new, path)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def remove_unused(kind):
    """Removes what nobody has used or built for long."""
    for entry in os.scandir(TOP):
        if not entry.name.startswith(kind + "-") or not entry.is_dir():
            continue
        if time.time() - entry.stat().st_mtime < UNUSED_SECONDS:
            continue
        lock = entry.path.split(".new.")[0] + ".lock"
        try:
            with Lock(lock, wait=False):
                shutil.rmtree(entry.path, ignore_errors=True)
                os.unlink(lock)
        except OSError:
            pass


class RunFolder:
    """A folder for the files of this run; call it with a name to get a path in it."""

    def __init__(self):
        top = path_of("run")
        os.makedirs(top, exist_ok=True)
        with Lock(path_of("run.lock")):
            for name in os.listdir(top):
                old = os.path.join(top, name)
                try:
                    with Lock(os.path.join(old, "lock"), wait=False):
                        shutil.rmtree(old, ignore_errors=True)
                except OSError:
                    pass
            self.path = tempfile.mkdtemp(dir=top)
            self.lock = Lock(self("lock"))

    def __call__(self, name):
        return os.path.join(self.path, name)

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)
        self.lock.close()
