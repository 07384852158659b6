/* SPDX-License-Identifier: GPL-2.0 */
/* alq_file: a file of root's to write to, and no other. */
#ifndef KTR_ALQ_FILE_H
#define KTR_ALQ_FILE_H

#include <linux/types.h>

struct file;

struct file *ktr_alq_file_open(const char *path);
int ktr_alq_file_write(struct file *file, const void *data, u32 len, loff_t *pos);
void ktr_alq_file_cut(struct file *file, loff_t end);

#endif /* KTR_ALQ_FILE_H */
