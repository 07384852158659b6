# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Secure Boot: docs/SIGNING.md, command by command, in a guest whose firmware has it on.

The certificate of "A key of your own" is enrolled before the guest begins; DKMS's own is not. The host has made the first by
the document's command, and has built what DKMS would compile.
"""
import glob
import os
import re

import tutorial
from cases.bpf import end_recorder
from cases.deb import apt, loaded, newcomer_installs, traces
from ktest import TREE, case

BUILT = "/tests/modules"
KEYS = "/tests/keys"
REFUSED = "ktrace: the modules are built, but the kernel does not load them"


class Document:
    """docs/SIGNING.md. Its commands are root's here, where there is no sudo."""

    def __init__(self, t):
        self.t = t
        with open(os.path.join(TREE, "docs", "SIGNING.md"), encoding="utf-8") as f:
            self.text = f.read()
        self.steps = dict(tutorial.parse(self.text))

    def next(self, title):
        return self.steps[title].pop(0)

    def run(self, title, **options):
        """The next command below a heading. What it prints must be what is shown, if anything is; returned is all of it."""
        step = self.next(title)
        said = self.t.run(["bash", "-c", 'sudo() { "$@"; }\n' + "\n".join(step.command)], status=None, **options)
        said += self.t.stderr
        if step.want:
            self.t.eq(tutorial.difference(said.splitlines(), step.want), "", "$ %s" % step.command[0])
        else:
            self.t.eq(self.t.status, 0, "status of $ %s: %s" % (step.command[0], said))
        return said


def give_dkms_modules():
    """DKMS copies what it would compile, and does all else."""
    with open("/etc/dkms/ktrace.conf", "w", encoding="ascii") as f:
        f.write('MAKE[0]="cp %s/*.ko module/"\n' % BUILT)


def says(t, status, *words, **options):
    """What ktrace says of a trace of nothing."""
    t.run(["ktrace", "-f", "/tmp/says.kt", "true"], status=status, **options)
    for word in words:
        t.ok(word in t.stderr, "%r is not in: %s" % (word, t.stderr))
    t.eq(len(t.stderr.splitlines()), 1, "lines: " + t.stderr)


@case(guest="secure", timeout=900)
def by_dkms(t):
    "A key that is not enrolled: package, ktrace and document say so, root has BPF; a key that is: all users trace."
    document = Document(t)
    t.run(["mount", "-t", "efivarfs", "efivarfs", "/sys/firmware/efi/efivars"])
    t.run(["mount", "-t", "securityfs", "securityfs", "/sys/kernel/security"])
    document.run("Is it on?")
    give_dkms_modules()

    # DKMS makes a key, which nobody knows.
    said = newcomer_installs(t)
    t.ok(REFUSED in said and "mokutil --import /var/lib/dkms/mok.pub" in said, "apt says: " + said[-900:])
    t.eq((loaded(), loaded("ktr")), (None, None), "modules that are loaded")
    document.run("Is it signed, and is that key known?")
    document.run("Is it on?")
    says(t, 1, "ktrace: /dev/ktrace is not there: ", "knows who signed it", "mokutil --import", uid=1000)
    says(t, 0, "ktrace: /dev/ktrace is not there: recording with BPF")
    t.ok("NAMI" in t.run(["kdump", "-f", "/tmp/says.kt"]), "what BPF recorded in a kernel that is locked down")
    with open("/sys/kernel/security/lockdown", encoding="ascii") as f:
        t.ok("[integrity]" in f.read(), "the kernel is not locked down")
    end_recorder(t)
    with open("password", "w+", encoding="ascii") as f:
        f.write("secret\nsecret\n")
        f.seek(0)
        document.run("DKMS's key", stdin=f)
    t.ok(glob.glob("/sys/firmware/efi/efivars/MokNew-*"), "nothing waits for MOK management")
    waits = t.run(["mokutil", "--list-new"])
    t.ok("DKMS module signing key" in waits, "what waits for it: " + waits)

    # A key of one's own, which is known.
    title = "A key of your own"
    document.next(title)    # the host has made it
    for name in "signing.key", "signing.der":
        t.run(["cp", os.path.join(KEYS, name), "/root/" + name])
    with open("/etc/dkms/framework.conf.d/own.conf", "w", encoding="ascii") as f:
        f.write(re.search(r"^```sh\n(mok_signing_key=.*?)```", document.text, re.M | re.S).group(1))
    document.run(title)
    document.run(title)
    said = document.run(title)
    t.ok("already enrolled" in said or "already in" in said, "mokutil of a key that is enrolled: " + said)
    signer = t.run(["modinfo", "-F", "signer", "ktrace"]).strip()
    t.eq(signer, "modules of this machine", "signer")
    t.ok(signer in document.run("Is it signed, and is that key known?"), "the kernel does not list the signer")
    t.run(["modprobe", "-a", "ktrace", "ktr"])
    t.ok(loaded() and loaded("ktr"), "modules are not loaded")
    traces(t)
    t.kernel_log()
    apt(t, "purge", "ktrace-dkms", "ktrace-tools")
    t.eq((loaded(), loaded("ktr")), (None, None), "modules that are loaded")


@case(guest="secure", timeout=300)
def by_hand(t):
    "Without DKMS: an unsigned module is refused, and loads when the document's command has signed it with a known key."
    document = Document(t)
    os.makedirs("build/module")
    t.run(["cp", BUILT + "/ktrace.ko", "build/module/"])
    t.run(["insmod", "build/module/ktrace.ko"], status=1)
    t.ok("Key was rejected by service" in t.stderr or "Required key not available" in t.stderr or
         "Operation not permitted" in t.stderr, "insmod: " + t.stderr)
    for name in "signing.key", "signing.der":
        t.run(["cp", os.path.join(KEYS, name), name])
    document.run("Without DKMS")
    t.run(["insmod", "build/module/ktrace.ko"])
    t.ok(loaded(), "it is not loaded")
    t.kernel_log()
    t.run(["rmmod", "ktrace"])
