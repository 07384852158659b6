# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Real programs: they do the same as without a trace, and the trace has what they did."""
import os
import re

from cases.same import POINTS
from ktest import CALL, GIO, NAMI, NR, PROCCTOR, PROCDTOR, RET, case


def same(t, command, points=POINTS, uid=0, mask=None, **options):
    """Runs a shell command untraced, then traced: same output and status; nothing lost. Returns the trace."""
    results = []
    for prefix in ([], ["ktrace", "-i", "-t", points, "-f", "real.kt"]):
        folder = os.path.join(t.dir, "run%d" % len(results))
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o777)
        out = t.run([*prefix, "sh", "-c", command], uid=uid, status=None, cwd=folder, **options)
        if mask:
            out = mask(out)
        results.append((out, t.status, t.stderr))
    t.eq(results[1], results[0], "output, status and errors")
    trace = t.read(os.path.join(folder, "real.kt"), dead=True)
    t.eq(trace.drops, 0, "records were lost")
    return trace


@case()
def shell(t):
    "sh, ls, cat, wc, sort, sed in pipelines, as a user."
    command = "ls -l /bin | sort -k5 | sed -n 1,20p; cat /etc/passwd | wc -l; test -e /nothing; echo $?"
    trace = same(t, command, uid=1000)
    t.ok({"sh", "ls", "sort", "sed", "cat", "wc"} <= {r.comm for r in trace.of(PROCDTOR)}, "programs")
    t.ok(any(r.text == "/nothing" for r in trace.of(NAMI)), "no NAMI of /nothing")
    t.ok(any(b"root:x:0:0" in r.data for r in trace.of(GIO) if r.comm == "cat" and r.rw == 1), "no data of cat")


@case()
def status(t):
    "Exit status and signals come through: of a command that fails, that is killed, that does not exist."
    for command, want in (("exit 42", 42), ("kill -9 $$", -9), ("kill -11 $$", -11)):
        t.run(["ktrace", "-f", "s.kt", "sh", "-c", command], status=want)
        t.read("s.kt", dead=True)


@case()
def python(t):
    "python3 with threads, sockets, subprocesses and signals."
    prog = """
import concurrent.futures, hashlib, signal, socket, subprocess, sys, threading
def work(n):
    return hashlib.md5(str(n).encode()).hexdigest()[:4]
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    print(" ".join(pool.map(work, range(100))))
server = socket.create_server(("127.0.0.1", 0))
def serve():
    for _ in range(10):
        c, _ = server.accept()
        with c:
            c.sendall(c.recv(1000).upper())
thread = threading.Thread(target=serve)
thread.start()
for i in range(10):
    with socket.create_connection(server.getsockname()) as c:
        c.sendall(b"hello %d" % i)
        print(c.recv(1000))
thread.join()
print(subprocess.run(["echo", "sub"], stdout=subprocess.PIPE).stdout)
signal.signal(signal.SIGUSR1, lambda *a: print("signal"))
signal.raise_signal(signal.SIGUSR1)
sys.exit(3)
"""
    with open(os.path.join(t.dir, "p.py"), "w", encoding="ascii") as f:
        f.write(prog)
    trace = same(t, "python3 %s/p.py" % t.dir)
    data = [r.data for r in trace.of(GIO)]
    for i in range(10):
        t.eq((data.count(b"hello %d" % i), data.count(b"HELLO %d" % i)), (2, 2), "messages %d" % i)
    t.ok(len({r.tid for r in trace.records}) > 8, "threads")


@case(timeout=90)
def gcc(t):
    "gcc compiles the same program to the same bytes."
    with open(os.path.join(t.dir, "hello.c"), "w", encoding="ascii") as f:
        f.write('#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n')
    trace = same(t, "gcc -c -O2 -o h.o %s/hello.c && cksum h.o && gcc -o h h.o && ./h" % t.dir)
    names = {r.comm for r in trace.of(PROCDTOR)}
    t.ok({"gcc", "cc1", "as", "ld", "h"} <= names, "programs: %s" % names)
    t.ok(any(r.text.endswith("/hello.c") for r in trace.of(NAMI)), "no NAMI of the source")


MAKEFILE = """
objects = $(patsubst %.c,%.o,$(wildcard *.c))
prog: $(objects)
	$(CC) -o $@ $^
%.o: %.c all.h
	$(CC) -O1 -Wall -c -o $@ $<
"""


@case(timeout=240)
def make(t):
    "make -j4 builds a small project: the same program, nothing lost, every process from PROCCTOR to PROCDTOR."
    source = os.path.join(t.dir, "source")
    os.mkdir(source)
    names = ["f%d" % i for i in range(8)]
    files = {"Makefile": MAKEFILE, "all.h": "".join("int %s(int);\n" % f for f in names),
             "main.c": '#include <stdio.h>\n#include "all.h"\nint main(void)\n{\n\tint n = 1;\n%s\tprintf("%%d\\n", n);\n'
                       "\treturn 0;\n}\n" % "".join("\tn = %s(n);\n" % f for f in names)}
    for i, f in enumerate(names):
        files[f + ".c"] = '#include <stdlib.h>\n#include "all.h"\nint %s(int n)\n{\n\treturn abs(n) * 3 + %d;\n}\n' % (f, i)
    for name, text in files.items():
        with open(os.path.join(source, name), "w", encoding="ascii") as f:
            f.write(text)
    trace = same(t, "cp %s/* . && make -s -j4 && ./prog && cksum *.o" % source)
    t.eq(len([r for r in trace.of(PROCDTOR) if r.comm == "cc1"]), 9, "compilers")
    t.eq(len(trace.of(PROCCTOR)) - sum(r.code == NR.execve and r.error == -2 for r in trace.of(RET)),
         len(trace.of(PROCDTOR)), "beginnings and ends")


@case()
def loopback(t):
    "A server and a client over loopback, two programs, one trace."
    command = "socat TCP-LISTEN:7777,bind=127.0.0.1,reuseaddr EXEC:'tr a-z A-Z' & pid=$!; i=0; " \
              "while ! (echo hello | socat -t 5 - TCP:127.0.0.1:7777 2>/dev/null) && [ $i -lt 200 ]; do " \
              "i=$((i+1)); done; wait $pid"
    trace = same(t, command)
    t.ok(any(r.data == b"HELLO\n" for r in trace.of(GIO)), "no answer in the trace")


@case()
def cat_large(t):
    "cat of a large file through a pipe: every read and write, the bytes up to genio_size."
    trace = same(t, "head -c 3000000 /dev/zero | tr '\\0' x | cat | cksum")
    sizes = sum(r.code == NR.write for r in trace.of(CALL, comm="cat"))
    t.ok(sizes > 20, "writes of cat: %d" % sizes)


@case()
def environment(t):
    "The traced program gets the same descriptors, signals and limits as without a trace."
    same(t, "ls -l /proc/self/fd | sed 's/.* \\([0-9]* ->\\)/\\1/; s/run[01]/run/; /proc/d'; "
         "grep -E 'Sig[^Q]|NoNewPrivs|Seccomp|Cap' /proc/self/status; ulimit -a",
         mask=lambda text: re.sub(r"pipe:.*", "pipe", text))
