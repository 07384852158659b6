// SPDX-License-Identifier: GPL-2.0
#include "ktrace_numbers.h"
#include "record.h"

#define RESTART_FIRST 512 /* ERESTARTSYS */
#define RESTART_LAST  516 /* ERESTART_RESTARTBLOCK */
#define ERRNO_MAX     4095

/**
 * ktrace_record_compat - what a 32-bit call returned
 * @value: the register, of which the upper half means nothing
 *
 * Return: an error sign-extended; everything else (addresses) zero-extended.
 */
long ktrace_record_compat(long value)
{
	s32 low = value;

	if (low < 0 && low >= -ERRNO_MAX)
		return low;
	return (u32)low;
}

/**
 * ktrace_record_error - a call's result, as the file has it
 * @value: what the kernel returned, sign-extended
 *
 * Return: ktr_error: 0 if @value is no error.
 */
s32 ktrace_record_error(long value)
{
	if (value >= 0 || value < -ERRNO_MAX)
		return 0;
	if (value >= -RESTART_LAST && value <= -RESTART_FIRST)
		return KTRACE_ERESTART;
	return ktrace_file_errno(-value);
}

/**
 * ktrace_record_mask - a Linux signal mask in the file's numbers
 * @linux_mask: bit n-1 is Linux signal n
 * @mask: bit n-1 is FreeBSD signal n
 *
 * Signals that FreeBSD lacks have no bit there.
 *
 * Return: how many signals had one.
 */
u32 ktrace_record_mask(u64 linux_mask, u32 mask[4])
{
	u32 n = 0;
	int sig;

	memset(mask, 0, 4 * sizeof(mask[0]));
	for (sig = 1; linux_mask; sig++, linux_mask >>= 1) {
		int bit = ktrace_file_signal(sig) - 1;

		if (!(linux_mask & 1) || bit >= 128)
			continue;
		mask[bit / 32] |= 1U << (bit % 32);
		n++;
	}
	return n;
}

/**
 * ktrace_record_psig - KTR_PSIG
 * @p: sizeof(struct ktrace_psig) bytes
 * @sig: Linux signal
 * @action: the handler, 0 for SIG_DFL
 * @code: Linux si_code
 * @mask: Linux signal mask
 */
void ktrace_record_psig(u8 *p, int sig, u64 action, int code, u64 mask)
{
	struct ktrace_psig psig = {
		.signo = ktrace_file_signal(sig),
		.action = action,
		.code = ktrace_file_sicode(sig, code),
	};

	ktrace_record_mask(mask, psig.mask);
	memcpy(p, &psig, sizeof(psig));
}

/**
 * ktrace_record_capfail - KTR_CAPFAIL
 * @p: ktrace_record_capfail_size(@v1) bytes
 * @v1: the header's version
 * @refusal: what to tell
 *
 * A refused system call has no capabilities: FreeBSD has empty sets of them in
 * the old layout, and in the new one nothing.
 */
void ktrace_record_capfail(u8 *p, bool v1, const struct ktrace_refusal *refusal)
{
	const u64 needed[2] = { refusal->needed | KTRACE_CAP_WORD0, KTRACE_CAP_WORD1 };
	const u64 held[2] = { refusal->held | KTRACE_CAP_WORD0, KTRACE_CAP_WORD1 };
	const size_t at = v1 ? offsetof(struct ktrace_capfail_v1, needed) :
			       offsetof(struct ktrace_capfail, needed);

	memset(p, 0, ktrace_record_capfail_size(v1));
	put_unaligned_le32(refusal->type, p);
	if (v1) {
		put_unaligned_le16(ktrace_record_code(refusal->nr), p + 4);
		put_unaligned_le32(refusal->sv_flags, p + 8);
		if (refusal->type != KTRACE_CAPFAIL_NOTCAPABLE)
			return;
	}
	put_unaligned_le64(needed[0], p + at);
	put_unaligned_le64(needed[1], p + at + 8);
	put_unaligned_le64(held[0], p + at + 16);
	put_unaligned_le64(held[1], p + at + 24);
}
