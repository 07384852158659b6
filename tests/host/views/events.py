# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What trace events in JSON must be: checked as strictly as the format's description allows."""
import json

# Phase -> keys besides ph, pid and tid, and their types; what is optional begins with "?".
NUMBER = (int, float)
KEYS = {
    "M": {"name": str, "args": dict},
    "X": {"name": str, "cat": str, "ts": NUMBER, "dur": NUMBER, "args": dict},
    "i": {"name": str, "cat": str, "ts": NUMBER, "s": str, "?args": dict},
    "C": {"name": str, "ts": NUMBER, "args": dict},
    "s": {"name": str, "cat": str, "ts": NUMBER, "id": int},
    "f": {"name": str, "cat": str, "ts": NUMBER, "id": int},
}
METADATA = {"process_name": ("name", str), "thread_name": ("name", str), "process_labels": ("labels", str),
            "process_sort_index": ("sort_index", int)}


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("a key twice in %s" % keys)
    return dict(pairs)


def constant(name):
    raise ValueError("%s is not JSON" % name)


def load(output):
    """The file's object; raises ValueError for what is not JSON in UTF-8."""
    text = output.decode("utf-8")
    if any(ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 for c in text):
        raise ValueError("a control character")
    return json.loads(text, object_pairs_hook=unique, parse_constant=constant)


def check_event(event):
    keys = dict(KEYS[event["ph"]], pid=int, tid=int)
    for key, kind in keys.items():
        if key.lstrip("?") not in event:
            if key.startswith("?"):
                continue
            return "no " + key
        if not isinstance(event[key.lstrip("?")], kind) or isinstance(event[key.lstrip("?")], bool):
            return key + " is no " + str(kind)
    if set(event) - {"ph"} - {key.lstrip("?") for key in keys}:
        return "unknown key"
    if not (0 <= event["pid"] < 2**32 and 0 <= event["tid"] < 2**32):
        return "pid or tid"
    if abs(event.get("ts", 0)) > 2**53 / 1000 or event.get("dur", 0) < 0:
        return "time"
    if event["ph"] == "i" and event["s"] not in ("g", "p", "t"):
        return "scope"
    if event["ph"] == "C" and not all(isinstance(value, NUMBER) for value in event["args"].values()):
        return "counter"
    if event["ph"] == "M":
        key, kind = METADATA[event["name"]]
        if list(event["args"]) != [key] or not isinstance(event["args"][key], kind):
            return "metadata"
    return None


def check(trace):
    """What is wrong with it, or None."""
    if trace.get("displayTimeUnit") != "ns" or not isinstance(trace["otherData"]["start_ns"], str):
        return "the file's own keys"
    events = trace["traceEvents"]
    for event in events:
        problem = check_event(event)
        if problem:
            return "%s: %s" % (problem, event)
    return check_flows(events)


def check_flows(events):
    """Each begins in a slice of its thread, ends where a slice of another one follows, and goes forward."""
    slices = {}
    for event in events:
        if event["ph"] == "X":
            slices.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
    begins = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    if begins.keys() != ends.keys() or len(begins) != sum(event["ph"] == "s" for event in events):
        return "flows that do not pair"
    for number, begin in begins.items():
        end = ends[number]
        if end["ts"] < begin["ts"]:
            return "a flow back in time: %s" % begin
        if not any(a <= begin["ts"] <= b for a, b in slices.get((begin["pid"], begin["tid"]), [])):
            return "a flow from nowhere: %s" % begin
    return None
