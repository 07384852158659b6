# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The page of kdump --html, used as people use it: with mouse and keyboard, in Chromium."""
import base64
import os
import re
import time

import craft
import scenes

DATA = re.compile(rb'<script type="application/x-ktrace">([A-Za-z0-9+/]*=*)</script>\n')
TESTS = []

# What the tables show, as text.
TABLE = """[...document.querySelectorAll("#%s tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"""
FRAME = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def test(function):
    TESTS.append((function.__name__.replace("_", "-"), function))
    return function


def split(page):
    """The page without its data, and the data. Raises ValueError when they are not base64 alone."""
    data = b"".join(base64.b64decode(part, validate=True) for part in DATA.findall(page))
    return DATA.sub(b"", page), data


def decode(data):
    """The strings and calls (their operands) in a page's data, as html_stream.h describes them."""
    at, strings = 0, [b""]

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    operands = {3: 4, 4: 2, 5: 9, 6: 5, 7: 4, 8: 2, 9: 2, 10: 2, 0: 3, 11: 1, 12: 4, 13: 4}
    calls = []
    while at < len(data):
        op = data[at]
        at += 1
        if op in (1, 2):
            if op == 2:
                number()
            length = number()
            if op == 1:
                strings.append(data[at:at + length])
            at += length
            continue
        values = [number() for _ in range(operands[op])]
        if op == 5:
            calls.append(values)
    return strings, calls


def expect(found, expected, what):
    if found != expected:
        raise AssertionError("%s: %r, expected %r" % (what, found, expected))


def show(chromium, page, folder):
    """Opens it; all that it asks for is the file itself."""
    path = os.path.join(folder, "page.html")
    with open(path, "wb") as f:
        f.write(page)
    chromium.open("file://" + path)
    chromium.wait_for("document.readyState === 'complete' && typeof page !== 'undefined' && page !== null")
    chromium.evaluate(FRAME)


def check_quiet(chromium):
    """No errors, no messages, and nothing loaded but the page itself."""
    for event in chromium.events:
        if event["method"] in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            raise AssertionError("%s: %s" % (event["method"], event["params"]))
        if event["method"] == "Network.requestWillBeSent":
            url = event["params"]["request"]["url"]
            if not url.endswith("/page.html") and not url.startswith("data:,"):
                raise AssertionError("it asked for " + url)


def show_known(chromium, output, folder):
    show(chromium, output("--html", scenes.known().data), folder)


def lane_point(chromium, pid, ns):
    """Where on the screen that moment of that process is."""
    return chromium.evaluate("""(() => {
        const box = page.elements.canvas.getBoundingClientRect(), { lanes } = page;
        const lane = lanes.lanes.findIndex((one) => one.threads.some((thread) => thread.tid === %d));
        return [box.left + lanes.x(%d), box.top + lanes.laneTop(lane) + 10];
    })()""" % (pid, ns))


@test
def summary(chromium, output, folder):
    """The table of calls has the numbers of the trace."""
    show_known(chromium, output, folder)
    rows = {row[0]: row[1:6] for row in chromium.evaluate(TABLE % "calls")}
    for name, (count, errors, times) in scenes.KNOWN.items():
        def duration(ns):
            return "%g µs" % (ns / 1000)
        expected = [str(count), str(errors) if errors else "", duration(sum(times)) if times else "0 ns",
                    duration(sum(times) / len(times)) if times else "", duration(max(times)) if times else "0 ns"]
        expect(rows.pop(name), expected, name)
    expect(rows, {}, "other calls")
    first = chromium.evaluate(TABLE % "calls")[0][0]
    expect(first, "wait4", "the call that took longest")
    expect(chromium.evaluate("document.getElementById('facts').textContent"),
           "100 µs · 10 calls · 2 processes · 3 threads · %d records · records lost in one place" %
           scenes.known().records, "facts")
    check_quiet(chromium)


@test
def few(chromium, output, folder):
    """One of something is no plural."""
    one = craft.v0(craft.PROCCTOR, craft.ctor(craft.LINUX64)) + craft.v0(craft.SYSCALL, craft.call(0, 3, 0, 1))
    show(chromium, output("--html", one), folder)
    expect(chromium.evaluate("document.getElementById('facts').textContent").split(" · ")[1:],
           ["1 call", "1 process", "1 thread", "1 record"], "facts")


