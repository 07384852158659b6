# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What a guest of scripts/vm is made from: its folder (see guest-build), its initramfs, the project's build."""
import lzma
import os
import re
import shutil
import subprocess
import sys

from build import TREE, build_tree, kernel_release, module_folder, tree_files, tree_lock
from cache import cached, contents, digest
from process import Failure, output, run, say

LIB = os.path.dirname(os.path.realpath(__file__))

# What a guest needs to find its root file system and its host. Their dependencies come along.
BOOT_MODULES = ["virtio_pci", "virtio_blk", "virtio_console", "ext4"]
# ... and what some kernels have as a module that it needs and does not name as a dependency.
IF_MODULES = ["crc32c_generic"]

# In the working tree, but no source of the module and the tools.
NOT_BUILT = re.compile(r"^(tests|\.ci|\.git|NEWS|README\.md|docs/[^/]*\.(md|svg)|scripts/(vm|setup|lib|kernel-headers|bench|"
                       r"deb|debian|screenshot))(/|$)")


def logged(argv, what, folder):
    """Runs a helper that fills a folder; shows the end of what it said if it fails."""
    with open(os.path.join(folder, "log"), "w+b") as log:
        try:
            run(argv, what, stdout=log, stderr=log)
        except Failure:
            log.seek(0)
            sys.stderr.write("".join(line[:500] + "\n" for line in log.read().decode().splitlines()[-30:]))
            raise


def facts(kernel):
    """What guests.sh says about a kernel of scripts/vm -k: all of it, and its guest_base, guest_slow and guest_append."""
    select = '. "$1" && guest_select "$2" && unset guest_names && declare -p ${!guest_@} && ' \
        'echo "${guest_base-}" && echo "${guest_slow-1}" && echo "${guest_append-}"'
    try:
        chosen = subprocess.run(["bash", "-c", select, "vm", os.path.join(LIB, "guests.sh"), kernel],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout
    except subprocess.CalledProcessError as e:
        raise Failure("-k %s: %s" % (kernel, e.stderr.decode().strip())) from None
    *chosen, base, slow, append = chosen.splitlines(True)
    return b"".join(chosen), base.decode().strip(), int(slow), append.decode().split()


def slowness(kernel):
    """How many times longer than in the usual guest things may take."""
    return facts(kernel)[2]


def parameters(kernel):
    """What its command line has that others' have not."""
    return facts(kernel)[3]


def kernel_folder(kernel, used):
    """What kernel-build made."""
    source = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "linux-source-6.1"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False).stdout
    if not source:
        raise Failure("-k %s: linux-source-6.1 is not installed (run scripts/setup)" % kernel)
    compiler = subprocess.run(["gcc", "-dumpfullversion"], stdout=subprocess.PIPE, check=True).stdout
    key = digest(source, compiler, *contents(LIB, "kernel-build", "kernel.config", "kernel-%s.config" % kernel))

    def build(folder):
        say("building the kernel %s: once, a quarter of an hour" % kernel)
        logged([os.path.join(LIB, "kernel-build"), kernel, folder], "the kernel %s could not be built" % kernel, folder)

    return cached("kernel-" + kernel, key, build, used)


def guest_folder(kernel, packages, used):
    """What guest-build made for a kernel of scripts/vm -k, with more Debian packages if wanted; or links to the parts that
    a guest with its own kernel has."""
    os.environ["KTRACE_VM_PACKAGES"] = " ".join(sorted(set(packages)))  # for guests.sh
    chosen, base, *_ = facts(kernel)

    def build(folder):
        say("making the guest for kernel %s%s: once, a minute or two" %
            (kernel, " with " + ", ".join(packages) if packages else ""))
        logged([os.path.join(LIB, "guest-build"), kernel, folder], "the guest for kernel %s could not be made" % kernel, folder)

    def link(folder):
        for part in parts:
            for name in os.listdir(part):
                if not os.path.lexists(os.path.join(folder, name)):
                    os.symlink(os.path.join(part, name), os.path.join(folder, name))

    if not base:
        return cached("guest-" + kernel, digest(kernel, chosen, *contents(LIB, "guest-build", "vmlinux.py")), build, used)
    parts = [kernel_folder(kernel, used), guest_folder(base, packages, used)]
    return cached("guest-" + kernel, digest(*parts), link, used)


def architecture(guest):
    """Debian's name of it."""
    with open(os.path.join(guest, "arch"), encoding="ascii") as f:
        return f.read().strip()


def cross(guest):
    """What stands before the names of this machine's compilers for a guest of another architecture."""
    try:
        with open(os.path.join(guest, "cross"), encoding="ascii") as f:
            return f.read().strip()
    except FileNotFoundError:
        return ""


def kernel_headers(guest):
    """The folder to build modules against: make -C FOLDER M=..."""
    return os.path.join(guest, "headers", "usr", "src", "linux-headers-" + kernel_release(guest))


