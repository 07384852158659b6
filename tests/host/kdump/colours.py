# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Colours: where there are any, and that the text under them is what it is without."""
import os
import pty
import re
import subprocess

from cases import L64
from craft import DROP, GENIO, NAMEI, PSIG, SYSCALL, SYSRET, call, gio, psig, ret, v0

TRACE = (L64 + v0(SYSCALL, call(257, 3, 0, 0)) + v0(NAMEI, b"/a\x1b[31mb") + v0(SYSRET, ret(257, 0, 2)) +
         v0(PSIG | DROP, psig(2)) + v0(GENIO, gio(1, 1, b"two\n\nlines\n" + b"x" * 75)))
PROCESS = "\033[2m   700 prog    \033[0m "
TEXT = (PROCESS + "CALL  \033[1mopenat\033[0m(0x3,0,0<O_RDONLY>)\n" +
        PROCESS + 'NAMI  \033[32m"/a\\033[31mb"\033[0m\n' +
        PROCESS + "RET   \033[1mopenat\033[0m \033[1;31m-1 errno 2 No such file or directory\033[0m\n" +
        PROCESS + "\033[1;31mEvents dropped.\033[0m\n" +
        PROCESS + "PSIG  \033[1;35mSIGINT\033[0m SIG_DFL code=SI_USER\n" +
        PROCESS + "GIO   fd 1 wrote 86 bytes\n" +
        '       \033[32m"two\033[0m\n\t\033[32m\033[0m\n\t\033[32mlines\033[0m\n'
        "\t\033[32m" + "x" * 70 + "\\\033[0m\n\t\033[32m" + "x" * 5 + '"\033[0m\n').encode()
PLAIN = re.sub(rb"\033\[[0-9;]*m", b"", TEXT)
OWN = re.compile(rb"\033\[(?:2|1|32|1;31|1;35)m[^\033\n]*\033\[0m")


def terminal_output(command, env):
    """What it writes to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL, env=env)
    os.close(slave)
    output = b""
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:  # the last one has closed it
            data = b""
        if not data:
            break
        output += data
    os.close(master)
    process.wait()
    return output.replace(b"\r\n", b"\n")


def where(kdump, path, env):
    """Yields a name and what is wrong, or None."""
    with open(path, "wb") as f:
        f.write(TRACE)
    for name, on_terminal, options, variables, output in (
            ("terminal", True, [], {}, TEXT), ("pipe", False, [], {}, PLAIN),
            ("always", False, ["--color=always"], {}, TEXT), ("alone", False, ["--color"], {}, TEXT),
            ("auto", True, ["--color=auto"], {}, TEXT), ("auto-pipe", False, ["--color=auto"], {}, PLAIN),
            ("never", True, ["--color=never"], {}, PLAIN), ("no-color", True, [], {"NO_COLOR": "1"}, PLAIN),
            ("no-color-auto", True, ["--color=auto"], {"NO_COLOR": "1"}, PLAIN),
            ("no-color-empty", True, [], {"NO_COLOR": ""}, TEXT),
            ("no-color-always", True, ["--color=always"], {"NO_COLOR": "1"}, TEXT),
            ("dumb", True, [], {"TERM": "dumb"}, PLAIN)):
        command = [kdump, "-f", path] + options
        if on_terminal:
            found = terminal_output(command, {**env, **variables})
        else:
            found = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**env, **variables}).stdout
        yield name, None if found == output else "%r, not %r" % (found, output)


def problem(coloured, plain):
    """Nothing is added but colours, and each ends on its line."""
    if re.sub(rb"\033\[[0-9;]*m", b"", coloured) != plain:
        return "the text is another one"
    if b"\033" in OWN.sub(b"", coloured):
        return "a colour goes on beyond its line, or is none of ours"
    return None
