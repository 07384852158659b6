// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "dev.h"
#include "emit.h"
#include "ktrace_ioctl.h"
#include "ops.h"
#include "probe_return.h"
#include "rules.h"
#include "session.h"
#include "thread.h"
#include "tracefile.h"

/* With the file open, if the operation has one. */
static int do_op(const struct ktrace_ioc_op *arg, const struct ktrace_request *req,
		 struct file *file)
{
	int err = ktrace_rules_points(req, arg->points);

	if (err)
		return err;
	switch (req->op) {
	case KTROP_SET:
		return ktrace_ops_set(req, file, arg->pid);
	case KTROP_CLEAR:
		return ktrace_ops_clear(req, arg->pid);
	default:
		return ktrace_ops_clearfile(file_inode(file));
	}
}

static int ioctl_op(const void __user *user)
{
	struct ktrace_request req;
	struct ktrace_ioc_op arg;
	struct file *file = NULL;
	int err;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	if (arg.zero)
		return -EINVAL;
	err = ktrace_rules_request(arg.ops, arg.points, &req);
	if (err)
		return err;
	if (req.op != KTROP_CLEAR) {
		file = ktrace_tracefile_open(u64_to_user_ptr(arg.path));
		if (IS_ERR(file))
			return PTR_ERR(file);
	}
	err = do_op(&arg, &req, file);
	if (file)
		fput(file);
	return err;
}

static bool traced_for_user(void)
{
	struct ktrace_proc *proc;
	bool yes;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	yes = proc && READ_ONCE(proc->points) & KTRFAC_USER;
	ktrace_unguard();
	return yes;
}

/*
 * Put the record: from @data, or straight from user memory at @user.  False if that
 * cannot be read without a fault.
 */
static bool emit_user(const void *data, const void __user *user, u32 len)
{
	struct ktrace_proc *proc;
	struct ktrace_emit e = {};
	bool ok = true;
	u8 *p;

	ktrace_guard();
	proc = ktrace_proc_find(current->signal);
	if (!proc || !(READ_ONCE(proc->points) & KTRFAC_USER))
		goto out;
	p = ktrace_emit_begin(&e, proc, KTR_USER, len);
	if (!p)
		goto out;
	if (data)
		memcpy(p, data, len);
	else
		ok = !len || !copy_from_user_nofault(p, user, len);
	if (ok)
		ktrace_emit_end(&e);
	else
		ktrace_emit_cancel(&e);
out:
	ktrace_unguard();
	return ok;
}

static int ioctl_utrace(const void __user *user)
{
	struct ktrace_ioc_utrace arg;
	void *data;

	if (!traced_for_user())
		return 0;
	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	if (arg.len > KTR_USER_MAXLEN)
		return -EINVAL;
	if (emit_user(NULL, u64_to_user_ptr(arg.addr), arg.len))
		return 0;
	data = memdup_user(u64_to_user_ptr(arg.addr), arg.len);
	if (IS_ERR(data))
		return PTR_ERR(data);
	emit_user(data, NULL, arg.len);
	kfree(data);
	return 0;
}

/* The file @fd, open for reading; or an error. */
static struct file *readable(int fd)
{
	struct file *file = fget(fd);

	if (file && file->f_mode & FMODE_READ)
		return file;
	if (file)
		fput(file);
	return ERR_PTR(-EBADF);
}

static int ioctl_flush(const __s32 __user *user)
{
	unsigned long end = jiffies + KTRACE_DRAIN_TIMEOUT;
	u64 stamp = ktrace_session_clock();
	struct ktrace_session **list;
	int i, n, fd, err = 0;
	struct file *file;

	if (get_user(fd, user))
		return -EFAULT;
	file = readable(fd);
	if (IS_ERR(file))
		return PTR_ERR(file);
	n = ktrace_session_collect(file_inode(file), &list);
	for (i = 0; i < n; i++) {
		if (!err)
			err = ktrace_session_drain(list[i], stamp, end, true);
		ktrace_session_unref(list[i]);
	}
	if (n > 0)
		kfree(list);
	fput(file);
	return err ?: n;
}

static int ioctl_stats(struct ktrace_ioc_stats __user *user)
{
	struct ktrace_ioc_stats stats = {};
	struct file *file;

	if (copy_from_user(&stats, user, offsetofend(struct ktrace_ioc_stats, zero)))
		return -EFAULT;
	if (stats.zero)
		return -EINVAL;
	file = readable(stats.fd);
	if (IS_ERR(file))
		return PTR_ERR(file);
	ktrace_return_missed();
	ktrace_session_file_stats(file_inode(file), &stats);
	fput(file);
	return copy_to_user(user, &stats, sizeof(stats)) ? -EFAULT : 0;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	bool in;
	long ret;

	switch (cmd) {
	case KTRACE_IOC_VERSION:
		return KTRACE_ABI_VERSION;
	case KTRACE_IOC_UTRACE:
		return ioctl_utrace(user);
	case KTRACE_IOC_FLUSH:
		return ioctl_flush(user);
	case KTRACE_IOC_STATS:
		return ioctl_stats(user);
	case KTRACE_IOC_OP:
		/* The paths that we look up are not the program's. */
		in = ktrace_thread_set(current, KTRACE_THREAD_IN);
		ret = ioctl_op(user);
		if (in)
			ktrace_thread_clear(current, KTRACE_THREAD_IN);
		return ret;
	}
	return -ENOTTY;
}

static const struct file_operations dev_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = dev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice dev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ktrace",
	.fops = &dev_fops,
	.mode = 0666,
};

/** ktrace_dev_init - Context: module init, after everything else.  Return: 0 or an errno. */
int ktrace_dev_init(void)
{
	return misc_register(&dev);
}

/** ktrace_dev_exit - no ioctl begins any more */
void ktrace_dev_exit(void)
{
	misc_deregister(&dev);
}