@test
def buttons(chromium, output, folder):
    """They stay side by side, however narrow the window is."""
    show_known(chromium, output, folder)
    rows = """(() => {
        const rows = [];
        for (let width = 320; width <= 1400; width += 20) {
            document.body.style.width = width + "px";
            const tops = [...document.querySelectorAll("header button")].map((one) => one.offsetTop + one.offsetHeight);
            rows.push(Math.max(...tops) - Math.min(...tops));
        }
        document.body.style.width = "";
        return Math.max(...rows);
    })()"""
    expect(chromium.evaluate(rows) < 10, True, "buttons in one row")


@test
def processes(chromium, output, folder):
    show_known(chromium, output, folder)
    chromium.click_element("#tab-processes")
    rows = {row[0]: row for row in chromium.evaluate(TABLE % "processes")}
    expect(rows["11"], ["11", "ls", "10", "1", "12 µs", "30 µs", "4", "1", "11 µs", "ls -l /tmp"], "the child")
    expect(rows["10"][:8], ["10", "sh", "", "2", "0 ns", "100 µs", "6", "1"], "the parent")
    check_quiet(chromium)


@test
def details(chromium, output, folder):
    """A click on a call tells all about it; so do the keys."""
    show_known(chromium, output, folder)
    chromium.click(*lane_point(chromium, 10, 7500))
    text = chromium.evaluate("document.getElementById('details').innerText")
    for part in ("openat(AT_FDCWD,0x1000,0<O_RDONLY>)", "-1 errno 2 No such file or directory (ENOENT)",
                 'NAMI "/etc/missing"', "1 µs", "7 µs (2023-11-14 22:13:20.000007 UTC)", "10 sh"):
        if part not in text:
            return "%r is not in %r" % (part, text)
    chromium.focus("#lanes")
    for key, call in (("]", "clone"), ("]", "wait4"), ("[", "clone")):
        chromium.key(key)
        expect(chromium.evaluate("page.model.callName(page.lanes.selected)"), call, key)
    chromium.key("Escape")
    expect(chromium.evaluate("page.lanes.selected"), -1, "Escape")
    chromium.click(*lane_point(chromium, 12, 60000))
    text = chromium.evaluate("document.getElementById('details').innerText")
    for part in ("futex(", "did not return", "more than 86 µs", "worker"):
        if part not in text:
            return "%r is not in %r" % (part, text)
    check_quiet(chromium)
    return None


@test
def tooltip(chromium, output, folder):
    show_known(chromium, output, folder)
    chromium.mouse("mouseMoved", *lane_point(chromium, 11, 30500))
    text = chromium.evaluate("page.elements.tip.hidden ? '' : page.elements.tip.innerText")
    for part in ("write", "= 6", "2 µs", 'fd 1 wrote 6 bytes: "a.txt'):
        if part not in text:
            return "%r is not in %r" % (part, text)
    return None


@test
def search(chromium, output, folder):
    show_known(chromium, output, folder)
    for query, names in (
            ("openat", ["openat", "openat"]), ("missing", ["openat"]), ("error", ["openat", "write"]),
            ("errno:enoent", ["openat"]), ("errno:11", ["write"]), ("EAGAIN", ["write"]), ("call:write", ["write", "write"]),
            ("tid:12", ["futex"]), ("pid:11 class:desc", ["write", "write"]), (">4us call:wait4", ["wait4"]),
            ("class:file -passwd", ["openat", "execve"]), ('"such file"', ["openat"]), ("SIGCHLD", ["clone", "signal"]),
            ("nothing of that", []), ("", None)):
        found = chromium.evaluate("(page.search(%r), page.lanes.query && page.lanes.query.list.map ? "
                                  "[...page.lanes.query.list].map((i) => page.model.callName(i)) : null)" % query)
        expect(found, names, query)
    # The same by hand: type, and go from match to match.
    chromium.focus("#lanes")
    chromium.key("/")
    chromium.type("error")
    chromium.key("Enter")
    expect(chromium.evaluate("document.getElementById('matches').textContent"), "1 of 2", "matches")
    expect(chromium.evaluate("page.model.callName(page.lanes.selected)"), "openat", "first")
    chromium.key("Enter")
    expect(chromium.evaluate("page.model.callName(page.lanes.selected)"), "write", "second")
    expect([row[0] for row in chromium.evaluate(TABLE % "calls")].sort(), ["openat", "write"].sort(), "the table")
    chromium.click_element("#only")
    expect(chromium.evaluate("page.lanes.lanes.map((lane) => lane.threads[0].tid)"), [10, 11], "lanes")
    check_quiet(chromium)


