# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The line of text that an object of kdump --json stands for. FreeBSD's kdump printed the golden files: what can be
made of the objects and is the same as theirs means the same."""
import re

LABELS = {"call": "CALL", "return": "RET ", "namei": "NAMI", "genio": "GIO ", "psig": "PSIG", "csw": "CSW ",
          "user": "USER", "struct": "STRU", "struct_array": "STRU", "sysctl": "SCTL", "capfail": "CAP ",
          "fault": "PFLT", "faultend": "PRET", "args": "ARGS", "envs": "ENVS", "exterr": "EERR"}
LINE = re.compile(r" *(\d+) (\S+) +(CALL|RET |NAMI|GIO |PSIG|CSW |USER|STRU|SCTL|CAP |PFLT|PRET|ARGS|ENVS|EERR|"
                  r"UNKNOWN\(\d+\))  (.*)$")
PLAIN = re.compile(r"((0x[0-9a-f]+|0),)*(0x[0-9a-f]+|0)\)")
DROPPED = re.compile(r" *(\d+) (\S+) +Events dropped\.$")


def lines(text):
    """(pid, name, label, rest) of each record of kdump's text; data and further lines are left out."""
    found = []
    for line in text.split("\n"):
        match = LINE.match(line) or DROPPED.match(line)
        if match:
            found.append((match.groups() + ("drop", ""))[:4])
    return found


def label(record):
    return "UNKNOWN(%d)" % record["type_number"] if record["type"] == "unknown" else LABELS[record["type"]]


def hexadecimal(number):
    return "%#x" % number if number else "0"


def flags(value):
    """0x3<A|B>; 0 is just 0."""
    if not value["value"]:
        return hexadecimal(value["value"])
    if value["flags"]:
        return "%s<%s>" % (hexadecimal(value["value"]), "|".join(value["flags"]))
    return "%s<><invalid>%d" % (hexadecimal(value["value"]), value["value"])


def symbol(value, otherwise="<invalid=%d>"):
    return value.get("symbol", otherwise % value["value"])


def number(text):
    """0x10, 020, 16, -1, <invalid=0x10>"""
    text = re.sub(r"^<invalid=(.*)>$", r"\1", text)
    return int(text, 8) if re.fullmatch("0[0-7]+", text) else int(text, 0)


def is_argument(arg, text):
    """Is that how text has the argument? FreeBSD shows all of the word also when only its lower half counts."""
    if "symbol" in arg:
        return text == arg["symbol"]
    shown, names = re.fullmatch(r"(<invalid=\w+>|-?\w+)(?:<(.*)>.*)?", text).groups()
    value = arg["value"] if isinstance(arg["value"], int) else int(arg["value"], 16)
    if arg.get("flags") and names != "|".join(arg["flags"] + [arg[key] for key in ("signal",) if key in arg]):
        return False
    return (number(shown) - value) % (2**32 if "name" in arg else 2**64) == 0


def is_call(record, text):
    """Is it the line of the call? True also when FreeBSD decodes the arguments and we do not."""
    name, _, rest = text.partition("(")
    args = rest[:-1].split(",") if rest else []
    if name != record.get("name", "[%d]" % record["number"]):
        return False
    if record["args"] and not any("name" in arg for arg in record["args"]) and not PLAIN.fullmatch(rest):
        return True
    return len(args) == len(record["args"]) and all(map(is_argument, record["args"], args))


def returned(record):
    name = record.get("name", "[%d]" % record["number"])
    if "error" in record:
        return "%s -1 errno %d %s" % (name, record["error"]["value"], record["error"]["text"])
    if "value" not in record:
        return name + (" RESTART" if record.get("restart") is True else " JUSTRETURN")
    value = record["value"]
    if 0 <= value <= 9:
        return "%s %d" % (name, value)
    # How wide it was only the text tells.
    width = 32 if -2**31 <= value < 0 else 64
    return re.compile(r"%s %d/0x(f{8})?%x" % (re.escape(name), value, value & 2**width - 1))


def psig(record):
    code = symbol(record["code"], "<invalid=%#x>")
    if record["action"] == "default":
        return "%s SIG_DFL code=%s" % (record["signal"]["symbol"], code)
    return re.compile("%s caught handler=%s mask=0x[0-9a-f]+ code=%s" % (record["signal"]["symbol"], record["handler"],
                                                                        re.escape(code)))


def csw(record):
    text = "%s %s" % (record["event"], record["mode"])
    return text + (' "%s"' % record["wmesg"] if "wmesg" in record else "")


def genio(record):
    what = {"read": "read", "write": "wrote"}[record["op"]]
    return "fd %d %s %d byte%s" % (record["fd"], what, record["length"], "" if record["length"] == 1 else "s")


def seconds(t):
    return "%d" % t["sec"] + (".%09d" % t["nsec"] if t["nsec"] else "")


