// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/abi.h"

#include <stddef.h>

#include "decode/syscall_names.h"
#include "ktrace_format.h"

bool abi_is_linux(uint32_t flags)
{
	return (flags & KTRACE_SV_ABI_MASK) == KTRACE_SV_ABI_LINUX;
}

static const struct syscall_table *find_table(uint32_t flags)
{
	if (!abi_is_linux(flags))
		return &syscalls_freebsd;
	if (flags & KTRACE_SV_IA32)
		return &syscalls_i386;
	/* 32 bits and not of x86: arm, whose calls are not known here. */
	return flags & KTRACE_SV_ILP32 ? NULL : &syscalls_x86_64;
}

const char *abi_syscall_name(uint32_t flags, int code)
{
	const struct syscall_table *table = find_table(flags);

	return table && code >= 0 && code < table->count ? table->names[code] : NULL;
}

const char *abi_letters(uint32_t flags)
{
	static const char *const letters[3][3] = {
		{ "U00", "U32", "U64" },
		{ "L00", "L32", "L64" },
		{ "F00", "F32", "F64" },
	};
	uint32_t abi = flags & KTRACE_SV_ABI_MASK;
	int row = abi == KTRACE_SV_ABI_LINUX ? 1 : abi == KTRACE_SV_ABI_FREEBSD ? 2 : 0;
	int column = flags & KTRACE_SV_LP64 ? 2 : flags & KTRACE_SV_ILP32 ? 1 : 0;

	return letters[row][column];
}