@test
def zoom(chromium, output, folder):
    show_known(chromium, output, folder)

    def span():
        return chromium.evaluate("page.lanes.span")

    def at():
        return chromium.evaluate("page.lanes.from")

    whole = span()
    expect(whole, 100000, "all of it")
    x, y = lane_point(chromium, 10, 50000)
    chromium.mouse("mouseWheel", x, y, deltaX=0, deltaY=-600)
    near = span()
    if not whole / 5 < near < whole / 2:
        return "the wheel: from %d to %d" % (whole, near)
    middle = at() + near / 2
    if abs(middle - 50000) > 1000:
        return "the wheel left the pointer: %d" % middle
    before = at()
    chromium.drag(x, y, x + 100, y)
    if not at() < before or abs(span() - near) > 1:
        return "dragging: from %d to %d" % (before, at())
    chromium.focus("#lanes")
    for key, check in (("+", lambda: span() < near), ("-", lambda: abs(span() - near) < 1),
                       ("ArrowRight", lambda: at() > before - near), ("0", lambda: span() == whole)):
        chromium.key(key)
        if not check():
            return "key %s: %s from %s" % (key, span(), at())
    a, b = lane_point(chromium, 10, 20000), lane_point(chromium, 10, 40000)
    chromium.drag(*a, *b, modifiers=8)
    if abs(span() - 20000) > 300 or abs(at() - 20000) > 300:
        return "Shift and drag: %s from %s" % (span(), at())
    for _ in range(60):
        chromium.key("+")
    if span() < 99:
        return "no end of zooming: %s" % span()
    chromium.click_element("#fit")
    expect(span(), whole, "Fit")
    check_quiet(chromium)
    return None


@test
def controls(chromium, output, folder):
    """Themes, classes, tabs, sorting, the list of keys."""
    show_known(chromium, output, folder)
    chromium.evaluate("page.setTheme('light')")
    light = chromium.evaluate("getComputedStyle(document.body).backgroundColor")
    chromium.click_element("#theme")
    if chromium.evaluate("getComputedStyle(document.body).backgroundColor") == light:
        return "there is one theme only"
    chromium.evaluate("[...document.querySelectorAll('#legend button')].find((b) => b.textContent === 'processes').click()")
    names = {row[0] for row in chromium.evaluate(TABLE % "calls")}
    if "wait4" in names or "read" not in names:
        return "a class that is hidden: %s" % names
    chromium.evaluate("[...document.querySelectorAll('#calls thead button')].find((b) => b.textContent === 'Count').click()")
    expect([row[1] for row in chromium.evaluate(TABLE % "calls")][:2], ["2", "2"], "sorted by count")
    chromium.focus("#lanes")
    chromium.key("?")
    expect(chromium.evaluate("document.getElementById('keys').open"), True, "the list of keys")
    chromium.key("Escape")
    expect(chromium.evaluate("document.getElementById('keys').open"), False, "closed")
    unnamed = chromium.evaluate("""[...document.querySelectorAll("button, input, canvas, [tabindex]")].filter((e) =>
        !e.hasAttribute("aria-hidden") && !(e.textContent.trim() || e.ariaLabel || e.labels?.length)).map((e) => e.outerHTML)""")
    expect(unnamed, [], "controls without a name")
    check_quiet(chromium)
    return None