def stat(f):
    return ("struct stat {dev=%d, ino=%d, mode=%s, nlink=%d, uid=%d, gid=%d, rdev=%d, atime=%s, mtime=%s, ctime=%s, "
            "birthtime=%s, size=%d, blksize=%d, blocks=%d, flags=0x%x }" % (
                f["dev"], f["ino"], "0%o" % f["mode"], f["nlink"], f["uid"], f["gid"], f["rdev"], seconds(f["atime"]),
                seconds(f["mtime"]), seconds(f["ctime"]), seconds(f["birthtime"]), f["size"], f["blksize"],
                f["blocks"], f["flags"]))


def sockaddr(record):
    f = record["fields"]
    if record.get("problem") == "invalid":
        text = "invalid"
    elif "problem" in record:
        text = record["problem"]
    elif "path" in f:
        text = f["path"]
    elif ":" in f.get("address", ""):
        text = "[%s]:%d" % (f["address"], f["port"])
    elif "address" in f:
        text = "%s:%d" % (f["address"], f["port"])
    else:
        text = "netlink[pid=%d, groups=0x%x]" % (f["pid"], f["groups"])
    return "struct sockaddr { %s, %s }" % (symbol(f["family"]), text)


def itimerval(f):
    return "itimerval { .interval = {%d, %d}, .value = {%d, %d} }" % (
        f["interval"]["sec"], f["interval"]["usec"], f["value"]["sec"], f["value"]["usec"])


def sigset(f):
    return "l_sigset_t [ %s ]" % (", ".join(f["set"]["signals"]) or "empty")


def pollfd(e):
    return re.escape("{ fd=%d, events=%s, revents=%s}" % (e["fd"], flags(e["events"]), flags(e["revents"])))


def structure(record):
    if "fields" not in record:
        return record["problem"]
    if record["name"] == "sockaddr":
        return sockaddr(record)
    return {"stat": stat, "itimerval": itimerval, "l_sigset_t": sigset}[record["name"]](record["fields"])


def kevent(e):
    """A pattern; of the filter's own flags text has several forms."""
    if isinstance(e["ident"], dict):
        ident = re.escape(e["ident"]["symbol"])
    else:
        ident = "(%d|%s)" % (e["ident"], hexadecimal(e["ident"]))
    filt = e["filter"].get("symbol", "<invalid=%#x>" % (e["filter"]["value"] & 2**32 - 1))
    return "{ ident=%s, filter=%s, flags=%s, fflags=.*, data=%s, udata=%s }" % (
        ident, filt, re.escape(flags(e["flags"])), hexadecimal(e["data"] & 2**64 - 1), e["udata"])


def arrays(record):
    """The first line of it."""
    if record.get("problem") == "invalid record":
        return record["problem"]
    start = "struct %s[] = { " % record["name"]
    if "problem" in record:
        return start + "<%s> }" % record["problem"]
    if not record["elements"]:
        return start + " }"
    element = pollfd if record["name"] == "pollfd" else kevent
    last = len(record["elements"]) == 1
    return re.compile(re.escape(start) + element(record["elements"][0]) + (" }" if last else ""))


def user(record):
    if "text" in record:
        return record["text"]
    return re.compile("%d ( [0-9a-f]{2})*" % record["length"])


def exterr(record):
    return '{ errno %d %s:%d "%s" (category %d p1 %s p2 %s) }' % (
        record["error"]["value"], record.get("file", "sys/unknown"), record["line"], record["text"],
        record["category"], re.sub("^0x0$", "0", record["p1"]), re.sub("^0x0$", "0", record["p2"]))


RENDER = {
    "return": returned, "psig": psig, "csw": csw, "genio": genio, "struct": structure,
    "struct_array": arrays, "user": user, "exterr": exterr,
    "namei": lambda record: '"%s"' % record["path"],
    "sysctl": lambda record: '"%s"' % record["name"],
    "capfail": lambda record: record["text"],
    "fault": lambda record: "%s %s" % (record["address"], flags(record["access"])
                                       if record["access"]["value"] else "0<VM_PROT_NONE>"),
    "faultend": lambda record: symbol(record["result"]),
    "args": lambda record: ", ".join('"%s"' % s for s in record["argv"]),
    "envs": lambda record: ", ".join('"%s"' % s for s in record["env"]),
    "unknown": lambda record: "",
}


def difference(record, line):
    """What is wrong with a record whose line is this one of lines(), or None."""
    if (str(record["pid"]), record["comm"], label(record)) != line[:3]:
        return "%r is not %r" % (record, line)
    if record["type"] == "call":
        return None if is_call(record, line[3]) else "%r is not %r" % (record["args"], line[3])
    text = RENDER[record["type"]](record)
    good = text.fullmatch(line[3]) if isinstance(text, re.Pattern) else text == line[3]
    return None if good else "%r is not %r" % (text, line[3])
