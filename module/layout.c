// SPDX-License-Identifier: GPL-2.0
/*
 * Sources of the facts: the kernel's uapi headers for what 64-bit callers have
 * and for what is the same for all; asm/compat.h and asm/stat.h of x86 and arm64,
 * include/asm-generic/compat.h, linux/compat.h, linux/time32.h for 32-bit ones.
 * Their offsets are written out here, since no kernel has all of the headers.
 */
#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "compat_pure.h"
#include "ktrace_format.h"
#include "layout.h"

/**
 * enum how - what becomes of a field
 * @UNSIGNED: widened with zeros, or cut
 * @SIGNED: widened with its sign
 * @LIMIT: unsigned, but all ones stay all ones
 * @DEVICE: two 32-bit words, major and minor, as makedev(3) puts them together
 * @BIRTH: signed, but 0 unless statx's mask says that it is known
 * @BYTES: a string: the rest of a longer one is zero
 */
enum how { UNSIGNED, SIGNED, LIMIT, DEVICE, BIRTH, BYTES };

/**
 * struct ktrace_field - a field that moves
 * @how: it does
 * @from_size: bytes that the caller has
 * @to_size: bytes in the record
 * @from: offset in the caller's structure
 * @to: offset in the record
 */
struct ktrace_field {
	u8 how;
	u8 from_size, to_size;
	u16 from, to;
};

#define FIELD(how_, from_, from_size_, to_, to_size_)                           \
	{                                                                       \
		.how = how_, .from = from_, .from_size = from_size_, .to = to_, \
		.to_size = to_size_,                                            \
	}
#define STAT(how_, from_, from_size_, member)                                \
	FIELD(how_, from_, from_size_, offsetof(struct ktrace_stat, member), \
	      sizeof_field(struct ktrace_stat, member))
#define MASK_AT 0
#define BTIME	0x800

/* struct stat of 64-bit x86 (asm/stat.h). */
static const struct ktrace_field stat_x86_64[] = {
	STAT(UNSIGNED, 0, 8, dev),	STAT(UNSIGNED, 8, 8, ino),
	STAT(UNSIGNED, 16, 8, nlink),	STAT(UNSIGNED, 24, 4, mode),
	STAT(UNSIGNED, 28, 4, uid),	STAT(UNSIGNED, 32, 4, gid),
	STAT(UNSIGNED, 40, 8, rdev),	STAT(SIGNED, 48, 8, size),
	STAT(UNSIGNED, 56, 8, blksize), STAT(SIGNED, 64, 8, blocks),
	STAT(SIGNED, 72, 8, atim.sec),	STAT(UNSIGNED, 80, 8, atim.nsec),
	STAT(SIGNED, 88, 8, mtim.sec),	STAT(UNSIGNED, 96, 8, mtim.nsec),
	STAT(SIGNED, 104, 8, ctim.sec), STAT(UNSIGNED, 112, 8, ctim.nsec),
};

/* struct stat of 64-bit arm (asm-generic/stat.h). */
static const struct ktrace_field stat_arm64[] = {
	STAT(UNSIGNED, 0, 8, dev),	STAT(UNSIGNED, 8, 8, ino),
	STAT(UNSIGNED, 16, 4, mode),	STAT(UNSIGNED, 20, 4, nlink),
	STAT(UNSIGNED, 24, 4, uid),	STAT(UNSIGNED, 28, 4, gid),
	STAT(UNSIGNED, 32, 8, rdev),	STAT(SIGNED, 48, 8, size),
	STAT(UNSIGNED, 56, 4, blksize), STAT(SIGNED, 64, 8, blocks),
	STAT(SIGNED, 72, 8, atim.sec),	STAT(UNSIGNED, 80, 8, atim.nsec),
	STAT(SIGNED, 88, 8, mtim.sec),	STAT(UNSIGNED, 96, 8, mtim.nsec),
	STAT(SIGNED, 104, 8, ctim.sec), STAT(UNSIGNED, 112, 8, ctim.nsec),
};

