/* SPDX-License-Identifier: GPL-2.0 */
/* compat_fs: as ../compat.h, for what only the probes of files and disks need. */
#ifndef KTR_COMPAT_FS_H
#define KTR_COMPAT_FS_H

#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/version.h>
/* 6.3 (filelock: move file locking definitions to separate header file). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#include <linux/filelock.h>
#endif

/* 5.17 (block: remove the ->rq_disk field in struct request): the disk of a request, or NULL. */
static inline struct gendisk *ktrace_request_disk(const struct request *rq)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 17, 0)
	return rq->q->disk;
#else
	return rq->rq_disk;
#endif
}

/* 6.9 (filelock: split common fields into struct file_lock_core). */
static inline int ktrace_lock_type(const struct file_lock *lock)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	return lock->c.flc_type;
#else
	return lock->fl_type;
#endif
}

#endif /* KTR_COMPAT_FS_H */
