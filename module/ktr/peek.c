// SPDX-License-Identifier: GPL-2.0
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/word-at-a-time.h>

#ifdef CONFIG_X86_64
#include <asm/vsyscall.h>
#endif

#include "../compat_pure.h"
#include "ktr_format.h"
#include "peek.h"

/* May the string be read?  Below are users, and addresses that are none. */
static notrace bool is_kernels(unsigned long address, u32 most)
{
#ifdef CONFIG_X86_64
	/* A fault in this page is taken for a user's, and would be an oops. */
	if (address - (VSYSCALL_ADDR - most) < most + PAGE_SIZE)
		return false;
#endif
	return address >= PAGE_OFFSET;
}

/* Like strnlen() and memcpy() of it: returns the length, or -1 if memory is missing on the way. */
static notrace int copy(char *to, const char *from, u32 most)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	int ret = -1;
	u32 n = 0;

	pagefault_disable();
	while (n < most) {
		/* An aligned word is on one page, as is its NUL. */
		if (most - n >= sizeof(long) &&
		    IS_ALIGNED((unsigned long)(from + n), sizeof(long))) {
			unsigned long word, zero;

			__get_kernel_nofault(&word, from + n, unsigned long, fault);
			memcpy(to + n, &word, sizeof(word));
			if (has_zero(word, &zero, &constants)) {
				zero = prep_zero_mask(word, zero, &constants);
				n += find_zero(create_zero_mask(zero));
				break;
			}
			n += sizeof(long);
		} else {
			__get_kernel_nofault(to + n, from + n, char, fault);
			if (!to[n])
				break;
			n++;
		}
	}
	ret = n;
fault:
	pagefault_enable();
	return ret;
}

/* The string of a parameter, or what to say of it. */
static notrace u32 string(char *to, unsigned long address, u32 most)
{
	const char *word = address ? "(fault)" : "(null)";
	int len = -1;

	if (is_kernels(address, most))
		len = copy(to, (const char *)address, most);
	if (len < 0) {
		len = min_t(u32, strlen(word), most);
		memcpy(to, word, len);
	}
	return len;
}

/**
 * ktr_peek_strings - copy the strings that parameters point to
 * @text: gets them one after the other, each with its NUL
 * @size: bytes of @text
 * @wanted: bits of parameters that are strings
 * @parms: all parameters
 *
 * Context: any.  Return: bits of those that are there, with KTR_EVENT_CUT if
 * the last of them, or one behind it, found no room.
 */
notrace u32 ktr_peek_strings(char *text, u32 size, u32 wanted, const u64 *parms)
{
	u32 done = 0, used = 0;

	for (; wanted; wanted &= wanted - 1) {
		u32 parm = __ffs(wanted), len;

		if (used == size)
			return done | KTR_EVENT_CUT;
		/* One more than there is room for tells whether it fits. */
		len = string(text + used, parms[parm], size - used);
		done |= BIT(parm);
		used += len;
		if (used == size) {
			text[size - 1] = '\0';
			return done | KTR_EVENT_CUT;
		}
		text[used++] = '\0';
	}
	return done;
}
