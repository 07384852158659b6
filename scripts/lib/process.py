# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Helper processes of scripts/vm, and the signals that end it: whatever happens, no process stays behind."""
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1
TIDY_SECONDS = 20  # for a helper that was asked to end
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Failure(Exception):
    """The guest cannot be made, started or used; the text says why."""


class Interrupted(Exception):
    """A signal, whose number is the argument, asked us to end."""


held = False
pending = None


def say(text):
    sys.stderr.write("vm: " + text + "\n")
    sys.stderr.flush()


def interrupt(signum, _):
    global pending
    if held:
        pending = signum
    else:
        raise Interrupted(signum)


def catch_signals():
    for signum in SIGNALS:
        signal.signal(signum, interrupt)


def ignore_signals():
    for signum in SIGNALS:
        signal.signal(signum, signal.SIG_IGN)


@contextlib.contextmanager
def signals_held():
    """Interrupted waits until the end of the block, so that a process which is started in it is known to us."""
    global held
    held = True
    try:
        yield
    finally:
        held = False
    if pending:
        raise Interrupted(pending)


def die_with_parent(signum):
    """For preexec_fn: the child gets signum when we die, however we die."""
    parent = os.getpid()

    def prepare():
        LIBC.prctl(PR_SET_PDEATHSIG, signum)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def kill_group(child, signum):
    try:
        os.killpg(child.pid, signum)
    except ProcessLookupError:
        pass


def run(argv, what, allowed=(0,), **kwargs):
    """Runs a helper in a process group of its own, which ends when we do. Failure(what) unless its status is allowed."""
    env = dict(os.environ, PATH=os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin")
    kwargs.setdefault("stdin", subprocess.DEVNULL)
    child = None
    try:
        with signals_held():
            child = subprocess.Popen(argv, start_new_session=True, env=env,
                                     preexec_fn=die_with_parent(signal.SIGTERM), **kwargs)
        status = child.wait()
    except BaseException:
        if child:
            kill_group(child, signal.SIGTERM)
            try:
                child.wait(TIDY_SECONDS)
            except subprocess.TimeoutExpired:
                pass
            kill_group(child, signal.SIGKILL)
            child.wait()
        raise
    if status not in allowed:
        raise Failure("%s (status %d)" % (what, status))


def output(argv, what, folder):
    """Like run(), returns what the helper wrote to stdout, as bytes. folder is for a temporary file."""
    with tempfile.TemporaryFile(dir=folder) as f:
        run(argv, what, stdout=f)
        f.seek(0)
        return f.read()
