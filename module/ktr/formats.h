/* SPDX-License-Identifier: GPL-2.0 */
/* formats: ktr_pool's memory, and the modules whose formats are in it. */
#ifndef KTR_FORMATS_H
#define KTR_FORMATS_H

int ktr_formats_init(void);
void ktr_formats_exit(void);
int ktr_formats_start(void);

#endif /* KTR_FORMATS_H */
