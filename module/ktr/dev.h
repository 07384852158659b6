/* SPDX-License-Identifier: GPL-2.0 */
/* dev: /dev/ktr. */
#ifndef KTR_DEV_H
#define KTR_DEV_H

int ktr_dev_init(void);
void ktr_dev_exit(void);

#endif /* KTR_DEV_H */
