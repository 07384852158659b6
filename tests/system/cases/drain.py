# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Complete files, exact counts: what was recorded is in the file when it should be, and what is not is counted."""
import os
import re
import signal

from cases.ops import calls_of, name, poke, target
from ktest import CLEAR, F_C, GIO, INHERIT, NR, PROCCTOR, PROCDTOR, SET, Device, case

LOST = ("lost_full", "lost_pool", "lost_hook", "lost_memory", "lost_write")

PROMPT = """\
i=0
while [ $i -lt %d ]; do
	i=$((i + 1))
	ktrace %s -f k$i.kt sh -c 'ls / | wc -l' >>out || exit 1
	cat k$i.kt >copy$i
	kdump -f k$i.kt >text 2>err || { cat err >&2; exit 2; }
	[ ! -s err ] || exit 3
	grep -q ' CALL  exit_group(0' text || exit 4
done
"""


@case(timeout=600)
def prompt(t):
    "`ktrace sh -c 'ls / | wc -l'; kdump` as uid 1000: complete the moment the prompt is back, 200 times."
    t.run(["sh", "-c", PROMPT % (200, "")], uid=1000)
    with open(os.path.join(t.dir, "out"), encoding="ascii") as f:
        answers = f.read().split()
    t.eq((len(answers), len(set(answers))), (200, 1), "answers")
    for i in range(1, 201):
        path = os.path.join(t.dir, "k%d.kt" % i)
        trace = t.read("copy%d" % i, dead=True)
        with open(path, "rb") as f, open(os.path.join(t.dir, "copy%d" % i), "rb") as g:
            t.ok(f.read() == g.read(), "run %d: the file grew after the prompt was back" % i)
        t.seen.add(path)
        t.eq(trace.drops, 0, "drops of run %d" % i)


@case(timeout=300)
def prompt_inherit(t):
    "The same with -i, 60 times: all processes of the pipeline, and their data."
    t.run(["sh", "-c", PROMPT % (60, "-i")], uid=1000)
    for i in range(1, 61):
        trace = t.read("k%d.kt" % i, dead=True)
        t.eq({r.comm for r in trace.of(PROCDTOR)}, {"sh", "ls", "wc"}, "programs that ended")
        t.ok(any(r.rw == 1 and r.comm == "wc" for r in trace.of(GIO)), "no output of wc")


@case(guest="main one", timeout=240)
def million(t):
    "A million getppid() calls under `ktrace -t c` lose no record and are all in the file, on 1 and on 2 CPUs."
    path = "/var/tmp/million.kt"
    t.run(["ktrace", "-t", "c", "-f", path, "/tests/bin/loop", "1000000"], timeout=200)
    t.later(path, counts={"64:%d" % NR.getppid: 1000000, "DROP": 0, "PROCDTOR": 1}, options={"dead": True})


def session(t, path):
    """Keeps a session of the file by an idle process, so that its counters can be read. Returns a function for that."""
    d, keeper = Device(), target(t)
    t.eq(d.op(path, SET, F_C | INHERIT, keeper.pid), 0, "set")
    f = open(path, "rb")

    def stats():
        t.ok(d.flush(f.fileno()) >= 1, "flush")
        return d.stats(f.fileno())

    def end():
        t.eq(d.op(None, CLEAR, 0xffffff, keeper.pid), 0, "clear")
    return stats, end


def account(t, path, argv, records):
    """Runs argv traced; recorded + lost is what it did: that many records."""
    stats, end = session(t, path)
    before = stats()
    t.run(["ktrace", "-a", "-i", "-t", "c", "-f", path, *argv], timeout=300)
    after = stats()
    end()
    delta = {k: after[k] - before[k] for k in after}
    lost = sum(delta[k] for k in LOST)
    t.eq(delta["recorded"], delta["written"], "recorded, and written")
    t.eq(delta["recorded"] + lost, records, "recorded %d + lost %s" % (delta["recorded"], {k: delta[k] for k in LOST}))
    return delta, lost


def records_of(t, argv, calls):
    """How many records a run leaves in which nothing is lost, from a small one of the same shape."""
    stats, end = session(t, t.path())
    before = stats()
    t.run(["ktrace", "-a", "-i", "-t", "c", "-f", "trace%d.kt" % t.files, *argv])
    after = stats()
    end()
    t.eq(sum(after[k] for k in LOST), 0, "lost in the small run")
    return after["recorded"] - before["recorded"] - 2 * calls