def cpio(name, data=b"", mode=0o100644):
    """One member of an initramfs (format newc)."""
    name = os.fsencode(name) + b"\0"
    numbers = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name), 0)
    head = b"070701" + b"".join(b"%08X" % n for n in numbers) + name
    return head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4)


def cpio_end():
    """The end of an archive, padded so that another may follow."""
    end = cpio("TRAILER!!!", mode=0)
    return end + b"\0" * (-len(end) % 512)


def module_name(path):
    return os.path.basename(path).removesuffix(".xz")


def module_contents(path):
    """Of a module's file, which not every kernel can uncompress."""
    with open(path, "rb") as f:
        data = f.read()
    return lzma.decompress(data) if path.endswith(".xz") else data


def initramfs_file(kernel, guest, used):
    """The part of the initramfs that all runs share: vm-init, the modules it loads, guest.sh."""
    key = digest(os.path.basename(guest), *contents(LIB, "vm-init.c", "guest.sh", "guest.py"))

    def build(folder):
        init = os.path.join(folder, "vm-init")
        run([cross(guest) + "gcc", "-O2", "-Wall", "-static", "-o", init, os.path.join(LIB, "vm-init.c")],
            "vm-init.c could not be compiled")
        paths = []
        with open(os.path.join(guest, "modules", "lib", "modules", kernel_release(guest), "modules.dep"), encoding="utf-8") as f:
            listed = f.read()
        for module in [m for m in IF_MODULES if "/%s.ko" % m in listed] + BOOT_MODULES:
            deps = output(["modprobe", "-d", os.path.join(guest, "modules"), "-S", kernel_release(guest), "-C",
                           "/dev/null", "--show-depends", module], "no module %s" % module, folder)
            paths += [line[7:].strip() for line in deps.decode().splitlines() if line.startswith("insmod ")]
        paths = list(dict.fromkeys(paths))
        members = [cpio(d, mode=0o040755) for d in ("dev", "root", "modules", "job")]
        with open(init, "rb") as f:
            members.append(cpio("init", f.read(), 0o100755))
        for path in paths:
            members.append(cpio("modules/" + module_name(path), module_contents(path)))
        members.append(cpio("modules/order", b"".join(os.fsencode(module_name(p)) + b"\n" for p in paths)))
        members.append(cpio("job/guest.sh", contents(LIB, "guest.sh")[1]))
        with open(os.path.join(folder, "cpio"), "wb") as f:
            f.write(b"".join(members) + cpio_end())
        os.unlink(init)

    return os.path.join(cached("init-" + kernel, key, build, used), "cpio")


def stage_folder(kernel, guest, used):
    """What stage-build made from the working tree as it is now."""
    parts = contents(LIB, "stage-build", "guest-root") + [os.path.basename(guest)]
    for name in tree_files():
        if not NOT_BUILT.match(name):
            parts += contents(TREE, name) + [str(os.stat(os.path.join(TREE, name)).st_mode & 0o100)]

    def build(folder):
        with tree_lock():
            tree = build_tree(kernel, guest)
            run([os.path.join(LIB, "stage-build"), guest, kernel_headers(guest), tree, module_folder(tree, guest), folder],
                "the project could not be built", stdout=2)

    return cached("stage-" + kernel, digest(*parts), build, used)


def prepare(opts, folder, used):
    """Makes all that a run boots from. Returns the guest's folder; initramfs, in and out are in the run's folder."""
    guest = guest_folder(opts.kernel, opts.packages, used)
    base = initramfs_file(opts.kernel, guest, used)
    modules, disks = b"", []

    with open(folder("in"), "wb") as disk:
        if os.path.exists(os.path.join(guest, "root.tar")):
            with open(os.path.join(guest, "root.tar"), "rb") as f:
                shutil.copyfileobj(f, disk)
        if opts.module:
            stage = stage_folder(opts.kernel, guest, used)
            with open(os.path.join(stage, "tar"), "rb") as f:
                shutil.copyfileobj(f, disk)
            modules = contents(stage, "modules")[1]
        disk.flush()
        for copy in opts.copies_in:
            copy.append_to(disk)
        disk.seek(0, os.SEEK_END)
        size = disk.tell()
        # Whole megabytes, so that the kernel's search for partition tables ends inside.
        disk.truncate(-(-size >> 20) << 20)
    if size:
        disks.append("in /dev/vdc\n")
    else:
        os.unlink(folder("in"))
    if opts.copies_out:
        with open(folder("out"), "wb") as disk:
            disk.truncate(1 << 38)
        disks.append("out /dev/vd%c\n" % "cd"[bool(size)])

    with open(folder("initramfs"), "wb") as f:
        with open(base, "rb") as b:
            shutil.copyfileobj(b, f)
        f.write(cpio("job/argv", b"".join(os.fsencode(arg) + b"\0" for arg in opts.command)))
        f.write(cpio("job/outputs", b"".join(os.fsencode(copy.guest) + b"\0" for copy in opts.copies_out)))
        f.write(cpio("job/modules", modules))
        f.write(cpio("job/disks", "".join(disks).encode()))
        f.write(cpio_end())
    return guest
