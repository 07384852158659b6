#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""vmlinux.py BZIMAGE VMLINUX: takes the ELF kernel out of a bzImage.

QEMU starts an ELF kernel directly (PVH). A bzImage would first decompress itself, which takes seconds under emulation.
"""
import bz2
import gzip
import lzma
import struct
import subprocess
import sys


def unpack(payload):
    if payload.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMADecompressor().decompress(payload)
    if payload.startswith(b"\x1f\x8b"):
        return gzip.decompress(payload)
    if payload.startswith(b"BZh"):
        return bz2.decompress(payload)
    if payload.startswith(b"\x28\xb5\x2f\xfd"):
        payload = payload[:-4]  # behind it is the size of the result, as with the others, which do not mind
        return subprocess.run(["zstd", "-q", "-dc"], input=payload, stdout=subprocess.PIPE, check=True).stdout
    sys.exit("vmlinux.py: unknown compression of the kernel")


def main():
    with open(sys.argv[1], "rb") as f:
        image = f.read()
    if image[0x202:0x206] != b"HdrS":
        sys.exit("vmlinux.py: not a bzImage: " + sys.argv[1])
    setup = ((image[0x1F1] or 4) + 1) * 512
    offset, length = struct.unpack_from("<II", image, 0x248)
    with open(sys.argv[2], "wb") as f:
        f.write(unpack(image[setup + offset:setup + offset + length]))


if __name__ == "__main__":
    main()
