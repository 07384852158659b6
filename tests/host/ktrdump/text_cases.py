# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files, and the lines that ktrdump makes of them."""
import os
import subprocess

import harness
from harness import expect, refused, run, stream
from messages import MESSAGES
from streams import ALQ, CORE, RING, Stream, chunk, event_chunk, format_chunk, header, lost_chunk

HEADING = b"index  trace\n------ ----- \n"


def sample(**options):
    """Two CPUs, not in order of time."""
    s = Stream(**options)
    s.add(1000, b"first %d", 1)
    s.add(2500, b"third on %s", b"cpu 1", cpu=1, file=b"sched_ule.c", line=1234, thread=0)
    s.add(2000, b"second", file=b"a/very/long/path/of/a/source/file/in/the/kernel.c", line=99999)
    s.add(12345678901234567, b"last", cpu=12)
    return s.data


# Columns and their headings are FreeBSD's.
GOLDEN = {
    "": b"""\
index  trace
------ -----@
     0 first 1
     1 second
     2 third on cpu 1
     3 last
""",
    "-c": b"""\
index  cpu trace
------ --- -----@
     0   0 first 1
     1   0 second
     2   1 third on cpu 1
     3  12 last
""",
    "-t": b"""\
index  timestamp        trace
------ ---------------- -----@
     0             1000 first 1
     1             2000 second
     2             2500 third on cpu 1
     3 12345678901234567 last
""",
    "-tr": b"""\
index  timestamp        trace
------ ---------------- -----@
     0                0 first 1
     1             1000 second
     2              500 third on cpu 1
     3 12345678901232067 last
""",
    "-f": b"""\
index  file and line                            trace
------ ---------------------------------------- -----@
     0 kern_synch.c:7                           first 1
     1 a/very/long/path/of/a/source/file/in/the/kernel.c:99999 second
     2 sched_ule.c:1234                         third on cpu 1
     3 kern_synch.c:7                           last
""",
    "-H": b"""\
index  tid                trace
------ ------------------ -----@
     0 0xffff888012345678 first 1
     1 0xffff888012345678 second
     2 0x0 third on cpu 1
     3 0xffff888012345678 last
""",
    "-ctfHq": b"""\
     0   0             1000 kern_synch.c:7                           0xffff888012345678 first 1
     1   0             2000 a/very/long/path/of/a/source/file/in/the/kernel.c:99999 0xffff888012345678 second
     2   1             2500 sched_ule.c:1234                         0x0 third on cpu 1
     3  12 12345678901234567 kern_synch.c:7                           0xffff888012345678 last
""",
    "-r": b"""\
index  trace
------ -----@
     0 first 1
     1 second
     2 third on cpu 1
     3 last
""",
    "-q": b"     0 first 1\n     1 second\n     2 third on cpu 1\n     3 last\n",
    "-lq": b"     0 first 1\n     1 second\n     2 third on cpu 1\n     3 last\n",
}


def golden(options):
    """A blank at the end of a line is an @ above."""
    expect(stream(sample(), *options.split()), GOLDEN[options].replace(b"@", b" "), options)


def message(fmt, parms, text):
    expect(stream(Stream().add(5, fmt, *parms).data, "-q"), b"     0 " + text + b"\n", repr(fmt))


def cut_strings():
    """The string that was cut says so, unless it was to be cut anyway; the ones before were whole."""
    strings = {0: b"whole", 2: b"begin"}
    for fmt, text in ((b"%s %d %s!", b"whole 5 begin...!"), (b"%s %d %.5s!", b"whole 5 begin!"), (b"%s %d %.6s!", b"whole 5 begin...!"),
                      (b"%s %d %-10s!", b"whole 5 begin...  !")):
        s = Stream()
        s.data += format_chunk(9, fmt) + event_chunk(9, 1, (1, 5, 1), strings=strings, cut=True)
        expect(stream(s.data, "-q"), b"     0 " + text + b"\n", repr(fmt))


def broken_strings():
    """Bits that promise more strings than there are, or say that a number is one."""
    for mask, data, text in ((0b11, b"one\0", b"one "), (0b11, b"one\0" + b"x" * 4, b"one (0x2)"), (0b11, b"12345678", b"(0x1) (0x2)"), (0b10, b"two\0", b"(0x1) two"),
                             (0b111110, b"two\0three\0", b"(0x1) two"), (0x7fffffc0, b"x\0", b"(0x1) (0x2)")):
        s = Stream()
        s.data += format_chunk(9, b"%s %s") + event_chunk(9, 1, (1, 2), strings=(mask, data))
        expect(stream(s.data, "-q"), b"     0 " + text + b"\n", mask)


