# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Records of the points w, p, f, y, a and e, each byte by byte, and what a damaged file may have instead of them."""
import struct

from cases import F64, L64, LINE, bad, case
from craft import (ARGS, CAPFAIL, CSW, ENVS, FAULT, FAULTEND, FREEBSD64, LINUX32, LINUX64, NAMEI, PROCCTOR,
                   STRUCT_ARRAY, SYSCTL, array, capfail, capfail_new, ctor, i386, i386_v1, v0, v1)


def lines(label, texts):
    return "".join(LINE + "%-4s  %s\n" % (label, text) for text in texts)


# CSW ----------------------------------------------------------------------------------------------------------------

WMESGS = (b"futex_w", b"12345678", b"-", b"", b"w\x1b[m", b"\xc3\xa9\xff", b"a\0b\x1b")
case("csw.wmesg", L64 + b"".join(v0(CSW, struct.pack("<ii8s", 1, 0, name)) for name in WMESGS), "",
     lines("CSW", ('stop kernel "%s"' % text for text in (
         "futex_w", "12345678", "-", "", "w\\033[m", "é\\377", "a"))))
case("csw.numbers", b"".join(v0(CSW, struct.pack("<ii8s", *numbers, b"x")) for numbers in (
    (0, 0), (0, 1), (1, 1), (-1, -2**31))), "",
    lines("CSW", ('resume kernel "x"', 'resume user "x"', 'stop user "x"', 'stop user "x"')))
# Only all of wmesg is one.
case("csw.lengths", b"".join(v0(CSW, struct.pack("<ii8s", 1, 0, b"abcdefg")[:size]) for size in (8, 9, 15, 16)) +
     v0(CSW, struct.pack("<ii8s", 1, 0, b"abcdefg") + b"\x1bmore"), "",
     lines("CSW", ("stop kernel",) * 3 + ('stop kernel "abcdefg"',) * 2))
case("csw.i386", i386(CSW, struct.pack("<ii8s", 0, 1, b"select")) + i386_v1(CSW, struct.pack("<ii", 1, 0)), "",
     lines("CSW", ('resume user "select"', "stop kernel")))

# FAULT and FAULTEND -------------------------------------------------------------------------------------------------

case("fault.types", b"".join(v0(FAULT, struct.pack("<QiI", *fault, 0)) for fault in (
    (0x7f0000001000, 1), (2**64 - 1, 2), (0, 4), (1, 7), (2, 0), (3, -1), (4, -2**31), (5, 64))), "",
    lines("PFLT", ("0x7f0000001000 0x1<VM_PROT_READ>", "0xffffffffffffffff 0x2<VM_PROT_WRITE>",
                   "0x0 0x4<VM_PROT_EXECUTE>", "0x1 0x7<VM_PROT_READ|VM_PROT_WRITE|VM_PROT_EXECUTE>",
                   "0x2 0<VM_PROT_NONE>",
                   "0x3 0xffffffff<VM_PROT_READ|VM_PROT_WRITE|VM_PROT_EXECUTE|VM_PROT_COPY>",
                   "0x4 0x80000000<><invalid>2147483648", "0x5 0x40<><invalid>64")))
case("fault.lengths", b"".join(v0(FAULT, struct.pack("<QiI", 16, 1, 0xffffffff)[:size]) for size in (12, 13, 16)) +
     v0(FAULT, struct.pack("<QiI", 16, 2, 0) + b"\x1b"), "",
     lines("PFLT", ("0x10 0x1<VM_PROT_READ>",) * 3 + ("0x10 0x2<VM_PROT_WRITE>",)))
case("fault.end", b"".join(v0(FAULTEND, struct.pack("<i", result)) for result in (0, 1, 2, 6, 10, 11, -1)) +
     v0(FAULTEND, struct.pack("<i", 0) + b"\x1b"), "",
     lines("PRET", ("KERN_SUCCESS", "KERN_INVALID_ADDRESS", "KERN_PROTECTION_FAILURE", "KERN_RESOURCE_SHORTAGE",
                    "KERN_RESTART", "<invalid=11>", "<invalid=-1>", "KERN_SUCCESS")))
case("fault.i386", i386(FAULT, struct.pack("<Ii", 0xfffff000, 2)) + i386(FAULTEND, struct.pack("<i", 1)), "",
     LINE + "PFLT  0xfffff000 0x2<VM_PROT_WRITE>\n" + LINE + "PRET  KERN_INVALID_ADDRESS\n")

# SYSCTL -------------------------------------------------------------------------------------------------------------

case("sysctl", b"".join(v0(SYSCTL, name) for name in (
    b"kernel.hostname\0", b"kernel.hostname", b"net.ipv4.conf.eth0/100.forwarding\0", b"\0", b"", b"a\0b\x1b\0",
    b"\x1b]0;x\x07\xff\n\0", "é\0".encode(), b"%s%n\0")), "",
    lines("SCTL", ('"%s"' % text for text in (
        "kernel.hostname", "kernel.hostname", "net.ipv4.conf.eth0/100.forwarding", "", "", "a",
        "\\033]0;x\\007\\377\\012", "é", "%s%n"))))

