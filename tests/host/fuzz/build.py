# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Builds the fuzzers: kdump, ktrdump and the reader with clang's libFuzzer and sanitizers."""
import concurrent.futures
import glob
import os
import shutil
import subprocess

FLAGS = ["-g", "-O1", "-std=gnu11", "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=all",
         "-fno-omit-frame-pointer", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64"]
TOOL_FLAGS = ["-Dmain=tool_main", "-Dexit=tool_exit"]
READER_WRAPS = ["read"]
KDUMP_WRAPS = ["read", "write", "ioctl", "ktrace_reader_next", "ktrace_reader_new", "ktrace_reader_free"]
KTRDUMP_DECODE = ("json", "out", "out_text", "random", "utf8")
KTRDUMP_WRAPS = ["read", "write", "fstatfs", "stream_parse", "malloc", "calloc", "realloc", "free", "strndup"]


def compiler():
    """clang with libFuzzer, or None."""
    path = shutil.which("clang-14") or shutil.which("clang")
    if not path:
        return None
    probe = subprocess.run([path, "-fsanitize=fuzzer,address,undefined", "-x", "c", "-o", "/dev/null", "-"],
                           input=b"int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p[0] - p[0] + n - n; }",
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path if probe.returncode == 0 else None


class Builder:
    """Objects that are older than what they are made of are made again."""

    def __init__(self, clang, tree, here):
        self.clang = clang
        self.tree = tree
        self.here = here
        self.folder = os.path.join(tree, "build", "tests", "fuzz")
        os.makedirs(self.folder, exist_ok=True)
        self.includes = ["-I" + folder for folder in (os.path.join(tree, "include"), os.path.join(tree, "tools/src"),
                                                      os.path.join(tree, "build/generated"), here)]

    def needed(self, target, sources):
        try:
            when = os.path.getmtime(target)
            return any(os.path.getmtime(name) >= when for name in sources)
        except OSError:
            return True

    def object(self, source, flags):
        """(object, why it could not be made or "")"""
        path = os.path.join(self.folder, os.path.relpath(source, self.tree).replace(os.sep, "-")[:-2] + ".o")
        depends = path[:-2] + ".d"
        used = [source, __file__]
        if os.path.exists(depends):
            with open(depends, encoding="utf-8") as f:
                used += f.read().replace("\\\n", " ").split(":", 1)[1].split()
        else:
            used.append(depends)
        if not self.needed(path, used):
            return path, ""
        process = subprocess.run([self.clang] + FLAGS + flags + self.includes +
                                 ["-MMD", "-MF", depends, "-c", "-o", path, source],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if process.returncode and os.path.exists(path):
            os.unlink(path)
        return path, process.stdout.decode("utf-8", "replace") if process.returncode else ""

    def program(self, name, sources, wraps):
        """sources: (path, flags). The program's path; raises RuntimeError when it cannot be built."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            made = list(pool.map(lambda pair: self.object(*pair), sources))
        problems = "".join(why for _, why in made)
        if problems:
            raise RuntimeError(problems)
        objects = [path for path, _ in made]
        path = os.path.join(self.folder, name)
        if self.needed(path, objects):
            process = subprocess.run([self.clang, "-fsanitize=fuzzer,address,undefined", "-o", path] +
                                     ["-Wl,--wrap=" + wrap for wrap in wraps] + objects,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if process.returncode:
                raise RuntimeError(process.stdout.decode("utf-8", "replace"))
        return path

    def sources(self, part, flags, without=()):
        return [(path, flags) for path in sorted(glob.glob(os.path.join(self.tree, "tools/src", part, "*.c")))
                if os.path.basename(path) not in without]

    def own(self, *names):
        return [(os.path.join(self.here, name), []) for name in names]

    def reader(self):
        return self.program("reader", self.sources("reader", []) + self.own("reader_fuzz.c", "records.c"), READER_WRAPS)

    def generate(self):
        generated = subprocess.run(["make", "-s", "-C", self.tree, "generated"], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        if generated.returncode:
            raise RuntimeError(generated.stdout.decode("utf-8", "replace"))

    def ktrdump(self):
        self.generate()
        return self.program("ktrdump", [pair for part in ("ktrdump", "chart", "options") for pair in self.sources(part, TOOL_FLAGS)] +
                            [(os.path.join(self.tree, "tools/src/decode", name + ".c"), TOOL_FLAGS) for name in KTRDUMP_DECODE] +
                            self.own("tool_run.c", "ktrdump_fuzz.c", "chunks.c", "allocations.c", "check.c"), KTRDUMP_WRAPS)

    def kdump(self, name, *own):
        """kdump in a fuzzer of our own."""
        self.generate()
        tables = sorted(glob.glob(os.path.join(self.tree, "build/generated/*/*.c")))
        parts = sorted(set(os.listdir(os.path.join(self.tree, "tools/src"))) - {"ktrace", "ktrdump", "ktruss", "libktrace", "reader"})
        return self.program(name, self.sources("reader", []) + [(path, []) for path in tables] +
                            [pair for part in parts for pair in self.sources(part, TOOL_FLAGS, ["device.c"])] +
                            self.own("tool_run.c", "kdump_run.c", "check.c", *own), KDUMP_WRAPS)