def no_format():
    s = Stream()
    s.data += event_chunk(0, 1, (1, 2), strings={1: b"str\33"}) + event_chunk(77, 2)
    place = b"(null):0".ljust(40)
    expect(stream(s.data, "-f", "-q"), b"     0 " + place + b" (no room was left for its format) 0x1 str\\033 0x0 0x0 0x0 0x0\n"
           b"     1 " + place + b" (format 77 is not in the stream) 0x0 0x0 0x0 0x0 0x0 0x0\n", "events")


def formats_change():
    """A number stands for the format that came last before the event."""
    s = Stream()
    s.data += format_chunk(1, b"old") + event_chunk(1, 3) + format_chunk(1, b"new") + event_chunk(1, 2)
    expect(stream(s.data, "-q"), b"     0 new\n     1 old\n", "events")


def many_formats():
    s = Stream()
    for i in range(1, 5000):
        s.data += format_chunk(i * 65536, b"f%d" % i) + event_chunk(i * 65536, i)
    expect(stream(s.data, "-q"), b"".join(b"%6d f%d\n" % (i - 1, i) for i in range(1, 5000)), "events")


def long_formats():
    """Each of many events shows them again: they end where no kernel's does."""
    for desc, shown in ((1024, b"d" * 1024), (1025, b"d" * 1024 + b"..."), (65000, b"d" * 1024 + b"...")):
        s = Stream()
        s.data += format_chunk(1, b"d" * desc) + event_chunk(1, 1)
        expect(stream(s.data, "-q"), b"     0 " + shown + b"\n", desc)
    for file, shown in ((256, b"f" * 256 + b":7"), (257, b"f" * 256 + b"...:7"), (65000, b"f" * 256 + b"...:7")):
        s = Stream()
        s.data += format_chunk(1, b"%d", file=b"f" * file) + event_chunk(1, 1, (5,))
        expect(stream(s.data, "-fq"), b"     0 " + shown + b" 5\n", file)


def order():
    """Those of one time as the stream has them; unknown chunks are none; a header may be longer."""
    data = header()[:8] + b"\1\0\0\0" + (128).to_bytes(4, "little") + header()[16:] + bytes(24)
    data += format_chunk(1, b"%d") + event_chunk(1, 5, (1,)) + chunk(99, b"unknown") + event_chunk(1, 5, (2,), cpu=1) + \
        event_chunk(1, 5, (3,)) + event_chunk(1, 4, (0,))
    expect(stream(data, "-q"), b"     0 0\n     1 1\n     2 2\n     3 3\n", "events")


def no_events():
    expect(stream(header()), HEADING, "no events")
    expect(stream(header(), "-q"), b"", "no events, no heading")


def all_of_a_file():
    """debug.ktr.entries is of the ring, and limits no file."""
    for source in (ALQ, RING, CORE):
        s = Stream(entries=2, source=source)
        for i in range(5):
            s.add(i, b"%d", i)
        expect(stream(s.data, "-q"), b"".join(b"%6d %d\n" % (i, i) for i in range(5)), source)


def lost():
    process = run("-q", "-i", "-", data=sample() + lost_chunk(3, 0) + lost_chunk(4))
    expect((process.returncode, process.stderr), (0, b"ktrdump: events were lost: 7\n"), "losses")
    process = run("-q", "-i", "-", data=sample() + lost_chunk(2**64 - 1) + lost_chunk(2**64 - 1))
    expect(process.stderr, b"ktrdump: events were lost: 18446744073709551615\n", "more than can be counted")


def cut_short():
    """Good up to the last whole chunk, wherever it was cut."""
    s = Stream().add(1, b"one").add(2, b"two %s", b"x")
    whole = bytes(s.data)
    first_end = whole.index(b"two %s") - 24 - len(b"kern_synch.c")
    for length in range(104, len(whole)):
        process = run("-q", "-i", "-", data=whole[:length])
        boundary = length in (104, 104 + 40, first_end, first_end + 48)
        lines = b"     0 one\n" if length >= first_end else b""
        expect(process.stdout, lines, "cut to %d bytes" % length)
        if not boundary:
            expect(process.returncode, 1, "status, cut to %d bytes" % length)
            expect(process.stderr.decode().endswith(": it is cut short\n"), True, "message, cut to %d bytes" % length)
        elif process.returncode or process.stderr:
            raise AssertionError("cut to %d bytes, between chunks: %s" % (length, process.stderr))


