/* SPDX-License-Identifier: GPL-2.0 */
/* ops: ktrace(2)'s operations on processes. */
#ifndef KTRACE_OPS_H
#define KTRACE_OPS_H

#include <linux/types.h>

struct file;
struct inode;
struct ktrace_request;

int ktrace_ops_set(const struct ktrace_request *req, struct file *file, pid_t pid);
int ktrace_ops_clear(const struct ktrace_request *req, pid_t pid);
int ktrace_ops_clearfile(const struct inode *inode);

#endif /* KTRACE_OPS_H */
