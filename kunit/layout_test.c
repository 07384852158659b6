// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_layout: structures of callers, as the record has them.  What
 * callers have is declared here once more, from the headers of 64-bit Linux, of
 * i386 and of arm; every field has a value of its own, with other bytes in it than all
 * others, and negative ones where there are signs.  Sources and targets lie at
 * any address; what surrounds the target stays as it was.
 */
#include <kunit/test.h>

#include "layout.h"

#include "layout.c"

#define FILL   0xa5
#define MARGIN 16

static void check(struct kunit *test, enum ktrace_layout_id id, enum ktrace_caller caller,
		  const void *from, u32 n, const void *want, u32 size)
{
	const struct ktrace_layout *layout = &ktrace_layouts[id];
	u8 source[KTRACE_LAYOUT_MOST + 8];
	u8 target[KTRACE_LAYOUT_MOST + 8 + 2 * MARGIN];
	u32 at, i;

	KUNIT_ASSERT_EQ(test, layout->size, size);
	KUNIT_ASSERT_LE(test, n, KTRACE_LAYOUT_MOST);
	KUNIT_ASSERT_LE(test, layout->form[caller].size, n);
	for (at = 0; at < 8; at++) {
		memset(source, FILL, sizeof(source));
		memset(target, FILL, sizeof(target));
		memcpy(source + at, from, n);
		ktrace_layout_convert(layout, caller, target + MARGIN + at, source + at, n);
		for (i = 0; i < sizeof(target); i++) {
			bool inside = i >= MARGIN + at && i < MARGIN + at + size;
			u8 byte = inside ? ((const u8 *)want)[i - MARGIN - at] : FILL;

			KUNIT_EXPECT_EQ_MSG(test, target[i], byte,
					    "%s %d of %d: byte %d of %u at %u", layout->name, id,
					    caller, (int)(i - MARGIN - at), size, at);
		}
	}
}

/* Callers of 64 bits, or of 32: of all architectures. */
static void check_all(struct kunit *test, enum ktrace_layout_id id, bool compat, const void *from,
		      u32 n, const void *want, u32 size)
{
	check(test, id, compat ? KTRACE_CALLER_I386 : KTRACE_CALLER_X86_64, from, n, want, size);
	check(test, id, compat ? KTRACE_CALLER_ARM : KTRACE_CALLER_ARM64, from, n, want, size);
}

