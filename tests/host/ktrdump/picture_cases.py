# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""--schedgraph and --perfetto: what they have of events that are known."""
import harness
import scenes
from harness import Skip, expect, keep, run, stream

import browser
import events
import page_tests


# --perfetto ---------------------------------------------------------------------------------------------------------

def load(data):
    trace = events.load(stream(data, "--perfetto", "-"))
    problem = events.check(trace)
    if problem:
        raise AssertionError(problem)
    return trace


def named(found):
    """[process, thread, time in ns, duration, name]; processes and threads by name."""
    processes = {e["pid"]: e["args"]["name"] for e in found if e["name"] == "process_name"}
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in found if e["name"] == "thread_name"}
    return [(processes[e["pid"]], threads[e["pid"], e["tid"]], round(e["ts"] * 1000), round(e.get("dur", 0) * 1000), e) for e in found if e["ph"] != "M"]


STATES = [
    ("CPUs", "CPU 0", 0, 6000, "sh tid 10"), ("CPUs", "CPU 1", 3000, 6000, "make tid 11"), ("CPUs", "CPU 1", 10000, 10000, "sh tid 10"),
    ("disk", "sda", 4000, 3000, "0xABC"), ("thread", "make tid 11", 1000, 2000, "runq add"), ("thread", "make tid 11", 3000, 6000, "running"),
    ("thread", "sh tid 10", 0, 6000, "running"), ("thread", "sh tid 10", 6000, 4000, "sleep"), ("thread", "sh tid 10", 10000, 10000, "running"),
]
POINTS = [
    ("CPUs", "CPU 0", 5000, "event", "fork: 10 -> 11"), ("thread", "make tid 11", 9000, "proc exit", "prio:120"),
    ("thread", "sh tid 10", 2000, "wokeup", 'linkedto:"make tid 11"'),
]
VALUES = [("load", "CPU 0 load", 0, 1), ("load", "CPU 0 load", 8000, 0), ("load", "CPU 1 load", 1500, 2), ("load", "CPU 1 load", 20000, 4)]


def perfetto():
    trace = load(scenes.known().data)
    found = named(trace["traceEvents"])
    expect(sorted((a, b, ts, dur, e["name"]) for a, b, ts, dur, e in found if e["ph"] == "X"), STATES, "states")
    expect(sorted((a, b, ts, e["name"], e["args"]["text"]) for a, b, ts, _, e in found if e["ph"] == "i"), POINTS, "points")
    expect(sorted((a, b, ts, e["args"]["value"]) for a, b, ts, _, e in found if e["ph"] == "C"), VALUES, "counters")
    expect([e["args"] for _, b, ts, _, e in found if (b, ts) == ("sh tid 10", 10000)],
           [{"attributes": "prio:120", "end": "not in this trace"}], "a state that goes on")
    expect(trace["otherData"]["start_ns"], str(1700000000 * 10**9 + 1000000), "the time of the first event")
    expect(trace["otherData"]["producer"].split()[0], "ktrdump", "the producer")


def renamed():
    """A thread that executes another program is in one state only, on one lane; idle threads all have the number 0."""
    s = scenes.Stream()
    for time, name, tid, state, cpu in ((0, b"sh", 12, b"running", 0), (5000, b"ls", 12, b"sleep", 0), (9000, b"swapper/0", 0, b"running", 0),
                                        (9500, b"swapper/1", 0, b"running", 1), (12000, b"ls", 12, b"running", 1),
                                        (15000, b"sh", 12, b"running", 1), (20000, b"other", 7, b"sleep", 0)):
        s.add(time, scenes.STATE, name, tid, state, 120, cpu=cpu)
    found = named(load(s.data)["traceEvents"])
    expect(sorted((b, ts, dur, e["name"]) for _, b, ts, dur, e in found if e["ph"] == "X"), [
        ("CPU 0", 0, 5000, "sh tid 12"), ("CPU 0", 9000, 11000, "swapper/0 tid 0"), ("CPU 1", 9500, 2500, "swapper/1 tid 0"),
        ("CPU 1", 12000, 3000, "ls tid 12"), ("CPU 1", 15000, 5000, "sh tid 12"), ("ls tid 12", 5000, 7000, "sleep"),
        ("ls tid 12", 12000, 3000, "running"), ("other tid 7", 20000, 0, "sleep"), ("sh tid 12", 0, 5000, "running"),
        ("sh tid 12", 15000, 5000, "running"), ("swapper/0 tid 0", 9000, 11000, "running"), ("swapper/1 tid 0", 9500, 10500, "running")], "states")


def nasty():
    load(scenes.nasty().data)
    load(scenes.Stream().data)
    load(scenes.busy().data)


