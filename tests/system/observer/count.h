/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COUNT_H
#define COUNT_H

/* Which call. */
struct call {
	__u32 compat; /* 1: of the 32-bit ABI */
	__s32 number;
};

#endif /* COUNT_H */