@test
def crowds(chromium, output, folder):
    """Where a pixel has many calls, it shows that one failed, and that one matches."""
    data, _, _, _ = scenes.large(5000)
    show(chromium, output("--html", data), folder)
    count = """(() => {
        const hex = page.lanes.colours.%s, colour = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
        const { canvas, context } = page.lanes, pixels = context.getImageData(250, 24, canvas.width - 264, canvas.height - 24).data;
        let found = 0;
        for (let i = 0; i < pixels.length; i += 4)
            found += colour.every((part, n) => pixels[i + n] === part) ? 1 : 0;
        return found;
    })()"""
    chromium.evaluate("page.lanes.show(-2e9, 2e9), page.lanes.draw()")
    expect(chromium.evaluate("page.lanes.model.count / page.lanes.plotWidth > 1"), True, "a crowd")
    if chromium.evaluate(count % "error") < 10:
        return "no errors are seen"
    expect(chromium.evaluate(count % "match"), 0, "matches without a query")
    chromium.evaluate("page.search('/7.h'), page.lanes.draw()")
    if chromium.evaluate(count % "match") < 10:
        return "no matches are seen"
    return None


@test
def shared_lanes(chromium, output, folder):
    """Processes that live one after the other share a lane, and are found there all the same."""
    show_known(chromium, output, folder)
    chromium.click_element("#shared")
    expect(chromium.evaluate("page.lanes.lanes.map((lane) => lane.threads.map((thread) => thread.tid))"),
           [[10], [11], [12]], "threads that live at the same time")
    data, _, _, _ = scenes.large(70 * 500)
    show(chromium, output("--html", data), folder)
    lanes = "page.lanes.lanes.map((lane) => lane.threads.length)"
    expect(chromium.evaluate(lanes), [70], "70 processes share one lane by themselves")
    texts = """(() => {
        const { context } = page.lanes, { fillText } = context, texts = [];
        context.fillText = function (text, ...place) {
            texts.push(text);
            fillText.call(this, text, ...place);
        };
        [page.lanes.from, page.lanes.to] = [%s];
        page.lanes.draw();
        delete context.fillText;
        return texts.filter((text) => /^[0-9]+:/.test(text));
    })()"""
    expect(chromium.evaluate(texts % "-2e9, -1e9"), [], "names where nobody lives")
    named = chromium.evaluate(texts % "page.model.byPid.get(1050).start, page.model.byPid.get(1050).end")
    if len(named) != 1 or not re.match(r"[1-9]\d*: \S", named[0]):
        return "names where 1050 lives: %s" % named
    x = chromium.evaluate("page.lanes.x(page.model.byPid.get(1050).start + (page.model.byPid.get(1050).end - page.model.byPid.get(1050).start) / 2)")
    top = chromium.evaluate("page.elements.canvas.getBoundingClientRect().top + page.lanes.laneTop(0) + page.lanes.nameHeight + 10")
    chromium.click(x, top)
    text = chromium.evaluate("document.getElementById('details').innerText")
    if "1050 " not in text:
        return "the click found %r" % text
    chromium.focus("#lanes")
    chromium.key("l")
    expect(chromium.evaluate(lanes), [1] * 70, "a lane for each")
    chromium.evaluate("page.showProcess(page.model.byPid.get(1050))")
    chromium.key("a")
    chromium.evaluate(FRAME)
    shown = chromium.evaluate("page.lanes.lanes.map((lane) => lane.threads[0].pid)")
    if 1050 not in shown or len(shown) > 3:
        return "only active: %s" % shown
    check_quiet(chromium)
    return None


