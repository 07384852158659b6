// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "dev.h"
#include "snapshot.h"

/* Snapshots at a time: each may be as large as all rings. */
#define READERS_MOST 4

static atomic_t readers;

/**
 * struct reader - an open /dev/ktr
 * @mutex: protects the rest
 * @snapshot: what is read
 * @piece: of its stream, what has not been read
 * @len: its bytes
 */
struct reader {
	struct mutex mutex; /* the rest */
	struct ktr_snapshot *snapshot;
	const u8 *piece;
	u32 len;
};

/* Root of the machine, no other: events are of everybody, and have addresses. */
static int may_open(void)
{
	if (!uid_eq(current_euid(), GLOBAL_ROOT_UID) || !capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(LOCKDOWN_TRACEFS);
}

static int dev_open(struct inode *inode, struct file *file)
{
	struct reader *reader;
	int err = may_open();

	if (err)
		return err;
	if (atomic_inc_return(&readers) > READERS_MOST) {
		err = -EBUSY;
		goto err_readers;
	}
	err = -ENOMEM;
	reader = kzalloc(sizeof(*reader), GFP_KERNEL_ACCOUNT);
	if (!reader)
		goto err_readers;
	mutex_init(&reader->mutex);
	reader->snapshot = ktr_snapshot_new();
	if (IS_ERR(reader->snapshot)) {
		err = PTR_ERR(reader->snapshot);
		goto err_reader;
	}
	file->private_data = reader;
	return stream_open(inode, file);

err_reader:
	kfree(reader);
err_readers:
	atomic_dec(&readers);
	return err;
}

static int dev_release(struct inode *inode, struct file *file)
{
	struct reader *reader = file->private_data;

	ktr_snapshot_free(reader->snapshot);
	kfree(reader);
	atomic_dec(&readers);
	return 0;
}

/* As many bytes as there are, and have room. */
static ssize_t read_locked(struct reader *reader, char __user *to, size_t size)
{
	size_t done = 0;

	while (done < size && !fatal_signal_pending(current)) {
		size_t n;

		if (!reader->len)
			reader->piece = ktr_snapshot_next(reader->snapshot, &reader->len);
		if (!reader->piece)
			break;
		n = min_t(size_t, reader->len, size - done);
		if (copy_to_user(to + done, reader->piece, n))
			return done ?: -EFAULT;
		reader->piece += n;
		reader->len -= n;
		done += n;
		cond_resched();
	}
	return done;
}

static ssize_t dev_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	struct reader *reader = file->private_data;
	ssize_t ret;

	ret = mutex_lock_interruptible(&reader->mutex);
	if (ret)
		return ret;
	ret = read_locked(reader, to, size);
	mutex_unlock(&reader->mutex);
	return ret;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE,
	.open = dev_open,
	.release = dev_release,
	.read = dev_read,
};

static struct miscdevice misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ktr",
	.fops = &fops,
	.mode = 0400,
};

/** ktr_dev_init - Context: module init.  Return: 0 or -errno. */
int ktr_dev_init(void)
{
	return misc_register(&misc);
}

/** ktr_dev_exit - Context: module exit; nobody has it open. */
void ktr_dev_exit(void)
{
	misc_deregister(&misc);
}
