# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What an event of ktr(9) costs, beside trace_printk() and an event of ftrace: the system test ktr.cost measures it."""
import ast
import os
import re
import subprocess

from bench.measure import TREE, Failure
from bench.tables import number, table

# As tests/system/module/ktr_cost.c calls them.
NAMES = [("ctr0", "CTR0()"), ("ctr2", "CTR2()"), ("ctr6", "CTR6()"), ("trace_event", "ftrace's event, two numbers"),
         ("trace_printk", "trace_printk(), two numbers"), ("ctr2_string", "CTR2(), a string"),
         ("trace_event_string", "ftrace's event, a string"), ("trace_printk_string", "trace_printk(), a string")]


def parse(text):
    """(off, on): instructions by name, as the test says them; Failure if it does not."""
    found = {}
    for word, numbers in re.findall(r"^# (off|on): (\{.*\})$", text, re.M):
        found[word] = ast.literal_eval(numbers)
    if len(found) != 2:
        raise Failure("tests/system/run ktr.cost says no numbers:\n" + text)
    return found["off"], found["on"]


def rows(off, on):
    # ftrace's are not of ktr's class: the mask does not turn them off.
    return [("instructions for each event", "class off", "recorded")] + [
        (what, number(off[name], "%.1f") if name.startswith("ctr") else "", number(on[name])) for name, what in NAMES]


def ktr():
    """Prints the table."""
    process = subprocess.run([os.path.join(TREE, "tests", "system", "run"), "ktr.cost"], stdout=subprocess.PIPE,
                             text=True, check=False)
    table(rows(*parse(process.stdout)))
