# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""A hostile program on /dev/ktrace, /dev/ktr and the settings (tests/system/fuzz): the kernel says nothing."""
import os
import time

from ktest import case

SEQUENCES = 150
LONG = 3600


def fuzz(t, uid, seed):
    """Runs the fuzzer; whatever it did, everything ends, and tracing works."""
    os.chmod(t.dir, 0o777)
    if t.long:
        seed = int(time.time())
    print("# %s: fuzz -s %d -u %d" % (t.case.name, seed, uid), flush=True)
    amount = ("-t", LONG) if t.long else ("-n", SEQUENCES)
    out = t.run(["fuzz", "-s", seed, *amount, "-u", uid], timeout=LONG + 200 if t.long else 500)
    for line in out.splitlines():
        print("# " + line.lstrip("# "))
    t.until(lambda: t.module_users() == 0, "the end of all sessions")
    t.silence("write to .* failed|writing to alq_file failed")
    t.trace(["true"], "c", name="after.kt")


@case(guest="hostile", timeout=600, long=LONG + 300)
def user(t):
    "Random sequences of operations by a user, odd arguments, threads, children, exec, exit: no word from the kernel."
    fuzz(t, 1000, 1)


@case(guest="hostile", timeout=600, long=LONG + 300)
def root(t):
    "The same by root, who may also write the settings, trace everybody, and become another user."
    fuzz(t, 0, 2)
