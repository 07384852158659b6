# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Sessions in a text for people, run to see that they are true.

A session is a fenced block "console" of Markdown. In it a line "$ COMMAND" is typed, lines "> ..." go on with it, and
all others are what is printed then. A line "..." stands for any lines. What differs between two runs may differ from
the text, too: see normal(). "[1] 4711", which a shell only says when somebody types, need not come.

As a program: tutorial.py FILE NEW copies FILE, with what its commands print here.
"""
import os
import re
import subprocess
import sys
import tempfile

MARK = "======== end of a command ========"


class Step:
    """A command, and what is printed then. at: the number of the first line after the command."""

    def __init__(self, command, at):
        self.command, self.at, self.want = [command], at, []


def parse(text):
    """The sections of a text that have sessions: (title, [Step]), title being that of the heading above."""
    sections, title, fence, steps = [], "", None, None
    for number, line in enumerate(text.splitlines(), 1):
        if fence is None:
            if line.startswith("#"):
                title, steps = line.lstrip("# "), None
            elif line.startswith("```"):
                fence = line[3:]
                if fence == "console" and steps is None:
                    steps = []
                    sections.append((title, steps))
        elif line == "```":
            fence = None
        elif fence == "console":
            if line.startswith("$ "):
                steps.append(Step(line[2:], number + 1))
            elif line.startswith("> ") and not steps[-1].want:
                steps[-1].command.append(line[2:])
                steps[-1].at = number + 1
            else:
                steps[-1].want.append(line)
    return sections


def script(steps):
    """What a shell is to be given for the commands of a section."""
    return "".join("%s\nprintf '\\n%s\\n'\n" % ("\n".join(s.command), MARK) for s in steps)


def outputs(said, steps):
    """What the shell said, as a list of lines for each command."""
    parts = said.split("\n%s\n" % MARK)
    if len(parts) != len(steps) + 1:
        raise ValueError("the shell ended in command %d: %s" % (len(parts), parts[-1][-500:]))
    return [part.splitlines() for part in parts[:-1]]


def normal(line):
    """A line without what differs from run to run: addresses, times, and the numbers of processes."""
    line = re.sub(r"\b0x[0-9a-f]{5,}", "0xADDRESS", line)
    line = re.sub(r"-?\b\d+\.\d+\b", "TIME", line)
    line = re.sub(r"^ *\d+ (?=\S+ +[A-Z]+ )", "PID ", line)    # kdump
    line = re.sub(r"^( *TIME +TIME +.*?)\b\d{2,}(?= \S)", r"\1PID", line)    # kdump --tree
    line = re.sub(r"^( *TIME.* )\d+ (\S+)$", r"\1PID \2", line)    # kdump --summary=process
    line = re.sub(r"\b(kill|wait4|tgkill)\(\d+", r"\1(PID", line)
    line = re.sub(r"\b(RET +(?:clone|fork|vfork|clone3|wait4|getpid|getppid)) [0-9].*", r"\1 PID", line)
    return re.sub(r"\s+", " ", line).strip()


def difference(got, want):
    """The first line that is not as it is to be, or nothing."""
    got = [normal(line) for line in got]
    want = [line if line == "..." else normal(line) for line in want if not re.match(r"\[\d+\] \d+$", line)]
    at, gap = 0, False
    for line in want:
        if line == "...":
            gap = True
            continue
        while gap and at < len(got) and got[at] != line:
            at += 1
        if at == len(got):
            return "%r is not printed" % line
        if got[at] != line:
            return "%r is printed, not %r" % (got[at], line)
        at, gap = at + 1, False
    if at < len(got) and not gap:
        return "%r is printed, too" % got[at]
    return ""


def filled(text, results):
    """The text with other outputs: (Step, lines) of some of its commands."""
    lines = text.splitlines()
    for step, got in sorted(results, key=lambda r: -r[0].at):
        if difference(got, step.want):
            lines[step.at - 1:step.at - 1 + len(step.want)] = got
    return "\n".join(lines) + "\n"


def run(steps, folder, **options):
    """Runs the commands of a section in a folder, by bash. Returns their outputs."""
    with tempfile.TemporaryFile() as said:    # no pipe: something may go on in the background
        subprocess.run(["bash", "-c", script(steps)], cwd=folder, stdin=subprocess.DEVNULL, stdout=said,
                       stderr=subprocess.STDOUT, check=False, **options)
        said.seek(0)
        return outputs(said.read().decode("utf-8", "backslashreplace"), steps)


def main():
    path, new = sys.argv[1:]
    with open(path, encoding="utf-8") as f:
        text = f.read()
    results = []
    for _, steps in parse(text):
        folder = os.path.join(os.environ["HOME"], "try")
        os.mkdir(folder)
        results += zip(steps, run(steps, folder))
        subprocess.run(["rm", "-r", folder], check=True)
    with open(new, "w", encoding="utf-8") as f:
        f.write(filled(text, results))


if __name__ == "__main__":
    main()