# Each length, and each place of a byte that is not shown as it is: eight are looked at at once, or what there is.
ODD = [(byte, b"abcdefghijklmnopqrs"[:length], at) for byte in (0x1b, 0x1f, 0x7f, 0x80, 0xff) for length in range(1, 20)
       for at in range(length)]
case("text.places", b"".join(v0(NAMEI, text[:at] + bytes([byte]) + text[at + 1:]) for byte, text, at in ODD), "",
     lines("NAMI", ('"%s\\%03o%s"' % (text[:at].decode(), byte, text[at + 1:].decode()) for byte, text, at in ODD)))
case("text.lengths", b"".join(v0(NAMEI, b"a ~b!}cdefghijklmno"[:length]) for length in range(20)), "",
     lines("NAMI", ('"%s"' % "a ~b!}cdefghijklmno"[:length] for length in range(20))))

# ARGS and ENVS ------------------------------------------------------------------------------------------------------

VECTORS = (
    (b"ls\0-l\0", '"ls", "-l"'), (b"ls\0-l", '"ls", "-l"'), (b"", ""), (b"\0", '""'), (b"\0\0\0", '"", "", ""'),
    (b"a\0\0b\0\0", '"a", "", "b", ""'), (b"\0a", '"", "a"'), (b"A=1\0B=\0=x\0", '"A=1", "B=", "=x"'),
    (b"\x1b[2J\0\xff\xfe\0\xc3\0\xa9\0", '"\\033[2J", "\\377\\376", "\\303", "\\251"'),
    ("é\0日本".encode(), '"é", "日本"'), (b'say "hi"\0back\\slash\0', '"say "hi"", "back\\slash"'),
    (b"two\nlines\ttab\rcr\x7f\0", '"two\\012lines\\011tab\\015cr\\177"'), (b"%s\0%n\0", '"%s", "%n"'),
    ("a\u009bb\u202ec\0".encode(), '"a\\302\\233b\\342\\200\\256c"'))
for NAME, KIND in (("ARGS", ARGS), ("ENVS", ENVS)):
    case(NAME.lower() + ".strings", L64 + b"".join(v0(KIND, data) for data, _ in VECTORS) +
         b"".join(v1(KIND, data) for data, _ in VECTORS), "", lines(NAME, [text for _, text in VECTORS] * 2))
    # As long as they get, with no NUL and with nothing else.
    case(NAME.lower() + ".long", v0(KIND, b"x" * 131072) + v0(KIND, bytes(131072)) + v0(KIND, b"x\0" * 65536), "",
         lines(NAME, ['"%s"' % ("x" * 131072), ", ".join(['""'] * 131072), ", ".join(['"x"'] * 65536)]))
    # -m is about what was read and written; -n, -d and -r change nothing.
    case(NAME.lower() + ".options", v0(KIND, b"abcdef\0gh\0"), "-m 2 -s -n -d -r", lines(NAME, ['"abcdef", "gh"']))

# CAPFAIL ------------------------------------------------------------------------------------------------------------

# As in <linux/capability.h>, which "names" compares with kdump's table.
CAPABILITIES = ("CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE "
                "NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT "
                "SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE "
                "AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ "
                "PERFMON BPF CHECKPOINT_RESTORE").split()
assert len(CAPABILITIES) == 41
ALL = ",".join("CAP_" + name for name in CAPABILITIES)
WORDS = (1 << 57, 1 << 58)


def linux(kind, needed, held, flags=LINUX64, code=0):
    """The same with a v0 and a v1 header."""
    data = struct.pack("<4Q", needed | WORDS[0], WORDS[1], held | WORDS[0], WORDS[1])
    return v0(CAPFAIL, capfail(kind, needed, held)) + v1(CAPFAIL, capfail_new(kind, code, flags, data))


case("capfail.linux", L64 + b"".join(linux(0, 1 << n, 0) for n in range(41)) +
     linux(0, (1 << 41) - 1, (1 << 41) - 1), "",
     lines("CAP", ["operation requires CAP_%s, process holds " % name for name in CAPABILITIES for _ in range(2)] +
           ["operation requires %s, process holds %s" % (ALL, ALL)] * 2))
# More than there are, the bits that make it a cap_rights_t, and a type of FreeBSD's.
case("capfail.linux-odd", L64 + linux(0, 1 << 41, 1 << 56) + linux(0, 0, 3) + linux(0, 3 << 58, 1 << 63) +
     linux(1, 1, 2), "",
     lines("CAP", [text for text in (
         "operation requires 41, process holds 56", "operation requires , process holds CAP_CHOWN,CAP_DAC_OVERRIDE",
         "operation requires , process holds ",
         "attempt to increase capabilities from CAP_DAC_OVERRIDE to CAP_CHOWN") for _ in range(2)]))
