/* SPDX-License-Identifier: GPL-2.0 */
/*
 * alq: events to a file, instead of the rings.
 *
 * All functions are called with the control mutex held, and may sleep.
 */
#ifndef KTR_ALQ_H
#define KTR_ALQ_H

#include <linux/types.h>

#define KTR_ALQ_PATH 1024 /* with its NUL */

/**
 * struct ktr_alq_settings - (protected by ktr_control_mutex)
 * @file: the path, for when it is enabled next
 * @depth: entries of each CPU's buffer, likewise
 * @max: events that the file may have, 0: any number; read by the thread, too
 */
struct ktr_alq_settings {
	char file[KTR_ALQ_PATH];
	u32 depth;
	u64 max;
};

extern struct ktr_alq_settings ktr_alq_settings;

int ktr_alq_init(void);
void ktr_alq_exit(void);
int ktr_alq_set_file(const char *path);
int ktr_alq_set_depth(u32 depth);
int ktr_alq_enable(bool on);
bool ktr_alq_enabled(void);
u64 ktr_alq_count(void);
u64 ktr_alq_failed(void);

#endif /* KTR_ALQ_H */
