/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _KTRDUMP_SYMBOLS_H_
#define _KTRDUMP_SYMBOLS_H_

/*
 * symbols_check - is @path a vmlinux or a System.map? If not, print so and exit
 *
 * Nothing in it is needed: ktr's memory is found by what is in it, and formats
 * are in that memory.
 */
void symbols_check(const char *path);

#endif /* _KTRDUMP_SYMBOLS_H_ */