def damaged_chunks():
    for name, bad, what in (
            ("length 0", chunk(2, b"", length=0), "it is damaged: no chunk has such a length"),
            ("length 12", chunk(2, b"", length=12), "it is damaged: no chunk has such a length"),
            ("long", chunk(2, b"", length=0xfffffff8), "it is cut short"),
            ("short event", chunk(2, bytes(72)), "an event that is too short"),
            ("short format", chunk(1, bytes(8)), "a format that is too short"),
            ("format 0", format_chunk(0, b"x"), "a format with the number 0"),
            ("file", format_chunk(1, b"x", file_len=65535), "a format that is longer than its chunk"),
            ("description", format_chunk(1, b"x", desc_len=65535), "a format that is longer than its chunk"),
            ("short loss", chunk(3, bytes(8)), "a count of lost events that is too short")):
        data = sample()
        process = run("-q", "-i", "-", data=data + bad + event_chunk(1, 1))
        expect((process.returncode, process.stdout), (1, GOLDEN["-q"]), name)
        expect(process.stderr.decode(), "ktrdump: standard input: byte %d: %s\n" % (len(data), what), name)


def other_files():
    refused("standard input: this is empty, not a file of ktr's events", "-i", "-", data=b"")
    refused("standard input: this is not a file of ktr's events", "-i", "-", data=b"\0" * 200)
    refused("standard input: it is cut short: not even its header is whole", "-i", "-", data=header()[:103])
    refused("standard input: its format is newer than this ktrdump: use the one that came with ktr.ko", "-i", "-", data=header(version=2))
    refused("standard input: its header is damaged", "-i", "-", data=header(length=96))
    refused("standard input: its header is damaged", "-i", "-", data=header(length=108) + bytes(8))
    refused("standard input: it is cut short: not even its header is whole", "-i", "-", data=header(length=0xfffffff8))
    refused("/nonexistent/x: No such file or directory", "-i", "/nonexistent/x")
    refused("/: Is a directory", "-i", "/")


def regular_file():
    expect(run("-q", "-i", harness.keep(sample(), "alq")).stdout, GOLDEN["-q"], "a file that is mapped")
    refused(os.path.join(harness.folder, "empty") + ": this is empty, not a file of ktr's events", "-i", harness.keep(b"", "empty"))


def output_file():
    path = harness.keep(b"older and longer " * 100, "out")
    process = run("-q", "-o", path, "-i", "-", data=sample())
    expect((process.returncode, process.stdout, process.stderr), (0, b"", b""), "status")
    with open(path, "rb") as f:
        expect(f.read(), GOLDEN["-q"], "file")
    refused("/nonexistent/out: No such file or directory", "-o", "/nonexistent/out", "-i", "-", data=sample())
    process = subprocess.run([harness.KTRDUMP, "-i", "-"], input=bytes(sample()), stdout=open("/dev/full", "wb"),
                             stderr=subprocess.PIPE, timeout=harness.SECONDS)
    expect((process.returncode, process.stderr), (1, b"ktrdump: standard output: No space left on device\n"), "a full disk")


def same_file():
    """What is read is not what is written: it would be empty."""
    path = harness.keep(sample(), "alq")
    link = os.path.join(harness.folder, "link")
    os.symlink(path, link)
    for option, written in (("-o", path), ("-o", link), ("--schedgraph", path), ("--perfetto", link)):
        refused("%s: is what is read: write into another file" % written, "-i", path, option, written)
        with open(path, "rb") as f:
            expect(f.read(), bytes(sample()), option)
    with open(path, "r+b") as f:
        process = subprocess.run([harness.KTRDUMP, "-i", path], stdout=f, stderr=subprocess.PIPE, timeout=harness.SECONDS)
    expect((process.returncode, process.stderr.decode()), (1, "ktrdump: standard output: is what is read: write into another file\n"), "stdout")


def kept_output():
    """A file is not emptied for what cannot be read."""
    path = harness.keep(b"precious", "out")
    for option in "-o", "--schedgraph", "--perfetto":
        refused("/nonexistent/x: No such file or directory", "-i", "/nonexistent/x", option, path)
        refused("standard input: this is not a file of ktr's events", "-i", "-", option, path, data=b"x" * 200)
        with open(path, "rb") as f:
            expect(f.read(), b"precious", option)


