# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""PSIG: signals that end in a handler, or in a default action that does something."""
import os
import signal

from ktest import CALL, PROCDTOR, PSIG, case

ALL = "cnisu"


@case()
def codes(t):
    "A caught signal: handler, mask, and the code in FreeBSD's numbers (SI_USER, SI_QUEUE, SI_TIMER, SI_LWP, ...)."
    for prog in "psig", "psig32":
        t.expect(t.trace([prog, "codes"], ALL), t.out)


@case()
def numbers(t):
    "Every signal has its FreeBSD number; real-time n is n + 33; 256 + n for what FreeBSD lacks."
    for prog in "psig", "psig32":
        t.expect(t.trace([prog, "numbers"], ALL), t.out)


@case()
def faults(t):
    "SEGV, BUS, FPE, ILL and TRAP codes."
    for prog in "psig", "psig32":
        t.expect(t.trace([prog, "faults"], ALL), t.out)


@case()
def ignored(t):
    "Ignored signals leave none, nor do those whose default is to be ignored."
    for prog in "psig", "psig32":
        t.expect(t.trace([prog, "ignored"], ALL), t.out)


def last_psig(t, trace, signo, code=None):
    found = [r.psig for r in trace.of(PSIG)]
    t.eq([p[0] for p in found], [signo], "signals in the file")
    t.eq(found[0][1], 0, "action")
    if code is not None:
        t.eq(found[0][2], code, "code of signal %d" % signo)
    t.eq(trace.records[-1].type, PROCDTOR, "last record")


@case()
def fatal(t):
    "A fatal signal: one PSIG with action 0 and the real signal, then PROCDTOR."
    for signo in signal.SIGTERM, signal.SIGHUP, signal.SIGUSR2, signal.SIGQUIT, signal.SIGKILL, 50:
        trace = t.trace(["psig", "die", str(int(signo))], ALL, status=-signo)
        last_psig(t, trace, int(signo))


@case()
def fatal_codes(t):
    "The code of a fatal signal: SI_USER for kill, 1 and 2 for the kinds of SIGSEGV."
    for signo in signal.SIGTERM, signal.SIGQUIT:
        last_psig(t, t.trace(["psig", "die", str(int(signo))], ALL, status=-signo), int(signo), 0x10001)
    for how, code in (("maperr", 1), ("accerr", 2)):
        for prog in "psig", "psig32":
            last_psig(t, t.trace([prog, "die", how], ALL, status=-11), 11, code)


@case()
def kill_9(t):
    "kill -9 of a sleeping process: PSIG SIGKILL, PROCDTOR; the call that it slept in returns before that, at most."
    path = t.path()
    p = t.idle()
    t.run(["ktrace", "-a", "-f", path, "-t", ALL, "-p", p.pid])
    p.kill()
    p.wait()
    trace = t.read(path)
    last_psig(t, trace, 9)
    t.eq(trace.of(CALL), [], "calls")


@case()
def threads(t):
    "In a program of many threads: one PSIG, for the fatal one, with the real signal."
    for signo in signal.SIGTERM, signal.SIGKILL, signal.SIGQUIT:
        last_psig(t, t.trace(["psig", "many", str(int(signo))], ALL, status=-signo), int(signo))
    last_psig(t, t.trace(["psig", "many", "segv"], ALL, status=-11), 11, 1)


@case()
def threads_killed(t):
    "The same when the signal comes from another process."
    for signo in signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV:
        path = t.path()
        p = t.start(["psig", "many", "wait"])
        p.stdout.readline()
        t.run(["ktrace", "-a", "-f", path, "-t", ALL, "-p", p.pid])
        os.kill(p.pid, signo)
        p.wait()
        last_psig(t, t.read(path), int(signo))


@case()
def threads_end(t):
    "exit_group and execve kill the other threads without a signal: no PSIG."
    for how in "exit", "exec":
        trace = t.trace(["psig", "many", how], ALL)
        t.eq([r.psig for r in trace.of(PSIG)], [], "signals after " + how)


@case()
def stop_and_continue(t):
    "SIGSTOP and SIGTSTP do something, so they leave a PSIG; SIGCONT without handler does not."
    # a group of its own, in our session: not orphaned, or SIGTSTP would do nothing
    p = t.idle(preexec_fn=os.setpgrp)
    path = t.path()
    t.run(["ktrace", "-a", "-f", path, "-t", "s", "-p", p.pid])
    for signo in signal.SIGSTOP, signal.SIGTSTP:
        os.kill(p.pid, signo)
        t.until(lambda: ") T" in open("/proc/%d/stat" % p.pid, encoding="ascii").read(), "the stop")
        os.kill(p.pid, signal.SIGCONT)
        t.until(lambda: ") S" in open("/proc/%d/stat" % p.pid, encoding="ascii").read(), "its end")
    p.kill()
    p.wait()
    trace = t.read(path)
    t.eq([r.psig[0] for r in trace.of(PSIG)], [19, 20, 9], "signals")
