# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What shells offer to complete a line with: each is asked as it asks itself."""
import os
import pty
import select
import signal
import subprocess

SECONDS = 30

BASH = r"""
. "$FILE"
COMP_LINE=$LINE_TO_COMPLETE COMP_POINT=${#LINE_TO_COMPLETE} COMP_WORDBREAKS=$BREAKS
"$(complete -p "$TOOL" | sed 's/.*-F \([^ ]*\) .*/\1/')"
[[ ${#COMPREPLY[@]} = 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
"""

FISH = 'source "$FILE"; complete -C"$LINE_TO_COMPLETE"'

# A line editor that completes at once; what is offered to it goes to a file.
ZSHRC = r"""
PS1= PS2=
fpath=("${FILE:h}" $fpath)
autoload -U compinit; compinit -u -D
compadd() {
	local -a hits options
	options=("${@[1,(i)(-|--)]}")
	if (( ! $options[(I)-[OAD]] )); then
		builtin compadd -A hits "$@"
		(( $#hits )) && print -r -l -- "$IPREFIX"$^hits >>"$OUTPUT"
	fi
	builtin compadd "$@"
}
zle -C offer list-choices _main_complete
zle-line-init() {
	BUFFER=$LINE_TO_COMPLETE CURSOR=${#LINE_TO_COMPLETE}
	zle offer
	kill -KILL $$
}
zle -N zle-line-init
"""


def environment(path, line, **more):
    # The name of a file may be that of a tool with something before or after it.
    tool = os.path.basename(path).lstrip("_").split(".")[0]
    return {"PATH": os.environ["PATH"], "TERM": "dumb", "LC_ALL": "C", "FILE": path, "TOOL": tool,
            "LINE_TO_COMPLETE": line, **more}


def run(command, env):
    process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env=env, timeout=SECONDS)
    return process.stdout.decode().splitlines()


def bash(path, line, folder, breaks=" \t\n\"'><;|&("):
    """Without a "=" in COMP_WORDBREAKS replies are whole words."""
    return run(["bash", "--norc", "-c", BASH], environment(path, line, HOME=folder, BREAKS=breaks))


def fish(path, line, folder):
    """Each with its description cut off; without those that have what is typed in the middle only."""
    found = run(["fish", "--no-config", "-c", FISH], environment(path, line, HOME=folder))
    return [word.split("\t")[0] for word in found if word.startswith(line.split(" ")[-1])]


def until_closed(master):
    while True:
        try:
            if not select.select([master], [], [], SECONDS)[0] or not os.read(master, 65536):
                return
        except OSError:  # the last one has closed it
            return


def zsh(path, line, folder):
    """In a terminal, without which it has no line editor."""
    output = os.path.join(folder, "zsh-output")
    with open(os.path.join(folder, ".zshrc"), "w", encoding="utf-8") as f:
        f.write(ZSHRC)
    with open(output, "w", encoding="utf-8"):
        pass
    master, slave = pty.openpty()
    process = subprocess.Popen(["zsh", "-d", "-i"], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                               env=environment(path, line, HOME=folder, ZDOTDIR=folder, OUTPUT=output))
    os.close(slave)
    until_closed(master)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    os.close(master)
    with open(output, encoding="utf-8") as f:
        return f.read().splitlines()
