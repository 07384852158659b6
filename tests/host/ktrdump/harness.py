# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Runs ktrdump, and says what came of it."""
import os
import resource
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
KTRDUMP = os.path.abspath(os.environ.get("KTRDUMP", os.path.join(TREE, "tools", "ktrdump")))
SECONDS = 20  # for one run
ENV = {"PATH": os.environ["PATH"], "LC_ALL": "C"}

failed = 0
folder = None  # for files of the tests
ran = []  # inputs that were given: (options, data)


class Skip(Exception):
    pass


def attempt(name, test, *args):
    """The test returns, or raises."""
    global failed
    try:
        test(*args)
        print("ok ktrdump/" + name, flush=True)
    except Skip as why:
        print("skip ktrdump/%s - %s" % (name, why), flush=True)
    except (AssertionError, ValueError, KeyError, OSError, subprocess.SubprocessError) as e:
        failed = 1
        print("%s: %s: %s" % (name, type(e).__name__, e), file=sys.stderr, flush=True)
        print("not ok ktrdump/" + name, flush=True)


def expect(found, expected, what):
    if found != expected:
        raise AssertionError("%s:\n%r, expected\n%r" % (what, found, expected))


def run(*options, data=None, **more):
    return subprocess.run([KTRDUMP, *options], input=None if data is None else bytes(data), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=more.pop("seconds", SECONDS), env=more.pop("env", ENV), **more)


def keep(data, name):
    """A file of the tests."""
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def stream(data, *options):
    """What is printed for a stream, without a complaint."""
    ran.append((("-i",), bytes(data)))
    process = run("-i", "-", *options, data=data)
    expect((process.returncode, process.stderr), (0, b""), "status and errors")
    return process.stdout


def core(data, *options):
    """The same for memory."""
    ran.append((("-M",), bytes(data)))
    process = run("-M", keep(data, "core"), *options)
    expect((process.returncode, process.stderr), (0, b""), "status and errors")
    return process.stdout


def refused(message, *options, data=None, **more):
    """Nothing is printed but this message, on standard error."""
    process = run(*options, data=data, **more)
    expect((process.returncode, process.stdout), (1, b""), "status and output")
    expect(process.stderr.decode().split("\n")[0], "ktrdump: " + message, "message")


def limit_memory():
    """256 MiB, in the child."""
    resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))