/* struct stat of 32 bits; up to 5.17 dev has 16 bits, and zeros after them. */
static const struct ktrace_field stat_32[] = {
	STAT(UNSIGNED, 0, 4, dev),	STAT(UNSIGNED, 4, 4, ino),
	STAT(UNSIGNED, 8, 2, mode),	STAT(UNSIGNED, 10, 2, nlink),
	STAT(UNSIGNED, 12, 2, uid),	STAT(UNSIGNED, 14, 2, gid),
	STAT(UNSIGNED, 16, 4, rdev),	STAT(UNSIGNED, 20, 4, size),
	STAT(UNSIGNED, 24, 4, blksize), STAT(UNSIGNED, 28, 4, blocks),
	STAT(SIGNED, 32, 4, atim.sec),	STAT(UNSIGNED, 36, 4, atim.nsec),
	STAT(SIGNED, 40, 4, mtim.sec),	STAT(UNSIGNED, 44, 4, mtim.nsec),
	STAT(SIGNED, 48, 4, ctim.sec),	STAT(UNSIGNED, 52, 4, ctim.nsec),
};

/* struct stat64 of i386: 64-bit words are aligned to 4; the inode number is at the end. */
static const struct ktrace_field stat64_i386[] = {
	STAT(UNSIGNED, 0, 8, dev),	STAT(UNSIGNED, 88, 8, ino),
	STAT(UNSIGNED, 16, 4, mode),	STAT(UNSIGNED, 20, 4, nlink),
	STAT(UNSIGNED, 24, 4, uid),	STAT(UNSIGNED, 28, 4, gid),
	STAT(UNSIGNED, 32, 8, rdev),	STAT(SIGNED, 44, 8, size),
	STAT(UNSIGNED, 52, 4, blksize), STAT(SIGNED, 56, 8, blocks),
	STAT(SIGNED, 64, 4, atim.sec),	STAT(UNSIGNED, 68, 4, atim.nsec),
	STAT(SIGNED, 72, 4, mtim.sec),	STAT(UNSIGNED, 76, 4, mtim.nsec),
	STAT(SIGNED, 80, 4, ctim.sec),	STAT(UNSIGNED, 84, 4, ctim.nsec),
};

/* struct stat64 of arm: aligned to 8. */
static const struct ktrace_field stat64_arm[] = {
	STAT(UNSIGNED, 0, 8, dev),	STAT(UNSIGNED, 96, 8, ino),
	STAT(UNSIGNED, 16, 4, mode),	STAT(UNSIGNED, 20, 4, nlink),
	STAT(UNSIGNED, 24, 4, uid),	STAT(UNSIGNED, 28, 4, gid),
	STAT(UNSIGNED, 32, 8, rdev),	STAT(SIGNED, 48, 8, size),
	STAT(UNSIGNED, 56, 4, blksize), STAT(SIGNED, 64, 8, blocks),
	STAT(SIGNED, 72, 4, atim.sec),	STAT(UNSIGNED, 76, 4, atim.nsec),
	STAT(SIGNED, 80, 4, mtim.sec),	STAT(UNSIGNED, 84, 4, mtim.nsec),
	STAT(SIGNED, 88, 4, ctim.sec),	STAT(UNSIGNED, 92, 4, ctim.nsec),
};

static const struct ktrace_field old_stat_i386[] = {
	STAT(UNSIGNED, 0, 2, dev),     STAT(UNSIGNED, 2, 2, ino),     STAT(UNSIGNED, 4, 2, mode),
	STAT(UNSIGNED, 6, 2, nlink),   STAT(UNSIGNED, 8, 2, uid),     STAT(UNSIGNED, 10, 2, gid),
	STAT(UNSIGNED, 12, 2, rdev),   STAT(UNSIGNED, 16, 4, size),   STAT(SIGNED, 20, 4, atim.sec),
	STAT(SIGNED, 24, 4, mtim.sec), STAT(SIGNED, 28, 4, ctim.sec),
};

