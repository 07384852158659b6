# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""ktr.ko's ALQ: events that go to a file instead of the rings, and which file that may be."""
import os
import stat

import ktrstream
from cases.ktr import FLOOD, NMI, OURS, RUN, background, do, ended, error, floods, fresh, numbers, store, user
from ktest import case

SOURCE_ALQ = 2


def folder(t):
    """Where the case's files may be: root's alone."""
    os.chmod(t.dir, 0o755)
    return t.dir


def on(t, name="ktr.out", **settings):
    """Events go to a file from now on; returns its path."""
    path = os.path.join(folder(t), name)
    t.sysctl("debug.ktr.alq_file", path)
    for key, value in settings.items():
        t.sysctl("debug.ktr.alq_" + key, value)
    t.undo.append(lambda: store("alq_enable", 0))
    store("alq_enable", 1)
    return path


def off():
    """Returns how many were written, and how many failed."""
    store("alq_enable", 0)
    return counts()


def counts():
    found = []
    for name in "cnt", "failed":
        with open("/proc/sys/debug/ktr/alq_" + name, encoding="ascii") as f:
            found.append(int(f.read()))
    return tuple(found)


@case(guest="ktr")
def settings(t):
    "debug.ktr.alq_* have FreeBSD's names and defaults; what is out of range is an error and changes nothing."
    defaults = {"enable": "0", "file": "/tmp/ktr.out", "max": "0", "depth": "1024", "failed": "0", "cnt": "0"}
    for name, value in defaults.items():
        t.eq(t.sysctl("debug.ktr.alq_" + name), value, name)
    for name, text, want in [
            ("enable", "2", "EINVAL"), ("enable", "", "EINVAL"), ("max", "-1", "EINVAL"), ("max", "x", "EINVAL"),
            ("max", "18446744073709551616", "ERANGE"), ("depth", "0", "EINVAL"), ("depth", "1048577", "EINVAL"),
            ("depth", "-1", "EINVAL"), ("depth", "99999999999", "ERANGE"), ("file", "ktr.out", "EINVAL"),
            ("file", "", "EINVAL"), ("file", "/", "EINVAL"), ("file", "/tmp/", "EINVAL"), ("file", "/tmp/..", "EINVAL"),
            ("file", "/tmp/.", "EINVAL"), ("file", "/" + "x" * 1023, "ENAMETOOLONG")]:
        t.eq(error(store, "alq_" + name, text + "\n"), want, "%s: %r" % (name, text[:20]))
    for name in "failed", "cnt":
        t.ok(error(store, "alq_" + name, "0") in ("EACCES", "EPERM"), name + " is read only")
    t.eq(t.as_user(lambda: error(store, "alq_enable", "1")), "EACCES", "a user enables it")
    t.eq(t.as_user(lambda: error(store, "alq_file", "/tmp/x")), "EACCES", "a user sets the file")
    for name, value in defaults.items():
        t.eq(t.sysctl("debug.ktr.alq_" + name), value, name + " after the errors")


@case(guest="ktr")
def file(t):
    "With alq_enable 1 events go to alq_file, not to the ring; 0 flushes, closes, and returns to the ring."
    user(t)
    fresh(t, OURS)
    path = on(t)
    t.eq(t.sysctl("debug.ktr.alq_enable"), "1", "alq_enable")
    t.eq(stat.S_IMODE(os.stat(path).st_mode), 0o600, "mode of the new file")
    for cpu in 0, 1:
        do("many 500", cpu=cpu)
    do("strings", cpu=0)
    t.eq(ktrstream.read().texts, [], "events in the ring meanwhile")
    t.until(lambda: counts() == (1009, 0), "events that nobody flushes to be in the file")
    t.eq(off(), (1009, 0), "alq_cnt and alq_failed")
    t.eq(t.sysctl("debug.ktr.alq_enable"), "0", "alq_enable afterwards")
    stream = ktrstream.read(path)
    t.eq((stream.source, stream.mask, stream.lost), (SOURCE_ALQ, OURS, {}), "the file's header, and what it lost")
    for cpu in 0, 1:
        t.eq(numbers(stream, cpu), list(range(500)), "events of CPU %d" % cpu)
    t.eq([e.text for e in stream.events if "string" in e.text][:3],
         ["string kept and constant", "string null (null)", "string bad (fault)"], "events with strings")
    do("many 3", cpu=1)
    t.eq(numbers(ktrstream.read()), [0, 1, 2], "events in the ring afterwards")
    t.eq(len(ktrstream.read(path).events), 1009, "events in the file afterwards")


