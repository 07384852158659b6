// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's ptrace check (credentials, dumpable, Yama and every other LSM)
 * is not exported.  Opening /proc/PID/mem asks it, with PTRACE_MODE_ATTACH: we
 * do so on a procfs of our own, mounted in the first pid namespace, which
 * depends on no mount of the caller's.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "access.h"
#include "compat.h"

static struct vfsmount *proc_mnt;

/* A thread of the process that is not about to exit, with a reference; or NULL. */
static struct task_struct *live_thread(struct task_struct *task)
{
	struct task_struct *t, *found = NULL;

	rcu_read_lock();
	for_each_thread(task, t)
		if (!(READ_ONCE(t->flags) & PF_EXITING)) {
			found = t;
			get_task_struct(t);
			break;
		}
	rcu_read_unlock();
	return found;
}

/**
 * ktrace_access_ask - may the caller attach to a process?
 * @task: any of its threads
 * @thread: gets the thread that was asked about, with a reference
 * @mm: gets the address space that the answer is for; not to be followed
 *
 * The answer holds as long as the thread has that mm, and has not been in an
 * exec since before the call.
 *
 * Context: may sleep, also on a target that is inside exec (killable).
 * Return: 0; -EPERM; -ESRCH if there is no such thread (any more); -EINTR; -ENOMEM.
 */
int ktrace_access_ask(struct task_struct *task, struct task_struct **thread,
		      const struct mm_struct **mm)
{
	struct path root = { .mnt = proc_mnt, .dentry = proc_mnt->mnt_root };
	struct task_struct *t = live_thread(task);
	char name[24];
	struct file *file;

	if (!t)
		return -ESRCH;
	snprintf(name, sizeof(name), "%d/mem", task_pid_nr(t));
	file = ktrace_open_root(&root, name, O_RDONLY, 0);
	if (IS_ERR(file)) {
		int err = PTR_ERR(file);

		put_task_struct(t);
		switch (err) {
		case -ENOENT:
		case -ESRCH:
			return -ESRCH;
		case -EINTR:
		case -ENOMEM:
		case -ENFILE:
			return err;
		}
		return -EPERM;
	}
	*mm = file->private_data;
	fput(file);
	if (!*mm || READ_ONCE(t->mm) != *mm) {
		/* A kernel thread; or it has exited, and its number may be another's by now. */
		put_task_struct(t);
		return *mm ? -ESRCH : -EPERM;
	}
	*thread = t;
	return 0;
}

/** ktrace_access_init - Context: module init.  Return: 0 or an errno. */
int ktrace_access_init(void)
{
	struct file_system_type *type = get_fs_type("proc");

	if (!type)
		return -ENODEV;
	proc_mnt = kern_mount(type);
	module_put(type->owner); /* put_filesystem(): procfs is built in */
	return PTR_ERR_OR_ZERO(proc_mnt);
}

/** ktrace_access_exit - undo ktrace_access_init() */
void ktrace_access_exit(void)
{
	kern_unmount(proc_mnt);
}
