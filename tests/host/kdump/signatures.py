# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""scripts/data/args has all calls of Linux, and each of their lines as many arguments as the kernel's table says."""
import importlib.machinery
import importlib.util
import os

# ABI -> the slots that a 64-bit argument takes.
ABIS = {"linux64": 1, "linux32": 2, "arm64": 1, "arm32": 2}

# Numbers that the kernel does nothing with: the table has as many arguments as there may be, a line may leave them all to
# be shown as words.
UNUSED = {"afs_syscall", "break", "epoll_ctl_old", "epoll_wait_old", "ftime", "getpmsg", "gtty", "idle", "lock", "mpx",
          "prof", "profil", "putpmsg", "security", "stty", "tuxcall", "ulimit", "vserver"}


def load_generator(tree):
    """scripts/gen-decode as a module."""
    path = os.path.join(tree, "scripts", "gen-decode")
    loader = importlib.machinery.SourceFileLoader("gen_decode", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def slots(variant, wide):
    return sum(wide if argument.kind in ("ARG_OFF64", "ARG_HEX64") else 1 for argument in variant.arguments)


def problems(known, kernel, wide):
    """What is wrong with the calls of an ABI: known by number; (number, name, arguments) of each in the kernel."""
    missing = [name for number, name, _ in kernel if number not in known]
    if missing:
        yield "no line of " + ", ".join(missing)
    for number, name, count in kernel:
        for variant in [known[number].plain] + known[number].variants if number in known else []:
            if slots(variant, wide) != count and (slots(variant, wide) or name not in UNUSED):
                yield "%s: %s has %d arguments, not %d" % (variant.place.text, name, count, slots(variant, wide))


def check(tree):
    """Yields (ABI, what is wrong or None)."""
    generator = load_generator(tree)
    calls = generator.read_calls(generator.read_names(), generator.read_syscalls())
    if generator.problems:
        yield "data", "\n".join(generator.problems)
        return
    for abi, wide in ABIS.items():
        path = os.path.join(tree, "scripts", "data", "syscalls-%s.tbl" % generator.ABIS[abi])
        kernel = [(int(row[0]), row[1], int(row[2])) for row in (line.split() for _, line in generator.rows(path))]
        wrong = list(problems(calls[abi], kernel, wide))
        if len(kernel) < (380 if abi.startswith("linux") else 320):
            wrong.append("only %d calls in %s" % (len(kernel), path))
        yield abi, "\n".join(wrong) or None
