# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Streams and memory images that ktrdump's tests have, as small as fuzzers like them."""
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "ktrdump"))
import core_cases  # noqa: E402
import messages  # noqa: E402
import scenes  # noqa: E402
import text_cases  # noqa: E402
from streams import PAGE, Memory, Stream, chunk, event_chunk, lost_chunk  # noqa: E402


def streams():
    yield scenes.known().data
    yield scenes.linked().data
    yield scenes.busy(40).data
    yield text_cases.sample()
    yield text_cases.sample() + lost_chunk(3, 1) + chunk(9, b"of a newer version") + event_chunk(0, 7, (1, 2), strings={1: b"str"}, cut=True)
    every = Stream()
    for time, (_, fmt, parms, _) in enumerate(messages.MESSAGES):
        every.add(time, fmt, *parms)
    yield every.data
    for at in range(0, len(scenes.NASTY), 4):
        some = Stream()
        for text in scenes.NASTY[at:at + 4]:
            some.add(at, b'KTRGRAPH group:"%s", id:"%s", state:"%s", attributes: %s', text, text, text, text)
        yield some.data


def core(memory):
    """Only the pages that are not all zero."""
    pages = [page for page in range(0, len(memory.data), PAGE) if any(memory.data[page:page + PAGE])]
    trimmed = [(page, page + len(bytes(memory.data[page:page + PAGE]).rstrip(b"\0")) + 8) for page in pages]
    return memory.core([(memory.base + begin, memory.base + min(end, begin + PAGE), memory.base + begin + PAGE) for begin, end in trimmed])


def cores():
    for rings in core_cases.rings(), core_cases.rings()[1:]:
        memory = Memory(size=1 << 17)
        memory.recorder(rings, core_cases.FORMATS)
        yield core(memory)


def inputs():
    """(is it memory?, data)"""
    for data in streams():
        yield False, bytes(data)
    for data in cores():
        yield True, bytes(data)
