/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* ABIs of processes, as sv_flags of a PROCCTOR record tell them. */
#ifndef _DECODE_ABI_H_
#define _DECODE_ABI_H_

#include <stdbool.h>
#include <stdint.h>

struct abi {
	uint32_t flags; /* sv_flags in force; 0: unknown */
	uint32_t call_flags; /* SYSRET: those in force at its CALL; else the same */
};

bool abi_is_linux(uint32_t flags);

/* Is it arm64's, of 64 or of 32 bits? */
bool abi_is_arm(uint32_t flags);

/* Tables of system calls. */
enum abi_table {
	ABI_LINUX64, /* x86-64 */
	ABI_LINUX32, /* i386 */
	ABI_ARM64,
	ABI_ARM32, /* 32-bit programs on arm64 */
	ABI_FREEBSD,
	ABI_TABLES, /* how many there are */
};

enum abi_table abi_table(uint32_t flags);

/* The names in a table, by number; NULL is a hole. */
const char *const *abi_table_names(enum abi_table table, int *count);

/* The name of a system call, or NULL. */
const char *abi_syscall_name(uint32_t flags, int code);

/* -A: L64 and so on. */
const char *abi_letters(uint32_t flags);

#endif /* _DECODE_ABI_H_ */
