/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _DECODE_SYSCALL_NAMES_H_
#define _DECODE_SYSCALL_NAMES_H_

/* Names by number; NULL is a hole. */
struct syscall_table {
	const char *const *names;
	int count;
};

extern const struct syscall_table syscalls_x86_64;
extern const struct syscall_table syscalls_i386;
extern const struct syscall_table syscalls_arm64;
extern const struct syscall_table syscalls_arm;
extern const struct syscall_table syscalls_freebsd;

#endif /* _DECODE_SYSCALL_NAMES_H_ */
