# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""kdump -l and --until-exit: files that grow, are cut, moved and replaced, and pipes."""
import os
import random
import select
import shutil
import signal
import struct
import subprocess

from cases import NONE
from craft import LINUX64, NAMEI, NOW, PROCCTOR, PROCDTOR, ctor, names, names_text, v0

SECONDS = 20
LOOKS = 0.5  # in which kdump looks for more several times

HERE = os.path.dirname(os.path.realpath(__file__))


class Follower:
    """kdump -l on a file that grows."""

    def __init__(self, kdump, env, path, options=("-l",), stdin=subprocess.DEVNULL):
        self.process = subprocess.Popen([kdump, *options, "-f", path], stdin=stdin, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=env)
        self.output = b""

    def wait_for(self, size):
        """Until so many bytes came."""
        while len(self.output) < size:
            ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not data:
                return False
            self.output += data
        return True

    def goes_on(self):
        """Does it look again and again?"""
        try:
            self.process.wait(LOOKS)
        except subprocess.TimeoutExpired:
            return True
        return False

    def stop(self, signo=signal.SIGINT):
        self.process.send_signal(signo)
        return self.end()

    def end(self):
        try:
            rest, error = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            rest, error = self.process.communicate()
        self.output += rest
        return subprocess.CompletedProcess([], self.process.returncode, self.output, error)