def bounded():
    """More groups, lanes and starts than are kept."""
    s = scenes.Stream()
    for n in range(3000):
        s.add(n, b'KTRGRAPH group:"g%d", id:"x", state:"s", attributes: none', n)
    for n in range(70000):
        s.add(3000 + n, b'KTRGRAPH group:"thread", id:"t%d", start:0x%x, attributes: none', n, n)
    for n in range(1000):
        s.add(80000 + n, b'KTRGRAPH group:"disk", id:"d", start:0x%x, attributes: none', n)
    path = keep(s.data, "many")
    process = run("--perfetto", "-", "-i", path, preexec_fn=harness.limit_memory)
    expect((process.returncode, process.stderr.decode()),
           (0, 'ktrdump: the picture is not complete: 3003 events of groups beyond 1000 are in the group "others"; 6462 events of lanes '
            'beyond 65536 are on lanes "others"; 5950 starts are left out: too much has no stop\n'), "status")
    lanes = {e["args"]["name"] for e in events.load(process.stdout)["traceEvents"] if e["name"] == "thread_name"}
    expect(("others" in lanes, len(lanes) <= 65536), (True, True), "lanes")


def files():
    """Into a file of that name, and nothing else."""
    for view in "--schedgraph", "--perfetto":
        path = keep(b"old", "picture")
        process = run(view, path, "-i", "-", data=scenes.known().data)
        expect((process.returncode, process.stdout, process.stderr), (0, b"", b""), view)
        with open(path, "rb") as f:
            expect(f.read(), stream(scenes.known().data, view, "-"), view)
        harness.refused("/nonexistent/x: No such file or directory", view, "/nonexistent/x", "-i", "-", data=scenes.known().data)


# --schedgraph -------------------------------------------------------------------------------------------------------

chromium = None


def show(data):
    page_tests.show(chromium, stream(data, "--schedgraph", "-"), harness.folder)


def table(name):
    return chromium.evaluate(page_tests.TABLE % name)


def text(element):
    return chromium.evaluate("document.getElementById('%s').textContent" % element)


def point(lane, ns):
    """Where on the screen that moment of that lane is."""
    return chromium.evaluate("""(() => {
        const box = page.elements.canvas.getBoundingClientRect(), { lanes } = page;
        const lane = lanes.lanes.findIndex((one) => one.threads[0].name === "%s");
        return [box.left + lanes.x(%d), box.top + lanes.laneTop(lane) + 12];
    })()""" % (lane, ns))


def page_lanes():
    """CPUs first, then load, threads and the rest, each by name; states and sums."""
    show(scenes.known().data)
    expect(chromium.evaluate("page.lanes.lanes.map((lane) => [lane.threads[0].process.name, lane.threads[0].name])"),
           [["CPUs", "CPU 0"], ["CPUs", "CPU 1"], ["load", "CPU 0 load"], ["load", "CPU 1 load"], ["thread", "make tid 11"],
            ["thread", "sh tid 10"], ["disk", "sda"]], "lanes")
    expect(text("facts"), "20 µs · 9 states · 7 lanes · 14 events", "facts")
    expect([text("tab-calls"), text("tab-processes")], ["States", "Lanes"], "tabs")
    rows = {row[0]: row[1:5] for row in table("calls")}
    expect(rows, {"running": ["3", "12 µs", "6 µs", "6 µs"], "sh tid 10": ["2", "6 µs", "6 µs", "6 µs"],
                  "make tid 11": ["1", "6 µs", "6 µs", "6 µs"], "sleep": ["1", "4 µs", "4 µs", "4 µs"],
                  "0xABC": ["1", "3 µs", "3 µs", "3 µs"], "runq add": ["1", "2 µs", "2 µs", "2 µs"]}, "states")
    chromium.click_element("#tab-processes")
    expect({row[0]: row[1:4] for row in table("processes")}["sh tid 10"], ["thread", "3", "10 µs"], "a lane")
    expect(chromium.evaluate("getComputedStyle(page.elements.shared.parentElement).display"), "none", "lanes are not shared")
    page_tests.check_quiet(chromium)


def page_details():
    show(scenes.known().data)
    for lane, ns, parts in (
            ("CPU 1", 5000, ["State", "make tid 11", "6 µs", "CPUs", "2023-11-14 22:13:20.001003 UTC"]),
            ("sh tid 10", 7000, ["sleep", "prio:120", "4 µs"]), ("sh tid 10", 15000, ["running", "more than 10 µs"]),
            ("sh tid 10", 2000, ["Event", "wokeup", 'linkedto:"make tid 11"']), ("CPU 0", 5000, ["event", "fork: 10 -> 11"]),
            ("CPU 1 load", 9000, ["Value", "2", "18.5 µs", "load"])):
        chromium.click(*point(lane, ns))
        found = chromium.evaluate("document.getElementById('details').innerText")
        for part in parts:
            if part not in found:
                raise AssertionError("%s at %d: %r is not in %r" % (lane, ns, part, found))
        chromium.mouse("mouseMoved", *point(lane, ns))
        tip = chromium.evaluate("page.elements.tip.hidden ? '' : page.elements.tip.innerText")
        expect(parts[0] in tip or parts[1] in tip, True, "tip of %s at %d: %r" % (lane, ns, tip))
    page_tests.check_quiet(chromium)


