/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which ABI does a process have, and a thread at the moment?
 *
 * A PROCCTOR record tells, at the beginning and at exec.  A 64-bit Linux
 * process may also make 32-bit calls (int $0x80): such a call is enclosed in
 * two PROCCTOR records, which are about that thread only.  The ABI of a RET is
 * that of its CALL: a successful execve returns under the new one.
 *
 * What is remembered is bounded, whatever the file says.
 */
#ifndef _KDUMP_ABI_H_
#define _KDUMP_ABI_H_

#include <stdbool.h>
#include <stdint.h>

#include "reader/ktrace_reader.h"

struct abi {
	uint32_t flags; /* sv_flags in force; 0: unknown */
	uint32_t call_flags; /* SYSRET: those in force at its CALL; else the same */
};

/* abi_track - take a record into account, and say what holds for it */
struct abi abi_track(const struct ktrace_record *record);

/* abi_reset - forget all records: the next one is the first of another file */
void abi_reset(void);

bool abi_is_linux(uint32_t flags);

/* The name of a system call, or NULL. */
const char *abi_syscall_name(uint32_t flags, int code);

/* -A: L64 and so on. */
const char *abi_letters(uint32_t flags);

#endif /* _KDUMP_ABI_H_ */
