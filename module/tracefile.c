// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "tracefile.h"

#define PATH_SIZE 1024 /* FreeBSD's MAXPATHLEN, with the NUL */

/*
 * What a trace file may not be.  Looked at before opening: that may have effects.  What looks like
 * a file on proc, sysfs and the like (on which nothing can be executed) is none: it may take
 * writing as if by current, and that would be the writer.
 */
static int check_type(const struct inode *inode)
{
	if (S_ISLNK(inode->i_mode))
		return -ELOOP;
	if (S_ISDIR(inode->i_mode))
		return -EISDIR;
	if (inode->i_sb->s_iflags & SB_I_NOEXEC)
		return -EACCES;
	return S_ISREG(inode->i_mode) ? 0 : -EACCES;
}

static int check_path(const char *name)
{
	struct path path;
	int err;

	err = kern_path(name, 0, &path); /* the last component is not followed */
	if (err)
		return err;
	err = check_type(d_backing_inode(path.dentry));
	path_put(&path);
	return err;
}

static struct file *open_name(const char *name)
{
	struct file *file;
	int err;

	if (!*name)
		return ERR_PTR(-ENOENT);
	err = check_path(name);
	if (err)
		return ERR_PTR(err);
	/* O_NONBLOCK: should a FIFO have taken its place meanwhile. */
	file = filp_open(name, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOFOLLOW | O_LARGEFILE, 0);
	if (IS_ERR(file))
		return file == ERR_PTR(-ENXIO) ? ERR_PTR(-EACCES) : file;
	err = check_type(file_inode(file));
	if (!err && !file->f_op->write_iter)
		err = -EACCES; /* debugfs and others */
	if (err) {
		fput(file);
		return ERR_PTR(err);
	}
	return file;
}

/**
 * ktrace_tracefile_open - the trace file, as the caller may open it
 * @path: the user's
 *
 * With the caller's credentials, root and working directory; for appending; no
 * symbolic link as last component; a regular file that stores what is written to it.
 *
 * Context: may sleep.
 * Return: the file; -EFAULT; -ENAMETOOLONG for 1024 bytes and more; what the path or
 * the permissions give.
 */
struct file *ktrace_tracefile_open(const char __user *path)
{
	struct file *file;
	char *name;
	long len;

	name = kmalloc(PATH_SIZE, GFP_KERNEL);
	if (!name)
		return ERR_PTR(-ENOMEM);
	len = strncpy_from_user(name, path, PATH_SIZE);
	if (len < 0)
		file = ERR_PTR(len);
	else if (len == PATH_SIZE)
		file = ERR_PTR(-ENAMETOOLONG);
	else
		file = open_name(name);
	kfree(name);
	return file;
}
