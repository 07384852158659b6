/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record: a record's bytes in the ring, from plain numbers.
 *
 * In the ring a record differs from the file (ktrace_format.h) in its header.
 * What the merge can write as well is left to it (ktrace_record_finish()): it
 * does not hold up the traced process.
 *  - sec holds the stamp (nanoseconds of the monotonic clock) until the merge
 *    turns it into wall-clock time; usec or nsec, and cpu, are not written yet;
 *  - comm is as the task had it, with anything behind its NUL; the last four
 *    bytes are not written yet;
 *  - KTR_VERSIONED is not set yet, and the 16 bits at offset 6 ("aux": v0's padding,
 *    v1's version) hold the size of a hole behind the record (0 to 63);
 *  - a larger hole, or one in place of a whole record, has a v0 header of its
 *    own, of which only len and type (KTRACE_TYPE_HOLE) count.
 *
 * Records lie at any address: nothing here assumes alignment.
 */
#ifndef KTRACE_RECORD_H
#define KTRACE_RECORD_H

#include <linux/string.h>
#include <linux/types.h>

#include "compat_pure.h"
#include "ktrace_format.h"
#include "sys/ktrace.h"

#define KTRACE_TYPE_HOLE  0x3fff
#define KTRACE_HEADER_MAX 64
#define KTRACE_TASK_COMM  16 /* TASK_COMM_LEN: asserted by its user */

/**
 * struct ktrace_refusal - what KTR_CAPFAIL tells
 * @type: KTRACE_CAPFAIL_*
 * @nr: raw number of the call that it happened in; -1: in none
 * @sv_flags: KTRACE_SV_*, of that call
 * @needed: capabilities, as bits; of KTRACE_CAPFAIL_NOTCAPABLE only
 * @held: likewise
 */
struct ktrace_refusal {
	s32 type;
	long nr;
	u32 sv_flags;
	u64 needed;
	u64 held;
};

/** ktrace_record_header_size - bytes of a header */
static __always_inline u32 ktrace_record_header_size(bool v1)
{
	return v1 ? sizeof(struct ktrace_header_v1) : sizeof(struct ktrace_header_v0);
}

/* The bytes of @w before its first zero byte; the rest zero. */
static __always_inline u64 ktrace_comm_mask(u64 w)
{
	const u64 ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
	u64 zero = (w - ones) & ~w & tops; /* lowest set bit: first zero byte */

	/* Below that byte's lowest bit: zero ^ (zero - 1) reaches up to its top bit. */
	return zero ? w & ((zero ^ (zero - 1)) >> 8) : w;
}

/**
 * ktrace_record_comm - a name as a record has it: zero from its NUL on
 * @comm: as two words, of which the last byte does not count
 */
static inline void ktrace_record_comm(u64 comm[2])
{
	u64 first = ktrace_comm_mask(comm[0]);

	/* A NUL in the first word ends the name; the last byte is one always. */
	if (first != comm[0] || !(first >> 56))
		comm[1] = 0;
	comm[0] = first;
	comm[1] = ktrace_comm_mask(comm[1] & 0x00ffffffffffffffULL);
}

/**
 * ktrace_record_header - write a header, as it is in the ring
 * @p: where
 * @type: KTR_*, with KTR_DROP if records were lost
 * @len: payload bytes
 * @pid: process, @tid: thread
 * @comm: the thread's name, KTRACE_TASK_COMM bytes that may change meanwhile
 * @stamp: nanoseconds
 */
static __always_inline void ktrace_record_header(u8 *p, u16 type, u32 len, s32 pid, s64 tid,
						 const char *comm, u64 stamp)
{
	put_unaligned_le32(len, p + 0);
	put_unaligned_le32(type, p + 4); /* and aux */
	put_unaligned_le32(pid, p + 8);
	put_unaligned_le64(get_unaligned_le64(comm), p + 12);
	put_unaligned_le64(get_unaligned_le64(comm + 8), p + 20);
	put_unaligned_le64(stamp, p + 32);
	put_unaligned_le64(tid, p + 48);
}

static __always_inline void ktrace_record_set_len(u8 *p, u32 len)
{
	put_unaligned_le32(len, p + 0);
}

static __always_inline u32 ktrace_record_len(const u8 *p)
{
	return get_unaligned_le32(p + 0);
}

static __always_inline s32 ktrace_record_pid(const u8 *p)
{
	return get_unaligned_le32(p + 8);
}

/* Type without the flags. */
static __always_inline u16 ktrace_record_type(const u8 *p)
{
	return get_unaligned_le16(p + 4) & ~KTR_TYPE;
}

static __always_inline u16 ktrace_record_aux(const u8 *p)
{
	return get_unaligned_le16(p + 6);
}

static __always_inline void ktrace_record_set_aux(u8 *p, u16 aux)
{
	put_unaligned_le16(aux, p + 6);
}

static inline void ktrace_record_set_drop(u8 *p)
{
	put_unaligned_le16(get_unaligned_le16(p + 4) | KTR_DROP, p + 4);
}

static inline bool ktrace_record_dropped(const u8 *p)
{
	return get_unaligned_le16(p + 4) & KTR_DROP;
}

static inline void ktrace_record_set_ids(u8 *p, s32 pid, s64 tid)
{
	put_unaligned_le32(pid, p + 8);
	put_unaligned_le64(tid, p + 48);
}

static __always_inline u64 ktrace_record_stamp(const u8 *p)
{
	return get_unaligned_le64(p + 32);
}

/**
 * ktrace_record_make_hole - bytes to skip
 * @p: where
 * @size: at least that of a v0 header, which it has whatever the session's
 *	headers are
 */
static inline void ktrace_record_make_hole(u8 *p, u32 size)
{
	put_unaligned_le32(size - sizeof(struct ktrace_header_v0), p + 0);
	put_unaligned_le32(KTRACE_TYPE_HOLE, p + 4);
	put_unaligned_le64(0, p + 32);
}

/**
 * struct ktrace_names - the last name that was finished, and what it became
 * @raw: as the task had it
 * @clean: as the file has it
 * @dirty: that is not the same
 */
struct ktrace_names {
	u64 raw[2];
	u64 clean[2];
	bool dirty;
};

/**
 * ktrace_record_finish - the header as the file has it
 * @p: the record
 * @v1: which header
 * @cpu: whose ring it was in
 * @sec: its time
 * @nsec: likewise
 * @names: of the record before; zero at first
 */
static __always_inline void ktrace_record_finish(u8 *p, bool v1, u32 cpu, u64 sec, u32 nsec,
						 struct ktrace_names *names)
{
	u64 comm[2] = { get_unaligned_le64(p + 12), get_unaligned_le64(p + 20) };

	if (unlikely(comm[0] != names->raw[0] || comm[1] != names->raw[1])) {
		names->raw[0] = comm[0];
		names->raw[1] = comm[1];
		ktrace_record_comm(comm);
		names->clean[0] = comm[0];
		names->clean[1] = comm[1];
		names->dirty = comm[0] != names->raw[0] || comm[1] != names->raw[1];
	}
	if (unlikely(names->dirty)) {
		put_unaligned_le64(names->clean[0], p + 12);
		put_unaligned_le64(names->clean[1], p + 20);
	}
	put_unaligned_le32(0, p + 28);
	put_unaligned_le64(sec, p + 32);
	if (v1) {
		put_unaligned_le32(get_unaligned_le16(p + 4) | KTR_VERSIONED | KTR_VERSION1 << 16,
				   p + 4);
		put_unaligned_le64(nsec, p + 40);
		put_unaligned_le64(cpu, p + 56); /* and pad */
	} else {
		ktrace_record_set_aux(p, 0);
		put_unaligned_le64(nsec / 1000, p + 40);
	}
}

/*
 * Payloads.  Each writes all its bytes, and returns how many.
 */

/** ktrace_record_code - a call's number as ktr_code: -1 when it does not fit */
static __always_inline s16 ktrace_record_code(long nr)
{
	return nr >= 0 && nr <= S16_MAX ? nr : -1;
}

static __always_inline u32 ktrace_record_syscall_size(u32 narg)
{
	return sizeof(struct ktrace_syscall) + 8 * narg;
}

/* KTR_SYSCALL without its arguments.  Return: where they go. */
static __always_inline u8 *ktrace_record_syscall_head(u8 *p, long nr, u32 narg)
{
	put_unaligned_le64((u16)ktrace_record_code(nr) | narg << 16, p);
	return p + sizeof(struct ktrace_syscall);
}

/**
 * ktrace_record_syscall - KTR_SYSCALL
 * @p: ktrace_record_syscall_size(@narg) bytes
 * @nr: raw number, @narg: arguments, 0 to KTRACE_MAX_ARGS, @args: them
 */
static __always_inline void ktrace_record_syscall(u8 *p, long nr, u32 narg,
						  const unsigned long *args)
{
	u32 i;

	p = ktrace_record_syscall_head(p, nr, narg);
	for (i = 0; i < narg; i++)
		put_unaligned_le64(args[i], p + 8 * i);
}

/**
 * ktrace_record_sysret - KTR_SYSRET
 * @p: sizeof(struct ktrace_sysret) bytes
 * @nr: raw number
 * @error: as the file has it (a file errno, KTRACE_ERESTART, KTRACE_EJUSTRETURN), or 0
 * @retval: the value; recorded only without an error
 */
static __always_inline void ktrace_record_sysret(u8 *p, long nr, s32 error, s64 retval)
{
	put_unaligned_le32((u16)ktrace_record_code(nr), p); /* and eosys */
	put_unaligned_le32(error, p + 4);
	put_unaligned_le64(error ? 0 : retval, p + 8);
}

static __always_inline void ktrace_record_genio(u8 *p, s32 fd, s32 rw)
{
	put_unaligned_le32(fd, p);
	put_unaligned_le32(rw, p + 4);
}

/**
 * ktrace_record_csw - KTR_CSW
 * @p: sizeof(struct ktrace_csw) bytes
 * @out: it stops, or resumes
 * @user: it was preempted
 * @wmesg: its first seven bytes (of the lowest the first), zero from the NUL on
 */
static __always_inline void ktrace_record_csw(u8 *p, bool out, bool user, u64 wmesg)
{
	put_unaligned_le32(out, p);
	put_unaligned_le32(user, p + 4);
	put_unaligned_le64(wmesg & ~(0xffULL << 56), p + 8);
}

/** ktrace_record_fault - KTR_FAULT: sizeof(struct ktrace_fault) bytes; @access: KTRACE_VM_* */
static __always_inline void ktrace_record_fault(u8 *p, u64 vaddr, u32 access)
{
	put_unaligned_le64(vaddr, p);
	put_unaligned_le64(access, p + 8); /* and pad */
}

/** ktrace_record_faultend - KTR_FAULTEND: sizeof(struct ktrace_faultend) bytes */
static __always_inline void ktrace_record_faultend(u8 *p, u32 result)
{
	put_unaligned_le32(result, p);
}

static __always_inline u32 ktrace_record_capfail_size(bool v1)
{
	return v1 ? sizeof(struct ktrace_capfail_v1) : sizeof(struct ktrace_capfail);
}

long ktrace_record_compat(long value);
s32 ktrace_record_error(long value);
void ktrace_record_capfail(u8 *p, bool v1, const struct ktrace_refusal *refusal);
void ktrace_record_psig(u8 *p, int sig, u64 action, int code, u64 mask);
u32 ktrace_record_mask(u64 linux_mask, u32 mask[4]);

#endif /* KTRACE_RECORD_H */
