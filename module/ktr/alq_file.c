// SPDX-License-Identifier: GPL-2.0
/*
 * What is written has everybody's events and the kernel's addresses, and it is
 * root who writes.  So no other user may have a say in which file that is:
 * there is no symbolic link on the way, nobody but root may rename or remove a
 * folder on the way or the file, or could have mounted what is there, and the
 * file has no other name.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../compat.h"
#include "alq_file.h"

static int refuse(int err, const char *why)
{
	pr_notice("ktr: alq_file: %s\n", why);
	return err;
}

static bool roots(const struct inode *inode)
{
	return uid_eq(inode->i_uid, GLOBAL_ROOT_UID);
}

static int check_folder(const struct inode *inode)
{
	if (!roots(inode))
		return refuse(-EACCES, "a folder on the way is not root's");
	/* In a sticky one, what is root's can be neither renamed nor removed by others. */
	if (inode->i_mode & 0022 && !(inode->i_mode & S_ISVTX))
		return refuse(-EACCES, "a folder on the way can be written by others");
	return 0;
}

/* The folder, and all that it is in: mounts may hide others. */
static int check_folders(const struct path *folder)
{
	struct path at = *folder;
	int err;

	path_get(&at);
	for (;;) {
		struct dentry *up;

		err = check_folder(d_backing_inode(at.dentry));
		if (err)
			break;
		while (at.dentry == at.mnt->mnt_root) {
			if (!follow_up(&at))
				goto out;
			/* What a mount hides: its owner may be who mounted. */
			err = check_folder(d_backing_inode(at.dentry));
			if (err)
				goto out;
		}
		up = dget_parent(at.dentry);
		dput(at.dentry);
		at.dentry = up;
	}
out:
	path_put(&at);
	return err;
}

static int check_file(const struct inode *inode)
{
	if (S_ISLNK(inode->i_mode))
		return refuse(-ELOOP, "a symbolic link");
	if (S_ISDIR(inode->i_mode))
		return refuse(-EISDIR, "a folder");
	if (!S_ISREG(inode->i_mode))
		return refuse(-EACCES, "not a regular file");
	if (!roots(inode))
		return refuse(-EACCES, "the file is not root's");
	if (inode->i_mode & 0022)
		return refuse(-EACCES, "the file can be written by others");
	if (inode->i_nlink != 1)
		return refuse(-EMLINK, "the file has other names");
	return 0;
}

static struct file *checked(struct file *file, const struct path *folder)
{
	int err;

	if (IS_ERR(file))
		return file;
	if (file->f_path.mnt != folder->mnt)
		err = refuse(-EACCES, "something is mounted on the file");
	else
		err = check_file(file_inode(file));
	if (!err)
		return file;
	fput(file);
	return ERR_PTR(err);
}

/* One that is there, emptied; or a new one. */
static struct file *open_in(const struct path *folder, const char *name)
{
	struct file *file;
	int err;

	/* Opening something else than a regular file may have effects: look first. */
	file = checked(ktrace_open_root(folder, name, O_PATH | O_NOFOLLOW, 0), folder);
	if (file == ERR_PTR(-ENOENT)) {
		file = ktrace_open_root(
			folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_LARGEFILE, 0600);
		return checked(file, folder);
	}
	if (IS_ERR(file))
		return file;
	fput(file);
	file = ktrace_open_root(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_LARGEFILE, 0);
	file = checked(file, folder);
	if (IS_ERR(file))
		return file;
	err = vfs_truncate(&file->f_path, 0);
	if (!err)
		return file;
	fput(file);
	return ERR_PTR(err);
}

static int open_folder(char *name, struct path *folder)
{
	int err = kern_path(name, LOOKUP_FOLLOW | LOOKUP_DIRECTORY | LOOKUP_NO_SYMLINKS, folder);

	if (err == -ELOOP)
		return refuse(err, "a symbolic link on the way");
	if (err)
		return err;
	err = check_folders(folder);
	if (err)
		path_put(folder);
	return err;
}

/**
 * ktr_alq_file_open - a file of root's to write to, empty
 * @path: its absolute path
 *
 * It is there, or it is made with mode 0600, with the rights of the caller.
 *
 * Context: process.  Return: the file, the caller's; ERR_PTR(-errno): what the
 * kernel's log says, or what opening a file gives.
 */
struct file *ktr_alq_file_open(const char *path)
{
	char *name = kstrdup(path, GFP_KERNEL);
	struct file *file;
	struct path folder;
	char *last;
	int err;

	if (!name)
		return ERR_PTR(-ENOMEM);
	last = strrchr(name, '/') + 1;
	/* "/" stays of the path of a file in it. */
	last[-1] = '\0';
	err = open_folder(*name ? name : "/", &folder);
	if (err) {
		file = ERR_PTR(err);
	} else {
		file = open_in(&folder, last);
		path_put(&folder);
	}
	kfree(name);
	return file;
}

/**
 * ktr_alq_file_write - append to it
 * @file: of ktr_alq_file_open()
 * @data: what
 * @len: its bytes
 * @pos: the end; comes to where what was written ends
 *
 * Context: process.  Return: 0, or -errno: part of it may have been written.
 */
int ktr_alq_file_write(struct file *file, const void *data, u32 len, loff_t *pos)
{
	while (len) {
		ssize_t n = kernel_write(file, data, len, pos);

		if (n <= 0)
			return n ?: -EIO;
		data += n;
		len -= n;
	}
	return 0;
}

/** ktr_alq_file_cut - what is behind @end goes, if that can be */
void ktr_alq_file_cut(struct file *file, loff_t end)
{
	vfs_truncate(&file->f_path, end);
}
