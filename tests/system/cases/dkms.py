# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Installation as on a user's machine."""
import os
import time

from ktest import case


def files():
    found = set()
    for top in ("/usr/local", "/usr/src", "/usr/lib/udev/rules.d", "/usr/lib/modules-load.d", "/etc/modules-load.d",
                "/var/lib/dkms"):
        for folder, names, plain in os.walk(top):
            found.update(os.path.join(folder, n) for n in names + plain)
    return found


@case(guest="dkms", timeout=2700)
def install(t):
    "make install: DKMS, tools, libktrace, headers, man pages, udev rule; a trace with the result; uninstall undoes it."
    before = files()
    t.run(["cp", "-a", "/tests/source", "src"])
    source = os.path.join(t.dir, "src")
    began = time.monotonic()
    t.run(["make", "install"], cwd=source, timeout=2400)
    print("# make install: %.0f s" % (time.monotonic() - began))
    status = t.run(["dkms", "status"])
    t.ok("ktrace" in status and "installed" in status, "dkms status: %r" % status)
    if not os.path.exists("/sys/module/ktrace"):
        t.run(["modprobe", "ktrace"])
    t.until(lambda: os.path.exists("/dev/ktrace") and os.stat("/dev/ktrace").st_mode & 0o777 == 0o666,
            "/dev/ktrace, mode 0666")
    with open("/proc/modules", encoding="ascii") as f:
        t.ok({"ktrace", "ktr"} <= {line.split()[0] for line in f}, "modules")
    t.kernel_log()      # that it is out of tree, and not signed
    path = t.run(["modinfo", "-n", "ktrace"]).strip()
    t.ok("/updates/" in path, "the module is %s" % path)
    t.run(["ktrace", "-i", "sh", "-c", "ls / | wc -l"], uid=1000)
    trace = t.read("ktrace.out", dead=True)
    t.ok(trace.counts[1] > 50, "calls")
    out = t.run(["kdump"], uid=1000)
    t.ok("NAMI" in out, "kdump")
    t.run(["gcc", "-o", "user", "-DLIBRARY", "-pthread", "/tests/system/prog/user.c", "-lktrace"])
    t.run(["ktrace", "-t", "u", "./user", "traced"])
    t.ok(os.path.exists("/usr/local/include/sys/ktrace.h"), "no header")
    # A program that includes BSD's <sys/ktr.h>.
    with open(os.path.join(t.dir, "ktr.c"), "w", encoding="ascii") as f:
        f.write("#include <sys/ktr.h>\nint main(void)\n{\n\treturn KTR_PROC != 0x1000 || sizeof(struct ktr_entry) != 88;\n}\n")
    t.run(["gcc", "-Wall", "-Werror", "-I/usr/local/include", "-o", "ktr", "ktr.c"])
    t.run([os.path.join(t.dir, "ktr")])
    t.ok(os.path.exists("/dev/ktr"), "no /dev/ktr")
    t.run(["ktrace", "-C"])
    t.run(["make", "uninstall"], cwd=source, timeout=120)
    t.eq(t.run(["dkms", "status"]), "", "dkms status after uninstall")
    left = {f for f in files() - before if os.path.basename(f) not in ("share", "man")}
    t.eq(sorted(left), [], "files left by uninstall")
    for module in "ktrace", "ktr":
        t.run(["modinfo", module], status=1)
        t.ok(not os.path.exists("/sys/module/" + module), module + " is still loaded")
