# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""kdump and ktrdump built with the address and undefined-behaviour sanitizers, and a server (server.c) that runs it often."""
import glob
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
FLAGS = ["-g", "-O1", "-std=gnu11", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
         "-fno-omit-frame-pointer", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64", "-Dmain=tool_main"]
FOUND = 99  # exit status when a sanitizer found something
OPTIONS = {
    # No file makes them ask for more at once than the longest record, twice.
    "ASAN_OPTIONS": "exitcode=%d:detect_leaks=0:max_allocation_size_mb=40" % FOUND,
    "UBSAN_OPTIONS": "exitcode=%d:print_stacktrace=1" % FOUND,
}


def build(tree, here):
    """The path of the server of kdump, as build_tool() says."""
    return build_tool(tree, "kdump", ("kdump", "filter", "options", "track", "chart", "decode", "reader"),
                      glob.glob(os.path.join(tree, "build/generated/decode/*.c")), os.path.join(here, "exact.c"), "ktrace_reader_next")


def build_tool(tree, tool, parts, more, exact, wrap):
    """A server of @tool. parts: folders and files of tools/src; exact: has __wrap_@wrap(), which moves input to memory of its
    length. Its path; None when the compiler cannot; raises CalledProcessError when the sources cannot."""
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if not compiler:
        return None
    subprocess.run(["make", "-s", "-C", tree, "generated"], check=True)
    folder = os.path.join(tree, "build", "tests", tool)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "server")
    sources = [name for part in parts for name in glob.glob(os.path.join(tree, "tools/src", part if part.endswith(".c") else part + "/*.c"))]
    sources += [*more, exact]
    server_source = os.path.join(HERE, "server.c")
    used = [name for pattern in ("tools/src/*/*.h", "include/**/*.h")
            for name in glob.glob(os.path.join(tree, pattern), recursive=True)]
    used += sources + [server_source, __file__]
    if os.path.exists(path) and all(os.path.getmtime(name) < os.path.getmtime(path) for name in used):
        return path
    probe = os.path.join(folder, "probe")
    with open(probe + ".c", "w", encoding="ascii") as f:
        f.write("int tool_main(void);\nint (main)(void)\n{\nreturn 0;\n}\n")
    if subprocess.run([compiler] + FLAGS + ["-Umain", "-o", probe, probe + ".c"], stderr=subprocess.DEVNULL).returncode:
        return None
    includes = ["-I" + os.path.join(tree, name) for name in ("include", "tools/src", "build/generated")]
    server = os.path.join(folder, "server.o")
    subprocess.run([compiler] + FLAGS + includes + ["-Umain", "-c", "-o", server, server_source], check=True)
    subprocess.run([compiler] + FLAGS + includes + ["-Wl,--wrap=" + wrap, "-o", path + ".new", server] + sources, check=True)
    os.rename(path + ".new", path)
    return path


class Server:
    """Runs the tool; use it in a with statement. It keeps two files in the folder."""

    def __init__(self, path, folder, env):
        self.files = [os.path.join(folder, name) for name in ("out", "err")]
        self.process = subprocess.Popen([path] + self.files, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**env, **OPTIONS})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def run(self, options):
        """A CompletedProcess; its returncode is negative after a signal, and FOUND when a sanitizer found something."""
        self.process.stdin.write("\t".join(options) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("the server ended")
        output = []
        for name in self.files:
            with open(name, "rb") as f:
                output.append(f.read())
        return subprocess.CompletedProcess(options, os.waitstatus_to_exitcode(int(answer)), *output)
