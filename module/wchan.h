/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wchan: the function of the kernel that current is about to sleep in, as
 * /proc/PID/wchan has it.
 */
#ifndef KTRACE_WCHAN_H
#define KTRACE_WCHAN_H

#include <linux/types.h>

int ktrace_wchan_init(void);
void ktrace_wchan_exit(void);
u64 ktrace_wchan(void);

#endif /* KTRACE_WCHAN_H */