@case(guest="ktr")
def again(t):
    "A changed alq_file takes effect at the next enable; a file that is there is emptied; counts begin at 0."
    user(t)
    fresh(t, OURS)
    first = on(t, "first")
    second = os.path.join(t.dir, "second")
    with open(second, "wb") as f:
        f.write(b"x" * 100000)
    os.chmod(second, 0o644)
    t.sysctl("debug.ktr.alq_file", second)
    store("alq_enable", 1)
    do("many 5")
    t.eq(off(), (5, 0), "counts")
    t.eq(numbers(ktrstream.read(first)), list(range(5)), "events in the first file")
    t.eq(os.path.getsize(second), 100000, "bytes of the second file")
    store("alq_enable", 1)
    t.eq(counts(), (0, 0), "counts when it is enabled again")
    do("many 7")
    t.eq(off(), (7, 0), "counts")
    stream = ktrstream.read(second)
    t.eq(numbers(stream), list(range(7)), "events in the second file")
    t.eq(stat.S_IMODE(os.stat(second).st_mode), 0o644, "mode of the second file")
    t.eq(len(numbers(ktrstream.read(first))), 5, "events in the first file afterwards")


@case(guest="ktr")
def largest(t):
    "alq_max bounds the events in the file; those after are in neither, and 0 is no bound."
    user(t)
    fresh(t, OURS)
    path = on(t, max=100)
    do("many 60", cpu=0)
    t.until(lambda: counts() == (60, 0), "the first events to be written")
    do("many 60", cpu=0)
    do("many 5000", cpu=0)
    t.eq(off(), (100, 0), "counts")
    stream = ktrstream.read(path)
    t.eq(numbers(stream), list(range(60)) + list(range(40)), "events in the file")
    t.eq((stream.lost, ktrstream.read().texts), ({}, []), "lost, and in the ring")


@case(guest="ktr", timeout=120)
def overrun(t):
    "Events that find no room in the buffers are counted by alq_failed and told in the file: none is missing otherwise."
    user(t)
    fresh(t, OURS)
    count = 100000
    path = on(t, depth=50)
    processes = [t.start(["taskset", "-c", str(cpu), "sh", "-c", "echo many %d >%s" % (count, RUN)]) for cpu in (0, 1)]
    for p in processes:
        ended(t, p)
    written, failed = off()
    stream = ktrstream.read(path)
    t.ok(failed > 0, "no overrun")
    t.eq(written + failed, 2 * count, "written and failed")
    t.eq((len(stream.events), sum(stream.lost.values())), (written, failed), "events and lost ones in the file")
    for cpu in 0, 1:
        have = numbers(stream, cpu)
        t.eq(len(have) + stream.lost.get(cpu, 0), count, "CPU %d" % cpu)
        t.ok(have == sorted(set(have)), "order of CPU %d" % cpu)
    print("# %d written, %d failed" % (written, failed))


@case(guest="ktr", timeout=240)
def rough(t):
    "ALQ goes on and off while both CPUs and timers record, rings are resized and masks set: each event is in one place."
    user(t)
    fresh(t, OURS, 131072)
    count = 5000
    process = background(t, "flood %d 200" % count)
    found, lost, rounds = {}, {}, 0
    while process.poll() is None or rounds < 3:
        path = on(t, "file%d" % rounds, depth=20000 if rounds % 2 else 100)
        for name, value in ("entries", 100000), ("mask", OURS | 2), ("entries", 131072), ("mask", OURS):
            store(name, value)
        t.undo.pop()
        written, failed = off()
        stream = ktrstream.read(path)
        t.eq((len(stream.events), sum(stream.lost.values())), (written, failed), "counts of round %d" % rounds)
        collect(t, found, lost, stream)
        os.unlink(path)
        rounds += 1
    t.undo.append(lambda: store("alq_enable", 0))
    ended(t, process)
    collect(t, found, lost, ktrstream.read())
    for cpu in 0, 1:
        tasks, timers = sorted(found[cpu, False]), sorted(found.get((cpu, True), []))
        t.ok(len(tasks) == len(set(tasks)) and len(timers) == len(set(timers)), "CPU %d: an event is there twice" % cpu)
        missing = count - len(tasks) + (timers[-1] + 1 - len(timers) if timers else 0)
        # The timers' last events may be among the lost: how many there were is not known.
        t.ok(missing <= lost.get(cpu, 0), "CPU %d: %d are missing, %d counted as lost" % (
            cpu, missing, lost.get(cpu, 0)))
    print("# %d rounds, lost %s" % (rounds, lost))


