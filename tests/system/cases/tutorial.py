# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""docs/TUTORIAL.md and the sessions of README.md: what they show is what comes out, typed by an ordinary user."""
import os

import tutorial
from ktest import TREE, Fail, case

USER_HOME = "/home/user"

# How a trace is recorded: what goes between "ktrace" and what the text says.
RECORDERS = {"module": ()}


def session(t, steps, recorder):
    """Runs the commands of a section twice, in a folder and a home of their own, and compares what is printed."""
    commands = os.path.join(t.dir, "bin")
    os.mkdir(commands)
    path = os.path.join(commands, "ktrace")
    with open(path, "w", encoding="ascii") as f:
        f.write("#!/bin/sh\nexec /usr/bin/ktrace %s\"$@\"\n" % "".join(word + " " for word in recorder))
    os.chmod(path, 0o755)
    env = dict(os.environ, PATH=commands + ":" + os.environ["PATH"], HOME=USER_HOME, USER="user", LANG="C.UTF-8")
    for _ in range(2):
        t.run(["sh", "-c", "find . -mindepth 1 -delete && mkdir try"], uid=1000, cwd=USER_HOME)
        results = tutorial.run(steps, os.path.join(USER_HOME, "try"), user=1000, group=1000, extra_groups=[], env=env)
        t.run(["pkill", "-u", "1000"], status=None)
        for step, got in zip(steps, results):
            problem = tutorial.difference(got, step.want)
            if problem:
                raise Fail("line %d, $ %s: %s; all of it:\n%s" % (step.at, step.command[0], problem, "\n".join(got)))


def register(name, title, steps, options):
    def function(t):
        session(t, steps, options)

    function.__doc__ = '"%s": the session below that heading is what happens.' % title
    function.__module__ = __name__
    function.__name__ = name
    case(timeout=300)(function)


for name, file in ("tutorial", "docs/TUTORIAL.md"), ("readme", "README.md"):
    with open(os.path.join(TREE, file), encoding="utf-8") as text:
        for number, (heading, commands) in enumerate(tutorial.parse(text.read()), 1):
            for recorder, words in RECORDERS.items():
                register("%s_%s_%d" % (recorder, name, number), heading, commands, words)
