# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What kdump knows from records before: times of calls, descriptors, processes."""
from cases import L64, LINE, case
from craft import NOW, SYSCALL, SYSRET, call, i386, i386_v1, call32, ret, ret32, v0, v1

# --duration ---------------------------------------------------------------------------------------------------------

GETPID = 39


def getpid(make, begin, end, **header):
    """The two records at these times: dictionaries."""
    return make(SYSCALL, call(GETPID), **header, **begin) + make(SYSRET, ret(GETPID, 700), **header, **end)


def getpid_text(*times):
    return "".join(LINE + "CALL  getpid\n" + LINE + "RET   getpid 700/0x2bc%s\n" % (" <%s>" % time if time else "")
                   for time in times)


case("duration.v0", L64 + getpid(v0, {"usec": 5}, {"usec": 17}) + getpid(v0, {}, {"sec": NOW + 61, "usec": 999999}) +
     getpid(v0, {"usec": 7}, {"usec": 7}), "--duration", getpid_text("0.000012", "61.999999", "0.000000"))
case("duration.v1", L64 + getpid(v1, {"nsec": 999999999}, {"sec": NOW + 1}), "--duration", getpid_text("0.000000001"))
case("duration.mixed", L64 + v0(SYSCALL, call(GETPID), usec=1) + v1(SYSRET, ret(GETPID, 700), nsec=1500), "--duration",
     getpid_text("0.000000500"))
case("duration.back", L64 + getpid(v0, {"usec": 500000}, {}) + getpid(v1, {}, {"sec": NOW - 2, "nsec": 999999999}),
     "--duration", getpid_text("-0.500000", "-1.000000001"))
# Out of range: times, the difference of them.
case("duration.limits", L64 + getpid(v0, {"sec": 2**62}, {"sec": -2**62}) + getpid(v0, {"sec": -2**62}, {"sec": 2**62}) +
     getpid(v0, {"sec": 2**62}, {"sec": 2**62}) + getpid(v0, {"sec": -9 * 10**9}, {"sec": 9 * 10**9}), "--duration",
     getpid_text(None, None, None, None))
# A RET whose CALL is not in the file, or is another thread's or another call.
case("duration.unknown", L64 + v0(SYSRET, ret(GETPID, 1)) + v0(SYSCALL, call(GETPID), tid=701) +
     v0(SYSRET, ret(GETPID, 1)) + v0(SYSRET, ret(110, 1), tid=701, usec=3) + v0(SYSRET, ret(GETPID, 2), usec=4),
     "--duration -t c", LINE + "RET   getpid 1\n" + LINE + "CALL  getpid\n" + LINE + "RET   getpid 1\n" +
     LINE + "RET   getppid 1\n" + LINE + "RET   getpid 2\n")
case("duration.kinds", L64 + v0(SYSCALL, call(35)) + v0(SYSRET, ret(35, 0, -1), usec=8) + v0(SYSCALL, call(35)) +
     v0(SYSRET, ret(35, 0, 4), usec=9), "--duration -n", LINE + "CALL  nanosleep\n" +
     LINE + "RET   nanosleep RESTART <0.000008>\n" + LINE + "CALL  nanosleep\n" +
     LINE + "RET   nanosleep -1 errno 4 <0.000009>\n")
# The time counts from the CALL even if that is not shown.
case("duration.composes", L64 + getpid(v0, {"usec": 5}, {"usec": 17}, tid=701), "--duration -HTA -p 701",
     "   700    701 prog     %d.000005 CALL  L64  getpid\n" % NOW +
     "   700    701 prog     %d.000017 RET   L64  getpid 700/0x2bc <0.000012>\n" % NOW)
case("duration.i386", i386(SYSCALL, call32(20)) + i386(SYSRET, ret32(20, 7), usec=30) +
     i386_v1(SYSCALL, call32(20)) + i386_v1(SYSRET, ret32(20, 7), nsec=105), "--duration",
     LINE + "CALL  getpid\n" + LINE + "RET   getpid 7 <0.000025>\n" +
     LINE + "CALL  getpid\n" + LINE + "RET   getpid 7 <0.000000100>\n")