class Cases:
    """Each method is one, and returns what is wrong or None."""

    def __init__(self, tree, kdump, env, folder, compare):
        self.tree = tree
        self.kdump = kdump
        self.env = env
        self.folder = folder
        self.path = os.path.join(folder, "growing")
        self.compare = compare

    def follower(self, options=("-l",), path=None, **more):
        return Follower(self.kdump, self.env, path or self.path, options, **more)

    def create(self, data=b""):
        """The file, anew, and open for writing."""
        if os.path.exists(self.path):
            os.unlink(self.path)
        f = open(self.path, "wb", buffering=0)
        f.write(data)
        return f

    def arrived(self, follower, text):
        return None if follower.wait_for(len(text)) else "nothing came, only %s" % follower.output[-200:]

    def growing(self, sizes):
        """200 records in pieces; and what comes after all this is shown before it ends."""
        data, text = names(200), names_text(200)
        with self.create() as f:
            follower = self.follower()
            at = 0
            while at < len(data):
                size = next(sizes)
                f.write(data[at:at + size])
                at += size
            problem = self.arrived(follower, text)
            f.write(names(1))
            process = follower.stop()
        return problem or self.compare(process, text + names_text(1), None)

    def bytes(self):
        return self.growing(iter(lambda: 7, None))

    def records(self):
        return self.growing(iter(lambda: 63, None))

    def blocks(self):
        return self.growing(iter(lambda: 4096, None))

    def pieces(self):
        rng = random.Random(1)
        return self.growing(iter(lambda: rng.choice((1, 3, 55, 56, 57, 62, 63, 64, 500)), None))

    def partial(self):
        with self.create(names(2)[:-5]):
            follower = self.follower()
            problem = self.arrived(follower, names_text(1))
            process = follower.stop(signal.SIGTERM)
        return problem or self.compare(process, names_text(1), None)

    def partial_headers(self):
        """kdump has seen the end of the file at each byte of a header."""
        data = names(2)
        with self.create(data[:63]) as f:
            follower = self.follower()
            problem = self.arrived(follower, names_text(1))
            for cut in (64, 66, 68, 72, 100, 118):
                f.write(data[f.tell():cut])
                if not follower.goes_on():
                    break
            f.write(data[f.tell():])
            problem = problem or self.arrived(follower, names_text(2))
            process = follower.stop()
        return problem or self.compare(process, names_text(2), None)

    def truncated(self):
        with self.create(names(2)) as f:
            follower = self.follower()
            follower.wait_for(len(names_text(2)))
            f.truncate(10)
            process = follower.end()
        return self.compare(process, names_text(2), "cut off")

    def renamed(self):
        with self.create(names(1)) as f:
            follower = self.follower()
            problem = self.arrived(follower, names_text(1))
            os.rename(self.path, self.path + ".old")
            f.write(names(2)[63:])
            problem = problem or self.arrived(follower, names_text(2))
            process = follower.stop()
        return problem or self.compare(process, names_text(2), None)

    def replaced(self):
        """What it has open is what it follows."""
        with self.create(names(1)) as f:
            follower = self.follower()
            problem = self.arrived(follower, names_text(1))
            with self.create(names(50)):
                f.write(names(2)[63:])
                problem = problem or self.arrived(follower, names_text(2))
            process = follower.stop()
        return problem or self.compare(process, names_text(2), None)

    def piped(self, end, stderr):
        reader, writer = os.pipe()
        follower = self.follower(path="-", stdin=reader)
        os.close(reader)
        os.write(writer, names(3)[:-5])
        problem = self.arrived(follower, names_text(2))
        os.write(writer, end)
        os.close(writer)
        process = follower.end()
        return problem or self.compare(process, names_text(2 if stderr else 3), stderr)

    def pipe(self):
        return self.piped(names(3)[-5:], None)

    def pipe_cut(self):
        return self.piped(b"", "ends within a record")

    def nobody_reads(self):
        with self.create(names(2)):
            follower = self.follower()
            follower.wait_for(1)
            follower.process.stdout.close()
            follower.process.stdout = None
            status = follower.process.wait(SECONDS)
        error = follower.process.stderr.read()
        follower.process.stderr.close()
        return None if status == 1 and not error else "status %d, %s" % (status, error)

    def until(self, before, last, options=("--until-exit",), text=None):
        """It goes on before the last records, and ends by itself after them."""
        with self.create(before) as f:
            follower = self.follower(options)
            problem = None if follower.goes_on() else "it ended too early"
            f.write(last)
            process = follower.end()
        text = names_text(1) if text is None else text
        return problem or self.compare(process, text, None, "" if text else NONE)

    def until_exit(self):
        return self.until(begun(700) + begun(701) + names(1) + ended(700), ended(701))

    def until_exit_child(self):
        """One that begins after all others ended, in what is read at once."""
        return self.until(begun(700) + names(1) + ended(700) + begun(701), ended(701))

    def until_exit_late(self):
        """Records of a process that has ended do not bring it back."""
        return self.until(begun(700), ended(700) + names(1))

    def until_exit_again(self):
        """A process's number may be used again."""
        return self.until(begun(700) + ended(700) + begun(700), names(1) + ended(700))

    def until_exit_pid(self):
        return self.until(begun(700) + begun(701) + names(1), ended(701) + names(1), ("--until-exit", "-p", "701"), text=b"")

    def until_exit_thread(self):
        one = v0(NAMEI, b"/000000", tid=812)
        return self.until(begun(701) + begun(700) + one + ended(701), ended(700), ("--until-exit", "-p", "812"))

    def until_exit_thread_again(self):
        one = v0(NAMEI, b"/000000", tid=812)
        return self.until(begun(700) + ended(700) + begun(700) + one, ended(700), ("--until-exit", "-p", "812"))

    def until_exit_tree(self):
        """Printed at the end, once."""
        text = b"      begin        time end        process\n   0.000000    1.000000 ended      700 (prog)\n"
        return self.until(begun(700) + names(1), v0(PROCDTOR, pid=700, sec=NOW + 1), ("--until-exit", "--tree"), text)

    def until_exit_complete(self):
        """A file that will not grow."""
        with self.create(begun(700) + names(1) + ended(700)):
            process = self.follower(("--until-exit",)).end()
        return self.compare(process, names_text(1), None)

    def until_exit_no_file(self):
        if os.path.exists(self.path):
            os.unlink(self.path)
        follower = self.follower(("--until-exit",))
        problem = None if follower.goes_on() else "it ended without a file"
        with self.create(begun(700) + names(1) + ended(700)):
            process = follower.end()
        if process.stderr != b"kdump: %s: waiting for it to be made\n" % self.path.encode():
            return "stderr: %s" % process.stderr
        process.stderr = b""
        return problem or self.compare(process, names_text(1), None)

    def until_exit_pipe(self):
        """Somebody may still have the pipe open."""
        reader, writer = os.pipe()
        follower = self.follower(("--until-exit",), "-", stdin=reader)
        os.close(reader)
        os.write(writer, begun(700) + names(1))
        problem = None if follower.goes_on() else "it ended too early"
        os.write(writer, ended(700))
        process = follower.end()
        os.close(writer)
        return problem or self.compare(process, names_text(1), None)

    def device(self, before, after, data):
        """The kernel's word on sessions and processes that are traced."""
        library = os.path.join(self.folder, "fakestats.so")
        subprocess.run([shutil.which("gcc") or "cc", "-shared", "-fPIC", "-I" + os.path.join(self.tree, "include"), "-o",
                        library, os.path.join(HERE, "fakestats.c")], check=True)
        counters = os.path.join(self.folder, "counters")
        env = {**self.env, "LD_PRELOAD": library, "FAKE_STATS": counters}

        def say(numbers):
            with open(counters + ".new", "wb") as f:
                f.write(struct.pack("<2Q", *numbers))
            os.rename(counters + ".new", counters)

        say(before)
        with self.create(data):
            follower = Follower(self.kdump, env, self.path, ("--until-exit",))
            problem = None if follower.goes_on() else "it ended too early"
            say(after)
            process = follower.end()
        return problem or self.compare(process, names_text(1), None)

    def until_exit_traced_no_more(self):
        """ktrace -C, or a set-user-ID program: there is no record of the end."""
        return self.device((1, 1), (0, 0), begun(700) + names(1))

    def until_exit_more_to_come(self):
        """All have ended that the file has, but another one is traced."""
        return self.device((1, 1), (1, 0), begun(700) + names(1) + ended(700))

    CASES = (bytes, records, blocks, pieces, partial, partial_headers, truncated, renamed, replaced, pipe, pipe_cut,
             nobody_reads, until_exit, until_exit_child, until_exit_late, until_exit_again, until_exit_pid, until_exit_thread,
             until_exit_thread_again, until_exit_tree, until_exit_complete, until_exit_no_file, until_exit_pipe)
    WITH_DEVICE = (until_exit_traced_no_more, until_exit_more_to_come)


def begun(pid):
    return v0(PROCCTOR, ctor(LINUX64), pid=pid)


def ended(pid):
    return v0(PROCDTOR, pid=pid)


def check(tree, kdump, env, folder, compare):
    """(name, what is wrong or None) of each case."""
    cases = Cases(tree, kdump, env, folder, compare)
    # A build with sanitizers wants to be loaded first.
    for case in Cases.CASES + (() if "ASAN_OPTIONS" in env else Cases.WITH_DEVICE):
        yield case.__name__.replace("_", "-"), case(cases)