def collect(t, found, lost, stream):
    for key, have in floods(t, stream).items():
        found.setdefault(key, []).extend(have)
    for cpu, n in stream.lost.items():
        lost[cpu] = lost.get(cpu, 0) + n


@case(guest="ktr", timeout=120)
def unrestrained(t):
    "ALQ with NMIs, timers, clear, cpumask, snapshots, and several who switch it on and off at the same time."
    user(t)
    fresh(t, OURS, 1000)
    path = on(t, depth=300)
    switch = "while :; do echo %d >/proc/sys/debug/ktr/alq_enable; done"
    others = [t.start(["sh", "-c", switch % n]) for n in (0, 1)]
    processes = [background(t, "flood 20000 100"), background(t, "nmis 2000")]
    rounds = 0
    while any(p.poll() is None for p in processes):
        for name, value in [("clear", 1), ("entries", 300), ("cpumask", 1), ("alq_max", rounds % 3 * 1000), ("cpumask", 3),
                            ("mask", 0), ("entries", 1000), ("mask", OURS), ("alq_depth", 10 + rounds % 5 * 1000)]:
            store(name, value)
        for e in ktrstream.read().events:
            t.ok(FLOOD.match(e.text) or e.text == NMI, "not an event: %r" % e.text)
        rounds += 1
    for p in processes:
        ended(t, p)
    for p in others:
        p.kill()
        p.wait()
    off()
    store("alq_max", 0)
    store("alq_depth", 1024)
    store("alq_enable", 1)
    do("many 5", cpu=1)
    t.eq(off(), (5, 0), "counts afterwards")
    t.eq(numbers(ktrstream.read(path)), list(range(5)), "events afterwards")
    print("# %d rounds" % rounds)


def content(path):
    with open(path, "rb") as f:
        return f.read()