@case(guest="main one", timeout=400)
def sixteen(t):
    "recorded + lost == done, with 16 processes x 60,000 calls; with the default buffers nothing is lost."
    base = records_of(t, ["/tests/bin/loop", "10", "16"], 160)
    count = 60000
    path = "/var/tmp/sixteen.kt"
    with open(path, "wb"):
        pass
    delta, lost = account(t, path, ["/tests/bin/loop", str(count), "16"], base + 2 * 16 * count)
    print("# sixteen: %s" % delta)
    t.eq(lost, 0, "lost")
    t.later(path, counts={"64:%d" % NR.getppid: 16 * count, "DROP": 0})


@case(timeout=240)
def small_buffers(t):
    "The same for the smallest buffers: processes are held back, not robbed; whatever is lost is counted and flagged."
    base = records_of(t, ["/tests/bin/loop", "10", "16"], 160)
    t.sysctl("kern.ktrace.buffer_size", 65536)
    path = "/var/tmp/small.kt"
    with open(path, "wb"):
        pass
    delta, lost = account(t, path, ["/tests/bin/loop", "8000", "16"], base + 256000)
    print("# small buffers: %s" % delta)
    t.ok(delta["held"] > 0, "nobody was held back")
    if lost:
        t.ok(t.read(path, keep=False).drops > 0, "%d lost, no flag" % lost)
        os.unlink(path)
    else:
        t.later(path, counts={"64:%d" % NR.getppid: 128000, "DROP": 0})