static const struct ktrace_field statx[] = {
	STAT(UNSIGNED, 4, 4, blksize),	  STAT(UNSIGNED, 16, 4, nlink),
	STAT(UNSIGNED, 20, 4, uid),	  STAT(UNSIGNED, 24, 4, gid),
	STAT(UNSIGNED, 28, 2, mode),	  STAT(UNSIGNED, 32, 8, ino),
	STAT(SIGNED, 40, 8, size),	  STAT(SIGNED, 48, 8, blocks),
	STAT(SIGNED, 64, 8, atim.sec),	  STAT(UNSIGNED, 72, 4, atim.nsec),
	STAT(BIRTH, 80, 8, birthtim.sec), STAT(BIRTH, 88, 4, birthtim.nsec),
	STAT(SIGNED, 96, 8, ctim.sec),	  STAT(UNSIGNED, 104, 4, ctim.nsec),
	STAT(SIGNED, 112, 8, mtim.sec),	  STAT(UNSIGNED, 120, 4, mtim.nsec),
	STAT(DEVICE, 128, 8, rdev),	  STAT(DEVICE, 136, 8, dev),
};

static const struct ktrace_field itimerval_32[] = {
	FIELD(SIGNED, 0, 4, 0, 8),
	FIELD(SIGNED, 4, 4, 8, 8),
	FIELD(SIGNED, 8, 4, 16, 8),
	FIELD(SIGNED, 12, 4, 24, 8),
};

static const struct ktrace_field timespec_32[] = {
	FIELD(SIGNED, 0, 4, 0, 8),
	FIELD(SIGNED, 4, 4, 8, 8),
};

/* Of the nanoseconds of 32-bit callers the kernel takes the low half (get_timespec64()). */
static const struct ktrace_field timespec64_32[] = {
	FIELD(SIGNED, 0, 8, 0, 8),
	FIELD(UNSIGNED, 8, 4, 8, 8),
};

static const struct ktrace_field rlimit_32[] = {
	FIELD(LIMIT, 0, 4, 0, 8),
	FIELD(LIMIT, 4, 4, 8, 8),
};

static const struct ktrace_field sigaction_32[] = {
	FIELD(UNSIGNED, 0, 4, 0, 8), /* handler */
	FIELD(UNSIGNED, 4, 4, 8, 8), /* flags */
	FIELD(UNSIGNED, 8, 4, 16, 8), /* restorer */
	FIELD(UNSIGNED, 12, 8, 24, 8), /* mask */
};

static const struct ktrace_field old_sigaction_32[] = {
	FIELD(UNSIGNED, 0, 4, 0, 8), /* handler */
	FIELD(UNSIGNED, 8, 4, 8, 8), /* flags */
	FIELD(UNSIGNED, 12, 4, 16, 8), /* restorer */
	FIELD(UNSIGNED, 4, 4, 24, 8), /* mask */
};

static const struct ktrace_field old_sigset_32[] = {
	FIELD(UNSIGNED, 0, 4, 0, 8),
};

/* struct __kernel_timex: without the words that have no name. */
static const struct ktrace_field timex64[] = {
	FIELD(UNSIGNED, 0, 4, 0, 4), /* modes */
	FIELD(SIGNED, 8, 8, 8, 8), /* offset */
	FIELD(SIGNED, 16, 8, 16, 8), /* freq */
	FIELD(SIGNED, 24, 8, 24, 8), /* maxerror */
	FIELD(SIGNED, 32, 8, 32, 8), /* esterror */
	FIELD(SIGNED, 40, 4, 40, 4), /* status */
	FIELD(SIGNED, 48, 8, 48, 8), /* constant */
	FIELD(SIGNED, 56, 8, 56, 8), /* precision */
	FIELD(SIGNED, 64, 8, 64, 8), /* tolerance */
	FIELD(SIGNED, 72, 8, 72, 8), /* time.tv_sec */
	FIELD(SIGNED, 80, 8, 80, 8), /* time.tv_usec */
	FIELD(SIGNED, 88, 8, 88, 8), /* tick */
	FIELD(SIGNED, 96, 8, 96, 8), /* ppsfreq */
	FIELD(SIGNED, 104, 8, 104, 8), /* jitter */
	FIELD(SIGNED, 112, 4, 112, 4), /* shift */
	FIELD(SIGNED, 120, 8, 120, 8), /* stabil */
	FIELD(SIGNED, 128, 8, 128, 8), /* jitcnt */
	FIELD(SIGNED, 136, 8, 136, 8), /* calcnt */
	FIELD(SIGNED, 144, 8, 144, 8), /* errcnt */
	FIELD(SIGNED, 152, 8, 152, 8), /* stbcnt */
	FIELD(SIGNED, 160, 4, 160, 4), /* tai */
};

