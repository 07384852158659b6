/* SPDX-License-Identifier: GPL-2.0 */
/* sysctl: debug.ktr. */
#ifndef KTR_SYSCTL_H
#define KTR_SYSCTL_H

int ktr_sysctl_init(void);
void ktr_sysctl_exit(void);

#endif /* KTR_SYSCTL_H */
