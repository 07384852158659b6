/* SPDX-License-Identifier: GPL-2.0 */
/* dev: /dev/ktrace.  The contract is in ktrace_ioctl.h. */
#ifndef KTRACE_DEV_H
#define KTRACE_DEV_H

int ktrace_dev_init(void);
void ktrace_dev_exit(void);

#endif /* KTRACE_DEV_H */