static const struct ktrace_field timex_32[] = {
	FIELD(UNSIGNED, 0, 4, 0, 4), /* modes */
	FIELD(SIGNED, 4, 4, 8, 8), /* offset */
	FIELD(SIGNED, 8, 4, 16, 8), /* freq */
	FIELD(SIGNED, 12, 4, 24, 8), /* maxerror */
	FIELD(SIGNED, 16, 4, 32, 8), /* esterror */
	FIELD(SIGNED, 20, 4, 40, 4), /* status */
	FIELD(SIGNED, 24, 4, 48, 8), /* constant */
	FIELD(SIGNED, 28, 4, 56, 8), /* precision */
	FIELD(SIGNED, 32, 4, 64, 8), /* tolerance */
	FIELD(SIGNED, 36, 4, 72, 8), /* time.tv_sec */
	FIELD(SIGNED, 40, 4, 80, 8), /* time.tv_usec */
	FIELD(SIGNED, 44, 4, 88, 8), /* tick */
	FIELD(SIGNED, 48, 4, 96, 8), /* ppsfreq */
	FIELD(SIGNED, 52, 4, 104, 8), /* jitter */
	FIELD(SIGNED, 56, 4, 112, 4), /* shift */
	FIELD(SIGNED, 60, 4, 120, 8), /* stabil */
	FIELD(SIGNED, 64, 4, 128, 8), /* jitcnt */
	FIELD(SIGNED, 68, 4, 136, 8), /* calcnt */
	FIELD(SIGNED, 72, 4, 144, 8), /* errcnt */
	FIELD(SIGNED, 76, 4, 152, 8), /* stbcnt */
	FIELD(SIGNED, 80, 4, 160, 4), /* tai */
};

/* There is no domain name. */
static const struct ktrace_field old_utsname[] = {
	FIELD(BYTES, 0, 65, 0, 65),	FIELD(BYTES, 65, 65, 65, 65),
	FIELD(BYTES, 130, 65, 130, 65), FIELD(BYTES, 195, 65, 195, 65),
	FIELD(BYTES, 260, 65, 260, 65),
};

static const struct ktrace_field oldold_utsname[] = {
	FIELD(BYTES, 0, 9, 0, 65),    FIELD(BYTES, 9, 9, 65, 65),   FIELD(BYTES, 18, 9, 130, 65),
	FIELD(BYTES, 27, 9, 195, 65), FIELD(BYTES, 36, 9, 260, 65),
};

static const struct ktrace_field iovec_32[] = {
	FIELD(UNSIGNED, 0, 4, 0, 8),
	FIELD(UNSIGNED, 4, 4, 8, 8),
};

/* x86 packs it for all its callers, others align its second word. */
static const struct ktrace_field epoll_event_arm[] = {
	FIELD(UNSIGNED, 0, 4, 0, 4),
	FIELD(UNSIGNED, 8, 8, 4, 8),
};

#define SAME(bytes)            \
	{                      \
		.size = bytes, \
	}
#define FORM(bytes, table)                                                                        \
	{                                                                                         \
		.size = bytes, .n = sizeof(table) / sizeof(struct ktrace_field), .fields = table, \
	}
#define STRUCTURE(id, name_, size_, ...) \
	[KTRACE_LAYOUT_##id] = {         \
		.name = name_,           \
		.size = size_,           \
		.form = { __VA_ARGS__ }, \
	}
