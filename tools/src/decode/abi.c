// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/abi.h"

#include <stddef.h>

#include "decode/syscall_names.h"
#include "ktrace_format.h"

bool abi_is_linux(uint32_t flags)
{
	return (flags & KTRACE_SV_ABI_MASK) == KTRACE_SV_ABI_LINUX;
}

bool abi_is_arm(uint32_t flags)
{
	enum abi_table table = abi_table(flags);

	return table == ABI_ARM64 || table == ABI_ARM32;
}

enum abi_table abi_table(uint32_t flags)
{
	if (!abi_is_linux(flags))
		return ABI_FREEBSD;
	if (flags & KTRACE_SV_IA32)
		return ABI_LINUX32;
	if (flags & KTRACE_SV_ILP32)
		return ABI_ARM32; /* 32 bits and not of x86 */
	return flags & KTRACE_SV_ARM64 ? ABI_ARM64 : ABI_LINUX64;
}

const char *const *abi_table_names(enum abi_table table, int *count)
{
	static const struct syscall_table *const tables[ABI_TABLES] = {
		[ABI_LINUX64] = &syscalls_x86_64,  [ABI_LINUX32] = &syscalls_i386,
		[ABI_ARM64] = &syscalls_arm64,	   [ABI_ARM32] = &syscalls_arm,
		[ABI_FREEBSD] = &syscalls_freebsd,
	};

	*count = tables[table]->count;
	return tables[table]->names;
}

const char *abi_syscall_name(uint32_t flags, int code)
{
	const char *const *names;
	int count;

	names = abi_table_names(abi_table(flags), &count);
	return code >= 0 && code < count ? names[code] : NULL;
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