def command_line():
    refused("unknown option '-x'", "-x")
    refused("unknown option '--nothing'", "--nothing")
    refused("unknown option '--shedgraph=x' (did you mean --schedgraph?)", "--shedgraph=x")
    refused("option '-i' needs an argument", "-i")
    refused("option '--schedgraph' needs an argument", "--schedgraph")
    refused("option '--perfetto' needs an argument", "--per")
    refused("option '--version' takes no value", "--version=1")
    refused("option '--help' takes no value", "--he=1")
    refused("unexpected argument 'file': a file of events is given by -i", "file")
    refused("unexpected argument '-c': a file of events is given by -i", "--", "-c")
    process = run("-i")
    expect(process.stderr.decode().split("\n")[1], "usage: ktrdump [-cflqrtH] [-i ktrfile] [-M core] [-N system] [-o outfile]", "usage")
    expect("\n       ktrdump --help\n" in process.stderr.decode(), True, "a hint at --help")
    refused("--schedgraph, --perfetto: only one of them at once", "--schedgraph", "a", "--perfetto", "b")
    refused("-o x: for text only, the other file has a name already", "--perfetto", "-", "-o", "x")
    for letter in "cflqrtH":
        refused("-%s has no effect with --perfetto: leave it out" % letter, "--perfetto", "-", "-" + letter)
        refused("-%s has no effect with --schedgraph: leave it out" % letter, "-" + letter, "--schedgraph", "-", "-i", "-", data=sample())
    refused("-l: only of the running kernel, not with -M", "-l", "-M", "core")
    for name, options in (("-i", ("-i", "-", "-i", "x")), ("-o", ("-o", "x", "-ox")), ("-M", ("-M", "x", "-M", "y")),
                          ("-M", ("-m", "x", "-M", "y")), ("-N", ("-N", "x", "-e", "y")),
                          ("--schedgraph", ("--schedgraph", "x", "--sched=y")), ("--perfetto", ("--perfetto", "x", "--perfetto", "x"))):
        refused("%s was given twice: one at a time" % name, *options)
    for name, options in (("-i", ("-i", "")), ("-M", ("-m", "")), ("-N", ("-N", "")), ("-o", ("-o", "", "-i", "-")),
                          ("--schedgraph", ("--schedgraph=", "-i", "-")), ("--perfetto", ("--perfetto", "", "-i", "-"))):
        refused("%s '': a file has a name" % name, *options, data=sample())
    process = run("--help")
    expect((process.returncode, process.stderr), (0, b""), "--help")
    with open(os.path.join(harness.TREE, "include", "ktrace_version.h"), encoding="ascii") as f:
        version = f.read().split('KTRACE_VERSION "')[1].split('"')[0]
    expect(run("--version").stdout.decode(), "ktrdump %s\n" % version, "--version")


def system_file():
    for letter in "-N", "-e":
        expect(run("-q", letter, harness.KTRDUMP, "-i", "-", data=sample()).stdout, GOLDEN["-q"], letter)
    symbols = harness.keep(b"ffffffff81000000 T _text\n", "System.map")
    expect(run("-q", "-N", symbols, "-i", "-", data=sample()).stdout, GOLDEN["-q"], "System.map")
    refused("-N /nonexistent: No such file or directory", "-N", "/nonexistent", "-i", "-", data=sample())
    other = harness.keep(b"just some text that is long enough", "other")
    refused("-N %s: neither a vmlinux nor a System.map; ktrdump does without" % other, "-N", other, "-i", "-", data=sample())
    process = run("-q", "-M", "core", "-i", "-", data=sample())
    expect((process.returncode, process.stdout), (0, GOLDEN["-q"]), "-M beside -i")
    expect(process.stderr, b"ktrdump: -M core is not used: the file of -i has all that it takes\n", "-M beside -i")


def tests(_tree, _here):
    for options in GOLDEN:
        yield "golden/" + (options or "none"), lambda options=options: golden(options)
    for name, fmt, parms, text in MESSAGES:
        yield "message/" + name, lambda fmt=fmt, parms=parms, text=text: message(fmt, parms, text)
    for test in (cut_strings, broken_strings, no_format, formats_change, many_formats, long_formats, order, no_events, all_of_a_file, lost,
                 cut_short, damaged_chunks, other_files, regular_file, output_file, same_file, kept_output, command_line, system_file):
        yield test.__name__.replace("_", "-"), test