/* What each ABI has: the same with all; of 64 and of 32 bits; with each its own. */
#define ALL(form)		       form, form, form, form
#define WORDS(form64, form32)	       form64, form32, form64, form32
#define EACH(x86_64, i386, arm64, arm) x86_64, i386, arm64, arm
/* A structure that may be longer one day: @least_ bytes are enough. */
#define EXTENSIBLE(id, name_, size_, least_)  \
	[KTRACE_LAYOUT_##id] = {              \
		.name = name_,                \
		.size = size_,                \
		.least = least_,              \
		.form = { ALL(SAME(size_)) }, \
	}

const struct ktrace_layout ktrace_layouts[KTRACE_LAYOUTS] = {
	STRUCTURE(STAT, "stat", 224,
		  EACH(FORM(120, stat_x86_64), FORM(56, stat_32), FORM(120, stat_arm64),
		       FORM(56, stat_32))),
	STRUCTURE(STAT64, "stat", 224,
		  EACH(SAME(0), FORM(96, stat64_i386), SAME(0), FORM(104, stat64_arm))),
	STRUCTURE(OLD_STAT, "stat", 224, EACH(SAME(0), FORM(32, old_stat_i386), SAME(0), SAME(0))),
	STRUCTURE(STATX, "stat", 224, ALL(FORM(144, statx))),
	STRUCTURE(ITIMERVAL, "itimerval", 32, WORDS(SAME(32), FORM(16, itimerval_32))),
	STRUCTURE(TIMESPEC, "timespec", 16, WORDS(SAME(16), FORM(8, timespec_32))),
	STRUCTURE(TIMESPEC64, "timespec", 16, WORDS(SAME(16), FORM(16, timespec64_32))),
	STRUCTURE(RLIMIT, "l_rlimit", 16, WORDS(SAME(16), FORM(8, rlimit_32))),
	STRUCTURE(RLIMIT64, "l_rlimit", 16, ALL(SAME(16))),
	STRUCTURE(SIGACTION, "l_sigaction", 32, WORDS(SAME(32), FORM(20, sigaction_32))),
	STRUCTURE(OLD_SIGACTION, "l_sigaction", 32, WORDS(SAME(0), FORM(16, old_sigaction_32))),
	STRUCTURE(SIGSET, "l_sigset_t", 8, ALL(SAME(8))),
	STRUCTURE(OLD_SIGSET, "l_sigset_t", 8, WORDS(SAME(0), FORM(4, old_sigset_32))),
	STRUCTURE(TIMEX, "l_timex", 208, WORDS(FORM(208, timex64), FORM(128, timex_32))),
	STRUCTURE(TIMEX64, "l_timex", 208, ALL(FORM(208, timex64))),
	STRUCTURE(UTSNAME, "l_utsname", 390, ALL(SAME(390))),
	STRUCTURE(OLD_UTSNAME, "l_utsname", 390, WORDS(SAME(0), FORM(325, old_utsname))),
	STRUCTURE(OLDOLD_UTSNAME, "l_utsname", 390, WORDS(SAME(0), FORM(45, oldold_utsname))),
	STRUCTURE(SCHED_PARAM, "l_sched_param", 4, ALL(SAME(4))),
	EXTENSIBLE(SCHED_ATTR, "l_sched_attr", 56, 48),
	STRUCTURE(CAP_DATA, "l_cap_data", 12, ALL(SAME(12))),
	EXTENSIBLE(CLONE_ARGS, "l_clone_args", 88, 64),
	EXTENSIBLE(OPEN_HOW, "l_open_how", 24, 24),
	STRUCTURE(POLLFD, "pollfd", 8, ALL(SAME(8))),
	STRUCTURE(EPOLL_EVENT, "l_epoll_event", 12,
		  EACH(SAME(12), SAME(12), FORM(16, epoll_event_arm), FORM(16, epoll_event_arm))),
	STRUCTURE(IOVEC, "l_iovec", 16, WORDS(SAME(16), FORM(8, iovec_32))),
};

