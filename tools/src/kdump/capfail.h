/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* CAP: what is in a record, and its text. */
#ifndef _KDUMP_CAPFAIL_H_
#define _KDUMP_CAPFAIL_H_

#include "decode/abi.h"
#include "reader/ktrace_reader.h"

/*
 * FreeBSD 14 and later, in records that have their own data; 0 to 2 are as before
 * (sys/ktrace.h).
 */
enum {
	CAPFAIL_SIGNAL = 3,
	CAPFAIL_PROTO,
	CAPFAIL_SOCKADDR,
	CAPFAIL_NAMEI,
	CAPFAIL_CPUSET,
};

void capfail_print(const struct ktrace_record *record, const struct abi *abi);

/* capfail_is_linux - whose is it?  A record of the newer form says it itself. */
bool capfail_is_linux(const struct ktrace_record_capfail *cap, const struct abi *abi);

/* capfail_int - the number that the data of the newer form begin with */
int capfail_int(const struct ktrace_record_capfail *cap);

/* capfail_linux_mask - Linux capabilities, by bit, that stand in a cap_rights_t */
uint64_t capfail_linux_mask(const uint64_t rights[2]);

/*
 * capfail_next_right - the next name of a cap_rights_t, from @at (0) on, or NULL; an
 * invalid one has none
 */
const char *capfail_next_right(const uint64_t rights[2], unsigned int *at);

/* capfail_out_rights - all of them, as text */
void capfail_out_rights(const uint64_t rights[2]);

/* capabilities_out - names of Linux capabilities, by bit; a bit without a name is its number */
void capabilities_out(uint64_t mask, char between);

#endif /* _KDUMP_CAPFAIL_H_ */
