# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Guests that boot by UEFI with Secure Boot on.

The firmware is Debian's OVMF, with the variables that it has for tests: the platform's keys are "snakeoil" ones, whose
private half is public. The kernel, its command line and its initramfs become one EFI program, which is signed with that and
lies on a disk of its own. What the machine's owner has enrolled by MokManager (docs/SIGNING.md) is in the variable
MokListRT, as shim leaves it for the kernel.
"""
import os
import shutil
import struct
import uuid

from process import Failure, run

CODE = "/usr/share/OVMF/OVMF_CODE_4M.secboot.fd"
VARIABLES = "/usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd"
KEY, CERTIFICATE = "/usr/share/ovmf/PkKek-1-snakeoil.key", "/usr/share/ovmf/PkKek-1-snakeoil.pem"
STUB = "/usr/lib/systemd/boot/efi/linuxx64.efi.stub"
PASSWORD = "snakeoil"

# Where the parts go in the program's memory: behind the stub, which is smaller than 128 KB, in this order.
SECTIONS = [(".cmdline", 0x30000), (".linux", 0x2000000), (".initrd", 0x3000000)]

STORE = uuid.UUID("aaf32c78-947b-439a-a180-2e144ec37792")    # gEfiAuthenticatedVariableGuid
SHIM = uuid.UUID("605dab50-e046-4300-abb6-3dd810dd8b23")
X509 = uuid.UUID("a5c059a1-94e4-4aa7-87b5-ab155c2bf072")
STORE_HEADER = struct.Struct("<16sIBBHI")
VARIABLE = struct.Struct("<HBBIQ16sIII16s")
START, ADDED = 0x55aa, 0x3f
NON_VOLATILE, BOOT, RUNTIME = 1, 2, 4


def check():
    """Says what is missing on this machine."""
    missing = [path for path in (CODE, VARIABLES, KEY, CERTIFICATE, STUB) if not os.path.exists(path)]
    missing += [name for name in ("sbsign", "objcopy", "openssl") if not shutil.which(name)]
    if missing:
        raise Failure("--secure-boot: not installed: %s (run scripts/setup)" % " ".join(missing))


def signature_list(certificates):
    """EFI_SIGNATURE_LISTs of certificates in DER."""
    lists = b""
    for der in certificates:
        size = 16 + len(der)
        lists += X509.bytes_le + struct.pack("<III", 28 + size, 0, size) + SHIM.bytes_le + der
    return lists


def with_variable(flash, name, vendor, data):
    """The contents of a flash with one more variable. None must have the name."""
    at = flash.find(STORE.bytes_le)
    if at < 0:
        raise Failure("%s: no store of variables" % VARIABLES)
    _, size, _, _, _, _ = STORE_HEADER.unpack_from(flash, at)
    end = at + size
    at += STORE_HEADER.size
    while at + VARIABLE.size <= end and struct.unpack_from("<H", flash, at)[0] == START:
        names, datas = VARIABLE.unpack_from(flash, at)[7:9]
        at += VARIABLE.size + names + datas
        at = (at + 3) & ~3
    encoded = (name + "\0").encode("utf-16-le")
    added = VARIABLE.pack(START, ADDED, 0, NON_VOLATILE | BOOT | RUNTIME, 0, bytes(16), 0, len(encoded), len(data),
                          vendor.bytes_le) + encoded + data
    if at + len(added) > end:
        raise Failure("%s: no room for %s" % (VARIABLES, name))
    return flash[:at] + added + flash[at + len(added):]


def make_variables(path, certificates):
    """The firmware's variables, with certificates (DER files) that are enrolled."""
    with open(VARIABLES, "rb") as f:
        flash = f.read()
    ders = []
    for name in certificates:
        with open(name, "rb") as f:
            ders.append(f.read())
    if ders:
        flash = with_variable(flash, "MokListRT", SHIM, signature_list(ders))
    with open(path, "wb") as f:
        f.write(flash)


def make_program(folder, guest, parameters):
    """What the firmware starts, on a disk: the folder "esp"."""
    kernel = os.path.join(guest, "vmlinuz")
    if not os.path.exists(kernel):
        raise Failure("--secure-boot goes with Debian's kernels for x86-64 only")
    with open(folder("cmdline"), "w", encoding="ascii") as f:
        f.write(parameters)
    sources = folder("cmdline"), kernel, folder("initramfs")
    argv = ["objcopy"]
    for (section, address), source in zip(SECTIONS, sources):
        argv += ["--add-section", "%s=%s" % (section, source), "--change-section-vma", "%s=%#x" % (section, address)]
    with open(folder("signing"), "wb") as log:
        run([*argv, STUB, folder("program")], "the EFI program could not be made", stdout=log, stderr=log)
        run(["openssl", "rsa", "-in", KEY, "-passin", "pass:" + PASSWORD, "-out", folder("key")],
            "the key for Secure Boot cannot be read", stdout=log, stderr=log)
        os.makedirs(folder("esp/EFI/BOOT"))
        run(["sbsign", "--key", folder("key"), "--cert", CERTIFICATE, "--output", folder("esp/EFI/BOOT/BOOTX64.EFI"),
             folder("program")], "the EFI program could not be signed", stdout=log, stderr=log)


def arguments(folder, guest, parameters, certificates):
    """QEMU's arguments for it, in the place of -kernel, -initrd and -append; makes what they name."""
    make_program(folder, guest, parameters)
    make_variables(folder("variables"), certificates)
    return ["-global", "driver=cfi.pflash01,property=secure,value=on",
            "-drive", "if=pflash,unit=0,format=raw,readonly=on,file=" + CODE,
            "-drive", "if=pflash,unit=1,format=raw,file=" + folder("variables").replace(",", ",,"),
            # By AHCI, for which the guest has no driver: its disks keep their names.
            "-drive", "if=none,id=esp,format=raw,snapshot=on,file=fat:" + folder("esp").replace(",", ",,"),
            "-device", "ide-hd,drive=esp,bus=ide.0,bootindex=0"]
