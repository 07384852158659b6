/* SPDX-License-Identifier: GPL-2.0 */
/* peek: strings at addresses that nobody vouches for. */
#ifndef KTR_PEEK_H
#define KTR_PEEK_H

#include <linux/types.h>

u32 ktr_peek_strings(char *text, u32 size, u32 wanted, const u64 *parms);

#endif /* KTR_PEEK_H */
