/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control: what is recorded: debug.ktr's settings, and what follows from them.
 *
 * Locking: ktr_control_mutex is the only lock.  It protects the settings, the
 * rings (not what is in them), and the anchor.  Inside it come the kernel's
 * cpus_read_lock() and what memory allocation takes.
 */
#ifndef KTR_CONTROL_H
#define KTR_CONTROL_H

#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/types.h>

extern struct mutex ktr_control_mutex;

/**
 * struct ktr_settings - (protected by ktr_control_mutex)
 * @entries: of each CPU
 * @cpus: whose events are recorded
 *
 * The mask is ktr_mask of sys/ktr.h.
 */
struct ktr_settings {
	u32 entries;
	struct cpumask cpus;
};

extern struct ktr_settings ktr_settings;

int ktr_control_init(void);
void ktr_control_exit(void);
int ktr_control_set_mask(u32 mask);
int ktr_control_set_entries(u32 entries);
int ktr_control_set_cpus(const struct cpumask *cpus);
int ktr_control_clear(void);

int ktr_control_parse_cpus(const char *text, bool list, struct cpumask *cpus);

#endif /* KTR_CONTROL_H */