# A v1 record says itself whose it is; a v0 record is the process's.
case("capfail.abi", F64 + v1(CAPFAIL, capfail_new(0, 0, LINUX64, struct.pack("<4Q", 1 | WORDS[0], WORDS[1], 0, 0))) +
     L64 + v1(CAPFAIL, capfail_new(0, 0, FREEBSD64, struct.pack("<4Q", 1 | WORDS[0], WORDS[1], *WORDS))) +
     v0(CAPFAIL, struct.pack("<iI4Q", 0, 0, 1 | WORDS[0], WORDS[1], 0, 0)), "",
     lines("CAP", ("operation requires CAP_CHOWN, process holds ", "operation requires CAP_READ, descriptor holds ",
                   "operation requires CAP_CHOWN, process holds ")))
case("capfail.seccomp", L64 + v0(CAPFAIL, capfail(2, 0, 0)) + v1(CAPFAIL, capfail_new(2, 165, LINUX64, b"")) +
     v1(CAPFAIL, capfail_new(2, 21, LINUX32, b"")) + v1(CAPFAIL, capfail_new(2, 92, LINUX64, b"")) +
     v1(CAPFAIL, capfail_new(2, -1, LINUX64, b"")) + v1(CAPFAIL, capfail_new(2, 999, LINUX64, b"")), "",
     lines("CAP", ("disallowed system call", "system call not allowed: mount", "system call not allowed: mount",
                   "system call not allowed: chown", "system call not allowed: [-1]",
                   "system call not allowed: [999]")))
case("capfail.seccomp-S", L64 + v1(CAPFAIL, capfail_new(2, 165, LINUX64, b"")), "-S",
     lines("CAP", ("system call not allowed: mount[165]",)))
case("capfail.types", L64 + b"".join(v0(CAPFAIL, capfail(kind, 1, 2)) for kind in (3, 4, -1, 2**31 - 1)) +
     b"".join(v1(CAPFAIL, capfail_new(kind, 0, LINUX64, b"")) for kind in (-1, 8, 2**31 - 1)), "",
     lines("CAP", ("restricted VFS lookup",) + ("unknown capability failure: CAP_CHOWN CAP_DAC_OVERRIDE",) * 3 +
           ("read: unknown capability failure",) * 3))
# The layout goes by the length: nothing between the two is the newer one.
case("capfail.lengths", L64 + b"".join(v1(CAPFAIL, capfail_new(2, 165, LINUX64, b"")[:size]) for size in (40, 1039)) +
     v1(CAPFAIL, capfail_new(2, 165, LINUX64, b"") + b"\x1b"), "",
     lines("CAP", ("disallowed system call",) * 2 + ("system call not allowed: mount",)))
case("capfail.text", v1(CAPFAIL, capfail_new(6, 3, FREEBSD64, b"/\x1b[m" * 300)[:1040]), "",
     lines("CAP", ("read: restricted VFS lookup: " + "/\\033[m" * 256,)))
case("capfail.i386", i386(CAPFAIL, struct.pack("<i4Q", 0, 2 | WORDS[0], WORDS[1], 1 | WORDS[0], WORDS[1])) +
     i386_v1(CAPFAIL, struct.pack("<ihHI", 2, 97, 0, 0x4109) + bytes(1024)), "",
     lines("CAP", ("operation requires CAP_WRITE, descriptor holds CAP_READ", "system call not allowed: socket")))

# Malformed ----------------------------------------------------------------------------------------------------------

bad("csw-empty", v0(CSW), "CSW of 0 bytes, but it takes 8")
bad("fault-11", v0(FAULT, bytes(11)), "FAULT of 11 bytes, but it takes 12")
bad("faultend-3", v0(FAULTEND, bytes(3)), "FAULTEND of 3 bytes, but it takes 4")
bad("capfail-empty", v0(CAPFAIL), "CAPFAIL of 0 bytes, but it takes 40")
bad("capfail-v1-short", v1(CAPFAIL, bytes(39)), "CAPFAIL of 39 bytes, but it takes 40")
bad("args-cut", v0(ARGS, b"ls\0-l\0")[:-2], "the file ends within a record: 4 of 6 bytes of its payload")
bad("args-huge", v0(ARGS, b"ls\0", length=16 << 20), "the file ends within a record: 3 of 16777216 bytes")
bad("args-too-huge", v0(ARGS, b"ls\0", length=(16 << 20) + 1), "a record of 16777217 bytes")
# Sizes whose product with anything overflows.
case("odd.array-sizes", L64 + b"".join(v0(STRUCT_ARRAY, array(size, name, bytes(48)))
                                       for name in (b"pollfd", b"l_iovec")
                                       for size in (0, 1, 2**32, 2**32 + 8, 2**63, 2**64 - 1, 2**64 - 8)), "",
     lines("STRU", ["struct %s[] = { <bad size> }" % name for name in ("pollfd", "l_iovec") for _ in range(7)]))
case("odd.ctor", v0(PROCCTOR, ctor(LINUX64) + b"more") + v0(CAPFAIL, capfail(0, 1, 0)), "-A",
     LINE + "CAP   L64  operation requires CAP_CHOWN, process holds \n")