@case(timeout=120)
def pool(t):
    "request_pool: reaching it drops; each loss is counted and the process's next record carries KTR_DROP."
    base = records_of(t, ["/tests/bin/loop", "10", "4"], 40)
    for size, count in (1, 1000), (2, 1000), (16, 10000), (300, 10000):
        t.sysctl("kern.ktrace.request_pool", size)
        path = t.path()
        delta, lost = account(t, path, ["/tests/bin/loop", str(count), "4"], base + 8 * count)
        print("# pool %d: %s" % (size, delta))
        trace = t.read(path)
        t.ok(trace.drops <= lost, "more flags than losses")
        if size == 1:  # half of the records, those of the RETs
            t.ok(delta["lost_pool"] > 0, "nothing was lost")
            t.ok(trace.drops > 0, "no record has KTR_DROP")
        if size >= 16:  # they wait for each other
            t.ok(delta["held"] > 0, "nobody was held back")
            t.ok(lost < count // 10, "%d were lost" % lost)
    # the default is more than the rings can hold
    t.sysctl("kern.ktrace.request_pool", 1048576)
    path = t.path()
    _, lost = account(t, path, ["/tests/bin/loop", "10000", "4"], base + 80000)
    t.eq(lost, 0, "lost with the default")
    t.read(path, keep=False)


@case()
def counters(t):
    "kern.ktrace.stats has the machine's totals: records, bytes, lost by reason."
    def totals():
        return [int(x) for x in re.findall(r"\d+", t.sysctl("kern.ktrace.stats"))]
    before = totals()
    t.trace(["/tests/bin/loop", "1000"], "c")
    after = totals()
    t.ok(any(2000 <= b - a < 3000 for a, b in zip(before, after)), "%s, then %s" % (before, after))


@case()
def flush(t):
    "Flush: everything recorded so far is in the file when it returns."
    d, p, path = Device(), target(t, 20), t.path()
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    with open(path, "rb") as f:
        for i in range(1, 51):
            poke(p)
            t.eq(d.flush(f.fileno()), 1, "flush")
            t.eq(calls_of(t.read(path), p), 20 * i, "calls after flush %d" % i)


@case(guest="main one")
def clear_drains(t):
    "CLEAR drains before it returns."
    d, p = Device(), target(t, 50)
    for i in range(50):
        path = t.path()
        t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
        poke(p)
        t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
        size = os.path.getsize(path)
        t.eq(calls_of(t.read(path), p), 50, "calls after clear %d" % i)
        t.eq(os.path.getsize(path), size, "size")


@case()
def live(t):
    "A record is in the file within 100 ms, without anybody asking (here: within a second, on a slow machine)."
    d, p, path = Device(), target(t, 5), t.path()
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    for i in range(1, 11):
        poke(p)
        t.until(lambda n=i: calls_of(t.read(path), p) == 5 * n, "records %d" % i, seconds=1)


@case()
def kdump_flushes(t):
    "kdump of a live file flushes first: what was done before it was called is in what it prints."
    d, p, path = Device(), target(t, 5), t.path()
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    for i in range(1, 11):
        poke(p)
        out = t.run(["kdump", "-f", path])
        t.eq(len(re.findall(r"CALL  getppid", out)), 5 * i, "getppid calls that kdump printed")


@case()
def kdump_stats(t):
    "kdump --stats shows a session's counters; recorded plus lost equals what the program did."
    d, p, path = Device(), target(t, 100), t.path()
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    poke(p)
    out = t.run(["kdump", "--stats", "-f", path])
    with open(path, "rb") as f:
        d.flush(f.fileno())
        s = d.stats(f.fileno())
    for key in "recorded", "bytes", "written":
        t.ok(re.search(r"\b%d\b" % s[key], out), "%s %d is not in: %s" % (key, s[key], out))
    t.eq(s["recorded"], len(t.read(path).records), "recorded, and in the file")


@case(guest="main one")
def exit_drains(t):
    "The last thread's exit drains: whoever waits for the process finds everything in the file."
    path = t.path()
    _, end = session(t, path)       # goes on: no end of a session does the work
    argv = ["ktrace", "-a", "-t", "c", "-f", path, "/tests/bin/loop", "3"]
    t.eq(t.run(["waiter", path, 100, *argv]), "0\n", "times that PROCDTOR was not yet there")
    end()
    t.eq(t.read(path).calls[(64, NR.getppid)], 300, "calls")
    for i in range(10):
        path = t.path()
        p = t.start(["ktrace", "-a", "-t", "c", "-f", path, "/tests/bin/loop", "200"])
        p.wait()
        with open(path, "rb") as f:
            data = f.read()
        trace = t.read(path, dead=True)
        t.eq(len(data), os.path.getsize(path), "size in run %d" % i)
        t.eq(trace.calls[(64, NR.getppid)], 200, "calls in run %d" % i)


@case()
def killed_drains(t):
    "Nor does it matter how the process ends."
    path = t.path()
    _, end = session(t, path)
    for i in range(20):
        p = target(t, 50)
        t.eq(Device().op(path, SET, F_C, p.pid), 0, "set")
        poke(p)
        p.send_signal(signal.SIGKILL)
        p.wait()
        trace = t.read(path)
        t.eq(calls_of(trace, p), 50, "calls in run %d" % i)
        t.eq(len(trace.of(PROCDTOR, pid=p.pid)), 1, "PROCDTOR in run %d" % i)
    end()


@case()
def merge_order(t):
    "Across threads and CPUs the file is in the order of time; per thread CALL and RET alternate."
    for _ in range(6):  # until the CPUs took turns, of which a busy machine gives few
        trace = t.trace(["life", "threads", "4", "5000"], "c", ["--v1"])
        t.eq(trace.calls[(64, NR.getppid)], 20000, "calls")
        cpus = {r.cpu for r in trace.records}
        switches = sum(a.cpu != b.cpu for a, b in zip(trace.records, trace.records[1:]))
        if switches > 2:
            break
    t.ok(len(cpus) == 2 and switches > 2, "CPUs %s, %d switches" % (cpus, switches))


@case()
def big_records(t):
    "Records of every size: 0..70000 bytes of data never make a file that the parser refuses."
    t.sysctl("kern.ktrace.genio_size", 131072)
    prog = "import os\nfd = os.open('/dev/null', 1)\nb = bytes(70001)\n" \
           "for n in [*range(0, 300), *range(300, 70001, 997), 65535, 65536, 65537, 70000]: os.write(fd, b[:n])"
    trace = t.trace(["python3", "-c", prog], "i", genio=131072)
    sizes = [len(r.data) for r in trace.of(GIO) if r.rw == 1]
    t.eq(sizes[:300], list(range(300)), "the small ones")
    t.eq(sizes[-1], 70000, "the last")
    t.eq(trace.drops, 0, "drops")


@case()
def memory_limit(t):
    "max_user_memory: ENOMEM beyond."
    t.sysctl("kern.ktrace.buffer_size", 64 << 20)
    limit = int(t.sysctl("kern.ktrace.max_user_memory"))
    os.chmod(t.dir, 0o777)
    results = t.as_user(lambda: run_as_user(t, limit))
    t.ok("ENOMEM" in results, "results %s" % results)


def run_as_user(t, limit):
    d = Device()
    results, pids = [], []
    for i in range(2 + limit // (64 << 20)):
        pid = os.fork()
        if pid == 0:
            signal.pause()
        pids.append(pid)
        path = os.path.join(t.dir, "m%d.kt" % i)
        with open(path, "wb"):
            pass
        results.append(name(d.op(path, SET, F_C, pid)))
    for pid in pids:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    return results


@case()
def single_ret(t):
    "Calls that were made before CLEAR and return after it leave no RET; set again, the trace begins with it."
    d, path = Device(), t.path()
    p = target(t)
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
    poke(p)
    t.eq(d.op(path, SET, F_C, p.pid), 0, "set")
    poke(p)
    t.eq(d.op(None, CLEAR, F_C, p.pid), 0, "clear")
    trace = t.read(path)
    t.eq(calls_of(trace, p), 3, "calls")
    t.eq(len(trace.of(PROCCTOR)), 2, "PROCCTORs")
