/* SPDX-License-Identifier: GPL-2.0 */
/* syscalls: their names. */
#ifndef KTR_SYSCALLS_H
#define KTR_SYSCALLS_H

/* Of x86. */
const char *ktr_syscall_x86_64(unsigned long nr);
const char *ktr_syscall_i386(unsigned long nr);

/* Of arm64. */
const char *ktr_syscall_arm64(unsigned long nr);
const char *ktr_syscall_arm(unsigned long nr);

#endif /* KTR_SYSCALLS_H */