#define CHECK(test, id, compat, from, want) \
	check_all(test, KTRACE_LAYOUT_##id, compat, &(from), sizeof(from), &(want), sizeof(want))
/* Of one ABI. */
#define CHECK_ONE(test, id, caller, from, want)                                                 \
	check(test, KTRACE_LAYOUT_##id, KTRACE_CALLER_##caller, &(from), sizeof(from), &(want), \
	      sizeof(want))
/* The bytes stay as they are. */
#define SAME_BYTES(test, id, compat, size) same(test, KTRACE_LAYOUT_##id, compat, size)

static void same(struct kunit *test, enum ktrace_layout_id id, bool compat, u32 size)
{
	u8 bytes[KTRACE_LAYOUT_MOST];
	u32 i;

	for (i = 0; i < size; i++)
		bytes[i] = i + i / 256 + 1;
	check_all(test, id, compat, bytes, size, bytes, size);
}

/* 64-bit Linux's struct stat. */
static void stat_native(struct kunit *test)
{
	static const struct {
		u64 dev, ino, nlink;
		u32 mode, uid, gid, pad;
		u64 rdev;
		s64 size, blksize, blocks;
		u64 atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec;
		s64 unused[3];
	} from = { 0x0102030405060708,
		   0x1112131415161718,
		   0x2122232425262728,
		   0xffff81a4,
		   0x31323334,
		   0x41424344,
		   0xeeeeeeee,
		   0x5152535455565758,
		   -0x6162636465666768,
		   0x71727374,
		   0x0a0b0c0d0e0f0a0b,
		   -3,
		   111,
		   0x1c1d1e1f10111213,
		   222,
		   -0x2c2d2e2f20212223,
		   333,
		   { -1, -1, -1 } };
	static const struct ktrace_stat want = {
		.dev = 0x0102030405060708,
		.ino = 0x1112131415161718,
		.nlink = 0x2122232425262728,
		.mode = 0x81a4,
		.uid = 0x31323334,
		.gid = 0x41424344,
		.rdev = 0x5152535455565758,
		.size = -0x6162636465666768,
		.blksize = 0x71727374,
		.blocks = 0x0a0b0c0d0e0f0a0b,
		.atim = { -3, 111 },
		.mtim = { 0x1c1d1e1f10111213, 222 },
		.ctim = { -0x2c2d2e2f20212223, 333 },
	};

	KUNIT_ASSERT_EQ(test, sizeof(from), 144UL);
	CHECK_ONE(test, STAT, X86_64, from, want);
}

static void stat_arm64_native(struct kunit *test)
{
	static const struct {
		u64 dev, ino;
		u32 mode, nlink, uid, gid;
		u64 rdev, pad1;
		s64 size;
		s32 blksize, pad2;
		s64 blocks, atime;
		u64 atime_nsec;
		s64 mtime;
		u64 mtime_nsec;
		s64 ctime;
		u64 ctime_nsec;
		u32 unused4, unused5;
	} from = { 0x0102030405060708,
		   0x1112131415161718,
		   0xffff81a4,
		   0x21222324,
		   0x31323334,
		   0x41424344,
		   0x5152535455565758,
		   0xeeeeeeeeeeeeeeee,
		   -0x6162636465666768,
		   0x71727374,
		   -1,
		   0x0a0b0c0d0e0f0a0b,
		   -3,
		   111,
		   0x1c1d1e1f10111213,
		   222,
		   -0x2c2d2e2f20212223,
		   333,
		   0xeeeeeeee,
		   0xeeeeeeee };
	static const struct ktrace_stat want = {
		.dev = 0x0102030405060708,
		.ino = 0x1112131415161718,
		.nlink = 0x21222324,
		.mode = 0x81a4,
		.uid = 0x31323334,
		.gid = 0x41424344,
		.rdev = 0x5152535455565758,
		.size = -0x6162636465666768,
		.blksize = 0x71727374,
		.blocks = 0x0a0b0c0d0e0f0a0b,
		.atim = { -3, 111 },
		.mtim = { 0x1c1d1e1f10111213, 222 },
		.ctim = { -0x2c2d2e2f20212223, 333 },
	};

	KUNIT_ASSERT_EQ(test, sizeof(from), 128UL);
	CHECK_ONE(test, STAT, ARM64, from, want);
}

static void stat_compat(struct kunit *test)
{
	static const struct {
		u32 dev, ino;
		u16 mode, nlink, uid, gid;
		u32 rdev, size, blksize, blocks;
		u32 atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec, unused4, unused5;
	} from = { 0x81020304, 0x91121314, 0x81a4,     0x9192,	   0xa1a2,     0xb1b2,
		   0xc1c2c3c4, 0xd1d2d3d4, 0xe1e2e3e4, 0xf1f2f3f4, 0x81828384, 111,
		   0x01020304, 222,	   0xfffffffe, 333,	   0xeeeeeeee, 0xeeeeeeee };
	static const struct ktrace_stat want = {
		.dev = 0x81020304,
		.ino = 0x91121314,
		.mode = 0x81a4,
		.nlink = 0x9192,
		.uid = 0xa1a2,
		.gid = 0xb1b2,
		.rdev = 0xc1c2c3c4,
		.size = 0xd1d2d3d4,
		.blksize = 0xe1e2e3e4,
		.blocks = 0xf1f2f3f4,
		.atim = { -0x7e7d7c7c, 111 },
		.mtim = { 0x01020304, 222 },
		.ctim = { -2, 333 },
	};

	KUNIT_ASSERT_EQ(test, sizeof(from), 64UL);
	CHECK(test, STAT, true, from, want);
}

/* struct stat64 of 32-bit callers, which i386 packs. */
#define STAT64_FIELDS                                                \
	u64 dev;                                                     \
	u8 pad0[4];                                                  \
	u32 ino_low, mode, nlink, uid, gid;                          \
	u64 rdev;                                                    \
	u8 pad3[4];                                                  \
	s64 size;                                                    \
	u32 blksize;                                                 \
	s64 blocks;                                                  \
	u32 atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec; \
	u64 ino
#define STAT64_VALUES                                                                          \
	{                                                                                      \
		0x8102030405060708, { 0xee, 0xee, 0xee, 0xee }, 0x11121314, 0x000081ff,        \
			0xa1a2a3a4, 0xb1b2b3b4, 0xc1c2c3c4, 0x5152535455565758,                \
			{ 0xee, 0xee, 0xee, 0xee }, -0x6162636465666768, 0xf1f2f3f4,           \
			0x7172737475767778, 0x81828384, 111, 0x01020304, 222, 0xfffffffe, 333, \
			0x9192939411121314                                                     \
	}

static void stat64_compat(struct kunit *test)
{
	static const struct {
		STAT64_FIELDS;
	} __packed from = STAT64_VALUES;
	static const struct {
		STAT64_FIELDS;
	} aligned = STAT64_VALUES;
	static const struct ktrace_stat want = {
		.dev = 0x8102030405060708,
		.ino = 0x9192939411121314,
		.mode = 0x81ff,
		.nlink = 0xa1a2a3a4,
		.uid = 0xb1b2b3b4,
		.gid = 0xc1c2c3c4,
		.rdev = 0x5152535455565758,
		.size = -0x6162636465666768,
		.blksize = 0xf1f2f3f4,
		.blocks = 0x7172737475767778,
		.atim = { -0x7e7d7c7c, 111 },
		.mtim = { 0x01020304, 222 },
		.ctim = { -2, 333 },
	};

	KUNIT_ASSERT_EQ(test, sizeof(from), 96UL);
	KUNIT_ASSERT_EQ(test, sizeof(aligned), 104UL);
	CHECK_ONE(test, STAT64, I386, from, want);
	CHECK_ONE(test, STAT64, ARM, aligned, want);
}

#undef STAT64_FIELDS
#undef STAT64_VALUES

static void stat_i386_old(struct kunit *test)
{
	static const struct {
		u16 dev, ino, mode, nlink, uid, gid, rdev, pad;
		u32 size, atime, mtime, ctime;
	} from = { 0x8182, 0x9192, 0xa1a4,     0xb1b2,	   0xc1c2,     0xd1d2,
		   0xe1e2, 0xeeee, 0xf1f2f3f4, 0x81828384, 0x01020304, 0xfffffffe };
	static const struct ktrace_stat want = {
		.dev = 0x8182,
		.ino = 0x9192,
		.mode = 0xa1a4,
		.nlink = 0xb1b2,
		.uid = 0xc1c2,
		.gid = 0xd1d2,
		.rdev = 0xe1e2,
		.size = 0xf1f2f3f4,
		.atim = { -0x7e7d7c7c, 0 },
		.mtim = { 0x01020304, 0 },
		.ctim = { -2, 0 },
	};

	KUNIT_ASSERT_EQ(test, sizeof(from), 32UL);
	CHECK_ONE(test, OLD_STAT, I386, from, want);
}

struct test_statx {
	u32 mask, blksize;
	u64 attributes;
	u32 nlink, uid, gid;
	u16 mode, pad;
	u64 ino, size, blocks, attributes_mask;
	struct {
		s64 sec;
		u32 nsec;
		s32 reserved;
	} atime, btime, ctime, mtime;
	u32 rdev_major, rdev_minor, dev_major, dev_minor;
};

static void stat_statx(struct kunit *test)
{
	static const struct test_statx from = {
		.mask = 0xffffffff,
		.blksize = 0x81020304,
		.attributes = -1,
		.nlink = 0x91121314,
		.uid = 0xa1222324,
		.gid = 0xb1323334,
		.mode = 0x81a4,
		.pad = 0xeeee,
		.ino = 0xc142434445464748,
		.size = 0x5152535455565758,
		.blocks = 0x6162636465666768,
		.attributes_mask = -1,
		.atime = { -0x7172737475767778, 111, -1 },
		.btime = { 0x0a0b0c0d0e0f0a0b, 444, -1 },
		.ctime = { 0x1a1b1c1d1e1f1a1b, 333, -1 },
		.mtime = { -2, 222, -1 },
		.rdev_major = 0x12345,
		.rdev_minor = 0x6789abcd,
		.dev_major = 0x8,
		.dev_minor = 0x11,
	};
	struct ktrace_stat want = {
		/* makedev(0x8, 0x11), makedev(0x12345, 0x6789abcd) */
		.dev = 0x811,
		.ino = 0xc142434445464748,
		.nlink = 0x91121314,
		.mode = 0x81a4,
		.uid = 0xa1222324,
		.gid = 0xb1323334,

		.size = 0x5152535455565758,
		.blksize = 0x81020304,
		.blocks = 0x6162636465666768,
		.atim = { -0x7172737475767778, 111 },
		.mtim = { -2, 222 },
		.ctim = { 0x1a1b1c1d1e1f1a1b, 333 },
		.birthtim = { 0x0a0b0c0d0e0f0a0b, 444 },
	};
	struct test_statx unborn = from;

	/* 0x12000 << 32 | 0x6789ab00 << 12 | 0x345 << 8 | 0xcd */
	want.rdev = 0x000126789ab345cdULL;
	KUNIT_ASSERT_EQ(test, sizeof(from), 144UL);
	CHECK(test, STATX, false, from, want);
	CHECK(test, STATX, true, from, want);
	/* All bits but STATX_BTIME. */
	unborn.mask = ~0x800;
	memset(&want.birthtim, 0, sizeof(want.birthtim));
	CHECK(test, STATX, false, unborn, want);
}

static void times(struct kunit *test)
{
	static const s32 timer[4] = { 0x01020304, -0x11121314, 0x21222324, -0x31323334 };
	static const s64 timer_want[4] = { 0x01020304, -0x11121314, 0x21222324, -0x31323334 };
	static const s32 spec[2] = { -0x01020304, 0x11121314 }, before[2] = { 5, -1 };
	static const s64 spec_want[2] = { -0x01020304, 0x11121314 }, before_want[2] = { 5, -1 };
	static const s64 spec64[2] = { -0x0102030405060708, 0x12345678fedcba98 };
	static const s64 spec64_want[2] = { -0x0102030405060708, 0xfedcba98 };

	CHECK(test, ITIMERVAL, true, timer, timer_want);
	CHECK(test, TIMESPEC, true, spec, spec_want);
	CHECK(test, TIMESPEC, true, before, before_want);
	CHECK(test, TIMESPEC64, true, spec64, spec64_want);
	CHECK(test, TIMESPEC64, false, spec64, spec64);
	SAME_BYTES(test, ITIMERVAL, false, 32);
	SAME_BYTES(test, TIMESPEC, false, 16);
}

static void limits(struct kunit *test)
{
	static const u32 limit[2] = { 0x81828384, 0x71727374 },
			 none[2] = { 0xfffffffe, 0xffffffff };
	static const u64 limit_want[2] = { 0x81828384, 0x71727374 };
	static const u64 none_want[2] = { 0xfffffffe, 0xffffffffffffffff };

	CHECK(test, RLIMIT, true, limit, limit_want);
	CHECK(test, RLIMIT, true, none, none_want);
	SAME_BYTES(test, RLIMIT, false, 16);
	SAME_BYTES(test, RLIMIT64, false, 16);
	SAME_BYTES(test, RLIMIT64, true, 16);
}

static void signals(struct kunit *test)
{
	static const u32 action[5] = { 0x81020304, 0x91121314, 0xa1222324, 0xb1323334, 0xc1424344 };
	static const u64 action_want[4] = { 0x81020304, 0x91121314, 0xa1222324,
					    0xc1424344b1323334 };
	static const u32 old[4] = { 0x81020304, 0x91121314, 0xa1222324, 0xb1323334 };
	static const u64 old_want[4] = { 0x81020304, 0xa1222324, 0xb1323334, 0x91121314 };
	static const u32 set = 0x81828384;
	static const u64 set_want = 0x81828384;

	CHECK(test, SIGACTION, true, action, action_want);
	CHECK(test, OLD_SIGACTION, true, old, old_want);
	CHECK(test, OLD_SIGSET, true, set, set_want);
	SAME_BYTES(test, SIGACTION, false, 32);
	SAME_BYTES(test, SIGSET, false, 8);
	SAME_BYTES(test, SIGSET, true, 8);
}

struct test_timex {
	u32 modes, pad0;
	s64 offset, freq, maxerror, esterror;
	s32 status, pad1;
	s64 constant, precision, tolerance, sec, usec, tick, ppsfreq, jitter;
	s32 shift, pad2;
	s64 stabil, jitcnt, calcnt, errcnt, stbcnt;
	s32 tai, unused[11];
};

static void timex(struct kunit *test)
{
	static const struct test_timex want = {
		.modes = 0x81000001,
		.offset = -102,
		.freq = 0x103,
		.maxerror = 104,
		.esterror = 105,
		.status = 106,
		.constant = -107,
		.precision = 108,
		.tolerance = 109,
		.sec = -110,
		.usec = 111,
		.tick = 112,
		.ppsfreq = -113,
		.jitter = 114,
		.shift = -115,
		.stabil = 116,
		.jitcnt = 117,
		.calcnt = 118,
		.errcnt = 119,
		.stbcnt = 120,
		.tai = -121,
	};
	static const s32 from[32] = { 0x81000001, -102, 0x103, 104, 105,  106, -107, 108,
				      109,	  -110, 111,   112, -113, 114, -115, 116,
				      117,	  118,	119,   120, -121, -1,  -1,   -1,
				      -1,	  -1,	-1,    -1,  -1,	  -1,  -1,   -1 };
	struct test_timex from64 = want;

	/* What has no name may be anything. */
	from64.pad0 = from64.pad1 = from64.pad2 = 0x77777777;
	memset(from64.unused, 0x77, sizeof(from64.unused));
	KUNIT_ASSERT_EQ(test, sizeof(want), 208UL);
	CHECK(test, TIMEX, true, from, want);
	CHECK(test, TIMEX, false, from64, want);
	CHECK(test, TIMEX64, false, from64, want);
	CHECK(test, TIMEX64, true, from64, want);
}

static void names(struct kunit *test)
{
	static const char old[5][65] = { "system", "node", "release", "version", "machine" };
	static const char shorter[5][9] = { "system", "node", "release", "versions", "machine" };
	static const char want[6][65] = { "system", "node", "release", "version", "machine" };
	static const char shorter_want[6][65] = { "system", "node", "release", "versions",
						  "machine" };

	CHECK(test, OLD_UTSNAME, true, old, want);
	CHECK(test, OLDOLD_UTSNAME, true, shorter, shorter_want);
	SAME_BYTES(test, UTSNAME, false, 390);
	SAME_BYTES(test, UTSNAME, true, 390);
}

static void elements(struct kunit *test)
{
	static const u32 iov[2] = { 0x81828384, 0x91929394 };
	static const u64 iov_want[2] = { 0x81828384, 0x91929394 };
	/* x86 packs it, also for those of 64 bits. */
	static const struct {
		u32 events;
		u64 data;
	} event = { 0x81828384, 0x9192939495969798 };
	static const struct {
		u32 events;
		u64 data;
	} __packed event_want = { 0x81828384, 0x9192939495969798 };
	bool compat;

	CHECK(test, IOVEC, true, iov, iov_want);
	SAME_BYTES(test, IOVEC, false, 16);
	CHECK_ONE(test, EPOLL_EVENT, X86_64, event_want, event_want);
	CHECK_ONE(test, EPOLL_EVENT, I386, event_want, event_want);
	CHECK_ONE(test, EPOLL_EVENT, ARM64, event, event_want);
	CHECK_ONE(test, EPOLL_EVENT, ARM, event, event_want);
	for (compat = false;; compat = true) {
		SAME_BYTES(test, POLLFD, compat, 8);
		SAME_BYTES(test, SCHED_PARAM, compat, 4);
		SAME_BYTES(test, SCHED_ATTR, compat, 56);
		SAME_BYTES(test, CAP_DATA, compat, 12);
		SAME_BYTES(test, CLONE_ARGS, compat, 88);
		SAME_BYTES(test, OPEN_HOW, compat, 24);
		if (compat)
			break;
	}
}

/*
 * Of a structure that may be shorter, what is missing is zero; of a longer one there is no
 * more than that.
 */
static void shorter(struct kunit *test)
{
	const struct ktrace_layout *layout = &ktrace_layouts[KTRACE_LAYOUT_CLONE_ARGS];
	u8 from[KTRACE_LAYOUT_MOST], to[KTRACE_LAYOUT_MOST];
	u32 n, i, wrong = 0;

	for (i = 0; i < sizeof(from); i++)
		from[i] = i + 1;
	for (n = 0; n < 100; n++) {
		memset(to, FILL, sizeof(to));
		ktrace_layout_convert(layout, n % KTRACE_CALLERS, to, from, n);
		for (i = 0; i < sizeof(to); i++)
			wrong += to[i] != (i >= 88 ? FILL : i < n ? from[i] : 0);
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
	KUNIT_EXPECT_EQ(test, layout->least, 64);
	KUNIT_EXPECT_EQ(test, ktrace_layouts[KTRACE_LAYOUT_OPEN_HOW].least, 24);
	KUNIT_EXPECT_EQ(test, ktrace_layouts[KTRACE_LAYOUT_SCHED_ATTR].least, 48);
}

/* Every structure has a name, a size that fits, and a form for somebody; fields are inside. */
static void tables(struct kunit *test)
{
	u32 id, c, i;

	for (id = 1; id < KTRACE_LAYOUTS; id++) {
		const struct ktrace_layout *layout = &ktrace_layouts[id];

		KUNIT_ASSERT_NOT_NULL(test, layout->name);
		KUNIT_EXPECT_GT(test, layout->size, 0);
		KUNIT_EXPECT_LE(test, layout->size, KTRACE_LAYOUT_MOST);
		KUNIT_EXPECT_GT(test, layout->form[1].size, 0);
		for (c = 0; c < KTRACE_CALLERS; c++) {
			const struct ktrace_form *form = &layout->form[c];

			KUNIT_EXPECT_LE(test, form->size, KTRACE_LAYOUT_MOST);
			for (i = 0; i < form->n; i++) {
				const struct ktrace_field *f = &form->fields[i];

				KUNIT_EXPECT_LE(test, f->from + f->from_size, form->size);
				KUNIT_EXPECT_LE(test, f->to + f->to_size, layout->size);
			}
		}
	}
}

static void families(struct kunit *test)
{
	static const struct {
		u16 family;
		u8 want;
	} known[] = {
		{ 0, 0 },     { 1, 1 },	       { 2, 2 },	{ 3, 131 },   { 4, 23 },
		{ 5, 16 },    { 10, 28 },      { 16, 38 },	{ 17, 145 },  { 31, 36 },
		{ 40, 168 },  { 126, 254 },    { 127, 255 },	{ 128, 255 }, { 255, 255 },
		{ 256, 255 }, { 0x1001, 255 }, { 0xffff, 255 },
	};
	static const u8 from[] = { 0x0a, 0x00, 0x12, 0x34, 0x56, 0x78, 0x9a };
	u8 to[32];
	u32 i, len;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_layout_family(known[i].family), known[i].want,
				    "family %d", known[i].family);
	for (len = 2; len <= sizeof(from); len++) {
		memset(to, FILL, sizeof(to));
		ktrace_layout_sockaddr(to + 1, from, len);
		KUNIT_EXPECT_EQ(test, to[0], FILL);
		KUNIT_EXPECT_EQ(test, to[1], len);
		KUNIT_EXPECT_EQ(test, to[2], 28);
		for (i = 2; i < 31; i++)
			KUNIT_EXPECT_EQ(test, to[i + 1], i < len ? from[i] : FILL);
	}
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(stat_native),
	KUNIT_CASE(stat_arm64_native),
	KUNIT_CASE(stat_compat),
	KUNIT_CASE(stat64_compat),
	KUNIT_CASE(stat_i386_old),
	KUNIT_CASE(stat_statx),
	KUNIT_CASE(times),
	KUNIT_CASE(limits),
	KUNIT_CASE(signals),
	KUNIT_CASE(timex),
	KUNIT_CASE(names),
	KUNIT_CASE(elements),
	KUNIT_CASE(shorter),
	KUNIT_CASE(tables),
	KUNIT_CASE(families),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_layout",
	.test_cases = cases,
};

kunit_test_suite(suite);
