# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""scripts/gen-decode: what is wrong in the data is said with its place, and nothing is written then."""
import os
import shutil
import subprocess

# Name, lines of a file of arguments, lines of a file of names, what is said.
ABI = "abi linux64\n"
REFUSED = (
    ("type", ABI + "read fd:fdd buf:ptr count:size", "", "args/test.tbl:2: fd:fdd: not NAME:TYPE"),
    ("no-table", ABI + "lseek fd:fd offset:off whence:enum", "", "args/test.tbl:2: whence:enum: which table?"),
    ("table-unknown", ABI + "lseek fd:fd offset:off whence:enum(nothing)", "", "there is no table nothing"),
    ("table-needless", ABI + "close fd:fd(linux_whence)", "", "takes no table"),
    ("call", ABI + "close fd:fd\nclosed fd:fd", "", "args/test.tbl:3: linux64 has no call closed"),
    ("abi", "abi linux\nclose fd:fd", "", "args/test.tbl:1: which ABI?"),
    ("abi-none", "close fd:fd", "", "args/test.tbl:1: no line 'abi ...' before it"),
    ("twice", ABI + "close fd:fd\nclose fd:int", "", "args/test.tbl:3: close has a line without a condition already"),
    ("no-plain", ABI + "close[fd=1] fd:fd", "", "no line of this call without a condition"),
    ("condition", ABI + "close fd:fd\nclose[x=1] fd:fd", "", "args/test.tbl:3: [x=1]: not ARG=VALUE"),
    ("condition-name", ABI + "lseek fd:fd offset:off whence:enum(linux_whence)\nlseek[whence=SEEK_BEGIN] fd:fd - -", "",
     "SEEK_BEGIN is no number, and not in the table of whence"),
    ("arguments", ABI + "close " + " ".join("a%d:hex" % i for i in range(9)), "", "more than 8 arguments"),
    ("same-as", ABI + "close fd:fd\ndup =closed", "", "args/test.tbl:3: =closed: nothing is said before"),
    ("same-as-abi", ABI + "close fd:fd\nabi linux32\nfcntl64 =epoll_wait_old", "", "of this call of linux32"),
    ("value", "", "table test\nx\tNAME\n", "names/test.tbl:2: not a value"),
    ("mask", "", "table test\n4/3\tNAME\n", "names/test.tbl:2: not a value (of which its mask has all bits)"),
    ("table-twice", "", "table linux_whence\n0\tNAME\n", "table linux_whence exists already"),
)


def run(scripts, out):
    return subprocess.run([os.path.join(scripts, "gen-decode"), out], stderr=subprocess.PIPE, text=True)


def check(tree, folder):
    """Yields (name, what is wrong or None)."""
    scripts, out = os.path.join(folder, "scripts"), os.path.join(folder, "generated")
    os.mkdir(scripts)
    shutil.copy(os.path.join(tree, "scripts", "gen-decode"), scripts)
    shutil.copytree(os.path.join(tree, "scripts", "data"), os.path.join(scripts, "data"))
    for name, arguments, names, said in REFUSED:
        for kind, text in (("args", arguments), ("names", names)):
            with open(os.path.join(scripts, "data", kind, "test.tbl"), "w", encoding="ascii") as f:
                f.write(text)
        process = run(scripts, out)
        problem = None
        if process.returncode != 1 or said not in process.stderr:
            problem = "status %d, stderr lacks \"%s\": %s" % (process.returncode, said, process.stderr)
        elif os.path.exists(out):
            problem = "it has written files"
        yield name, problem
    for kind in "args", "names":
        os.unlink(os.path.join(scripts, "data", kind, "test.tbl"))
    process = run(scripts, out)
    yield "good", None if process.returncode == 0 and len(os.listdir(out)) == 4 else process.stderr