def selected():
    """Lane, start and name of what is selected."""
    return chromium.evaluate("""(() => {
        const { model } = page, i = page.lanes.selected;
        return i < 0 ? null : [model.threads[model.thread[i]].name, model.start[i], model.callName(i)];
    })()""")


def page_links():
    """From an event to the one that it is linked to, and back: by a button and by a key."""
    show(scenes.linked().data)
    details = "document.getElementById('details').innerText"
    for time in 5000, 25000:
        chromium.click(*point("sh tid 10", time))
        expect(selected(), ["sh tid 10", time, "wokeup"], "a click")
        chromium.click_element("#details .actions button.link")
        expect(selected(), ["make tid 11", time + 300, "runq add"], "the event that it woke up")
        expect('linkedto:"sh tid 10"' in chromium.evaluate(details), True, "its details")
        chromium.focus("#lanes")
        chromium.key("g")
        expect(selected(), ["sh tid 10", time, "wokeup"], "back")
        chromium.focus("#lanes")
        chromium.key("0")
    expect(chromium.evaluate("document.querySelector('#details .link').textContent"), "Go to make tid 11", "the button")
    # The line between both, between their lanes.
    chromium.evaluate("page.setTheme('light')")
    chromium.evaluate(page_tests.FRAME)
    x, top = point("sh tid 10", 25150)
    other = point("make tid 11", 25150)[1]
    box = chromium.evaluate("(({left, top}) => [left, top])(page.elements.canvas.getBoundingClientRect())")
    colours = chromium.evaluate("""((x, from, to) => {
        const data = page.lanes.context.getImageData(x - 8, from, 16, to - from).data, found = new Set();
        for (let i = 0; i < data.length; i += 4)
            found.add("#" + [...data.slice(i, i + 3)].map((n) => n.toString(16).padStart(2, "0")).join(""));
        return [...found];
    })(%d, %d, %d)""" % (x - box[0], min(top, other) - box[1] + 8, max(top, other) - box[1] - 8))
    expect(chromium.evaluate("page.lanes.colours.select") in colours, True, "a line: %s" % colours)
    # A lane that is not there, and one of another group.
    chromium.click(*point("sh tid 10", 30000))
    expect("gone tid 99, which is not in this trace" in chromium.evaluate(details), True, chromium.evaluate(details))
    expect(chromium.evaluate("document.querySelector('#details .link')"), None, "a button to nowhere")
    chromium.focus("#lanes")
    chromium.key("g")
    expect(selected(), ["sh tid 10", 30000, "wokeup"], "a key to nowhere")
    chromium.click(*point("sda", 35000))
    chromium.click_element("#details .actions button.link")
    expect(selected(), ["make tid 11", 28000, "sleep"], "what it is in then")
    # A lane that is hidden is shown.
    chromium.evaluate("page.search('wokeup')")
    chromium.click_element("#only")
    expect(chromium.evaluate("page.lanes.lanes.map((lane) => lane.threads[0].name)"), ["sh tid 10"], "lanes")
    chromium.click(*point("sh tid 10", 5000))
    chromium.focus("#lanes")
    chromium.key("g")
    expect(selected(), ["make tid 11", 5300, "runq add"], "on a lane that was hidden")
    chromium.evaluate(page_tests.FRAME)
    expect("make tid 11" in chromium.evaluate("page.lanes.lanes.map((lane) => lane.threads[0].name)"), True, "it is shown")
    expect(chromium.evaluate("document.getElementById('link-key').hidden"), False, "the list of keys")
    page_tests.check_quiet(chromium)


def page_search():
    show(scenes.known().data)
    for query, names in (
            ("state:running", ["running", "running", "running"]), ('lane:"CPU 1"', ["make tid 11", "sh tid 10"]),
            ("class:asleep", ["sleep"]), ("class:cpu make", ["make tid 11"]), ("wokeup", ["wokeup"]), ("fork:", ["event"]),
            (">5us class:running", ["running"] * 3), ('state:"make tid 11"', ["make tid 11"]), ("nothing", []),
            ('lane:"CPU 0 load"', ["1", "0"])):
        expect(chromium.evaluate("(page.search(%r), [...page.lanes.query.list].map((i) => page.model.callName(i)))" % query), names, query)
    chromium.evaluate("page.search('')")
    chromium.click_element("#tab-calls")
    chromium.evaluate("[...document.querySelectorAll('#calls tbody button')].find((b) => b.textContent === 'make tid 11').click()")
    expect(chromium.evaluate("page.lanes.query.list.length"), 1, "a name in the table")
    page_tests.check_quiet(chromium)


