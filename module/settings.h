/* SPDX-License-Identifier: GPL-2.0 */
/* settings: kern.ktrace.* */
#ifndef KTRACE_SETTINGS_H
#define KTRACE_SETTINGS_H

#include <linux/compiler.h>
#include <linux/types.h>

/**
 * struct ktrace_settings - what root may set (sysctl; read with READ_ONCE)
 * @genio_size: bytes of data in a GENIO record
 * @request_pool: records in flight per session; a session keeps its first value
 * @buffer_size: bytes of a ring, rounded up to a power of two; likewise
 * @max_user_memory: bytes of all rings of a uid
 * @filesize_limit_signal: 1: SIGXFSZ to the process whose record passes RLIMIT_FSIZE
 */
struct ktrace_settings {
	unsigned int genio_size;
	unsigned int request_pool;
	unsigned int buffer_size;
	unsigned long max_user_memory;
	unsigned int filesize_limit_signal;
	unsigned int exclusive;
};

extern struct ktrace_settings ktrace_settings;

int ktrace_settings_init(void (*exclusive)(bool on));
void ktrace_settings_exit(void);

#endif /* KTRACE_SETTINGS_H */
