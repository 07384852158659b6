# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Files that were damaged at random, read by a build with the address and undefined-behaviour sanitizers."""
import os
import random

import core_cases
import harness
import sanitized
import scenes
import text_cases
from harness import Skip
from streams import Memory

VIEWS = [("-ctfH",), ("-tr",), ("--schedgraph", "-"), ("--perfetto", "-")]


def build(tree, here):
    path = sanitized.build_tool(tree, "ktrdump", ("ktrdump", "chart", "options", "decode/json.c", "decode/out.c", "decode/out_text.c", "decode/random.c", "decode/utf8.c"), [],
                                os.path.join(here, "exact.c"), "stream_parse")
    if not path:
        raise Skip("there is no compiler that has sanitizers")
    return path


def corpus():
    """Each input of the tests before once, and some of all kinds; (options, data)."""
    own = [bytes(stream) for stream in (scenes.known().data, scenes.busy(200).data, scenes.nasty().data, text_cases.sample())]
    memory = Memory(size=1 << 17)
    memory.recorder(core_cases.rings(), core_cases.FORMATS)
    own = [(("-i",), data) for data in own] + [(("-M",), bytes(memory.core()))]
    return sorted(set(harness.ran) | set(own), key=lambda one: (one[0], len(one[1]), one[1]))


def interesting(rng, length):
    """Headers are at the beginning of a file, and at its end those of memory."""
    return rng.choice([rng.randrange(min(length, 400)), rng.randrange(length), rng.randrange(max(0, length - 100000), length)])


def mutate(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        if not data:
            break
        at, kind = interesting(rng, len(data)), rng.randrange(6)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at] = rng.choice([0, 1, 7, 8, 0x25, 0x7f, 0x80, 0xff, rng.randrange(256)])
        elif kind == 2:
            value = rng.choice([0, 1, 8, 16, 80, 88, 2**31 - 1, 2**31, 2**32 - 8, 2**32 - 1])
            data[at & ~3:(at & ~3) + 4] = value.to_bytes(4, "little")
        elif kind == 3:
            del data[at:at + rng.randrange(1, 64)]
        elif kind == 4:
            data[at:at] = data[at:at + rng.randrange(1, 200)]
        else:
            del data[at:]
    return bytes(data)


def no_controls(data):
    return not any(byte < 32 and byte != 10 or byte == 127 for byte in data)


def check(server, options, data, view, what):
    name = harness.keep(data, "damaged")
    process = server.run([*view, *options, name])
    if process.returncode not in (0, 1):
        raise AssertionError("%s: status %d: %s" % (what, process.returncode, process.stderr.decode(errors="replace")[-3000:]))
    if view[0] != "--schedgraph" and not no_controls(process.stdout):
        raise AssertionError("%s: a control character" % what)


def known(tree, here):
    """What the tests before have read, in each view."""
    with sanitized.Server(build(tree, here), harness.folder, harness.ENV) as server:
        for n, (options, data) in enumerate(corpus()):
            check(server, options, data, VIEWS[n % len(VIEWS)], "file %d of the tests" % n)


def run(tree, here, seeds):
    files = corpus()
    with sanitized.Server(build(tree, here), harness.folder, harness.ENV) as server:
        for seed in seeds:
            rng = random.Random(seed)
            options, data = rng.choice(files)
            check(server, options, mutate(rng, data), rng.choice(VIEWS), "seed %d" % seed)
