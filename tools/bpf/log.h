/* SPDX-License-Identifier: GPL-2.0 */
/*
 * log: what the recorder says.
 */
#ifndef KTRACE_BPF_LOG_H
#define KTRACE_BPF_LOG_H

/* A line on standard error, or, once the recorder is in the background, in the kernel's log. */
void log_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* From now on the kernel's log. */
void log_to_kernel(void);

#endif /* KTRACE_BPF_LOG_H */
