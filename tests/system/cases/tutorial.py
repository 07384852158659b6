# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""docs/TUTORIAL.md and the sessions of README.md: what they show is what comes out, typed by an ordinary user.

With BPF those that use ktruss are typed by root.
"""
import os
import socket
import subprocess
import threading

import tutorial
from cases.bpf import keep_recorder
from ktest import TREE, Fail, case

USER_HOME = "/home/user"

# In the guest where it may be read: what goes between "ktrace" and what the text says. BPF is for root: there it is
# asked for by a user's command, and traces the user's own programs.
RECORDERS = {"module": "main", "bpf": "bpf"}

BY_MODULE = """#!/bin/sh
exec /usr/bin/ktrace "$@"
"""

KTRUSS = """#!/bin/sh
exec /usr/local/bin/ktruss --bpf "$@"
"""

# The command's options are root's to carry out; the command is the user's, and stops itself until it is traced.
BY_ROOT = """#!/usr/bin/python3
import getopt, os, shutil, signal, socket, sys

def ask(argv):
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
        s.connect("%s")
        s.send(b"\\0".join(map(os.fsencode, [os.getcwd(), *argv])))
        status, said = s.recv(65536).split(b"\\0")
    os.write(2, said)
    return int(status)

options, command = getopt.getopt(sys.argv[1:], "aCcdf:g:ip:t:", ["v1"])
flags = [word for pair in options for word in pair if word]
if not command:
    sys.exit(ask(flags))
program = shutil.which(command[0])
child = os.fork()
if not child:
    os.kill(os.getpid(), signal.SIGSTOP)
    os.execv(program, command)
os.waitpid(child, os.WUNTRACED)
failed = ask([*flags, "-p", str(child)])
os.kill(child, signal.SIGCONT)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
ask(["-c", "-f", dict(options).get("-f", "ktrace.out")])
sys.exit(failed or status)
"""


def serve(listener):
    """Root's side of BY_ROOT."""
    while True:
        s, _ = listener.accept()
        folder, *argv = s.recv(65536).decode().split("\0")
        p = subprocess.run(["ktrace", "--bpf", *argv], cwd=folder, stderr=subprocess.PIPE, check=False)
        name = argv[argv.index("-f") + 1] if "-f" in argv else "ktrace.out"
        if os.path.exists(os.path.join(folder, name)):
            os.chown(os.path.join(folder, name), 1000, 1000)
        s.send(b"%d\0%s" % (p.returncode, p.stderr))
        s.close()


def write_program(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)
    os.chmod(path, 0o755)


def write_ktrace(t, commands, recorder):
    """What "ktrace" in the text is."""
    text = BY_MODULE
    if recorder == "bpf":
        keep_recorder(t)
        address = os.path.join(t.dir, "root")
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(address)
        os.chmod(address, 0o666)
        listener.listen()
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        text = BY_ROOT % address
        write_program(os.path.join(commands, "ktruss"), KTRUSS)
    write_program(os.path.join(commands, "ktrace"), text)


def session(t, steps, recorder):
    """Runs the commands of a section, in a folder and a home of their own, and compares what is printed.

    Twice, so that it is seen not to depend on what was there; with BPF that is no other question.
    """
    commands = os.path.join(t.dir, "bin")
    os.mkdir(commands)
    write_ktrace(t, commands, recorder)
    by_root = recorder == "bpf" and any("ktruss" in line for step in steps for line in step.command)
    who = {} if by_root else {"user": 1000, "group": 1000, "extra_groups": []}
    env = dict(os.environ, PATH=commands + ":" + os.environ["PATH"], HOME=USER_HOME, USER="user", LANG="C.UTF-8")
    for _ in range(2 if recorder == "module" else 1):
        t.run(["sh", "-c", "find . -mindepth 1 -delete && mkdir try"], uid=1000, cwd=USER_HOME)
        results = tutorial.run(steps, os.path.join(USER_HOME, "try"), env=env, **who)
        t.run(["pkill", "-u", "1000"], status=None)
        for step, got in zip(steps, results):
            problem = tutorial.difference(got, step.want)
            if problem:
                raise Fail("line %d, $ %s: %s; all of it:\n%s" % (step.at, step.command[0], problem, "\n".join(got)))


def register(recorder, name, title, steps):
    def function(t):
        session(t, steps, recorder)

    function.__doc__ = '"%s": the session below that heading is what happens.' % title
    function.__module__ = __name__
    function.__name__ = name
    case(guest=RECORDERS[recorder], timeout=300)(function)


for name, file in ("tutorial", "docs/TUTORIAL.md"), ("readme", "README.md"):
    with open(os.path.join(TREE, file), encoding="utf-8") as text:
        for number, (heading, commands) in enumerate(tutorial.parse(text.read()), 1):
            for recorder in RECORDERS:
                register(recorder, "%s_%s_%d" % (recorder, name, number), heading, commands)