static u64 get(const u8 *p, u32 size)
{
	switch (size) {
	case 2:
		return get_unaligned_le16(p);
	case 4:
		return get_unaligned_le32(p);
	default:
		return get_unaligned_le64(p);
	}
}

static u64 get_signed(const u8 *p, u32 size)
{
	return size == 4 ? (s64)(s32)get_unaligned_le32(p) : get(p, size);
}

static void put(u8 *p, u32 size, u64 value)
{
	switch (size) {
	case 2:
		put_unaligned_le16(value, p);
		break;
	case 4:
		put_unaligned_le32(value, p);
		break;
	default:
		put_unaligned_le64(value, p);
	}
}

/* As makedev(3): 12 bits of major and 8 of minor where they always were, the rest around them. */
static u64 device(u32 major, u32 minor)
{
	return (minor & 0xff) | (major & 0xfffULL) << 8 | (minor & 0xffffff00ULL) << 12 |
	       (major & 0xfffff000ULL) << 32;
}

static void convert_field(const struct ktrace_field *f, u8 *to, const u8 *from)
{
	u64 value = 0;

	switch ((enum how)f->how) {
	case UNSIGNED:
		value = get(from + f->from, f->from_size);
		break;
	case SIGNED:
		value = get_signed(from + f->from, f->from_size);
		break;
	case LIMIT:
		value = get(from + f->from, f->from_size);
		if (value == U32_MAX)
			value = U64_MAX;
		break;
	case DEVICE:
		value = device(get(from + f->from, 4), get(from + f->from + 4, 4));
		break;
	case BIRTH:
		if (get(from + MASK_AT, 4) & BTIME)
			value = get(from + f->from, f->from_size);
		break;
	case BYTES:
		memcpy(to + f->to, from + f->from, f->from_size);
		return;
	}
	put(to + f->to, f->to_size, value);
}

/**
 * ktrace_layout_convert - a caller's structure, as the record has it
 * @layout: what it is
 * @caller: whose
 * @to: @layout->size bytes, all of which are written
 * @from: the caller's
 * @n: bytes of it: where the layouts differ, all of them; else what is missing
 *	is zero
 */
void ktrace_layout_convert(const struct ktrace_layout *layout, enum ktrace_caller caller, u8 *to,
			   const u8 *from, u32 n)
{
	const struct ktrace_form *form = &layout->form[caller];
	u32 i;

	if (!form->fields) {
		n = min_t(u32, n, layout->size);
		memcpy(to, from, n);
		memset(to + n, 0, layout->size - n);
		return;
	}
	memset(to, 0, layout->size);
	for (i = 0; i < form->n; i++)
		convert_field(&form->fields[i], to, from);
}

/**
 * ktrace_layout_family - an address family, as the file has it
 * @family: Linux's
 *
 * Return: FreeBSD's number, or KTRACE_AF_LINUX + Linux's; 255 for what no
 * family has as its number.
 */
u8 ktrace_layout_family(u16 family)
{
	switch (family) {
	case 0: /* AF_UNSPEC */
	case 1: /* AF_UNIX */
	case 2: /* AF_INET */
		return family;
	case 4: /* AF_IPX */
		return 23;
	case 5: /* AF_APPLETALK */
		return 16;
	case 10: /* AF_INET6 */
		return KTRACE_AF_INET6;
	case 16: /* AF_NETLINK */
		return KTRACE_AF_NETLINK;
	case 31: /* AF_BLUETOOTH */
		return 36;
	}
	return family < 255 - KTRACE_AF_LINUX ? KTRACE_AF_LINUX + family : 255;
}

/**
 * ktrace_layout_sockaddr - a socket address, as the record has it
 * @to: @len bytes
 * @from: the caller's
 * @len: 2 to KTRACE_SOCKADDR_MOST
 */
void ktrace_layout_sockaddr(u8 *to, const u8 *from, u32 len)
{
	to[0] = len;
	to[1] = ktrace_layout_family(get_unaligned_le16(from));
	memcpy(to + 2, from + 2, len - 2);
}