@case(guest="ktr")
def refused(t):
    "No other user has a say in what root writes to: links, other users' files and folders, what is not a file."
    base = folder(t)
    t.sysctl("debug.ktr.alq_file", "/tmp/ktr.out")
    t.undo.append(lambda: store("alq_enable", 0))
    victim = os.path.join(base, "victim")
    with open(victim, "wb") as f:
        f.write(b"precious\n")
    for name in "users", "open", "sticky", "linked", "theirs":
        os.mkdir(os.path.join(base, name))
    os.chown(os.path.join(base, "users"), 1000, 1000)
    os.chmod(os.path.join(base, "open"), 0o777)
    os.chmod(os.path.join(base, "sticky"), 0o1777)
    os.mkdir(os.path.join(base, "open", "below"))

    def path(*names):
        return os.path.join(base, *names)

    os.symlink(victim, path("symlink"))
    os.symlink("nowhere", path("sticky", "dangling"))
    os.symlink("linked", path("folderlink"))
    os.link(victim, path("hardlink"))
    os.mkfifo(path("fifo"))
    os.mknod(path("device"), 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    t.as_user(lambda: open(path("sticky", "their"), "wb").close())
    with open(path("writable"), "wb"):
        os.chmod(path("writable"), 0o620)
    # What a user may mount, he may give any owner.
    os.mkdir(path("over"))
    os.chown(path("over"), 1000, 1000)
    t.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", path("over")])
    t.undo.append(lambda: t.run(["umount", path("over")]))
    t.as_user(lambda: open(path("sticky", "mounted"), "wb").close())
    with open(path("other"), "wb") as f:
        f.write(b"precious\n")
    t.run(["mount", "--bind", path("other"), path("sticky", "mounted")])
    t.undo.append(lambda: t.run(["umount", path("sticky", "mounted")]))
    wrong = []
    for where, want, why in [
            ("symlink", "ELOOP", "a symbolic link"), ("sticky/dangling", "ELOOP", "a symbolic link"),
            ("folderlink/x", "ELOOP", "a symbolic link on the way"), ("folderlink/../x", "ELOOP", "on the way"),
            ("hardlink", "EMLINK", "the file has other names"), ("fifo", "EACCES", "not a regular file"),
            ("device", "EACCES", "not a regular file"), ("linked", "EISDIR", "a folder"),
            ("sticky/their", "EACCES", "the file is not root's"), ("users/x", "EACCES", "a folder on the way is not root's"),
            ("open/x", "EACCES", "can be written by others"), ("open/below/x", "EACCES", "can be written by others"),
            ("writable", "EACCES", "the file can be written by others"),
            ("over/x", "EACCES", "a folder on the way is not root's"),
            ("sticky/mounted", "EACCES", "something is mounted on the file"),
            ("missing/x", "ENOENT", None), ("victim/x", "ENOTDIR", None)]:
        t.kernel_log()
        store("alq_file", path(where))
        got = error(store, "alq_enable", 1), t.sysctl("debug.ktr.alq_enable")
        said = t.kernel_log()
        if got != (want, "0") or not (why in said[0] if why and said else why is None and not said):
            wrong.append("%s: %s, alq_enable is %s, the kernel says %s" % (where, *got, said))
        off()
    t.eq(wrong, [], "what is not as it should be")
    t.eq(content(victim), b"precious\n", "the file behind the links")
    t.eq(content(path("other")), b"precious\n", "the file that was mounted")
    t.eq(os.listdir(path("users")) + os.listdir(path("linked")) + os.listdir(path("open")), ["below"], "new files")
    t.ok(not os.path.lexists(path("sticky", "nowhere")), "a symbolic link's target was made")
    # And what may be.
    os.unlink(path("hardlink"))
    for where in "victim", "sticky/new", "linked/../other":
        store("alq_file", path(where))
        store("alq_enable", 1)
        off()
        t.eq(content(path(where))[:8], b"KTRstrm\n", where)


@case(guest="ktr")
def full(t):
    "On a full disk ALQ ends with one message: the file is good up to its end, and what is not in it is counted."
    user(t)
    fresh(t, OURS)
    disk = os.path.join(folder(t), "disk")
    os.mkdir(disk)
    t.run(["mount", "-t", "tmpfs", "-o", "size=128k,mode=755", "none", disk])
    t.undo.append(lambda: t.run(["umount", disk]))
    path = on(t, "disk/ktr.out", depth=10000)
    do("many 5000", cpu=0)
    t.until(lambda: t.sysctl("debug.ktr.alq_enable") == "0", "ALQ to end")
    written, failed = t.until(lambda: sum(counts()) == 5000 and counts(), "all events to be counted")
    said = [line for line in t.kernel_log() if "ktr:" in line]
    t.ok(len(said) == 1 and "writing to alq_file failed (error 28)" in said[0], "the kernel says %s" % said)
    t.eq(numbers(ktrstream.read(path)), list(range(written)), "events in the file")
    t.ok(1000 < written < 1500 and failed > 3000, "%d written, %d failed" % (written, failed))
    do("many 3", cpu=0)
    t.eq(numbers(ktrstream.read()), [0, 1, 2], "events in the ring afterwards")
    t.eq(off(), (written, failed), "counts after alq_enable 0")
    store("alq_file", t.dir)
    t.eq(error(store, "alq_enable", 1), "EISDIR", "enabled with a folder")
    t.eq(counts(), (written, failed), "counts after it could not be enabled")
    t.ok("ktr: alq_file: a folder" in t.kernel_log(), "the kernel does not say why")
    store("alq_file", path)
    # Once there is room it can go on.
    os.unlink(path)
    store("alq_enable", 1)
    do("many 3", cpu=0)
    t.eq(off(), (3, 0), "counts with room again")


@case(guest="ktr")
def parameters(t):
    "alq_enable and alq_file are parameters of the module; unloading it writes what is on its way."
    path = os.path.join(folder(t), "boot.out")
    t.undo.append(lambda: t.run(["modprobe", "ktr"]))
    t.run(["rmmod", "ktr"])
    t.run(["modprobe", "ktr", "alq_enable=1", "alq_file=" + path, "mask=0x20", "entries=77"])
    t.eq([t.sysctl("debug.ktr.alq_" + n) for n in ("enable", "file", "depth")], ["1", path, "77"], "settings")
    user(t)
    do("many 50", cpu=1)
    t.run(["rmmod", "ktr_user", "ktr"])
    t.eq(numbers(ktrstream.read(path)), list(range(50)), "events in the file")
    t.undo = t.undo[:1]
    os.symlink("boot.out", os.path.join(t.dir, "link"))
    t.run(["modprobe", "ktr", "alq_enable=1", "alq_file=" + os.path.join(t.dir, "link")], status=1)
    said = t.kernel_log()
    t.ok(any("a symbolic link" in line for line in said) and any("cannot go to alq_file" in line for line in said),
         "the kernel says %s" % said)
    t.ok(not os.path.exists("/sys/module/ktr"), "the module was loaded")
