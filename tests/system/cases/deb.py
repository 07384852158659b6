# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The Debian packages, installed as on a user's machine that is not on the network."""
import glob
import os
import re
import time

import tutorial
from ktest import NEXT_VERSION, TREE, case

PACKAGES = ["ktrace-dkms", "ktrace-tools", "libktrace-dev", "libktrace0"]

# What changes by itself, or is the package manager's own.
NOT_OURS = ("/proc", "/sys", "/dev", "/run", "/tmp", "/tests", "/var/tmp", "/var/lib/dpkg", "/var/lib/apt", "/var/log",
            "/var/cache", "/lost+found")


def files():
    """All files of the system, and a few that installing and removing anything changes."""
    found = set()
    for folder, names, plain in os.walk("/"):
        names[:] = [n for n in names if os.path.join(folder, n) not in NOT_OURS]
        found.update(os.path.join(folder, n) for n in names + plain)
    return found


def apt(t, *arguments):
    """Runs apt-get, returns what it says."""
    began = time.monotonic()
    out = t.run(["apt-get", "-y", "--no-install-recommends", "--allow-downgrades", *arguments], timeout=5400,
                env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"))
    print("# apt-get %s: %.0f s" % (arguments[0], time.monotonic() - began))
    return out + t.stderr


def package(version, name):
    found = glob.glob("/tests/%s/%s_*.deb" % ("deb-next" if version == NEXT_VERSION else "deb", name))
    assert len(found) == 1, found
    return found[0]


def install(t, version=None, names=PACKAGES):
    return apt(t, "install", *[package(version, name) for name in names])


def two_commands_text():
    """What README.md has below "In two commands"."""
    with open(os.path.join(TREE, "README.md"), encoding="utf-8") as f:
        return re.search(r"^## In two commands\n(.*?)^## ", f.read(), re.M | re.S).group(1)


def newcomer_installs(t):
    """The first of the two commands. Returns what apt says."""
    command = re.search(r"^```sh\nsudo (apt .*)\n```$", two_commands_text(), re.M).group(1)
    folder = os.path.join(t.dir, "downloads")
    os.mkdir(folder)
    for path in glob.glob("/tests/deb/*.deb"):
        os.symlink(path, os.path.join(folder, os.path.basename(path)))
    with open("yes", "w+", encoding="ascii") as answer:
        answer.write("y\n")
        answer.seek(0)
        began = time.monotonic()
        said = t.run(["sh", "-c", command], cwd=folder, timeout=5400, stdin=answer,
                     env=dict(os.environ, DEBIAN_FRONTEND="noninteractive")) + t.stderr
        print("# apt: %.0f s" % (time.monotonic() - began))
    return said


def newcomer_asks(t):
    """The second: a user has the answer."""
    step = tutorial.parse(two_commands_text())[0][1][0]
    home = "/home/user/newcomer"
    t.run(["mkdir", home], uid=1000)
    got, = tutorial.run([step], home, user=1000, group=1000, extra_groups=[], env=dict(os.environ, HOME=home, USER="user"))
    t.eq(tutorial.difference(got, step.want), "", "$ %s: \n%s\n" % (step.command, "\n".join(got)))
    t.ok(any('"/etc/nsswitch.conf"' in line for line in got), "no answer: %s" % got)
    t.run(["rmdir", home])


def loaded(module="ktrace"):
    """The version of a module that is loaded."""
    try:
        with open("/sys/module/%s/version" % module, encoding="ascii") as f:
            return f.read().strip()
    except FileNotFoundError:
        return None


def traces(t):
    """Tracing works for a user, with what is installed."""
    t.until(lambda: os.path.exists("/dev/ktrace") and os.stat("/dev/ktrace").st_mode & 0o777 == 0o666,
            "/dev/ktrace, mode 0666")
    t.run(["/usr/bin/ktrace", "-i", "sh", "-c", "ls / | wc -l"], uid=1000)
    t.ok(t.read("ktrace.out", dead=True).counts[1] > 50, "calls")
    t.ok("NAMI" in t.run(["/usr/bin/kdump"], uid=1000), "kdump")


def second_kernel(t, release):
    """Another kernel, and its headers: those of the running one, that say they are for another release."""
    running = os.uname().release
    headers = "/usr/src/linux-headers-" + release
    t.run(["cp", "-a", "/usr/src/linux-headers-" + running, headers])
    for name in "include/generated/utsrelease.h", "include/config/kernel.release":
        t.run(["sed", "-i", "s/%s/%s/" % (running.replace(".", "[.]"), release), name], cwd=headers)
    os.makedirs("/lib/modules/" + release)
    os.symlink(headers, "/lib/modules/%s/build" % release)
    for name in "modules.order", "modules.builtin", "modules.builtin.modinfo":
        t.run(["cp", "/lib/modules/%s/%s" % (running, name), "/lib/modules/%s/" % release])


def kernel_hooks(t, when, release):
    """What a kernel's package does when it is installed or removed."""
    t.run(["run-parts", "--exit-on-error", "--arg=" + release, "--arg=/boot/vmlinuz-" + release, "/etc/kernel/%s.d" % when],
          timeout=5400, env=dict(os.environ, DEB_MAINT_PARAMS="configure" if when == "postinst" else "remove"))


def kernel_comes_and_goes(t):
    running = os.uname().release
    release = running.replace("-amd64", "") + ".1-amd64"
    second_kernel(t, release)
    kernel_hooks(t, "postinst", release)
    for module in "ktrace", "ktr":
        path = t.run(["modinfo", "-k", release, "-n", module]).strip()
        t.ok(path.startswith("/lib/modules/%s/updates/dkms/" % release), "of kernel %s: %s" % (release, path))
        t.eq(t.run(["modinfo", "-F", "vermagic", path]).split()[0], release, "built for")
    kernel_hooks(t, "prerm", release)
    t.run(["modinfo", "-k", release, "ktrace"], status=1)
    t.ok(release not in t.run(["dkms", "status"]), "DKMS still has what was built for a kernel that went")
    t.run(["modinfo", "ktrace"])
    t.run(["rm", "-r", "/lib/modules/" + release, "/usr/src/linux-headers-" + release])


IN_USE = "ktrace: in use: ktrace; "
NEXT_START = IN_USE + "the new one comes with the next start of the machine, or now with '"


class Traced:
    """A process of a user's that is traced by the user while the with statement lasts."""

    def __init__(self, t, name):
        self.t, self.name = t, name

    def __enter__(self):
        self.victim = self.t.idle(uid=1000)
        self.t.run(["ktrace", "-f", self.name, "-p", self.victim.pid], uid=1000)

    def __exit__(self, *_):
        self.victim.terminate()
        self.victim.wait()
        self.t.until(lambda: self.t.module_users() == 0, "the trace to end")
        self.t.read(self.name)


def upgrade(t, old):
    """While a user's trace runs: it goes on, and the new module waits."""
    with Traced(t, "upgraded.kt"):
        said = install(t, NEXT_VERSION)
        t.ok(NEXT_START in said, "apt says: " + said[-900:])
        t.eq(loaded(), old, "version that is loaded while it is in use")
        t.eq(t.run(["modinfo", "-F", "version", "ktrace"]).strip(), NEXT_VERSION, "version that is there for the next start")
        t.eq(glob.glob("/usr/src/ktrace-*"), ["/usr/src/ktrace-" + NEXT_VERSION], "sources")
        t.ok(old not in t.run(["dkms", "status"]), "DKMS still has " + old)
    t.run(["sh", "-c", said.partition(NEXT_START)[2].partition("'")[0]])
    t.eq(loaded(), NEXT_VERSION, "version that is loaded now")


def without_modules(t):
    """None is loaded, and DKMS will build none: there are some already."""
    with open("/etc/dkms/no-autoinstall", "w", encoding="ascii"):
        pass
    t.run(["modprobe", "-r", "ktrace", "ktr"])


@case(guest="packaged", timeout=300)
def two_commands(t):
    "README's two commands, of which DKMS's part is done already: the packages are installed, and a user has the answer."
    without_modules(t)
    # What the guest has of the project is not the packages'.
    t.run(["rm", "/usr/bin/ktrace", "/usr/bin/kdump", "/usr/bin/ktruss"])
    newcomer_installs(t)
    newcomer_asks(t)
    apt(t, "purge", "ktrace-dkms", "ktrace-tools")


@case(guest="packaged", timeout=300)
def scripts(t):
    "What the package does about modules that are loaded, in use or not; they are there already, and DKMS builds none."
    without_modules(t)
    t.ok(IN_USE not in install(t), "in use, when they are not loaded")
    t.ok(loaded() and loaded("ktr"), "modules are not loaded when they have been installed")
    with Traced(t, "first.kt"):
        said = install(t, NEXT_VERSION)
        t.ok(NEXT_START in said, "apt says: " + said[-900:])
        t.ok(loaded() and loaded("ktr"), "modules are not loaded")
    t.run(["sh", "-c", said.partition(NEXT_START)[2].partition("'")[0]])
    t.ok(loaded() and loaded("ktr"), "modules are not loaded after what is to be done now")
    with Traced(t, "second.kt"):
        said = apt(t, "remove", "ktrace-dkms")
        t.ok(IN_USE + "it stays loaded until the machine starts anew" in said, "apt says: " + said[-900:])
        t.ok(loaded() and not loaded("ktr"), "what is in use stays, the other goes")
    install(t)
    t.ok(IN_USE not in apt(t, "purge", *PACKAGES), "in use, when nobody traces")
    t.ok(not loaded() and not loaded("ktr"), "modules are loaded when they have been removed")
    # No modules for this kernel: its headers are missing, say.
    t.run(["sh", "-c", "rm -r /lib/modules/$(uname -r)/updates && depmod"])
    t.ok("ktrace: there are no modules for kernel %s yet" % os.uname().release in install(t), "what is missing is not said")


@case(guest="deb", timeout=7200, long=18000)
def life(t):
    "Packages: apt installs them, any user traces, removed and purged they leave nothing; -a: upgrade, another kernel."
    before = files()
    said = newcomer_installs(t)
    newcomer_asks(t)
    for package in "dkms", "linux-headers-" + os.uname().release:
        t.ok("ii " in t.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", package]), "%s is not there" % package)
    install(t, names=["libktrace-dev", "libktrace0"])
    version = t.run(["dpkg-query", "-W", "-f", "${Version}", "ktrace-dkms"])
    t.ok("ktrace: " not in said, "apt says: " + said[-900:])
    t.kernel_log()      # that it is out of tree, and not signed
    t.eq((loaded(), loaded("ktr")), (version, version), "versions that are loaded")
    t.ok("/updates/dkms/" in t.run(["modinfo", "-n", "ktrace"]), "where it is")
    traces(t)
    t.run(["gcc", "-o", "user", "-DLIBRARY", "-pthread", "/tests/system/prog/user.c", "-lktrace"])
    t.run(["ktrace", "-t", "u", "-f", "user.kt", "./user", "traced"])
    for path in "man1/ktrace.1.gz", "man4/ktrace.4.gz", "man2/utrace.2.gz":
        t.ok(os.path.exists("/usr/share/man/" + path), path)
    if t.long:
        kernel_comes_and_goes(t)
        upgrade(t, version)
        traces(t)
        t.kernel_log()
    apt(t, "remove", "ktrace-dkms")
    t.eq((loaded(), loaded("ktr")), (None, None), "modules that are loaded after they were removed")
    t.run(["modinfo", "ktrace"], status=1)
    t.run(["ktrace", "-f", "none.kt", "true"], status=1)
    t.ok("/dev/ktrace" in t.stderr, "ktrace without a module says: " + t.stderr)
    apt(t, "purge", *PACKAGES)
    t.eq(t.run(["dkms", "status"]), "", "dkms status afterwards")
    t.eq(sorted(files() - before), [], "files that are left")
    t.eq(sorted(before - files()), [], "files that are gone")