def page_pixels():
    """Bars have the colours of their states, and counters their heights."""
    show(scenes.known().data)
    read = """(() => {
        const { lanes } = page, ratio = window.devicePixelRatio || 1;
        const lane = lanes.lanes.findIndex((one) => one.threads[0].name === "%s");
        const data = lanes.context.getImageData(Math.round(lanes.x(%d) * ratio), Math.round((lanes.laneTop(lane) + %d) * ratio), 1, 1).data;
        return "#" + [...data].slice(0, 3).map((n) => n.toString(16).padStart(2, "0")).join("");
    })()"""
    colour = "getComputedStyle(document.documentElement).getPropertyValue('--%s').trim()"
    chromium.evaluate("page.setTheme('light')")
    chromium.evaluate(page_tests.FRAME)
    for lane, ns, y, name in (("CPU 0", 4100, 15, "cpu"), ("CPU 1", 9500, 15, "alive"), ("sh tid 10", 5500, 15, "running"),
                              ("sh tid 10", 9100, 15, "asleep"), ("make tid 11", 2900, 15, "runnable"),
                              # 2 of 4: half of the height; 4: all of it.
                              ("CPU 1 load", 9100, 20, "cpu"), ("CPU 1 load", 9100, 6, "alive")):
        expect(chromium.evaluate(read % (lane, ns, y)), chromium.evaluate(colour % name), "%s at %d" % (lane, ns))


def page_nasty():
    show(scenes.nasty().data)
    expect(chromium.evaluate("typeof window.pwned"), "undefined", "a script of the trace")
    for tab in "#tab-calls", "#tab-processes", "#tab-details":
        chromium.click_element(tab)
    chromium.evaluate("for (let i = 0; i < page.model.count; i++) page.panel.details(i)")
    expect(chromium.evaluate("typeof window.pwned"), "undefined", "a script of the trace")
    page_tests.check_quiet(chromium)
    show(scenes.Stream().data)
    expect(text("facts").split(" · ")[1:], ["0 states", "0 lanes", "0 events"], "no events")
    page_tests.check_quiet(chromium)


def page_note():
    """What is left out."""
    s = scenes.Stream()
    for n in range(1010):
        s.add(n, b'KTRGRAPH group:"g%d", id:"x", point:"p", attributes: none', n)
    path = keep(s.data, "note")
    page_tests.show(chromium, run("--schedgraph", "-", "-i", path).stdout, harness.folder)
    expect(text("facts"), '1.009 µs · 0 states · 998 lanes · 1,010 events · not complete: 13 events of groups beyond 1000 are in the group "others"',
           "facts")
    page_tests.check_quiet(chromium)


def page_large():
    """20,000 events, in time."""
    show(scenes.busy(20000).data)
    expect(chromium.evaluate("page.model.records"), len(list(page_events(20000))), "events")
    frame = chromium.evaluate("(() => { const start = performance.now(); page.lanes.draw(); return performance.now() - start; })()")
    if frame > 1000:
        raise AssertionError("a frame takes %d ms" % frame)
    page_tests.check_quiet(chromium)


def page_many_names():
    """More names of states than a function of JavaScript can have arguments."""
    s = scenes.Stream()
    for n in range(200000):
        s.add(n, b'KTRGRAPH group:"thread", id:"x", state:"%s", attributes: none', b"s%d" % n)
    page_tests.show(chromium, run("--schedgraph", "-", "-i", keep(s.data, "names")).stdout, harness.folder)
    expect(chromium.evaluate("page.model.names.length"), 65537, "names")
    expect([row[1] for row in table("calls") if row[0] == "others"], ["134,464"], "others")
    page_tests.check_quiet(chromium)


def page_events(count):
    """The lines that ktrdump has of them."""
    return stream(scenes.busy(count).data, "-q").splitlines()


def with_browser(test):
    global chromium
    if not browser.path():
        raise Skip("there is no Chromium")
    if not chromium:
        chromium = browser.Browser(harness.folder).__enter__()
    try:
        test()
    except browser.BrowserError as e:
        raise AssertionError("the browser: %s" % e) from e


def close():
    if chromium:
        chromium.__exit__(None, None, None)


def tests(_tree, _here):
    for test in (perfetto, renamed, nasty, bounded, files):
        yield "pictures/" + test.__name__.replace("_", "-"), test
    for test in (page_lanes, page_details, page_links, page_search, page_pixels, page_nasty, page_note, page_many_names, page_large):
        yield "schedgraph/" + test.__name__[len("page_"):].replace("_", "-"), lambda test=test: with_browser(test)
    yield "schedgraph/close", close
