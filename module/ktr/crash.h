/* SPDX-License-Identifier: GPL-2.0 */
/* crash: the newest events to the console, when the kernel panics or oopses. */
#ifndef KTR_CRASH_H
#define KTR_CRASH_H

int ktr_crash_init(void);
void ktr_crash_exit(void);

int ktr_crash_set(unsigned int entries);

/* debug.ktr.crash: how many; read anywhere. */
extern unsigned int ktr_crash_entries;

#endif /* KTR_CRASH_H */