@test
def nasty(chromium, output, folder):
    """Text of the trace stays text, wherever the page shows it."""
    show(chromium, output("--html", scenes.nasty().data), folder)
    elements = "document.querySelectorAll('img, svg, iframe, object, embed, link:not([rel=icon])').length"
    seen = chromium.evaluate("""(() => {
        let seen = "";
        for (let i = 0; i < page.model.count; i++) {
            page.select(i, true);
            seen += document.getElementById("details").textContent;
            page.tip({ offsetX: page.lanes.x(page.model.start[i]), offsetY: page.lanes.laneTop(page.lanes.laneOf(page.model.threads[page.model.thread[i]])) + 10 });
            seen += page.elements.tip.textContent;
        }
        page.panel.open(2);
        return seen + document.getElementById("processes").textContent + document.title;
    })()""")
    for text in ("</script><script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>", "\\377\\376\\300\\200",
                 "\\033]0;x\\007\\233", "\\342\\200\\250"):
        if text not in seen:
            return "%r is not shown" % text
    chromium.evaluate(FRAME)
    expect(chromium.evaluate("typeof window.pwned"), "undefined", "a script of the trace")
    expect(chromium.evaluate(elements), 0, "elements of the trace")
    expect(chromium.evaluate("document.scripts.length"), 1, "scripts")
    check_quiet(chromium)
    # And if a text became markup, the policy would stop it.
    chromium.events.clear()
    chromium.evaluate("""(() => {
        const script = document.createElement("script"), image = document.createElement("img");
        script.textContent = "window.pwned = 1";
        image.src = "http://127.0.0.1:9/x";
        document.body.append(script, image);
    })()""")
    expect(chromium.evaluate("typeof window.pwned"), "undefined", "a script beside the page's own")
    sent = [event for event in chromium.events if event["method"] == "Network.responseReceived"]
    expect(sent, [], "requests")
    return None


@test
def clocks(chromium, output, folder):
    show(chromium, output("--html", scenes.times(), warning=scenes.JUMP_WARNING), folder)
    bad = chromium.evaluate("""[...page.model.start, ...page.model.duration, page.lanes.from, page.lanes.to].filter((t) => !Number.isFinite(t)).length""")
    expect(bad, 0, "times that are no numbers")
    chromium.evaluate("(() => { for (let i = 0; i < page.model.count; i++) { page.select(i, true); page.zoomTo(i); page.lanes.draw(); } page.fit(); })()")
    expect(chromium.evaluate("[...page.model.duration].some((t) => t < 0)"), False, "negative durations")
    check_quiet(chromium)


@test
def empty_and_cut(chromium, output, folder):
    show(chromium, output("--html", b""), folder)
    expect(chromium.evaluate("page.model.complete && page.model.count === 0"), True, "an empty trace")
    check_quiet(chromium)
    page = output("--html", scenes.known().data)
    cut = page[:DATA.search(page).start() + 401]
    show(chromium, cut, folder)
    if "cut off" not in chromium.evaluate("document.getElementById('facts').textContent"):
        return "a page that is cut off looks whole"
    return None


@test
def large(chromium, output, folder):
    """Half a million records: seconds to open, no wait to move about."""
    data, calls, errors, records = scenes.large(500000)
    page = output("--html", data)
    start = time.monotonic()
    show(chromium, page, folder)
    seconds = time.monotonic() - start
    rows = chromium.evaluate(TABLE % "calls")
    expect(sum(int(row[1].replace(",", "")) for row in rows), calls, "calls")
    expect(sum(int(row[2].replace(",", "") or 0) for row in rows), errors, "errors")
    expect(chromium.evaluate("page.model.records"), records, "records")
    frame = chromium.evaluate("""(() => {
        let most = 0;
        for (let span = page.model.last - page.model.first; span > 1000; span /= 3) {
            const start = performance.now();
            page.lanes.show(5e8, 5e8 + span);
            page.lanes.draw();
            page.overview.draw();
            most = Math.max(most, performance.now() - start);
        }
        return most;
    })()""")
    query = chromium.evaluate("(() => { const start = performance.now(); page.search('include error'); return performance.now() - start; })()")
    expect(chromium.evaluate("page.lanes.query.list.length"), errors, "matches")
    heap = chromium.evaluate("performance.memory.usedJSHeapSize") >> 20
    print("%d records: %d KiB of page, opened in %.1f s, %d MiB, a frame %d ms, a search %d ms" %
          (records, len(page) >> 10, seconds, heap, frame, query))
    check_quiet(chromium)
    # Ten times what is seen on a machine that is busy.
    return None if seconds < 20 and heap < 500 and frame < 1000 and query < 5000 else "too slow, or too large"
