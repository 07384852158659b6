/* SPDX-License-Identifier: GPL-2.0 */
/* tracefile: opening the file that ktrace(2) names. */
#ifndef KTRACE_TRACEFILE_H
#define KTRACE_TRACEFILE_H

#include <linux/compiler.h>

struct file;

struct file *ktrace_tracefile_open(const char __user *path);

#endif /* KTRACE_TRACEFILE_H */
